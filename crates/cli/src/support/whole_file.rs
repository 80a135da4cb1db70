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
    let aside = aside(path);
    let written = write_through(&aside, bytes).and_then(|()| {
        if let Some(before) = before {
            fs::set_permissions(&aside, before.permissions())?;
        }
        fs::rename(&aside, path)
    });
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
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        // A folder is refused; a device or a pipe shows faults when it is written to.
        return match fs::metadata(path)?.is_dir() {
            true => Err(io::Error::from(io::ErrorKind::IsADirectory)),
            false => Ok(()),
        };
    }
    let aside = aside(path);
    fs::write(&aside, [])?;
    fs::remove_file(&aside)
}

/// Writes to an existing file, and never creates one.
fn write_into(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut there = File::options().write(true).open(path)?;
    there.write_all(bytes)?;
    there.flush()
}

/// The name of a temporary file next to a file, unique to this process.
fn aside(path: &Path) -> PathBuf {
    let mut aside = path.as_os_str().to_owned();
    aside.push(format!(".{}.part", std::process::id()));
    PathBuf::from(aside)
}

/// Writes a file and waits until it is on the disk.
fn write_through(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
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
