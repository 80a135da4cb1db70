//! The colours of the demo's picture: the country, and what happened on it.

use flowtiles::{Cell, Rect, SECTOR_SIDE, Sector};

use super::armies::{Army, CAMP};
use super::march::March;
use crate::landscape::{Ground, Landscape};
use crate::picture::{Colour, Picture, lit, mixed};
use crate::random::mixed as scrambled;
use crate::raster::Raster;

/// What the picture shows.
pub struct Scene<'a> {
    /// The country.
    pub land: &'a Landscape,
    /// Who marched.
    pub armies: &'a [Army],
    /// The sectors that each army's order had loaded before the bridge fell,
    /// and at the end.
    pub loaded: [&'a [Vec<Sector>]; 2],
    /// Where they walked.
    pub march: &'a March,
    /// The bridge that fell.
    pub fallen: Option<Rect>,
}

impl Scene<'_> {
    /// Paints it.
    pub fn paint(&self) -> Picture {
        let mut picture = country(self.land);
        for (at, army) in self.armies.iter().enumerate() {
            let mut sectors: Vec<Sector> = self.loaded.iter().flat_map(|l| l[at].clone()).collect();
            sectors.sort_unstable();
            sectors.dedup();
            tint(&mut picture, &sectors, army.colour);
        }
        for (army, trail) in self.armies.iter().zip(&self.march.trails) {
            tread(&mut picture, trail, army.colour);
        }
        for army in self.armies {
            pitch(&mut picture, army);
        }
        for army in self.armies {
            raise_flag(&mut picture, army);
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
        for cell in Rect::new(x, y, side, side).cells() {
            picture.lay(cell, [255, 255, 240], 46);
            picture.lay(cell, colour, 22);
        }
        let beside = |dx: i32, dy: i32| {
            let near = Sector::new(sector.x + dx, sector.y + dy);
            sectors.binary_search(&near).is_ok()
        };
        let edges = [
            (beside(0, -1), Rect::new(x, y, side, 1)),
            (beside(0, 1), Rect::new(x, y + SECTOR_SIDE - 1, side, 1)),
            (beside(-1, 0), Rect::new(x, y, 1, side)),
            (beside(1, 0), Rect::new(x + SECTOR_SIDE - 1, y, 1, side)),
        ];
        for (joined, edge) in edges {
            let (line, strength) = if joined { ([0; 3], 18) } else { (colour, 120) };
            for cell in edge.cells() {
                picture.lay(cell, line, strength);
            }
        }
    }
}

/// Draws where an army walked, on a darker edge: the more feet, the wider and
/// stronger.
fn tread(picture: &mut Picture, trail: &Raster<u16>, colour: Colour) {
    let feet = |cell: Cell| trail.get(cell).copied().filter(|&walked| walked > 0);
    let width = |walked: u16| match walked {
        ..24 => 0,
        24..120 => 1,
        _ => 2,
    };
    for cell in trail.cells() {
        if let Some(walked) = feet(cell).filter(|&walked| walked >= 24) {
            picture.disc(cell, width(walked) + 1, lit(colour, -150), 28);
        }
    }
    for cell in trail.cells() {
        if let Some(walked) = feet(cell) {
            let strength = (110 + 14 * walked.ilog2()).min(250);
            picture.disc(cell, width(walked), colour, strength as u8);
        }
    }
}

/// Draws the camps and the units in them.
fn pitch(picture: &mut Picture, army: &Army) {
    for &camp in &army.camps {
        picture.disc(camp, CAMP + 3, army.colour, 50);
        picture.ring(camp, CAMP + 4, 2, [24, 20, 16], 170);
        picture.ring(camp, CAMP + 3, 2, army.colour, 255);
    }
    for &unit in &army.units {
        picture.lay(unit, lit(army.colour, 40), 255);
    }
}

/// Draws the goal: a target in the army's colour.
fn raise_flag(picture: &mut Picture, army: &Army) {
    picture.ring(army.home, 34, 3, [24, 20, 16], 160);
    picture.ring(army.home, 33, 3, army.colour, 255);
    picture.disc(army.home, 8, [24, 20, 16], 200);
    picture.disc(army.home, 7, [255; 3], 255);
    picture.disc(army.home, 5, army.colour, 255);
}

/// Draws the water where the bridge was, and a ring around it.
fn mark_fall(picture: &mut Picture, land: &Landscape, deck: Rect) {
    for cell in deck.cells() {
        picture.lay(cell, water(land.shore[cell]), 255);
    }
    let centre = Cell::new(
        deck.x + deck.width as i32 / 2,
        deck.y + deck.height as i32 / 2,
    );
    picture.ring(centre, 23, 5, [24, 20, 16], 200);
    picture.ring(centre, 22, 3, [255, 255, 255], 255);
    for reach in -16..=16 {
        for thick in -2..=2 {
            let stroke = if thick == -2 || thick == 2 {
                [24, 20, 16]
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

/// The country in daylight, with the sun in the north-west.
pub fn country(land: &Landscape) -> Picture {
    let ground = &land.ground;
    Picture {
        colours: Raster::from_cells(ground.width(), ground.height(), |cell| {
            let shaded = lit(base(land, cell), slope(land, cell) + speckle(land, cell));
            mixed(shaded, [8, 16, 24], shadow(land, cell))
        }),
    }
}

fn base(land: &Landscape, cell: Cell) -> Colour {
    let high = (land.heights[cell] / 256) as u8;
    match land.ground[cell] {
        Ground::Water => water(land.shore[cell]),
        Ground::Bridge => [168, 124, 78],
        Ground::Stream => [104, 160, 178],
        Ground::Grass => mixed([122, 158, 80], [172, 178, 104], high),
        Ground::Sand => [214, 196, 146],
        Ground::Field => field(cell),
        Ground::Road => [206, 184, 142],
        Ground::Grove => [96, 138, 66],
        Ground::Wood => [52, 94, 52],
        Ground::Swamp => [116, 138, 92],
        Ground::Hill => [168, 158, 116],
        Ground::Rock => mixed(
            [120, 112, 104],
            [206, 204, 204],
            high.saturating_sub(150) * 3,
        ),
        Ground::Wall => [146, 138, 130],
        Ground::House => [164, 84, 62],
    }
}

/// Lighter along the shore, darker where it is deep.
fn water(shore: i32) -> Colour {
    let depth = (-shore / 16).clamp(0, 10);
    mixed([110, 172, 190], [38, 92, 138], (depth * 25) as u8)
}

/// Crops differ from plot to plot, with furrows one way or the other.
fn field(cell: Cell) -> Colour {
    let plot = (cell.x.div_euclid(17), cell.y.div_euclid(13));
    let draw = scrambled((plot.0 as u64) << 32 | plot.1 as u32 as u64);
    let crop = match draw % 4 {
        0 => [206, 182, 96],
        1 => [158, 168, 82],
        2 => [186, 150, 92],
        _ => [134, 160, 86],
    };
    let furrow = if draw & 16 == 0 { cell.x } else { cell.y };
    lit(crop, if furrow.rem_euclid(3) == 0 { -14 } else { 4 })
}

/// Brighter toward the sun, darker away from it.
fn slope(land: &Landscape, cell: Cell) -> i32 {
    let height = |dx, dy| {
        let near = Cell::new(cell.x + dx, cell.y + dy);
        land.heights.get(near).unwrap_or(&land.heights[cell])
    };
    let fall = height(1, 1) - height(-1, -1);
    let strength = match land.ground[cell] {
        Ground::Water | Ground::Bridge => return 0,
        Ground::Rock => 14,
        _ => 26,
    };
    (fall / strength).clamp(-46, 40)
}

/// A little unevenness: crowns of trees, reeds, waves.
fn speckle(land: &Landscape, cell: Cell) -> i32 {
    let draw = (scrambled((cell.x as u64) << 32 | cell.y as u64) % 256) as i32 - 128;
    match land.ground[cell] {
        Ground::Wood => draw / 6,
        Ground::Grove => draw / 4,
        Ground::Swamp => {
            if draw > 88 {
                -30
            } else {
                draw / 20
            }
        }
        Ground::Rock => draw / 9,
        Ground::Water => draw / 40,
        Ground::Bridge => (cell.x + cell.y).rem_euclid(2) * -16,
        _ => draw / 18,
    }
}

/// How dark the shadow of something tall lies on a cell.
fn shadow(land: &Landscape, cell: Cell) -> u8 {
    if land.ground[cell].is_tall() {
        return 0;
    }
    let tall = |steps: i32| {
        let toward_sun = Cell::new(cell.x - steps, cell.y - steps);
        land.ground
            .get(toward_sun)
            .is_some_and(|ground| ground.is_tall())
    };
    match (tall(1), tall(2)) {
        (true, _) => 96,
        (false, true) => 56,
        _ => 0,
    }
}
