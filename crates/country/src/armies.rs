//! Armies in a drawn country: camps of units, and the town to which each army goes.

use flowtiles::{Cell, FlowWorld};

use crate::landscape::{HEIGHT, Landscape, WIDTH};
use crate::random::Random;
use crate::raster::square_distance;
use crate::{BANNERS, Colour};

/// Colours of the armies: red, violet, gold.
const COLOURS: [Colour; 3] = [BANNERS[1], BANNERS[3], BANNERS[2]];
/// Camps of an army.
const CAMPS: usize = 4;
/// Units in a camp.
const UNITS: usize = 250;
/// The least distance of a camp from the army's home, in cells.
const FAR: i32 = 380;
/// Radius of a camp.
pub const CAMP: i32 = 15;

/// Units in several camps with the same home.
pub struct Army {
    /// Its colour.
    pub colour: Colour,
    /// The town square to which it is ordered.
    pub home: Cell,
    /// Middles of its camps.
    pub camps: Vec<Cell>,
    /// The cells of its units.
    pub units: Vec<Cell>,
}

/// Draws the armies: homes in the first towns, camps far from home and far
/// from each other.
pub fn muster(land: &Landscape, world: &FlowWorld, random: &mut Random) -> Vec<Army> {
    let mut armies: Vec<Army> = Vec::new();
    for (&colour, town) in COLOURS.iter().zip(&land.towns) {
        let mut army = Army {
            colour,
            home: town.square,
            camps: Vec::new(),
            units: Vec::new(),
        };
        for _ in 0..CAMPS {
            let sites = (0..200).map(|_| {
                let margin = CAMP + 5;
                Cell::new(
                    random.between(margin, WIDTH - margin),
                    random.between(margin, HEIGHT - margin),
                )
            });
            let taken: Vec<Cell> = armies.iter().chain([&army]).flat_map(occupied).collect();
            let apart = |site: Cell| {
                let distances = taken.iter().map(|other| square_distance(*other, site));
                distances.min().unwrap_or(i32::MAX)
            };
            let far = |site: &Cell| {
                square_distance(*site, army.home) >= FAR * FAR && world.reachable(*site, army.home)
            };
            let Some(camp) = sites.filter(far).max_by_key(|&site| (apart(site), site)) else {
                continue;
            };
            let units = camp_units(world, camp, random);
            army.camps.push(camp);
            army.units.extend(units);
        }
        armies.push(army);
    }
    armies
}

fn occupied(army: &Army) -> impl Iterator<Item = Cell> {
    army.camps.iter().copied().chain([army.home])
}

/// Cells in a disc around the camp's middle, on ground from which the middle can
/// be reached.
fn camp_units(world: &FlowWorld, camp: Cell, random: &mut Random) -> Vec<Cell> {
    let mut units = Vec::with_capacity(UNITS);
    // The middle itself is the fallback, so the number of draws is limited.
    for _ in 0..UNITS * 20 {
        let cell = Cell::new(
            camp.x + random.between(-CAMP, CAMP + 1),
            camp.y + random.between(-CAMP, CAMP + 1),
        );
        if units.len() < UNITS
            && square_distance(cell, camp) <= CAMP * CAMP
            && world.reachable(cell, camp)
        {
            units.push(cell);
        }
    }
    units.resize(UNITS, camp);
    units
}
