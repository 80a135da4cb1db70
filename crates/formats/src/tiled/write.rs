//! Writing maps for the Tiled editor: one layer, and an embedded tileset with a
//! tile for each cost.

use std::fmt::Write;

use super::MAX_TILED_CELLS;
use crate::rows::{SizeFault, check_size};
use flowtiles::{Cost, CostMap};

/// The number of pixels along a tile, for display in the editor.
const TILE: u32 = 16;

/// Writes a map as XML: uncompressed CSV, with the costs as properties of
/// tiles.
///
/// # Errors
/// If the map has more than [`MAX_TILED_CELLS`] cells.
pub fn write_tmx(map: &CostMap) -> Result<String, SizeFault> {
    let (width, height) = (map.width(), map.height());
    check_size(width, height, MAX_TILED_CELLS)?;
    let layer = Numbered::new(map);
    let count = layer.costs.len();
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <map version=\"1.10\" orientation=\"orthogonal\" renderorder=\"right-down\" \
         width=\"{width}\" height=\"{height}\" tilewidth=\"{TILE}\" tileheight=\"{TILE}\" \
         infinite=\"0\" nextlayerid=\"2\" nextobjectid=\"1\">\n \
         <tileset firstgid=\"1\" name=\"costs\" tilewidth=\"{TILE}\" tileheight=\"{TILE}\" \
         tilecount=\"{count}\" columns=\"0\">\n"
    );
    for (id, &cost) in layer.costs.iter().enumerate() {
        let (name, kind, value) = property(cost);
        text.push_str(&format!(
            "  <tile id=\"{id}\">\n   <properties>\n    \
             <property name=\"{name}\" type=\"{kind}\" value=\"{value}\"/>\n   \
             </properties>\n  </tile>\n"
        ));
    }
    text.push_str(&format!(
        " </tileset>\n <layer id=\"1\" name=\"costs\" width=\"{width}\" height=\"{height}\">\n  \
         <data encoding=\"csv\">\n"
    ));
    layer.push_csv(&mut text);
    text.push_str("</data>\n </layer>\n</map>\n");
    Ok(text)
}

/// Writes a map as JSON: uncompressed, with the costs as properties of tiles.
///
/// # Errors
/// If the map has more than [`MAX_TILED_CELLS`] cells.
pub fn write_tmj(map: &CostMap) -> Result<String, SizeFault> {
    let (width, height) = (map.width(), map.height());
    check_size(width, height, MAX_TILED_CELLS)?;
    let layer = Numbered::new(map);
    let tiles: Vec<String> = layer
        .costs
        .iter()
        .enumerate()
        .map(|(id, &cost)| {
            let (name, kind, value) = property(cost);
            format!(
                "   {{\"id\":{id},\"properties\":\
                 [{{\"name\":\"{name}\",\"type\":\"{kind}\",\"value\":{value}}}]}}"
            )
        })
        .collect();
    let (count, tiles) = (tiles.len(), tiles.join(",\n"));
    let mut text = format!(
        "{{\"type\":\"map\",\"version\":\"1.10\",\"orientation\":\"orthogonal\",\
         \"renderorder\":\"right-down\",\"infinite\":false,\n \
         \"width\":{width},\"height\":{height},\"tilewidth\":{TILE},\"tileheight\":{TILE},\
         \"nextlayerid\":2,\"nextobjectid\":1,\n \
         \"tilesets\":[{{\"firstgid\":1,\"name\":\"costs\",\"tilewidth\":{TILE},\
         \"tileheight\":{TILE},\"tilecount\":{count},\"columns\":0,\"margin\":0,\"spacing\":0,\
         \"tiles\":[\n{tiles}]}}],\n \
         \"layers\":[{{\"type\":\"tilelayer\",\"id\":1,\"name\":\"costs\",\"x\":0,\"y\":0,\
         \"width\":{width},\"height\":{height},\"opacity\":1,\"visible\":true,\"data\":[\n"
    );
    layer.push_csv(&mut text);
    text.push_str("]}]}\n");
    Ok(text)
}

/// Returns the property for a cost: its name, type and value.
fn property(cost: u8) -> (&'static str, &'static str, String) {
    if cost == Cost::WALL.value() {
        ("wall", "bool", "true".to_owned())
    } else {
        ("cost", "int", cost.to_string())
    }
}

/// A map whose costs are numbered from 1.
struct Numbered {
    width: usize,
    rows: Vec<u8>,
    /// The costs of the map, in ascending order.
    costs: Vec<u8>,
}

impl Numbered {
    fn new(map: &CostMap) -> Self {
        let rows = map.to_rows();
        let mut is_used = [false; 256];
        for &cost in &rows {
            is_used[usize::from(cost)] = true;
        }
        let costs = (1..=u8::MAX).filter(|&cost| is_used[usize::from(cost)]);
        Self {
            width: map.width() as usize,
            costs: costs.collect(),
            rows,
        }
    }

    /// Appends the numbers, one line for each row.
    fn push_csv(&self, text: &mut String) {
        let mut numbers = [0; 256];
        for (number, &cost) in (1..).zip(&self.costs) {
            numbers[usize::from(cost)] = number;
        }
        text.reserve(2 * self.rows.len());
        let last = self.rows.len() - 1;
        for (at, &cost) in self.rows.iter().enumerate() {
            let number: u32 = numbers[usize::from(cost)];
            write!(text, "{number}").expect("a String takes all that is written");
            if at < last {
                text.push(',');
            }
            if (at + 1) % self.width == 0 {
                text.push('\n');
            }
        }
    }
}
