//! The demo's picture: the country, and what happened on it.

use flowtiles::{Cell, CellRect, SECTOR_SIDE, Sector};
use flowtiles_country::Colour;
use flowtiles_country::armies::{Army, CAMP};
use flowtiles_country::daylight::{daylight, water};
use flowtiles_country::landscape::{HEIGHT, Landscape, WIDTH};
use flowtiles_country::picture::{Picture, lit};
use flowtiles_country::raster::Raster;

/// The colour of outlines.
const OUTLINE: Colour = [24, 20, 16];
/// Trails have an outline where at least this many units walked.
const OUTLINED_FROM: u16 = 24;

/// What the picture shows.
pub struct DemoPicture<'a> {
    /// The country.
    pub land: &'a Landscape,
    /// The armies that marched.
    pub armies: &'a [Army],
    /// The sectors that each army's order had loaded before the bridge fell,
    /// and at the end.
    pub loaded: [&'a [Vec<Sector>]; 2],
    /// How often each cell was walked over, by army.
    pub trails: &'a [Raster<u16>],
    /// The bridge that fell.
    pub fallen: Option<CellRect>,
}

impl DemoPicture<'_> {
    /// Paints it.
    pub fn paint(&self) -> Picture {
        let mut picture = daylight(self.land, CellRect::new(0, 0, WIDTH as u32, HEIGHT as u32));
        for (number, army) in self.armies.iter().enumerate() {
            let loaded = self.loaded.iter();
            let mut sectors: Vec<Sector> =
                loaded.flat_map(|by_army| by_army[number].clone()).collect();
            sectors.sort_unstable();
            sectors.dedup();
            tint(&mut picture, &sectors, army.colour);
        }
        for (army, trail) in self.armies.iter().zip(self.trails) {
            draw_trail(&mut picture, trail, army.colour);
        }
        for army in self.armies {
            draw_camps(&mut picture, army);
        }
        for army in self.armies {
            draw_goal(&mut picture, army);
        }
        if let Some(deck) = self.fallen {
            mark_fall(&mut picture, self.land, deck);
        }
        picture
    }
}

/// Lightens loaded sectors, with a thin line around them.
fn tint(picture: &mut Picture, sectors: &[Sector], colour: Colour) {
    for sector in sectors {
        let (x, y) = (sector.x * SECTOR_SIDE, sector.y * SECTOR_SIDE);
        let side = SECTOR_SIDE as u32;
        for cell in CellRect::new(x, y, side, side).cells() {
            picture.lay(cell, [255, 255, 240], 46);
            picture.lay(cell, colour, 22);
        }
        let beside = |dx: i32, dy: i32| {
            let near = Sector::new(sector.x + dx, sector.y + dy);
            sectors.binary_search(&near).is_ok()
        };
        let edges = [
            (beside(0, -1), CellRect::new(x, y, side, 1)),
            (beside(0, 1), CellRect::new(x, y + SECTOR_SIDE - 1, side, 1)),
            (beside(-1, 0), CellRect::new(x, y, 1, side)),
            (beside(1, 0), CellRect::new(x + SECTOR_SIDE - 1, y, 1, side)),
        ];
        for (joined, edge) in edges {
            let (line, strength) = if joined { ([0; 3], 18) } else { (colour, 120) };
            for cell in edge.cells() {
                picture.lay(cell, line, strength);
            }
        }
    }
}

/// Draws an army's trail with a dark outline, wider and more opaque where more units
/// walked.
fn draw_trail(picture: &mut Picture, trail: &Raster<u16>, colour: Colour) {
    let width = |walked: u16| match walked {
        ..OUTLINED_FROM => 0,
        OUTLINED_FROM..120 => 1,
        _ => 2,
    };
    for cell in trail.cells() {
        let walked = trail[cell];
        if walked >= OUTLINED_FROM {
            picture.disc(cell, width(walked) + 1, lit(colour, -150), 28);
        }
    }
    for cell in trail.cells() {
        let walked = trail[cell];
        if walked > 0 {
            let strength = (110 + 14 * walked.ilog2()).min(250);
            picture.disc(cell, width(walked), colour, strength as u8);
        }
    }
}

/// Draws the camps and the units in them.
fn draw_camps(picture: &mut Picture, army: &Army) {
    for &camp in &army.camps {
        picture.disc(camp, CAMP + 3, army.colour, 50);
        picture.ring(camp, CAMP + 4, 2, OUTLINE, 170);
        picture.ring(camp, CAMP + 3, 2, army.colour, 255);
    }
    for &unit in &army.units {
        picture.lay(unit, lit(army.colour, 40), 255);
    }
}

/// Draws rings around the army's goal.
fn draw_goal(picture: &mut Picture, army: &Army) {
    picture.ring(army.home, 34, 3, OUTLINE, 160);
    picture.ring(army.home, 33, 3, army.colour, 255);
    picture.disc(army.home, 8, OUTLINE, 200);
    picture.disc(army.home, 7, [255; 3], 255);
    picture.disc(army.home, 5, army.colour, 255);
}

/// Draws the water where the bridge was, and a ring around it.
fn mark_fall(picture: &mut Picture, land: &Landscape, deck: CellRect) {
    for cell in deck.cells() {
        picture.lay(cell, water(land.shore[cell]), 255);
    }
    let centre = Cell::new(
        deck.x + deck.width as i32 / 2,
        deck.y + deck.height as i32 / 2,
    );
    picture.ring(centre, 23, 5, OUTLINE, 200);
    picture.ring(centre, 22, 3, [255, 255, 255], 255);
    for reach in -16..=16 {
        for thick in -2..=2 {
            let stroke = if thick == -2 || thick == 2 {
                OUTLINE
            } else {
                [255, 40, 40]
            };
            picture.lay(
                Cell::new(centre.x + reach + thick, centre.y + reach),
                stroke,
                235,
            );
            picture.lay(
                Cell::new(centre.x + reach + thick, centre.y - reach),
                stroke,
                235,
            );
        }
    }
}
