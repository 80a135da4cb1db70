//! Lists of shapes in cell coordinates.

use super::Layer;
use crate::grid::{Direction, Rect};

/// A point of the map, counted in cells: the cell (3, 4) is the square from
/// (3.0, 4.0) to (4.0, 5.0).
pub type Point = [f32; 2];

/// What a part of a map looks like: shapes to be painted one after the other,
/// and the key to their colours.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawList {
    /// The cells that it shows. Shapes may reach a little over its edge.
    pub view: Rect,
    /// The shapes, the lowest first; labels last.
    pub primitives: Vec<Primitive>,
    /// What the colours mean that were used, in the order of the layers.
    pub key: Vec<KeyEntry>,
}

/// One shape of one colour.
#[derive(Clone, Debug, PartialEq)]
pub struct Primitive {
    /// The layer that it belongs to.
    pub layer: Layer,
    /// Its colour.
    pub paint: Paint,
    /// Where it is, and what it looks like.
    pub shape: Shape,
}

/// A shape in cell coordinates.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// All of these cells.
    Fill(Rect),
    /// A straight line, as thin as can be seen well; of [`Paint::Window`] and
    /// [`Paint::RouteWindow`] a bar.
    Line {
        /// One end.
        from: Point,
        /// The other end.
        to: Point,
    },
    /// An arrow around a point.
    Arrow {
        /// Its middle.
        at: Point,
        /// Where it points.
        direction: Direction,
        /// From end to end, in cells along the longer axis.
        length: f32,
    },
    /// A disc; to be drawn large enough to be seen, however small a cell is.
    Dot {
        /// Its middle.
        at: Point,
        /// Its radius in cells.
        radius: f32,
    },
    /// A ring; to be drawn large enough to be seen, however small a cell is.
    Ring {
        /// Its middle.
        at: Point,
        /// Its radius in cells.
        radius: f32,
    },
    /// Text around a point.
    Label {
        /// Its middle.
        at: Point,
        /// What it says: letters, digits and marks of ASCII.
        text: String,
    },
}

/// A class of colour, or a value on a ramp of colours. The painter chooses the
/// colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Paint {
    /// Ground and walls.
    Ground {
        /// The mean cost of the open cells, 1 to 254; 1 where there are none.
        cost: u8,
        /// Roughly how many eighths are walls: 0 only where no cell is one, 8 only
        /// where all are.
        walls: u8,
    },
    /// One of [`Paint::ISLANDS`] colours, by the island's number.
    Island(u8),
    /// A value, as 0 to 255 parts of the range in the key.
    Value(Ramp, u8),
    /// A cell with the goal in sight.
    Sight,
    /// A loaded sector.
    Loaded,
    /// The edge of what is loaded.
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
    /// A portal that a search has seen and not taken.
    Frontier,
    /// A direction.
    Arrow,
    /// The way of a unit.
    Way,
    /// A unit.
    Unit,
    /// A cell from which an order leads.
    Start,
    /// A goal.
    Goal,
    /// Text.
    Text,
}

impl Paint {
    /// How many colours islands have.
    pub const ISLANDS: u32 = 8;
}

/// A range of values that is shown by a range of colours.
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

/// A line of the key: a sample of what is seen, and what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyEntry {
    /// The layer that it explains.
    pub layer: Layer,
    /// The sample.
    pub sample: Key,
    /// What it means.
    pub text: String,
}

/// A sample of what is seen.
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
        /// Which ramp.
        ramp: Ramp,
        /// The value at its low end.
        low: u64,
        /// The value at its high end.
        high: u64,
    },
}

impl DrawList {
    pub(super) const fn new(view: Rect) -> Self {
        Self {
            view,
            primitives: Vec::new(),
            key: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, layer: Layer, paint: Paint, shape: Shape) {
        self.primitives.push(Primitive {
            layer,
            paint,
            shape,
        });
    }

    /// Explains something that is seen, unless that was done before.
    pub(super) fn explain(&mut self, layer: Layer, sample: Key, text: impl Into<String>) {
        let entry = KeyEntry {
            layer,
            sample,
            text: text.into(),
        };
        if !self.key.contains(&entry) {
            self.key.push(entry);
        }
    }

    /// Whether any shape of a layer has this colour.
    pub(super) fn has(&self, layer: Layer, paint: Paint) -> bool {
        let mut primitives = self.primitives.iter();
        primitives.any(|primitive| primitive.layer == layer && primitive.paint == paint)
    }
}
