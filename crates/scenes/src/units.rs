//! From where the units of a band are, as a scene's file says it.

use std::num::NonZeroUsize;

use flowtiles::{Cell, FlowWorld};
use flowtiles_country::random::Random;
use serde::Deserialize;

use crate::draw::tents;
use crate::scene::{UnitSpec, block};

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
