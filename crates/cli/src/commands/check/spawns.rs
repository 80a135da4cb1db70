//! Spawn points that cannot reach the others.

use std::cmp::Reverse;

use flowtiles::Cell;
use flowtiles_formats::ScenarioEntry;

use super::islands::Islands;

/// Finds the spawn points that are off the map, in walls, or on another island
/// than most others (among equals the largest island counts, then the first), and
/// the starts that cannot reach the goals which their scenario says they reach; each with what is wrong with it.
pub fn find(
    islands: &Islands<'_>,
    points: &[Cell],
    entries: &[ScenarioEntry],
) -> Vec<(Cell, String)> {
    let number = |cell: Cell| islands.number(cell);
    let mut counts = vec![0_u32; islands.all.len()];
    for number in points.iter().filter_map(|&cell| number(cell)) {
        counts[number] += 1;
    }
    let rank = |number: usize| (counts[number], islands.all[number].cells, Reverse(number));
    let homes = points.iter().filter_map(|&cell| number(cell));
    let home = homes.max_by_key(|&number| rank(number));
    let first = points.iter().find(|&&cell| number(cell) == home);
    let of_point = |cell: Cell| match (number(cell), first) {
        (None, _) if islands.costs.get(cell).is_none() => Some("is off the map".to_owned()),
        (None, _) => Some("is in a wall".to_owned()),
        (number, Some(first)) if number != home => {
            Some(format!("cannot reach {first}, on whose island most are"))
        }
        _ => None,
    };
    let of_entry = |entry: &ScenarioEntry| match number(entry.start) {
        None => Some("is in a wall".to_owned()),
        from if from == number(entry.goal) => None,
        _ => Some(format!(
            "cannot reach its goal {} (line {} of the scenario)",
            entry.goal, entry.line
        )),
    };
    let points = points.iter().map(|&cell| (cell, of_point(cell)));
    let entries = entries.iter().filter(|entry| !entry.says_unreachable());
    let entries = entries.map(|entry| (entry.start, of_entry(entry)));
    let all = points.chain(entries);
    all.filter_map(|(cell, fault)| Some((cell, fault?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fault_is_told() {
        let costs = flowtiles_formats::read_text(b"...#.\n...#.\n").unwrap();
        let islands = Islands::new(&costs);
        let cell = Cell::new;
        let points = [cell(4, 0), cell(0, 0), cell(2, 1), cell(3, 0), cell(9, 0)];
        let size = "0 m 5 2";
        let text = format!("version 1\n{size} 0 0 2 1 9\n{size} 4 0 0 0 9\n{size} 3 0 0 0 9\n");
        let entries = flowtiles_formats::read_scenario(text.as_bytes()).unwrap();
        let cut_off = (4, 0, "cannot reach (0, 0), on whose island most are");
        let expected = [
            cut_off,
            (3, 0, "is in a wall"),
            (9, 0, "is off the map"),
            (
                4,
                0,
                "cannot reach its goal (0, 0) (line 3 of the scenario)",
            ),
            (3, 0, "is in a wall"),
        ];
        let told = |(x, y, fault): (i32, i32, &str)| (cell(x, y), fault.to_owned());
        assert_eq!(find(&islands, &points, &entries), expected.map(told));
        // One on each island: the larger island counts.
        let two = [cell(4, 0), cell(0, 0)];
        assert_eq!(find(&islands, &two, &[]), [told(cut_off)]);
        // If all are in walls, none is cut off.
        let wall = [cell(3, 0)];
        assert_eq!(find(&islands, &wall, &[]).len(), 1);
    }
}
