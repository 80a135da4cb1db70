//! `flowtiles sim crowd-…`: crowds compared with plain steering.

use serde_json::Value;

use crate::command::Folder;

/// The scenes that `crowd-all` runs.
const SET: [&str; 9] = [
    "crowd-tunnel",
    "crowd-open",
    "crowd-mirror",
    "crowd-crossing",
    "crowd-pass",
    "crowd-pass-narrow",
    "crowd-evacuate",
    "crowd-swamp",
    "crowd-swamp-wide",
];

/// Figures of every run.
const KEYS: [&str; 16] = [
    "t50",
    "t90",
    "t100",
    "d50",
    "d90",
    "d100",
    "arrived",
    "mean_speed",
    "deepest_overlap",
    "mean_deepest_overlap",
    "lane_order",
    "stripes",
    "wall_overlaps",
    "hash",
    "solve_us",
    "tick_us",
];
const TIMES: [&str; 6] = ["t50", "t90", "t100", "d50", "d90", "d100"];

fn has_keys(object: &Value, keys: &[&str]) {
    for key in keys {
        assert!(object.get(key).is_some(), "{key} in {object}");
    }
}

#[test]
fn the_list_names_them() {
    let list = Folder::new("crowd-list").run(&["sim"]).answer();
    for scene in SET.iter().chain(&["crowd-armies", "crowd-all"]) {
        let named = |line: &&str| line.split(' ').next() == Some(scene);
        assert_eq!(list.lines().filter(named).count(), 1, "{scene}");
    }
}

#[test]
fn a_tunnel_is_measured_beside_plain_steering() {
    let folder = Folder::new("crowd-tunnel");
    let object = folder.run(&["sim", "crowd-tunnel", "--json"]).object();
    assert_eq!(object["scene"], "crowd-tunnel");
    assert_eq!(object["method"], "crowd");
    assert_eq!(object["units"], 72);
    for run in [&object, &object["plain"]] {
        has_keys(run, &KEYS);
        assert_eq!(run["arrived"], 72);
        assert_eq!(run["wall_overlaps"], 0);
        let number = |key: &str| run[key].as_f64().expect(key);
        // A unit is in the disc no later than it arrives.
        for (disc, arrival) in [("d50", "t50"), ("d90", "t90"), ("d100", "t100")] {
            assert!(number(disc) <= number(arrival) / 20.0, "{disc} in {run}");
        }
        assert!((1.0..=4.0).contains(&number("mean_speed")), "{run}");
        assert!((-1.0..=1.0).contains(&number("lane_order")), "{run}");
        // Eight rows of half a cell.
        assert!((2.0..=8.0).contains(&number("stripes")), "{run}");
        assert!(number("mean_deepest_overlap") <= number("deepest_overlap"));
    }
    for alone in ["plain", "crowd"] {
        has_keys(&object["alone"][alone], &TIMES);
    }
    let soonest = object["alone"]["plain"]["d100"].as_f64().expect("a time");
    let met = object["plain"]["d100"].as_f64().expect("a time");
    assert!(soonest < met, "alone {soonest}, head on {met}");

    // What the crowd is compared with is a run with plain steering.
    let plain = folder.run(&["sim", "crowd-tunnel", "--method", "plain", "--json"]);
    let plain = plain.object();
    assert_eq!(plain["method"], "plain");
    assert_eq!(plain["hash"], object["plain"]["hash"]);
    assert_eq!(plain["plain"], Value::Null);
    assert_eq!(plain["alone"]["crowd"], Value::Null);
}

#[test]
fn only_skips_what_is_run_beside() {
    let folder = Folder::new("crowd-only");
    let object = |line: &[&str]| folder.run(line).object();
    let line = ["sim", "crowd-open", "--ticks", "30", "--json"];
    let all = object(&line);
    let only = object(&[&line[..], &["--only"]].concat());
    assert_eq!(only["plain"], Value::Null);
    assert_eq!(only["alone"], Value::Null);
    assert_ne!(all["plain"], Value::Null);
    assert_eq!(only["hash"], all["hash"]);
}

#[test]
fn doors_and_swamps_are_counted() {
    let folder = Folder::new("crowd-doors");
    let hall = ["sim", "crowd-evacuate", "--method", "plain", "--json"];
    let hall = folder.run(&hall).object();
    let doors = hall["doors"].as_array().expect("two doors");
    let by: Vec<u64> = doors.iter().filter_map(Value::as_u64).collect();
    assert_eq!(by.len(), 2);
    assert_eq!(by[0] + by[1], 300, "all leave by a door");
    assert!(by[0] > 2 * by[1], "plain steering takes the nearer: {by:?}");
    assert_eq!(hall["alone"], Value::Null, "one group is always alone");
    // A detour around the wide swamp does not pay.
    let line = ["sim", "crowd-swamp-wide", "--only", "--json"];
    let swamp = folder.run(&line).object();
    assert_eq!(swamp["entered"], swamp["units"]);
}

#[test]
fn neither_threads_nor_a_second_run_show() {
    let folder = Folder::new("crowd-threads");
    for scene in SET.iter().chain(&["crowd-armies"]) {
        let ticks = if *scene == "crowd-armies" { "3" } else { "20" };
        let run = |threads: &str, seed: &str| {
            let line = ["sim", scene, "--only", "--json", "--ticks", ticks];
            let options = ["--threads", threads, "--seed", seed];
            let mut object = folder.run(&[&line[..], &options].concat()).object();
            object["tick_us"] = Value::Null;
            object["solve_us"] = Value::Null;
            object
        };
        let one = run("1", "8");
        assert_eq!(one, run("2", "8"), "{scene}");
        assert_eq!(one["wall_overlaps"], 0, "{scene}");
    }
}

#[test]
fn several_seeds_give_each_run_and_the_medians() {
    let folder = Folder::new("crowd-seeds");
    let line = ["sim", "crowd-open", "--seeds", "3", "--seed", "4", "--json"];
    let object = folder.run(&line).object();
    let runs = object["runs"].as_array().expect("the runs");
    let seeds: Vec<u64> = runs.iter().filter_map(|run| run["seed"].as_u64()).collect();
    assert_eq!(seeds, [4, 5, 6]);
    let single = ["sim", "crowd-open", "--seed", "5", "--json"];
    assert_eq!(runs[1]["hash"], folder.run(&single).object()["hash"]);
    for key in ["d50", "d90", "d100", "lane_order", "mean_speed"] {
        for of in ["own", "plain"] {
            let value = |run: &Value| {
                let from = if of == "own" { run } else { &run["plain"] };
                from[key].as_f64().expect(key)
            };
            let mut values: Vec<f64> = runs.iter().map(value).collect();
            values.sort_by(f64::total_cmp);
            assert_eq!(object["median"][of][key], values[1], "{of} {key}");
        }
    }
    let text = folder.run(&line[..6]).answer();
    assert!(text.contains("seeds 4 to 6"), "{text}");
}

#[test]
fn the_set_is_a_table_and_an_object() {
    let folder = Folder::new("crowd-all");
    let line = ["sim", "crowd-all", "--ticks", "40", "--threads", "2"];
    let table = folder.run(&line).answer();
    let rows = |name: &str| {
        let is = |line: &&str| line.split_whitespace().next() == Some(name);
        table.lines().filter(is).count()
    };
    assert_eq!(rows("scene"), 1, "{table}");
    assert_eq!(rows("plain"), SET.len(), "{table}");
    for scene in SET {
        assert_eq!(rows(scene), 1, "{table}");
    }
    let object = folder.run(&[&line[..], &["--only", "--json"]].concat());
    let object = object.object();
    let scenes = object["scenes"].as_array().expect("the scenes");
    let names: Vec<&str> = scenes.iter().filter_map(|s| s["scene"].as_str()).collect();
    assert_eq!(names, SET);
}

#[test]
fn pass_fits_any_number_of_units() {
    let folder = Folder::new("crowd-units");
    for units in [1, 37, 500, 10_000] {
        let number = units.to_string();
        let line = ["sim", "crowd-pass", "--only", "--json", "--ticks", "2"];
        // With plain steering no two units touch in so short a time.
        let line = [&line[..], &["--method", "plain", "--units", &number]].concat();
        let object = folder.run(&line).object();
        assert_eq!(object["units"], 2 * units);
        assert_eq!(object["wall_overlaps"], 0, "{units}");
        assert_eq!(object["deepest_overlap"], 0.0, "{units}");
    }
}

#[test]
fn a_layer_shows_in_the_picture() {
    let folder = Folder::new("crowd-layer");
    let shoot = |name: &str, options: &[&str]| {
        let line = [
            "sim",
            "crowd-swamp",
            "--only",
            "--ticks",
            "5",
            "--png",
            name,
        ];
        folder.run(&[&line[..], options].concat()).answer();
        std::fs::read(folder.path().join(name)).expect("a picture")
    };
    let bare = shoot("bare.png", &[]);
    let layers = ["density", "speed", "discomfort", "potential"];
    let mut pictures = vec![bare.clone()];
    pictures.extend(layers.map(|layer| shoot("layer.png", &["--layer", layer])));
    for (at, picture) in pictures.iter().enumerate() {
        assert!(!pictures[..at].contains(picture), "{at}");
    }
    assert!(bare == shoot("again.png", &[]));
}

#[test]
fn a_sheet_is_a_picture() {
    let folder = Folder::new("crowd-sheet");
    let line = ["sim", "crowd-tunnel", "--sheet", "s.png"];
    assert_eq!(folder.run(&line).answer(), "");
    let drawn = std::fs::read(folder.path().join("s.png")).expect("a picture");
    assert!(drawn.starts_with(b"\x89PNG") && drawn.len() > 10_000);
}

#[test]
fn what_is_wrong_is_told() {
    let folder = Folder::new("crowd-wrong");
    let refused: [(&[&str], &str); 21] = [
        (&["pass", "--method", "plain"], "--method"),
        (&["pass", "--seeds", "2"], "--seeds"),
        (&["pass", "--only"], "--only"),
        (&["pass", "--sheet", "s.png"], "--sheet"),
        (&["crowd-all", "--sheet", "s.png"], "--sheet"),
        (&["pass", "--layer", "speed", "--png", "p.png"], "--layer"),
        (&["pass", "--png", "p.jpg"], "ends in .png"),
        (&["pass", "--gif", "p.png"], "ends in .gif"),
        (&["crowd-tunnel", "--sheet", "p.svg"], "ends in .png"),
        (&["--png", "p.png"], "SCENE"),
        (&["--ticks", "5"], "SCENE"),
        (&["pass", "--threads", "0"], "from 1 to 1024"),
        (&["crowd-tunnel", "--seeds", "0"], "from 1 to 10000"),
        (&["crowd-tunnel", "--units", "5"], "--units"),
        (&["crowd-pass", "--units", "0"], "--units"),
        (&["crowd-tunnel", "--method", "flock"], "flock"),
        (&["crowd-tunnel", "--layer", "speed"], "--png"),
        (
            &["crowd-tunnel", "--group", "1", "--png", "p.png"],
            "--layer",
        ),
        (
            &[
                "crowd-tunnel",
                "--layer",
                "speed",
                "--group",
                "2",
                "--png",
                "p.png",
            ],
            "--group 2",
        ),
        (&["crowd-tunnel", "--seeds", "2", "--gif", "g.gif"], "--gif"),
        (&["crowd-all", "--png", "p.png"], "--png"),
    ];
    for (options, named) in refused {
        let run = folder.run(&[&["sim"], options].concat());
        assert_eq!(run.code, Some(2), "{options:?}");
        assert!(run.stderr.contains(named), "{options:?}: {}", run.stderr);
        assert_eq!(run.stdout, "", "{options:?}");
    }
    assert_eq!(folder.names().len(), 0, "no picture is left behind");
}
