//! Costs of very large maps in a file, for
//! [flowtiles](https://docs.rs/flowtiles).
//!
//! [`write()`] makes the file, sector by sector; [`MappedCosts`] maps it into
//! memory and is a [`CostSource`](flowtiles::build::CostSource). The system loads the
//! parts that are read and drops them when memory is short, so a map of
//! hundreds of millions of cells takes four bytes for each sector in the game,
//! until it is edited.
//!
//! ```
//! use flowtiles::build::SectorCosts;
//! use flowtiles::{Cell, CellRect, Cost, CostMap, FlowWorld, Sector};
//! use flowtiles_mapped::MappedCosts;
//!
//! # let folder = std::env::temp_dir().join(format!("flowtiles-mapped-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! let path = folder.join("island.costs");
//! // A lake in the middle, marsh around it.
//! let marsh = SectorCosts::Even(Cost::new(5)?);
//! flowtiles_mapped::write(&path, 3000, 2000, |Sector { x, y }| {
//!     match ((x - 150).pow(2) + (y - 100).pow(2)) / 100 {
//!         0..9 => SectorCosts::WALLS,
//!         9..16 => marsh,
//!         _ => SectorCosts::OPEN,
//!     }
//! })?;
//!
//! let mut world = FlowWorld::new(CostMap::from_source(MappedCosts::open(&path)?)?);
//! assert!(!world.reachable(Cell::new(0, 0), Cell::new(1500, 1000)));
//! world.edit(CellRect::new(1490, 500, 20, 520), Cost::OPEN)?; // a causeway
//! assert!(world.reachable(Cell::new(0, 0), Cell::new(1500, 1000)));
//!
//! // A save contains only the causeway, and the file's digest.
//! let save = world.save();
//! let under = CostMap::from_source(MappedCosts::open(&path)?)?;
//! let (loaded, _) = FlowWorld::load_over(&save, under)?;
//! assert_eq!(loaded.state_hash(), world.state_hash());
//! # drop((world, loaded));
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The file, version 1
//!
//! Numbers have four bytes, the lowest first.
//!
//! ```text
//! 8 bytes        FLOWCOST
//! 4              the version
//! 4, 4           width and height of the map in cells
//! 4              the number of blocks
//! 100 a block    the costs of a sector with different costs, row by row
//! 4 a sector     row by row: 1 to 255 if all its cells have that cost,
//!                and 256 + n for block n
//! 8 bytes        the digest of everything above, the lowest byte first
//! ```
//!
//! The digest ([`flowtiles::inspect::Digest`]) covers each block, then the words of
//! the sectors, then the first 24 bytes. Cells of a block that lie off the map
//! are ignored.

mod file;
mod writing;

pub use file::{MappedCosts, OpenError};
pub use writing::write;

/// The first bytes of every file.
const MAGIC: &[u8; 8] = b"FLOWCOST";
/// The version of the format.
const VERSION: u32 = 1;
/// The bytes of magic, version, width, height and number of blocks.
const HEAD: usize = 8 + 4 * 4;
/// The bytes of a block.
const BLOCK: usize = 100;
/// The bytes of a sector's word.
const WORD: usize = 4;
/// Words from this value on refer to a block.
const FIRST_BLOCK: u32 = 256;
/// The bytes of the digest at the end.
const TAIL: usize = 8;
