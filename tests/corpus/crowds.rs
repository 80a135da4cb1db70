//! Crowds by themselves: streams that meet in a pass, over hills and past dangers.

use flowtiles::crowd::{Conduct, Crowd, CrowdSettings, CrowdUnit, Danger, Heights};
use flowtiles::inspect::Digest;
use flowtiles::steer::parts::slide;
use flowtiles::{Budget, Cell, CellRect, Cost, FlowWorld, Goal, Quality};

use crate::crowd::{Draw, drawn_map};

const SECONDS: f32 = 0.1;

/// Two streams of this many units that meet among walls and dear ground.
fn meeting(seed: u32, units: u32, settings: CrowdSettings) -> u64 {
    let mut draw = Draw::new(seed);
    let mut map = drawn_map(&mut draw, 80, 50, 4);
    for (area, cost) in [
        (CellRect::new(39, 0, 2, 50), Cost::WALL),
        (CellRect::new(39, 20, 2, 5), Cost::OPEN),
        (CellRect::new(15, 10, 12, 25), Cost::new(3).expect("not 0")),
        (CellRect::new(3, 15, 8, 18), Cost::OPEN),
        (CellRect::new(69, 15, 8, 18), Cost::OPEN),
    ] {
        map.edit(area, cost).expect("on the map");
    }
    let mut world = FlowWorld::new(map);
    let goals = [Cell::new(72, 24), Cell::new(7, 24)];
    let orders = goals.map(|goal| {
        let goal = Goal::at(goal).with_quality(Quality::Everywhere);
        world.order(goal, &[]).expect("an open goal")
    });
    world.tick(Budget::UNLIMITED);
    let mut crowd = Crowd::new(settings).expect("good settings");
    let levels = (0..80 * 50).map(|at| ((at % 80) / 9 * 3 + at / 800) as u8);
    let heights = Heights::from_bytes(80, 50, levels.collect(), 0.1).expect("one for each cell");
    crowd
        .set_heights(&world, heights)
        .expect("of the world's size");
    let mut walkers: Vec<(usize, [f32; 2], [f32; 2])> = (0..units)
        .map(|at| {
            let side = at as usize % 2;
            let place = [
                draw.float(3.5, 10.5) + [0.0, 66.0][side],
                draw.float(15.5, 32.5),
            ];
            (side, place, [0.0, 0.0])
        })
        .collect();
    let mut digest = Digest::new();
    let bits = |digest: &mut Digest, at: [f32; 2]| {
        let [x, y] = at.map(f32::to_bits);
        digest.number(u64::from(x) | u64::from(y) << 32);
    };
    for step in 0..160 {
        if step == 60 {
            let area = CellRect::new(30, 22, 3, 6);
            world.edit(area, Cost::WALL).expect("on the map");
            world.tick(Budget::UNLIMITED);
        }
        let conduct = Conduct::default();
        let streams = orders.each_ref().map(|order| {
            crowd
                .join(&world, order, &conduct, 4.0)
                .expect("good values")
        });
        let danger = Danger {
            position: [20.0 + step as f32 / 4.0, 25.0],
            radius: 4.0,
            strength: 2.0,
        };
        crowd.set_dangers(&[danger]).expect("good values");
        let units: Vec<CrowdUnit> = walkers
            .iter()
            .map(|&(side, position, velocity)| CrowdUnit {
                position,
                velocity,
                stream: Some(streams[side]),
                stands: false,
            })
            .collect();
        crowd.step(&world, &units, SECONDS);
        for (side, at, velocity) in &mut walkers {
            let way = crowd.direction(streams[*side], *at).unwrap_or_default();
            let pace = crowd.pace(&world, streams[*side], *at).unwrap_or_default();
            let step = way.map(|along| along * pace * SECONDS);
            let next = slide(world.costs(), *at, step, 0.2);
            *velocity = [(next[0] - at[0]) / SECONDS, (next[1] - at[1]) / SECONDS];
            *at = next;
            bits(&mut digest, next);
            let density = crowd.density(next).unwrap_or(-1.0);
            let potential = crowd.potential(streams[*side], next).unwrap_or(-1.0);
            bits(&mut digest, [density, potential]);
        }
    }
    digest.finish()
}

#[test]
fn crowds_come_to_the_recorded_numbers() {
    let default = CrowdSettings::default();
    let mut fine = CrowdSettings::default();
    fine.resolution = 2;
    let mut slow = CrowdSettings::default();
    slow.cells_per_step = 900;
    let games = [
        ("meeting", (3, 120, default)),
        ("fine", (4, 80, fine)),
        ("a little a step", (5, 120, slow)),
    ];
    crate::assert_recorded("crowds", include_str!("crowds.txt"), &games, |game| {
        meeting(game.0, game.1, game.2)
    });
}
