//! A* on cells, without any preparation.

use std::time::Duration;

use flowtiles::Cell;
use flowtiles_peers::clock;

use crate::engine::Engine;
use crate::ground::Ground;
use crate::plain::Astar;

pub struct Flat(Astar);

impl Engine for Flat {
    type Order = Vec<Cell>;
    type Probe = ();

    fn build(ground: &Ground) -> Result<(Self, Duration), String> {
        let (search, time) = clock::on_thread(|| Astar::new(ground));
        Ok((Self(search), time))
    }

    fn order(&mut self, from: Cell, to: Cell) -> Option<Vec<Cell>> {
        self.0.find(from, to)
    }

    fn walk(&self, order: &Vec<Cell>, _from: Cell, _to: Cell) -> Result<Vec<Cell>, String> {
        Ok(order.clone())
    }

    fn edit(&mut self, cell: Cell, cost: u8) {
        self.0.edit(cell, cost);
    }
}
