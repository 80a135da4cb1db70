//! The scenes are exactly those that were recorded, and what is wrong with a scene's file
//! is reported.

use std::path::Path;

use flowtiles::steer::{Pace, Reading, Shape};
use flowtiles::{Movement, Teams};
use flowtiles_country::Colour;
use flowtiles_scenes::picture::picture;
use flowtiles_scenes::walls::is_in_wall;
use flowtiles_scenes::{
    Aim, Entry, Method, SCENES, Scene, SceneOptions, UnitSpec, crowd_set, pictures,
};

/// The lines of `lines` when the scenes were made.
const RECORDED: &str = include_str!("digests.txt");

/// All of a band but how its file says it.
#[derive(Debug)]
#[allow(dead_code, reason = "they are printed")]
struct Band<'a> {
    colour: Colour,
    aim: &'a Aim,
    reading: Reading,
    formation: Option<(Shape, f32)>,
    recruits: &'a [UnitSpec],
    movement: &'a Movement,
    team: u8,
    foes: Teams,
    planes: u8,
    pace: Pace,
    keeps_width: bool,
}

/// A hash (FNV-1a) of everything in a scene.
fn digest(scene: &Scene) -> u64 {
    let bands = scene.bands.iter().map(|band| Band {
        colour: band.colour,
        aim: &band.aim,
        reading: band.reading,
        formation: band.formation,
        recruits: &band.recruits,
        movement: &band.movement,
        team: band.team,
        foes: band.foes,
        planes: band.planes,
        pace: band.pace,
        keeps_width: band.keeps_width,
    });
    let bands: Vec<Band<'_>> = bands.collect();
    let land = scene.land.as_ref().map(|land| (&land.towns, &land.decks));
    let costs = &scene.costs;
    let text = format!(
        "{:?}",
        (
            (costs.width(), costs.height(), costs.to_rows(), land),
            (scene.settings, scene.tuning, bands, &scene.incidents),
            (&scene.gates, &scene.links, &scene.painted, &scene.passages),
            (&scene.kinds, &scene.watch, scene.columns, scene.reach),
            (scene.jam_costs, scene.rate, scene.runs_on, scene.ticks),
        )
    );
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

/// A line for each way to ask for a scene from two seeds.
fn lines(entry: &Entry) -> String {
    let mut lines = String::new();
    for seed in [1, 2] {
        for method in [Method::Plain, Method::Crowd] {
            for units in [None, Some(50), Some(800)] {
                if method == Method::Plain && !entry.said().crowd
                    || units.is_some() && !entry.is_sized()
                {
                    continue;
                }
                let asked = SceneOptions {
                    seed,
                    method,
                    units,
                    tuning: None,
                };
                let scene = entry.scene(&asked).expect("a scene of the list");
                let units = units.map_or(String::new(), |units| format!(" {units}"));
                let (name, method, digest) = (&entry.name, method.name(), digest(&scene));
                lines += &format!("{name} {seed} {method}{units} {digest:016x}\n");
            }
        }
    }
    lines
}

#[test]
fn scenes_stay_as_they_were_recorded() {
    let found: String = SCENES.iter().map(lines).collect();
    let lines = found.lines();
    let moved: Vec<&str> = lines
        .filter(|line| !RECORDED.lines().any(|recorded| recorded == *line))
        .collect();
    let note = "in tests/digests.txt are other numbers than";
    assert!(moved.is_empty(), "{note}\n{}", moved.join("\n"));
    assert_eq!(RECORDED.lines().count(), found.lines().count());
}

fn drawn() -> Vec<Vec<u8>> {
    let scenes = SCENES
        .iter()
        .map(|entry| entry.scene(&SceneOptions::default()));
    scenes
        .map(|scene| picture(&scene.expect("a scene of the list")))
        .collect()
}

/// Run it with `--ignored` when a scene's map or start has changed.
#[test]
#[ignore = "it writes the pictures"]
fn write_the_pictures() {
    let with_length =
        |picture: Vec<u8>| [&(picture.len() as u16).to_le_bytes()[..], &picture].concat();
    let bytes: Vec<u8> = drawn().into_iter().flat_map(with_length).collect();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/pictures.bin");
    std::fs::write(file, bytes).expect("the file of the pictures");
}

#[test]
fn the_pictures_are_those_of_the_scenes_and_small() {
    let drawn = drawn();
    let kept: Vec<&[u8]> = pictures().collect();
    assert_eq!(kept.len(), drawn.len());
    for (entry, (kept, drawn)) in SCENES.iter().zip(kept.iter().zip(&drawn)) {
        assert!(kept == drawn, "{}: write the pictures again", entry.name);
    }
    let bytes: usize = kept.iter().map(|picture| picture.len()).sum();
    assert!(bytes < 60_000, "{bytes} bytes of pictures");
}

#[test]
fn each_file_is_in_the_list() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    for file in folder.read_dir().expect("the folder of the scenes") {
        let path = file.expect("a file").path();
        let name = path.file_stem().unwrap_or_default();
        assert!(SCENES.iter().any(|entry| *entry.name == *name), "{name:?}");
    }
}

/// Starts are clear of walls, apart from each other, and differ from seed to seed.
#[test]
fn every_seed_has_starts_of_its_own() {
    for entry in crowd_set() {
        let starts = |seed| {
            let asked = SceneOptions {
                seed,
                ..SceneOptions::default()
            };
            let scene = entry.scene(&asked).expect("a scene of the list");
            let bands = scene.bands.iter();
            let recruits: Vec<UnitSpec> = bands.flat_map(|band| band.recruits.clone()).collect();
            for (at, one) in recruits.iter().enumerate() {
                let walled = is_in_wall(&scene.costs, one.position, one.radius);
                assert!(!walled, "{}: {:?}", entry.name, one.position);
                for two in &recruits[at + 1..] {
                    let [dx, dy] = [0, 1].map(|i| one.position[i] - two.position[i]);
                    let room = one.radius + two.radius;
                    let apart = dx * dx + dy * dy >= room * room;
                    assert!(apart, "{}: {:?}", entry.name, one.position);
                }
            }
            let positions = recruits.iter().map(|recruit| recruit.position);
            positions.collect::<Vec<_>>()
        };
        let (one, two) = (starts(1), starts(2));
        assert_eq!(one.len(), two.len());
        assert!(one != two, "{}", entry.name);
    }
}

#[test]
fn the_example_of_the_docs_is_a_scene() {
    let page = include_str!("../../../docs/scenes.md");
    let example = page.split("```toml\n").nth(1).expect("an example");
    let example = example.split("```").next().unwrap_or_default();
    let scene = Scene::read(example).expect("a scene");
    assert_eq!((scene.costs.width(), scene.costs.height()), (24, 9));
    assert_eq!(scene.bands[0].recruits.len(), 13);
    assert_eq!(scene.incidents.len(), 2);
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let on_map = |text: &str| format!("about = 'x'\n[map]\nsize = [20, 10]\n{text}");
    let with_band = |text: &str| on_map(&format!("[[band]]\nunits = [{{ at = [1, 1] }}]\n{text}"));
    let rocks = "rocks = { count = 2, x = [1, 8], y = [0, 1], joined = true }\n";
    for (text, parts) in [
        (
            "map = 3\n".to_owned(),
            ["the scene: line 1: ", "invalid type"],
        ),
        (
            "about = 'x'\n".to_owned(),
            ["the scene: ", "write one of `rows`, `size` and `country`"],
        ),
        (on_map(""), ["no units", "[[band]]"]),
        (
            with_band("aim = { gaol = [1, 2] }\n"),
            ["line 6: unknown variant `gaol`", "`goal`"],
        ),
        (with_band("teem = 1\n"), ["line 6: unknown field", "`team`"]),
        (
            with_band("aim = { goal = [20, 2] }\n"),
            ["line 4: ", "does not lie on the map of 20×10 cells"],
        ),
        (
            with_band("aim = { follow = 1 }\n"),
            ["line 4: there is no band 1", "counted from 0"],
        ),
        (
            with_band("aim = { patrol = [] }\n"),
            ["line 4: ", "write them as [[x, y], …]"],
        ),
        (
            with_band("team = 8\n"),
            ["line 6: ", "write one from 0 to 7"],
        ),
        (
            with_band("[[incident]]\ntick = 3\nwhat = { gate = [0, [1]] }\n"),
            ["line 6: there is no gate 0", "counted from 0"],
        ),
        (
            with_band("[[measure]]\nname = 'm'\narea = [19, 0, 2, 2]\n"),
            ["line 6: ", "does not lie on the map"],
        ),
        (
            with_band("[[measure]]\nname = 'm'\nband = 1\n"),
            ["line 6: there is no band 1", "counted from 0"],
        ),
        (
            with_band("[[criterion]]\nsays = 'x'\nof = ['m', 'speed']\n"),
            ["line 6: ", "there is no measure `m`"],
        ),
        (
            with_band("[[measure]]\nname = 'm'\n[[criterion]]\nsays = 'x'\nof = ['m', 'sped']\n"),
            ["line 8: there is no figure `sped`", "\"speed\""],
        ),
        (
            format!("metres = 0\n{}", with_band("")),
            ["a cell is 0 metres", "write more than 0"],
        ),
        (
            on_map("areas = [[19, 0, 2, 2]]\n"),
            ["line 2: ", "off the map"],
        ),
        (on_map("areas = [[0, 0, 2, 2, 0]]\n"), ["line 4: ", "cost"]),
        (
            format!("[map]\nsize = [9, 1]\n{rocks}"),
            ["line 1: ", "there is room for 0 rocks"],
        ),
        (
            on_map("[[band]]\nunits = [{ at = [1, 1], radius = 'wide' }]\n"),
            ["line 5: ", "write a number, or a list of numbers"],
        ),
        (
            on_map("[[band]]\nunits = [{ at = [1.5, 10.5] }]\n"),
            ["line 4: ", "[1.5, 10.5] is off the map"],
        ),
        (
            on_map("[[band]]\nunits = [{ at = [1, 1], radius = inf }]\n"),
            ["line 4: ", "the radius inf: write one from 0 to"],
        ),
        (
            on_map("[[band]]\nunits = [{ count = 999999 }]\n"),
            ["line 4: ", "more than 100000 units"],
        ),
        (
            "[map]\nrows = ['..x']\n".to_owned(),
            ["line 1: row 1 has the letter `x`", "`#` for a wall"],
        ),
        (
            "[map]\nrows = ['...', '..']\n".to_owned(),
            ["line 1: row 2 ", "as long as the first"],
        ),
        (
            "draw = 'camps'\n[map]\nsize = [9, 9]\n".to_owned(),
            ["line 2: ", "`country = {}`"],
        ),
    ] {
        let fault = Scene::read(&text).err().unwrap_or_default();
        for part in parts {
            assert!(fault.contains(part), "{text}\n{fault}");
        }
    }
}
