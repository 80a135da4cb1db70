//! The memory that the process uses.

use std::alloc::System;
use std::fs;

use cap::Cap;

/// The system's allocator, which counts what is allocated.
/// It leaves growing in place and zeroing to the system.
#[global_allocator]
pub static MEMORY: Cap<System> = Cap::new(System, usize::MAX);

/// The most memory that this process had resident; `None` where the system does not report it.
pub fn peak_bytes() -> Option<usize> {
    said_of("VmHWM:", &fs::read_to_string("/proc/self/status").ok()?)
}

/// The memory that this process has resident now; `None` where the system does not report it.
pub fn resident_bytes() -> Option<usize> {
    said_of("VmRSS:", &fs::read_to_string("/proc/self/status").ok()?)
}

fn said_of(name: &str, status: &str) -> Option<usize> {
    let line = status.lines().find(|line| line.starts_with(name))?;
    let kilobytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_where_it_is_told() {
        let status = "Name:\tx\nVmHWM:\t    1234 kB\nVmRSS:\t 12 kB\n";
        assert_eq!(said_of("VmHWM:", status), Some(1234 * 1024));
        assert_eq!(said_of("VmRSS:", status), Some(12 * 1024));
        assert_eq!(said_of("VmHWM:", "Name:\tx\n"), None);
        assert_eq!(said_of("VmHWM:", "VmHWM:\t many kB\n"), None);
    }
}
