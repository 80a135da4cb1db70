//! A very large country, drawn sector by sector whenever its costs are read.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flowtiles::build::{CostSource, SectorCosts};
use flowtiles::{Cost, SECTOR_SIDE, Sector};

use flowtiles_country::random::hash;

/// A drawn country of any size that is never stored: the costs of a sector are
/// computed whenever they are read.
///
/// Open ground with lakes, woods that are dear in their depth and full of trees
/// at their edge, and square towns with walls and gates. About three sectors of
/// four are open ground.
#[derive(Clone)]
pub struct LargeCountry {
    side: u32,
    seed: u64,
    reads: Arc<AtomicU64>,
}

/// The greatest height.
const TOP: i32 = 1 << 16;
/// Lower ground is a lake.
const SHORE: i32 = 20_000;
/// Above the first value a wood begins; above the second it is deep.
const WOOD: i32 = 43_000;
const DEEP_WOOD: i32 = 46_000;
/// The distance between towns in sectors, and the positions of a town's walls and
/// gates.
const TOWNS: i32 = 97;
const TOWN: [i32; 2] = [40, 56];
const GATE: i32 = 48;

/// The numbers of the drawn fields.
const HEIGHT: u64 = 1;
const WOODS: u64 = 2;

impl LargeCountry {
    pub fn new(side: u32, seed: u64) -> Self {
        Self {
            side,
            seed,
            reads: Arc::default(),
        }
    }

    /// Returns how many sectors were read, by this and its clones.
    pub fn reads(&self) -> u64 {
        self.reads.load(Ordering::Relaxed)
    }

    /// Returns a field's values at the four corners of a sector.
    fn corners(&self, field: u64, Sector { x, y }: Sector) -> [i32; 4] {
        [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)].map(|(x, y)| self.field(field, x, y))
    }

    /// A smooth field, 0 to [`TOP`], by sectors: two grids, the coarser twice as
    /// strong.
    fn field(&self, field: u64, x: i32, y: i32) -> i32 {
        (2 * self.blended(field, x, y, 40) + self.blended(field + 16, x, y, 11)) / 3
    }

    fn blended(&self, field: u64, x: i32, y: i32, grid: i32) -> i32 {
        let (column, row) = (x.div_euclid(grid), y.div_euclid(grid));
        let [right, down] = [x, y].map(|at| i64::from(at.rem_euclid(grid)));
        let corner = |dx: i32, dy: i32| {
            let place = ((column + dx) as u32 as u64) << 32 | (row + dy) as u32 as u64;
            (hash(hash(self.seed ^ field << 8) ^ place) >> 48) as i64
        };
        let grid = i64::from(grid);
        let mix = |from: i64, to: i64, part: i64| from + (to - from) * part / grid;
        let north = mix(corner(0, 0), corner(1, 0), right);
        mix(north, mix(corner(0, 1), corner(1, 1), right), down) as i32
    }

    /// The ground of a sector that is neither all water nor all open.
    fn mixed_ground(&self, sector: Sector, height: [i32; 4], woods: [i32; 4]) -> [u8; 100] {
        std::array::from_fn(|slot| {
            let [x, y] = [slot % 10, slot / 10].map(|at| at as i32);
            let grain = self.grain(sector, slot);
            if inside(height, x, y) < SHORE {
                return Cost::WALL.value();
            }
            match inside(woods, x, y) {
                ..WOOD => 1,
                DEEP_WOOD.. => 3,
                _ if grain.is_multiple_of(7) => Cost::WALL.value(),
                _ => 2,
            }
        })
    }

    /// Returns a random number of a cell.
    fn grain(&self, sector: Sector, slot: usize) -> u64 {
        let place = (sector.x as u64) << 40 | (sector.y as u64) << 8 | slot as u64;
        hash(self.seed ^ place) >> 32
    }
}

/// Interpolates between the values at a sector's corners.
fn inside(corners: [i32; 4], x: i32, y: i32) -> i32 {
    let mix = |from: i32, to: i32, part: i32| from + (to - from) * part / SECTOR_SIDE;
    let [nw, ne, sw, se] = corners;
    mix(mix(nw, ne, x), mix(sw, se, x), y)
}

/// Whether a town's wall runs through a sector from north to south, and from
/// west to east.
fn town_walls(Sector { x, y }: Sector) -> [bool; 2] {
    let [x, y] = [x, y].map(|at| at.rem_euclid(TOWNS));
    let wall = |at: i32, along: i32| {
        TOWN.contains(&at) && (TOWN[0]..=TOWN[1]).contains(&along) && along != GATE
    };
    [wall(x, y), wall(y, x)]
}

impl CostSource for LargeCountry {
    fn size(&self) -> (u32, u32) {
        (self.side, self.side)
    }

    fn sector(&self, sector: Sector) -> SectorCosts {
        self.reads.fetch_add(1, Ordering::Relaxed);
        let [height, woods] = [HEIGHT, WOODS].map(|field| self.corners(field, sector));
        let (low, high) = (
            |corners: [i32; 4]| corners.into_iter().min().unwrap_or(0),
            |corners: [i32; 4]| corners.into_iter().max().unwrap_or(TOP),
        );
        if high(height) < SHORE {
            return SectorCosts::WALLS;
        }
        let walls = town_walls(sector);
        let dry = low(height) >= SHORE;
        if dry && walls == [false; 2] {
            if high(woods) < WOOD {
                return SectorCosts::OPEN;
            }
            if low(woods) >= DEEP_WOOD
                && let Ok(cost) = Cost::new(3)
            {
                return SectorCosts::Even(cost);
            }
        }
        let mut costs = self.mixed_ground(sector, height, woods);
        for along in 0..10 {
            if walls[0] {
                costs[along * 10 + 4] = Cost::WALL.value();
            }
            if walls[1] {
                costs[40 + along] = Cost::WALL.value();
            }
        }
        SectorCosts::Cells(costs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn country_is_mostly_open_and_has_every_ground() {
        let country = LargeCountry::new(4000, 5);
        let mut counts = [0; 4];
        for at in 0..160_000 {
            let sector = Sector::new(at % 400, at / 400);
            let costs = country.sector(sector);
            assert_eq!(costs, country.sector(sector), "the same answer always");
            counts[match costs {
                SectorCosts::OPEN => 0,
                SectorCosts::WALLS => 1,
                SectorCosts::Even(_) => 2,
                SectorCosts::Cells(_) => 3,
            }] += 1;
        }
        let [open, lakes, woods, mixed] = counts.map(|count| count as f64 / 160_000.0);
        assert!((0.5..0.9).contains(&open), "{counts:?}");
        assert!(
            lakes > 0.01 && woods > 0.01 && (0.05..0.3).contains(&mixed),
            "{counts:?}"
        );
        assert_eq!(country.reads(), 320_000);
    }
}
