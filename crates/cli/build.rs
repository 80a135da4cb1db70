//! Records the compiler that builds the command, and the revision of its sources, for
//! the figures of benchmarks. Either may be unknown: a packaged source has no
//! repository.

use std::path::Path;
use std::process::Command;

/// The files that show whether the sources are those of the revision.
const WATCHED: [&str; 5] = [
    "src",
    "build.rs",
    "../../src",
    "../../Cargo.toml",
    "../../.git/logs/HEAD",
];

fn main() {
    for path in WATCHED {
        // Cargo would run this again each time for a path that does not exist.
        if Path::new(path).exists() {
            println!("cargo:rerun-if-changed={path}");
        }
    }
    let compiler = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    note("FLOWTILES_RUSTC", said(&compiler, &["--version"]));
    let describe = [
        "--no-optional-locks",
        "describe",
        "--always",
        "--dirty",
        "--exclude=*",
        "--abbrev=12",
    ];
    note("FLOWTILES_REVISION", said("git", &describe));
}

fn note(name: &str, value: Option<String>) {
    println!("cargo:rustc-env={name}={}", value.unwrap_or_default());
}

/// Returns the first line that a program prints, if it runs and prints one.
fn said(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let line = text.lines().next()?.trim();
    (output.status.success() && !line.is_empty()).then(|| line.to_owned())
}
