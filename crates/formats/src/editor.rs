//! What the files of all editors have in common: UTF-8, JSON with the places of its faults, a
//! limit of bytes, other files in the folder of the map, and spawn points.

use std::fs::File;
use std::io::{Error, Read};
use std::path::{Component, Path};

use serde::Deserialize;

use crate::{Place, ReadError};

/// An editor, with the limit of its files.
pub(crate) struct Editor {
    pub(crate) name: &'static str,
    /// The most bytes that a file may have, or all files beside it together.
    pub(crate) bytes_max: u64,
    /// What to do if they have more.
    pub(crate) remedy: &'static str,
    /// What a file beside a map is.
    pub(crate) kind: &'static str,
    /// How a map does without it.
    pub(crate) instead: &'static str,
}

impl Editor {
    /// Returns the text of a file.
    pub(crate) fn text_of<'a>(&self, bytes: &'a [u8]) -> Result<&'a str, ReadError> {
        if bytes.len() as u64 > self.bytes_max {
            return Err(Place::File.fault(self.too_many_bytes()));
        }
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        std::str::from_utf8(bytes).map_err(|error| {
            Place::Byte(error.valid_up_to()).fault(self.unparsed("it is not UTF-8"))
        })
    }

    /// Parses JSON.
    pub(crate) fn parse<'a, T: Deserialize<'a>>(&self, text: &'a str) -> Result<T, ReadError> {
        serde_json::from_str(text).map_err(|error| {
            let (line, column) = (error.line(), error.column());
            let at = Place::Line { line, column };
            if error.is_eof() {
                return at.fault(self.cut_off());
            }
            // The error holds the place separately, and calls what it wants as Rust does.
            let what = error.to_string();
            let what = what.split(" at line ").next().unwrap_or_default();
            let what = what.replace("expected u32", "where a whole number from 0 on belongs");
            if what.starts_with("the property") {
                at.fault(what)
            } else {
                at.fault(self.unparsed(&what))
            }
        })
    }

    /// Returns a reader for the files beside a map in this folder.
    pub(crate) const fn beside<'a>(&'a self, folder: Option<&'a Path>) -> Beside<'a> {
        Beside {
            editor: self,
            folder,
            room: self.bytes_max,
        }
    }

    fn too_many_bytes(&self) -> String {
        format!(
            "up to here there are more than {} bytes: {}",
            self.bytes_max, self.remedy
        )
    }

    pub(crate) fn cut_off(&self) -> String {
        format!(
            "the text ends here, before the map does: the file was cut off, so take another copy \
             or save it from {} again",
            self.name
        )
    }

    pub(crate) fn unparsed(&self, why: &str) -> String {
        format!(
            "the text cannot be parsed ({why}): save it from {} again",
            self.name
        )
    }
}

/// Whether objects and layers with this name are spawn points.
pub(crate) fn is_spawn(name: &str) -> bool {
    name.eq_ignore_ascii_case("spawn")
}

/// The files to which a map refers, read only from the folder of the map.
pub(crate) struct Beside<'a> {
    editor: &'a Editor,
    /// The folder of the map, if it has one.
    folder: Option<&'a Path>,
    /// The bytes that the files may still have together.
    room: u64,
}

impl Beside<'_> {
    /// Reads the file with this name, or says why it is refused.
    pub(crate) fn read(&mut self, name: &str) -> Result<Vec<u8>, String> {
        let (kind, instead) = (self.editor.kind, self.editor.instead);
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
        self.room = left.ok_or_else(|| self.editor.too_many_bytes())?;
        Ok(bytes)
    }
}
