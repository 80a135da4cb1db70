//! Writing maps for the Tiled editor: one layer, and an embedded tileset with a
//! tile for each cost.

use std::fmt::Write;

use flowtiles::{Cost, CostMap};

use super::MAX_TILED_CELLS;
use crate::WriteError;
use crate::rows::{check_size, costs_in};

/// The number of pixels along a tile, for display in the editor.
const TILE: u32 = 16;

/// Writes a map as XML: uncompressed CSV, with the costs as properties of
/// tiles.
///
/// # Errors
/// If the map has more than [`MAX_TILED_CELLS`] cells.
pub fn write_tmx(map: &CostMap) -> Result<String, WriteError> {
    let (width, height) = (map.width(), map.height());
    let (costs, layer) = numbered(map)?;
    let count = costs.len();
    let mut tiles = String::new();
    for (id, &cost) in costs.iter().enumerate() {
        let (name, kind, value) = property(cost);
        tiles.push_str(&format!(
            "  <tile id=\"{id}\">\n   <properties>\n    \
             <property name=\"{name}\" type=\"{kind}\" value=\"{value}\"/>\n   \
             </properties>\n  </tile>\n"
        ));
    }
    Ok(format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <map version=\"1.10\" orientation=\"orthogonal\" renderorder=\"right-down\" \
         width=\"{width}\" height=\"{height}\" tilewidth=\"{TILE}\" tileheight=\"{TILE}\" \
         infinite=\"0\" nextlayerid=\"2\" nextobjectid=\"1\">\n \
         <tileset firstgid=\"1\" name=\"costs\" tilewidth=\"{TILE}\" tileheight=\"{TILE}\" \
         tilecount=\"{count}\" columns=\"0\">\n{tiles} </tileset>\n \
         <layer id=\"1\" name=\"costs\" width=\"{width}\" height=\"{height}\">\n  \
         <data encoding=\"csv\">\n{layer}</data>\n </layer>\n</map>\n"
    ))
}

/// Writes a map as JSON: uncompressed, with the costs as properties of tiles.
///
/// # Errors
/// If the map has more than [`MAX_TILED_CELLS`] cells.
pub fn write_tmj(map: &CostMap) -> Result<String, WriteError> {
    let (width, height) = (map.width(), map.height());
    let (costs, layer) = numbered(map)?;
    let tiles = costs.iter().enumerate().map(|(id, &cost)| {
        let (name, kind, value) = property(cost);
        format!(
            "   {{\"id\":{id},\"properties\":\
             [{{\"name\":\"{name}\",\"type\":\"{kind}\",\"value\":{value}}}]}}"
        )
    });
    let tiles = tiles.collect::<Vec<_>>().join(",\n");
    let count = costs.len();
    Ok(format!(
        "{{\"type\":\"map\",\"version\":\"1.10\",\"orientation\":\"orthogonal\",\
         \"renderorder\":\"right-down\",\"infinite\":false,\n \
         \"width\":{width},\"height\":{height},\"tilewidth\":{TILE},\"tileheight\":{TILE},\
         \"nextlayerid\":2,\"nextobjectid\":1,\n \
         \"tilesets\":[{{\"firstgid\":1,\"name\":\"costs\",\"tilewidth\":{TILE},\
         \"tileheight\":{TILE},\"tilecount\":{count},\"columns\":0,\"margin\":0,\"spacing\":0,\
         \"tiles\":[\n{tiles}]}}],\n \
         \"layers\":[{{\"type\":\"tilelayer\",\"id\":1,\"name\":\"costs\",\"x\":0,\"y\":0,\
         \"width\":{width},\"height\":{height},\"opacity\":1,\"visible\":true,\
         \"data\":[\n{layer}]}}]}}\n"
    ))
}

/// Returns the property for a cost: its name, type and value.
fn property(cost: u8) -> (&'static str, &'static str, String) {
    if cost == Cost::WALL.value() {
        ("wall", "bool", "true".to_owned())
    } else {
        ("cost", "int", cost.to_string())
    }
}

/// Returns the costs of a map that is not too large, in ascending order, and for
/// each cell the place of its cost among them, from 1: one line for each row.
fn numbered(map: &CostMap) -> Result<(Vec<u8>, String), WriteError> {
    check_size(map.width(), map.height(), MAX_TILED_CELLS)?;
    let rows = map.to_rows();
    let costs = costs_in(&rows);
    let mut numbers = [0; 256];
    for (number, &cost) in (1..).zip(&costs) {
        numbers[usize::from(cost)] = number;
    }
    let mut text = String::with_capacity(2 * rows.len());
    for row in rows.chunks(map.width() as usize) {
        for &cost in row {
            let number: u32 = numbers[usize::from(cost)];
            write!(text, "{number},").expect("a String takes all that is written");
        }
        text.push('\n');
    }
    // No comma follows the last number.
    text.truncate(text.len() - 2);
    text.push('\n');
    Ok((costs, text))
}
