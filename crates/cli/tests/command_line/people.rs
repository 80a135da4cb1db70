//! The tests of pedestrian models, as `docs/scenes.md` gives their results.

use std::fs;

use crate::command::Folder;

const PEOPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenes/people");

/// The number of criteria of a scene that are met, and what those say that are not.
fn judged(folder: &Folder, scene: &str, options: &[&str]) -> (usize, Vec<String>) {
    let file = format!("{PEOPLE}/{scene}.toml");
    let figures = folder.run(&[&["sim", &*file, "--json"], options].concat());
    let figures = figures.object();
    let criteria = figures["criteria"].as_array().expect("criteria").iter();
    let (passed, failed): (Vec<_>, Vec<_>) = criteria.partition(|one| one["result"] == "PASS");
    let says = |one: &serde_json::Value| one["criterion"].as_str().expect("words").to_owned();
    (passed.len(), failed.into_iter().map(says).collect())
}

#[test]
fn people_keep_their_speed_walls_and_exits() {
    let folder = Folder::new("people");
    for (scene, met) in [
        ("rimea-01", 1),
        ("rimea-06", 2),
        ("rimea-10", 4),
        ("rimea-14", 2),
    ] {
        assert_eq!(judged(&folder, scene, &[]), (met, Vec::new()), "{scene}");
    }
    let (passed, failed) = judged(&folder, "rotated", &[]);
    assert_eq!((passed, failed.len()), (17, 4), "{failed:?}");
    let is_nearest = |says: &String| says.starts_with("nearest, ");
    assert!(failed.iter().all(is_nearest), "{failed:?}");
}

#[test]
fn trajectories_list_each_unit_and_tick_in_metres() {
    let folder = Folder::new("people-trajectories");
    judged(&folder, "rimea-01", &["--trajectories", "walk.txt"]);
    let text = fs::read_to_string(folder.path().join("walk.txt")).expect("the file");
    assert!(text.starts_with("# framerate: 20\n"));
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let places = lines.map(|line| {
        let words = line.split(' ').map(|word| word.parse().expect("a number"));
        words.collect::<Vec<f64>>()
    });
    let places: Vec<Vec<f64>> = places.collect();
    for (place, tick) in places.iter().zip(1..) {
        assert_eq!(place[..2], [0.0, f64::from(tick)], "id and frame");
    }
    let (from, to) = (places[0][2], places[places.len() - 1][2]);
    assert!(from < 0.5 && to > 43.0, "{from} to {to}");
}
