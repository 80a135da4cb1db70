//! The parts of a Tiled map that are used, as JSON has them.

use std::borrow::Cow;

use flowtiles::Cost;
use serde::Deserialize;
use serde::de::{Deserializer, Error};
use serde_json::value::RawValue;

use super::{EDITOR, NESTED};
use crate::{Place, ReadError};

/// The most objects that a text may contain.
const OBJECTS_MAX: usize = 1 << 18;

/// A map as its file describes it.
#[derive(Deserialize)]
pub(super) struct Document<'a> {
    pub(super) orientation: String,
    pub(super) width: u32,
    pub(super) height: u32,
    /// The size of a tile in pixels, the unit of positions of objects and
    /// layers.
    #[serde(rename = "tilewidth")]
    pub(super) tile_width: u32,
    #[serde(rename = "tileheight")]
    pub(super) tile_height: u32,
    #[serde(default)]
    pub(super) infinite: bool,
    pub(super) tilesets: Vec<Tileset>,
    #[serde(borrow)]
    pub(super) layers: Vec<Layer<'a>>,
}

/// A tileset in a map or in a file, or the name of that file.
#[derive(Deserialize)]
pub(super) struct Tileset {
    /// The number in the map of the tile with id 0.
    #[serde(rename = "firstgid", default)]
    pub(super) first: u32,
    pub(super) source: Option<String>,
    #[serde(default)]
    pub(super) name: String,
    #[serde(rename = "tilecount")]
    pub(super) count: Option<u32>,
    #[serde(default)]
    pub(super) tiles: Vec<Tile>,
}

#[derive(Deserialize)]
pub(super) struct Tile {
    pub(super) id: u32,
    #[serde(rename = "properties", default)]
    pub(super) rule: Rule,
}

/// A layer of tiles or objects, or a group of layers.
#[derive(Deserialize)]
pub(super) struct Layer<'a> {
    #[serde(rename = "type")]
    pub(super) kind: String,
    #[serde(default)]
    pub(super) name: String,
    #[serde(rename = "properties", default)]
    pub(super) rule: Rule,
    /// The pixels by which it is moved to the east and to the south.
    #[serde(rename = "offsetx", default)]
    pub(super) x: f64,
    #[serde(rename = "offsety", default)]
    pub(super) y: f64,
    pub(super) width: Option<u32>,
    pub(super) height: Option<u32>,
    #[serde(default)]
    pub(super) encoding: String,
    #[serde(default)]
    pub(super) compression: String,
    #[serde(borrow, default, deserialize_with = "tiles")]
    pub(super) data: Option<Cow<'a, str>>,
    /// The rectangles of an infinite map.
    #[serde(borrow)]
    pub(super) chunks: Option<Vec<Chunk<'a>>>,
    #[serde(borrow, default)]
    pub(super) layers: Vec<Layer<'a>>,
    #[serde(default)]
    pub(super) objects: Vec<Object>,
}

#[derive(Deserialize)]
pub(super) struct Chunk<'a> {
    pub(super) x: i32,
    pub(super) y: i32,
    pub(super) width: u32,
    pub(super) height: u32,
    #[serde(borrow, default, deserialize_with = "tiles")]
    pub(super) data: Option<Cow<'a, str>>,
}

/// An object. The position of one with a tile is its lower left corner, that of
/// any other its upper left.
#[derive(Deserialize)]
pub(super) struct Object {
    pub(super) x: f64,
    pub(super) y: f64,
    #[serde(default)]
    pub(super) width: f64,
    #[serde(default)]
    pub(super) height: f64,
    #[serde(rename = "gid")]
    pub(super) tile: Option<u32>,
}

/// Reads the data of a layer: a text, or a list of numbers as one.
fn tiles<'de: 'a, 'a, D: Deserializer<'de>>(from: D) -> Result<Option<Cow<'a, str>>, D::Error> {
    let text = <&RawValue>::deserialize(from)?.get();
    let list = text
        .strip_prefix('[')
        .and_then(|list| list.strip_suffix(']'));
    Ok(Some(match list {
        Some(numbers) => Cow::Borrowed(numbers),
        None => Cow::Owned(serde_json::from_str(text).map_err(Error::custom)?),
    }))
}

/// The cost properties of a tile or a layer.
#[derive(Clone, Copy, Default)]
pub(super) struct Rule {
    cost: Option<Cost>,
    is_wall: bool,
    pub(super) is_ignored: bool,
}

impl Rule {
    /// Takes in a property, if it is one of those used here.
    pub(super) fn take(&mut self, name: &str, value: &str) -> Result<(), String> {
        let wrong = || {
            format!(
                "the property `{name}` cannot have this value: give `cost` a whole number from 1 \
                 to 255, `wall`, `blocked` and `ignore` true or false"
            )
        };
        match name {
            "wall" | "blocked" => self.is_wall |= value.parse::<bool>().map_err(|_| wrong())?,
            "ignore" => self.is_ignored = value.parse().map_err(|_| wrong())?,
            "cost" => {
                let cost = value.parse().ok().and_then(|cost| Cost::new(cost).ok());
                self.cost = Some(cost.ok_or_else(wrong)?);
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

impl<'de> Deserialize<'de> for Rule {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Property<'a> {
            name: String,
            #[serde(borrow)]
            value: Option<&'a RawValue>,
        }
        let mut rule = Self::default();
        for Property { name, value } in Vec::<Property<'_>>::deserialize(from)? {
            let value = value.map_or("", RawValue::get).trim_matches('"');
            rule.take(&name, value).map_err(Error::custom)?;
        }
        Ok(rule)
    }
}

/// Parses a map or a tileset in JSON.
pub(super) fn parse<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, ReadError> {
    // Strings may contain braces as well, but not this many.
    if text.bytes().filter(|&byte| byte == b'{').count() > OBJECTS_MAX {
        return Err(Place::File.fault(NESTED));
    }
    EDITOR.parse(text)
}
