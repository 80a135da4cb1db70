//! `flowtiles bench`: it runs, prints its figures, and refuses bad arguments. Speed
//! is not checked here.

mod command;

use std::fs;

use command::Folder;
use serde_json::{Value, json};

/// A run of seconds on small maps.
const QUICK: [&str; 4] = ["bench", "--quick", "--size", "60"];

/// Figures that are a number.
const NUMBERS: [&str; 15] = [
    "build_ms",
    "build_2_threads_ms",
    "bytes_per_cell",
    "clearance_ms",
    "route_us",
    "petgraph_astar_us",
    "pathfinding_astar_us",
    "field_ms",
    "dijkstra_heap_ms",
    "dijkstra_bucket_ms",
    "thousand_units_ms",
    "lookup_ns",
    "lookup_scattered_ns",
    "save_mb_s",
    "load_mb_s",
];

/// Figures that are several numbers.
const GROUPS: [(&str, &[&str]); 9] = [
    ("edit_us", &["median", "p99"]),
    ("building_us", &["median", "p99"]),
    (
        "layers",
        &[
            "derive_ms",
            "derive_wide_ms",
            "bytes_per_cell",
            "edit_six_us",
            "note_us",
            "congest_us",
        ],
    ),
    ("links_200", &["order_us", "without_us"]),
    ("order_us", &["median", "p95"]),
    ("exact_us", &["median", "p95"]),
    (
        "edit_storm",
        &["longest_ms", "median_ms", "cells", "anew_ms"],
    ),
    ("orders_500", &["first_ms", "all_ms", "bytes"]),
    (
        "sector_ns",
        &[
            "clear",
            "walls",
            "costs",
            "textbook_clear",
            "textbook_walls",
            "textbook_costs",
        ],
    ),
];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    QUICK.iter().chain(more).copied().collect()
}

fn keys(object: &Value) -> Vec<&str> {
    let object = object.as_object().expect("an object");
    object.keys().map(String::as_str).collect()
}

/// An open map with a wall across it, as a Moving AI file.
fn map_file() -> String {
    let row = |y: usize| {
        let cell = |x: usize| if x == 20 && y != 7 { '@' } else { '.' };
        (0..40).map(cell).chain(['\n']).collect::<String>()
    };
    let rows: String = (0..30).map(row).collect();
    format!("type octile\nheight 30\nwidth 40\nmap\n{rows}")
}

#[test]
fn a_quick_run_measures_everything_on_every_map() {
    let folder = Folder::new("bench-json");
    folder.write("wall.map", map_file());
    let object = folder.run(&with(&["--map", "wall.map", "--json"])).object();
    let expected = ["crowd", "machine", "maps", "quality", "revision", "rustc"];
    assert_eq!(keys(&object), expected);
    check_crowd(&object["crowd"]);
    let qualities = object["quality"].as_array().expect("a list");
    assert_eq!(qualities.len(), 16, "fifteen kinds of ground and a file");
    for ground in qualities {
        let [mean, worst] = ["mean", "worst"].map(|key| ground[key].as_f64().expect(key));
        assert!(
            (1.0..=worst).contains(&mean) || ground["orders"] == 0,
            "{ground}"
        );
    }
    for key in ["machine", "rustc", "revision"] {
        assert!(!object[key].as_str().expect(key).is_empty(), "{key}");
    }
    let maps = object["maps"].as_array().expect("a list");
    let names: Vec<&str> = maps.iter().filter_map(|map| map["map"].as_str()).collect();
    let drawn = [
        "open", "rooms", "caves", "maze", "random", "terrain", "roads",
    ];
    assert_eq!(names, [&drawn[..], &["wall.map"]].concat());
    for map in maps {
        let mut expected: Vec<&str> = NUMBERS.to_vec();
        expected.extend(GROUPS.iter().map(|&(key, _)| key));
        expected.extend(["map", "width", "height"]);
        expected.sort_unstable();
        assert_eq!(keys(map), expected);
        for key in NUMBERS {
            assert!(map[key].as_f64().is_some_and(|value| value > 0.0), "{key}");
        }
        for (key, parts) in GROUPS {
            let mut parts = parts.to_vec();
            parts.sort_unstable();
            assert_eq!(keys(&map[key]), parts);
            for part in parts {
                let value = map[key][part].as_f64();
                assert!(value.is_some_and(|value| value > 0.0), "{key}.{part}");
            }
        }
    }
    assert_eq!(
        (&maps[0]["width"], &maps[7]["width"]),
        (&json!(60), &json!(40))
    );
}

/// Figures of crowds.
const CROWD: [(&str, &[&str]); 3] = [
    ("marching_ns", &["noise", "obstacles", "smooth", "uniform"]),
    (
        "solve_ns",
        &["begin", "costs", "directions", "rim", "wave", "whole"],
    ),
    (
        "tick_ms",
        &[
            "fields",
            "fields_2_threads",
            "fields_large_map",
            "motion",
            "motion_2_threads",
            "motion_large_map",
        ],
    ),
];

fn check_crowd(crowd: &Value) {
    assert_eq!(keys(crowd), CROWD.map(|(key, _)| key));
    for (key, parts) in CROWD {
        assert_eq!(keys(&crowd[key]), parts);
        for part in parts {
            let value = crowd[key][part].as_f64();
            assert!(value.is_some_and(|value| value > 0.0), "{key}.{part}");
        }
    }
}

#[test]
fn crowds_are_measured_by_themselves_and_compared() {
    let folder = Folder::new("bench-crowd");
    let line = with(&["--only", "crowd", "--save", "a.json", "--json"]);
    let object = folder.run(&line).object();
    assert_eq!(object["maps"], json!([]));
    check_crowd(&object["crowd"]);
    let text = folder.run(&with(&["--only", "crowd", "--baseline", "a.json"]));
    let text = text.answer();
    assert!(text.contains("ticks a second on one thread"), "{text}");
    assert!(text.contains(" of 16 figures moved"), "{text}");
}

#[test]
fn text_begins_with_ratios_and_ends_with_the_machine() {
    let folder = Folder::new("bench-text");
    let run = folder.run(&with(&["--only", "rooms", "maze"]));
    assert_eq!(run.stderr, "", "silent where stderr is no terminal");
    let text = run.answer();
    let lines: Vec<&str> = text.lines().collect();
    let words: Vec<&str> = lines[0].split_whitespace().collect();
    assert!(words.ends_with(&["as", "rooms", "maze"]), "{text}");
    assert!(lines[1].ends_with('×'), "{text}");
    assert!(text.contains("one-cell edit, p99, µs"), "{text}");
    let last = lines.last().expect("a line");
    assert!(
        last.contains("threads; rustc") && last.contains("revision"),
        "{text}"
    );
}

#[test]
fn what_was_saved_is_a_baseline() {
    let folder = Folder::new("bench-baseline");
    let first = folder
        .run(&with(&["--only", "open", "--save", "a.json", "--json"]))
        .object();
    let saved = fs::read(folder.path().join("a.json")).expect("a file");
    let saved: Value = serde_json::from_slice(&saved).expect("an object");
    assert_eq!(saved, first);
    assert!(!folder.path().join("a.json.part").exists());

    let again = ["--only", "open", "caves", "--baseline", "a.json"];
    let text = folder.run(&with(&again)).answer();
    assert!(text.contains("Since a.json: "), "{text}");
    assert!(text.contains(" of 44 figures moved"), "{text}");
    assert!(text.contains("caves is not in that file"), "{text}");

    // With --json stdout holds the object alone.
    let run = folder.run(&with(&[&again[..], &["--json"]].concat()));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.starts_with("Since a.json: "), "{}", run.stderr);
    serde_json::from_str::<Value>(&run.stdout).expect("one JSON object and nothing else");
}

#[test]
fn a_figure_ten_times_as_good_as_it_was_is_seen() {
    let folder = Folder::new("bench-moved");
    let mut object = folder.run(&with(&["--only", "open", "--json"])).object();
    let bytes = &mut object["maps"][0]["bytes_per_cell"];
    *bytes = json!(bytes.as_f64().expect("a number") * 10.0);
    folder.write("old.json", object.to_string());
    let text = folder
        .run(&with(&["--only", "open", "--baseline", "old.json"]))
        .answer();
    let line = text.lines().find(|line| line.contains("bytes_per_cell"));
    let line = line.expect("it moved");
    assert!(line.trim_start().starts_with("better"), "{line}");
    assert!(line.ends_with("B (-90 %)"), "{line}");
}

/// Expects an immediate refusal whose message contains all of `parts`.
fn refused(folder: &Folder, more: &[&str], parts: &[&str]) {
    let run = folder.run(&with(more));
    assert_eq!(run.code, Some(2), "{more:?}: {}", run.stderr);
    assert_eq!(run.stdout, "", "{more:?}: nothing but answers on stdout");
    for part in parts {
        assert!(run.stderr.contains(part), "no `{part}` in: {}", run.stderr);
    }
}

#[test]
fn what_cannot_be_a_baseline_is_refused() {
    let folder = Folder::new("bench-bad-baseline");
    let head = "{\n\"machine\": \"m\", \"rustc\": \"r\", \"revision\": \"v\",\n\"maps\": ";
    let remedy = "`flowtiles bench --save` wrote";
    folder.write("text.json", "ratios\n");
    folder.write("cut.json", format!("{head}[\n"));
    folder.write("other.json", format!("{head}[],\n\"entries\": 3}}"));
    folder.write(
        "below.json",
        format!("{head}[{{\"map\": \"open\",\n\"build_ms\": -1}}]}}"),
    );
    let cases: [(&str, &[&str]); 5] = [
        ("text.json", &["line 1", "text.json", remedy]),
        ("cut.json", &["line 4", "EOF", remedy]),
        ("other.json", &["line 4", "entries", remedy]),
        ("below.json", &["line 4", "-1 is no measurement", remedy]),
        ("none.json", &["none.json", "cannot be read"]),
    ];
    for (file, parts) in cases {
        refused(&folder, &["--baseline", file], parts);
        refused(&folder, &["--baseline", file, "--json"], parts);
    }
}

#[test]
fn what_cannot_be_measured_or_saved_is_refused() {
    let folder = Folder::new("bench-bad");
    let head = "type octile\nheight 25\nwidth 25\nmap\n";
    folder.write("small.map", "type octile\nheight 1\nwidth 4\nmap\n....\n");
    folder.write("walls.map", format!("{head}{}\n", "@".repeat(25)));
    folder.write(
        "closed.map",
        format!("{head}{}", format!("{}\n", "@".repeat(25)).repeat(25)),
    );
    let measure = |map: &'static str| ["--map", map, "--only", map, "--json"];
    refused(
        &folder,
        &measure("small.map"),
        &["small.map", "less than 20 cells"],
    );
    refused(&folder, &measure("walls.map"), &["walls.map", "line 6"]);
    refused(
        &folder,
        &measure("closed.map"),
        &["closed.map", "fewer than 100"],
    );
    refused(
        &folder,
        &["--only", "hills"],
        &["`hills`", "open, rooms, caves"],
    );
    refused(
        &folder,
        &["--save", "no/such/file.json"],
        &["file.json", "name another file"],
    );
    refused(&folder, &["--size", "5"], &["--size"]);
}
