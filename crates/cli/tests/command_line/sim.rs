//! `flowtiles sim`: scenes, figures, pictures.

use serde_json::Value;

use crate::command::Folder;

/// Scenes that take a moment.
const SMALL: [&str; 22] = [
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
];
/// Scenes with one force alone: a flock never arrives, and a point has no
/// cheapest path.
const ALONE: [&str; 3] = ["seek", "flock", "crossing-seek"];

#[test]
fn without_a_scene_it_lists_them() {
    let list = Folder::new("sim-list").run(&["sim"]).answer();
    for scene in SMALL
        .iter()
        .chain(&["formations", "pass", "bridges", "four-armies", "demo"])
    {
        let named = list
            .lines()
            .filter(|line| line.split(' ').next() == Some(scene));
        assert_eq!(named.count(), 1, "{scene}");
    }
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/command.md");
    let page = std::fs::read_to_string(page).expect("the page");
    // The last line is a set of those above.
    let is_scene = |line: &&str| !line.is_empty() && !line.starts_with("crowd-all ");
    let scenes = list.lines().filter(is_scene).count();
    let counted = format!("one of {scenes} scenes");
    assert!(page.contains(&counted), "docs/command.md lacks: {counted}");
}

#[test]
fn in_every_scene_walls_hold_and_all_arrive() {
    let folder = Folder::new("sim-scenes");
    for scene in SMALL.iter().chain(&["formations", "pass"]) {
        let object = folder.run(&["sim", scene, "--json"]).object();
        assert_eq!(object["scene"], *scene);
        assert_eq!(object["wall_overlaps"], 0, "{scene}");
        if ALONE.contains(scene) {
            continue;
        }
        assert_eq!(object["arrived"], object["units"], "{scene}");
        assert_eq!(object["stuck"], 0, "{scene}");
        let times = ["t50", "t90", "t100"].map(|name| object[name].as_u64().expect(name));
        assert!(times.is_sorted(), "{scene}: {times:?}");
        // There is no cheapest path where the map or the goal changes, and none is known
        // on other layers than the ground.
        let changes = [
            "physics", "bridge", "gates", "classes", "teleport", "overpass",
        ]
        .contains(scene);
        let walked = object["walked_over_optimum"].as_f64();
        assert_eq!(walked.is_none(), changes, "{scene}");
        assert!(
            walked.is_none_or(|ratio| ratio > 0.95),
            "{scene}: {walked:?}"
        );
    }
}

#[test]
fn a_jammed_column_takes_all_three_bridges() {
    let folder = Folder::new("sim-bridges");
    let object = folder.run(&["sim", "bridges", "--json"]).object();
    let [with, without] = ["with", "without"].map(|run| &object["crossings"][run]);
    let shares = |run: &Value| -> Vec<f64> {
        let shares = run["shares"].as_array().expect("shares").iter();
        shares
            .map(|share| share.as_f64().expect("a share"))
            .collect()
    };
    assert_eq!(shares(without), [0.0, 1.0, 0.0]);
    assert!(
        shares(with)
            .iter()
            .all(|share| (0.2..=0.45).contains(share)),
        "{with}"
    );
    let figure = |run: &Value, name: &str| run[name].as_f64().expect("all arrive");
    assert!(
        figure(with, "t100") <= 0.75 * figure(without, "t100"),
        "{object}"
    );
    // Nobody goes to and fro.
    assert!(
        figure(with, "walked") <= 1.1 * figure(without, "walked"),
        "{object}"
    );
    assert_eq!(without["level_changes"], 0);
}

/// Runs a scene, and returns the units of each band that used each passage.
fn users(folder: &Folder, scene: &str) -> Vec<(String, Vec<u64>)> {
    let object = folder.run(&["sim", scene, "--json"]).object();
    let passages = object["passages"].as_array().expect("passages");
    let of = |passage: &Value| {
        let by_band = passage["by_band"].as_array().expect("numbers").iter();
        let by_band: Vec<u64> = by_band.filter_map(Value::as_u64).collect();
        assert_eq!(passage["units"], by_band.iter().sum::<u64>());
        let name = passage["name"].as_str().expect("a name");
        (name.to_owned(), by_band)
    };
    passages.iter().map(of).collect()
}

#[test]
fn each_band_uses_its_passages() {
    let folder = Folder::new("sim-passages");
    for (scene, wanted) in [
        (
            "gates",
            &[("north gate", &[48, 0][..]), ("south gate", &[0, 48])][..],
        ),
        (
            "teleport",
            &[
                ("north pad", &[48, 0]),
                ("south pad", &[0, 0]),
                ("gap in the wall", &[0, 48]),
            ],
        ),
        (
            "overpass",
            &[
                ("road under bridge", &[48, 0, 0]),
                ("bridge, northward", &[0, 36, 0]),
                ("bridge, southward", &[0, 0, 36]),
            ],
        ),
        ("classes", &[("lake", &[0, 24, 16])]),
        (
            "widths",
            &[
                ("door of 1 cell", &[16, 0, 0, 0]),
                ("door of 2 cells", &[0, 9, 0, 0]),
                ("door of 3 cells", &[0, 0, 6, 0]),
                ("door of 4 cells", &[0, 0, 0, 4]),
            ],
        ),
    ] {
        let wanted: Vec<(String, Vec<u64>)> = wanted
            .iter()
            .map(|&(name, by_band)| (name.to_owned(), by_band.to_vec()))
            .collect();
        assert_eq!(users(&folder, scene), wanted, "{scene}");
    }
    let text = folder.run(&["sim", "teleport"]).answer();
    assert!(
        text.contains("\n  north pad             units 48; by band 48, 0\n"),
        "{text}"
    );
}

#[test]
fn each_kind_of_units_has_figures() {
    let folder = Folder::new("sim-kinds");
    for (scene, wanted) in [
        (
            "classes",
            &[("land units", 24), ("hovercraft", 24), ("ships", 16)][..],
        ),
        (
            "widths",
            &[
                ("1 cell wide", 16),
                ("2 cells wide", 9),
                ("3 cells wide", 6),
                ("4 cells wide", 4),
            ],
        ),
        (
            "sizes",
            &[
                ("radius 0.15", 12),
                ("radius 0.20", 12),
                ("radius 0.30", 12),
                ("radius 0.45", 12),
            ],
        ),
    ] {
        let object = folder.run(&["sim", scene, "--json"]).object();
        let kinds = object["kinds"].as_array().expect("kinds");
        assert_eq!(kinds.len(), wanted.len(), "{scene}");
        for (kind, &(name, units)) in kinds.iter().zip(wanted) {
            assert_eq!(kind["name"], name, "{scene}");
            assert_eq!(
                (&kind["units"], &kind["arrived"]),
                (&units.into(), &units.into())
            );
            assert!(
                kind["walked"].as_f64().is_some_and(|cells| cells > 10.0),
                "{kind}"
            );
        }
        let last = kinds.iter().filter_map(|kind| kind["t100"].as_u64()).max();
        assert_eq!(last, object["t100"].as_u64(), "{scene}");
    }
    // Land units go round the lake that hovercraft cross.
    let object = folder.run(&["sim", "classes", "--json"]).object();
    let walked = |kind: usize| object["kinds"][kind]["walked"].as_f64();
    assert!(walked(0) > walked(1).map(|cells| cells + 5.0), "{object}");
}

#[test]
fn neither_threads_nor_a_second_run_show() {
    let folder = Folder::new("sim-threads");
    for scene in ["pass", "one-cell", "formations"] {
        let run = |threads: &str| {
            let line = [
                "sim",
                scene,
                "--json",
                "--ticks",
                "250",
                "--threads",
                threads,
            ];
            let mut object = folder.run(&line).object();
            object["tick_us"] = Value::Null;
            object
        };
        assert_eq!(run("1"), run("2"), "{scene}");
    }
    let seeded = |seed: &str| {
        folder
            .run(&["sim", "flow-basic", "--seed", seed, "--json"])
            .object()
    };
    assert_eq!(seeded("3")["hash"], seeded("3")["hash"]);
    assert_ne!(seeded("3")["hash"], seeded("4")["hash"]);
}

#[test]
fn a_file_is_played_like_a_scene_of_the_list() {
    let folder = Folder::new("sim-file");
    folder.write("own.toml", include_str!("../../../scenes/scenes/seek.toml"));
    let listed = folder.run(&["sim", "seek", "--json"]).object();
    let own = folder.run(&["sim", "own.toml", "--json"]).object();
    assert_eq!(own["scene"], "own.toml");
    assert_eq!(own["hash"], listed["hash"]);
}

#[test]
fn pictures_can_be_opened() {
    let folder = Folder::new("sim-pictures");
    let text = folder
        .run(&["sim", "physics", "--png", "end.png", "--gif", "march.gif"])
        .answer();
    assert!(
        text.contains("  arrived               36 units\n"),
        "{text}"
    );
    let file = |name: &str| std::fs::File::open(folder.path().join(name)).expect(name);
    let reader = png::Decoder::new(std::io::BufReader::new(file("end.png"))).read_info();
    assert!(reader.expect("a PNG").info().width >= 400);
    let mut reader = gif::Decoder::new(file("march.gif")).expect("a GIF");
    let mut frames = 0;
    while reader.read_next_frame().expect("a whole frame").is_some() {
        frames += 1;
    }
    assert!(frames > 50, "{frames} frames");
}

#[test]
fn arrival_times_are_shown_only_where_all_arrive() {
    let folder = Folder::new("sim-times");
    for (scene, is_timed) in [
        ("flow-basic", true),
        ("hold", true),
        ("attack", true),
        ("flock", false),
        ("follow", false),
        ("patrol", false),
        ("pursue", false),
        ("flee", false),
    ] {
        let text = folder.run(&["sim", scene, "--ticks", "30"]).answer();
        assert_eq!(text.contains("  t100 "), is_timed, "{text}");
        assert!(text.contains("  arrived "), "{text}");
    }
}

#[test]
fn what_is_wrong_is_told() {
    let folder = Folder::new("sim-wrong");
    let run = folder.run(&["sim", "no-such"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("no-such") && run.stderr.contains("flowtiles sim"));
    let run = folder.run(&["sim", "seek", "--png", "no/such/folder.png"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("no/such/folder.png"));
}
