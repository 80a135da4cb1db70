//! The units with which a unit may collide in a step.

use super::bodies::Bodies;
use super::four::Four;
use crate::arrays::array_of;
use crate::vector::{dot, greater};

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
