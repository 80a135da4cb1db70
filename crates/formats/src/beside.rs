//! Files that a map refers to, read only from the folder of the map.

use std::fs::File;
use std::io::{Error, Read};
use std::path::{Component, Path};

/// Files of one kind beside a map.
pub(crate) struct Beside<'a> {
    /// The folder of the map, if it has one.
    pub(crate) folder: Option<&'a Path>,
    /// What a file is.
    pub(crate) kind: &'a str,
    /// How the map does without the file.
    pub(crate) instead: &'a str,
    /// The bytes that the files may still have together.
    pub(crate) room: u64,
    /// The fault if they have more.
    pub(crate) too_many: String,
}

impl Beside<'_> {
    /// Reads the file with this name, or says why it is refused.
    pub(crate) fn read(&mut self, name: &str) -> Result<Vec<u8>, String> {
        let (kind, instead) = (self.kind, self.instead);
        let refused = |why: &str| {
            Err(format!(
                "the {kind} {why}: put it beside the map, or {instead}"
            ))
        };
        let Some(folder) = self.folder else {
            return Err(format!(
                "the {kind} is in a separate file: {instead}, or read the map by its path"
            ));
        };
        let mut parts = Path::new(name).components();
        let is_inside = parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        // Elsewhere these characters separate folders; here they could be part of a
        // name.
        if !is_inside || name.contains(['\\', ':', '\0']) {
            return refused("lies outside the folder of the map");
        }
        let read = || -> Result<Option<Vec<u8>>, Error> {
            let folder = folder.canonicalize()?;
            // Links could lead outside as well.
            let path = folder.join(name).canonicalize()?;
            if !path.starts_with(&folder) || !path.is_file() {
                return Ok(None);
            }
            let mut bytes = Vec::new();
            File::open(path)?
                .take(self.room + 1)
                .read_to_end(&mut bytes)?;
            Ok(Some(bytes))
        };
        let bytes = match read() {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return refused("is not a file in the folder of the map"),
            Err(error) => return refused(&format!("cannot be read ({error})")),
        };
        let left = self.room.checked_sub(bytes.len() as u64);
        self.room = left.ok_or_else(|| self.too_many.clone())?;
        Ok(bytes)
    }
}
