//! Ways of selected units: lines from where they are to where they will stop.
//!
//! To pull one tight takes up to some milliseconds, so they are asked for in turn.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use flowtiles::Waypoint;
use flowtiles::steer::GroupId;
use flowtiles_inspector::UnitPath;
use flowtiles_scenes::Runner;

use crate::crowd::Selection;
use crate::paths::{BAND_PATHS, followed};
use crate::stage::Band;

/// The most ways of all bands together.
const WAYS: usize = 24;
/// The pictures after which a way is asked for again, or a quarter of a second of the game.
const PICTURES: u32 = 8;
/// The most cells of ways that are asked for in a picture; one way is asked for in any case.
const CELLS: f32 = 400.0;

/// A way as it was when it was asked for.
struct Way {
    group: GroupId,
    order: u64,
    picture: u32,
    /// The tick and the revision of the fields.
    then: (u32, u64),
    /// None while the unit has no way.
    points: Vec<Waypoint>,
}

/// The ways of a stage.
#[derive(Default)]
pub struct Ways {
    /// By unit.
    known: BTreeMap<u32, Way>,
    picture: u32,
}

impl Ways {
    /// Follows some of the units that are selected and on their way, in another picture. Returns
    /// whether a way has come or gone.
    pub fn follow(
        &mut self,
        run: &Runner,
        bands: &[Band],
        selection: &Selection,
        now: (u32, u64),
    ) -> bool {
        self.picture = self.picture.wrapping_add(1);
        let units = chosen(run, bands, selection);
        let count = self.known.len();
        self.known
            .retain(|id, way| units.get(id) == Some(&(way.group, way.order)));
        let mut is_new = self.known.len() != count;
        let age = |way: &Way| self.picture.wrapping_sub(way.picture);
        let is_due = |way: &Way| {
            let is_old = age(way) >= PICTURES || now.0.wrapping_sub(way.then.0) >= run.rate / 4;
            way.then != now && (is_old || way.points.is_empty())
        };
        let due = units.keys().filter_map(|&id| match self.known.get(&id) {
            None => Some((u32::MAX, id)),
            Some(way) => is_due(way).then(|| (age(way), id)),
        });
        let mut due: Vec<(u32, u32)> = due.collect();
        due.sort_by_key(|&(age, _)| Reverse(age));
        let mut cells = 0.0;
        for (_, id) in due {
            if cells >= CELLS {
                break;
            }
            let points = run.army.path(&run.world, id).unwrap_or_default();
            cells += length(&points);
            let (group, order) = units[&id];
            let way = Way {
                group,
                order,
                picture: self.picture,
                then: now,
                points,
            };
            self.known.insert(id, way);
            is_new = true;
        }
        is_new
    }

    /// Returns the ways of a band's units, each from where its unit is now. A way through links is
    /// a path for each part between them.
    pub fn paths(&self, run: &Runner, band: usize, banner: u8) -> Vec<UnitPath> {
        let group = run.bands[band].group;
        let mut paths = Vec::new();
        for (&id, way) in self.known.iter().filter(|(_, way)| way.group == group) {
            let Some((unit, order)) = run.army.get(id).zip(run.army.order_of(id)) else {
                continue;
            };
            let parts = way.points.split_inclusive(|point| point.link.is_some());
            for (number, part) in parts.enumerate() {
                let mut points: Vec<[f32; 2]> = part.iter().map(|point| point.at).collect();
                if number == 0 {
                    points[0] = unit.position;
                }
                if points.len() > 1 {
                    let layer = order.goal().layer();
                    paths.push(UnitPath {
                        banner,
                        points,
                        thin: true,
                        layer,
                    });
                }
            }
        }
        paths
    }
}

/// Returns the units whose ways are drawn, with their groups and orders.
fn chosen(run: &Runner, bands: &[Band], selection: &Selection) -> BTreeMap<u32, (GroupId, u64)> {
    let mut all = Vec::new();
    if !selection.is_empty() {
        for (band, actor) in bands.iter().zip(&run.bands) {
            let Some(timed) = &band.timed else { continue };
            let members = run.army.members(actor.group);
            let units = followed(members.filter(|unit| selection.contains(&unit.id)));
            if !units.is_empty() {
                all.push((actor.group, timed.order.number(), units));
            }
        }
    }
    let each = (WAYS / all.len().max(1)).clamp(1, BAND_PATHS);
    let units = all.iter().flat_map(|(group, order, units)| {
        let units = units.iter().take(each);
        units.map(|unit| (unit.id, (*group, *order)))
    });
    units.take(WAYS).collect()
}

/// Returns the cells that a way goes over.
fn length(points: &[Waypoint]) -> f32 {
    let pieces = points.windows(2).filter(|ends| ends[0].link.is_none());
    let lengths = pieces.map(|ends| {
        let [from, to] = [ends[0].at, ends[1].at];
        (to[0] - from[0]).hypot(to[1] - from[1])
    });
    lengths.sum()
}

#[cfg(test)]
mod tests {
    use flowtiles::steer::UnitState;
    use flowtiles::{Cell, CellRect, Cost, CostMap};

    use super::*;
    use crate::crowd;
    use crate::stage::Stage;

    /// A wall between bands of 12 and 9 units and the cell to which they are sent.
    fn stage(side: u32) -> Stage {
        let mut costs = CostMap::open(side, side).unwrap();
        let wall = CellRect::new(side as i32 / 2, 0, 1, side / 2);
        costs.edit(wall, Cost::WALL).unwrap();
        let mut stage = Stage::of_map(costs, String::new());
        crowd::place(&mut stage, Cell::new(6, 10), 12).unwrap();
        crowd::place(&mut stage, Cell::new(6, 25), 9).unwrap();
        let goal = Cell::new(side as i32 - 9, 10);
        for band in 0..2 {
            stage.send(band, goal).unwrap();
        }
        stage.step(u32::MAX);
        stage
    }

    fn is_tight(path: &UnitPath) -> bool {
        path.points.len() == 4
    }

    #[test]
    fn selected_units_have_ways_and_other_bands_paths_by_cells() {
        let mut stage = stage(60);
        let some: Selection = (3..6).collect();
        stage.walk_paths(&Selection::new());
        assert!(!stage.paths.iter().any(is_tight));
        for tick in 0..400 {
            stage.walk_paths(&some);
            let army = &stage.run.army;
            let units = some.iter().filter_map(|&id| army.get(id));
            let marching = units.filter(|unit| unit.state == UnitState::Marching);
            for unit in marching {
                let mut paths = stage.paths.iter();
                let way = paths.find(|path| path.points[0] == unit.position);
                let way = way.unwrap_or_else(|| panic!("{tick}: {unit:?} has no way"));
                // One is old for less than a quarter of a second.
                let now = army.path(&stage.run.world, unit.id).unwrap();
                let is_new = way.points.last() == now.last().map(|end| &end.at);
                assert!(is_new || tick % 5 != 0, "{tick}: {way:?}, {now:?}");
            }
            if tick == 0 {
                let (ways, others) = stage.paths.split_at(3);
                assert!(ways.iter().all(is_tight), "{ways:?}");
                assert!(!others.is_empty() && !others.iter().any(is_tight));
            }
            stage.step(u32::MAX);
        }
        stage.walk_paths(&some);
        assert!(stage.paths.is_empty(), "all are there: {:?}", stage.paths);
    }

    #[test]
    fn long_ways_are_asked_for_in_turn() {
        let mut stage = stage(700);
        let all: Selection = (0..21).collect();
        let each = 2 * BAND_PATHS;
        for picture in 1..=2 * each {
            stage.walk_paths(&all);
            assert_eq!(stage.ways.known.len(), picture.min(each));
        }
        stage.walk_paths(&Selection::new());
        assert!(stage.ways.known.is_empty());
    }
}
