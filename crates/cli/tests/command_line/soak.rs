//! Drawn battles for a long time.

use serde_json::Value;

use crate::command::Folder;

/// The counts of a soak: what depends on the machine is left out.
fn counts(folder: &Folder, line: &str) -> Value {
    let arguments: Vec<&str> = line.split(' ').collect();
    let mut object = folder.run(&arguments).object();
    let figures = object.as_object_mut().expect("figures");
    figures.remove("longest_tick").expect("a time");
    figures.retain(|name, _| !name.starts_with("resident") && !name.starts_with("allocated"));
    object
}

#[test]
fn short_soak_passes_and_repeats_its_counts() {
    let folder = Folder::new("soak");
    let once = counts(&folder, "soak --ticks 700 --seed 3 --json");
    assert_eq!(once, counts(&folder, "soak --ticks 700 --seed 3 --json"));
    for (name, least) in [("ticks", 700), ("battles", 2), ("orders", 5), ("edits", 5)] {
        assert!(once[name].as_u64().expect("a count") >= least, "{once}");
    }
    let alone = counts(&folder, "soak --battle 2 --seed 3 --json");
    assert_eq!(alone["battles"], 1, "{alone}");
}
