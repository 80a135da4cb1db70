//! The units of a band, and from where they are, as a scene's file says it.

use std::num::NonZeroUsize;

use flowtiles::steer::Unit;
use flowtiles::{Cell, CellRect, FlowWorld};
use flowtiles_country::random::Random;
use serde::Deserialize;

/// A unit before the army takes it in.
#[derive(Clone, Copy, Debug)]
pub struct UnitSpec {
    pub position: [f32; 2],
    pub velocity: [f32; 2],
    pub radius: f32,
    pub speed: f32,
}

impl UnitSpec {
    /// Returns the unit with what was said of the recruit, all but its place.
    #[must_use]
    pub const fn equip(&self, unit: Unit) -> Unit {
        let mut unit = unit.with_radius(self.radius).with_speed(self.speed);
        unit.velocity = self.velocity;
        unit
    }

    /// A unit at rest.
    pub const fn at(position: [f32; 2]) -> Self {
        Self {
            position,
            velocity: [0.0, 0.0],
            radius: 0.3,
            speed: 4.0,
        }
    }
}

/// Units of a band.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Units {
    #[serde(default = "one")]
    count: NonZeroUsize,
    /// The position of the first, or what is added to positions drawn.
    #[serde(default)]
    at: [f32; 2],
    /// How many are side by side, and how far from each other, …
    #[serde(default = "one")]
    columns: NonZeroUsize,
    #[serde(default = "apart")]
    apart: f32,
    /// … or the bounds of positions drawn, the upper ones excluded, …
    drawn: Option<[[i16; 2]; 2]>,
    /// … or the cell around which they are.
    pub around: Option<Cell>,
    #[serde(default = "radius")]
    radius: EachOf,
    #[serde(default = "speed")]
    speed: EachOf,
    /// The bounds of velocities drawn.
    velocity: Option<[[i16; 2]; 2]>,
}

const fn one() -> NonZeroUsize {
    NonZeroUsize::MIN
}

const fn apart() -> f32 {
    1.0
}

const fn radius() -> EachOf {
    EachOf::All(UnitSpec::at([0.0; 2]).radius)
}

const fn speed() -> EachOf {
    EachOf::All(UnitSpec::at([0.0; 2]).speed)
}

/// A number for all units, or one for each in turn.
#[derive(Clone, Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "write a number, or a list of numbers: [0.2, 0.3]"
)]
enum EachOf {
    All(f32),
    Turns(Vec<f32>),
}

impl EachOf {
    fn get(&self, unit: usize) -> f32 {
        match self {
            Self::All(number) => *number,
            Self::Turns(turns) => {
                let place = unit.checked_rem(turns.len());
                place.map_or(0.0, |place| turns[place])
            }
        }
    }
}

impl Units {
    /// The most that there may be.
    pub const fn count(&self) -> usize {
        self.count.get()
    }

    /// The units in a world that is made if it is needed.
    pub fn recruits<'a>(
        &self,
        world: impl FnOnce() -> &'a FlowWorld,
        random: &mut Random,
    ) -> Vec<UnitSpec> {
        let mut recruits = match (self.around, self.drawn) {
            (Some(cell), _) => tents(world(), cell, self.count()),
            (None, None) => block(self.columns.get(), self.count(), self.at, self.apart),
            (None, Some(bounds)) => {
                let drawn = (0..self.count()).map(|_| self.drawn(bounds, random));
                drawn.collect()
            }
        };
        for (unit, recruit) in recruits.iter_mut().enumerate() {
            recruit.radius = self.radius.get(unit);
            recruit.speed = self.speed.get(unit);
        }
        recruits
    }

    /// A unit at a random position, to hundredths of a cell.
    fn drawn(&self, bounds: [[i16; 2]; 2], random: &mut Random) -> UnitSpec {
        let mut draw = |[from, until]: [i16; 2]| {
            let hundredths = random.between(i32::from(from) * 100, i32::from(until) * 100);
            hundredths as f32 / 100.0
        };
        let velocity = self
            .velocity
            .map_or([0.0; 2], |bounds| bounds.map(&mut draw));
        let [x, y] = bounds.map(draw);
        UnitSpec {
            velocity,
            ..UnitSpec::at([self.at[0] + x, self.at[1] + y])
        }
    }
}

/// A block of units, `columns` across, that begins at a position.
pub fn block(columns: usize, count: usize, from: [f32; 2], apart: f32) -> Vec<UnitSpec> {
    let place = |number: usize| {
        let (column, row) = (number % columns, number / columns);
        [
            from[0] + column as f32 * apart,
            from[1] + row as f32 * apart,
        ]
    };
    (0..count)
        .map(|number| UnitSpec::at(place(number)))
        .collect()
}

/// Units around a camp, nearest rings first, all on ground from which the camp can
/// be reached.
pub fn tents(world: &FlowWorld, camp: Cell, count: usize) -> Vec<UnitSpec> {
    let cells = around(camp, 40).filter(|&cell| world.reachable(cell, camp));
    cells
        .map(Cell::centre)
        .map(UnitSpec::at)
        .take(count)
        .collect()
}

/// The cells around one in this many rings, the nearest ring first.
pub fn around(cell: Cell, rings: i32) -> impl Iterator<Item = Cell> {
    (0..rings).flat_map(move |out| {
        let side = (2 * out + 1) as u32;
        let square = CellRect::new(cell.x - out, cell.y - out, side, side).cells();
        square.filter(move |one| (one.x - cell.x).abs().max((one.y - cell.y).abs()) == out)
    })
}
