//! Files that are written completely or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

/// Writes a temporary file and renames it, so that no reader finds half a file.
/// Returns once the disk has both the file and its name.
///
/// # Errors
/// If the file cannot be written; then it is as it was before. And if it is
/// written, but the disk may not know its name; the error says so.
///
/// A path that is not a regular file, such as `/dev/stdout` or a pipe, is written
/// to directly. A link stays, and the file that it points to is replaced. A
/// replaced file keeps its permissions.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let before = fs::metadata(path).ok();
    if before.as_ref().is_some_and(|before| !before.is_file()) {
        let mut there = File::options().write(true).open(path)?;
        there.write_all(bytes)?;
        return there.flush();
    }
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut aside = open_aside(path)?;
    aside.write_all(bytes)?;
    if let Some(before) = before {
        aside.as_file().set_permissions(before.permissions())?;
    }
    aside.as_file().sync_all()?;
    aside.persist(path)?;
    // Where folders cannot be opened like files, the system takes care of their names.
    let synced = File::open(folder(path)).map_or(Ok(()), |folder| folder.sync_all());
    synced.map_err(|error| {
        let told = format!("it is written, but its folder cannot be synced: {error}");
        io::Error::new(error.kind(), told)
    })
}

/// Checks that a file can be written there, before the work of making it.
///
/// # Errors
/// If it cannot.
pub fn check_place(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(there) if there.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        // A device or a pipe shows faults when it is written to.
        Ok(there) if !there.is_file() => Ok(()),
        _ => open_aside(path).map(drop),
    }
}

/// Opens a temporary file next to a file, with the permissions of any new file.
fn open_aside(path: &Path) -> io::Result<NamedTempFile<File>> {
    let mut builder = Builder::new();
    builder
        .suffix(".part")
        .make_in(folder(path), |path| File::create_new(path))
}

/// The folder of a file.
fn folder(path: &Path) -> &Path {
    let named = path.parent().filter(|folder| *folder != Path::new(""));
    named.unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_writers_at_once_each_file_is_whole_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.map");
        write_whole(&path, &[0; 9_000]).unwrap();
        std::thread::scope(|scope| {
            for writer in 0..4_u8 {
                let path = &path;
                scope.spawn(move || {
                    for _ in 0..20 {
                        check_place(path).unwrap();
                        write_whole(path, &vec![writer; 9_000 + usize::from(writer)]).unwrap();
                        let read = fs::read(path).unwrap();
                        let first = read[0];
                        assert_eq!(read, vec![first; 9_000 + usize::from(first)]);
                    }
                });
            }
        });
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
