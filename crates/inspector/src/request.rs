//! Messages of a page to its host: read from JSON, checked once, here.

use flowtiles::{Cell, CellRect, LayerId};
use serde::{Deserialize, Serialize};

use crate::overlay::{BlockKey, LEVEL_MAX};

/// The number of stages that a view may show side by side.
pub const STAGES: u8 = 2;
/// The most units that may be placed at a time.
const PLACED_MAX: u32 = 20_000;
/// The longest side of a map that a page may request.
const SIDE_MAX: u32 = 8_000;
/// No cell of any map lies farther out, and sums of such numbers do not
/// overflow.
const FAR: i32 = 1 << 20;

/// The part of the map that a page shows, and the layers that it wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct View {
    pub(crate) area: CellRect,
    pub(crate) level: u8,
    pub(crate) layers: u32,
    /// The number of the order whose field is shown; `None` for the newest.
    pub(crate) order: Option<u64>,
    /// The layer of the world that is shown, as one team sees it.
    pub(crate) on: LayerId,
}

/// A message from a page.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Message {
    /// The view that the page shows.
    View(View),
    /// Blocks that the page no longer keeps.
    Forget(Vec<BlockKey>),
    /// The cell under the pointer.
    Hover {
        /// The stage.
        stage: u8,
        /// The cell.
        cell: Cell,
    },
    /// A request for the host.
    Request(Request),
}

/// A change of the flow of time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Time {
    /// Time pauses.
    Pause,
    /// Time continues.
    Resume,
    /// One tick.
    Step,
    /// This many ticks for each tick of a game.
    Speed(f32),
}

/// A map to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewMap {
    /// The kind, by the host's numbering.
    pub kind: u8,
    /// The number of columns.
    pub width: u32,
    /// The number of rows.
    pub height: u32,
    /// The seed of the random numbers.
    pub seed: u64,
    /// Whether an army marches across it.
    pub has_army: bool,
}

/// A scene to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayScene {
    /// The scene, by the host's numbering.
    pub scene: u8,
    /// How units read their direction; `None` for the scene's own reading.
    pub reading: Option<u8>,
    /// A second setting, shown beside the first.
    pub beside: Option<u8>,
    /// The seed of the random numbers.
    pub seed: u64,
}

/// An order that a player is about to give. Lines are as those of [`Request::DrawUp`]; one whose
/// ends are one point is the cell there.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Aim {
    /// Of the selected units: [`Request::Send`] or [`Request::DrawUp`].
    Send([f32; 4]),
    /// Of the nearest group of units: [`Request::March`] or [`Request::MarchUp`].
    March([f32; 4]),
    /// Of all groups of a scene: [`Request::Click`].
    Click(Cell),
}

/// A request of a page to a studio. A game's inspector only shows, and refuses
/// all requests but [`Request::Why`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// Asks why a cell has its direction.
    Why {
        /// The stage.
        stage: u8,
        /// The cell.
        cell: Cell,
        /// The order's number; `None` for the newest.
        order: Option<u64>,
    },
    /// Sets the goal of the studio's own order.
    Goal(Cell),
    /// Adds a unit for the studio's own order to lead.
    Source(Cell),
    /// Removes the studio's own order and its units.
    Clear,
    /// Selects the units in an area, in cells: left, top, right, bottom.
    Select([f32; 4]),
    /// Sends the selected units to a cell.
    Send(Cell),
    /// Draws the selected units up on a line, given as x and y of its left end and of its right
    /// end.
    DrawUp([f32; 4]),
    /// Shows where units would stop if this order was given; `None` ends that.
    Aim(Option<Aim>),
    /// Paints an area, as part of a stroke of the brush.
    Paint {
        /// The stroke: areas of the same stroke are undone together.
        stroke: u32,
        /// The brush, by the host's numbering.
        brush: u8,
        /// How much it paints: a cost or a strength. Not all brushes heed it.
        amount: u8,
        /// The area.
        area: CellRect,
    },
    /// Places a template on the map.
    Stamp {
        /// The template, by the host's numbering.
        template: u8,
        /// The number of quarter turns.
        turns: u8,
        /// The north-west cell.
        cell: Cell,
    },
    /// Undoes the last change of the map.
    Undo,
    /// Redoes the change that was undone last.
    Redo,
    /// Changes the flow of time.
    Time(Time),
    /// Sets the cells of work that each tick may do.
    Budget(u32),
    /// Draws another map.
    New(NewMap),
    /// Plays a scene.
    Scene(PlayScene),
    /// Places units around a cell.
    Place {
        /// The middle.
        cell: Cell,
        /// The number of units.
        count: u32,
    },
    /// Plans all orders again, from the units' present positions.
    Replan,
    /// Asks for the life of an order, in small slices.
    Life(u64),
    /// A click in a scene that takes clicks: the first group of units goes
    /// there, the others to mirrored places.
    Click(Cell),
    /// Sets how the selected units read their fields, by the host's numbering.
    Read(u8),
    /// Ends the stroke of the brush.
    StrokeEnd,
    /// Sets the movement layer of the studio's own order, as a team sees it.
    OwnLayer(LayerId),
    /// Sends the group of units nearest to a cell there. Without units, sets the goal of
    /// the studio's own order.
    March(Cell),
    /// Draws the group of units nearest to the middle of a line up on it. Without units, sets the
    /// goal of the studio's own order there.
    MarchUp([f32; 4]),
    /// Sets how good the paths of orders must be, by the host's numbering, and plans all
    /// orders again.
    Quality(u8),
    /// Begins again with what is shown.
    Again,
}

impl Message {
    /// Reads a message; the error says what is wrong with it.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, String> {
        let message: Self = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        if message.is_allowed() {
            Ok(message)
        } else {
            Err(format!("a value is out of its range: {message:?}"))
        }
    }

    fn is_allowed(&self) -> bool {
        match self {
            Self::View(view) => is_near_area(view.area) && view.level <= LEVEL_MAX,
            // Blocks that no page keeps do no harm.
            Self::Forget(_) => true,
            Self::Hover { stage, cell } => *stage < STAGES && is_near(*cell),
            Self::Request(request) => request.is_allowed(),
        }
    }
}

impl Request {
    /// Whether all values are in the ranges that a page may ask for.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        match self {
            Self::Goal(cell)
            | Self::Source(cell)
            | Self::Send(cell)
            | Self::Click(cell)
            | Self::March(cell)
            | Self::Aim(Some(Aim::Click(cell))) => is_near(*cell),
            Self::Why { stage, cell, .. } => *stage < STAGES && is_near(*cell),
            Self::Select(sides) => sides.iter().all(|side| side.is_finite()),
            Self::DrawUp(ends)
            | Self::MarchUp(ends)
            | Self::Aim(Some(Aim::Send(ends) | Aim::March(ends))) => {
                ends.iter().all(|end| end.abs() <= FAR as f32)
            }
            Self::Paint { area, .. } => is_near_area(*area),
            Self::Stamp { turns, cell, .. } => *turns < 4 && is_near(*cell),
            Self::New(map) => [map.width, map.height]
                .iter()
                .all(|side| (1..=SIDE_MAX).contains(side)),
            Self::Place { cell, count } => is_near(*cell) && (1..=PLACED_MAX).contains(count),
            Self::Time(Time::Speed(speed)) => (0.01..=64.0).contains(speed),
            _ => true,
        }
    }

    /// Whether it changes what is played, so that a recording needs it. Others look, change
    /// the flow of time, or begin something else.
    #[must_use]
    pub const fn is_recorded(&self) -> bool {
        !matches!(
            self,
            Self::Why { .. }
                | Self::Aim(_)
                | Self::Time(_)
                | Self::New(_)
                | Self::Scene(_)
                | Self::Life(_)
                | Self::Again
        )
    }
}

fn is_near(cell: Cell) -> bool {
    [cell.x, cell.y].iter().all(|at| (-FAR..=FAR).contains(at))
}

fn is_near_area(area: CellRect) -> bool {
    let is_small = area.width <= FAR as u32 && area.height <= FAR as u32;
    is_small && is_near(Cell::new(area.x, area.y))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Message, String> {
        Message::read(text.as_bytes())
    }

    /// What the page's script `wire.js` says, for each kind of message with values.
    #[test]
    fn messages_of_a_page_are_read() {
        let (cell, area) = (Cell::new(-7, 1200), CellRect::new(30, -2, 5, 6));
        let layer = LayerId::from_number(300).for_team(7).unwrap();
        let view = View {
            area,
            level: 2,
            layers: 0b101,
            order: None,
            on: layer,
        };
        assert_eq!(
            read(
                r#"{"view":{"area":{"x":30,"y":-2,"width":5,"height":6},"level":2,"layers":5,
                    "order":null,"on":{"number":300,"team":7}}}"#
            ),
            Ok(Message::View(view))
        );
        let block = r#"{"stage":1,"on":{"number":9,"team":3},"layer":"graph","level":0,"column":300,"row":4}"#;
        let Ok(Message::Forget(blocks)) = read(&format!(r#"{{"forget":[{block},{block}]}}"#))
        else {
            panic!("two blocks");
        };
        assert_eq!(blocks.len(), 2);
        assert_eq!((blocks[1].column, blocks[1].row), (300, 4));
        assert_eq!(blocks[1].on.to_string(), "layer 9 of team 3");
        let hover = Message::Hover { stage: 1, cell };
        assert_eq!(read(r#"{"hover":{"stage":1,"cell":[-7,1200]}}"#), Ok(hover));
        let new = NewMap {
            kind: 4,
            width: 10,
            height: 8000,
            seed: 9,
            has_army: true,
        };
        let scene = PlayScene {
            scene: 3,
            reading: None,
            beside: Some(1),
            seed: 8,
        };
        for (text, request) in [
            (r#"{"goal":[-7,1200]}"#, Request::Goal(cell)),
            (r#""clear""#, Request::Clear),
            (
                r#"{"draw-up":[1.5,2,30.25,4]}"#,
                Request::DrawUp([1.5, 2.0, 30.25, 4.0]),
            ),
            (r#"{"aim":null}"#, Request::Aim(None)),
            (
                r#"{"aim":{"march":[1.5,2,1.5,2]}}"#,
                Request::Aim(Some(Aim::March([1.5, 2.0, 1.5, 2.0]))),
            ),
            (r#"{"time":{"speed":0.5}}"#, Request::Time(Time::Speed(0.5))),
            (r#"{"time":"pause"}"#, Request::Time(Time::Pause)),
            (
                r#"{"new":{"kind":4,"width":10,"height":8000,"seed":9,"has_army":true}}"#,
                Request::New(new),
            ),
            (
                r#"{"scene":{"scene":3,"reading":null,"beside":1,"seed":8}}"#,
                Request::Scene(scene),
            ),
            (
                r#"{"own-layer":{"number":300,"team":7}}"#,
                Request::OwnLayer(layer),
            ),
            (
                r#"{"why":{"stage":0,"cell":[-7,1200],"order":5}}"#,
                Request::Why {
                    stage: 0,
                    cell,
                    order: Some(5),
                },
            ),
        ] {
            let said = read(&format!(r#"{{"request":{text}}}"#));
            assert_eq!(said, Ok(Message::Request(request)), "{text}");
        }
    }

    #[test]
    fn values_out_of_range_and_what_is_no_message_are_refused() {
        let range = "a value is out of its range";
        for (text, why) in [
            ("", "EOF"),
            ("\u{0}", "expected value"),
            ("7", "expected"),
            (r#"{"request":"clear"} "#, ""),
            (r#"{"request":"clear"}{}"#, "trailing characters"),
            (r#"{"request":{"walk":1}}"#, "unknown variant `walk`"),
            (r#"{"request":{"goal":[1]}}"#, "invalid length 1"),
            (r#"{"request":{"goal":[1048577,0]}}"#, range),
            (r#"{"request":{"goal":[0,-1048577]}}"#, range),
            (r#"{"request":{"goal":[0,4294967296]}}"#, "invalid value"),
            (r#"{"hover":{"stage":2,"cell":[0,0]}}"#, range),
            (
                r#"{"request":{"why":{"stage":2,"cell":[0,0],"order":null}}}"#,
                range,
            ),
            (
                r#"{"request":{"stamp":{"template":0,"turns":4,"cell":[0,0]}}}"#,
                range,
            ),
            (r#"{"request":{"select":[0,0,1e39,0]}}"#, "range"),
            (r#"{"request":{"draw-up":[0,0,1048577,0]}}"#, range),
            (r#"{"request":{"march-up":[0,0,0,-1048577]}}"#, range),
            (r#"{"request":{"aim":{"send":[0,-2e6,1,0]}}}"#, range),
            (r#"{"request":{"aim":{"click":[0,1048577]}}}"#, range),
            (r#"{"request":{"time":{"speed":0}}}"#, range),
            (r#"{"request":{"time":{"speed":65}}}"#, range),
            (r#"{"request":{"place":{"cell":[0,0],"count":0}}}"#, range),
            (
                r#"{"request":{"place":{"cell":[0,0],"count":20001}}}"#,
                range,
            ),
            (
                r#"{"request":{"new":{"kind":0,"width":5,"height":8001,"seed":0,"has_army":false}}}"#,
                range,
            ),
            (
                r#"{"request":{"own-layer":{"number":0,"team":8}}}"#,
                "no team 8",
            ),
            (
                r#"{"view":{"area":[0,0,1048577,1],"level":0,"layers":0,"order":null,"on":{"number":0}}}"#,
                range,
            ),
            (
                r#"{"view":{"area":[0,0,1,1],"level":10,"layers":0,"order":null,"on":{"number":0}}}"#,
                range,
            ),
        ] {
            match read(text) {
                Ok(_) => assert!(why.is_empty(), "{text}"),
                Err(told) => assert!(!why.is_empty() && told.contains(why), "{text}: {told}"),
            }
        }
    }
}
