//! Tilesets in separate files, read only from the folder of the map.

use std::fs::File;
use std::io::{Error, Read};
use std::path::{Component, Path};

use super::document::{Tileset, parse};
use super::{text_of, too_many_bytes, xml};
use crate::{Place, ReadError};

/// Reads the tileset that a map refers to by this name. `room` is the number of
/// bytes that the map's tileset files may still have together.
pub(super) fn tileset(
    name: &str,
    folder: Option<&Path>,
    room: &mut u64,
) -> Result<Tileset, ReadError> {
    let at = format!("tileset `{name}`");
    let fault = |what: String| Place::Part(at.clone()).fault(what);
    let refused = |why: &str| {
        Err(fault(format!(
            "the tileset {why}: put it beside the map, or embed it"
        )))
    };
    let Some(folder) = folder else {
        let what = "the tileset is in a separate file: embed it in the map, or read the map by its \
                    path";
        return Err(fault(what.to_owned()));
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
        File::open(path)?.take(*room + 1).read_to_end(&mut bytes)?;
        Ok(Some(bytes))
    };
    let bytes = match read() {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return refused("is not a file in the folder of the map"),
        Err(error) => return refused(&format!("cannot be read ({error})")),
    };
    let left = room.checked_sub(bytes.len() as u64);
    *room = left.ok_or_else(|| fault(too_many_bytes()))?;
    let read = text_of(&bytes).and_then(|text| {
        if text.trim_start().starts_with('{') {
            return parse(text);
        }
        let tree = xml::parse(text)?;
        xml::tileset(xml::root(&tree, "tileset")?)
    });
    read.map_err(|error| Place::Part(format!("{at}, {}", error.at)).fault(error.what))
}
