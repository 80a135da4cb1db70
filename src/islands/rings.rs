//! Sectors outward from one, ring by ring.

use crate::grid::{Extent, Rect, SECTOR_SIDE, Sector, SectorId};
use crate::kernel::octile;

/// The sectors of a map around one of them, nearest first: in rings, as a king
/// moves.
///
/// ```text
///   2 2 2 2 2      each ring has four sides, of which only what lies on the
///   2 1 1 1 2      map is gone through
///   2 1 0 1 2
/// ```
#[derive(Clone, Debug)]
pub(super) struct Rings {
    around: Sector,
    ring: i32,
    /// The side gone through, and how much of it has been.
    side: u32,
    at: u32,
}

const SIDES: u32 = 4;

impl Rings {
    pub(super) const fn new(around: Sector) -> Self {
        Self {
            around,
            ring: 0,
            side: 0,
            at: 0,
        }
    }

    /// Goes past the rings before this one.
    pub(super) fn skip_to(&mut self, ring: i32, extent: Extent) {
        if ring > self.ring {
            (self.ring, self.side, self.at) = (ring, 0, 0);
            self.pass_sides(extent);
        }
    }

    /// The sector in the middle.
    pub(super) const fn around(&self) -> Sector {
        self.around
    }

    /// How many rings have been gone through.
    pub(super) const fn done(&self) -> i32 {
        self.ring
    }

    /// Whether any sector has been told.
    pub(super) const fn is_begun(&self) -> bool {
        self.ring > 0 || self.at > 0
    }

    /// What the way over open ground from a cell of the middle sector to any
    /// in the present ring, or a later one, costs at least.
    pub(super) fn price(&self) -> u64 {
        let away = ((self.ring - 1) * SECTOR_SIDE + 1).max(0);
        octile(away as u32, 0)
    }

    /// Whether there are more sectors.
    pub(super) fn is_left(&self, extent: Extent) -> bool {
        self.ring <= self.last(extent)
    }

    /// The next sector; `None` if there are no more.
    pub(super) fn next(&mut self, extent: Extent) -> Option<SectorId> {
        if !self.is_left(extent) {
            return None;
        }
        let side = self.side(extent);
        let (x, y) = (self.at % side.width, self.at / side.width);
        self.at += 1;
        self.pass_sides(extent);
        extent.sector_id(Sector::new(side.x + x as i32, side.y + y as i32))
    }

    /// Goes on to the next side of which anything is left.
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

    /// The ring in which the sector lies that is farthest off.
    fn last(&self, extent: Extent) -> i32 {
        let Sector { x, y } = self.around;
        let across = x.max(extent.columns() - 1 - x);
        across.max(y).max(extent.rows() - 1 - y)
    }

    fn is_through(&self, extent: Extent) -> bool {
        let side = self.side(extent);
        self.at >= side.width * side.height
    }

    /// What of the present side lies on the map.
    fn side(&self, extent: Extent) -> Rect {
        let (Sector { x, y }, ring) = (self.around, self.ring);
        let whole = 2 * ring as u32 + 1;
        let (inner, is_ring) = (whole.saturating_sub(2), u32::from(ring > 0));
        let side = match self.side {
            0 => Rect::new(x - ring, y - ring, whole, 1),
            1 => Rect::new(x - ring, y + ring, whole, is_ring),
            2 => Rect::new(x - ring, y - ring + 1, 1, inner * is_ring),
            _ => Rect::new(x + ring, y - ring + 1, 1, inner * is_ring),
        };
        let (columns, rows) = (extent.columns() as u32, extent.rows() as u32);
        side.intersection(Rect::new(0, 0, columns, rows))
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
            let mut told = Vec::new();
            loop {
                let ring = rings.done();
                let Some(id) = rings.next(extent) else { break };
                let sector = extent.sector(id);
                let away = (sector.x - x).abs().max((sector.y - y).abs());
                assert_eq!(away, ring, "{sector} around {x}, {y}");
                told.push(id);
            }
            assert_eq!(rings.done(), rings.last(extent) + 1);
            told.sort_unstable();
            assert!(told.into_iter().eq(extent.sectors()));
        }
    }
}
