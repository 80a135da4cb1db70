//! The large scenes: obstacles that an army meets.

use flowtiles::steer::Shape;
use flowtiles::{Cell, CellRect, Cost};

use crate::aim::Aim;
use crate::landscape::Landscape;
use crate::random::Random;
use crate::scene::{BANNERS, Band, Incident, Recruit, Scene, block, walled};

fn goal(x: i32, y: i32) -> Aim {
    Aim::Goal(Cell::new(x, y))
}

pub fn pass(_: u64) -> Scene {
    // A mountain with one pass, 6 cells wide and 24 long.
    let walls = [CellRect::new(38, 0, 24, 22), CellRect::new(38, 28, 24, 22)];
    let bands = vec![
        Band::new(0, goal(88, 25), block(12, 200, [8.0, 18.0], 0.9)),
        Band::new(1, goal(11, 25), block(12, 200, [82.0, 18.0], 0.9)),
    ];
    Scene::new(walled(100, 50, &walls), bands)
}

pub fn bridge(_: u64) -> Scene {
    // A river with two bridges; the nearer falls while the column crosses.
    let mut costs = walled(90, 60, &[CellRect::new(44, 0, 8, 60)]);
    for deck in [CellRect::new(44, 18, 8, 4), CellRect::new(44, 48, 8, 4)] {
        costs.edit(deck, Cost::OPEN).expect("a deck on the map");
    }
    let band = Band::new(0, goal(78, 18), block(20, 300, [6.0, 12.0], 0.9));
    let mut scene = Scene::new(costs, vec![band]);
    let fall = Incident::Edit(CellRect::new(46, 18, 4, 4), Cost::WALL);
    scene.incidents = vec![(190, fall)];
    scene
}

pub fn one_cell(_: u64) -> Scene {
    let mut bands = Vec::new();
    let corners = [[4.0, 4.0], [48.0, 4.0], [26.0, 34.0]];
    for (number, corner) in corners.into_iter().enumerate() {
        bands.push(Band::new(number, goal(30, 20), block(10, 100, corner, 0.8)));
    }
    let walls = [CellRect::new(20, 12, 6, 2), CellRect::new(36, 24, 2, 8)];
    Scene::new(walled(60, 44, &walls), bands)
}

pub fn formations(_: u64) -> Scene {
    let shapes = [Shape::Line, Shape::Wedge, Shape::Box, Shape::Column];
    let mut bands = Vec::new();
    for (number, shape) in shapes.into_iter().enumerate() {
        let row = 8 + 15 * number as i32;
        let recruits = block(6, 24, [4.0, row as f32 - 2.0], 0.8);
        let mut band = Band::new(number, goal(84, row), recruits);
        band.formation = Some((shape, 1.0));
        bands.push(band);
    }
    let mut walls = Vec::new();
    for number in 0..4 {
        let row = 15 * number;
        walls.push(CellRect::new(40, row, 3, 6));
        walls.push(CellRect::new(40, row + 10, 3, 5));
    }
    let mut scene = Scene::new(walled(96, 60, &walls), bands);
    scene.columns = Some([30.0, 41.5, 70.0]);
    scene
}

pub fn four_armies(seed: u64) -> Scene {
    const SIDE: i32 = 400;
    let mut random = Random::new(seed);
    let mut costs = walled(SIDE as u32, SIDE as u32, &[]);
    for _ in 0..90 {
        let rock = CellRect::new(
            random.between(120, 272),
            random.between(120, 272),
            random.between(2, 9) as u32,
            random.between(2, 9) as u32,
        );
        costs.edit(rock, Cost::WALL).expect("a rock on the map");
    }
    let (near, far) = (8.0, 312.0);
    let camps = [[near, 140.0], [far, 180.0], [180.0, near], [140.0, far]];
    let goals = [goal(350, 160), goal(50, 240), goal(240, 350), goal(160, 50)];
    let bands = camps
        .into_iter()
        .zip(goals)
        .enumerate()
        .map(|(number, (camp, aim))| Band::new(number, aim, block(71, 5_000, camp, 1.12)));
    let mut scene = Scene::new(costs, bands.collect());
    scene.rate = 15;
    scene.ticks = 6_000;
    scene
}

pub fn demo(seed: u64) -> Scene {
    let land = Landscape::draw(seed);
    let costs = land.costs().expect("a drawn country has costs");
    let world = flowtiles::FlowWorld::new(costs.clone());
    let mut random = Random::new(!seed);
    let mut bands = Vec::new();
    for (number, town) in land.towns.iter().take(4).enumerate() {
        let mut recruits = Vec::new();
        for _ in 0..5 {
            let camp = camp(&world, town.square, &mut random);
            recruits.extend(tents(&world, camp, 250));
        }
        let mut band = Band::new(number, Aim::Goal(town.square), recruits);
        band.colour = BANNERS[number];
        bands.push(band);
    }
    let mut scene = Scene::new(costs, bands);
    scene.land = Some(land);
    scene.rate = 10;
    scene.ticks = 12_000;
    scene
}

/// A cell far from a town from which the town can be reached.
fn camp(world: &flowtiles::FlowWorld, town: Cell, random: &mut Random) -> Cell {
    let (width, height) = (world.costs().width() as i32, world.costs().height() as i32);
    let sites = (0..400).map(|_| {
        Cell::new(
            random.between(20, width - 20),
            random.between(20, height - 20),
        )
    });
    let far = |site: &Cell| {
        let (dx, dy) = (site.x - town.x, site.y - town.y);
        dx * dx + dy * dy >= 380 * 380 && world.reachable(*site, town)
    };
    sites.into_iter().find(far).unwrap_or(town)
}

/// Cells around a camp, nearest rings first, all on ground from which the camp can
/// be reached.
pub fn tents(world: &flowtiles::FlowWorld, camp: Cell, count: usize) -> Vec<Recruit> {
    let ring = |out: i32| {
        let side = (2 * out + 1) as u32;
        let edge = CellRect::new(camp.x - out, camp.y - out, side, side).cells();
        edge.filter(move |cell| (cell.x - camp.x).abs().max((cell.y - camp.y).abs()) == out)
    };
    let cells = (0..40)
        .flat_map(ring)
        .filter(|&cell| world.reachable(cell, camp));
    let middle = |cell: Cell| [cell.x as f32 + 0.5, cell.y as f32 + 0.5];
    cells.map(middle).map(Recruit::at).take(count).collect()
}
