//! The memory that the process uses.

use std::fs;

/// Peak memory of this process; `None` where the system does not report it.
pub fn peak_bytes() -> Option<usize> {
    peak_of(&fs::read_to_string("/proc/self/status").ok()?)
}

fn peak_of(status: &str) -> Option<usize> {
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_read_where_it_is_told() {
        assert_eq!(
            peak_of("Name:\tx\nVmHWM:\t    1234 kB\n"),
            Some(1234 * 1024)
        );
        assert_eq!(peak_of("Name:\tx\n"), None);
        assert_eq!(peak_of("VmHWM:\t many kB\n"), None);
    }
}
