//! The machine, and the versions of what was measured.

use std::fs;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

/// The lock file: each package with its version.
const LOCK: &str = include_str!("../../Cargo.lock");

pub struct Machine {
    pub processor: String,
    pub cores: usize,
    pub rustc: String,
    pub date: String,
}

impl Machine {
    pub fn here() -> Self {
        let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = info.lines().find(|line| line.starts_with("model name"));
        let processor = model.and_then(|line| line.split_once(": "));
        let rustc = Command::new("rustc").arg("--version").output();
        let rustc = rustc.map_or(String::new(), |output| {
            String::from_utf8_lossy(&output.stdout).trim().to_owned()
        });
        Self {
            processor: processor
                .map_or("unknown processor", |(_, name)| name)
                .into(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            rustc,
            date: today(),
        }
    }
}

/// Returns the version of a package that was measured.
pub fn version(package: &str) -> &'static str {
    let name = format!("name = \"{package}\"");
    let mut lines = LOCK.lines().skip_while(|line| *line != name).skip(1);
    let version = lines.next().and_then(|line| line.split('"').nth(1));
    version.unwrap_or("of unknown version")
}

/// Returns the date in UTC, computed from the days since 1970.
fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    date_of(since.map_or(0, |time| time.as_secs() / 86_400))
}

fn date_of(mut days: u64) -> String {
    let leap =
        |year: u64| year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    let mut year = 1970;
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let february = 28 + u64::from(leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_versions() {
        assert_eq!(date_of(0), "1970-01-01");
        assert_eq!(date_of(19_782), "2024-02-29");
        assert_eq!(version("bevy_northstar"), "0.8.0");
    }
}
