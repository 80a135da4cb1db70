//! The environment of the command, for figures: machine, compiler, revision.

use std::fs;
use std::thread;

/// The compiler.
pub fn rustc() -> String {
    known(env!("FLOWTILES_RUSTC"))
}

/// The revision of the sources; `-dirty` if they had changed since.
pub fn revision() -> String {
    known(env!("FLOWTILES_REVISION"))
}

fn known(text: &str) -> String {
    if text.is_empty() { "unknown" } else { text }.to_owned()
}

/// The processor's name in the system, and the number of processors.
pub fn machine() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = processor(&info).unwrap_or(std::env::consts::ARCH);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    format!("{name}, {threads} threads")
}

fn processor(info: &str) -> Option<&str> {
    let line = info.lines().find(|line| line.starts_with("model name"))?;
    let (_, name) = line.split_once(':')?;
    Some(name.trim()).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_processor_is_named_where_the_system_tells() {
        let info = "processor\t: 0\nmodel name\t: Fast 9000\n\nprocessor\t: 1\n";
        assert_eq!(processor(info), Some("Fast 9000"));
        assert_eq!(processor("model name\t:\n"), None);
        assert_eq!(processor(""), None);
        assert!(machine().ends_with("threads"));
    }
}
