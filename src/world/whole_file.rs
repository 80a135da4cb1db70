//! Files that are written completely or not at all, by any number of writers at
//! once.
//!
//! Each writer writes a file beside the target, under another name, and then
//! renames it. It holds a lock on this file while writing. So a file with such
//! a name that is not locked was left by a process that was killed, and the
//! next writer removes it.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// The ending of the names beside a file, after 16 hexadecimal digits.
const ENDING: &str = ".new";

/// Replaces whatever is at `path` by a file with these bytes.
///
/// # Errors
/// If the file cannot be written; then the previous file is still there.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    remove_leftovers(path);
    let (aside, mut file) = create_aside(path)?;
    file.write_all(bytes)
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&aside, path))
        .inspect_err(|_| {
            // The first error is the one to report.
            let _ = fs::remove_file(&aside);
        })
}

/// Creates a file beside another, locked as long as it is open.
fn create_aside(path: &Path) -> io::Result<(PathBuf, File)> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    loop {
        let mut aside = path.as_os_str().to_owned();
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        aside.push(format!(".{number:016x}{ENDING}"));
        let aside = PathBuf::from(aside);
        let file = match File::create_new(&aside) {
            // Another process uses the same number.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            created => created?,
        };
        // If files cannot be locked here, leftovers are not recognised either.
        let _ = file.lock();
        // Before the lock another writer may have removed it as a leftover.
        if is_at(&file, &aside)? {
            return Ok((aside, file));
        }
    }
}

/// Whether the name still belongs to the file that was opened under it.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let of = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    match fs::metadata(path) {
        Ok(there) => Ok(of(there) == of(file.metadata()?)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> io::Result<bool> {
    fs::exists(path)
}

/// Removes the files that killed processes have left beside a file. A file that
/// cannot be removed does no harm.
fn remove_leftovers(path: &Path) {
    let (Some(name), Ok(entries)) = (path.file_name(), fs::read_dir(folder_of(path))) else {
        return;
    };
    for entry in entries
        .flatten()
        .filter(|e| is_beside(&e.file_name(), name))
    {
        if let Ok(file) = File::open(entry.path())
            && file.try_lock().is_ok()
            && is_at(&file, &entry.path()).unwrap_or(false)
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether [`create_aside`] may have made this name for a file beside `name`.
fn is_beside(aside: &OsStr, name: &OsStr) -> bool {
    aside
        .as_encoded_bytes()
        .strip_prefix(name.as_encoded_bytes())
        .and_then(|rest| rest.strip_prefix(b"."))
        .and_then(|rest| rest.strip_suffix(ENDING.as_bytes()))
        .is_some_and(|middle| middle.len() == 16 && middle.iter().all(u8::is_ascii_hexdigit))
}

fn folder_of(path: &Path) -> &Path {
    let folder = path.parent();
    folder
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// Waits until the file's name is on the disk. Systems on which a folder cannot
/// be opened like a file do this themselves.
#[cfg(unix)]
pub(super) fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(folder_of(path))?.sync_all()
}

#[cfg(not(unix))]
pub(super) const fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
