//! `flowtiles check`: the findings and the exit codes.

#[path = "../../../../tests/draws/mod.rs"]
mod draws;

use draws::Rng;
use serde_json::{Value, json};

use crate::command::Folder;

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
        short.stdout.ends_with("pockets: 1\nchokes: 1\n"),
        "{}",
        short.stdout
    );
    folder.write("two.txt", ".#.#.\n");
    let first = folder.run(&["check", "two.txt", "--list", "1"]);
    assert!(
        first
            .stdout
            .contains("pockets: 2\n  1 cell, with (2, 0)\n  … and 1 more: --list N"),
        "{}",
        first.stdout
    );
}

/// Rows of `.` and `#`, with slow answers to compare with.
struct Rows(Vec<Vec<u8>>);

impl Rows {
    fn drawn(rng: &mut Rng) -> Self {
        let (width, height) = (1 + rng.below(23), 1 + rng.below(23));
        let share = 15 + rng.below(45);
        let mut cell = |_| if rng.below(100) < share { b'#' } else { b'.' };
        Self(
            (0..height)
                .map(|_| (0..width).map(&mut cell).collect())
                .collect(),
        )
    }

    fn is_open(&self, (x, y): (i32, i32)) -> bool {
        let row = usize::try_from(y).ok().and_then(|y| self.0.get(y));
        let cell = row
            .zip(usize::try_from(x).ok())
            .and_then(|(row, x)| row.get(x));
        cell == Some(&b'.')
    }

    /// Returns the open cells that can be reached from one by the step rule, among the
    /// allowed cells.
    fn reached(
        &self,
        from: (i32, i32),
        is_allowed: impl Fn((i32, i32)) -> bool,
    ) -> Vec<(i32, i32)> {
        let is_open = |cell| self.is_open(cell) && is_allowed(cell);
        let mut found = vec![from];
        let mut next = 0;
        while next < found.len() {
            let (x, y) = found[next];
            for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
                let to = (x + dx, y + dy);
                let is_free = is_open(to) && is_open((x + dx, y)) && is_open((x, y + dy));
                if is_free && !found.contains(&to) {
                    found.push(to);
                }
            }
            next += 1;
        }
        found
    }

    /// Returns how many cells closing a cell cuts off from the largest remaining part;
    /// `None` if it is no choke.
    fn cut(&self, cell: (i32, i32)) -> Option<usize> {
        let (x, y) = cell;
        let beside = [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)];
        let beside: Vec<_> = beside.into_iter().filter(|&at| self.is_open(at)).collect();
        let around = |at: (i32, i32)| at != cell && (at.0 - x).abs() <= 1 && (at.1 - y).abs() <= 1;
        let &first = beside.first()?;
        let near = self.reached(first, around);
        if beside.iter().all(|at| near.contains(at)) {
            return None;
        }
        let island = self.reached(cell, |_| true).len();
        let parts = beside
            .iter()
            .map(|&at| self.reached(at, |at| at != cell).len());
        Some(island - 1 - parts.max()?)
    }
}

#[test]
fn chokes_equal_those_found_by_closing_each_cell() {
    let folder = Folder::new("check-drawn");
    let (mut cutting, mut others) = (0, 0);
    for seed in 0..40 {
        let rows = Rows::drawn(&mut Rng::new(seed));
        let text: String = rows
            .0
            .iter()
            .map(|row| format!("{}\n", String::from_utf8_lossy(row)))
            .collect();
        folder.write("drawn.txt", text);
        let run = folder.run(&["check", "drawn.txt", "--json", "--list", "1000"]);
        let object: Value = serde_json::from_str(&run.stdout).expect("one object");
        let told = object["chokes"]["list"].as_array().expect("a list");
        // Each run is represented by its worst cell; together the runs have as
        // many cells as there are chokes.
        let number = |value: &Value| value.as_u64().expect("a number") as usize;
        let cells = told
            .iter()
            .map(|run| number(&run["side_by_side"]))
            .sum::<usize>();
        let mut found = Vec::new();
        for (y, row) in (0..).zip(&rows.0) {
            let open = (0..).zip(row).filter(|(_, cell)| **cell == b'.');
            found.extend(open.filter_map(|(x, _)| Some((rows.cut((x, y))?, [x, y]))));
        }
        assert_eq!(cells, found.len(), "seed {seed}");
        for run in told {
            let cut = number(&run["cut"]);
            let is_found =
                |&(slow, cell): &(usize, [i32; 2])| slow == cut && run["cell"] == json!(cell);
            assert!(found.iter().any(is_found), "seed {seed}: {run}");
        }
        let most = |cuts: &mut dyn Iterator<Item = usize>| cuts.max();
        assert_eq!(
            most(&mut told.iter().map(|run| number(&run["cut"]))),
            most(&mut found.iter().map(|(cut, _)| *cut)),
            "seed {seed}"
        );
        cutting += found.iter().filter(|(cut, _)| *cut > 0).count();
        others += found.iter().filter(|(cut, _)| *cut == 0).count();
    }
    assert!(cutting > 100 && others > 100, "{cutting} {others}");
}

#[test]
fn a_choke_with_a_way_around_it_is_told_as_such() {
    let folder = Folder::new("check-doors");
    // Two doors of one cell, and no portal: the map is one sector.
    folder.write("doors.txt", "...#...\n.......\n...#...\n.......\n...#...\n");
    let run = folder.run(&["check", "doors.txt"]);
    assert_eq!(run.code, Some(1));
    let told = "chokes: 2\n  (2, 1) has another way around it, as have 2 side by side\n  \
                (2, 3) has another way around it, as have 2 side by side\n";
    assert!(run.stdout.ends_with(told), "{}", run.stdout);
    let cutting = folder.run(&["check", "doors.txt", "--min-cut", "1"]);
    assert!(
        cutting.stdout.ends_with("chokes: 0\n"),
        "{}",
        cutting.stdout
    );
    assert_eq!(cutting.code, Some(0));
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
fn spawn_point_off_the_map_is_always_a_finding() {
    let folder = rooms("check-spawns-off");
    folder.run(&["convert", "open.txt", "open.tmx"]).answer();
    let text = std::fs::read_to_string(folder.path().join("open.tmx")).expect("a map");
    let spawn = "<objectgroup name=\"spawn\"><object x=\"80\" y=\"17\"/></objectgroup></map>";
    folder.write("off.tmx", text.replace("</map>", spawn));
    for line in [
        "check open.txt --spawn 5,1",
        "check open.txt --spawn 0,0 --spawn 5,-1",
        "check off.tmx",
    ] {
        let run = folder.run(&line.split(' ').collect::<Vec<_>>());
        assert_eq!(run.code, Some(1), "{line}: {}", run.stderr);
        let told = run.stdout.lines().last().unwrap_or_default();
        assert!(told.ends_with(") is off the map"), "{line}: {}", run.stdout);
    }
}

/// The example of docs/map-formats.md finds what the command finds.
#[test]
fn docs_example_finds_a_spawn_point_that_is_cut_off() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let docs = std::fs::read_to_string(format!("{root}/docs/map-formats.md")).expect("the docs");
    let mut lines = docs.lines();
    let example = lines.find_map(|line| line.strip_prefix("$ flowtiles check docs/valley.map "));
    let map = format!("{root}/docs/valley.map");
    let mut arguments = vec!["check", &map];
    arguments.extend(example.expect("an example").split(' '));
    let run = Folder::new("check-docs").run(&arguments);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let told = "spawn points cut off: 1\n  (85, 1) cannot reach (12, 40)";
    assert!(run.stdout.contains(told), "{}", run.stdout);
    assert!(
        run.stdout.contains("\nnarrow passages: 5\n"),
        "{}",
        run.stdout
    );
}

#[test]
fn bad_input_ends_with_2() {
    let folder = rooms("check-bad");
    for line in [
        "check none.txt",
        "check rooms.txt --spawn x",
        "check rooms.txt --size 0",
        "check rooms.txt --size 9",
        "check rooms.txt --allow doors",
    ] {
        let run = folder.run(&line.split(' ').collect::<Vec<_>>());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{line}");
        assert!(!run.stderr.is_empty());
    }
}
