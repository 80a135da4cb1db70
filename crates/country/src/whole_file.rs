//! Files that are written completely or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

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
        return write_into(path, bytes);
    }
    let led = fs::canonicalize(path);
    let path = match &led {
        Ok(led) if before.is_some() => led,
        _ => path,
    };
    let (aside, mut file) = open_aside(path)?;
    let written = file
        .set_len(0)
        .and_then(|()| file.write_all(bytes))
        .and_then(|()| file.sync_all())
        .and_then(|()| before.map_or(Ok(()), |before| file.set_permissions(before.permissions())))
        .and_then(|()| fs::rename(&aside, path));
    written.inspect_err(|_| {
        // Nothing more can be done if the temporary file cannot be removed.
        let _ = fs::remove_file(&aside);
    })?;
    sync_folder(path).map_err(|error| {
        let told = format!("it is written, but its folder cannot be synced: {error}");
        io::Error::new(error.kind(), told)
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
    let (aside, _locked) = open_aside(path)?;
    fs::remove_file(&aside)
}

/// Writes to an existing file, and never creates one.
fn write_into(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::options().write(true).open(path)?;
    file.write_all(bytes)?;
    file.flush()
}

/// Opens the temporary file next to a file, and locks it against other writers as long as
/// it is open. What a killed writer left under its name is written over.
fn open_aside(path: &Path) -> io::Result<(PathBuf, File)> {
    let mut aside = path.as_os_str().to_owned();
    aside.push(".part");
    let aside = PathBuf::from(aside);
    loop {
        let mut options = File::options();
        let file = options
            .write(true)
            .create(true)
            .truncate(false)
            .open(&aside)?;
        // Where files cannot be locked, two writers at once are not kept apart.
        let _ = file.lock();
        // While this one waited for the lock, another may have renamed the file.
        if is_at(&file, &aside)? {
            return Ok((aside, file));
        }
    }
}

/// Whether the name still belongs to the file that was opened under it.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    match fs::metadata(path) {
        Ok(named) => Ok(identity(named) == identity(file.metadata()?)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> io::Result<bool> {
    fs::exists(path)
}

/// Waits until the file's name is on the disk. Where folders cannot be opened like
/// files, the system takes care of it.
#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

#[cfg(not(unix))]
const fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes an empty folder of this name.
    fn folder(name: &str) -> PathBuf {
        let name = format!("flowtiles-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.collect()
    }

    #[test]
    fn remains_of_a_killed_writer_go_with_the_next_write() {
        let folder = folder("killed-writer");
        let path = folder.join("a.map");
        fs::write(folder.join("a.map.part"), "half of a longer file").unwrap();
        write_whole(&path, b"whole").unwrap();
        assert_eq!(names(&folder), ["a.map"]);
        assert_eq!(fs::read(&path).unwrap(), b"whole");
        check_place(&path).unwrap();
        assert_eq!(names(&folder), ["a.map"]);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn of_many_writers_at_once_each_file_is_whole() {
        let folder = folder("writers");
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
        assert_eq!(names(&folder), ["a.map"]);
        fs::remove_dir_all(folder).unwrap();
    }
}
