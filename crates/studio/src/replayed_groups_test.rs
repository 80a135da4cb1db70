//! The groups of a recorded battle, from their lines to the bands that they become.

use flowtiles::steer::Target;
use flowtiles::{Cell, CostMap, FlowWorld};

use crate::replay::{Input, Kind, Saved};
use crate::replayed::Replay;
use crate::replayed_groups::{STEERED, group_banner};
use crate::start::Start;

#[test]
fn groups_are_shown_and_go_on_as_bands() {
    let start = FlowWorld::new(CostMap::open(60, 40).unwrap()).save();
    let chase = r#""chase":{"range":50,"leash":2400,"sight":1000}"#;
    let add = |target: &str, units: &str| {
        format!(r#"{{"groups":{{"add":{{"target":{target},"units":{units}}}}}}}"#)
    };
    let goal = |x, y| format!(r#"{{"cells":[{{"cell":[{x},{y}]}}],"or_nearest":true}}"#);
    let attack = format!(r#"{{"attack":{{"goal":{},{chase}}}}}"#, goal(50, 30));
    let order = format!(r#"{{"order":{}}}"#, goal(9, 30));
    let pursue = format!(r#"{{"pursue":{{"unit":1,{chase}}}}}"#);
    let mut lines = vec![
        add("\"hold\"", "[[3,3]]"),
        add(&attack, "[[5,5],[6,5],[7,5]]"),
        r#"{"groups":{"ungroup":0}}"#.to_owned(),
        add(&order, "[[9,9]]"),
        add(&pursue, "[[20,9]]"),
    ];
    let step = [
        r#"{"tick":5000}"#,
        r#"{"groups":{"steer":50}}"#,
        r#""walk""#,
    ];
    lines.extend([step; 9].as_flattened().iter().map(|&line| line.to_owned()));
    let inputs = lines.iter().map(|line| serde_json::from_str(line).unwrap());
    let start = Start::World(String::new(), start);
    let text = Saved::write(Kind::Battle, &start, &inputs.collect::<Vec<Input>>()).unwrap();
    let mut replay = Replay::new("a.replay", Saved::read(text.as_bytes()).unwrap()).unwrap();
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
