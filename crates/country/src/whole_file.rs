//! Files that are written completely or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Writes a temporary file and renames it, so that no reader finds half a file, whoever else
/// writes it and whenever this process ends.
///
/// # Errors
/// If the file cannot be written; then it is as it was before.
///
/// A path that is not a regular file, such as `/dev/stdout` or a pipe, is written
/// to directly. A link stays, and the file that it points to is replaced. A
/// replaced file keeps its permissions.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let before = fs::metadata(path).ok();
    if before.as_ref().is_some_and(|before| !before.is_file()) {
        return write_into(path, bytes);
    }
    let led = fs::canonicalize(path);
    let path = match &led {
        Ok(led) if before.is_some() => led,
        _ => path,
    };
    let (aside, mut file) = aside(path)?;
    let write = || {
        file.write_all(bytes)?;
        file.sync_all()?;
        if let Some(before) = before {
            file.set_permissions(before.permissions())?;
        }
        fs::rename(&aside, path)
    };
    write().inspect_err(|_| {
        // Nothing more can be done if the temporary file cannot be removed.
        let _ = fs::remove_file(&aside);
    })
}

/// Checks that a file can be written there, before the work of making it.
///
/// # Errors
/// If it cannot.
pub fn check_place(path: &Path) -> io::Result<()> {
    if let Ok(existing) = fs::metadata(path)
        && !existing.is_file()
    {
        // A folder is refused; a device or a pipe shows faults when it is written to.
        if existing.is_dir() {
            return Err(io::Error::from(io::ErrorKind::IsADirectory));
        }
        return Ok(());
    }
    let (aside, _) = aside(path)?;
    fs::remove_file(&aside)
}

/// Writes to an existing file, and never creates one.
fn write_into(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::options().write(true).open(path)?;
    file.write_all(bytes)?;
    file.flush()
}

/// Creates a temporary file next to a file, under a name that no file has: another writer may be
/// on another machine, with the same process number.
fn aside(path: &Path) -> io::Result<(PathBuf, File)> {
    static WRITERS: AtomicUsize = AtomicUsize::new(0);
    loop {
        let number = WRITERS.fetch_add(1, Ordering::Relaxed);
        let mut aside = path.as_os_str().to_owned();
        aside.push(format!(".{}-{number}.part", process::id()));
        match File::create_new(&aside) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            created => return Ok((aside.into(), created?)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_writers_at_once_each_file_is_whole() {
        let folder = std::env::temp_dir().join(format!("flowtiles-writers-{}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("a.map");
        write_whole(&path, &[0; 9_000]).unwrap();
        std::thread::scope(|scope| {
            for writer in 0..4_u8 {
                let path = &path;
                scope.spawn(move || {
                    for _ in 0..20 {
                        write_whole(path, &vec![writer; 9_000 + usize::from(writer)]).unwrap();
                        let read = fs::read(path).unwrap();
                        let first = read[0];
                        assert_eq!(read, vec![first; 9_000 + usize::from(first)]);
                    }
                });
            }
        });
        check_place(&path).unwrap();
        let left = fs::read_dir(&folder).unwrap().count();
        assert_eq!(left, 1, "nothing is left beside the file");
        fs::remove_dir_all(folder).unwrap();
    }
}
