//! `flowtiles graph`: the same text every time, in three formats.

use crate::command::Folder;

/// Two rooms with a door between them, and a pocket without.
const ROOMS: &str = "\
type octile
height 11
width 21
map
..........@..........
..........@..........
..........@..........
..........@..........
..........@..........
.....................
..........@..........
..........@..........
@@@.......@..........
..@.......@..........
..@.......@..........
";

fn rooms(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("rooms.map", ROOMS);
    folder
}

#[test]
fn the_text_is_as_recorded() {
    let text = rooms("graph-text").run(&["graph", "rooms.map"]).answer();
    // To record it again: flowtiles graph rooms.map
    assert_eq!(text, include_str!("snapshots/rooms.graph.txt"));
}

#[test]
fn json_holds_what_the_text_holds() {
    let folder = rooms("graph-json");
    let object = folder
        .run(&["graph", "rooms.map", "--format", "json"])
        .object();
    assert_eq!(
        (object["width"].as_u64(), object["height"].as_u64()),
        (Some(21), Some(11))
    );
    let count = |key: &str| object[key].as_array().map_or(0, Vec::len);
    let text = folder.run(&["graph", "rooms.map"]).answer();
    let lines = |start: bool| {
        let lines = text.lines().skip(1);
        lines
            .filter(|line| line.starts_with("  -> ") == start)
            .count()
    };
    assert_eq!(
        (count("portals"), count("edges")),
        (lines(false), lines(true))
    );
    let door = &object["portals"][0];
    assert_eq!(door["crossing"], serde_json::json!([[9, 5], [10, 5]]));
    assert_eq!(door["width"], 1);
}

#[test]
fn dot_names_every_portal() {
    let folder = rooms("graph-dot");
    let dot = folder
        .run(&["graph", "rooms.map", "--format", "dot"])
        .answer();
    let text = folder.run(&["graph", "rooms.map"]).answer();
    assert!(dot.starts_with("digraph {"));
    for line in text.lines().skip(1).filter(|line| !line.starts_with(' ')) {
        let id = line
            .split(':')
            .next()
            .expect("a portal's line starts with its id");
        assert!(dot.contains(&format!("label = \"{id} ")), "{id}");
    }
    assert_eq!(dot.matches("->").count(), text.matches("->").count());
}

#[test]
fn a_map_of_one_cell_has_no_portal() {
    let folder = Folder::new("graph-one");
    folder.write("one.map", "type octile\nheight 1\nwidth 1\nmap\n.\n");
    let text = folder.run(&["graph", "one.map"]).answer();
    assert_eq!(text, "map 1×1 cells, 1×1 sectors, 0 portals, 0 edges\n");
}
