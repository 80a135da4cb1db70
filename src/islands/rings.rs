//! The sectors around a sector, ring by ring.

use crate::grid::{CellRect, Extent, SECTOR_SIDE, Sector, SectorId};
use crate::kernel::octile;

/// A cursor over a map's sectors around one of them, in rings by the number of
/// king's moves, the nearest ring first.
///
/// ```text
///   2 2 2 2 2      each ring has four sides, of which the part
///   2 1 1 1 2      on the map is visited
///   2 1 0 1 2
/// ```
#[derive(Clone, Debug)]
pub(crate) struct Rings {
    around: Sector,
    ring: i32,
    /// The side being visited, and the number of its sectors visited so far.
    side: u32,
    at: u32,
}

const SIDES: u32 = 4;

impl Rings {
    pub(crate) const fn new(around: Sector) -> Self {
        Self {
            around,
            ring: 0,
            side: 0,
            at: 0,
        }
    }

    /// Returns the number of rings visited.
    pub(super) const fn done(&self) -> i32 {
        self.ring
    }

    /// Whether any sector has been visited.
    pub(super) const fn is_begun(&self) -> bool {
        self.ring > 0 || self.at > 0
    }

    /// Returns the least cost of a path over open ground from a cell of the
    /// middle sector to the present ring or a later one.
    pub(crate) fn price(&self) -> u64 {
        let away = ((self.ring - 1) * SECTOR_SIDE + 1).max(0);
        octile(away as u32, 0)
    }

    /// Whether any sector is left.
    pub(super) fn is_left(&self, extent: Extent) -> bool {
        self.ring <= self.last(extent)
    }

    /// Returns the next sector; `None` if none is left.
    pub(crate) fn next(&mut self, extent: Extent) -> Option<SectorId> {
        if !self.is_left(extent) {
            return None;
        }
        let side = self.side(extent);
        let (x, y) = (self.at % side.width, self.at / side.width);
        self.at += 1;
        self.pass_sides(extent);
        extent.sector_id(Sector::new(side.x + x as i32, side.y + y as i32))
    }

    /// Moves on to the next side on which a sector is left.
    fn pass_sides(&mut self, extent: Extent) {
        while self.is_left(extent) && self.is_through(extent) {
            self.at = 0;
            self.side += 1;
            if self.side == SIDES {
                self.side = 0;
                self.ring += 1;
            }
        }
    }

    /// Returns the ring of the farthest sector of the map.
    fn last(&self, extent: Extent) -> i32 {
        let Sector { x, y } = self.around;
        x.max(extent.columns() - 1 - x)
            .max(y)
            .max(extent.rows() - 1 - y)
    }

    fn is_through(&self, extent: Extent) -> bool {
        let side = self.side(extent);
        self.at >= side.width * side.height
    }

    /// Returns the part of the present side that lies on the map.
    fn side(&self, extent: Extent) -> CellRect {
        let (Sector { x, y }, ring) = (self.around, self.ring);
        let whole = 2 * ring as u32 + 1;
        let (inner, is_ring) = (whole.saturating_sub(2), u32::from(ring > 0));
        let side = match self.side {
            0 => CellRect::new(x - ring, y - ring, whole, 1),
            1 => CellRect::new(x - ring, y + ring, whole, is_ring),
            2 => CellRect::new(x - ring, y - ring + 1, 1, inner * is_ring),
            _ => CellRect::new(x + ring, y - ring + 1, 1, inner * is_ring),
        };
        let (columns, rows) = (extent.columns() as u32, extent.rows() as u32);
        side.intersection(CellRect::new(0, 0, columns, rows))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_hold_every_sector_once_and_the_nearer_first() {
        for (width, height, x, y) in [(1, 1, 0, 0), (35, 78, 1, 7), (90, 90, 4, 4), (300, 5, 0, 0)]
        {
            let extent = Extent::new(width, height).unwrap();
            let mut rings = Rings::new(Sector::new(x, y));
            assert!(!rings.is_begun());
            let mut visited = Vec::new();
            loop {
                let ring = rings.done();
                let Some(id) = rings.next(extent) else { break };
                let sector = extent.sector(id);
                let away = (sector.x - x).abs().max((sector.y - y).abs());
                assert_eq!(away, ring, "{sector} around {x}, {y}");
                visited.push(id);
            }
            assert_eq!(rings.done(), rings.last(extent) + 1);
            visited.sort_unstable();
            assert!(visited.into_iter().eq(extent.sectors()));
        }
    }
}
