//! A flow field over the whole map for each goal.

use std::time::{Duration, Instant};

use flowtiles::Cell;
use flowtiles_peers::clock;

use crate::engine::{Engine, Served, Spot, spots};
use crate::ground::Ground;
use crate::plain::{Field, Queue};

/// A field over the whole map, for the last goal.
pub struct Whole<Q> {
    field: Field<Q>,
    cells: usize,
}

impl<Q: Queue> Engine for Whole<Q> {
    type Order = ();
    type Probe = Spot;
    const EDITS: bool = false;

    fn build(ground: &Ground) -> Result<(Self, Duration), String> {
        let (field, time) = clock::on_thread(|| Field::new(ground));
        let cells = ground.costs.len();
        Ok((Self { field, cells }, time))
    }

    fn order(&mut self, from: Cell, to: Cell) -> Option<()> {
        self.field.lead_to(to);
        (from == to || self.field.step(from).is_some()).then_some(())
    }

    fn walk(&self, _order: &(), from: Cell, _to: Cell) -> Result<Vec<Cell>, String> {
        let mut way = vec![from];
        let mut unit = from;
        while let Some((dx, dy)) = self.field.step(unit) {
            unit = Cell::new(unit.x + dx, unit.y + dy);
            way.push(unit);
            if way.len() > self.cells {
                return Err("went in circles".into());
            }
        }
        Ok(way)
    }

    fn edit(&mut self, cell: Cell, cost: u8) {
        self.field.edit(cell, cost);
    }

    fn group(&mut self, goal: Cell, units: &[Cell], _until: Instant) -> Served {
        self.field.lead_to(goal);
        let led = |unit: &&Cell| **unit == goal || self.field.step(**unit).is_some();
        Served {
            tried: units.len(),
            answered: units.iter().filter(led).count(),
        }
    }

    fn probes(&self, _order: &(), way: &[Cell]) -> Vec<Spot> {
        spots(way)
    }

    fn look_up(&self, _order: &(), probe: &Spot) -> u32 {
        match self.field.step(probe.cell) {
            Some((dx, dy)) => (dx + 2 * dy + 3) as u32,
            None => 9,
        }
    }

    fn look_up_position(&self, _order: &(), probe: &Spot) -> u32 {
        let [x, y] = probe.position;
        let cell = Cell::new(x.floor() as i32, y.floor() as i32);
        match self.field.step(cell) {
            Some((dx, dy)) => (dx + 2 * dy + 3) as u32,
            None => 9,
        }
    }
}
