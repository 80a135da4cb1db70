//! A drawn country as a picture, in daylight.

use flowtiles::{Cell, CellRect};

use crate::Colour;
use crate::landscape::{Ground, Landscape};
use crate::picture::{Picture, lit, mixed};
use crate::random::hash;
use crate::raster::Raster;

/// A part of the country in daylight, with the sun in the north-west.
pub fn daylight(land: &Landscape, view: CellRect) -> Picture {
    Picture {
        colours: Raster::from_cells(view.width as i32, view.height as i32, |pixel| {
            let cell = Cell::new(pixel.x + view.x, pixel.y + view.y);
            let slope = slope(land, cell, land.ground[cell]);
            let shaded = lit(base(land, cell), slope + speckle(land, cell));
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
    mixed([110, 172, 190], [38, 92, 138], depth(shore))
}

/// How deep water is, from 0 along the shore on.
pub fn depth(shore: i32) -> u8 {
    ((-shore / 16).clamp(0, 10) * 25) as u8
}

/// The colour of crops, different for each plot, with furrows in one direction.
fn field(cell: Cell) -> Colour {
    let plot = noise(cell.x.div_euclid(17), cell.y.div_euclid(13));
    let crop = match plot % 4 {
        0 => [206, 182, 96],
        1 => [158, 168, 82],
        2 => [186, 150, 92],
        _ => [134, 160, 86],
    };
    let furrow = if plot & 16 == 0 { cell.x } else { cell.y };
    lit(crop, if furrow.rem_euclid(3) == 0 { -14 } else { 4 })
}

/// A number that looks random, the same for a place in every run.
const fn noise(x: i32, y: i32) -> u64 {
    hash((x as u64) << 32 | y as u32 as u64)
}

/// How much lighter a kind of ground is on a slope toward the sun, or darker away from it.
pub fn slope(land: &Landscape, cell: Cell, ground: Ground) -> i32 {
    let divisor = match ground {
        Ground::Water | Ground::Bridge => return 0,
        Ground::Rock => 14,
        _ => 26,
    };
    let height = |dx, dy| {
        let near = Cell::new(cell.x + dx, cell.y + dy);
        land.heights.get(near).unwrap_or(&land.heights[cell])
    };
    let fall = height(1, 1) - height(-1, -1);
    (fall / divisor).clamp(-46, 40)
}

/// A little unevenness: crowns of trees, reeds, waves.
fn speckle(land: &Landscape, cell: Cell) -> i32 {
    let noise = (noise(cell.x, cell.y) % 256) as i32 - 128;
    match land.ground[cell] {
        Ground::Wood => noise / 6,
        Ground::Grove => noise / 4,
        Ground::Swamp => {
            if noise > 88 {
                -30
            } else {
                noise / 20
            }
        }
        Ground::Rock => noise / 9,
        Ground::Water => noise / 40,
        Ground::Bridge => (cell.x + cell.y).rem_euclid(2) * -16,
        _ => noise / 18,
    }
}

/// The opacity of the shadow on a cell.
fn shadow(land: &Landscape, cell: Cell) -> u8 {
    if land.ground[cell].is_tall() {
        return 0;
    }
    let shaded_from = |steps: i32| {
        let toward_sun = Cell::new(cell.x - steps, cell.y - steps);
        land.ground
            .get(toward_sun)
            .is_some_and(|ground| ground.is_tall())
    };
    if shaded_from(1) {
        96
    } else if shaded_from(2) {
        56
    } else {
        0
    }
}
