//! A live view of a [flowtiles] world in the browser.
//!
//! A server on this machine shows a page with the map, the sectors that orders
//! have loaded, directions and costs-to-go, portals and their graph, islands,
//! and marching units. The page is built into the crate; nothing is loaded from
//! elsewhere.
//!
//! ```text
//!   world, orders, units ─▶ Feed ─▶ Outbox ─▶ server ─▶ page
//!                           blocks   newest of          draws
//!        Request ◀───────── in view  each thing ◀────── view, clicks
//! ```
//!
//! - A game calls [`Inspector::serve`] once and [`Inspector::publish`] in every
//!   frame. The page only shows; the work is bounded.
//! - A studio, such as `flowtiles inspect`, creates an [`Inspector::studio`],
//!   carries out the pages' [requests](Inspector::requests) and shows the
//!   results with [`Inspector::publish_shown`].
//!
//! `docs/inspector.md` describes the messages and the access control.

mod blocks;
mod feed;
mod files;
mod ground;
mod guard;
mod hub;
mod inspector;
mod islands;
mod layer;
mod line;
mod loaded;
mod message;
mod outbox;
mod page;
mod request;
mod server;
mod shown;
mod wire;
mod world_layers;

pub use feed::{Effort, Integrates};
pub use files::{FileAsked, FileRequest, Given};
pub use ground::{Ground, Material, PlainGround, Texel};
pub use inspector::{Inspector, ServeError};
pub use layer::{BLOCK_SIDE, LEVEL_MAX, Layer};
pub use message::{Catalogue, LifeSlice, LifeStage, NoteKind, Status};
pub use request::{NewMap, PlayScene, Request, STAGES, Time};
pub use shown::{Fields, Mark, MarkState, NoFields, Shown, ShownOrder, UnitPath};
