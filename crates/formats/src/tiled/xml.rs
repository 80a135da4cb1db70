//! Tiled maps and tilesets in XML.

use std::borrow::Cow;
use std::str::FromStr;

use roxmltree::{Document as Tree, Node, ParsingOptions, TextPos};

use super::document::{Chunk, Document, Layer, Object, Rule, Tile, Tileset};
use super::{EDITOR, NESTED, wrong};
use crate::{Place, ReadError};

/// The most nodes that a parser may create: elements, comments and the texts
/// between.
const NODES_MAX: u32 = 1 << 19;
/// The deepest nesting of groups.
const DEPTH_MAX: usize = 64;
/// The most tags, and the most attributes of all elements together.
const TAGS_MAX: usize = 1 << 20;
/// The most attributes of one element: the parser compares each with each.
const ATTRIBUTES_MAX: usize = 256;
/// The most namespaces: the parser copies them into each element.
const NAMESPACES_MAX: usize = 64;

/// Parses a text, unless that would take too much time or memory.
pub(super) fn parse(text: &str) -> Result<Tree<'_>, ReadError> {
    // Each attribute has a `=` in its tag, and no tag has a second `<`.
    let attributes = || text.split('<').map(|tag| tag.matches('=').count());
    if attributes().count() > TAGS_MAX
        || attributes().sum::<usize>() > TAGS_MAX
        || attributes().any(|count| count > ATTRIBUTES_MAX)
        || text.matches("xmlns").count() > NAMESPACES_MAX
    {
        return Err(Place::File.fault(NESTED));
    }
    let options = ParsingOptions {
        nodes_limit: NODES_MAX,
        ..ParsingOptions::default()
    };
    Tree::parse_with_options(text, options).map_err(|error| {
        use roxmltree::Error;
        let end = text.rsplit('\n').next().unwrap_or_default();
        let end = TextPos {
            row: text.matches('\n').count() as u32 + 1,
            col: end.chars().count() as u32 + 1,
        };
        let pos = error.pos();
        let is_cut_in_a_tag = text.rfind('<') > text.rfind('>');
        let what = match error {
            Error::NodesLimitReached => return Place::File.fault(NESTED),
            Error::DtdDetected => {
                let what = "the file has a document type, which is refused: remove <!DOCTYPE …>";
                return Place::File.fault(what);
            }
            Error::UnexpectedEndOfStream | Error::UnclosedRootNode => {
                return place_of(end).fault(EDITOR.cut_off());
            }
            _ if pos == end || is_cut_in_a_tag => return place_of(end).fault(EDITOR.cut_off()),
            Error::NoRootNode => "it has no element".to_owned(),
            _ => error.to_string(),
        };
        // The error holds the place separately.
        let what = what.replace(&format!(" at {pos}"), "");
        place_of(pos).fault(EDITOR.unparsed(&what))
    })
}

const fn place_of(TextPos { row, col }: TextPos) -> Place {
    Place::Line {
        line: row as usize,
        column: col as usize,
    }
}

fn place(node: Node<'_, '_>) -> Place {
    place_of(node.document().text_pos_at(node.range().start))
}

/// Returns the root of a tree, which must have this name.
pub(super) fn root<'a>(tree: &'a Tree<'a>, name: &str) -> Result<Node<'a, 'a>, ReadError> {
    let root = tree.root_element();
    if root.has_tag_name(name) {
        return Ok(root);
    }
    let what = format!("it holds <{}> and not <{name}>", root.tag_name().name());
    Err(place(root).fault(EDITOR.unparsed(&what)))
}

/// Returns an attribute that may be missing.
fn optional<T: FromStr>(node: Node<'_, '_>, name: &str) -> Result<Option<T>, ReadError> {
    let value = node.attribute(name).map(str::parse).transpose();
    value.map_err(|_| place(node).fault(wrong(name)))
}

/// Returns an attribute that must be there.
fn attribute<T: FromStr>(node: Node<'_, '_>, name: &str) -> Result<T, ReadError> {
    optional(node, name)?.ok_or_else(|| place(node).fault(wrong(name)))
}

fn number(node: Node<'_, '_>, name: &str) -> Result<f64, ReadError> {
    Ok(optional(node, name)?.unwrap_or(0.0))
}

fn text(node: Node<'_, '_>, name: &str) -> String {
    node.attribute(name).unwrap_or_default().to_owned()
}

/// Returns what the elements with a name become.
fn each<'a, T>(
    node: Node<'a, 'a>,
    name: &str,
    read: impl Fn(Node<'a, 'a>) -> Result<T, ReadError>,
) -> Result<Vec<T>, ReadError> {
    let elements = node.children().filter(|child| child.has_tag_name(name));
    elements.map(read).collect()
}

/// Reads a map.
pub(super) fn map<'a>(tree: &'a Tree<'a>) -> Result<Document<'a>, ReadError> {
    let node = root(tree, "map")?;
    Ok(Document {
        orientation: attribute(node, "orientation")?,
        width: attribute(node, "width")?,
        height: attribute(node, "height")?,
        tile_width: attribute(node, "tilewidth")?,
        tile_height: attribute(node, "tileheight")?,
        infinite: node.attribute("infinite") == Some("1"),
        tilesets: each(node, "tileset", tileset)?,
        layers: layers(node, 0)?,
    })
}

/// Reads a tileset.
pub(super) fn tileset(node: Node<'_, '_>) -> Result<Tileset, ReadError> {
    Ok(Tileset {
        first: optional(node, "firstgid")?.unwrap_or(0),
        source: node.attribute("source").map(str::to_owned),
        name: text(node, "name"),
        count: optional(node, "tilecount")?,
        tiles: each(node, "tile", |tile| {
            Ok(Tile {
                id: attribute(tile, "id")?,
                rule: rule(tile)?,
            })
        })?,
    })
}

fn rule(node: Node<'_, '_>) -> Result<Rule, ReadError> {
    let mut rule = Rule::default();
    let lists = node
        .children()
        .filter(|child| child.has_tag_name("properties"));
    for property in lists.flat_map(|list| list.children()) {
        if let Some(name) = property.attribute("name") {
            let value = property.attribute("value").or(property.text());
            let taken = rule.take(name, value.unwrap_or_default());
            taken.map_err(|what| place(property).fault(what))?;
        }
    }
    Ok(rule)
}

/// Reads the layers of a map or a group in the order of the file.
fn layers<'a>(node: Node<'a, 'a>, depth: usize) -> Result<Vec<Layer<'a>>, ReadError> {
    if depth > DEPTH_MAX {
        return Err(place(node).fault(NESTED));
    }
    let elements = node.children().filter(Node::is_element);
    elements.map(|child| layer(child, depth + 1)).collect()
}

fn layer<'a>(node: Node<'a, 'a>, depth: usize) -> Result<Layer<'a>, ReadError> {
    let kind = match node.tag_name().name() {
        "layer" => "tilelayer",
        name => name,
    };
    let data = node.children().find(|child| child.has_tag_name("data"));
    let of_data = |name| data.map_or(String::new(), |data| text(data, name));
    let (encoding, compression) = (of_data("encoding"), of_data("compression"));
    let tiles = |node: Node<'a, 'a>| {
        if !encoding.is_empty() || !compression.is_empty() {
            return Ok(Cow::Borrowed(node.text().unwrap_or_default()));
        }
        let numbers = each(node, "tile", |tile| {
            let number: Option<u32> = optional(tile, "gid")?;
            Ok(number.unwrap_or(0).to_string())
        })?;
        Ok(Cow::Owned(numbers.join(",")))
    };
    let chunk = |chunk| {
        Ok(Chunk {
            x: attribute(chunk, "x")?,
            y: attribute(chunk, "y")?,
            width: attribute(chunk, "width")?,
            height: attribute(chunk, "height")?,
            data: Some(tiles(chunk)?),
        })
    };
    Ok(Layer {
        kind: kind.to_owned(),
        name: text(node, "name"),
        rule: rule(node)?,
        x: number(node, "offsetx")?,
        y: number(node, "offsety")?,
        width: optional(node, "width")?,
        height: optional(node, "height")?,
        data: data.map(tiles).transpose()?,
        chunks: data.map(|data| each(data, "chunk", chunk)).transpose()?,
        encoding,
        compression,
        layers: if kind == "group" {
            layers(node, depth)?
        } else {
            Vec::new()
        },
        objects: each(node, "object", |object| {
            Ok(Object {
                x: number(object, "x")?,
                y: number(object, "y")?,
                width: number(object, "width")?,
                height: number(object, "height")?,
                tile: optional(object, "gid")?,
            })
        })?,
    })
}
