//! A vector of words that holds one cell for eight walkers.

use super::lanes::Words;
use super::row::{Lanes, Pair};

/// Eight walkers in words, one lane each. Sixteen in bytes are a
/// [`Single`](super::row::Single).
#[derive(Clone, Copy)]
pub(super) struct Eight(pub(super) Words);

macro_rules! same_as_lanes {
    ($($name:ident,)*) => {
        $(#[inline(always)]
        fn $name(self, other: Self) -> Self {
            Self(self.0.$name(other.0))
        })*
    };
}

impl Lanes for Eight {
    const COUNT: usize = 8;
    const TOP: u32 = Pair::TOP;
    const LOW: i16 = Pair::LOW;

    #[inline(always)]
    fn all(closeness: i16) -> Self {
        Self(Words::all(closeness))
    }

    same_as_lanes! { plus, minus, max, and, or, without, above, equal, }

    #[inline(always)]
    fn any(self) -> bool {
        let none = self.0.equal(Words::all(0));
        none.pack(none).bits() != u16::MAX
    }

    #[inline(always)]
    fn at(self, walker: usize) -> i16 {
        self.0.store()[walker]
    }

    #[inline(always)]
    fn put(self, walker: usize, closeness: i16) -> Self {
        let mut lanes = self.0.store();
        lanes[walker] = closeness;
        Self(Words::load(&lanes))
    }
}
