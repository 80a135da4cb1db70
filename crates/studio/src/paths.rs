//! Paths, found by following the directions without moving any unit.

use std::collections::BTreeSet;

use flowtiles::steer::{Unit, UnitState};
use flowtiles::{Cell, FlowWorld, Order, Sample};
use flowtiles_inspector::UnitPath;

/// The most paths drawn for a band.
pub const BAND_PATHS: usize = 8;
/// The most paths drawn for the inquiry.
pub const INQUIRY_PATHS: usize = 60;
/// The most steps of all paths together.
const STEPS_MAX: usize = 120_000;

/// Returns the units of a band whose paths are drawn, spread over all that have not arrived.
/// They stay the same from tick to tick, until one arrives or is removed.
pub fn followed<'a>(units: impl Iterator<Item = &'a Unit>) -> Vec<&'a Unit> {
    let units = units.filter(|unit| unit.state != UnitState::Arrived);
    let mut units: Vec<&Unit> = units.collect();
    // Multiples of the golden ratio lie spread, and no two numbers at one place.
    let place = |unit: &&Unit| unit.id.wrapping_mul(0x9E37_79B9);
    if units.len() > BAND_PATHS {
        units.select_nth_unstable_by_key(BAND_PATHS, place);
        units.truncate(BAND_PATHS);
    }
    units.sort_unstable_by_key(place);
    units
}

/// The paths of some units of all orders. From where two of an order have joined they are one,
/// and the first alone goes on.
pub struct Walks<'a> {
    world: &'a FlowWorld,
    steps: usize,
    /// The cells where the paths of the present order turn.
    turns: BTreeSet<(i32, i32)>,
    pub paths: Vec<UnitPath>,
}

impl<'a> Walks<'a> {
    /// Returns no paths.
    pub const fn new(world: &'a FlowWorld) -> Self {
        Self {
            world,
            steps: STEPS_MAX,
            turns: BTreeSet::new(),
            paths: Vec::new(),
        }
    }

    /// Adds the paths of some of an order's units, from their cells.
    pub fn walk_all(&mut self, order: &Order, cells: &[Cell], banner: u8) {
        self.turns.clear();
        for &cell in cells {
            self.walk(order, cell, banner);
        }
    }

    /// Adds a unit's path, by the cells where it turns, if it has one, up to where it joins
    /// another. A path through links is one for each part between them.
    fn walk(&mut self, order: &Order, from: Cell, banner: u8) {
        let mut points = vec![from.centre()];
        let (mut cell, mut last) = (from, None);
        while self.steps > 0 {
            self.steps -= 1;
            let sample = self.world.sample(order, cell);
            if let Some(direction) = sample.direction() {
                if last.is_some_and(|last| last != direction) {
                    if !self.turns.insert((cell.x, cell.y)) {
                        break;
                    }
                    points.push(cell.centre());
                }
                last = Some(direction);
                cell = cell.step(direction);
                continue;
            }
            let Some(end) = self.end_of(sample, cell) else {
                break;
            };
            let before = std::mem::replace(&mut points, vec![end.centre()]);
            self.add(order, before, cell, banner);
            (cell, last) = (end, None);
        }
        self.add(order, points, cell, banner);
    }

    /// Returns the cell to which a link leads that a unit enters.
    fn end_of(&self, sample: Sample, cell: Cell) -> Option<Cell> {
        match sample {
            Sample::Link(link) => self.world.link(link)?.end_of(cell),
            _ => None,
        }
    }

    /// Adds a path that ends in a cell, if it leads from one cell to another.
    fn add(&mut self, order: &Order, mut points: Vec<[f32; 2]>, to: Cell, banner: u8) {
        if points == [to.centre()] {
            return;
        }
        points.push(to.centre());
        self.paths.push(UnitPath {
            banner,
            points,
            thin: false,
            layer: order.goal().layer(),
        });
    }
}

#[cfg(test)]
mod tests {
    use flowtiles::{Budget, CellRect, Cost, CostMap, Link};

    use super::*;

    #[test]
    fn a_path_goes_on_behind_a_link() {
        let mut costs = CostMap::open(60, 40).unwrap();
        costs.edit(CellRect::new(30, 0, 2, 40), Cost::WALL).unwrap();
        let mut world = FlowWorld::new(costs);
        let (pad, end) = (Cell::new(20, 10), Cell::new(40, 30));
        world.add_link(Link::new(pad, end)).unwrap();
        let (unit, goal) = (Cell::new(5, 10), Cell::new(55, 30));
        let order = world.order(goal, &[unit, goal]).unwrap();
        while world.tick(Budget::UNLIMITED).waiting > 0 {}
        let mut walks = Walks::new(&world);
        walks.walk_all(&order, &[unit, goal], 3);
        let ends = |path: &UnitPath| [path.points[0], path.points[path.points.len() - 1]];
        let ends: Vec<[[f32; 2]; 2]> = walks.paths.iter().map(ends).collect();
        let expected = [[unit, pad], [end, goal]];
        assert_eq!(ends, expected.map(|ends| ends.map(Cell::centre)));
        assert_eq!(walks.paths[0].points.len(), 2, "it is straight");
    }

    #[test]
    fn a_path_ends_where_it_joins_another_of_its_order() {
        let mut costs = CostMap::open(60, 40).unwrap();
        costs.edit(CellRect::new(30, 0, 2, 30), Cost::WALL).unwrap();
        let mut world = FlowWorld::new(costs);
        let units = [Cell::new(5, 5), Cell::new(3, 20), Cell::new(12, 9)];
        let goal = Cell::new(55, 5);
        let orders = [(); 2].map(|()| world.order(goal, &units).unwrap());
        while world.tick(Budget::UNLIMITED).waiting > 0 {}
        let mut walks = Walks::new(&world);
        for order in &orders {
            walks.walk_all(order, &units, 3);
        }
        for paths in walks.paths.chunks(3) {
            let starts = [0, 1, 2].map(|path: usize| paths[path].points[0]);
            let ends = [0, 1, 2].map(|path: usize| paths[path].points.last());
            assert_eq!(starts, units.map(Cell::centre));
            assert_eq!(ends[0], Some(&goal.centre()));
            let first = &paths[0].points;
            assert!(ends[1..].iter().all(|end| *end != Some(&goal.centre())));
            assert!(first.contains(ends[1].unwrap()), "{paths:?}");
            assert!(first.contains(ends[2].unwrap()), "{paths:?}");
        }
    }
}
