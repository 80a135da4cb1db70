//! The units as their neighbours see them, in the order of the index.
//!
//! What a look over many neighbours reads is in arrays of its own, four numbers
//! of which are loaded at once. What is read of the few that matter lies
//! together:
//!
//! ```text
//!   x, y, radius      [. . . .] . . .      of four in a row
//!   motions, traits   [x y vx vy] [group …]      of one
//! ```

use super::lanes::{Four, FourPlaces};
use crate::vector::Vector;

/// A unit as its neighbours see it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Body {
    pub(super) position: Vector,
    pub(super) velocity: Vector,
    pub(super) traits: Traits,
}

/// What stays the same while a unit moves.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Traits {
    pub(super) radius: f32,
    pub(super) id: u32,
    /// The group's index.
    pub(super) group: u32,
    pub(super) marks: BodyMarks,
}

/// The goal of a unit, whether it has arrived, and how much of its size others
/// feel, in quarters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct BodyMarks(u32);

/// The lowest bit of the goal.
const GOAL: u32 = 4;
const SETTLED: u32 = 8;
/// The quarters of a unit that others feel whole.
const WHOLE: u32 = 4;

impl BodyMarks {
    /// `goal` is a number below 2^28 shared by groups with the same goal.
    pub(super) const fn new(goal: u32, settled: bool, quarters: u8) -> Self {
        let settled = if settled { SETTLED } else { 0 };
        Self(goal << GOAL | settled | quarters as u32)
    }

    pub(super) const fn has_goal_of(self, other: Self) -> bool {
        self.0 >> GOAL == other.0 >> GOAL
    }

    pub(super) const fn is_settled(self) -> bool {
        self.0 & SETTLED != 0
    }

    pub(super) const fn quarters(self) -> u8 {
        (self.0 & (SETTLED - 1)) as u8
    }

    /// Whether others push it like any unit on its way.
    pub(super) const fn is_plain(self) -> bool {
        self.0 & ((1 << GOAL) - 1) == WHOLE
    }
}

/// All units of an army, sorted. After the last there are three empty places,
/// so that four can be loaded wherever one is.
#[derive(Default)]
pub(super) struct Bodies {
    pub(super) x: Vec<f32>,
    pub(super) y: Vec<f32>,
    pub(super) radius: Vec<f32>,
    /// Positions and velocities.
    pub(super) motions: Vec<[f32; 4]>,
    pub(super) traits: Vec<Traits>,
}

/// A part of the sorted units, to be filled in.
pub(super) type BodySlots<'a> = (
    (&'a mut [f32], &'a mut [f32]),
    (&'a mut [f32], (&'a mut [[f32; 4]], &'a mut [Traits])),
);

/// The empty places at the end.
const SPARE: usize = 3;

impl Bodies {
    /// Makes room for some units, and returns it.
    pub(super) fn slots(&mut self, count: usize) -> BodySlots<'_> {
        let with_spare = count + SPARE;
        for numbers in [&mut self.x, &mut self.y, &mut self.radius] {
            numbers.resize(with_spare, 0.0);
        }
        self.motions.resize(with_spare, [0.0; 4]);
        self.traits.resize(with_spare, Traits::default());
        (
            (&mut self.x[..count], &mut self.y[..count]),
            (
                &mut self.radius[..count],
                (&mut self.motions[..count], &mut self.traits[..count]),
            ),
        )
    }

    /// Fills in a unit at a place of the slots.
    pub(super) fn put(slots: &mut BodySlots<'_>, at: usize, body: &Body) {
        let ((x, y), (radius, (motions, traits))) = slots;
        [x[at], y[at]] = body.position;
        radius[at] = body.traits.radius;
        motions[at] = [x[at], y[at], body.velocity[0], body.velocity[1]];
        traits[at] = body.traits;
    }

    /// Returns a unit.
    pub(super) fn get(&self, at: usize) -> Body {
        let [x, y, along, across] = self.motions[at];
        Body {
            position: [x, y],
            velocity: [along, across],
            traits: self.traits[at],
        }
    }

    /// Returns up to four units as lanes: x, y and the velocity along both axes;
    /// and the radii.
    #[inline(always)]
    pub(super) fn four(&self, places: &FourPlaces) -> ([Four; 4], Four) {
        let four = places.places.map(|place| place as usize);
        let motions = four.map(|at| Four::of(self.motions[at]));
        let radii = four.map(|at| self.traits[at].radius);
        (Four::turned(motions), Four::of(radii))
    }
}
