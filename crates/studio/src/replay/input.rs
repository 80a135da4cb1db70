//! The inputs of a session; each is a line of JSON in a replay.

use flowtiles_inspector::Request;
use serde::{Deserialize, Serialize};

/// An event of a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Input {
    /// The state must have these hashes.
    Check(Hashes),
    /// A page has changed something.
    Page(Request),
    /// This many ticks were done.
    Ticks(u32),
}

impl Input {
    /// Whether its values may come from a page, and are recorded.
    pub fn is_allowed(&self) -> bool {
        match self {
            Self::Page(request) => request.is_recorded() && request.is_allowed(),
            Self::Check(_) | Self::Ticks(_) => true,
        }
    }
}

/// Hashes of worlds and the units in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hashes {
    pub costs: u64,
    pub stamps: u64,
    pub orders: u64,
    /// Of all units.
    pub units: u64,
    /// Of the groups of steered units.
    pub groups: u64,
}

impl Hashes {
    /// The names of the hashes that differ from `other`.
    fn differing(&self, other: &Self) -> String {
        let compared = [
            ("costs", self.costs == other.costs),
            ("stamps and blockers", self.stamps == other.stamps),
            ("orders and fields", self.orders == other.orders),
            ("units", self.units == other.units),
            ("groups", self.groups == other.groups),
        ];
        let differ = compared.iter().filter(|(_, same)| !same);
        differ.map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
    }

    /// Compares them with those of a replay.
    ///
    /// # Errors
    /// With the names of those that differ, and what to do.
    pub fn check(&self, recorded: &Self) -> Result<(), String> {
        if self == recorded {
            return Ok(());
        }
        let differ = self.differing(recorded);
        Err(format!(
            "{differ} are not as recorded: play it with the flowtiles that wrote it"
        ))
    }
}
