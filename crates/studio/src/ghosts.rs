//! Ghosts: the places where units will stop that a player has sent.
//!
//! ```text
//!   sent ─▶ where they would stop now ─▶ each its own place, once it has one ─▶ it is there
//! ```

use std::collections::BTreeMap;
use std::fmt;

use flowtiles::Cell;
use flowtiles::steer::{Army, GroupId, Line, UnitState};
use flowtiles_inspector::Mark;
use flowtiles_scenes::Runner;
use flowtiles_scenes::walls::cell_of;

/// Where a player sends units: to a cell, or to a line with this cell in its middle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    pub cell: Cell,
    pub line: Option<Line>,
}

impl From<Cell> for Spot {
    fn from(cell: Cell) -> Self {
        Self { cell, line: None }
    }
}

impl From<Line> for Spot {
    fn from(line: Line) -> Self {
        Self {
            cell: cell_of(line.middle()),
            line: Some(line),
        }
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            None => self.cell.fmt(f),
            Some(line) => write!(
                f,
                "a line of {:.0} cells around {}",
                line.width(),
                self.cell
            ),
        }
    }
}

impl Spot {
    /// The spot that a page names by two points: a line, or a cell if they are one point.
    pub fn between([x, y, to_x, to_y]: [f32; 4]) -> Self {
        let line = Line::new([x, y], [to_x, to_y]);
        if line.left == line.right {
            cell_of(line.left).into()
        } else {
            line.into()
        }
    }
}

/// Places by the id of their unit.
pub type Places = BTreeMap<u32, [f32; 2]>;

/// Returns where units of groups of a copy of an army would stop if they were sent now.
pub fn places(run: &Runner, mut army: Army, groups: &[GroupId], spot: Spot) -> Places {
    // Units that were added or woken since the last step are looked at one by one; this step,
    // which moves nobody, sorts them.
    army.advance(&run.world, 0.0);
    let places = army.ghosts(&run.world, groups, spot.cell, spot.line);
    places.into_iter().collect()
}

/// Units that were sent to one goal together.
struct Sent {
    goal: Cell,
    /// Those that are still on their way, and the place of each, as far as it is known.
    places: BTreeMap<u32, Option<[f32; 2]>>,
}

/// The ghosts of a stage.
#[derive(Default)]
pub struct Ghosts {
    sent: Vec<Sent>,
    /// What the page shows.
    pub marks: Vec<Mark>,
}

impl Ghosts {
    /// Adds those of units that were sent just now; the units have no others.
    pub fn add(&mut self, goal: Cell, units: impl Iterator<Item = u32>, places: &Places) {
        let places: BTreeMap<_, _> = units.map(|id| (id, places.get(&id).copied())).collect();
        for sent in &mut self.sent {
            sent.places.retain(|id, _| !places.contains_key(id));
        }
        self.sent.retain(|sent| !sent.places.is_empty());
        self.sent.push(Sent { goal, places });
    }

    /// Returns the places of units on their way, and forgets the others.
    pub fn follow(&mut self, army: &Army) -> Places {
        for sent in &mut self.sent {
            sent.follow(army);
        }
        self.sent.retain(|sent| !sent.places.is_empty());
        let places = self.sent.iter().flat_map(|sent| &sent.places);
        places
            .filter_map(|(&id, &place)| Some((id, place?)))
            .collect()
    }
}

impl Sent {
    fn follow(&mut self, army: &Army) {
        let goal = self.goal;
        self.places.retain(|&id, _| {
            let is_on_its_way = army
                .get(id)
                .is_some_and(|unit| unit.state == UnitState::Marching);
            let order = army.order_of(id).filter(|_| is_on_its_way);
            order.is_some_and(|order| order.goal().cell() == goal)
        });
        let stops: Vec<Option<[f32; 2]>> = self.places.keys().map(|&id| army.stop_of(id)).collect();
        let bits = |stop: [f32; 2]| stop.map(f32::to_bits);
        let mut counts: BTreeMap<[u32; 2], usize> = BTreeMap::new();
        for &stop in stops.iter().flatten() {
            *counts.entry(bits(stop)).or_default() += 1;
        }
        let is_known = self.places.len() > 1;
        for (place, stop) in self.places.values_mut().zip(stops) {
            // Until units have places, they all are to stop at the goal.
            let own = stop.filter(|&stop| {
                let is_shared = counts[&bits(stop)] > 1;
                !is_shared && (stop != goal.centre() || is_known)
            });
            *place = own.or(*place);
        }
    }
}

#[cfg(test)]
mod tests {
    use flowtiles::{CellRect, Cost, CostMap};

    use flowtiles_inspector::Aim;

    use super::*;
    use crate::aim::aimed;
    use crate::crowd::{self, Selection};
    use crate::stage::Stage;

    /// A map with a rock, and two bands of 12 and 9 units, of which the ghosts are followed.
    fn stage() -> Stage {
        let mut costs = CostMap::open(60, 40).unwrap();
        costs.edit(CellRect::new(29, 30, 2, 1), Cost::WALL).unwrap();
        let mut stage = Stage::of_map(costs, String::new());
        crowd::place(&mut stage, Cell::new(6, 10), 12).unwrap();
        crowd::place(&mut stage, Cell::new(6, 25), 9).unwrap();
        stage
    }

    fn shown(stage: &mut Stage) -> Places {
        stage.show_ghosts(Vec::new());
        let marks = stage.ghosts.marks.iter();
        marks.map(|mark| (mark.id, mark.position)).collect()
    }

    fn sorted(places: impl IntoIterator<Item = [f32; 2]>) -> Vec<[f32; 2]> {
        let mut places: Vec<[f32; 2]> = places.into_iter().collect();
        places.sort_by(|one, two| one[0].total_cmp(&two[0]).then(one[1].total_cmp(&two[1])));
        places
    }

    fn off([x, y]: [f32; 2], other: [f32; 2]) -> f32 {
        (x - other[0]).hypot(y - other[1])
    }

    /// Whole bands and a part of one, to a cell, to a line, and to one with a wall in its middle.
    #[test]
    fn ghosts_are_where_sent_units_stop_and_go_once_they_are_there() {
        let spots = [
            [40.5, 20.5, 40.5, 20.5],
            [50.0, 10.0, 50.0, 30.0],
            [20.0, 30.5, 40.0, 30.5],
        ];
        let selections: [Selection; 2] = [(0..21).collect(), (0..16).collect()];
        for (ends, selection) in spots.iter().flat_map(|ends| {
            let selections = selections.iter();
            selections.map(move |selection| (ends, selection))
        }) {
            let (spot, is_behind_a_wall) = (Spot::between(*ends), ends == &spots[2]);
            let told = format!("{spot:?}, {} units", selection.len());
            let mut stage = stage();
            let aimed = aimed(&stage, selection, Aim::Send(*ends));
            let aimed = sorted(aimed.iter().map(|mark| mark.position));
            assert!(stage.ghosts.marks.is_empty(), "{told}: nobody is sent");
            let (count, missed) = crowd::send(&mut stage, selection, spot).unwrap();
            assert_eq!((count, missed), (selection.len(), None), "{told}");
            let first = shown(&mut stage);
            assert_eq!(aimed, sorted(first.values().copied()), "{told}");
            if !is_behind_a_wall {
                assert_eq!(
                    Selection::from_iter(first.into_keys()),
                    *selection,
                    "{told}"
                );
            }
            let mut last = Places::new();
            for tick in 0.. {
                stage.step(20_000);
                let ghosts = shown(&mut stage);
                if ghosts.is_empty() {
                    break;
                }
                last.extend(ghosts);
                assert!(tick < 1_000, "{told}");
            }
            assert_eq!(last.len(), selection.len(), "{told}");
            // Those who cannot see the middle of a line get their places one by one.
            for (ghost, &aimed) in sorted(last.values().copied()).iter().zip(&aimed) {
                let is_near = off(*ghost, aimed) < 0.05 || is_behind_a_wall;
                assert!(is_near, "{told}: {ghost:?} {aimed:?}");
            }
            for (id, ghost) in last {
                let unit = stage.run.army.get(id).unwrap();
                assert!(
                    off(unit.position, ghost) < 0.3,
                    "{told}: {unit:?} {ghost:?}"
                );
            }
        }
    }

    #[test]
    fn units_that_are_sent_elsewhere_have_ghosts_there_alone() {
        let mut stage = stage();
        let (all, some): (Selection, Selection) = ((0..21).collect(), (3..6).collect());
        crowd::send(&mut stage, &all, Spot::between([50.0, 10.0, 50.0, 30.0])).unwrap();
        stage.step(20_000);
        let ends = [20.0, 5.0, 30.0, 5.0];
        let line = Spot::between(ends);
        let on_line = aimed(&stage, &some, Aim::Send(ends));
        let aimed_at = sorted(on_line.iter().map(|mark| mark.position));
        assert_eq!(aimed_at, [[20.0, 5.0], [25.0, 5.0], [30.0, 5.0]]);
        // Until they are sent there, they keep their places.
        stage.show_ghosts(on_line);
        let aimed_at = stage.ghosts.marks.iter().filter(|mark| mark.selected);
        assert_eq!((aimed_at.count(), stage.ghosts.marks.len()), (3, 24));
        // A click around a goal does not know of the line on which they were.
        let middle = [30.5, 20.5];
        let around = aimed(&stage, &some, Aim::Send([30.5, 20.5, 30.5, 20.5]));
        assert!(around.iter().all(|mark| off(mark.position, middle) < 0.8));
        crowd::send(&mut stage, &some, line).unwrap();
        stage.step(20_000);
        let ghosts = shown(&mut stage);
        assert_eq!(ghosts.len(), 21);
        let there = ghosts.iter().filter(|(_, place)| place[1] == 5.0);
        assert_eq!(Selection::from_iter(there.map(|(&id, _)| id)), some);
    }
}
