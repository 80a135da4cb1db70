//! Opaque ground: the kinds through which nobody sees or shoots.

use super::Cost;
use crate::bytes::{Fault, Reader, Writer};

/// A set of kinds of ground: a bit for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Opaque([u8; 32]);

impl Opaque {
    /// Walls, and nothing else.
    pub(crate) const WALLS: Self = {
        let mut bits = [0; 32];
        bits[31] = 1 << 7;
        Self(bits)
    };

    pub(crate) fn of(kinds: &[Cost]) -> Self {
        let mut bits = [0; 32];
        for kind in kinds {
            bits[usize::from(kind.value() / 8)] |= 1 << (kind.value() % 8);
        }
        Self(bits)
    }

    pub(crate) const fn has(&self, kind: Cost) -> bool {
        self.0[(kind.value() / 8) as usize] & 1 << (kind.value() % 8) != 0
    }

    pub(crate) fn pack(&self, out: &mut Writer) {
        out.raw(&self.0);
    }

    pub(crate) fn unpack(reader: &mut Reader<'_>) -> Result<Self, Fault> {
        let mut bits = [0; 32];
        bits.copy_from_slice(reader.raw(32)?);
        if bits[0] & 1 != 0 {
            return Err(reader.fault("no ground has kind 0, which is opaque here"));
        }
        Ok(Self(bits))
    }
}
