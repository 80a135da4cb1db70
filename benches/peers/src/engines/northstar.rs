//! The crate `bevy_northstar`.

use std::time::Duration;

use bevy_math::UVec3;
use bevy_northstar::prelude::{
    GridSettingsBuilder, Nav, OrdinalGrid, PathfindArgs, filter::NoCornerCutting,
};
use flowtiles::Cell;
use flowtiles_peers::clock;

use crate::engine::Engine;
use crate::ground::{Ground, WALL};

pub struct Northstar<const CHUNK: u32>(OrdinalGrid);

const fn position(cell: Cell) -> UVec3 {
    UVec3::new(cell.x as u32, cell.y as u32, 0)
}

fn nav(cost: u8) -> Nav {
    if cost == WALL {
        Nav::Impassable
    } else {
        Nav::Passable(u32::from(cost))
    }
}

impl<const CHUNK: u32> Engine for Northstar<CHUNK> {
    type Order = bevy_northstar::path::Path;
    type Probe = ();
    const THREADS: bool = true;

    fn build(ground: &Ground) -> Result<(Self, Duration), String> {
        let (width, height) = (ground.width as u32, ground.height as u32);
        let settings = GridSettingsBuilder::new_2d(width, height)
            .chunk_size(CHUNK)
            .add_neighbor_filter(NoCornerCutting)
            .build();
        let mut grid = OrdinalGrid::new(&settings);
        for (place, &cost) in ground.costs.iter().enumerate() {
            grid.set_nav(position(ground.cell(place)), nav(cost));
        }
        let ((), time) = clock::on_all_threads(|| grid.build());
        Ok((Self(grid), time))
    }

    fn order(&mut self, from: Cell, to: Cell) -> Option<Self::Order> {
        self.0
            .pathfind(&mut PathfindArgs::new(position(from), position(to)))
    }

    fn walk(&self, order: &Self::Order, from: Cell, _to: Cell) -> Result<Vec<Cell>, String> {
        let mut path = order.clone();
        let mut way = vec![from];
        while let Some(next) = path.pop() {
            let cell = Cell::new(next.x as i32, next.y as i32);
            if cell != from {
                way.push(cell);
            }
        }
        Ok(way)
    }

    fn edit(&mut self, cell: Cell, cost: u8) {
        self.0.set_nav(position(cell), nav(cost));
        self.0.build();
    }
}
