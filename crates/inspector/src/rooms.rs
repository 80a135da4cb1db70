//! The sessions under one address: the one that pages share, and others for pages that name
//! their number, as in `/?own=3`.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use axum::http::Uri;
use parking_lot::Mutex;
use tokio::sync::watch;

use crate::exchange::{Exchange, FileRequest};
use crate::hub::Hub;

/// The number of the session that pages share.
const SHARED: u32 = 0;

/// What the pages of a session see, and the files between them and its host.
#[derive(Clone)]
pub(crate) struct Room {
    pub(crate) hub: Arc<Hub>,
    pub(crate) files: Arc<Exchange>,
    /// Whether it is closed: its pages are told, and what they wait for is refused.
    pub(crate) is_over: watch::Sender<bool>,
}

impl Room {
    pub(crate) fn new(hub: Arc<Hub>) -> Self {
        Self {
            hub,
            files: Arc::default(),
            is_over: watch::Sender::new(false),
        }
    }
}

/// All of them.
pub(crate) struct Rooms {
    state: Mutex<State>,
}

struct State {
    /// By number.
    open: BTreeMap<u32, Room>,
    /// The number of the last one: none comes again, for its address may be kept.
    last: u32,
}

impl Rooms {
    pub(crate) fn new(shared: Room) -> Self {
        let state = State {
            open: BTreeMap::from([(SHARED, shared)]),
            last: SHARED,
        };
        Self {
            state: Mutex::new(state),
        }
    }

    /// Returns the room that an address names; `None` if it is closed, or never was one.
    pub(crate) fn named(&self, uri: &Uri) -> Option<Room> {
        let asked = uri.query().and_then(|query| query.strip_prefix("own="));
        let number = asked.map_or(Some(SHARED), |number| number.parse().ok())?;
        self.state.lock().open.get(&number).cloned()
    }

    /// Whether a page is connected.
    pub(crate) fn are_watched(&self) -> bool {
        let state = self.state.lock();
        state.open.values().any(|room| room.hub.count() > 0)
    }
}

/// A session under the address of a [`StudioServer`](crate::StudioServer) that only pages see
/// which name its number. When this is dropped it is closed, and its pages are disconnected.
pub struct OwnRoom {
    number: u32,
    room: Room,
    rooms: Arc<Rooms>,
}

impl OwnRoom {
    /// The most that are open at a time.
    pub const MAX: usize = 8;

    pub(crate) fn open(rooms: &Arc<Rooms>, room: Room) -> Option<Self> {
        let mut state = rooms.state.lock();
        // The shared one is no page's own.
        if state.open.len() > Self::MAX {
            return None;
        }
        state.last += 1;
        let number = state.last;
        state.open.insert(number, room.clone());
        Some(Self {
            number,
            room,
            rooms: Arc::clone(rooms),
        })
    }

    /// Returns its number: a page sees it under `/?own=NUMBER`.
    #[must_use]
    pub const fn number(&self) -> u32 {
        self.number
    }

    /// Removes and returns a file that a page of it has dropped, or wants to save.
    #[must_use]
    pub fn file_request(&self) -> Option<FileRequest> {
        self.room.files.take()
    }
}

impl Drop for OwnRoom {
    fn drop(&mut self) {
        self.rooms.state.lock().open.remove(&self.number);
        self.room.is_over.send_replace(true);
    }
}

impl fmt::Debug for OwnRoom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnRoom")
            .field("number", &self.number)
            .finish_non_exhaustive()
    }
}
