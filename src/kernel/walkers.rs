//! Vectors that hold one cell for several walkers, one lane per walker.

use super::lanes::{Bytes, Words};
use super::row::{Pair, Row, Single};

/// One cell, with the closeness that each walker has there.
pub(super) trait Walkers: Copy {
    const COUNT: usize;
    const TOP: u32;
    fn all(closeness: i16) -> Self;
    fn minus(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    /// Whether any lane is not 0.
    fn any(self) -> bool;
    /// Marks the lanes that are so low that a step from them may have been
    /// lost.
    fn low(self) -> Self;
    fn at(self, walker: usize) -> i16;
    fn put(self, walker: usize, closeness: i16) -> Self;
}

/// Sixteen walkers in bytes.
#[derive(Clone, Copy)]
pub(super) struct Sixteen<B>(pub(super) B);

/// Eight walkers in words.
#[derive(Clone, Copy)]
pub(super) struct Eight<W>(pub(super) W);

macro_rules! same_as_lanes {
    ($($name:ident,)*) => {
        $(#[inline(always)]
        fn $name(self, other: Self) -> Self {
            Self(self.0.$name(other.0))
        })*
    };
}

impl<B: Bytes> Walkers for Sixteen<B> {
    const COUNT: usize = 16;
    const TOP: u32 = Single::<B>::TOP;

    #[inline(always)]
    fn all(closeness: i16) -> Self {
        Self(B::all(closeness as u8))
    }

    same_as_lanes! { minus, max, or, }

    #[inline(always)]
    fn any(self) -> bool {
        self.0.equal(B::all(0)).bits() != u16::MAX
    }

    #[inline(always)]
    fn low(self) -> Self {
        let none = B::all(0);
        let low = self.0.minus(B::all(Single::<B>::LOW as u8)).equal(none);
        Self(low.without(self.0.equal(none)))
    }

    #[inline(always)]
    fn at(self, walker: usize) -> i16 {
        i16::from(self.0.store()[walker])
    }

    #[inline(always)]
    fn put(self, walker: usize, closeness: i16) -> Self {
        let mut lanes = self.0.store();
        lanes[walker] = closeness as u8;
        Self(B::load(&lanes))
    }
}

impl<W: Words> Walkers for Eight<W> {
    const COUNT: usize = 8;
    const TOP: u32 = Pair::<W>::TOP;

    #[inline(always)]
    fn all(closeness: i16) -> Self {
        Self(W::all(closeness))
    }

    same_as_lanes! { minus, max, or, }

    #[inline(always)]
    fn any(self) -> bool {
        let none = self.0.equal(W::all(0));
        none.pack(none).bits() != u16::MAX
    }

    #[inline(always)]
    fn low(self) -> Self {
        let high = self.0.above(W::all(Pair::<W>::LOW));
        Self(self.0.above(W::all(0)).without(high))
    }

    #[inline(always)]
    fn at(self, walker: usize) -> i16 {
        self.0.store()[walker]
    }

    #[inline(always)]
    fn put(self, walker: usize, closeness: i16) -> Self {
        let mut lanes = self.0.store();
        lanes[walker] = closeness;
        Self(W::load(&lanes))
    }
}
