//! Each operation of the fast lanes against the plain arrays.

use super::arrays::{ArrayBytes, ArrayWords};
use super::drawn::Random;
use crate::draws::scaled;
use crate::kernel::lanes::{Bytes, Words};

/// The result of an expression with the vectors, and with arrays.
macro_rules! both {
    ($of:expr) => {
        [
            {
                #[allow(dead_code, reason = "some need the other alone")]
                type B = Bytes;
                #[allow(dead_code, reason = "some need the other alone")]
                type W = Words;
                $of
            },
            {
                #[allow(dead_code, reason = "some need the other alone")]
                type B = ArrayBytes;
                #[allow(dead_code, reason = "some need the other alone")]
                type W = ArrayWords;
                $of
            },
        ]
    };
}

/// Draws bytes, of which many are equal or at the ends of the range.
fn bytes(random: &mut Random) -> [u8; 16] {
    std::array::from_fn(|_| match random.below(3) {
        0 => random.below(4) as u8,
        1 => 252 + random.below(4) as u8,
        _ => random.below(256) as u8,
    })
}

fn words(random: &mut Random) -> [i16; 8] {
    std::array::from_fn(|_| match random.below(3) {
        0 => random.below(4) as i16,
        1 => i16::MAX - random.below(4) as i16,
        _ => random.next() as i16,
    })
}

#[test]
fn operations_on_bytes() {
    let mut random = Random::new(1);
    for _ in 0..scaled(6_000) {
        let (a, b) = (bytes(&mut random), bytes(&mut random));
        let [fast, plain] = both!({
            let (x, y) = (B::load(&a), B::load(&b));
            let zips = [x.zip8(y), x.zip16(y), x.zip32(y), x.zip64(y)];
            let two = [
                x.plus(y),
                x.minus(y),
                x.max(y),
                x.equal(y),
                x.and(y),
                x.or(y),
                x.without(y),
                x.evens(y),
                x.odds(y),
                x.up::<1>(),
                x.up::<5>(),
                x.down::<1>(),
                x.down::<8>(),
                B::all(a[0]),
                B::mask(u16::from_le_bytes([a[0], a[1]])),
            ];
            let zips = zips.into_iter().flat_map(|(low, high)| [low, high]);
            let lanes: Vec<_> = two.into_iter().chain(zips).map(B::store).collect();
            (lanes, x.bits(), x.any(), x.minus(y).any())
        });
        assert_eq!(fast, plain);
    }
}

#[test]
fn operations_on_words() {
    let mut random = Random::new(2);
    for _ in 0..scaled(6_000) {
        let (a, b) = (words(&mut random), words(&mut random));
        let c = bytes(&mut random);
        let [fast, plain] = both!({
            let (x, y) = (W::load(&a), W::load(&b));
            let two = [
                x.plus(y),
                x.minus(y),
                x.times(y),
                x.max(y),
                x.equal(y),
                x.above(y),
                x.and(y),
                x.or(y),
                x.without(y),
                x.halved(),
                x.up(),
                x.down(),
                W::all(a[0]),
                W::evens(B::load(&c)),
                W::odds(B::load(&c)),
            ];
            (two.map(W::store), x.equal(y).pack(x.above(y)).store())
        });
        assert_eq!(fast, plain);
    }
}

#[test]
fn values_become_closeness_and_back() {
    let mut random = Random::new(3);
    for _ in 0..scaled(6_000) {
        let top = 254 + random.below((1 << 31) - 300) as u32;
        let values: [u32; 12] = std::array::from_fn(|_| match random.below(4) {
            0 => i32::MAX as u32,
            1 => top.saturating_sub(random.below(300) as u32),
            2 => top.saturating_sub(random.below(40_000) as u32),
            _ => random.below(1 << 31) as u32,
        });
        let [fast, plain] = both!({
            let bytes = B::below(top, values);
            let (evens, odds) = W::below(top, values);
            (bytes.store(), bytes.under(top), evens.store(), odds.store())
        });
        assert_eq!(fast, plain);
    }
}

#[test]
fn values_are_divided_and_multiplied_again() {
    let mut random = Random::new(5);
    let mut right = 0;
    for turn in 0..20_000 {
        let cost = 2 + random.below(253) as u32;
        let lowest = random.below(1 << 30) as u32;
        let values: [u32; 12] = std::array::from_fn(|_| {
            let units = random.below(u64::from(65_535 / cost) + 2) as u32;
            match random.below(16) {
                0 => i32::MAX as u32,
                1 if turn % 2 == 0 => lowest + random.below(1 << 17) as u32,
                2 if turn % 8 == 0 => lowest + cost * random.below(1 << 20) as u32,
                _ => lowest + units * cost,
            }
        });
        let (units, is_right) = Words::divided(values, lowest, cost as u8);
        let (plain, plain_is_right) = ArrayWords::divided(values, lowest, cost as u8);
        assert_eq!(is_right, plain_is_right, "{values:?} - {lowest} by {cost}");
        if is_right {
            assert_eq!(units, plain);
            right += 1;
            for back in [Words::multiplied, ArrayWords::multiplied] {
                assert_eq!(back(units, lowest, cost as u8), values);
            }
        }
    }
    assert!((5_000..19_000).contains(&right), "{right}");
}
