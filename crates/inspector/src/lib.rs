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
//! - A studio, such as `flowtiles inspect`, has a [`View`], carries out the pages'
//!   [requests](View::requests) and shows the results with [`View::publish_shown`].
//!   [`StudioServer`] serves it. Without the feature `server`, messages travel as the
//!   host likes: there are no sockets, files, clocks or threads then.
//!
//! `docs/inspector.md` describes the messages and the access control.

mod blocks;
#[cfg(feature = "server")]
mod exchange;
mod feed;
mod files;
mod ground;
#[cfg(feature = "server")]
mod guard;
mod hub;
#[cfg(feature = "server")]
mod inspector;
mod islands;
mod loaded;
mod message;
#[cfg(feature = "server")]
mod one_file;
mod outbox;
mod overlay;
#[cfg(feature = "server")]
mod page;
mod request;
#[cfg(feature = "server")]
mod rooms;
#[cfg(feature = "server")]
mod server;
mod shown;
mod view;
mod world_layers;

#[cfg(feature = "server")]
pub use exchange::FileRequest;
pub use feed::Effort;
pub use files::{FileAsked, Given};
pub use ground::{Ground, Material, PlainGround, Texel};
#[cfg(feature = "server")]
pub use inspector::{Inspector, ServeError, StudioServer};
pub use message::{BrushInfo, Catalogue, LifeSlice, LifeStage, NoteKind, SceneInfo, Status};
#[cfg(feature = "server")]
pub use one_file::one_file;
pub use overlay::{BLOCK_SIDE, LEVEL_MAX, Overlay};
pub use request::{Aim, NewMap, PlayScene, Request, STAGES, Time};
#[cfg(feature = "server")]
pub use rooms::OwnRoom;
pub use shown::{Fields, Mark, MarkState, NoFields, Shown, ShownOrder, UnitPath};
pub use view::{Page, View};
