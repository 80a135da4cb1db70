//! Messages of a page to its host: read from bytes, checked once, here.

use flowtiles::{Cell, CellRect, LayerId};

use crate::overlay::{LEVEL_MAX, Overlay};
use crate::wire::Reader;

/// The number of stages that a view may show side by side.
pub const STAGES: u8 = 2;
/// The most blocks that a page may give up in one message.
const FORGET_MAX: u16 = 4_096;
/// The most units that may be placed at a time.
const PLACED_MAX: u32 = 20_000;
/// The longest side of a map that a page may request.
const SIDE_MAX: u32 = 8_000;

/// The part of the map that a page shows, and the layers that it wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct View {
    pub(crate) area: CellRect,
    pub(crate) level: u8,
    pub(crate) layers: u32,
    /// The number of the order whose field is shown; `None` for the newest.
    pub(crate) order: Option<u64>,
    /// The layer of the world that is shown, as one team sees it.
    pub(crate) on: LayerId,
}

/// A block that a page no longer keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Forgotten {
    pub(crate) stage: u8,
    pub(crate) layer: Overlay,
    pub(crate) level: u8,
    pub(crate) column: u16,
    pub(crate) row: u16,
    pub(crate) on: LayerId,
}

/// A message from a page.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Message {
    /// The view that the page shows.
    View(View),
    /// Blocks that the page no longer keeps.
    Forget(Vec<Forgotten>),
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
#[derive(Clone, Copy, Debug, PartialEq)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// A request of a page to a studio. A game's inspector only shows, and refuses
/// all requests but [`Request::Why`]. With the feature `serde`, those that change
/// something are read and written.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub enum Request {
    /// Asks why a cell has its direction.
    #[cfg_attr(feature = "serde", serde(skip))]
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
    #[cfg_attr(feature = "serde", serde(skip))]
    Time(Time),
    /// Sets the cells of work that each tick may do.
    Budget(u32),
    /// Draws another map.
    #[cfg_attr(feature = "serde", serde(skip))]
    New(NewMap),
    /// Plays a scene.
    #[cfg_attr(feature = "serde", serde(skip))]
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
    #[cfg_attr(feature = "serde", serde(skip))]
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
    /// Sets how good the paths of orders must be, by the host's numbering, and plans all
    /// orders again.
    Quality(u8),
    /// Begins again with what is shown.
    #[cfg_attr(feature = "serde", serde(skip))]
    Again,
}

/// The reason for which a message was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The message has no bytes.
    Empty,
    /// The kind is unknown.
    Kind(u8),
    /// The message is shorter or longer than its kind requires.
    Length(u8),
    /// A value is out of its range.
    Value(u8),
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Empty => f.write_str("an empty message"),
            Self::Kind(kind) => write!(f, "a message of the unknown kind {kind}"),
            Self::Length(kind) => write!(f, "a message of kind {kind} of the wrong length"),
            Self::Value(kind) => write!(f, "a message of kind {kind} with a value out of range"),
        }
    }
}

impl Message {
    /// Reads a message.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, Refusal> {
        let (&kind, rest) = bytes.split_first().ok_or(Refusal::Empty)?;
        let mut reader = Reader::new(rest);
        let message = match kind {
            1..=3 => Self::read_own(kind, &mut reader),
            4..=27 => Request::read(kind, &mut reader).and_then(|request| {
                let is_allowed = request.is_allowed();
                is_allowed
                    .then_some(Self::Request(request))
                    .ok_or(Fault::Value)
            }),
            _ => return Err(Refusal::Kind(kind)),
        };
        match message {
            Ok(message) if reader.is_empty() => Ok(message),
            Ok(_) | Err(Fault::Length) => Err(Refusal::Length(kind)),
            Err(Fault::Value) => Err(Refusal::Value(kind)),
        }
    }

    fn read_own(kind: u8, reader: &mut Reader<'_>) -> Result<Self, Fault> {
        match kind {
            1 => Ok(Self::View(View {
                area: area(reader)?,
                level: at_most(reader.u8(), LEVEL_MAX)?,
                layers: have(reader.u32())?,
                order: Some(have(reader.u64())?).filter(|&number| number != u64::MAX),
                on: world_layer(reader)?,
            })),
            2 => {
                let count = have(reader.u16())?;
                if count > FORGET_MAX {
                    return Err(Fault::Value);
                }
                let forgotten = (0..count).map(|_| forgotten(reader));
                forgotten.collect::<Result<_, _>>().map(Self::Forget)
            }
            _ => Ok(Self::Hover {
                stage: stage(reader)?,
                cell: cell(reader)?,
            }),
        }
    }
}

impl Request {
    /// Whether all values are in the ranges that a page may ask for.
    #[must_use]
    pub const fn is_allowed(&self) -> bool {
        match self {
            Self::Goal(cell)
            | Self::Source(cell)
            | Self::Send(cell)
            | Self::Click(cell)
            | Self::March(cell) => is_near(cell.x) && is_near(cell.y),
            Self::Select([left, top, right, bottom]) => {
                left.is_finite() && top.is_finite() && right.is_finite() && bottom.is_finite()
            }
            Self::Paint { area, .. } => is_near_area(*area),
            Self::Stamp { turns, cell, .. } => *turns < 4 && is_near(cell.x) && is_near(cell.y),
            Self::New(map) => is_side(map.width) && is_side(map.height),
            Self::Place { cell, count } => {
                is_near(cell.x) && is_near(cell.y) && 0 < *count && *count <= PLACED_MAX
            }
            _ => true,
        }
    }

    fn read(kind: u8, reader: &mut Reader<'_>) -> Result<Self, Fault> {
        Ok(match kind {
            4 => Self::Why {
                stage: stage(reader)?,
                cell: cell(reader)?,
                order: Some(have(reader.u64())?).filter(|&number| number != u64::MAX),
            },
            5 => Self::Goal(cell(reader)?),
            6 => Self::Source(cell(reader)?),
            7 => Self::Clear,
            8 => Self::Select([
                have(reader.f32())?,
                have(reader.f32())?,
                have(reader.f32())?,
                have(reader.f32())?,
            ]),
            9 => Self::Send(cell(reader)?),
            10 => Self::Paint {
                stroke: have(reader.u32())?,
                brush: have(reader.u8())?,
                amount: have(reader.u8())?,
                area: area(reader)?,
            },
            11 => Self::Stamp {
                template: have(reader.u8())?,
                turns: have(reader.u8())?,
                cell: cell(reader)?,
            },
            12 => Self::Undo,
            13 => Self::Redo,
            14 => Self::Time(time(reader)?),
            15 => Self::Budget(have(reader.u32())?),
            16 => Self::New(NewMap {
                kind: have(reader.u8())?,
                width: have(reader.u32())?,
                height: have(reader.u32())?,
                seed: have(reader.u64())?,
                has_army: at_most(reader.u8(), 1)? == 1,
            }),
            17 => Self::Scene(PlayScene {
                scene: have(reader.u8())?,
                reading: choice(reader)?,
                beside: choice(reader)?,
                seed: have(reader.u64())?,
            }),
            18 => Self::Place {
                cell: cell(reader)?,
                count: have(reader.u32())?,
            },
            19 => Self::Replan,
            20 => Self::Life(have(reader.u64())?),
            21 => Self::Click(cell(reader)?),
            22 => Self::Read(have(reader.u8())?),
            23 => Self::StrokeEnd,
            24 => Self::OwnLayer(world_layer(reader)?),
            25 => Self::March(cell(reader)?),
            26 => Self::Quality(have(reader.u8())?),
            _ => Self::Again,
        })
    }
}

/// A fault in a message of a known kind.
enum Fault {
    Length,
    Value,
}

fn have<T>(value: Option<T>) -> Result<T, Fault> {
    value.ok_or(Fault::Length)
}

fn at_most(value: Option<u8>, most: u8) -> Result<u8, Fault> {
    Some(have(value)?)
        .filter(|&value| value <= most)
        .ok_or(Fault::Value)
}

fn stage(reader: &mut Reader<'_>) -> Result<u8, Fault> {
    at_most(reader.u8(), STAGES - 1)
}

fn choice(reader: &mut Reader<'_>) -> Result<Option<u8>, Fault> {
    Ok(Some(have(reader.u8())?).filter(|&choice| choice != u8::MAX))
}

/// No cell of any map lies farther out, and sums of such numbers do not
/// overflow.
const FAR: i32 = 1 << 20;

const fn is_near(coordinate: i32) -> bool {
    -FAR <= coordinate && coordinate <= FAR
}

const fn is_near_area(area: CellRect) -> bool {
    let is_small = area.width <= FAR as u32 && area.height <= FAR as u32;
    is_small && is_near(area.x) && is_near(area.y)
}

const fn is_side(side: u32) -> bool {
    0 < side && side <= SIDE_MAX
}

fn coordinate(reader: &mut Reader<'_>) -> Result<i32, Fault> {
    Some(have(reader.i32())?)
        .filter(|&value| is_near(value))
        .ok_or(Fault::Value)
}

fn cell(reader: &mut Reader<'_>) -> Result<Cell, Fault> {
    Ok(Cell::new(coordinate(reader)?, coordinate(reader)?))
}

fn area(reader: &mut Reader<'_>) -> Result<CellRect, Fault> {
    let corner = cell(reader)?;
    let (width, height) = (have(reader.u32())?, have(reader.u32())?);
    let area = CellRect::new(corner.x, corner.y, width, height);
    is_near_area(area).then_some(area).ok_or(Fault::Value)
}

/// Whether the world has the layer is not known here.
fn world_layer(reader: &mut Reader<'_>) -> Result<LayerId, Fault> {
    let layer = LayerId::from_number(have(reader.u16())?);
    layer.for_team(have(reader.u8())?).ok_or(Fault::Value)
}

fn time(reader: &mut Reader<'_>) -> Result<Time, Fault> {
    let what = have(reader.u8())?;
    let speed = have(reader.f32())?;
    match what {
        0 => Ok(Time::Pause),
        1 => Ok(Time::Resume),
        2 => Ok(Time::Step),
        3 if (0.01..=64.0).contains(&speed) => Ok(Time::Speed(speed)),
        _ => Err(Fault::Value),
    }
}

fn forgotten(reader: &mut Reader<'_>) -> Result<Forgotten, Fault> {
    Ok(Forgotten {
        stage: stage(reader)?,
        layer: *Overlay::ALL
            .get(usize::from(have(reader.u8())?))
            .ok_or(Fault::Value)?,
        level: at_most(reader.u8(), LEVEL_MAX)?,
        column: have(reader.u16())?,
        row: have(reader.u16())?,
        on: world_layer(reader)?,
    })
}

#[cfg(test)]
mod tests;
