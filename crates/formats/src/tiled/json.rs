//! Tiled maps and tilesets in JSON.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::document::{
    Content, Data, Document, LayerGroup, Piece, PropertyValue, Rule, TileData, TiledLayer, Tileset,
    TilesetEntry,
};
use super::error::{TiledError, TiledFault};

/// The most objects that a text may contain.
const OBJECTS_MAX: usize = 1 << 18;

/// Parses a map.
pub(super) fn map(text: &str) -> Result<Document<'static>, TiledError> {
    let map: MapText = parse(text)?;
    let mut layers = Vec::new();
    take_layers(map.layers, map.infinite, LayerGroup::default(), &mut layers)?;
    let entries = map.tilesets.into_iter().map(|entry| {
        let tiles = match entry.source {
            Some(source) => TileData::InFile(source),
            None => TileData::Here(set(SetText {
                count: entry.count,
                name: entry.name,
                tiles: entry.tiles,
            })?),
        };
        let first = entry.first;
        Ok(TilesetEntry { first, tiles })
    });
    Ok(Document {
        orientation: map.orientation,
        width: map.width,
        height: map.height,
        tile: (map.tile_width, map.tile_height),
        is_infinite: map.infinite,
        tilesets: entries.collect::<Result<_, TiledError>>()?,
        layers,
    })
}

/// Parses a tileset.
pub(super) fn tileset(text: &str) -> Result<Tileset, TiledError> {
    set(parse(text)?)
}

fn parse<T: for<'de> Deserialize<'de>>(text: &str) -> Result<T, TiledError> {
    // Strings may contain braces as well, but not this many.
    if text.bytes().filter(|&byte| byte == b'{').count() > OBJECTS_MAX {
        return Err(TiledFault::Nesting.at("the file"));
    }
    serde_json::from_str(text).map_err(|error| {
        let place = format!("line {}, column {}", error.line(), error.column());
        if error.is_eof() {
            return TiledFault::CutOff.at(place);
        }
        let what = error.to_string();
        // The error holds the place separately.
        let what = what
            .split(" at line ")
            .next()
            .unwrap_or_default()
            .to_owned();
        TiledFault::Syntax { what }.at(place)
    })
}

#[derive(Deserialize)]
struct MapText {
    orientation: String,
    width: u32,
    height: u32,
    #[serde(rename = "tilewidth")]
    tile_width: u32,
    #[serde(rename = "tileheight")]
    tile_height: u32,
    #[serde(default)]
    infinite: bool,
    tilesets: Vec<EntryText>,
    layers: Vec<LayerText>,
}

#[derive(Deserialize)]
struct EntryText {
    #[serde(rename = "firstgid")]
    first: u32,
    source: Option<String>,
    #[serde(default)]
    name: String,
    #[serde(rename = "tilecount")]
    count: Option<u32>,
    #[serde(default)]
    tiles: Vec<TileText>,
}

#[derive(Deserialize)]
struct SetText {
    #[serde(default)]
    name: String,
    #[serde(rename = "tilecount")]
    count: Option<u32>,
    #[serde(default)]
    tiles: Vec<TileText>,
}

#[derive(Deserialize)]
struct TileText {
    id: u32,
    #[serde(default)]
    properties: Vec<PropertyText>,
}

#[derive(Deserialize)]
struct LayerText {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    properties: Vec<PropertyText>,
    #[serde(rename = "offsetx", default)]
    offset_x: f64,
    #[serde(rename = "offsety", default)]
    offset_y: f64,
    width: Option<u32>,
    height: Option<u32>,
    data: Option<DataText>,
    chunks: Option<Vec<ChunkText>>,
    encoding: Option<String>,
    compression: Option<String>,
    layers: Option<Vec<LayerText>>,
    objects: Option<Vec<ObjectText>>,
}

#[derive(Deserialize)]
struct ChunkText {
    x: i32,
    y: i32,
    width: u32,
    height: u32,
    data: DataText,
}

#[derive(Deserialize)]
struct ObjectText {
    x: f64,
    y: f64,
    #[serde(default)]
    width: f64,
    #[serde(default)]
    height: f64,
    gid: Option<u32>,
}

/// Numbers, or an encoded text.
enum DataText {
    Numbers(Vec<u32>),
    Text(String),
}

impl<'de> Deserialize<'de> for DataText {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct DataVisitor;

        impl<'de> Visitor<'de> for DataVisitor {
            type Value = DataText;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of tiles, or a text in Base64")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<DataText, E> {
                Ok(DataText::Text(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<DataText, A::Error> {
                let mut numbers = Vec::new();
                while let Some(number) = list.next_element()? {
                    numbers.push(number);
                }
                Ok(DataText::Numbers(numbers))
            }
        }

        from.deserialize_any(DataVisitor)
    }
}

/// The value of a property. Values other than flags, numbers and texts are
/// skipped.
enum ValueText {
    Flag(bool),
    Number(i64),
    Text(String),
    Other,
}

impl<'de> Deserialize<'de> for ValueText {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = ValueText;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the value of a property")
    }

    fn visit_bool<E>(self, flag: bool) -> Result<ValueText, E> {
        Ok(ValueText::Flag(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<ValueText, E> {
        Ok(ValueText::Number(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<ValueText, E> {
        Ok(ValueText::Number(i64::try_from(number).unwrap_or(i64::MAX)))
    }

    fn visit_f64<E>(self, _: f64) -> Result<ValueText, E> {
        Ok(ValueText::Other)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<ValueText, E> {
        Ok(ValueText::Text(text.to_owned()))
    }

    fn visit_unit<E>(self) -> Result<ValueText, E> {
        Ok(ValueText::Other)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<ValueText, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(ValueText::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ValueText, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(ValueText::Other)
    }
}

#[derive(Deserialize)]
struct PropertyText {
    name: String,
    #[serde(default = "nothing")]
    value: ValueText,
}

const fn nothing() -> ValueText {
    ValueText::Other
}

fn rule(properties: &[PropertyText]) -> Result<Rule, TiledFault> {
    let mut rule = Rule::default();
    for PropertyText { name, value } in properties {
        let value = match value {
            ValueText::Flag(flag) => PropertyValue::Flag(*flag),
            ValueText::Number(number) => PropertyValue::Number(*number),
            ValueText::Text(text) => PropertyValue::Text(text),
            ValueText::Other => PropertyValue::Other,
        };
        rule.take(name, &value)?;
    }
    Ok(rule)
}

fn set(text: SetText) -> Result<Tileset, TiledError> {
    let SetText { name, count, tiles } = text;
    let mut costs = Vec::new();
    let mut end = count;
    for TileText { id, properties } in tiles {
        // The ids of a set of single pictures may have gaps.
        end = end.map(|end| end.max(id.saturating_add(1)));
        let rule = rule(&properties);
        let rule = rule.map_err(|fault| fault.at(format!("tileset `{name}`, tile {id}")))?;
        costs.extend(rule.cost().map(|cost| (id, cost)));
    }
    Ok(Tileset { name, costs, end })
}

/// Adds the layers in the order of the file, including those in groups.
fn take_layers(
    texts: Vec<LayerText>,
    is_infinite: bool,
    group: LayerGroup,
    layers: &mut Vec<TiledLayer<'static>>,
) -> Result<(), TiledError> {
    for mut text in texts {
        let place = format!("layer `{}`", text.name);
        let rule = rule(&text.properties);
        let mut rule = rule.map_err(|fault| fault.at(place.clone()))?;
        let here = group.with(rule, (text.offset_x, text.offset_y));
        rule.is_ignored = here.is_ignored;
        let content = match text.kind.as_str() {
            "group" => {
                let inner = text.layers.unwrap_or_default();
                take_layers(inner, is_infinite, here, layers)?;
                continue;
            }
            "tilelayer" if rule.is_ignored => continue,
            "tilelayer" => {
                let pieces = pieces(&mut text, is_infinite);
                Content::TileData(pieces.map_err(|fault| fault.at(place))?)
            }
            "objectgroup" => {
                let objects = text.objects.unwrap_or_default();
                Content::Objects(objects.iter().map(middle).collect())
            }
            _ => continue,
        };
        layers.push(TiledLayer {
            name: text.name,
            rule,
            offset: here.offset,
            content,
        });
    }
    Ok(())
}

fn pieces(layer: &mut LayerText, is_infinite: bool) -> Result<Vec<Piece<'static>>, TiledFault> {
    let encoding = layer.encoding.take().unwrap_or_default();
    let compression = layer.compression.take().unwrap_or_default();
    let data = |data| match data {
        DataText::Numbers(numbers) => Ok(Data::Numbers(numbers)),
        DataText::Text(text) => Data::encoded(Cow::Owned(text), &encoding, &compression),
    };
    let missing = |name| TiledFault::Attribute { name };
    if is_infinite {
        let chunks = layer.chunks.take().ok_or(missing("chunks"))?;
        return chunks
            .into_iter()
            .map(|chunk| {
                Ok(Piece {
                    x: chunk.x,
                    y: chunk.y,
                    width: chunk.width,
                    height: chunk.height,
                    data: data(chunk.data)?,
                })
            })
            .collect();
    }
    Ok(vec![Piece {
        x: 0,
        y: 0,
        width: layer.width.ok_or(missing("width"))?,
        height: layer.height.ok_or(missing("height"))?,
        data: data(layer.data.take().ok_or(missing("data"))?)?,
    }])
}

/// Returns the middle of an object: the position of a tile object is its lower
/// left corner, that of any other object its upper left.
fn middle(object: &ObjectText) -> (f64, f64) {
    let down = if object.gid.is_some() { -0.5 } else { 0.5 };
    (
        object.x + 0.5 * object.width,
        object.y + down * object.height,
    )
}
