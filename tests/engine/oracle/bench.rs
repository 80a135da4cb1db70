//! The benchmark maps, where available: in the folder that `FLOWTILES_MAPS`
//! names, else in `shared/maps` beside the project.

use std::env;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Returns a file of the benchmark maps; `None`, with a message, if it is not
/// available.
pub fn benchmark_file(name: &str) -> Option<Vec<u8>> {
    let named = env::var_os("FLOWTILES_MAPS").map(PathBuf::from);
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/maps");
    let bytes = fs::read(named.unwrap_or(beside).join(name)).ok();
    if bytes.is_none() {
        // Directly to stderr: the test runner hides the prints of a passing
        // test.
        writeln!(
            io::stderr(),
            "skipped: the benchmark file {name} is not here"
        )
        .ok();
    }
    bytes
}
