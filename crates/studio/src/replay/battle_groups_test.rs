//! Lines of groups that a battle refuses.

use flowtiles::{CellRect, Cost, CostMap, FlowWorld};

use super::battle::{Battle, Manner};
use super::fault::{Fault, refused};
use super::log::Input;
use flowtiles_scenes::random::Random;

fn new_battle() -> Battle {
    let mut costs = CostMap::open(60, 40).unwrap();
    costs.edit(CellRect::new(30, 0, 2, 30), Cost::WALL).unwrap();
    Battle::new(&FlowWorld::new(costs).save()).unwrap()
}

fn tell(battle: &mut Battle, line: &str) -> Result<(), Fault> {
    let input = Input::read(line, 3);
    let input = input.ok_or_else(|| refused(format_args!("no input: {line}")))?;
    let manner = Manner {
        saves: 2,
        ..Manner::PLAIN
    };
    battle.tell(&input, manner)
}

const LINES: [&str; 24] = [
    "group order strict corridor cells 1 50 5 0 3 3 4 3 5 3 3 4 4 4",
    "group hold 10 20 11 20 12 20",
    "group pursue 0 50 2400 1000 20 5 21 5",
    "send 0 attack nearest corridor cells 1 40 35 0 50 2400 1000",
    "send 0 follow 6",
    "send 1 flee foes 2000",
    "send 1 flee 0 900",
    "send 2 stand",
    "send 2 nowhere",
    "send 2 point 50 20",
    "queue 0 order nearest exact area 5 5 3 2",
    "patrol 1 2 point 5 5 order nearest corridor cells 1 20 20 0",
    "team 0 1 2",
    "team 1 2 1",
    "form 0 line 100",
    "form 0 none",
    "keep 0 width",
    "keep 1 pace",
    "join 1 0 1",
    "speed 3 800",
    "radius 2 45",
    "place 4 25 25",
    "remove 5",
    "steer 50",
];

#[test]
fn a_refused_line_changes_nothing() {
    let mut battle = new_battle();
    for line in &LINES[..3] {
        tell(&mut battle, line).unwrap();
    }
    for (line, told) in [
        ("send 7 hold", "no group 7"),
        ("join 7 0", "no group 7"),
        ("join 1 0 99", "no steered unit 99"),
        ("remove 0 99", "no steered unit 99"),
        ("group follow 99 1 1", "no steered unit 99"),
        ("group hold 1 1 60 5", "off the map"),
        ("place 0 -1 5", "off the map"),
        ("group point 2000000 5 1 1", "target point"),
        ("patrol 0 0", "a patrol needs targets"),
        ("patrol 0 2 hold point 5 5", "a patrol needs targets"),
        ("team 0 8", "team"),
        ("form 0 line 0", "spacing"),
        ("speed 0 4294967295", "speed"),
        ("radius 0 1700", "radius"),
        ("send 0 pursue 6 1 4294967295 1", "leash"),
        ("send 0 flee foes 4294967295", "safe distance"),
        ("send 0 order strict corridor cells 1 70 5 0", "off the map"),
        ("steer 0", "give 1 to 1000"),
        ("steer 1001", "give 1 to 1000"),
    ] {
        let before = battle.hashes();
        let fault = tell(&mut battle, line).unwrap_err();
        assert!(matches!(fault, Fault::Refused(_)), "{line}");
        assert!(fault.to_string().contains(told), "{line}: {fault}");
        assert_eq!(battle.hashes(), before, "{line}");
    }
}

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
        let mut words: Vec<&str> = LINES[random.below(24) as usize].split(' ').collect();
        for _ in 0..random.below(3) {
            let at = random.below(words.len() as i32) as usize;
            words[at] = [
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
                "hold",
                "none",
                "foes",
                "5",
                "100",
                "12",
                "3",
                "30",
            ][random.below(24) as usize];
        }
        match tell(&mut battle, &words.join(" ")) {
            Ok(()) => accepted += 1,
            Err(Fault::Refused(_)) => refusals += 1,
            Err(fault) => panic!("{words:?}: {fault}"),
        }
        if round % 20 == 0 {
            for line in ["tick 2000", "steer 50", "save"] {
                tell(&mut battle, line).unwrap();
            }
        }
    }
    assert!(accepted > 1500 && refusals > 500, "{accepted} {refusals}");
}
