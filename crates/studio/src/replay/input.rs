//! The inputs of a session; each is a line of JSON in a replay.

use flowtiles_inspector::Request;
use serde::{Deserialize, Serialize};

use super::hashes::Hashes;

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
