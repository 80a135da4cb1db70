//! A drawn country for the demo: rivers, bridges, woods, swamp, hills, towns
//! and roads, all from one seed.
//!
//! ```text
//!   noise ──▶ heights, moisture          what the land is like
//!   rivers ──▶ distance to a shore       where water cuts it
//!   ground from both ──▶ towns ──▶ roads ──▶ bridges where a road meets water
//! ```
//!
//! Only whole numbers decide, so a seed draws the same country on every
//! machine. The engine sees nothing of this but costs.

mod bridges;
mod ground;
mod land;
mod noise;
mod rivers;
mod roads;
mod towns;

pub use ground::Ground;
pub use land::{HEIGHT, Landscape, Town, WIDTH};

use crate::random::Random;
use crate::raster::Raster;
pub use noise::Noise;
use rivers::Rivers;

/// How far from a shore the ground is lowered, in sixteenths of a cell.
const VALLEY: i32 = 84 * 16;

impl Landscape {
    /// Draws the country of a seed.
    pub fn draw(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let noise = Noise::new(random.next());
        let rivers = Rivers::draw(WIDTH, HEIGHT, &mut random);
        let shore = rivers.shore_distances(WIDTH, HEIGHT);
        let heights = Raster::from_cells(WIDTH, HEIGHT, |cell| {
            lowered(noise.height(cell), shore[cell])
        });
        let streams = rivers.streams(WIDTH, HEIGHT);
        let ground = Raster::from_cells(WIDTH, HEIGHT, |cell| {
            ground::natural(&noise, cell, heights[cell], shore[cell], streams[cell])
        });
        let mut land = Self {
            ground,
            heights,
            shore,
            towns: Vec::new(),
            decks: Vec::new(),
        };
        towns::found(&mut land, &noise, &mut random);
        let ways = roads::plan(&land, &noise);
        for way in &ways {
            roads::pave(&mut land, way);
        }
        bridges::add_spare(&mut land, &rivers);
        land
    }
}

/// Lowers the ground toward the rivers, so that they run in valleys.
fn lowered(height: i32, shore: i32) -> i32 {
    const FLOOR: i32 = 20_000;
    // From 0 at the shore to 256 at the valley's rim, slow at both ends.
    let part = i64::from(shore.clamp(0, VALLEY) * 256 / VALLEY);
    let eased = part * part * (3 * 256 - 2 * part);
    let rise = (i64::from(height - FLOOR) * eased) >> 24;
    FLOOR + rise as i32
}

#[cfg(test)]
mod tests {
    use flowtiles::{Cost, FlowWorld};

    use super::*;

    #[test]
    fn a_seed_draws_the_same_country_again() {
        let (one, two) = (Landscape::draw(3), Landscape::draw(3));
        assert!(one.ground == two.ground && one.decks == two.decks);
    }

    #[test]
    fn every_country_is_connected_and_has_every_ground() {
        for seed in [1, 2, 8] {
            let land = Landscape::draw(seed);
            check_decks(&land, seed);
            check_ways(&land, seed);
            check_shares(&land, seed);
        }
    }

    /// Checks that a deck is bridge and nothing else.
    fn check_decks(land: &Landscape, seed: u64) {
        assert!(land.decks.len() >= 5, "seed {seed}");
        for deck in &land.decks {
            assert!(!deck.is_empty(), "seed {seed}");
            for cell in deck.cells() {
                assert_eq!(land.ground[cell], Ground::Bridge, "seed {seed}, {cell}");
            }
        }
    }

    /// Checks that every town is reached, whichever bridge falls.
    fn check_ways(land: &Landscape, seed: u64) {
        assert!(land.towns.len() >= 4, "seed {seed}");
        let mut world = FlowWorld::new(land.costs().unwrap());
        for &deck in &land.decks {
            world.edit(deck, Cost::WALL).unwrap();
            for two in land.towns.windows(2) {
                let joined = world.reachable(two[0].square, two[1].square);
                assert!(joined, "seed {seed} without {deck}");
            }
            world.edit(deck, Cost::OPEN).unwrap();
        }
    }

    fn check_shares(land: &Landscape, seed: u64) {
        let share = |wanted: &dyn Fn(Ground) -> bool| {
            let found = land.ground.iter().filter(|&&ground| wanted(ground)).count();
            found as f64 / f64::from(WIDTH * HEIGHT)
        };
        let open = share(&|ground| ground.cost() != Cost::WALL.value());
        assert!((0.5..0.9).contains(&open), "seed {seed}: {open}");
        for (wanted, least) in [
            (Ground::Wood, 0.03),
            (Ground::Swamp, 0.005),
            (Ground::Water, 0.02),
            (Ground::Road, 0.005),
        ] {
            let found = share(&|ground| ground == wanted);
            assert!(found > least, "seed {seed}: {found} of {wanted:?}");
        }
        assert!(share(&|ground| ground.cost() == 1) > 0.3, "seed {seed}");
    }
}
