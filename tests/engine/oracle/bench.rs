//! The benchmark maps, where they are at hand: in the folder that
//! `FLOWTILES_MAPS` names, else in `shared/maps` beside the project.

use std::env;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Whether `FLOWTILES_LONG` asks for all that can be held, not a part of it.
pub fn is_long() -> bool {
    env::var_os("FLOWTILES_LONG").is_some()
}

/// A file of the benchmark maps; none, and said so, where it is not at hand.
pub fn benchmark_file(name: &str) -> Option<Vec<u8>> {
    let named = env::var_os("FLOWTILES_MAPS").map(PathBuf::from);
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/maps");
    let bytes = fs::read(named.unwrap_or(beside).join(name)).ok();
    if bytes.is_none() {
        // Straight to stderr: the test runner keeps a passing test's prints.
        writeln!(
            io::stderr(),
            "skipped: the benchmark file {name} is not here"
        )
        .ok();
    }
    bytes
}
