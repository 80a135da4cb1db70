//! Lanes as plain arrays: the readable definition of each operation.

use std::array::from_fn;

use crate::kernel::halo::NO_PATH;

#[derive(Clone, Copy)]
pub(super) struct ArrayBytes([u8; 16]);

#[derive(Clone, Copy)]
pub(super) struct ArrayWords([i16; 8]);

/// Defines operations that act on each pair of lanes.
macro_rules! lane_by_lane {
    ($($name:ident: $operation:expr,)*) => {
        $(pub(super) fn $name(self, other: Self) -> Self {
            Self(from_fn(|lane| $operation(self.0[lane], other.0[lane])))
        })*
    };
}

impl ArrayBytes {
    /// Interleaves groups of `run` lanes of `self` and `other`.
    fn zip(self, other: Self, run: usize) -> (Self, Self) {
        let lane = |lane: usize| {
            let from = if (lane / run).is_multiple_of(2) {
                self.0
            } else {
                other.0
            };
            from[lane / run / 2 * run + lane % run]
        };
        (Self(from_fn(lane)), Self(from_fn(|i| lane(i + 16))))
    }
}

impl ArrayBytes {
    pub(super) fn all(value: u8) -> Self {
        Self([value; 16])
    }

    pub(super) fn load(lanes: &[u8; 16]) -> Self {
        Self(*lanes)
    }

    pub(super) fn store(self) -> [u8; 16] {
        self.0
    }

    pub(super) fn mask(bits: u16) -> Self {
        Self(from_fn(|lane| if bits >> lane & 1 == 1 { 255 } else { 0 }))
    }

    pub(super) fn bits(self) -> u16 {
        let bit = |lane: usize| u16::from(self.0[lane] >> 7) << lane;
        (0..16).fold(0, |bits, lane| bits | bit(lane))
    }

    pub(super) fn any(self) -> bool {
        self.0 != [0; 16]
    }

    pub(super) fn below(top: u32, values: [u32; 12]) -> Self {
        let below = |value: u32| (top as i32 - value as i32).clamp(0, 255) as u8;
        Self(from_fn(|lane| values.get(lane).map_or(0, |&v| below(v))))
    }

    pub(super) fn under(self, top: u32) -> [u32; 12] {
        from_fn(|lane| match self.0[lane] {
            0 => NO_PATH,
            below => top - u32::from(below),
        })
    }

    lane_by_lane! {
        plus: u8::saturating_add,
        minus: u8::saturating_sub,
        max: u8::max,
        equal: |a, b| if a == b { 255 } else { 0 },
        and: |a, b| a & b,
        or: |a, b| a | b,
        without: |a: u8, b: u8| a & !b,
    }

    pub(super) fn up<const N: i32>(self) -> Self {
        let from = |lane: usize| lane.checked_sub(N as usize);
        Self(from_fn(|lane| from(lane).map_or(0, |from| self.0[from])))
    }

    pub(super) fn down<const N: i32>(self) -> Self {
        let from = |lane: usize| self.0.get(lane + N as usize);
        Self(from_fn(|lane| from(lane).copied().unwrap_or(0)))
    }

    pub(super) fn zip8(self, other: Self) -> (Self, Self) {
        self.zip(other, 1)
    }

    pub(super) fn zip16(self, other: Self) -> (Self, Self) {
        self.zip(other, 2)
    }

    pub(super) fn zip32(self, other: Self) -> (Self, Self) {
        self.zip(other, 4)
    }

    pub(super) fn zip64(self, other: Self) -> (Self, Self) {
        self.zip(other, 8)
    }

    pub(super) fn evens(self, other: Self) -> Self {
        let from = |lane: usize| if lane < 8 { self.0 } else { other.0 };
        Self(from_fn(|lane| from(lane)[2 * (lane % 8)]))
    }

    pub(super) fn odds(self, other: Self) -> Self {
        let from = |lane: usize| if lane < 8 { self.0 } else { other.0 };
        Self(from_fn(|lane| from(lane)[2 * (lane % 8) + 1]))
    }
}

impl ArrayWords {
    pub(super) fn all(value: i16) -> Self {
        Self([value; 8])
    }

    pub(super) fn load(lanes: &[i16; 8]) -> Self {
        Self(*lanes)
    }

    pub(super) fn store(self) -> [i16; 8] {
        self.0
    }

    pub(super) fn below(top: u32, values: [u32; 12]) -> (Self, Self) {
        let below = |value: u32| (top as i32 - value as i32).clamp(0, 32767) as i16;
        let lane = |at: usize| values.get(at).map_or(0, |&value| below(value));
        (
            Self(from_fn(|i| lane(2 * i))),
            Self(from_fn(|i| lane(2 * i + 1))),
        )
    }

    pub(super) fn evens(bytes: ArrayBytes) -> Self {
        Self(from_fn(|lane| i16::from(bytes.0[2 * lane])))
    }

    pub(super) fn odds(bytes: ArrayBytes) -> Self {
        Self(from_fn(|lane| i16::from(bytes.0[2 * lane + 1])))
    }

    pub(super) fn pack(self, other: Self) -> ArrayBytes {
        let from = |lane: usize| if lane < 8 { self.0 } else { other.0 };
        ArrayBytes(from_fn(|lane| from(lane)[lane % 8] as u8))
    }

    pub(super) fn divided(values: [u32; 12], lowest: u32, cost: u8) -> ([u32; 12], bool) {
        let cost = u32::from(cost);
        let above = |value: u32| value.wrapping_sub(lowest);
        let is_right = |&value: &u32| {
            value == NO_PATH || above(value).is_multiple_of(cost) && above(value) < 1 << 16
        };
        let units = values.map(|value| match value {
            NO_PATH => NO_PATH,
            value => above(value) / cost,
        });
        (units, values.iter().all(is_right))
    }

    pub(super) fn multiplied(units: [u32; 12], lowest: u32, cost: u8) -> [u32; 12] {
        units.map(|units| match units {
            NO_PATH => NO_PATH,
            units => lowest + units * u32::from(cost),
        })
    }

    lane_by_lane! {
        plus: i16::saturating_add,
        minus: i16::saturating_sub,
        times: i16::wrapping_mul,
        max: i16::max,
        equal: |a, b| if a == b { -1 } else { 0 },
        above: |a, b| if a > b { -1 } else { 0 },
        and: |a, b| a & b,
        or: |a, b| a | b,
        without: |a: i16, b: i16| a & !b,
    }

    pub(super) fn halved(self) -> Self {
        Self(self.0.map(|lane| (lane as u16 >> 1) as i16))
    }

    pub(super) fn up(self) -> Self {
        Self(from_fn(|lane| if lane == 0 { 0 } else { self.0[lane - 1] }))
    }

    pub(super) fn down(self) -> Self {
        Self(from_fn(|lane| if lane == 7 { 0 } else { self.0[lane + 1] }))
    }
}
