//! The scenes are exactly those that were recorded.

use flowtiles_scenes::{Build, Entry, Method, SCENES, Scene, SceneOptions, Tuning};

/// The lines of `lines` when the scenes were made.
const RECORDED: &str = include_str!("digests.txt");

/// A hash (FNV-1a) of everything in a scene.
fn digest(scene: &Scene) -> u64 {
    let land = scene.land.as_ref().map(|land| (&land.towns, &land.decks));
    let costs = &scene.costs;
    let text = format!(
        "{:?}",
        (
            (costs.width(), costs.height(), costs.to_rows(), land),
            (scene.settings, scene.tuning, &scene.bands, &scene.incidents),
            (&scene.gates, &scene.links, &scene.painted, &scene.passages),
            (&scene.kinds, &scene.watch, scene.columns, scene.reach),
            (scene.notes_jams, scene.rate, scene.runs_on, scene.ticks),
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
                if method == Method::Plain && !entry.build.is_crowd()
                    || units.is_some() && !matches!(entry.build, Build::Sized(_))
                {
                    continue;
                }
                let asked = SceneOptions {
                    seed,
                    method,
                    units,
                    tuning: Tuning::default(),
                };
                let scene = entry.build.scene(&asked);
                let units = units.map_or(String::new(), |units| format!(" {units}"));
                let (name, method, digest) = (entry.name, method.name(), digest(&scene));
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
