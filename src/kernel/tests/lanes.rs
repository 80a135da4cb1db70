//! Each operation of the fast lanes against the plain arrays.

use super::drawn::Random;
use crate::kernel::fastest::Fast;
use crate::kernel::lanes::arrays::{ArrayBytes, ArrayWords};
use crate::kernel::lanes::{Bytes, Words};

type FastBytes = <Fast as Words>::Bytes;

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
    for _ in 0..2_000 {
        let (a, b) = (bytes(&mut random), bytes(&mut random));
        fn all<B: Bytes>(a: [u8; 16], b: [u8; 16]) -> Vec<[u8; 16]> {
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
            two.into_iter().chain(zips).map(B::store).collect()
        }
        assert_eq!(all::<FastBytes>(a, b), all::<ArrayBytes>(a, b));
        let bits = |a: [u8; 16]| (FastBytes::load(&a).bits(), ArrayBytes::load(&a).bits());
        let (fast, plain) = bits(a);
        assert_eq!(fast, plain);
    }
}

#[test]
fn operations_on_words() {
    let mut random = Random::new(2);
    for _ in 0..2_000 {
        let (a, b) = (words(&mut random), words(&mut random));
        let c = bytes(&mut random);
        fn all<W: Words>(a: [i16; 8], b: [i16; 8], c: [u8; 16]) -> Vec<[i16; 8]> {
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
                W::evens(W::Bytes::load(&c)),
                W::odds(W::Bytes::load(&c)),
            ];
            two.map(W::store).to_vec()
        }
        assert_eq!(all::<Fast>(a, b, c), all::<ArrayWords>(a, b, c));
        fn packed<W: Words>(a: [i16; 8], b: [i16; 8]) -> [u8; 16] {
            let (x, y) = (W::load(&a), W::load(&b));
            x.equal(y).pack(x.above(y)).store()
        }
        assert_eq!(packed::<Fast>(a, b), packed::<ArrayWords>(a, b));
    }
}

#[test]
fn values_become_closeness_and_back() {
    let mut random = Random::new(3);
    for _ in 0..2_000 {
        let top = 254 + random.below((1 << 31) - 300) as u32;
        let values: [u32; 12] = std::array::from_fn(|_| match random.below(4) {
            0 => i32::MAX as u32,
            1 => top.saturating_sub(random.below(300) as u32),
            2 => top.saturating_sub(random.below(40_000) as u32),
            _ => random.below(1 << 31) as u32,
        });
        let fast = FastBytes::below(top, values);
        let plain = ArrayBytes::below(top, values);
        assert_eq!(fast.store(), plain.store());
        assert_eq!(fast.under(top), plain.under(top));
        let (evens, odds) = Fast::below(top, values);
        let (plain_evens, plain_odds) = ArrayWords::below(top, values);
        assert_eq!(evens.store(), plain_evens.store());
        assert_eq!(odds.store(), plain_odds.store());
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
        let (units, is_right) = Fast::divided(values, lowest, cost as u8);
        let (plain, plain_is_right) = ArrayWords::divided(values, lowest, cost as u8);
        assert_eq!(is_right, plain_is_right, "{values:?} - {lowest} by {cost}");
        if is_right {
            assert_eq!(units, plain);
            right += 1;
            for back in [Fast::multiplied, ArrayWords::multiplied] {
                assert_eq!(back(units, lowest, cost as u8), values);
            }
        }
    }
    assert!((5_000..19_000).contains(&right), "{right}");
}
