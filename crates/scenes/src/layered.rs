//! The scenes of movement layers: widths, classes, gates, roads, bridges.

use flowtiles::{Cell, CellRect, Cost, CostMap, Movement, Teams};

use crate::aim::Aim;
use crate::scene::{Band, Incident, Recruit, Scene, block, walled};
use crate::usage::{Kinds, Passage, Way};

/// The kind of ground that is water.
pub const WATER: Cost = cost(9);

const fn cost(value: u8) -> Cost {
    match Cost::new(value) {
        Ok(cost) => cost,
        Err(_) => Cost::OPEN,
    }
}

fn goal(x: i32, y: i32) -> Aim {
    Aim::Goal(Cell::new(x, y))
}

fn of_radius(mut recruits: Vec<Recruit>, radius: f32) -> Vec<Recruit> {
    for recruit in &mut recruits {
        recruit.radius = radius;
    }
    recruits
}

/// Bodies of one to four cells, before a wall with doors of one to four.
pub fn widths(_: u64) -> Scene {
    let mut costs = walled(80, 60, &[CellRect::new(40, 0, 2, 60)]);
    let mut doors = Vec::new();
    for (name, door, y) in [
        ("door of 1 cell", 1, 8),
        ("door of 2 cells", 2, 21),
        ("door of 3 cells", 3, 34),
        ("door of 4 cells", 4, 48),
    ] {
        let door = CellRect::new(40, y, 2, door);
        costs.edit(door, Cost::OPEN).expect("a door on the map");
        doors.push(Passage::area(name, door));
    }
    let bands = (1..=4_u8).map(|width| {
        let (radius, apart) = (f32::from(width) / 2.0 - 0.1, f32::from(width) + 0.5);
        let count = [16, 9, 6, 4][usize::from(width) - 1];
        let north = [3.0, 18.0, 32.0, 44.0][usize::from(width) - 1];
        let recruits = of_radius(block(3, count, [6.0, north + 2.5], apart), radius);
        let mut band = Band::new(
            usize::from(width) - 1,
            goal(66, 10 + 13 * (i32::from(width) - 1)),
            recruits,
        );
        band.movement = Movement::new().with_size(width).expect("a width");
        band
    });
    let mut scene = Scene::new(costs, bands.collect());
    scene.passages = doors;
    let names = [
        "1 cell wide",
        "2 cells wide",
        "3 cells wide",
        "4 cells wide",
    ];
    scene.kinds = Some(Kinds::Bands(names.into()));
    scene
}

/// A lake with an arm around a spit of land: land units go round, ships stay in
/// it, hovercraft go straight.
pub fn classes(_: u64) -> Scene {
    let mut costs = CostMap::open(90, 60).expect("a size within the limits");
    let lake = [
        CellRect::new(20, 10, 14, 40),
        CellRect::new(20, 36, 50, 14),
        CellRect::new(56, 10, 14, 40),
    ];
    for part in lake {
        costs.edit(part, WATER).expect("a lake on the map");
    }
    let land = Movement::new().with_cost(WATER, Cost::WALL);
    let hover = Movement::new().with_cost(WATER, Cost::OPEN);
    let ship = Movement::new().with_costs(|kind| match kind == WATER {
        true => Cost::OPEN,
        false => Cost::WALL,
    });
    let mut bands = vec![
        Band::new(0, goal(80, 24), block(4, 24, [6.5, 20.5], 1.2)),
        Band::new(1, goal(80, 34), block(4, 24, [6.5, 32.5], 1.2)),
        Band::new(
            2,
            goal(62, 16),
            of_radius(block(4, 16, [23.5, 13.5], 2.2), 0.8),
        ),
    ];
    for (band, movement) in bands.iter_mut().zip([land, hover, ship]) {
        band.movement = movement;
    }
    bands[2].movement = bands[2].movement.clone().with_size(2).expect("a width");
    let mut scene = Scene::new(costs, bands);
    scene.passages = vec![Passage {
        name: "lake",
        way: Way::Areas(lake.into()),
    }];
    scene.kinds = Some(Kinds::Bands(vec!["land units", "hovercraft", "ships"]));
    scene
}

/// Two teams before a wall with two gates, each open to one of them; then both gates
/// change hands.
pub fn gates(_: u64) -> Scene {
    let (north, south) = (CellRect::new(40, 12, 2, 5), CellRect::new(40, 43, 2, 5));
    let mut costs = walled(80, 60, &[CellRect::new(40, 0, 2, 60)]);
    for gate in [north, south] {
        costs.edit(gate, Cost::OPEN).expect("a gate on the map");
    }
    let mut bands = vec![
        Band::new(0, goal(70, 22), block(6, 48, [6.5, 18.5], 1.1)),
        Band::new(1, goal(70, 38), block(6, 48, [6.5, 34.5], 1.1)),
    ];
    bands[1].team = 1;
    let mut scene = Scene::new(costs, bands);
    let (first, second) = (Teams::NONE.with(0), Teams::NONE.with(1));
    scene.passages = vec![
        Passage::area("north gate", north),
        Passage::area("south gate", south),
    ];
    // Each team's near gate is the other's.
    scene.gates = vec![(north, second), (south, first)];
    scene.incidents = vec![
        (120, Incident::Gate(0, first)),
        (120, Incident::Gate(1, second)),
    ];
    scene
}

/// Normal ground of cost 4 with a winding road of cost 1: units with wheels keep to
/// the road, units on legs pay the same everywhere.
pub fn roads(_: u64) -> Scene {
    let mut costs = CostMap::open(90, 60).expect("a size within the limits");
    let area = CellRect::new(0, 0, 90, 60);
    costs.edit(area, cost(4)).expect("the whole map");
    for road in [
        CellRect::new(0, 44, 30, 3),
        CellRect::new(27, 14, 3, 33),
        CellRect::new(27, 14, 36, 3),
        CellRect::new(60, 14, 3, 33),
        CellRect::new(60, 44, 30, 3),
    ] {
        costs.edit(road, Cost::OPEN).expect("a road on the map");
    }
    let legs = Movement::new().with_cost(Cost::OPEN, cost(4));
    let mut bands = vec![
        Band::new(0, goal(84, 45), block(4, 32, [4.5, 40.5], 1.1)),
        Band::new(1, goal(84, 30), block(4, 32, [4.5, 26.5], 1.1)),
    ];
    bands[1].movement = legs;
    Scene::new(costs, bands)
}

/// What each congestion level adds to the cost of open ground, which is 1.
const JAMMED: [u8; 4] = [1, 2, 4, 8];

/// A column before a river with three equal bridges, the middle one straight ahead.
pub fn bridges(_: u64) -> Scene {
    let river = CellRect::new(55, 0, 4, 70);
    let mut costs = walled(110, 70, &[river]);
    let doors = [
        ("north bridge", 20),
        ("middle bridge", 35),
        ("south bridge", 50),
    ]
    .map(|(name, y)| (name, CellRect::new(river.x, y, river.width, 1)));
    for (_, bridge) in doors {
        costs.edit(bridge, Cost::OPEN).expect("a bridge on the map");
    }
    let column = block(50, 1_000, [3.5, 25.0], 1.0);
    let mut band = Band::new(0, goal(85, 35), column);
    band.movement = Movement::new().with_congestion_costs(JAMMED);
    let mut scene = Scene::new(costs, vec![band]);
    scene.notes_jams = true;
    scene.passages = doors.map(|(name, area)| Passage::area(name, area)).into();
    scene
}
