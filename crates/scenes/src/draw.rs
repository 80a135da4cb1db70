//! What a scene's file cannot say in numbers: camps in the country of a seed, and a pass
//! that grows with the armies.

use flowtiles::{Cell, CellRect, CostMap, FlowWorld};
use flowtiles_country::landscape::Landscape;
use flowtiles_country::random::Random;
use flowtiles_country::raster::square_distance;

use crate::aim::Aim;
use crate::measure::Watch;
use crate::scene::{Band, Scene, walled};
use crate::units::{block, tents};

/// Armies of five camps each, far from the town to which they go.
pub fn camps(land: &Landscape, costs: &CostMap, seed: u64) -> Vec<Band> {
    let world = FlowWorld::new(costs.clone());
    let mut random = Random::new(!seed);
    let mut bands = Vec::new();
    for (number, town) in land.towns.iter().take(4).enumerate() {
        let mut recruits = Vec::new();
        for _ in 0..5 {
            let camp = camp(&world, town.square, &mut random);
            recruits.extend(tents(&world, camp, 250));
        }
        bands.push(Band::new(number, Aim::Goal(town.square), recruits));
    }
    bands
}

/// A cell far from a town from which the town can be reached.
fn camp(world: &FlowWorld, town: Cell, random: &mut Random) -> Cell {
    let (width, height) = (world.costs().width() as i32, world.costs().height() as i32);
    let mut sites = (0..400).map(|_| {
        Cell::new(
            random.between(20, width - 20),
            random.between(20, height - 20),
        )
    });
    let far =
        |site: &Cell| square_distance(*site, town) >= 380 * 380 && world.reachable(*site, town);
    sites.find(far).unwrap_or(town)
}

/// Two armies of `units` each, or of 200. The more units, the longer the path and the wider the
/// pass.
pub fn pass(scene: &mut Scene, units: Option<usize>) {
    let units = units.unwrap_or(200);
    let grown = (units as f32 / 200.0).sqrt().max(1.0);
    let scaled = |length: f32| (length * grown).round() as i32;
    let (width, columns) = (scaled(6.0) * 2, scaled(12.0) as usize);
    let (far, high) = (63 + scaled(37.0), scaled(25.0) * 2);

    let (from, until) = ((high - width) / 2, (high + width) / 2);
    let mountain = far / 2 - 12;
    let rows = units.div_ceil(columns);
    let top = (high as f32 - rows as f32 * 0.9) / 2.0 + 0.45;
    let right = far as f32 - 7.1 - columns as f32 * 0.9;
    let army = |number, left, goal| {
        let goal = Aim::Goal(Cell::new(goal, high / 2));
        Band::new(number, goal, block(columns, units, [left, top], 0.9))
    };
    let walls = [
        CellRect::new(mountain, 0, 24, from as u32),
        CellRect::new(mountain, until, 24, (high - until) as u32),
    ];
    scene.costs = walled(far as u32, high as u32, &walls);
    scene.bands = vec![army(0, 8.0, far - 12), army(1, right, 11)];
    scene.ticks = 20 * far as u32;
    scene.watch = Some(Watch {
        middle: CellRect::new(mountain + 6, from, 12, width as u32),
        window: Some(CellRect::new(far / 2 - 3, from, 6, width as u32)),
    });
}
