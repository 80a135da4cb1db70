//! `flowtiles sim`: what the figures of scenes say.

use serde_json::Value;

use crate::command::Folder;

/// Scenes that take a moment.
const SMALL: [&str; 24] = [
    "seek",
    "flock",
    "flow-basic",
    "flow-corners",
    "physics",
    "soft-physics",
    "crossing-seek",
    "avoid-middle",
    "avoid-top",
    "avoid-small",
    "avoid-large",
    "crossing-grid",
    "line-of-sight",
    "sizes",
    "widths",
    "classes",
    "gates",
    "roads",
    "teleport",
    "overpass",
    "one-cell",
    "bridge",
    "formations",
    "pass",
];
/// Scenes with one force alone: a flock never arrives, and a point has no
/// cheapest path.
const ALONE: [&str; 3] = ["seek", "flock", "crossing-seek"];
/// Scenes without a cheapest path: the map or the goal changes, or units are on other layers
/// than the ground.
const CHANGING: [&str; 6] = [
    "physics", "bridge", "gates", "classes", "teleport", "overpass",
];

#[test]
fn in_every_scene_walls_hold_and_all_arrive() {
    let folder = Folder::new("sim-scenes");
    for scene in SMALL {
        let object = folder.run(&["sim", scene, "--json"]).object();
        assert_eq!(object["scene"], scene);
        assert_eq!(object["wall_overlaps"], 0, "{scene}");
        if ALONE.contains(&scene) {
            continue;
        }
        assert_eq!(object["arrived"], object["units"], "{scene}");
        assert_eq!(object["stuck"], 0, "{scene}");
        let times = ["t50", "t90", "t100"].map(|name| object[name].as_u64().expect(name));
        assert!(times.is_sorted(), "{scene}: {times:?}");
        let walked = object["walked_over_optimum"].as_f64();
        assert_eq!(walked.is_none(), CHANGING.contains(&scene), "{scene}");
        let is_far = walked.is_none_or(|ratio| ratio > 0.95);
        assert!(is_far, "{scene}: {walked:?}");
    }
}

#[test]
fn a_jammed_column_takes_all_three_bridges() {
    let folder = Folder::new("sim-bridges");
    let object = folder.run(&["sim", "bridges", "--json"]).object();
    let [with, without] = ["with", "without"].map(|run| &object["crossings"][run]);
    assert_eq!(without["shares"], serde_json::json!([0.0, 1.0, 0.0]));
    let mut shares = with["shares"].as_array().expect("shares").iter();
    let is_fair = |share: &Value| (0.2..=0.45).contains(&share.as_f64().expect("a share"));
    assert!(shares.all(is_fair), "{with}");
    let ratio = |name: &str| {
        let [with, without] = [with, without].map(|run| run[name].as_f64().expect("all arrive"));
        with / without
    };
    assert!(ratio("t100") <= 0.8, "{object}");
    // Nobody goes to and fro.
    assert!(ratio("walked") <= 1.1, "{object}");
    assert_eq!(without["level_changes"], 0);
}

#[test]
fn each_band_uses_its_passages() {
    let folder = Folder::new("sim-passages");
    for (scene, wanted) in [
        ("gates", "north gate [48,0], south gate [0,48]"),
        (
            "teleport",
            "north pad [48,0], south pad [0,0], gap in the wall [0,48]",
        ),
        (
            "overpass",
            "road under bridge [48,0,0], bridge, northward [0,36,0], bridge, southward [0,0,36]",
        ),
        ("classes", "lake [0,24,16]"),
        (
            "widths",
            "door of 1 cell [16,0,0,0], door of 2 cells [0,9,0,0], door of 3 cells [0,0,6,0], \
             door of 4 cells [0,0,0,4]",
        ),
    ] {
        let object = folder.run(&["sim", scene, "--json"]).object();
        let passages = object["passages"].as_array().expect("passages").iter();
        let used = passages.map(|passage| {
            let name = passage["name"].as_str().expect("a name");
            format!("{name} {}", passage["by_band"])
        });
        assert_eq!(used.collect::<Vec<_>>().join(", "), wanted, "{scene}");
    }
}

#[test]
fn each_kind_of_units_has_figures() {
    let object = Folder::new("sim-kinds").run(&["sim", "classes", "--json"]);
    let object = object.object();
    let kinds = object["kinds"].as_array().expect("kinds");
    let figures = kinds.iter().map(|kind| {
        let name = kind["name"].as_str().expect("a name");
        format!("{} of {} {name}", kind["arrived"], kind["units"])
    });
    let figures: Vec<String> = figures.collect();
    let wanted = "24 of 24 land units, 24 of 24 hovercraft, 16 of 16 ships";
    assert_eq!(figures.join(", "), wanted);
    let last = kinds.iter().filter_map(|kind| kind["t100"].as_u64()).max();
    assert_eq!(last, object["t100"].as_u64());
    // Land units go round the lake that hovercraft cross.
    let walked = |kind: usize| kinds[kind]["walked"].as_f64().expect("a length");
    assert!(walked(0) > walked(1) + 5.0 && walked(1) > 10.0, "{object}");
}

#[test]
fn neither_threads_nor_a_second_run_show() {
    let folder = Folder::new("sim-threads");
    for scene in ["pass", "one-cell", "formations"] {
        let run = |threads: &str| {
            let line = ["sim", scene, "--json", "--ticks", "250"];
            let mut object = folder
                .run(&[&line[..], &["--threads", threads]].concat())
                .object();
            object["tick_us"] = Value::Null;
            object
        };
        assert_eq!(run("1"), run("2"), "{scene}");
    }
    let hash = |seed: &str| {
        let line = ["sim", "flow-basic", "--seed", seed, "--json"];
        folder.run(&line).object()["hash"].clone()
    };
    assert_eq!(hash("3"), hash("3"));
    assert_ne!(hash("3"), hash("4"));
}
