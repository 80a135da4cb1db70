//! The file that a writer fills beside the one that it replaces.
//!
//! Writers lock the file that they fill, so each takes the first of the names
//! `.0.new`, `.1.new`, … that is not locked. The next writer fills a file that a
//! killed one left, so leftovers do no harm and do not accumulate.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// A file beside another, empty, locked for as long as it is open.
pub fn create(path: &Path) -> io::Result<(PathBuf, File)> {
    let mut number = 0_u32;
    loop {
        let mut aside = path.as_os_str().to_owned();
        aside.push(format!(".{number}.new"));
        let aside = PathBuf::from(aside);
        if let Some(file) = take(&aside)? {
            return Ok((aside, file));
        }
        number += 1;
    }
}

/// Takes the file of this name, unless another writer has it.
fn take(aside: &Path) -> io::Result<Option<File>> {
    let (file, is_new) = match File::create_new(aside) {
        Ok(file) => (file, true),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            match File::options().write(true).open(aside) {
                Ok(file) => (file, false),
                // Moved into its place, or not writable: another name is tried.
                Err(_) => return Ok(None),
            }
        }
        Err(error) => return Err(error),
    };
    let is_locked = match file.try_lock() {
        Ok(()) => true,
        Err(fs::TryLockError::WouldBlock) => return Ok(None),
        // Where files cannot be locked, only a new one certainly has no other writer.
        Err(fs::TryLockError::Error(_)) => false,
    };
    // Before it was locked, its writer may have moved it into its place.
    if !(is_new || is_locked) || !is_at(&file, aside)? {
        return Ok(None);
    }
    file.set_len(0)?;
    Ok(Some(file))
}

/// Whether a file that was opened under this name still has it.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let of = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    match fs::metadata(path) {
        Ok(there) => Ok(of(there) == of(file.metadata()?)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> io::Result<bool> {
    fs::exists(path)
}
