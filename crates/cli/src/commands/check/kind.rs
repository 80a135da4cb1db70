//! The kinds of findings, as `--allow` names them.

/// The kinds of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Kind {
    /// Islands other than the largest
    Pockets,
    /// Places that are one cell wide
    Chokes,
    /// Passages between sectors that are too narrow
    Passages,
    /// Spawn points that cannot reach the others
    Spawns,
}
