//! Tiles of one cost, settled in units of it.
//!
//! On ground of one cost c every step costs c times as much as at cost 1. So if the
//! values around a tile differ by multiples of c, they are divided by it, the tile is
//! settled as one of cost 1 in narrow lanes, and its values are multiplied:
//!
//! ```text
//!   cost 4:  values around  80  100  128   in units above the lowest  0  5  12
//!                                          a cell is settled to         7
//!            its value      80 + 4 · 7 = 108
//! ```
//!
//! Where paths over ground of other costs meet, values differ by other numbers. Such a
//! tile is settled at its real costs.

use super::ground::Ground;
use super::halo::{Borders, Halo, Seed, Settling, SideValues, Wake};
use super::lanes::Words;
use crate::cost::Cost;

/// Settles a tile on ground of one cost above 1, by the kernel for real costs.
#[inline(never)]
pub(super) fn settle(
    ground: Ground<'_>,
    cost: Cost,
    tile: Settling<'_>,
    settle_as_it_is: impl Fn(Ground<'_>, Settling<'_>) -> Wake,
) -> Wake {
    let Some(units) = InUnits::of(&tile, cost) else {
        return settle_as_it_is(Ground::Costs(&ground.costs()), tile);
    };
    let ground = match ground {
        Ground::Walls(walls, _) => Ground::Walls(walls, Cost::OPEN),
        _ => Ground::Clear(Cost::OPEN),
    };
    let in_units = Settling {
        halo: units.halo(),
        seeds: &units.seeds,
        flow: tile.flow,
        borders: tile.borders,
    };
    let wake = settle_as_it_is(ground, in_units);
    units.scale_back(tile.borders);
    wake
}

/// The values around and in a tile, in units of its cost.
struct InUnits {
    sides: [SideValues; 4],
    corners: [u32; 4],
    seeds: Vec<Seed>,
    lowest: u32,
    cost: u8,
}

impl InUnits {
    /// Returns the values in units; `None` if they differ by other numbers, or lie too
    /// far apart.
    fn of(tile: &Settling<'_>, cost: Cost) -> Option<Self> {
        let cost = cost.value();
        let seeds = tile.seeds.iter().map(|seed| seed.value);
        let lowest = seeds.fold(tile.halo.lowest(), u32::min);
        let (mut are_right, mut seeds) = (true, tile.seeds.to_vec());
        for seed in &mut seeds {
            let ([units, ..], is_right) = Words::divided([seed.value; 12], lowest, cost);
            seed.value = units;
            are_right &= is_right;
        }
        let [ne, se, sw, nw] = tile.halo.corners;
        let corners = [ne, se, sw, nw, ne, se, sw, nw, ne, se, sw, nw];
        let ([ne, se, sw, nw, ..], corners_are_right) = Words::divided(corners, lowest, cost);
        are_right &= corners_are_right;
        // Not by a closure over all four, which the compiler would not inline.
        let [north, east, south, west] = tile.halo.sides;
        let (north, is_right) = divided(north, lowest, cost);
        are_right &= is_right;
        let (east, is_right) = divided(east, lowest, cost);
        are_right &= is_right;
        let (south, is_right) = divided(south, lowest, cost);
        are_right &= is_right;
        let (west, is_right) = divided(west, lowest, cost);
        are_right &= is_right;
        are_right.then_some(Self {
            sides: [north, east, south, west],
            corners: [ne, se, sw, nw],
            seeds,
            lowest,
            cost,
        })
    }

    fn halo(&self) -> Halo<'_> {
        Halo {
            sides: self.sides.each_ref(),
            corners: self.corners,
        }
    }

    /// Turns a settled tile's borders into values.
    fn scale_back(&self, borders: &mut Borders) {
        for side in &mut borders.sides {
            let values = Words::multiplied(side.lanes(), self.lowest, self.cost);
            *side = SideValues::of_lanes(values);
        }
    }
}

#[inline(always)]
fn divided(side: &SideValues, lowest: u32, cost: u8) -> (SideValues, bool) {
    let (lanes, is_right) = Words::divided(side.lanes(), lowest, cost);
    (SideValues::of_lanes(lanes), is_right)
}
