//! The hashes of a check.

use std::fmt;

use flowtiles::steer::Army;

use super::words::Words;

/// Hashes of a world and the units in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    pub costs: u64,
    pub stamps: u64,
    pub orders: u64,
    pub units: u64,
}

impl Parts {
    /// Reads them.
    pub fn read(words: &mut Words<'_>) -> Option<Self> {
        Some(Self {
            costs: words.hash()?,
            stamps: words.hash()?,
            orders: words.hash()?,
            units: words.hash()?,
        })
    }

    /// The names of all hashes, and whether each is the same in `other`.
    fn compared(&self, other: &Self) -> [(&'static str, bool); 4] {
        [
            ("costs", self.costs == other.costs),
            ("stamps and blockers", self.stamps == other.stamps),
            ("orders and fields", self.orders == other.orders),
            ("units", self.units == other.units),
        ]
    }

    /// The names of the hashes that differ from `other`.
    pub fn differing(&self, other: &Self) -> String {
        differing(self.compared(other))
    }
}

/// Hashes of a battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hashes {
    /// Of the world and the armies.
    pub parts: Parts,
    /// Of the groups of steered units.
    pub groups: u64,
}

impl Hashes {
    /// Reads them. Version 2 of the format has none of groups: there are none.
    pub fn read(words: &mut Words<'_>, version: u32) -> Option<Self> {
        let parts = Parts::read(words)?;
        let groups = match version {
            2 => Army::default().state_hash(),
            _ => words.hash()?,
        };
        Some(Self { parts, groups })
    }

    /// The names of the hashes that differ from `other`.
    pub fn differing(&self, other: &Self) -> String {
        let parts = self.parts.compared(&other.parts).into_iter();
        differing(parts.chain([("groups", self.groups == other.groups)]))
    }
}

fn differing(compared: impl IntoIterator<Item = (&'static str, bool)>) -> String {
    let differ = compared.into_iter().filter(|(_, same)| !same);
    differ.map(|(name, _)| name).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = [self.costs, self.stamps, self.orders, self.units];
        write!(f, "{a:016x} {b:016x} {c:016x} {d:016x}")
    }
}

impl fmt::Display for Hashes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:016x}", self.parts, self.groups)
    }
}
