//! `flowtiles scen`: on a map small enough to know every answer, and on the
//! benchmark maps where available.

use std::io::{self, Write};
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::command::Folder;

/// A wall with a gap at its southern end, and a closed cell in the corner.
const MAP: &str = "\
type octile
height 12
width 12
map
.....@......
.....@......
.....@......
.....@......
.....@......
.....@......
.....@......
.....@......
.....@......
.....@......
.....@....@@
..........@.
";

/// Straight, diagonal, around the wall, unreachable twice, and staying.
const SCENARIO: &str = "\
version 1
0\told/path/small.map\t12\t12\t0\t0\t0\t9\t9
0 small.map 12 12 0 0 4 4 5.6569
1 small.map 12 12 4 0 6 0 24
0 small.map 12 12 0 0 11 11 0
0 small.map 12 12 11 11 0 0 0
0 small.map 12 12 3 3 3 3 0
";

fn small(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("small.map", MAP);
    folder.write("small.map.scen", SCENARIO);
    folder
}

#[test]
fn every_answer_of_a_small_map_is_known() {
    let folder = small("scen-small");
    let object = folder
        .run(&["scen", "small.map", "small.map.scen", "--json"])
        .object();
    let keys: Vec<&str> = object
        .as_object()
        .expect("an object")
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(keys.len(), 11);
    assert_eq!(object["map"], "small.map");
    assert_eq!(
        (&object["width"], &object["height"]),
        (&json!(12), &json!(12))
    );
    assert_eq!(object["entries"], 6);
    assert_eq!(object["reached"], 4);
    assert_eq!(object["unreachable"], 2);
    assert_eq!(object["wrong"], 0);
    assert_eq!(object["corner_cuts"], 0);
    let ratio = &object["ratio"];
    for key in ["mean", "p50", "p95", "max"] {
        let value = ratio[key].as_f64().expect(key);
        assert!((value - 1.0).abs() < 1e-5, "{key}: {value}");
    }
    assert_eq!(ratio["optimal_share"], 1.0);
    assert_eq!(ratio["max_long"], Value::Null, "no way here is long");
    let time = |key: &str| object["order_us"][key].as_f64().expect(key);
    assert!(0.0 < time("median") && time("median") <= time("p95") && time("p95") <= time("max"));
    // The path around the wall takes the sector to the south as well.
    assert_eq!(object["sectors"], json!({"mean": 1.25, "max": 2}));
}

#[test]
fn false_length_is_accepted_and_false_path_is_not() {
    let folder = small("scen-false");
    // A length half of the true one; a path where there is none; none where there
    // is one.
    let entries = "0 m 12 12 0 0 0 9 4.5\n0 m 12 12 0 0 11 11 20\n0 m 12 12 0 0 4 4 0\n";
    folder.write("false.scen", format!("version 1\n{entries}"));
    let object = folder
        .run(&["scen", "small.map", "false.scen", "--json"])
        .object();
    assert_eq!(object["wrong"], 2);
    assert_eq!(
        (&object["reached"], &object["unreachable"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(object["ratio"]["max"], 2.0);
    assert_eq!(object["ratio"]["optimal_share"], 0.0);
}

#[test]
fn every_n_takes_each_nth_entry() {
    let folder = small("scen-every");
    let arguments = ["scen", "small.map", "small.map.scen", "--every", "4"];
    let text = folder.run(&arguments).answer();
    for line in [
        "map                   ",
        "entries               2",
        "reached               1",
    ] {
        assert!(text.contains(line), "{text}");
    }
}

#[test]
fn a_scenario_without_ways_has_no_ratio() {
    let folder = small("scen-none");
    folder.write("none.scen", "version 1\n0 m 12 12 0 0 11 11 0\n");
    let object = folder
        .run(&["scen", "small.map", "none.scen", "--json"])
        .object();
    assert_eq!(
        (&object["entries"], &object["wrong"]),
        (&json!(1), &json!(0))
    );
    assert_eq!(object["ratio"]["mean"], Value::Null);
    assert_eq!(object["order_us"]["median"], Value::Null);
    assert_eq!(object["sectors"]["mean"], Value::Null);
}

/// Bounds that every benchmark map keeps, with the mean of each.
const BENCHMARKS: [(&str, &str, f64); 9] = [
    ("TheFrozenSea", "9", 1.003),
    ("JungleSiege", "9", 1.003),
    ("icecrown", "3", 1.003),
    ("orz900d", "19", 1.003),
    ("lak203d", "1", 1.003),
    ("Berlin_1_1024", "9", 1.003),
    ("maze512-4-0", "39", 1.01),
    ("32room_000", "5", 1.01),
    ("random512-35-0", "5", 1.01),
];

#[test]
fn the_benchmark_maps_hold() {
    let maps = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/maps");
    for (name, every, mean) in BENCHMARKS {
        let map = maps.join(format!("{name}.map"));
        if !map.exists() {
            // Directly to stderr: the test runner hides the prints of passing tests.
            let _ = writeln!(
                io::stderr(),
                "skipped: the benchmark map {name} is not here"
            );
            continue;
        }
        let scenario = maps.join(format!("{name}.map.scen"));
        let [map, scenario] = [map, scenario].map(|path| path.display().to_string());
        let folder = Folder::new(&format!("scen-{name}"));
        let object = folder
            .run(&["scen", &map, &scenario, "--every", every, "--json"])
            .object();
        assert_eq!(
            (&object["wrong"], &object["corner_cuts"]),
            (&json!(0), &json!(0)),
            "{name}"
        );
        let ratio = |key: &str| object["ratio"][key].as_f64().expect(key);
        assert!(ratio("mean") <= mean, "{name}: {}", ratio("mean"));
        assert!(ratio("max_long") <= 1.05, "{name}: {}", ratio("max_long"));
        assert!(ratio("max") <= 1.3, "{name}: {}", ratio("max"));
    }
}
