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

/// Runs a scene with options that are written as on a command line.
fn object(folder: &Folder, line: &str) -> Value {
    let line = format!("sim {line} --json");
    folder.run(&line.split(' ').collect::<Vec<_>>()).object()
}

#[test]
fn a_tunnel_is_measured_beside_plain_steering() {
    let folder = Folder::new("crowd-tunnel");
    let crowd = object(&folder, "crowd-tunnel");
    assert_eq!(
        [&crowd["method"], &crowd["scene"]],
        ["crowd", "crowd-tunnel"]
    );
    let number = |object: &Value, key: &str| object[key].as_f64().expect(key);
    for run in [&crowd, &crowd["plain"]] {
        assert_eq!([&run["arrived"], &run["wall_overlaps"]], [72, 0]);
        // A unit is in the disc no later than it arrives.
        for (disc, arrival) in [("d50", "t50"), ("d90", "t90"), ("d100", "t100")] {
            assert!(number(run, disc) <= number(run, arrival) / 20.0, "{run}");
        }
        assert!((1.0..=4.0).contains(&number(run, "mean_speed")), "{run}");
        assert!((-1.0..=1.0).contains(&number(run, "lane_order")), "{run}");
        // Eight rows of half a cell.
        assert!((2.0..=8.0).contains(&number(run, "stripes")), "{run}");
        let deepest = number(run, "deepest_overlap");
        assert!(number(run, "mean_deepest_overlap") <= deepest, "{run}");
    }
    let alone = number(&crowd["alone"]["plain"], "d100");
    assert!(alone < number(&crowd["plain"], "d100"), "{crowd}");

    // What the crowd is compared with is a run with plain steering.
    let plain = object(&folder, "crowd-tunnel --method plain");
    assert_eq!(plain["hash"], crowd["plain"]["hash"]);
    assert_eq!(
        [&plain["plain"], &plain["alone"]["crowd"]],
        [&Value::Null; 2]
    );
    // `--only` skips what is run beside.
    let only = object(&folder, "crowd-tunnel --only");
    assert_eq!(only["hash"], crowd["hash"]);
    assert_eq!([&only["plain"], &only["alone"]], [&Value::Null; 2]);
}

#[test]
fn doors_and_swamps_are_counted() {
    let folder = Folder::new("crowd-doors");
    let hall = object(&folder, "crowd-evacuate --method plain");
    let doors = hall["doors"].as_array().expect("two doors");
    let by: Vec<u64> = doors.iter().filter_map(Value::as_u64).collect();
    assert_eq!(by.iter().sum::<u64>(), 300, "all leave by a door");
    assert!(by[0] > 2 * by[1], "plain steering takes the nearer: {by:?}");
    assert_eq!(hall["alone"], Value::Null, "one group is always alone");
    // A detour around the wide swamp does not pay.
    let swamp = object(&folder, "crowd-swamp-wide --only");
    assert_eq!(swamp["entered"], swamp["units"]);
}

#[test]
fn neither_threads_nor_a_second_run_show() {
    let folder = Folder::new("crowd-threads");
    for scene in SET.iter().chain(&["crowd-armies"]) {
        let ticks = if *scene == "crowd-armies" { 3 } else { 20 };
        let run = |threads: u32| {
            let line = format!("{scene} --only --ticks {ticks} --seed 8 --threads {threads}");
            let mut object = object(&folder, &line);
            object["tick_us"] = Value::Null;
            object["solve_us"] = Value::Null;
            object
        };
        let one = run(1);
        assert_eq!(one, run(2), "{scene}");
        assert_eq!(one["wall_overlaps"], 0, "{scene}");
    }
}

#[test]
fn several_seeds_give_each_run_and_the_medians() {
    let folder = Folder::new("crowd-seeds");
    let all = object(&folder, "crowd-open --seeds 3 --seed 4");
    let runs = all["runs"].as_array().expect("the runs");
    let seeds: Vec<u64> = runs.iter().filter_map(|run| run["seed"].as_u64()).collect();
    assert_eq!(seeds, [4, 5, 6]);
    let single = object(&folder, "crowd-open --seed 5 --only");
    assert_eq!(runs[1]["hash"], single["hash"]);
    for key in ["d50", "d90", "d100", "lane_order", "mean_speed"] {
        let median = |of: &dyn Fn(&Value) -> Value| {
            let values = runs.iter().map(|run| of(run)[key].as_f64().expect(key));
            let mut values: Vec<f64> = values.collect();
            values.sort_by(f64::total_cmp);
            values[1]
        };
        let [own, plain] = [median(&Value::clone), median(&|run| run["plain"].clone())];
        assert_eq!(all["median"]["own"][key], own, "{key}");
        assert_eq!(all["median"]["plain"][key], plain, "{key}");
    }
}

#[test]
fn the_set_is_a_table_and_an_object() {
    let folder = Folder::new("crowd-all");
    let line = ["sim", "crowd-all", "--ticks", "10", "--threads", "2"];
    let table = folder.run(&line).answer();
    for scene in SET {
        let is = |line: &&str| line.split_whitespace().next() == Some(scene);
        assert_eq!(table.lines().filter(is).count(), 1, "{table}");
    }
    let all = object(&folder, "crowd-all --ticks 10 --threads 2 --only");
    let scenes = all["scenes"].as_array().expect("the scenes").iter();
    let names: Vec<&str> = scenes.filter_map(|run| run["scene"].as_str()).collect();
    assert_eq!(names, SET);
}

#[test]
fn pass_fits_any_number_of_units() {
    let folder = Folder::new("crowd-units");
    for units in [1, 37, 500, 10_000] {
        // With plain steering no two units touch in so short a time.
        let line = format!("crowd-pass --only --ticks 2 --method plain --units {units}");
        let pass = object(&folder, &line);
        assert_eq!(pass["units"], 2 * units);
        assert_eq!(pass["wall_overlaps"], 0, "{units}");
        assert_eq!(pass["deepest_overlap"], 0.0, "{units}");
    }
}
