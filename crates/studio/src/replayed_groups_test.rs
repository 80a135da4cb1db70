//! The groups of a recorded battle, from their lines to the bands that they become.

use flowtiles::steer::Target;
use flowtiles::{Cell, CostMap, FlowWorld};

use crate::replay::{Input, Log};
use crate::replayed::Replay;
use crate::replayed_groups::{STEERED, group_banner};

#[test]
fn groups_are_shown_and_go_on_as_bands() {
    let start = FlowWorld::new(CostMap::open(60, 40).unwrap()).save();
    let mut lines = vec![
        "group hold 3 3",
        "group attack nearest corridor cells 1 50 30 0 50 2400 1000 5 5 6 5 7 5",
        "ungroup 0",
        "group order strict corridor cells 1 9 30 0 9 9",
        "group pursue 1 50 2400 1000 20 9",
    ];
    lines.extend([["tick 5000", "steer 50", "walk"]; 9].concat());
    let inputs = lines.iter().map(|line| Input::read(line, 3).unwrap());
    let text = Log::write(&start, &inputs.collect::<Vec<_>>());
    let mut replay = Replay::read("a.replay", text.as_bytes()).unwrap();
    while !replay.is_over() {
        replay.step().unwrap();
    }
    let shown: Vec<(u32, u8)> = replay
        .marks()
        .iter()
        .map(|mark| (mark.id, mark.banner))
        .collect();
    let banner = |number| group_banner(number);
    let wanted = [(1, 1), (2, 1), (3, 1), (4, 2), (5, 3)];
    assert_eq!(
        shown,
        wanted.map(|(id, group)| (STEERED | id, banner(group)))
    );
    assert_eq!(replay.figures()[8], 5.0, "units");
    let orders: Vec<(u8, u32)> = replay
        .orders()
        .iter()
        .map(|order| (order.banner, order.units))
        .collect();
    assert_eq!(orders, [(banner(2), 1), (banner(1), 3)]);

    // The group of number 2 has the place of the removed one in the army.
    let mut stage = replay.into_stage();
    let bands: Vec<(u8, usize)> = (0..stage.bands.len())
        .map(|band| (stage.bands[band].banner, stage.cells_of(band).len()))
        .collect();
    assert_eq!(bands, [(banner(1), 3), (banner(2), 1), (banner(3), 1)]);
    let goals: Vec<Cell> = stage.orders().iter().map(|order| order.goal).collect();
    assert_eq!(goals, [Cell::new(50, 30), Cell::new(9, 30)]);
    let stage_marks: Vec<u8> = stage
        .marks(|_| false)
        .iter()
        .map(|mark| mark.banner)
        .collect();
    assert_eq!(stage_marks, wanted.map(|(_, group)| banner(group)));
    let group = stage.bands[2].group;
    assert!(matches!(
        stage.army.target(group),
        Some(Target::Pursue(1, _))
    ));
    for _ in 0..900 {
        stage.step(20_000);
    }
    assert_eq!(stage.cells_of(1), [Cell::new(9, 30)], "it arrives");
}
