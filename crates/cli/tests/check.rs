//! `flowtiles check`: what is found, and how it ends.

mod command;

use command::Folder;

/// Two rooms with a door of one cell between them, and a pocket.
const ROOMS: &str = "\
.........#...........
.........#...........
.....................
.........#...........
.........#.........##
.........#.........#.
";

fn rooms(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("rooms.txt", ROOMS);
    folder.write("open.txt", "....\n....\n");
    folder
}

#[test]
fn a_map_without_findings_ends_with_0() {
    let folder = rooms("check-open");
    let answer = folder.run(&["check", "open.txt", "--size", "2"]).answer();
    let expected = "map: 4×2 cells, 8 open\nmainland: 8 cells, with (0, 0)\npockets: 0\nchokes: 0\n\
                    narrow passages: 0\n";
    assert_eq!(answer, expected);
}

#[test]
fn findings_are_told_and_end_with_1() {
    let folder = rooms("check-rooms");
    let line = "check rooms.txt --size 2 --spawn 0,0 --spawn 20,0 --spawn 20,5 --spawn 9,0";
    let run = folder.run(&line.split(' ').collect::<Vec<_>>());
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let expected = "\
map: 21×6 cells, 118 open
mainland: 117 cells, with (0, 0)
pockets: 1
  1 cell, with (20, 5)
chokes: 1
  (10, 2) cuts off 55 cells, the worst of 3 side by side
narrow passages: 1
  (9, 2) is 1 wide, portal ";
    assert!(run.stdout.starts_with(expected), "{}", run.stdout);
    let spawns = "spawn points cut off: 2\n  (20, 5) cannot reach (0, 0), on whose island most are\n  \
                  (9, 0) is in a wall\n";
    assert!(run.stdout.ends_with(spawns), "{}", run.stdout);
    let told =
        "rooms.txt: found pockets (1), chokes (1), narrow passages (1), spawn points cut off (2)";
    assert!(run.stderr.contains(told), "{}", run.stderr);
}

#[test]
fn findings_may_be_allowed_or_too_small() {
    let folder = rooms("check-allow");
    let code = |line: &str| {
        let all = format!("check rooms.txt {line}");
        folder.run(&all.split(' ').collect::<Vec<_>>()).code
    };
    assert_eq!(code("--allow pockets,chokes"), Some(0));
    assert_eq!(code("--allow pockets"), Some(1));
    assert_eq!(code("--min-pocket 2 --min-cut 56"), Some(0));
    assert_eq!(code("--min-pocket 2 --min-cut 55"), Some(1));
    folder.write("walls.txt", "##\n");
    let run = folder.run(&["check", "walls.txt"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("no open cell"));
}

#[test]
fn the_object_holds_what_the_text_holds() {
    let folder = rooms("check-json");
    let arguments = [
        "check",
        "rooms.txt",
        "--json",
        "--size",
        "3",
        "--allow",
        "pockets",
    ];
    let run = folder.run(&arguments);
    assert_eq!(run.code, Some(1));
    let object: serde_json::Value = serde_json::from_str(&run.stdout).expect("one object");
    assert_eq!(object["mainland"]["cells"], 117);
    assert_eq!(
        object["pockets"]["list"][0]["cell"],
        serde_json::json!([20, 5])
    );
    assert_eq!(object["chokes"]["list"][0]["cut"], 55);
    assert_eq!(object["passages"]["count"], 1);
    let found = serde_json::json!(["chokes (1)", "narrow passages (1)"]);
    assert_eq!(object["found"], found);
    let short = folder.run(&["check", "rooms.txt", "--list", "0"]);
    assert!(
        short.stdout.contains("pockets: 1\n  … and 1 more"),
        "{}",
        short.stdout
    );
}

#[test]
fn spawn_points_come_from_scenarios_and_tiled_maps() {
    let folder = rooms("check-spawns");
    let head = "version 1\n0 rooms.txt 21 6 0 0 20 0 20\n";
    folder.write("good.scen", format!("{head}0 rooms.txt 21 6 0 0 20 5 0\n"));
    folder.write("cut.scen", format!("{head}0 rooms.txt 21 6 0 0 20 5 25\n"));
    folder.write("size.scen", "version 1\n0 rooms.txt 20 6 0 0 1 0 1\n");
    let run = |scenario: &str| {
        let allow = ["--allow", "pockets,chokes"];
        let arguments = ["check", "rooms.txt", "--scen", scenario, allow[0], allow[1]];
        folder.run(&arguments)
    };
    assert_eq!(run("good.scen").code, Some(0));
    let cut = run("cut.scen");
    assert_eq!(cut.code, Some(1));
    let told = "(0, 0) cannot reach its goal (20, 5) (line 3 of the scenario)";
    assert!(cut.stdout.contains(told), "{}", cut.stdout);
    let size = run("size.scen");
    assert_eq!((size.code, size.stdout.as_str()), (Some(2), ""));
    assert!(
        size.stderr.contains("size.scen: line 2: "),
        "{}",
        size.stderr
    );

    folder.run(&["convert", "rooms.txt", "rooms.tmx"]).answer();
    let text = std::fs::read_to_string(folder.path().join("rooms.tmx")).expect("a map");
    let spawns = "<objectgroup name=\"spawn\"><object x=\"1\" y=\"1\"/><object x=\"17\" y=\"1\"/>\
                  <object x=\"330\" y=\"90\"/></objectgroup></map>";
    folder.write("rooms.tmx", text.replace("</map>", spawns));
    let run = folder.run(&["check", "rooms.tmx", "--allow", "pockets,chokes"]);
    assert_eq!(run.code, Some(1));
    let told = "spawn points cut off: 1\n  (20, 5) cannot reach (0, 0)";
    assert!(run.stdout.contains(told), "{}", run.stdout);
}

#[test]
fn bad_input_ends_with_2() {
    let folder = rooms("check-bad");
    for line in [
        "check none.txt",
        "check rooms.txt --spawn 21,0",
        "check rooms.txt --spawn x",
        "check rooms.txt --size 0",
        "check rooms.txt --allow doors",
    ] {
        let run = folder.run(&line.split(' ').collect::<Vec<_>>());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{line}");
        assert!(!run.stderr.is_empty());
    }
}
