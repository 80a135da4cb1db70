//! Founds the towns of a country: houses inside a wall, and farms around it.

use flowtiles::{Cell, CellRect};

use super::ground::Ground;
use super::land::{HEIGHT, Landscape, Town, WIDTH};
use super::noise::Noise;
use crate::random::Random;
use crate::raster::square_distance;

/// How many towns a country has.
const TOWNS: usize = 5;
/// Cells from the market square to the town wall.
const WALL: i32 = 25;
/// Cells from the market square to the last field.
const FARMS: i32 = 78;
/// Cells of a block with its street.
const BLOCK: i32 = 7;

/// Founds the towns, one after the other, each far from those before.
pub fn found(land: &mut Landscape, noise: &Noise, random: &mut Random) {
    for _ in 0..TOWNS {
        let sites = (0..400).map(|_| {
            let margin = WALL + 30;
            Cell::new(
                random.between(margin, WIDTH - margin),
                random.between(margin, HEIGHT - margin),
            )
        });
        let best = sites
            .filter(|&site| is_dry(land, site))
            .max_by_key(|&site| (distance_to_towns(land, site), site));
        if let Some(square) = best {
            build(land, noise, square);
            land.towns.push(Town { square });
        }
    }
}

fn is_dry(land: &Landscape, site: Cell) -> bool {
    land.shore[site] > (WALL + 10) * 16
        && land.heights[site] < 41_000
        && land.ground[site] != Ground::Swamp
}

/// The distance of a site from the nearest town, or twice its distance from the
/// map's edge if that is less.
fn distance_to_towns(land: &Landscape, site: Cell) -> i32 {
    let edge = (site.x.min(WIDTH - site.x)).min(site.y.min(HEIGHT - site.y)) * 2;
    let towns = land.towns.iter();
    towns
        .map(|town| square_distance(town.square, site).isqrt())
        .fold(edge, i32::min)
}

fn build(land: &mut Landscape, noise: &Noise, square: Cell) {
    for (cell, distance) in land.ground.disc(square, FARMS) {
        let distance = distance.isqrt();
        let ground = land.ground[cell];
        let is_dry = land.shore[cell] > 2 * 16;
        let settled = if distance <= WALL + 3 {
            Some(inside(square, cell, distance, noise))
        } else {
            farmed(ground, cell, distance, noise)
        };
        if is_dry && let Some(settled) = settled {
            land.ground[cell] = settled;
        }
    }
}

/// The town proper: a paved square, blocks of houses, a wall with four gates.
fn inside(square: Cell, cell: Cell, distance: i32, noise: &Noise) -> Ground {
    let (dx, dy) = (cell.x - square.x, cell.y - square.y);
    let on_main_street = dx.abs() <= 2 || dy.abs() <= 2;
    if distance <= 6 || (on_main_street && distance <= WALL) {
        return Ground::Road;
    }
    if distance > WALL {
        return Ground::Grass;
    }
    if distance >= WALL - 1 {
        return Ground::Wall;
    }
    let block = Cell::new(dx.div_euclid(BLOCK), dy.div_euclid(BLOCK));
    let (in_x, in_y) = (dx.rem_euclid(BLOCK), dy.rem_euclid(BLOCK));
    let built = noise.grain(Cell::new(block.x + square.x, block.y + square.y)) > 14_000;
    let house = CellRect::new(2, 2, 4, 4 - (block.x & 1) as u32);
    if built && distance < WALL - 5 && house.contains(Cell::new(in_x, in_y)) {
        return Ground::House;
    }
    Ground::Grass
}

/// The farms: oblong fields on open ground, thinning out with the distance.
fn farmed(ground: Ground, cell: Cell, distance: i32, noise: &Noise) -> Option<Ground> {
    if !matches!(ground, Ground::Grass | Ground::Grove | Ground::Wood) {
        return None;
    }
    let plot = Cell::new(cell.x.div_euclid(17), cell.y.div_euclid(13));
    let hedge = cell.x.rem_euclid(17) == 0 || cell.y.rem_euclid(13) == 0;
    let tilled = noise.grain(plot) > 13_000 + (distance - WALL) * 900;
    if !tilled {
        return None;
    }
    Some(if hedge { Ground::Grass } else { Ground::Field })
}
