//! `flowtiles scen` on the benchmark maps, where available.

use std::io::{self, Write};
use std::path::PathBuf;

use serde_json::json;

use crate::command::Folder;

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
