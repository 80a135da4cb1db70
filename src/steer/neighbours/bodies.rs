//! The units as their neighbours see them, in the order of the index.
//!
//! What a look over many neighbours reads is in arrays of its own, four numbers
//! of which are loaded at once. What is read of the few that matter lies
//! together:
//!
//! ```text
//!   x, y, vx, vy, radius, kinds   [. . . .] . . .         of four in a row
//!   motions, traits               [x y vx vy] [group …]   of one
//! ```

use super::four::{Four, Mask};
use super::rank_list::FourRanks;
use crate::arrays::array_of;
use crate::steer::units::UnitState;
use crate::vector::{Vector, dot, greater};

/// A unit as its neighbours see it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Body {
    pub(crate) position: Vector,
    pub(crate) velocity: Vector,
    pub(crate) traits: Traits,
}

/// What stays the same while a unit moves.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Traits {
    pub(crate) radius: f32,
    pub(crate) id: u32,
    pub(crate) group: u32,
    pub(crate) marks: BodyMarks,
}

/// The goal of a unit, whether it has arrived or stands in range of its quarry, and how much of its
/// size others feel, in quarters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct BodyMarks(u32);

const GOAL: u32 = 4;
const SETTLED: u32 = 8;
const ENGAGED: u32 = 4;

impl BodyMarks {
    /// `goal` is a number below 2^28 shared by groups with the same goal.
    pub(crate) const fn new(goal: u32, state: UnitState, quarters: u8) -> Self {
        let stands = match state {
            UnitState::Arrived => SETTLED,
            UnitState::Engaged => ENGAGED,
            UnitState::Marching | UnitState::Unreachable => 0,
        };
        Self(goal << GOAL | stands | (quarters - 1) as u32)
    }

    pub(super) const fn has_goal_of(self, other: Self) -> bool {
        self.goal() == other.goal()
    }

    pub(super) const fn is_settled(self) -> bool {
        self.0 & SETTLED != 0
    }

    pub(super) const fn is_engaged(self) -> bool {
        self.0 & ENGAGED != 0
    }

    /// Whether the unit keeps where it is.
    const fn stands(self) -> bool {
        self.0 & (SETTLED | ENGAGED) != 0
    }

    pub(crate) const fn goal(self) -> u32 {
        self.0 >> GOAL
    }

    /// The part of the unit's size that others feel, from 0.25 to 1; negative if it
    /// stands.
    pub(crate) fn feel(self) -> f32 {
        let part = ((self.0 & (ENGAGED - 1)) + 1) as f32 * 0.25;
        if self.stands() { -part } else { part }
    }
}

/// Set in the kinds of units that stand: the highest bit, which no group's index has.
const STANDS: u32 = 1 << 31;

impl Traits {
    /// The index of the group of a unit on its way, which is that of its fellows; no
    /// group's for a unit that stands.
    const fn kind(&self) -> u32 {
        let stands = if self.marks.stands() { STANDS } else { 0 };
        self.group | stands
    }
}

/// All units of an army, sorted. After the last there are three empty places,
/// so that four can be loaded wherever one is.
#[derive(Default)]
pub(crate) struct Bodies {
    /// Five rows: positions and velocities along both axes, and radii.
    numbers: Vec<f32>,
    kinds: Vec<u32>,
    pub(crate) motions: Vec<[f32; 4]>,
    pub(crate) traits: Vec<Traits>,
}

/// The positions and velocities along both axes, radii, kinds, motions and traits.
pub(super) type BodySlots<'a> = (
    &'a mut [f32],
    &'a mut [f32],
    &'a mut [f32],
    &'a mut [f32],
    &'a mut [f32],
    &'a mut [u32],
    &'a mut [[f32; 4]],
    &'a mut [Traits],
);

const SPARE: usize = 3;
const ROWS: usize = 5;

/// Returns the length of a row with a number for each body.
// PERF: rows that begin a power of two apart would take turns in the same few lines of
// the cache: 100,000 units would be a twelfth slower.
fn row_length(bodies: usize) -> usize {
    const PAGE: usize = 1024;
    bodies.next_multiple_of(PAGE) + PAGE / 6
}

impl Bodies {
    pub(crate) fn slots(&mut self, count: usize) -> BodySlots<'_> {
        let with_spare = count + SPARE;
        self.numbers.resize(ROWS * row_length(with_spare), 0.0);
        self.kinds.resize(with_spare, 0);
        self.motions.resize(with_spare, [0.0; 4]);
        self.traits.resize(with_spare, Traits::default());
        let mut rows = self.numbers.chunks_exact_mut(row_length(with_spare));
        let [x, y, vx, vy, radius] = std::array::from_fn(|_| match rows.next() {
            Some(row) => &mut row[..count],
            None => &mut [],
        });
        let kinds = &mut self.kinds[..count];
        let motions = &mut self.motions[..count];
        let traits = &mut self.traits[..count];
        (x, y, vx, vy, radius, kinds, motions, traits)
    }

    pub(crate) fn put(slots: &mut BodySlots<'_>, at: usize, body: &Body) {
        let (x, y, vx, vy, radius, kinds, motions, traits) = slots;
        [x[at], y[at]] = body.position;
        [vx[at], vy[at]] = body.velocity;
        radius[at] = body.traits.radius;
        kinds[at] = body.traits.kind();
        motions[at] = [x[at], y[at], vx[at], vy[at]];
        traits[at] = body.traits;
    }

    pub(crate) fn get(&self, at: usize) -> Body {
        let [x, y, along, across] = self.motions[at];
        Body {
            position: [x, y],
            velocity: [along, across],
            traits: self.traits[at],
        }
    }

    #[inline(always)]
    pub(super) fn rows(&self) -> BodyRows<'_> {
        // PERF: slices of one length, so that a rank is checked once for all.
        let count = self.kinds.len();
        let length = row_length(count);
        let row = |row: usize| &self.numbers[row * length..][..count];
        BodyRows {
            position: [row(0), row(1)],
            velocity: [row(2), row(3)],
            radius: row(4),
            kinds: &self.kinds[..count],
        }
    }

    /// Returns up to four units as lanes: x, y and the velocity along both axes;
    /// and the radii.
    #[inline(always)]
    pub(super) fn four(&self, ranks: &FourRanks) -> ([Four; 4], Four) {
        let [one, two, three, four] = ranks.ranks;
        let motion = |rank: u32| Four::of(self.motions[rank as usize]);
        let radius = |rank: u32| self.traits[rank as usize].radius;
        (
            Four::turned([motion(one), motion(two), motion(three), motion(four)]),
            Four::of([radius(one), radius(two), radius(three), radius(four)]),
        )
    }
}

/// What a look over many units reads of them.
#[derive(Clone, Copy)]
pub(super) struct BodyRows<'a> {
    position: [&'a [f32]; 2],
    velocity: [&'a [f32]; 2],
    radius: &'a [f32],
    kinds: &'a [u32],
}

pub(super) struct FourBodies {
    pub(super) position: [Four; 2],
    pub(super) velocity: [Four; 2],
    pub(super) radius: Four,
    kinds: [u32; 4],
}

impl BodyRows<'_> {
    /// Loads the units from the rank `at` on.
    #[inline(always)]
    pub(super) fn four(&self, at: usize) -> FourBodies {
        let kinds = &self.kinds[at..at + 4];
        let ([x, y], [vx, vy]) = (self.position, self.velocity);
        FourBodies {
            position: [Four::load(x, at), Four::load(y, at)],
            velocity: [Four::load(vx, at), Four::load(vy, at)],
            radius: Four::load(self.radius, at),
            kinds: [kinds[0], kinds[1], kinds[2], kinds[3]],
        }
    }
}

impl FourBodies {
    /// Which of them are on their way with a group.
    #[inline(always)]
    pub(super) fn are_of(&self, group: u32) -> Mask {
        Mask::equal(&self.kinds, group)
    }

    /// Which of them are of groups that are on one of some planes; `all` has the planes of
    /// each group.
    pub(super) fn are_on(&self, planes: u8, all: &[u8]) -> u32 {
        (0..).zip(self.kinds).fold(0, |bits, (lane, kind)| {
            let theirs = all.get((kind & !STANDS) as usize).copied().unwrap_or(0);
            bits | u32::from(theirs & planes != 0) << lane
        })
    }

    #[inline(always)]
    pub(super) fn are_settled(&self) -> Mask {
        Mask::highest_bits(&self.kinds)
    }
}

/// The most of them; circles of one size touch at most six.
pub(super) const MOST: usize = 14;

/// The units with which a unit may collide, as ranks among the sorted units; the
/// unit's own rank follows the last of them. A line of the cache.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(crate) struct Contacts([u32; LANES]);

const LANES: usize = 16;

impl Contacts {
    /// Takes over at most [`MOST`] ranks around the unit `at`.
    pub(super) fn new(at: usize, ranks: &[u32]) -> Self {
        let mut lanes = [at as u32; LANES];
        lanes[..ranks.len()].copy_from_slice(ranks);
        Self(lanes)
    }

    /// The contacts of a unit that feels none.
    pub(crate) const fn none(at: usize) -> Self {
        Self([at as u32; LANES])
    }

    /// Whether there may be more around the unit `at` than are kept. Otherwise each of these has
    /// the unit among its own, unless it feels none or has too many.
    pub(crate) const fn are_full(&self, at: usize) -> bool {
        self.0[MOST - 1] != at as u32
    }

    /// Returns the ranks four by four; the unit's own in lanes without another.
    #[inline(always)]
    pub(crate) fn fours(&self, at: usize) -> impl Iterator<Item = &[u32; 4]> {
        let (fours, _) = self.0.as_chunks();
        fours.iter().take_while(move |four| four[0] != at as u32)
    }

    /// Returns the ranks that are kept of more than [`MOST`] around the unit `at`, in the
    /// order in which they were found: each takes the place of the farthest one,
    /// if it is closer.
    pub(super) fn closest(at: usize, ranks: &[u32], bodies: &Bodies) -> [u32; MOST] {
        let [x, y, ..] = bodies.motions[at];
        let square = |other: u32| {
            let [there_x, there_y, ..] = bodies.motions[other as usize];
            let way = [there_x - x, there_y - y];
            dot(way, way)
        };
        let (first, more) = ranks.split_at(MOST);
        let mut others = [0; MOST];
        others.copy_from_slice(first);
        // No square is below 0: the lanes after the last are never the farthest.
        let mut squares = [-1.0; LANES];
        for (lane, &other) in squares.iter_mut().zip(first) {
            *lane = square(other);
        }
        let mut last = farthest(&squares);
        for &other in more {
            let near = square(other);
            if near < squares[last] {
                others[last] = other;
                squares[last] = near;
                last = farthest(&squares);
            }
        }
        others
    }
}

/// Returns the first lane of the greatest square.
#[inline(always)]
fn farthest(squares: &[f32; LANES]) -> usize {
    let fours: [Four; LANES / 4] = array_of(|four| Four::load(squares, 4 * four));
    let [a, b, c, d] = fours;
    let most = a.greater(b).greater(c.greater(d)).array();
    let most = greater(greater(most[0], most[1]), greater(most[2], most[3]));
    let most = Four::all(most);
    let are_most = (0..).zip(fours).fold(0, |bits, (four, squares)| {
        bits | most.up_to(squares).bits() << (4 * four)
    });
    (are_most.trailing_zeros() as usize).min(MOST - 1)
}
