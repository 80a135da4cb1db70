//! Scenes in which crowds meet. The method applies to all groups of a scene, and
//! the seed moves every unit's start a little.

use flowtiles::{Cell, CellRect};

use crate::aim::Aim;
use crate::landscape::{Landscape, Town};
use crate::method::{reading, settings};
use crate::random::Random;
use crate::scene::{BANNERS, Band, Incident, Recruit, Scene, SceneOptions, block, walled};
use crate::usage::Passage;
use crate::walls::is_in_wall;
use crate::watch::Watch;

/// The greatest distance by which a start is moved along each axis, in thousandths
/// of a cell.
const JITTER: i32 = 100;
/// The country of the demo.
const COUNTRY: u64 = 8;
/// Units of an army in `armies`.
const ARMY: usize = 2_500;

fn goal(x: i32, y: i32) -> Aim {
    Aim::Goal(Cell::new(x, y))
}

/// Gives the bands their method, moves their units by the seed, and adds the
/// measurements.
fn crowded(mut scene: Scene, watch: Watch, asked: &SceneOptions) -> Scene {
    let mut random = Random::new(asked.seed);
    let mut draw = || random.between(-JITTER, JITTER + 1) as f32 / 1000.0;
    for band in &mut scene.bands {
        band.reading = reading(asked.method);
        for recruit in &mut band.recruits {
            let [x, y] = recruit.position;
            let moved = [x + draw(), y + draw()];
            if !is_in_wall(&scene.costs, moved, recruit.radius) {
                recruit.position = moved;
            }
        }
    }
    scene.settings = settings(asked.method);
    scene.tuning = asked.tuning;
    scene.watch = Some(watch);
    scene
}

/// 36 small units.
fn troop(from: [f32; 2]) -> Vec<Recruit> {
    let mut recruits = block(3, 36, from, 1.0);
    for recruit in &mut recruits {
        recruit.radius = 0.23;
    }
    recruits
}

/// Two troops head on, on 25×14 cells.
fn meeting(walls: &[CellRect], window: CellRect) -> (Scene, Watch) {
    let bands = vec![
        Band::new(0, goal(23, 7), troop([1.5, 1.5])),
        Band::new(1, goal(1, 7), troop([21.5, 1.5])),
    ];
    let mut scene = Scene::new(walled(25, 14, walls), bands);
    scene.ticks = 1_500;
    let watch = Watch {
        window: Some(window),
        ..Watch::of(CellRect::new(9, 0, 7, 14))
    };
    (scene, watch)
}

pub fn tunnel(asked: &SceneOptions) -> Scene {
    let walls = [CellRect::new(6, 0, 13, 5), CellRect::new(6, 9, 13, 5)];
    let (scene, watch) = meeting(&walls, CellRect::new(11, 5, 3, 4));
    crowded(scene, watch, asked)
}

pub fn open(asked: &SceneOptions) -> Scene {
    let (scene, watch) = meeting(&[], CellRect::new(11, 0, 3, 14));
    crowded(scene, watch, asked)
}

pub fn mirror(asked: &SceneOptions) -> Scene {
    let (mut scene, watch) = meeting(&[], CellRect::new(11, 0, 3, 14));
    scene.incidents = vec![
        (40, Incident::Send(0, Aim::Goal(Cell::new(20, 3)))),
        (40, Incident::Send(1, Aim::Goal(Cell::new(4, 3)))),
    ];
    crowded(scene, watch, asked)
}

pub fn crossing(asked: &SceneOptions) -> Scene {
    let (near, far, middle) = (3.0, 38.7, 18.2);
    let bands = vec![
        Band::new(0, goal(42, 24), block(7, 98, [near, middle], 0.9)),
        Band::new(1, goal(5, 24), block(7, 98, [far + 0.9, middle], 0.9)),
        Band::new(2, goal(24, 42), block(14, 98, [middle, near], 0.9)),
        Band::new(3, goal(24, 5), block(14, 98, [middle, far + 0.9], 0.9)),
    ];
    let mut scene = Scene::new(walled(48, 48, &[]), bands);
    scene.ticks = 2_000;
    crowded(scene, Watch::of(CellRect::new(18, 18, 12, 12)), asked)
}

pub fn pass(asked: &SceneOptions) -> Scene {
    // More units march along a longer path, through a wider pass.
    let units = asked.units.unwrap_or(200);
    let grown = (units as f32 / 200.0).sqrt().max(1.0);
    let scaled = |length: f32| (length * grown).round() as i32;
    let ground = Pass {
        width: scaled(6.0) * 2,
        columns: scaled(12.0),
        far: 100 + scaled(37.0) - 37,
        high: scaled(25.0) * 2,
    };
    ground.scene(units, asked)
}

pub fn narrow_pass(asked: &SceneOptions) -> Scene {
    let ground = Pass {
        width: 6,
        columns: 12,
        far: 100,
        high: 50,
    };
    ground.scene(200, asked)
}

/// A mountain across the map with one pass, 24 cells long.
struct Pass {
    width: i32,
    /// Columns of units on either side.
    columns: i32,
    /// Size of the map.
    far: i32,
    high: i32,
}

impl Pass {
    fn scene(&self, units: usize, asked: &SceneOptions) -> Scene {
        let &Self {
            width,
            columns,
            far,
            high,
        } = self;
        let (from, until) = ((high - width) / 2, (high + width) / 2);
        let mountain = far / 2 - 12;
        let rows = units.div_ceil(columns as usize);
        let top = (high as f32 - rows as f32 * 0.9) / 2.0 + 0.45;
        let depth = columns as f32 * 0.9;
        let camp = |left: f32| block(columns as usize, units, [left, top], 0.9);
        let bands = vec![
            Band::new(0, goal(far - 12, high / 2), camp(8.0)),
            Band::new(1, goal(11, high / 2), camp(far as f32 - 7.1 - depth)),
        ];
        let walls = [
            CellRect::new(mountain, 0, 24, from as u32),
            CellRect::new(mountain, until, 24, (high - until) as u32),
        ];
        let mut scene = Scene::new(walled(far as u32, high as u32, &walls), bands);
        scene.ticks = 20 * far as u32;
        let area = CellRect::new(far / 2 - 3, from, 6, width as u32);
        let watch = Watch {
            window: Some(area),
            ..Watch::of(CellRect::new(mountain + 6, from, 12, width as u32))
        };
        crowded(scene, watch, asked)
    }
}

pub fn evacuate(asked: &SceneOptions) -> Scene {
    // A hall of 30×20 cells with a door of one cell before most of the units,
    // and another off to the side.
    let (door, other) = (7, 16);
    let walls = [
        CellRect::new(30, 0, 2, door as u32),
        CellRect::new(30, door + 1, 2, (other - door - 1) as u32),
        CellRect::new(30, other + 1, 2, (20 - other - 1) as u32),
    ];
    let band = Band::new(0, goal(50, door), block(20, 300, [3.0, 1.0], 0.9));
    let mut scene = Scene::new(walled(60, 20, &walls), vec![band]);
    scene.ticks = 2_400;
    let doors = [("near door", door), ("far door", other)];
    let passage = |(name, row)| Passage::area(name, CellRect::new(30, row, 2, 1));
    scene.passages = doors.map(passage).into();
    crowded(scene, Watch::of(CellRect::new(15, 0, 17, 20)), asked)
}

/// What a painted swamp is worth: a cell of it is as dear as five of open
/// ground to a crowd that weighs way, time and discomfort alike.
const SWAMP: f32 = 4.0;

/// One troop and a swamp on its way.
fn swamp(area: CellRect, asked: &SceneOptions) -> Scene {
    let band = Band::new(0, goal(42, 30), block(6, 60, [3.0, 26.0], 0.9));
    let mut scene = Scene::new(walled(48, 60, &[]), vec![band]);
    scene.ticks = 1_500;
    scene.painted = vec![(area, SWAMP)];
    crowded(scene, Watch::of(CellRect::new(14, 0, 20, 60)), asked)
}

/// Straight through, 32 cells more of discomfort; around, a path 2 cells longer.
pub fn small_swamp(asked: &SceneOptions) -> Scene {
    swamp(CellRect::new(20, 26, 8, 8), asked)
}

/// Straight through, 8 cells more of discomfort; around, 14 cells or more.
pub fn wide_swamp(asked: &SceneOptions) -> Scene {
    swamp(CellRect::new(22, 6, 2, 48), asked)
}

pub fn armies(asked: &SceneOptions) -> Scene {
    let land = Landscape::draw(COUNTRY);
    let costs = land.costs().expect("a drawn country has costs");
    let world = flowtiles::FlowWorld::new(costs.clone());
    let towns = around(&land.towns[..4]);
    let mut bands = Vec::new();
    for (number, home) in towns.iter().enumerate() {
        // To the town opposite, so that the routes cross.
        let aim = Aim::Goal(towns[(number + 2) % 4]);
        let mut band = Band::new(number, aim, crate::large::tents(&world, *home, ARMY));
        band.colour = BANNERS[number];
        bands.push(band);
    }
    let (left, top) = corner(&towns, i32::min);
    let (right, bottom) = corner(&towns, i32::max);
    let middle = CellRect::new(left, top, (right - left) as u32, (bottom - top) as u32);
    let mut scene = Scene::new(costs, bands);
    scene.land = Some(land);
    scene.rate = 10;
    scene.ticks = 12_000;
    crowded(scene, Watch::of(middle), asked)
}

fn corner(towns: &[Cell], choose: fn(i32, i32) -> i32) -> (i32, i32) {
    let along = |axis: fn(&Cell) -> i32| towns.iter().map(axis).reduce(choose).unwrap_or(0);
    (along(|town| town.x), along(|town| town.y))
}

/// Four towns in their order around their middle.
fn around(towns: &[Town]) -> Vec<Cell> {
    let mut squares: Vec<Cell> = towns.iter().map(|town| town.square).collect();
    let count = squares.len() as i32;
    let sums = squares
        .iter()
        .fold([0, 0], |[x, y], square| [x + square.x, y + square.y]);
    let angle = |square: &Cell| {
        let off = [square.x * count - sums[0], square.y * count - sums[1]].map(f64::from);
        off[1].atan2(off[0])
    };
    squares.sort_by(|one, two| angle(one).total_cmp(&angle(two)));
    squares
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::Method;
    use crate::tuning::Tuning;

    /// The mirror of a mirrored scene is the scene.
    #[test]
    fn armies_meet_from_both_sides_at_the_same_distance() {
        for entry in [tunnel, open, pass, narrow_pass] {
            let asked = SceneOptions {
                seed: 1,
                method: Method::Plain,
                units: None,
                tuning: Tuning::default(),
            };
            let scene = entry(&asked);
            let width = scene.costs.width() as f32;
            let mean = |band: &Band| {
                let xs = band.recruits.iter().map(|recruit| recruit.position[0]);
                xs.sum::<f32>() / band.recruits.len() as f32
            };
            let (left, right) = (mean(&scene.bands[0]), mean(&scene.bands[1]));
            assert!(
                (left - (width - right)).abs() < 0.2,
                "{left} {right} of {width}"
            );
        }
    }
}
