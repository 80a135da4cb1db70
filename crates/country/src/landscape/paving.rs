//! Paves single cells, for roads and for the ends of bridges.

use flowtiles::Cell;

use super::ground::Ground;
use super::land::Landscape;

/// Half of a road's width.
const HALF: i32 = 1;

/// Makes road of the land around a cell.
pub fn pave_at(land: &mut Landscape, cell: Cell) {
    for (cell, _) in land.ground.disc(cell, HALF + 1) {
        let ground = land.ground[cell];
        if !matches!(ground, Ground::Water | Ground::Bridge) {
            land.ground[cell] = Ground::Road;
        }
    }
}
