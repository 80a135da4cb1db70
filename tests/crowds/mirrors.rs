//! A mirrored crowd stays mirrored.

use flowtiles::crowd::{Conduct, Crowd, StreamId};
use flowtiles::{Cell, Cost, CostMap, FlowWorld};

use super::scene::{everywhere, walker, whole_map};
use crate::crowd::Draw;

/// Columns and rows of the mirrored map.
const SIDE: i32 = 40;

/// The axis by which a place or a vector is mirrored.
#[derive(Clone, Copy, Debug)]
enum Mirror {
    Columns,
    Rows,
    Both,
}

impl Mirror {
    fn vector(self, [x, y]: [f32; 2]) -> [f32; 2] {
        match self {
            Self::Columns => [-x, y],
            Self::Rows => [x, -y],
            Self::Both => [-x, -y],
        }
    }

    fn place(self, at: [f32; 2]) -> [f32; 2] {
        let half = SIDE as f32 / 2.0;
        let [x, y] = self.vector([at[0] - half, at[1] - half]);
        [x + half, y + half]
    }

    fn cell(self, cell: Cell) -> Cell {
        let [x, y] = self.place(cell.centre());
        Cell::new(x.floor() as i32, y.floor() as i32)
    }
}

/// Returns the bits of a vector; the sign of a zero is dropped.
fn bits(way: Option<[f32; 2]>) -> Option<[u32; 2]> {
    way.map(|way| way.map(|along| (along + 0.0).to_bits()))
}

fn mirrored_world(mirror: Mirror, draw: &mut Draw, goal: Cell) -> FlowWorld {
    let mut map = CostMap::open(SIDE as u32, SIDE as u32).unwrap();
    for _ in 0..40 {
        let cell = Cell::new(draw.below(40) as i32, draw.below(40) as i32);
        let cost = [Cost::WALL, Cost::WALL, Cost::new(3).unwrap()][draw.below(3) as usize];
        for cell in [cell, mirror.cell(cell)] {
            if cell != goal && cell != mirror.cell(goal) {
                map.edit(cell, cost).unwrap();
            }
        }
    }
    FlowWorld::new(map)
}

/// Returns the middles of all field cells.
fn middles() -> impl Iterator<Item = [f32; 2]> {
    let along = |at: i32| (at as f32 + 0.5) * 0.5;
    (0..80).flat_map(move |y| (0..80).map(move |x| [along(x), along(y)]))
}

/// Returns places all over the map, none of them on a border of a field cell: a
/// border belongs to the cell to its east or south, mirrored or not.
fn between() -> impl Iterator<Item = [f32; 2]> {
    let along = |at: i32| (at as f32 + 0.5) * 0.25;
    (2..158).flat_map(move |y| (2..158).map(move |x| [along(x), along(y)]))
}

/// Compares everything that a crowd gives for one stream with the mirrored
/// stream. Returns the number of places with a direction.
fn assert_mirrored(
    crowd: &Crowd,
    world: &FlowWorld,
    mirror: Mirror,
    [one, two]: [StreamId; 2],
) -> u32 {
    for at in middles() {
        let value = |stream, at| {
            let potential = crowd.potential(stream, at);
            let discomfort = crowd.discomfort(world, stream, at);
            let velocity = crowd.velocity(at);
            (potential, discomfort, crowd.density(at), velocity)
        };
        let (here, mut there) = (value(one, at), value(two, mirror.place(at)));
        there.3 = there.3.map(|way| mirror.vector(way));
        assert_eq!(here, there, "{mirror:?}: values at {at:?}");
    }
    let mut told = 0;
    for at in between().chain(middles()) {
        let ways = [
            crowd.direction(one, at),
            crowd.direction(two, mirror.place(at)),
        ];
        let turned = ways[1].map(|way| mirror.vector(way));
        assert_eq!(bits(ways[0]), bits(turned), "{mirror:?}: way at {at:?}");
        told += u32::from(ways[0].is_some());
    }
    told
}

#[test]
fn mirrored_walkers_have_exactly_mirrored_fields() {
    for (seed, mirror) in (0..).zip([Mirror::Columns, Mirror::Rows, Mirror::Both]) {
        let mut draw = Draw::new(seed);
        let goal = Cell::new(35, 30);
        let mut world = mirrored_world(mirror, &mut draw, goal);
        let orders = [goal, mirror.cell(goal)].map(|goal| everywhere(&mut world, goal));
        // Whole 16ths, and predictions of whole quarters: sums are exact.
        let mut conduct = Conduct::default();
        conduct.foresight = 0.75;
        let mut settings = whole_map();
        settings.predictions = 3;
        let mut crowd = Crowd::new(settings).unwrap();
        // At odd 128ths, no unit ever stands on a border of cells.
        let mut odd = |end: u32| (2 * draw.below(end) + 1) as f32 / 128.0;
        let mut places: Vec<[f32; 2]> = (0..40).map(|_| [odd(1_800), odd(2_500)]).collect();
        let mut velocities = vec![[0.0, 0.0]; places.len()];
        let mut told = 0;
        for step in 0..40 {
            let streams = orders
                .each_ref()
                .map(|order| crowd.join(&world, order, &conduct, 4.0).unwrap());
            let pairs = places.iter().zip(&velocities);
            let walkers: Vec<_> = pairs
                .flat_map(|(&at, &velocity)| {
                    [
                        walker(at, velocity, streams[0]),
                        walker(mirror.place(at), mirror.vector(velocity), streams[1]),
                    ]
                })
                .collect();
            crowd.step(&world, &walkers, 0.1);
            if step % 4 == 0 {
                told += assert_mirrored(&crowd, &world, mirror, streams);
            }
            for (at, velocity) in places.iter_mut().zip(&mut velocities) {
                let way = crowd.direction(streams[0], *at).unwrap_or_default();
                *velocity = way.map(|along| (along * 64.0).round() / 16.0);
                *at = [0, 1].map(|axis| at[axis] + (way[axis] * 25.6).round() / 64.0);
            }
        }
        assert!(told > 100_000, "only {told} ways");
    }
}
