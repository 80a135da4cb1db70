//! Tilesets in separate files, read only from the folder of the map.

use std::fs::File;
use std::io::Read;
use std::path::{Component, Path};

use super::document::Tileset;
use super::error::{TiledError, TiledFault};
use super::text::text_of;
use super::{json, xml};

/// Reads the tileset that a map refers to by this name. `room` is the number of
/// bytes that the map's tileset files may still have together.
pub(super) fn tileset(
    name: &str,
    folder: Option<&Path>,
    room: &mut u64,
) -> Result<Tileset, TiledError> {
    let place = format!("tileset `{name}`");
    let refuse = |what: &str| {
        let what = what.to_owned();
        TiledFault::Tileset { what }.at(place.clone())
    };
    let Some(folder) = folder else {
        return Err(refuse(
            "the tileset is in a separate file: embed it in the map, or read the map by its path",
        ));
    };
    let mut parts = Path::new(name).components();
    let is_inside = parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    // Elsewhere these characters separate folders; here they could be part of a
    // name.
    if !is_inside || name.contains(['\\', ':', '\0']) {
        return Err(refuse(
            "the tileset lies outside the folder of the map: put it beside the map, or embed it",
        ));
    }
    let unreadable = |error: std::io::Error| {
        refuse(&format!(
            "the tileset cannot be read ({error}): put it beside the map, or embed it"
        ))
    };
    let folder = folder.canonicalize().map_err(unreadable)?;
    // Links could lead outside as well.
    let path = folder.join(name).canonicalize().map_err(unreadable)?;
    if !path.starts_with(&folder) || !path.is_file() {
        return Err(refuse(
            "the tileset is not a file in the folder of the map: put it there, or embed it",
        ));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    let read = file.take(*room + 1).read_to_end(&mut bytes);
    read.map_err(unreadable)?;
    let left = room.checked_sub(bytes.len() as u64);
    *room = left.ok_or_else(|| TiledFault::Bytes.at(place.clone()))?;
    let read = text_of(&bytes).and_then(|text| {
        if text.trim_start().starts_with('{') {
            json::tileset(text)
        } else {
            xml::tileset(text)
        }
    });
    read.map_err(|error| error.fault.at(format!("{place}, {}", error.place)))
}
