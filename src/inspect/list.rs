//! Lists of shapes in cell coordinates.

use super::Overlay;
use crate::grid::{CellRect, Direction};

/// A point of the map, in cells: the cell (3, 4) is the square from (3.0, 4.0)
/// to (4.0, 5.0).
pub type Point = [f32; 2];

/// A picture of a part of a map: shapes to paint one after the other, and the
/// key to their colours.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawList {
    /// The cells that the list shows. Shapes may extend slightly over its edge.
    pub view: CellRect,
    /// The shapes, the lowest first; labels last.
    pub primitives: Vec<Primitive>,
    /// The meanings of the colours used, in the order of the overlays.
    pub key: Vec<KeyEntry>,
}

/// One shape of one colour.
#[derive(Clone, Debug, PartialEq)]
pub struct Primitive {
    /// The overlay to which the shape belongs.
    pub overlay: Overlay,
    /// The colour.
    pub paint: Paint,
    /// The shape and its position.
    pub figure: Figure,
}

/// A shape in cell coordinates.
#[derive(Clone, Debug, PartialEq)]
pub enum Figure {
    /// All cells of a rectangle.
    Fill(CellRect),
    /// A straight line, as thin as is clearly visible; with [`Paint::Window`]
    /// and [`Paint::RouteWindow`] a bar.
    Line {
        /// One end.
        from: Point,
        /// The other end.
        to: Point,
    },
    /// An arrow around a point.
    Arrow {
        /// The middle.
        at: Point,
        /// The direction in which it points.
        direction: Direction,
        /// The length from end to end, in cells along the longer axis.
        length: f32,
    },
    /// A disc, drawn large enough to be visible, however small a cell is.
    Dot {
        /// The middle.
        at: Point,
        /// The radius in cells.
        radius: f32,
    },
    /// A ring, drawn large enough to be visible, however small a cell is.
    Ring {
        /// The middle.
        at: Point,
        /// The radius in cells.
        radius: f32,
    },
    /// Text around a point.
    Label {
        /// The middle.
        at: Point,
        /// The text: letters, digits and punctuation of ASCII.
        text: String,
    },
}

/// A class of colour, or a value on a ramp of colours. The painter chooses the
/// actual colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Paint {
    /// Ground and walls.
    Ground {
        /// The mean cost of the open cells, 1 to 254; 1 if there are none.
        cost: u8,
        /// Roughly how many eighths are walls: 0 only if no cell is a wall, 8
        /// only if all are.
        walls: u8,
    },
    /// One of [`Paint::ISLANDS`] colours, by the island's number.
    Island(u8),
    /// A value, in parts of 255 of the range in the key.
    Value(Ramp, u8),
    /// A cell with the goal in sight.
    Sight,
    /// A loaded sector.
    Loaded,
    /// The edge of the loaded sectors.
    LoadedEdge,
    /// A sector whose tile waits to be settled.
    Waiting,
    /// The border of two sectors.
    SectorLine,
    /// An edge of the portal graph.
    Edge,
    /// The window of a portal.
    Window,
    /// The window of a portal on an order's route.
    RouteWindow,
    /// A portal that a search has seen but not taken.
    Frontier,
    /// A direction.
    Arrow,
    /// The path of a unit.
    Path,
    /// A unit.
    Unit,
    /// A cell from which an order starts.
    Start,
    /// A goal.
    Goal,
    /// Text.
    Text,
}

impl Paint {
    /// The number of colours for islands.
    pub const ISLANDS: u32 = 8;
}

/// A range of values shown by a range of colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ramp {
    /// The cost-to-go.
    Integration,
    /// The side of the largest open square.
    Clearance,
    /// Units on a cell.
    Density,
    /// The price from a portal that a search has taken.
    Search,
}

/// A line of the key: a sample of a shape, and its meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyEntry {
    /// The overlay to which the line belongs.
    pub overlay: Overlay,
    /// The sample.
    pub sample: Key,
    /// The meaning.
    pub text: String,
}

/// A sample of a shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key {
    /// A filled square.
    Fill(Paint),
    /// A line.
    Line(Paint),
    /// An arrow.
    Arrow(Paint),
    /// A disc.
    Dot(Paint),
    /// A ring.
    Ring(Paint),
    /// A ramp of colours between two values.
    Ramp {
        /// The ramp.
        ramp: Ramp,
        /// The value at the low end.
        low: u64,
        /// The value at the high end.
        high: u64,
    },
}

impl DrawList {
    pub(super) const fn new(view: CellRect) -> Self {
        Self {
            view,
            primitives: Vec::new(),
            key: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, layer: Overlay, paint: Paint, shape: Figure) {
        self.primitives.push(Primitive {
            overlay: layer,
            paint,
            figure: shape,
        });
    }

    /// Adds a line to the key, unless it is there already.
    pub(super) fn explain(&mut self, layer: Overlay, sample: Key, text: impl Into<String>) {
        let entry = KeyEntry {
            overlay: layer,
            sample,
            text: text.into(),
        };
        if !self.key.contains(&entry) {
            self.key.push(entry);
        }
    }

    /// Whether any shape of an overlay has this colour.
    pub(super) fn has(&self, layer: Overlay, paint: Paint) -> bool {
        self.primitives
            .iter()
            .any(|primitive| primitive.overlay == layer && primitive.paint == paint)
    }
}
