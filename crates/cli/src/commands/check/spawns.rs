//! Spawn points that cannot reach the others.

use flowtiles::Cell;

use super::ground::OpenCells;
use super::islands::Islands;

/// A start that must reach its goal.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// The line of the scenario.
    pub line: usize,
    pub start: Cell,
    pub goal: Cell,
}

/// A fault of a spawn point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpawnFault {
    OffMap,
    InWall,
    /// It is on another island than most others, of which this is one.
    CutOffFrom(Cell),
    /// It cannot reach its goal in this line of the scenario.
    Goal {
        goal: Cell,
        line: usize,
    },
}

/// Finds the spawn points that are off the map, in walls, or on another island
/// than most others (among equals the largest island counts, then the first), and
/// the starts that cannot reach their goals.
pub fn find(
    islands: &Islands,
    ground: &OpenCells,
    points: &[Cell],
    pairs: &[Pair],
) -> Vec<(Cell, SpawnFault)> {
    let island = |cell: Cell| islands.number(ground.id(cell)?);
    let mut counts = vec![0_u32; islands.all().len()];
    for &cell in points {
        if let Some(number) = island(cell) {
            counts[number] += 1;
        }
    }
    let size = |number: usize| islands.all()[number].cells;
    let home = (0..counts.len())
        .filter(|&number| counts[number] > 0)
        .rev()
        .max_by_key(|&number| (counts[number], size(number)));
    let first_home = points.iter().copied().find(|&cell| island(cell) == home);
    let mut found = Vec::new();
    for &cell in points {
        let fault = match (ground.id(cell), island(cell), first_home) {
            (None, ..) => SpawnFault::OffMap,
            (Some(_), None, _) => SpawnFault::InWall,
            (_, number, Some(first)) if number != home => SpawnFault::CutOffFrom(first),
            _ => continue,
        };
        found.push((cell, fault));
    }
    for &Pair { line, start, goal } in pairs {
        let (from, to) = (island(start), island(goal));
        if from.is_none() {
            found.push((start, SpawnFault::InWall));
        } else if from != to {
            found.push((start, SpawnFault::Goal { goal, line }));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::check::islands;

    #[test]
    fn each_fault_is_told() {
        let costs = flowtiles::format::read_text(b"...#.\n...#.\n").unwrap();
        let ground = OpenCells::new(&costs);
        let (islands, _) = islands::find(&ground);
        let cell = Cell::new;
        let points = [cell(4, 0), cell(0, 0), cell(2, 1), cell(3, 0), cell(9, 0)];
        let pairs = [((0, 0), (2, 1)), ((4, 0), (0, 0)), ((3, 0), (0, 0))];
        let pairs = pairs.map(|(start, goal)| Pair {
            line: 7,
            start: cell(start.0, start.1),
            goal: cell(goal.0, goal.1),
        });
        let goal = cell(0, 0);
        let expected = [
            (cell(4, 0), SpawnFault::CutOffFrom(cell(0, 0))),
            (cell(3, 0), SpawnFault::InWall),
            (cell(9, 0), SpawnFault::OffMap),
            (cell(4, 0), SpawnFault::Goal { goal, line: 7 }),
            (cell(3, 0), SpawnFault::InWall),
        ];
        assert_eq!(find(&islands, &ground, &points, &pairs), expected);
        // One on each island: the larger island counts.
        let two = [cell(4, 0), cell(0, 0)];
        let one = [(cell(4, 0), SpawnFault::CutOffFrom(cell(0, 0)))];
        assert_eq!(find(&islands, &ground, &two, &[]), one);
        // If all are in walls, none is cut off.
        let wall = [cell(3, 0)];
        assert_eq!(find(&islands, &ground, &wall, &[]).len(), 1);
    }
}
