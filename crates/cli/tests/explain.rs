//! `flowtiles explain` and `flowtiles graph diff`: answers in words.

mod command;

use command::Folder;

const HEAD: &str = "type octile\nheight 4\nwidth 14\nmap\n";
const DOOR: &str = "....S......@..\n....S......@..\n..............\n....S......@..\n";
const SHUT: &str = "....S......@..\n....S......@..\n...........@..\n....S......@..\n";

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("door.map", format!("{HEAD}{DOOR}"));
    folder.write("shut.map", format!("{HEAD}{SHUT}"));
    folder
}

fn run(folder: &Folder, line: &str) -> command::Run {
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
fn equal_maps_have_equal_graphs() {
    let folder = folder("diff-same");
    let same = run(&folder, "graph diff door.map door.map");
    assert_eq!((same.code, &same.stderr[..]), (Some(0), ""));
    assert_eq!(same.stdout, "the same portal graph: 1 portals\n");
    let object = run(&folder, "graph diff door.map door.map --json").object();
    assert_eq!(object["portals"], serde_json::json!([1, 1]));
    assert_eq!(object["added"], serde_json::json!([]));
    // The map's own graph can still be printed.
    assert!(
        run(&folder, "graph door.map")
            .answer()
            .starts_with("map 14×4 cells")
    );
}

/// Three sectors in a row; the border between the first two is edited.
fn row(edit: &[(usize, usize, u8)]) -> String {
    let mut rows = vec![vec![b'.'; 30]; 10];
    for y in [0, 4, 9] {
        rows[y][9] = b'@';
    }
    // No sector is clear, so windows elsewhere stay as they are.
    rows[2][15] = b'S';
    rows[2][25] = b'S';
    for &(x, y, letter) in edit {
        rows[y][x] = letter;
    }
    let mut text = "type octile\nheight 10\nwidth 30\nmap\n".to_owned();
    for row in rows {
        text.push_str(std::str::from_utf8(&row).unwrap());
        text.push('\n');
    }
    text
}

#[test]
fn an_edit_shows_in_the_graph() {
    let folder = Folder::new("diff-edits");
    folder.write("a.map", row(&[]));
    // One window is gone, the other a cell shorter, and ground further east harder.
    folder.write("gone.map", row(&[(9, 1, b'@'), (9, 2, b'@'), (9, 3, b'@')]));
    folder.write("moved.map", row(&[(9, 1, b'@')]));
    folder.write(
        "cost.map",
        row(&(0..10).map(|y| (15, y, b'S')).collect::<Vec<_>>()),
    );
    let differs = |map: &str| {
        let run = run(&folder, &format!("graph diff a.map {map} --json"));
        assert_eq!(run.code, Some(1), "{}", run.stderr);
        assert!(run.stderr.contains(map), "{}", run.stderr);
        serde_json::from_str::<serde_json::Value>(&run.stdout).unwrap()
    };
    let count = |object: &serde_json::Value, name: &str| object[name].as_array().unwrap().len();

    let gone = differs("gone.map");
    assert_eq!(
        (
            count(&gone, "removed"),
            count(&gone, "added"),
            count(&gone, "moved")
        ),
        (1, 0, 0)
    );
    assert_eq!(gone["removed"][0]["window"], "(9, 1)..(9, 3)");
    assert!(gone["edges_of_removed"].as_u64().unwrap() > 0);
    let back = run(&folder, "graph diff gone.map a.map");
    assert_eq!(back.code, Some(1));
    assert!(
        back.stdout.contains("1 added, 0 removed, 0 moved"),
        "{}",
        back.stdout
    );
    assert!(back.stdout.contains("\n+ 0.0e"), "{}", back.stdout);

    let moved = differs("moved.map");
    assert_eq!((count(&moved, "removed"), count(&moved, "added")), (0, 0));
    assert_eq!(count(&moved, "moved"), 1);
    assert_eq!(moved["moved"][0]["before"]["window"], "(9, 1)..(9, 3)");
    assert_eq!(moved["moved"][0]["after"]["window"], "(9, 2)..(9, 3)");

    let cost = differs("cost.map");
    assert!(count(&cost, "edges") > 0, "{cost}");
    let known = ["before", "after"].map(|side| cost["edges"][0][side].as_u64().unwrap());
    assert!(known[0] < known[1], "{cost}");
    // Only the sector with harder ground differs.
    let edges = cost["edges"].as_array().unwrap();
    assert!(
        edges
            .iter()
            .all(|edge| edge["through"] == serde_json::json!([1, 0])),
        "{cost}"
    );
}

#[test]
fn maps_that_cannot_be_compared() {
    let folder = folder("diff-bad");
    folder.write("bad.map", "type octile\nhigh 3\n");
    for line in [
        "graph diff door.map none.map",
        "graph diff bad.map door.map",
        "graph diff door.map",
    ] {
        let run = run(&folder, line);
        assert_eq!(
            (run.code, &run.stdout[..]),
            (Some(2), ""),
            "{line}: {}",
            run.stderr
        );
    }
}

#[test]
fn the_page_says_what_the_command_says() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let page = std::fs::read_to_string(format!("{root}/docs/pictures.md")).unwrap();
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
