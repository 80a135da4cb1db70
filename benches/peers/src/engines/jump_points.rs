//! The crate `grid_pathfinding`: jump point search.

use std::time::Duration;

use flowtiles::Cell;
use flowtiles_peers::clock;
use grid_pathfinding::PathingGrid;
use grid_util::grid::ValueGrid;
use grid_util::point::Point;

use crate::engine::Engine;
use crate::ground::{Ground, WALL};

pub struct JumpPoints(PathingGrid);

fn point(cell: Cell) -> Point {
    Point::new(cell.x, cell.y)
}

impl Engine for JumpPoints {
    type Order = Vec<Point>;
    type Probe = ();

    fn build(ground: &Ground) -> Result<(Self, Duration), String> {
        if ground.is_weighted() {
            return Err("knows no costs".into());
        }
        let mut grid = PathingGrid::new(ground.width as usize, ground.height as usize, false);
        for (place, &cost) in ground.costs.iter().enumerate() {
            let cell = ground.cell(place);
            grid.grid.set(cell.x, cell.y, cost == WALL);
        }
        let ((), time) = clock::on_thread(|| {
            grid.initialize();
            grid.generate_components();
        });
        Ok((Self(grid), time))
    }

    fn order(&mut self, from: Cell, to: Cell) -> Option<Vec<Point>> {
        self.0.get_path_single_goal(point(from), point(to), false)
    }

    fn walk(&self, order: &Vec<Point>, _from: Cell, _to: Cell) -> Result<Vec<Cell>, String> {
        Ok(order.iter().map(|at| Cell::new(at.x, at.y)).collect())
    }

    fn edit(&mut self, cell: Cell, cost: u8) {
        self.0.set(cell.x, cell.y, cost == WALL);
        self.0.update();
    }
}
