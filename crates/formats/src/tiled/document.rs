//! The parts of a Tiled map that are used, from either kind of text.

use std::borrow::Cow;

use super::error::TiledFault;
use flowtiles::Cost;

/// A map as its file describes it.
#[derive(Debug)]
pub(super) struct Document<'a> {
    pub(super) orientation: String,
    pub(super) width: u32,
    pub(super) height: u32,
    /// The size of a tile in pixels, the unit of positions of objects and
    /// layers.
    pub(super) tile: (u32, u32),
    pub(super) is_infinite: bool,
    pub(super) tilesets: Vec<TilesetEntry>,
    pub(super) layers: Vec<TiledLayer<'a>>,
}

/// A reference of a map to a tileset.
#[derive(Debug)]
pub(super) struct TilesetEntry {
    /// The number in the map of the tile with id 0.
    pub(super) first: u32,
    pub(super) tiles: TileData,
}

#[derive(Debug)]
pub(super) enum TileData {
    Here(Tileset),
    /// The tiles are in a file of this name.
    InFile(String),
}

/// The tiles of a set that have a cost.
#[derive(Debug, Default)]
pub(super) struct Tileset {
    pub(super) name: String,
    pub(super) costs: Vec<(u32, Cost)>,
    /// An upper bound of all ids; `None` if the file gives none.
    pub(super) end: Option<u32>,
}

/// A layer with tiles or objects. Groups are resolved into their layers.
#[derive(Debug)]
pub(super) struct TiledLayer<'a> {
    pub(super) name: String,
    pub(super) rule: Rule,
    /// The pixels by which it is moved to the east and to the south, with its
    /// groups.
    pub(super) offset: (f64, f64),
    pub(super) content: Content<'a>,
}

#[derive(Debug)]
pub(super) enum Content<'a> {
    /// The pieces; one for the layer of a map of fixed size.
    TileData(Vec<Piece<'a>>),
    /// The middle of each object.
    Objects(Vec<(f64, f64)>),
}

/// A rectangle of tiles.
#[derive(Debug)]
pub(super) struct Piece<'a> {
    pub(super) x: i32,
    pub(super) y: i32,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) data: Data<'a>,
}

/// Tiles row by row, not decoded yet.
#[derive(Debug)]
pub(super) enum Data<'a> {
    Numbers(Vec<u32>),
    Csv(Cow<'a, str>),
    /// Numbers of four bytes; an empty compression means none.
    Base64 {
        text: Cow<'a, str>,
        compression: String,
    },
}

impl<'a> Data<'a> {
    /// Returns the data of a text in one of the encodings.
    pub(super) fn encoded(
        text: Cow<'a, str>,
        encoding: &str,
        compression: &str,
    ) -> Result<Self, TiledFault> {
        match (encoding, compression) {
            ("csv", "") => Ok(Self::Csv(text)),
            ("base64", "" | "zlib" | "gzip") => Ok(Self::Base64 {
                text,
                compression: compression.to_owned(),
            }),
            (encoding, compression) => Err(TiledFault::Encoding {
                found: format!("{encoding} {compression}").trim().to_owned(),
            }),
        }
    }
}

/// The settings that a group passes on to its layers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LayerGroup {
    pub(super) is_ignored: bool,
    pub(super) offset: (f64, f64),
}

impl LayerGroup {
    /// Combines the settings with those of a layer or group inside.
    pub(super) fn with(self, rule: Rule, (x, y): (f64, f64)) -> Self {
        Self {
            is_ignored: self.is_ignored || rule.is_ignored,
            offset: (self.offset.0 + x, self.offset.1 + y),
        }
    }
}

/// The cost properties of a tile or a layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Rule {
    cost: Option<Cost>,
    is_wall: bool,
    pub(super) is_ignored: bool,
}

/// The value of a property.
#[derive(Debug, PartialEq)]
pub(super) enum PropertyValue<'a> {
    Flag(bool),
    Number(i64),
    Text(&'a str),
    /// A fraction, a list, or an object.
    Other,
}

impl Rule {
    /// Takes in a property, if it is one of those used here.
    pub(super) fn take(&mut self, name: &str, value: &PropertyValue<'_>) -> Result<(), TiledFault> {
        let flag = |name| match *value {
            PropertyValue::Flag(flag) => Ok(flag),
            PropertyValue::Text("true") => Ok(true),
            PropertyValue::Text("false") => Ok(false),
            _ => Err(TiledFault::Property { name }),
        };
        match name {
            "wall" => self.is_wall = flag("wall")?,
            "ignore" => self.is_ignored = flag("ignore")?,
            "cost" => {
                let number = match *value {
                    PropertyValue::Number(number) => u8::try_from(number).ok(),
                    PropertyValue::Text(text) => text.parse().ok(),
                    _ => None,
                };
                let cost = number.and_then(|number| Cost::new(number).ok());
                self.cost = Some(cost.ok_or(TiledFault::Property { name: "cost" })?);
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns the cost, if there is one; a wall takes precedence.
    pub(super) fn cost(&self) -> Option<Cost> {
        if self.is_wall {
            Some(Cost::WALL)
        } else {
            self.cost
        }
    }
}
