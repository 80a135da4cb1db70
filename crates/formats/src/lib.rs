//! Map files and scenarios for [`flowtiles`], read from bytes and written to
//! bytes.
//!
//! ```text
//!   file or bytes ──▶ MapReader ──▶ CostMap       every fault with its place
//!                        │                        and what to do about it
//!                        ├─ read_movingai, read_text, read_flow
//!                        ├─ read_png, read_heights         feature `png`
//!                        ├─ read_tmx, read_tmj             feature `tiled`
//!                        └─ read_ldtk                      feature `ldtk`
//!   CostMap ──▶ MapWriter ──▶ bytes               with a list of losses, if lossy
//!   bytes ──▶ read_scenario ──▶ entries ──▶ write_scenario
//! ```
//!
//! All faults of the bytes are found here, once; the results need no second
//! check. A header is not trusted until it is checked against the limits or the
//! body confirms it, so a few bytes cannot claim gigabytes.
//! `docs/map-formats.md` describes the formats.
//!
//! No feature is on by default: maps of Moving AI, as text and as `.flow`, and
//! scenarios need no crate but flowtiles.
//!
//! | feature | adds | crates |
//! | --- | --- | --- |
//! | `ldtk` | levels of the LDtk editor, read only | serde_json |
//! | `png` | maps as PNG pictures, and height maps | png, flate2 |
//! | `tiled` | maps of the Tiled editor, `.tmx` and `.tmj` | roxmltree, serde_json, flate2, base64 |

/// The pages with map files, whose examples run as tests.
#[cfg(doctest)]
mod doctests {
    #[doc = include_str!("../../../docs/map-formats.md")]
    struct MapFormatsPage;

    #[doc = include_str!("../../../docs/guide/portal-graphs.md")]
    struct PortalGraphsPage;

    #[cfg(feature = "png")]
    #[doc = include_str!("../../../docs/guide/getting-started.md")]
    struct GettingStartedPage;
}

#[cfg(any(feature = "ldtk", feature = "tiled"))]
mod editor;
mod error;
mod flow;
mod formats;
#[cfg(feature = "ldtk")]
mod ldtk;
mod lines;
mod movingai;
mod names;
#[cfg(feature = "png")]
mod picture;
mod reader;
mod rows;
mod scenario;
mod terrain;
mod text;
#[cfg(feature = "tiled")]
mod tiled;
mod writer;

pub use error::{Lack, Place, ReadError, WriteError};
pub use flow::{read_flow, write_flow};
pub use formats::{Format, Kinds};
#[cfg(feature = "ldtk")]
pub use ldtk::{LdtkChoice, MAX_LDTK_BYTES, MAX_LDTK_CELLS, read_ldtk};
pub use movingai::{read_movingai, write_movingai};
pub use names::Names;
#[cfg(feature = "png")]
pub use picture::{Colour, Heights, Palette, read_heights, read_png, write_png};
pub use reader::{LoadedMap, MapReader};
pub use rows::MAX_FILE_CELLS;
pub use scenario::{ScenarioEntry, read_scenario, write_scenario};
pub use terrain::Terrain;
pub use text::{read_text, write_text};
#[cfg(feature = "tiled")]
pub use tiled::{MAX_TILED_BYTES, MAX_TILED_CELLS, read_tmj, read_tmx, write_tmj, write_tmx};
pub use writer::{Loss, MapWriter, Written};
