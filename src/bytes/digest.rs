//! Digests of numbers and bytes.

/// A 64-bit digest of numbers and bytes, to compare two worlds: the same on
/// every machine and in every version.
///
/// Each number `w` turns the state `s` into
///
/// ```text
///   s ← (rotate_left(s, 23) xor w) · 0x9E3779B97F4A7C15     (mod 2⁶⁴)
///   s ← s xor (s >> 29)
/// ```
///
/// from `s = 0x666C6F7774696C65`. Both lines are invertible, so two inputs that
/// differ in one number never have the same digest. Any other difference goes
/// unseen once in 2⁶⁴ times. The digest does not protect against deliberate
/// collisions.
///
/// A game can add its own state:
///
/// ```
/// use flowtiles::inspect::Digest;
/// use flowtiles::{Cell, CostMap, FlowWorld};
///
/// let world = FlowWorld::new(CostMap::open(30, 30)?);
/// let units = [Cell::new(3, 4), Cell::new(9, 9)];
/// let mut digest = Digest::new();
/// digest.number(world.state_hash());
/// for unit in units {
///     digest.number(unit.x as u64);
///     digest.number(unit.y as u64);
/// }
/// let everything = digest.finish();
/// # let _ = everything;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Digest {
    state: u64,
}

impl Digest {
    /// Returns the digest of no input.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            state: 0x666C_6F77_7469_6C65,
        }
    }

    /// Adds a number.
    pub const fn number(&mut self, number: u64) {
        let mixed = (self.state.rotate_left(23) ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.state = mixed ^ (mixed >> 29);
    }

    /// Adds bytes: eight at a time as a number, the first the lowest, the last
    /// group padded with zeros; then their count.
    pub fn bytes(&mut self, bytes: &[u8]) {
        let (groups, rest) = bytes.as_chunks::<8>();
        for &group in groups {
            self.number(u64::from_le_bytes(group));
        }
        if !rest.is_empty() {
            let mut group = [0; 8];
            group[..rest.len()].copy_from_slice(rest);
            self.number(u64::from_le_bytes(group));
        }
        self.number(bytes.len() as u64);
    }

    /// Returns the digest of everything added.
    #[must_use]
    pub const fn finish(&self) -> u64 {
        let mut last = *self;
        last.number(0);
        last.number(0);
        last.state
    }

    pub(crate) fn of(bytes: &[u8]) -> u64 {
        let mut digest = Self::new();
        digest.bytes(bytes);
        digest.finish()
    }
}

impl Default for Digest {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digest_of_known_bytes_is_unchanged() {
        assert_eq!(Digest::of(b""), 0x57E2_D52A_2287_C688);
        assert_eq!(Digest::of(b"flowtiles"), 0xBB13_1DCE_FCAD_7229);
    }

    #[test]
    fn digest_differs_after_any_one_bit_changes() {
        let bytes: Vec<u8> = (0..40).collect();
        let digest = Digest::of(&bytes);
        for at in 0..bytes.len() {
            assert_ne!(Digest::of(&bytes[..at]), digest);
            for bit in 0..8 {
                let mut other = bytes.clone();
                other[at] ^= 1 << bit;
                assert_ne!(Digest::of(&other), digest);
            }
        }
    }
}
