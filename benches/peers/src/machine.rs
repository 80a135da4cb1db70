//! Where and with what a run was made.

use std::fs;
use std::process::Command;

/// The lock file: each package with its version.
const LOCK: &str = include_str!("../Cargo.lock");

/// Returns the machine, the compiler and the day.
pub fn line() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find(|line| line.starts_with("model name"));
    let processor = model.and_then(|line| line.split_once(": "));
    let processor = processor.map_or("unknown processor", |(_, name)| name);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let [rustc, day] = [said_by("rustc", "--version"), said_by("date", "-uI")];
    format!("{processor}, {cores} cores, {rustc}, {day}")
}

/// Returns the version of a package that was measured.
pub fn version(package: &str) -> &'static str {
    let name = format!("name = \"{package}\"");
    let mut lines = LOCK.lines().skip_while(|line| *line != name).skip(1);
    let version = lines.next().and_then(|line| line.split('"').nth(1));
    version.unwrap_or("of unknown version")
}

/// Returns what a program says.
fn said_by(program: &str, option: &str) -> String {
    let output = Command::new(program).arg(option).output();
    output.map_or(String::new(), |output| {
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_those_of_the_lock_file() {
        assert_eq!(version("bevy_northstar"), "0.8.0");
    }
}
