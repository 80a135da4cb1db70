//! A drawn country as a picture, in daylight.

use flowtiles::Cell;

use crate::support::picture::{Colour, Picture, lit, mixed};
use flowtiles_scenes::landscape::{Ground, Landscape};
use flowtiles_scenes::random::mixed as scrambled;
use flowtiles_scenes::raster::Raster;

/// The country in daylight, with the sun in the north-west.
pub fn daylight(land: &Landscape) -> Picture {
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

/// The colour of water: lighter along the shore, darker where it is deep.
pub fn water(shore: i32) -> Colour {
    let depth = (-shore / 16).clamp(0, 10);
    mixed([110, 172, 190], [38, 92, 138], (depth * 25) as u8)
}

/// The colour of crops, different for each plot, with furrows in one direction.
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

/// Lighter toward the sun, darker away from it.
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
