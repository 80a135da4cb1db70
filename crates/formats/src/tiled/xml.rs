//! Tiled maps and tilesets in XML.

use std::borrow::Cow;
use std::str::FromStr;

use roxmltree::{Document as Tree, Node, ParsingOptions, TextPos};

use super::document::{
    Content, Data, Document, LayerGroup, Piece, PropertyValue, Rule, TileData, TiledLayer, Tileset,
    TilesetEntry,
};
use super::error::{TiledError, TiledFault};
use super::screen::{place_of, screen};

/// The most nodes that a parser may create: elements, comments and the texts
/// between.
const NODES_MAX: u32 = 1 << 19;

/// Parses a map and passes it to `then`, while the text is borrowed.
pub(super) fn with_map<T>(
    text: &str,
    then: impl FnOnce(&Document<'_>) -> Result<T, TiledError>,
) -> Result<T, TiledError> {
    let tree = parse(text)?;
    then(&map(root(&tree, "map")?)?)
}

/// Parses a tileset.
pub(super) fn tileset(text: &str) -> Result<Tileset, TiledError> {
    let tree = parse(text)?;
    set(root(&tree, "tileset")?)
}

fn parse(text: &str) -> Result<Tree<'_>, TiledError> {
    screen(text)?;
    let options = ParsingOptions {
        nodes_limit: NODES_MAX,
        ..ParsingOptions::default()
    };
    Tree::parse_with_options(text, options).map_err(|error| {
        use roxmltree::Error;
        let what = match error {
            Error::NodesLimitReached => return TiledFault::Nesting.at("the file"),
            Error::DtdDetected => return TiledFault::DocumentType.at("the file"),
            // The parser gives no place for these errors.
            Error::UnexpectedEndOfStream | Error::UnclosedRootNode => {
                return TiledFault::CutOff.at(place_of(text, text.len()));
            }
            Error::NoRootNode => "it has no element".to_owned(),
            _ => error.to_string(),
        };
        let TextPos { row, col } = error.pos();
        let place = format!("line {row}, column {col}");
        // The error holds the place separately.
        let told = format!(" at {row}:{col}");
        let what = what.replace(&told, "");
        TiledFault::Syntax { what }.at(place)
    })
}

fn root<'a>(tree: &'a Tree<'a>, name: &'static str) -> Result<Node<'a, 'a>, TiledError> {
    let root = tree.root_element();
    if root.has_tag_name(name) {
        Ok(root)
    } else {
        let what = format!("it holds <{}> and not <{name}>", root.tag_name().name());
        Err(TiledFault::Syntax { what }.at(place(root)))
    }
}

fn place(node: Node<'_, '_>) -> String {
    let place = node.document().text_pos_at(node.range().start);
    format!("line {}, column {}", place.row, place.col)
}

/// Returns an attribute that must be there.
fn attribute<T: FromStr>(node: Node<'_, '_>, name: &'static str) -> Result<T, TiledError> {
    let value = node.attribute(name).and_then(|value| value.parse().ok());
    value.ok_or_else(|| TiledFault::Attribute { name }.at(place(node)))
}

/// Returns an attribute, or a default if it is missing.
fn attribute_or<T: FromStr>(
    node: Node<'_, '_>,
    name: &'static str,
    otherwise: T,
) -> Result<T, TiledError> {
    match node.attribute(name) {
        Some(_) => attribute(node, name),
        None => Ok(otherwise),
    }
}

fn elements<'a>(node: Node<'a, 'a>, name: &'static str) -> impl Iterator<Item = Node<'a, 'a>> {
    node.children()
        .filter(move |child| child.has_tag_name(name))
}

fn map<'a>(node: Node<'a, 'a>) -> Result<Document<'a>, TiledError> {
    let mut tilesets = Vec::new();
    for tileset in elements(node, "tileset") {
        let first = attribute(tileset, "firstgid")?;
        let tiles = match tileset.attribute("source") {
            Some(source) => TileData::InFile(source.to_owned()),
            None => TileData::Here(set(tileset)?),
        };
        tilesets.push(TilesetEntry { first, tiles });
    }
    let mut layers = Vec::new();
    let is_infinite = node.attribute("infinite") == Some("1");
    take_layers(node, is_infinite, LayerGroup::default(), &mut layers)?;
    let tile = (
        attribute(node, "tilewidth")?,
        attribute(node, "tileheight")?,
    );
    Ok(Document {
        orientation: attribute(node, "orientation")?,
        width: attribute(node, "width")?,
        height: attribute(node, "height")?,
        tile,
        is_infinite,
        tilesets,
        layers,
    })
}

fn set(node: Node<'_, '_>) -> Result<Tileset, TiledError> {
    let mut costs = Vec::new();
    let mut end = match node.attribute("tilecount") {
        Some(_) => Some(attribute(node, "tilecount")?),
        None => None,
    };
    for tile in node.children().filter(|child| child.has_tag_name("tile")) {
        let id: u32 = attribute(tile, "id")?;
        // The ids of a set of single pictures may have gaps.
        end = end.map(|end: u32| end.max(id.saturating_add(1)));
        costs.extend(rule(tile)?.cost().map(|cost| (id, cost)));
    }
    let name = node.attribute("name").unwrap_or_default().to_owned();
    Ok(Tileset { name, costs, end })
}

fn rule(node: Node<'_, '_>) -> Result<Rule, TiledError> {
    let mut rule = Rule::default();
    let lists = node
        .children()
        .filter(|child| child.has_tag_name("properties"));
    for property in lists.flat_map(|list| list.children()) {
        let value = property.attribute("value").or(property.text());
        if let Some(name) = property.attribute("name") {
            let value = PropertyValue::Text(value.unwrap_or_default());
            let taken = rule.take(name, &value);
            taken.map_err(|fault| fault.at(place(property)))?;
        }
    }
    Ok(rule)
}

/// Adds the layers of a map or a group in the order of the file.
fn take_layers<'a>(
    node: Node<'a, 'a>,
    is_infinite: bool,
    group: LayerGroup,
    layers: &mut Vec<TiledLayer<'a>>,
) -> Result<(), TiledError> {
    for child in node.children().filter(Node::is_element) {
        let mut rule = rule(child)?;
        let side = |name| attribute_or(child, name, 0.0);
        let here = group.with(rule, (side("offsetx")?, side("offsety")?));
        rule.is_ignored = here.is_ignored;
        let content = match child.tag_name().name() {
            "group" => {
                take_layers(child, is_infinite, here, layers)?;
                continue;
            }
            "layer" => Content::TileData(pieces(child, is_infinite, rule.is_ignored)?),
            "objectgroup" => Content::Objects(objects(child)?),
            _ => continue,
        };
        layers.push(TiledLayer {
            name: child.attribute("name").unwrap_or_default().to_owned(),
            rule,
            offset: here.offset,
            content,
        });
    }
    Ok(())
}

fn pieces<'a>(
    layer: Node<'a, 'a>,
    is_infinite: bool,
    is_ignored: bool,
) -> Result<Vec<Piece<'a>>, TiledError> {
    if is_ignored {
        return Ok(Vec::new());
    }
    let Some(all) = elements(layer, "data").next() else {
        return Err(TiledFault::Attribute { name: "data" }.at(place(layer)));
    };
    if is_infinite {
        let chunks = elements(all, "chunk");
        return chunks
            .map(|chunk| {
                Ok(Piece {
                    x: attribute(chunk, "x")?,
                    y: attribute(chunk, "y")?,
                    ..piece(chunk, chunk, all)?
                })
            })
            .collect();
    }
    Ok(vec![piece(layer, all, all)?])
}

/// Returns a piece at the origin with the size given by `sized`. Its tiles are
/// in `node`, in the encoding given by `all`.
fn piece<'a>(
    sized: Node<'a, 'a>,
    node: Node<'a, 'a>,
    all: Node<'a, 'a>,
) -> Result<Piece<'a>, TiledError> {
    let encoding = all.attribute("encoding").unwrap_or_default();
    let compression = all.attribute("compression").unwrap_or_default();
    let data = if encoding.is_empty() && compression.is_empty() {
        let tiles = elements(node, "tile");
        let numbers = tiles.map(|tile| attribute_or(tile, "gid", 0));
        Data::Numbers(numbers.collect::<Result<_, _>>()?)
    } else {
        let text = Cow::Borrowed(node.text().unwrap_or_default());
        let data = Data::encoded(text, encoding, compression);
        data.map_err(|fault| fault.at(place(all)))?
    };
    Ok(Piece {
        x: 0,
        y: 0,
        width: attribute(sized, "width")?,
        height: attribute(sized, "height")?,
        data,
    })
}

/// Returns the middle of each object of a layer.
fn objects(layer: Node<'_, '_>) -> Result<Vec<(f64, f64)>, TiledError> {
    let mut found = Vec::new();
    for object in layer
        .children()
        .filter(|child| child.has_tag_name("object"))
    {
        let side = |name| attribute_or(object, name, 0.0);
        let (x, y): (f64, f64) = (side("x")?, side("y")?);
        let (width, height) = (side("width")?, side("height")?);
        // The position of a tile object is its lower left corner, that of any
        // other object its upper left.
        let down = if object.has_attribute("gid") {
            -0.5
        } else {
            0.5
        };
        found.push((x + 0.5 * width, y + down * height));
    }
    Ok(found)
}
