//! Paths, found by following the directions without moving any unit.

use flowtiles::{Cell, FlowWorld, Order};
use flowtiles_inspector::UnitPath;

/// The most paths drawn for a band.
const BAND_PATHS: usize = 8;
/// The most paths drawn for the inquiry.
const INQUIRY_PATHS: usize = 60;
/// The most steps of all paths together.
const STEPS_MAX: usize = 120_000;

/// The paths of some units of all orders.
pub struct Walks<'a> {
    world: &'a FlowWorld,
    steps: usize,
    pub paths: Vec<UnitPath>,
}

impl<'a> Walks<'a> {
    /// Returns no paths.
    pub const fn new(world: &'a FlowWorld) -> Self {
        Self {
            world,
            steps: STEPS_MAX,
            paths: Vec::new(),
        }
    }

    /// Adds the paths of some of a band's units.
    pub fn band(&mut self, order: &Order, cells: &[Cell], banner: u8) {
        let every = (cells.len() / BAND_PATHS).max(1);
        for &cell in cells.iter().step_by(every).take(BAND_PATHS) {
            self.walk(order, cell, banner);
        }
    }

    /// Adds the paths of the units that asked last.
    pub fn inquiry(&mut self, order: &Order, sources: &[Cell], banner: u8) {
        for &cell in sources.iter().rev().take(INQUIRY_PATHS) {
            self.walk(order, cell, banner);
        }
    }

    /// Adds a unit's path, as the cells where it turns, if it has one.
    fn walk(&mut self, order: &Order, from: Cell, banner: u8) {
        let mut cells = vec![from];
        let (mut cell, mut last) = (from, None);
        while let Some(direction) = self.world.sample(order, cell).direction() {
            if self.steps == 0 {
                break;
            }
            self.steps -= 1;
            if last.is_some_and(|last| last != direction) {
                cells.push(cell);
            }
            last = Some(direction);
            cell = cell.step(direction);
        }
        cells.push(cell);
        if cell != from {
            let layer = order.goal().layer();
            self.paths.push(UnitPath {
                banner,
                cells,
                layer,
            });
        }
    }
}
