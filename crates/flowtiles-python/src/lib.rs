//! [flowtiles] for Python: worlds, orders and armies, with NumPy arrays.
//!
//! ```text
//!   numbers, arrays, errors     what Python gives, checked once; what it is refused with
//!   goal, target, stamp, maps   what calls are about
//!   world ──▶ order ──▶ army    what calls are made on, each behind a lock of its own
//!   reports, graph, picture     what calls return
//! ```
//!
//! The package `python/flowtiles` gives these their names, and has the types of all of them in
//! `_flowtiles.pyi`. Builds, ticks, steps and questions run without the interpreter's lock.

#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "what Python shows is no Markdown"
)]

mod army;
mod arrays;
mod errors;
mod goal;
mod graph;
mod maps;
mod numbers;
mod order;
mod picture;
mod reports;
mod stamp;
/// What the command draws with, from its own files.
#[allow(dead_code, missing_docs, reason = "the command draws more")]
#[path = "../../cli/src/support"]
mod support {
    pub(crate) mod drawing;
    pub(crate) mod font;
}
mod target;
mod world;

use pyo3::prelude::*;

use crate::numbers::Whole;

/// Returns the number of a layer as a team, 0 to 7, sees it: its gates are open to it, and of the
/// ground it knows what its fog lets it. Without this, layers are those of team 0.
///
/// >>> layer_for_team(0, 2)
/// 131072
#[pyfunction]
fn layer_for_team(layer: Whole<u32>, team: Whole<u8>) -> Result<u32, errors::Fault> {
    let on = goal::layer(layer)?.for_team(team.0);
    let found = on.ok_or_else(|| {
        let team = team.0;
        errors::Fault::argument(format!("there is no team {team}: give 0 to 7"))
    })?;
    Ok(goal::number_of(found))
}

/// The engine of flowtiles.
#[pymodule]
fn _flowtiles(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("ArgumentError", py.get_type::<errors::ArgumentError>())?;
    module.add("MapError", py.get_type::<errors::MapError>())?;
    module.add("StateError", py.get_type::<errors::StateError>())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<army::Army>()?;
    module.add_class::<target::Chase>()?;
    module.add_class::<reports::EditReport>()?;
    module.add_class::<goal::Goal>()?;
    module.add_class::<order::Order>()?;
    module.add_class::<graph::PortalGraph>()?;
    module.add_class::<reports::Progress>()?;
    module.add_class::<stamp::StampTemplate>()?;
    module.add_class::<reports::SurchargeReport>()?;
    module.add_class::<target::Target>()?;
    module.add_class::<world::World>()?;
    module.add_function(wrap_pyfunction!(layer_for_team, module)?)
}
