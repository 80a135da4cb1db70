//! The tests of pedestrian models, as `docs/scenes.md` gives their results.

use std::fs;

use serde_json::Value;

use crate::command::Folder;

const PEOPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenes/people");

/// Each criterion of a scene that is met, and each that is not.
fn judged(folder: &Folder, scene: &str, options: &[&str]) -> [Vec<String>; 2] {
    let file = format!("{PEOPLE}/{scene}.toml");
    let figures = folder
        .run(&[&["sim", &*file, "--json"], options].concat())
        .object();
    let of = |wanted: &str| {
        let criteria = figures["criteria"].as_array().expect("criteria").iter();
        let found = criteria.filter(|one| one["result"] == wanted);
        let says = found.map(|one| one["criterion"].as_str().expect("words").to_owned());
        says.collect()
    };
    let measures = figures["measures"].as_array().expect("measures");
    assert!(measures.iter().all(|one| one["users"] != Value::Null));
    [of("PASS"), of("FAIL")]
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
        let [passed, failed] = judged(&folder, scene, &[]);
        assert_eq!((passed.len(), &failed[..]), (met, &[][..]), "{scene}");
    }
}

#[test]
fn what_fails_is_told_as_failing() {
    let folder = Folder::new("people-fail");
    let [passed, failed] = judged(&folder, "rotated", &[]);
    assert_eq!((passed.len(), failed.len()), (17, 4), "{failed:?}");
    assert!(
        failed.iter().all(|says| says.starts_with("nearest, ")),
        "{failed:?}"
    );
}

#[test]
fn trajectories_list_each_unit_and_tick_in_metres() {
    let folder = Folder::new("people-trajectories");
    judged(&folder, "rimea-01", &["--trajectories", "walk.txt"]);
    let text = fs::read_to_string(folder.path().join("walk.txt")).expect("the file");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("# framerate: 20"));
    let places = lines.filter(|line| !line.starts_with('#')).map(|line| {
        let numbers: Vec<f64> = line
            .split(' ')
            .map(|word| word.parse().expect("a number"))
            .collect();
        <[f64; 4]>::try_from(numbers).expect("id, frame, x and y")
    });
    let places: Vec<[f64; 4]> = places.collect();
    assert!(
        places
            .iter()
            .zip(1..)
            .all(|(place, tick)| place[..2] == [0.0, f64::from(tick)])
    );
    let ([.., from, _], [.., to, _]) = (places[0], places[places.len() - 1]);
    assert!(from < 0.5 && to > 43.0, "{from} to {to}");
}
