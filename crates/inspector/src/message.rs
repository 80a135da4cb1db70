//! Messages of a host to its pages.
//!
//! What is large and comes often, blocks and units, is bytes: a byte for the kind, then
//! little-endian numbers. All else is JSON, so it begins with `{`.

use std::collections::BTreeMap;
use std::sync::Arc;

use flowtiles::{Cell, CellRect, LayerId, Link, LinkId};
use serde::{Serialize, Serializer};

use crate::outbox::Slot;
use crate::overlay::{BlockKey, Overlay};
use crate::shown::{Mark, ShownOrder, UnitPath};
use crate::world_layers::WorldLayer;

/// The version of the protocol: a page of another version asks to be loaded
/// again.
pub(crate) const VERSION: u8 = 13;

/// The kinds of messages in bytes.
const BLOCK: u8 = 1;
const UNITS: u8 = 2;
const GHOSTS: u8 = 3;

/// A message that is written as JSON.
#[derive(Serialize)]
#[serde(
    tag = "kind",
    rename_all = "kebab-case",
    rename_all_fields = "camelCase"
)]
pub(crate) enum Told<'a> {
    /// What is shown, and whether the page may change it.
    Hello {
        version: u8,
        is_studio: bool,
        stages: &'a [StageInfo],
    },
    /// The orders of a stage.
    Orders {
        stage: u8,
        tick: u32,
        orders: Vec<OrderLine<'a>>,
    },
    /// The portals in view of the chosen order's route.
    Route { stage: u8, crossings: Vec<Crossing> },
    /// The paths on the layer on view.
    Paths { stage: u8, paths: Vec<&'a UnitPath> },
    /// The links on the layer on view.
    Links { stage: u8, links: Vec<LinkLine> },
    /// A number for each of the page's counters.
    Figures { stage: u8, values: &'a [f64] },
    /// The facts about the cell under the pointer.
    Cell(CellFacts),
    /// The explanation of a cell's direction.
    Why {
        stage: u8,
        #[serde(flatten)]
        cell: Cell,
        text: String,
    },
    /// A note for the people at the page.
    Note { tone: NoteKind, text: &'a str },
    /// The life of an order.
    Life { order: u64, slices: &'a [LifeSlice] },
    /// The state of a studio.
    Status(&'a Status),
    /// The lists that a studio's pages offer.
    Catalogue(&'a Catalogue),
}

impl Told<'_> {
    /// Returns the place in which the newest message replaces older ones; `None` for notes.
    pub(crate) const fn slot(&self) -> Option<Slot> {
        Some(match *self {
            Self::Hello { .. } => Slot::Hello,
            Self::Orders { stage, .. } => Slot::Orders(stage),
            Self::Route { stage, .. } => Slot::Route(stage),
            Self::Paths { stage, .. } => Slot::Paths(stage),
            Self::Links { stage, .. } => Slot::Links(stage),
            Self::Figures { stage, .. } => Slot::Figures(stage),
            Self::Cell(_) => Slot::Cell,
            Self::Why { .. } => Slot::Why,
            Self::Note { .. } => return None,
            Self::Life { .. } => Slot::Life,
            Self::Status(_) => Slot::Status,
            Self::Catalogue(_) => Slot::Catalogue,
        })
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("all keys are texts")
    }
}

/// Writes a layer of the world as one number, as the page knows it.
fn on<S: Serializer>(layer: &LayerId, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u32(u32::from(layer.number()) * 8 + u32::from(layer.team()))
}

/// The description of one stage.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StageInfo {
    pub(crate) serial: u32,
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// The layers that have something to show.
    pub(crate) layers: u32,
    pub(crate) title: String,
    /// The layers of the world.
    #[serde(serialize_with = "world_layers")]
    pub(crate) world_layers: Arc<[WorldLayer]>,
}

fn world_layers<S: Serializer>(layers: &[WorldLayer], serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Line<'a> {
        #[serde(serialize_with = "on")]
        on: LayerId,
        /// The teams that share it, as bits.
        teams: u8,
        is_derived: bool,
        name: &'a str,
    }
    serializer.collect_seq(layers.iter().map(|layer| Line {
        on: layer.id,
        teams: layer.teams.bits(),
        is_derived: layer.is_derived,
        name: &layer.name,
    }))
}

/// An order, with the facts that the view has gathered about it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OrderLine<'a> {
    pub(crate) number: u64,
    #[serde(serialize_with = "on")]
    pub(crate) on: LayerId,
    #[serde(flatten)]
    pub(crate) shown: &'a ShownOrder<'a>,
    /// The order's bit in blocks of loaded sectors.
    pub(crate) bit: u16,
    /// Whether its units read the crowd.
    pub(crate) has_stream: bool,
    /// The potential that has the strongest colour.
    pub(crate) potential: f32,
    /// Sectors loaded.
    pub(crate) loaded: usize,
}

/// A portal on a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Crossing {
    /// Its place along the route, counted from the goal.
    pub(crate) number: u32,
    /// The cell that stands for the portal.
    #[serde(flatten)]
    pub(crate) cell: Cell,
    /// The portal's window in the western or northern sector.
    pub(crate) window: CellRect,
    /// Whether the border runs from north to south.
    pub(crate) stands: bool,
}

/// A link between cells.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LinkLine {
    number: u32,
    price: u32,
    /// The north-western cells of its entries, and of its ends.
    entry: Cell,
    exit: Cell,
    width: u32,
    height: u32,
    /// Whether it leads on all layers.
    is_on_all: bool,
}

impl From<(LinkId, &Link)> for LinkLine {
    fn from((id, link): (LinkId, &Link)) -> Self {
        let area = link.area();
        Self {
            number: id.number(),
            price: link.price(),
            entry: Cell::new(area.x, area.y),
            exit: Cell::new(link.end().x, link.end().y),
            width: area.width,
            height: area.height,
            is_on_all: link.layers().is_none(),
        }
    }
}

/// The facts about a cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CellFacts {
    pub(crate) stage: u8,
    #[serde(flatten)]
    pub(crate) cell: Cell,
    /// The layer of the world that all this is about.
    #[serde(serialize_with = "on")]
    pub(crate) on: LayerId,
    pub(crate) cost: u8,
    pub(crate) ground: u8,
    pub(crate) flow: u8,
    pub(crate) is_loaded: bool,
    /// The engine's number of its island.
    pub(crate) island: Option<u32>,
    pub(crate) is_mainland: bool,
    pub(crate) portals: usize,
    pub(crate) to_go: Option<u64>,
    /// Density, speed, discomfort, potential, where there are such.
    pub(crate) crowd: BTreeMap<Overlay, f32>,
}

/// The meaning of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoteKind {
    /// Something was done.
    Done,
    /// The cost of an edit.
    Bill,
    /// Something could not be done.
    Refused,
}

/// The stage that a slice of an order's life shows. Pages know it by its number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(into = "u8")]
#[repr(u8)]
pub enum LifeStage {
    /// The order was given.
    #[default]
    Given = 0,
    /// The portal graph is searched.
    Search = 1,
    /// The sectors on the paths are loaded.
    Load = 2,
    /// The loaded sectors are integrated from the goal outward.
    Integrate = 3,
    /// The field is fitted to edits.
    Patch = 4,
    /// All work is done: the directions can be read.
    Flow = 5,
    /// The cells with the goal in sight.
    Sight = 6,
    /// The last claim is gone.
    Freed = 7,
}

impl From<LifeStage> for u8 {
    fn from(stage: LifeStage) -> Self {
        stage as Self
    }
}

/// A slice of an order's life. Each list holds only what this slice did: what was
/// seen or waits stays so until a later slice lists it as taken, aside or served.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LifeSlice {
    /// The work since the order was given, in cells.
    pub cells: u64,
    /// The stage of the order.
    pub stage: LifeStage,
    /// The portals that the search took, as columns and rows.
    pub taken: Vec<(u16, u16)>,
    /// The portals that the search has first seen in this slice and not taken.
    pub frontier: Vec<(u16, u16)>,
    /// The portals that the search had seen before this slice and now discarded
    /// without taking them.
    pub aside: Vec<(u16, u16)>,
    /// The sectors loaded.
    pub loaded: Vec<(u16, u16)>,
    /// The sectors settled.
    pub settled: Vec<(u16, u16)>,
    /// Sectors that began to wait, with a cost-to-go at their border.
    pub waiting: Vec<(u16, u16)>,
    /// Sectors that waited before this slice and no longer do.
    pub served: Vec<(u16, u16)>,
    /// Sectors freed.
    pub freed: Vec<(u16, u16)>,
    /// The sectors with their most frequent direction.
    pub flow: Vec<(u16, u16, u16)>,
    /// Runs of cells with the goal in sight: the start of each, and its number
    /// of cells from west to east.
    pub sight: Vec<(u16, u16, u16)>,
}

/// The state of a studio.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Status {
    /// Whether time is paused.
    pub is_paused: bool,
    /// The number of ticks for each tick of a game.
    pub speed: f32,
    /// The cells of work that each tick may do.
    pub budget: u32,
    /// The changes of the map that can be undone.
    pub undos: u32,
    /// The changes that can be redone.
    pub redos: u32,
    /// The number of selected units.
    pub selected: u32,
    /// Whether a click moves the scene's groups of units.
    pub takes_clicks: bool,
    /// How good the paths of orders must be, by the host's numbering.
    pub quality: u8,
    /// The tick at which the replay ends; 0 without a replay.
    pub replay_ends: u32,
    /// The pages that share the session.
    pub watchers: u32,
}

/// The names in the lists that a page offers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Catalogue {
    /// The scenes.
    pub scenes: Vec<SceneInfo>,
    /// Kinds of new maps.
    pub maps: Vec<String>,
    /// The readings of a field.
    pub readings: Vec<String>,
    /// How good the paths of orders can be asked to be.
    pub qualities: Vec<String>,
    /// Templates that can be stamped, with their sizes.
    pub templates: Vec<(String, u8, u8)>,
    /// The brushes that paint.
    pub brushes: Vec<BrushInfo>,
}

/// A scene that a page offers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SceneInfo {
    /// The name.
    pub name: String,
    /// What it shows.
    pub about: String,
    /// The group in which the page lists it.
    pub group: String,
    /// A small picture: the numbers of columns and rows; then, row by row, runs of a
    /// colour. A byte holds the colour and, in its lower half, the run's length less one.
    pub picture: Vec<u8>,
}

/// A brush of the page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct BrushInfo {
    /// The group in which the page lists it.
    pub group: &'static str,
    /// The name.
    pub name: String,
    /// What to know of it; may be empty.
    pub hint: &'static str,
    /// The least amount, the greatest, and the usual one; all 0 if it takes none.
    pub amounts: [u8; 3],
    /// The layer that shows what it paints, if that is not the ground.
    pub layer: Option<Overlay>,
}

/// Writes a block: all its bytes, or one texel that stands for all.
pub(crate) fn block(key: BlockKey, serial: u32, order: u64, content: &[u8]) -> Vec<u8> {
    let plain = texel_bytes(key).filter(|&size| is_uniform(content, size));
    let head = [
        BLOCK,
        key.stage,
        key.layer as u8,
        key.level,
        u8::from(plain.is_some()),
    ];
    [
        &head[..],
        &key.column.to_le_bytes(),
        &key.row.to_le_bytes(),
        &serial.to_le_bytes(),
        &order.to_le_bytes(),
        &key.on.number().to_le_bytes(),
        &[key.on.team()],
        plain.map_or(content, |size| &content[..size]),
    ]
    .concat()
}

/// Returns the bytes of a texel, if the layer has texels.
const fn texel_bytes(key: BlockKey) -> Option<usize> {
    match key.layer {
        Overlay::Ground | Overlay::Integration => Some(4),
        Overlay::Flow
        | Overlay::Islands
        | Overlay::Density
        | Overlay::Speed
        | Overlay::Discomfort
        | Overlay::Potential => Some(1),
        Overlay::Loaded | Overlay::Portals | Overlay::Graph => None,
    }
}

fn is_uniform(content: &[u8], size: usize) -> bool {
    content.len() > size && content[..content.len() - size] == content[size..]
}

/// Writes the units in view, and the number of all units.
pub(crate) fn units(stage: u8, tick: u32, marks: &[Mark], view: CellRect) -> Vec<u8> {
    let mut message = Vec::with_capacity(10 + 16 * marks.len());
    message.extend([UNITS, stage]);
    message.extend(tick.to_le_bytes());
    message.extend((marks.len() as u32).to_le_bytes());
    push_marks(&mut message, marks, view);
    message
}

/// Writes the places in view where units will stop.
pub(crate) fn ghosts(stage: u8, marks: &[Mark], view: CellRect) -> Vec<u8> {
    let mut message = vec![GHOSTS, stage];
    push_marks(&mut message, marks, view);
    message
}

/// Writes marks in view, sixteen bytes each.
fn push_marks(message: &mut Vec<u8>, marks: &[Mark], view: CellRect) {
    for mark in marks.iter().filter(|mark| mark.is_in(view)) {
        // All at once, since there are thousands of them.
        let mut bytes = [0; 16];
        bytes[..4].copy_from_slice(&mark.id.to_le_bytes());
        bytes[4..8].copy_from_slice(&mark.position[0].to_le_bytes());
        bytes[8..12].copy_from_slice(&mark.position[1].to_le_bytes());
        bytes[12] = (mark.radius * 64.0).clamp(1.0, 255.0) as u8;
        bytes[13] = mark.banner;
        bytes[14] = mark.state as u8;
        bytes[15] = u8::from(mark.selected);
        message.extend(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shown::MarkState;

    const KEY: BlockKey = BlockKey {
        stage: 1,
        on: LayerId::from_number(260),
        layer: Overlay::Flow,
        level: 3,
        column: 513,
        row: 7,
    };

    #[test]
    fn a_block_is_whole_or_one_texel_for_all() {
        let content: Vec<u8> = (0..10_000u32)
            .map(|number| (number * 7 % 251) as u8)
            .collect();
        let message = block(KEY, 0xA1B2_C3D4, 99, &content);
        let head = [1, 1, 1, 3, 0, 1, 2, 7, 0, 0xD4, 0xC3, 0xB2, 0xA1, 99];
        assert_eq!(message[..14], head);
        assert_eq!(message[14..24], [0, 0, 0, 0, 0, 0, 0, 4, 1, 0]);
        assert_eq!(message[24..], content);

        let plain = block(KEY, 1, 2, &[9; 10_000]);
        assert_eq!((plain[4], &plain[24..]), (1, &[9][..]));

        let ground = BlockKey {
            layer: Overlay::Ground,
            ..KEY
        };
        let texels = [3, 1, 128, 90].repeat(102 * 102);
        assert_eq!(block(ground, 1, 2, &texels)[24..], [3, 1, 128, 90]);
        let mut other = texels.clone();
        *other.last_mut().unwrap() = 91;
        assert_eq!(block(ground, 1, 2, &other)[24..], other);
        // Lines have no texels: a block of equal lines is not reduced to one.
        let lines = BlockKey {
            layer: Overlay::Portals,
            ..KEY
        };
        assert_eq!(block(lines, 1, 2, &[5; 20])[24..], [5; 20]);
    }

    #[test]
    fn units_are_sixteen_bytes_each() {
        let marks = [
            Mark::at(7, Cell::new(10, 20)),
            Mark {
                id: u32::MAX,
                position: [0.25, 3999.75],
                radius: 0.5,
                banner: 3,
                state: MarkState::Unreachable,
                selected: true,
            },
        ];
        let message = units(1, 500, &marks, CellRect::new(0, 0, 4000, 4000));
        assert_eq!(message[..10], [2, 1, 244, 1, 0, 0, 2, 0, 0, 0]);
        let unit = |id: u32, [x, y]: [f32; 2], rest: [u8; 4]| {
            [id.to_le_bytes(), x.to_le_bytes(), y.to_le_bytes(), rest].concat()
        };
        assert_eq!(message[10..26], unit(7, [10.5, 20.5], [19, 0, 0, 0]));
        let other = unit(u32::MAX, [0.25, 3999.75], [32, 3, 2, 1]);
        assert_eq!(message[26..], other);
        let near = CellRect::new(10, 20, 1, 1);
        let ghosts = ghosts(1, &marks, near);
        assert_eq!(
            (&ghosts[..2], &ghosts[2..]),
            (&[3, 1][..], &message[10..26])
        );
        let near = units(1, 500, &marks, near);
        assert_eq!(near.len(), 10 + 16, "what is out of view is not sent");
    }

    #[test]
    fn all_else_is_json_with_the_names_of_the_page() {
        let told = |message: Told<'_>| String::from_utf8(message.bytes()).unwrap();
        let life = LifeSlice {
            cells: 1 << 40,
            stage: LifeStage::Sight,
            waiting: vec![(3, 4)],
            ..LifeSlice::default()
        };
        let message = told(Told::Life {
            order: 5,
            slices: &[life],
        });
        let begin = r#"{"kind":"life","order":5,"slices":[{"cells":1099511627776,"stage":6,"#;
        assert!(message.starts_with(begin), "{message}");
        assert!(message.contains(r#""waiting":[[3,4]]"#), "{message}");
        let facts = CellFacts {
            stage: 1,
            cell: Cell::new(9, -14),
            on: LayerId::from_number(2).for_team(3).unwrap(),
            cost: 255,
            ground: 9,
            flow: 12,
            is_loaded: true,
            island: None,
            is_mainland: false,
            portals: 3,
            to_go: Some(70),
            crowd: BTreeMap::from([(Overlay::Speed, 0.5)]),
        };
        assert_eq!(
            told(Told::Cell(facts)),
            r#"{"kind":"cell","stage":1,"x":9,"y":-14,"on":19,"cost":255,"ground":9,"flow":12,"isLoaded":true,"island":null,"isMainland":false,"portals":3,"toGo":70,"crowd":{"speed":0.5}}"#
        );
        let note = Told::Note {
            tone: NoteKind::Refused,
            text: "a \"wall\"\n",
        };
        assert_eq!(
            told(note),
            r#"{"kind":"note","tone":"refused","text":"a \"wall\"\n"}"#
        );
    }
}
