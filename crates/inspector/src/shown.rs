//! The contents of a picture: a world, the orders and units in it, and the
//! paint.

use flowtiles::steer::{Unit, UnitState};
use flowtiles::{Cell, CellRect, FlowWorld, LayerId, Order};
use serde::Serialize;

use crate::ground::{Ground, PlainGround};
use crate::overlay::Overlay;

/// A unit as the page draws it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// The number, by which the page matches a unit in two pictures.
    pub id: u32,
    /// The position of the middle, in cells.
    pub position: [f32; 2],
    /// The radius, in cells.
    pub radius: f32,
    /// One of the page's eight colours.
    pub banner: u8,
    /// What the unit is doing.
    pub state: MarkState,
    /// Whether a player has selected it; of a place where it will stop, whether it is not sent
    /// there yet.
    pub selected: bool,
}

/// What a unit is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum MarkState {
    /// It is on its way.
    #[default]
    Marching = 0,
    /// It has arrived.
    Arrived = 1,
    /// It is cut off.
    Unreachable = 2,
    /// It only marks the start of a path.
    Source = 3,
}

impl Mark {
    /// Returns a unit in the middle of a cell.
    #[must_use]
    pub const fn at(id: u32, cell: Cell) -> Self {
        Self {
            id,
            position: cell.centre(),
            radius: 0.3,
            banner: 0,
            state: MarkState::Marching,
            selected: false,
        }
    }

    /// Whether its middle lies in an area.
    pub(crate) fn is_in(&self, area: CellRect) -> bool {
        // Compared as floats: rounding down is a function call on some
        // processors.
        let within = |at: f32, from: i32, side: u32| {
            at >= from as f32 && at < (i64::from(from) + i64::from(side)) as f32
        };
        within(self.position[0], area.x, area.width)
            && within(self.position[1], area.y, area.height)
    }

    /// Returns the unit in another of the page's colours.
    #[must_use]
    pub const fn with_banner(mut self, banner: u8) -> Self {
        self.banner = banner;
        self
    }
}

impl From<&Unit> for Mark {
    fn from(unit: &Unit) -> Self {
        Self {
            id: unit.id,
            position: unit.position,
            radius: unit.radius,
            banner: (unit.group.index() % 8) as u8,
            state: match unit.state {
                UnitState::Arrived => MarkState::Arrived,
                UnitState::Unreachable => MarkState::Unreachable,
                _ => MarkState::Marching,
            },
            selected: false,
        }
    }
}

/// A path that is drawn as a line.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct UnitPath {
    /// One of the page's eight colours.
    pub banner: u8,
    /// The points from its start on, in cells, between which it runs straight.
    pub points: Vec<[f32; 2]>,
    /// Whether its line is thin at any zoom.
    pub thin: bool,
    /// The layer on which it leads: pages that show another do not draw it.
    #[serde(skip)]
    pub layer: LayerId,
}

/// An order that is shown.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShownOrder<'a> {
    /// The claim, which the game holds.
    #[serde(skip)]
    pub order: &'a Order,
    /// The goal.
    pub goal: Cell,
    /// One of the page's eight colours.
    pub banner: u8,
    /// The number of units that follow it.
    pub units: u32,
    /// Those of them that cannot reach the goal.
    pub cut_off: u32,
    /// A number that changes whenever the order's field may have changed;
    /// without it the field is read again regularly.
    #[serde(skip)]
    pub revision: Option<u64>,
    /// The tick at which the order was given.
    pub given: u32,
    /// The tick at which all directions were ready.
    pub ready: Option<u32>,
}

impl<'a> ShownOrder<'a> {
    /// Returns an order that leads to a goal.
    #[must_use]
    pub const fn new(order: &'a Order, goal: Cell) -> Self {
        Self {
            order,
            goal,
            banner: 0,
            units: 0,
            cut_off: 0,
            revision: None,
            given: 0,
            ready: None,
        }
    }
}

impl ShownOrder<'_> {
    /// Returns the layer that the order is on.
    pub(crate) const fn layer(&self) -> LayerId {
        self.order.goal().layer()
    }
}

/// The values of a crowd by cell, for the layers of density, speed, discomfort
/// and potential. Unless said otherwise, there is no crowd.
pub trait Fields {
    /// Returns the value of a cell for the units of an order, in the layer's own
    /// unit; `None` where there is none. All orders share the density.
    fn value(&self, _layer: Overlay, _order: Option<u64>, _cell: Cell) -> Option<f32> {
        None
    }

    /// Returns the value with the strongest colour. It is called after the
    /// values of a block were read.
    fn full(&self, _layer: Overlay, _order: Option<u64>) -> f32 {
        1.0
    }

    /// Whether there are values for a layer.
    fn has(&self, _layer: Overlay) -> bool {
        false
    }

    /// Whether units of an order read the crowd, so that it has a speed, a
    /// discomfort and a potential of its own.
    fn has_stream(&self, _order: u64) -> bool {
        false
    }

    /// Returns a number that changes whenever a value may have changed other
    /// than by a tick.
    fn revision(&self) -> u64 {
        0
    }
}

/// No crowd: the density is computed from the units.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFields;

impl Fields for NoFields {}

/// What is shown of a world at one moment.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    /// The world.
    pub world: &'a FlowWorld,
    /// The orders to show, oldest first.
    pub orders: &'a [ShownOrder<'a>],
    /// The units.
    pub marks: &'a [Mark],
    /// The places where units will stop, as units that are there already.
    pub ghosts: &'a [Mark],
    /// The look of the ground.
    pub ground: &'a dyn Ground,
    /// A crowd's values.
    pub fields: &'a dyn Fields,
    /// The paths to draw.
    pub paths: &'a [UnitPath],
    /// The tick.
    pub tick: u32,
    /// A number that differs for another world, so that pages start again.
    pub serial: u32,
    /// A title, in a few words.
    pub title: &'a str,
    /// A number that changes whenever the map does; without it the map is read
    /// again regularly.
    pub map_revision: Option<u64>,
    /// The areas that changed since the last picture; they are read first.
    pub touched: &'a [CellRect],
}

impl<'a> Shown<'a> {
    /// Returns a world without anything else.
    #[must_use]
    pub fn new(world: &'a FlowWorld) -> Self {
        Self {
            world,
            orders: &[],
            marks: &[],
            ghosts: &[],
            ground: &PlainGround,
            fields: &NoFields,
            paths: &[],
            tick: 0,
            serial: 1,
            title: "",
            map_revision: None,
            touched: &[],
        }
    }

    /// Returns the order with a number, or the newest, of those on a layer.
    pub(crate) fn order_on(
        &self,
        number: Option<u64>,
        is_on: impl Fn(LayerId) -> bool,
    ) -> Option<&'a ShownOrder<'a>> {
        let all = || self.orders.iter().filter(|shown| is_on(shown.layer()));
        let chosen = number.and_then(|number| all().find(|shown| shown.order.number() == number));
        chosen.or(all().last())
    }
}
