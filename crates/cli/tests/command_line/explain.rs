//! `flowtiles explain`: answers in words.

use crate::command::{Folder, Run};

const HEAD: &str = "type octile\nheight 4\nwidth 14\nmap\n";
const DOOR: &str = "....S......@..\n....S......@..\n..............\n....S......@..\n";
const SHUT: &str = "....S......@..\n....S......@..\n...........@..\n....S......@..\n";

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("door.map", format!("{HEAD}{DOOR}"));
    folder.write("shut.map", format!("{HEAD}{SHUT}"));
    folder
}

fn run(folder: &Folder, line: &str) -> Run {
    folder.run(&line.split(' ').collect::<Vec<_>>())
}

#[test]
fn a_start_is_explained() {
    let folder = folder("explain");
    let text = run(&folder, "explain door.map --order 0,0:13,2").answer();
    assert_eq!(
        text,
        "Cell (0, 0) in sector [0, 0], which the order has loaded: cost 1, on island 0.\n\
         Go east to (1, 0): along the order's field.\n\
         The path leaves the sector at (9, 2) through portal 0.0e0 to (10, 2) in sector [1, 0].\n\
         It ends at the goal (13, 2).\n\
         Cost-to-go 69: as far as 13.8 straight steps over open ground.\n"
    );
    let same = run(&folder, "explain door.map --from 0,0 --goal 13,2").answer();
    assert_eq!(same, text);
    let work = run(&folder, "explain door.map --order 0,0:13,2 --work 1").answer();
    assert!(
        work.contains("\nWait: the order's directions are being made"),
        "{work}"
    );
    let cells = run(
        &folder,
        "explain door.map --order 0,0:13,2 --cell 13,2 --cell 11,0",
    )
    .answer();
    assert!(cells.contains("\nArrived: this is a goal.\n"), "{cells}");
    assert!(
        cells.contains("straight through the wall to the nearest open cell"),
        "{cells}"
    );
}

#[test]
fn a_start_that_cannot_arrive_is_told_why() {
    let folder = folder("explain-apart");
    let text = run(&folder, "explain shut.map --order 0,0:13,2").answer();
    assert!(text.contains("which is on island 1."), "{text}");
    assert!(
        text.contains("nearest cell to it that can be reached is (10, 2)."),
        "{text}"
    );
}

#[test]
fn explanations_that_cannot_be_given() {
    let folder = folder("explain-bad");
    let cases = [
        ("explain door.map", "--order <FROM:GOAL>"),
        (
            "explain door.map --goal 13,2",
            "give --cell X,Y or --from X,Y",
        ),
        ("explain door.map --order 0,0", "FROM:GOAL"),
        ("explain door.map --order 0,0:x", "FROM:GOAL"),
        (
            "explain door.map --order 0,0:13,2 --cell 14,0",
            "--cell (14, 0) is off the map",
        ),
        (
            "explain door.map --order 0,0:11,0",
            "--goal (11, 0) is a wall",
        ),
    ];
    for (line, part) in cases {
        let run = run(&folder, line);
        assert_eq!((run.code, &run.stdout[..]), (Some(2), ""), "{line}");
        assert!(run.stderr.contains(part), "{line}: {}", run.stderr);
    }
}

#[test]
fn the_page_says_what_the_command_says() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let page = std::fs::read_to_string(format!("{root}/docs/guide/pictures.md")).unwrap();
    let folder = Folder::new("explain-page");
    std::fs::create_dir(folder.path().join("docs")).unwrap();
    let map = std::fs::read(format!("{root}/docs/valley.map")).unwrap();
    folder.write("docs/valley.map", map);
    let mut shown = 0;
    for block in page
        .split("```")
        .filter(|block| block.starts_with("console\n$ flowtiles explain"))
    {
        for command in block.split("$ flowtiles ").skip(1) {
            let (line, answer) = command.split_once('\n').unwrap();
            assert_eq!(run(&folder, line).answer(), answer, "{line}");
            shown += 1;
        }
    }
    assert_eq!(shown, 2);
}
