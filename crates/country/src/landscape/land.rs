//! The country as data: the ground of each cell, its towns and its bridges.

use flowtiles::error::CostMapError;
use flowtiles::{Cell, CellRect, CostMap};

use super::ground::Ground;
use crate::raster::Raster;

/// Columns of the country.
pub const WIDTH: i32 = 1200;
/// Rows of the country.
pub const HEIGHT: i32 = 1000;

/// A country, cell by cell.
#[derive(Clone)]
pub struct Landscape {
    /// The ground of each cell.
    pub ground: Raster<Ground>,
    /// The height of each cell, 0..65536, for shading.
    pub heights: Raster<i32>,
    /// Distance to the nearest shore in sixteenths of a cell; below 0 in the
    /// water.
    pub shore: Raster<i32>,
    /// The towns.
    pub towns: Vec<Town>,
    /// The part of each bridge that is over water along its whole width.
    pub decks: Vec<CellRect>,
}

impl Landscape {
    /// Its costs, for the engine.
    ///
    /// # Errors
    /// Never for a country drawn here, though the engine checks it.
    pub fn costs(&self) -> Result<CostMap, CostMapError> {
        let rows: Vec<u8> = self.ground.iter().map(|ground| ground.cost()).collect();
        CostMap::from_rows(WIDTH as u32, HEIGHT as u32, &rows)
    }

    /// Makes road of the land around a cell.
    pub(super) fn pave(&mut self, cell: Cell) {
        for (cell, _) in self.ground.disc(cell, 2) {
            if !matches!(self.ground[cell], Ground::Water | Ground::Bridge) {
                self.ground[cell] = Ground::Road;
            }
        }
    }
}

/// A walled town with a square in its middle.
#[derive(Clone, Copy, Debug)]
pub struct Town {
    /// The middle of the market square, which is open.
    pub square: Cell,
}
