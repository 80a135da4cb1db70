//! The benchmark maps, where available: in the folder that `FLOWTILES_MAPS`
//! names, else in `shared/maps` in a folder above this package.

use std::env;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

/// Returns a file of the benchmark maps; `None`, with a message, if it is not
/// available.
pub fn benchmark_file(name: &str) -> Option<Vec<u8>> {
    let bytes = match env::var_os("FLOWTILES_MAPS") {
        Some(named) => fs::read(Path::new(&named).join(name)).ok(),
        None => Path::new(env!("CARGO_MANIFEST_DIR"))
            .ancestors()
            .find_map(|folder| fs::read(folder.join("shared/maps").join(name)).ok()),
    };
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
