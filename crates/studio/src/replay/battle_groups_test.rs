//! Inputs of groups that a battle refuses.

use flowtiles::{CellRect, Cost, CostMap, FlowWorld};
use flowtiles_country::random::Random;

use super::battle::{Battle, Manner};
use super::fault::{Fault, refused};
use super::input::Input;
use crate::start::Start;

fn new_battle() -> Battle {
    let mut costs = CostMap::open(60, 40).unwrap();
    costs.edit(CellRect::new(30, 0, 2, 30), Cost::WALL).unwrap();
    let save = FlowWorld::new(costs).save();
    Battle::begin(&Start::World(String::new(), save)).unwrap()
}

fn tell(battle: &mut Battle, line: &str) -> Result<(), Fault> {
    let input: Input = serde_json::from_str(line).map_err(refused)?;
    let manner = Manner {
        saves: 2,
        ..Manner::PLAIN
    };
    battle.tell(&input, manner)
}

const LINES: [&str; 24] = [
    r#"{"groups":{"add":{"target":{"order":{"cells":[{"cell":[50,5]}]}},"units":[[3,3],[4,3],[5,3],[3,4],[4,4]]}}}"#,
    r#"{"groups":{"add":{"target":"hold","units":[[10,20],[11,20],[12,20]]}}}"#,
    r#"{"groups":{"add":{"target":{"pursue":{"unit":0,"chase":[50,2400,1000]}},"units":[[20,5],[21,5]]}}}"#,
    r#"{"groups":{"send":{"group":0,"target":{"attack":{"goal":{"cells":[{"cell":[40,35]}],"or_nearest":true},"chase":[50,2400,1000]}}}}}"#,
    r#"{"groups":{"send":{"group":0,"target":{"follow":6}}}}"#,
    r#"{"groups":{"send":{"group":1,"target":{"flee":{"from":null,"safe":2000}}}}}"#,
    r#"{"groups":{"send":{"group":1,"target":{"flee":{"from":0,"safe":900}}}}}"#,
    r#"{"groups":{"send":{"group":2,"target":"stand"}}}"#,
    r#"{"groups":{"send":{"group":2,"target":"flock"}}}"#,
    r#"{"groups":{"send":{"group":2,"target":{"point":[50,20]}}}}"#,
    r#"{"groups":{"queue":{"group":0,"target":{"order":{"cells":[{"cell":[5,5]},{"cell":[6,5],"start_cost":40}],"or_nearest":true,"quality":"Exact"}}}}}"#,
    r#"{"groups":{"patrol":{"group":1,"targets":[{"point":[5,5]},{"order":{"cells":[{"cell":[20,20]}],"or_nearest":true}}]}}}"#,
    r#"{"groups":{"team":{"group":0,"team":1,"foes":[2]}}}"#,
    r#"{"groups":{"team":{"group":1,"team":2,"foes":[1]}}}"#,
    r#"{"groups":{"form":{"group":0,"shape":"line","spacing":100}}}"#,
    r#"{"groups":{"disband":0}}"#,
    r#"{"groups":{"keep":{"group":0,"kept":"width"}}}"#,
    r#"{"groups":{"keep":{"group":1,"kept":"pace"}}}"#,
    r#"{"groups":{"join":{"group":1,"units":[0,1]}}}"#,
    r#"{"groups":{"speed":{"unit":3,"speed":800}}}"#,
    r#"{"groups":{"radius":{"unit":2,"radius":45}}}"#,
    r#"{"groups":{"place":{"unit":4,"cell":[25,25]}}}"#,
    r#"{"groups":{"remove":[5]}}"#,
    r#"{"groups":{"steer":50}}"#,
];

#[test]
fn a_refused_line_changes_nothing() {
    let mut battle = new_battle();
    for line in &LINES[..3] {
        tell(&mut battle, line).unwrap();
    }
    for (line, told) in [
        (
            r#"{"groups":{"send":{"group":7,"target":"hold"}}}"#,
            "no group 7",
        ),
        (
            r#"{"groups":{"join":{"group":7,"units":[0]}}}"#,
            "no group 7",
        ),
        (
            r#"{"groups":{"join":{"group":1,"units":[0,99]}}}"#,
            "no steered unit 99",
        ),
        (r#"{"groups":{"remove":[0,99]}}"#, "no steered unit 99"),
        (
            r#"{"groups":{"add":{"target":{"follow":99},"units":[[1,1]]}}}"#,
            "no steered unit 99",
        ),
        (
            r#"{"groups":{"add":{"target":"hold","units":[[1,1],[60,5]]}}}"#,
            "off the map",
        ),
        (
            r#"{"groups":{"place":{"unit":0,"cell":[-1,5]}}}"#,
            "off the map",
        ),
        (
            r#"{"groups":{"add":{"target":{"point":[2000000,5]},"units":[[1,1]]}}}"#,
            "target point",
        ),
        (
            r#"{"groups":{"patrol":{"group":0,"targets":[]}}}"#,
            "a patrol needs targets",
        ),
        (
            r#"{"groups":{"patrol":{"group":0,"targets":["hold",{"point":[5,5]}]}}}"#,
            "a patrol needs targets",
        ),
        (
            r#"{"groups":{"team":{"group":0,"team":8,"foes":[]}}}"#,
            "team",
        ),
        (
            r#"{"groups":{"team":{"group":0,"team":1,"foes":[8]}}}"#,
            "no team 8",
        ),
        (
            r#"{"groups":{"form":{"group":0,"shape":"line","spacing":0}}}"#,
            "spacing",
        ),
        (
            r#"{"groups":{"speed":{"unit":0,"speed":4294967295}}}"#,
            "speed",
        ),
        (
            r#"{"groups":{"radius":{"unit":0,"radius":1700}}}"#,
            "radius",
        ),
        (
            r#"{"groups":{"send":{"group":0,"target":{"pursue":{"unit":6,"chase":[1,4294967295,1]}}}}}"#,
            "leash",
        ),
        (
            r#"{"groups":{"send":{"group":0,"target":{"flee":{"from":null,"safe":4294967295}}}}}"#,
            "safe distance",
        ),
        (
            r#"{"groups":{"send":{"group":0,"target":{"order":{"cells":[{"cell":[70,5]}]}}}}}"#,
            "off the map",
        ),
        (r#"{"groups":{"steer":0}}"#, "give 1 to 1000"),
        (r#"{"groups":{"steer":1001}}"#, "give 1 to 1000"),
    ] {
        let before = battle.hashes();
        let fault = tell(&mut battle, line).unwrap_err();
        assert!(matches!(fault, Fault::Refused(_)), "{line}");
        assert!(fault.to_string().contains(told), "{line}: {fault}");
        assert_eq!(battle.hashes(), before, "{line}");
    }
}

const WORDS: [&str; 24] = [
    "0",
    "1",
    "2",
    "7",
    "-1",
    "39",
    "59",
    "1000",
    "65535",
    "1000000",
    "2147483647",
    "-2147483648",
    "4294967295",
    "4294967296",
    "x",
    "",
    "\"hold\"",
    "null",
    "1e999",
    "5",
    "100",
    "12",
    "3",
    "30",
];

/// Lines with other numbers and words in place of some.
#[test]
fn no_line_makes_a_battle_panic() {
    let mut random = Random::new(5);
    let mut battle = new_battle();
    let (mut accepted, mut refusals) = (0, 0);
    for round in 0..4000 {
        if round % 200 == 0 {
            battle = new_battle();
            for line in &LINES[..3] {
                tell(&mut battle, line).unwrap();
            }
        }
        // The words of a line and the marks between them.
        let line = LINES[random.below(24) as usize];
        let mut words: Vec<&str> = line
            .split_inclusive(|letter| "{}[],:".contains(letter))
            .flat_map(|part| <[&str; 2]>::from(part.split_at(part.len() - 1)))
            .filter(|part| !part.is_empty())
            .collect();
        for _ in 0..random.below(3) {
            let place = random.below(words.len() as i32) as usize;
            if words[place].parse::<i32>().is_err() && random.below(4) > 0 {
                continue;
            }
            words[place] = WORDS[random.below(24) as usize];
        }
        match tell(&mut battle, &words.concat()) {
            Ok(()) => accepted += 1,
            Err(Fault::Refused(_)) => refusals += 1,
            Err(fault) => panic!("{words:?}: {fault}"),
        }
        if round % 20 == 0 {
            for line in [r#"{"tick":2000}"#, LINES[23], r#""save""#] {
                tell(&mut battle, line).unwrap();
            }
        }
    }
    assert!(accepted > 1500 && refusals > 500, "{accepted} {refusals}");
}
