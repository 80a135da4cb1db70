//! The connected pages: what each shows, what it has, what waits for it.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use flowtiles::{Cell, LayerId};
use parking_lot::{Condvar, Mutex, MutexGuard};

use crate::message::{NoteKind, StageInfo, Told, VERSION};
use crate::outbox::{Outbox, Slot};
use crate::overlay::{BLOCK_SIDE, BlockKey, Overlay};
use crate::request::{Message, Request, STAGES, View};
use crate::world_layers;

/// The most pages at a time.
pub(crate) const CLIENTS_MAX: usize = 8;
/// The most requests that may wait for the host.
const REQUESTS_MAX: usize = 1_024;
/// The most blocks of a layer that a page may show at a time.
const BLOCKS_MAX: i32 = 2_500;
/// The most blocks that a page may keep.
const KEPT_MAX: usize = 65_536;

/// The host's record of a block on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kept {
    /// The digest of the block's bytes.
    pub(crate) digest: u64,
    /// The digest of all on which it depended at the last check, if that was known.
    pub(crate) sources: Option<u64>,
}

/// A connected page.
pub(crate) struct Client {
    state: Mutex<ClientState>,
    /// Called when something waits for the page.
    wake: Box<dyn Fn() + Send + Sync>,
}

/// The state of a page.
#[derive(Default)]
pub(crate) struct ClientState {
    pub(crate) view: Option<View>,
    pub(crate) hover: Option<(u8, Cell)>,
    pub(crate) kept: HashMap<BlockKey, Kept>,
    pub(crate) outbox: Outbox,
    /// The digests of the messages sent last to some slots.
    pub(crate) sent: HashMap<Slot, u64>,
    /// The blocks to check on each stage, and the progress.
    agendas: [Option<Agenda>; STAGES as usize],
    /// A block that is being built, a part in each picture.
    pub(crate) begun: Option<Begun>,
}

/// The blocks that a page shows of a stage.
pub(crate) struct Agenda {
    /// What they depend on: the layers and the size of the stage, and the world's layer.
    subject: ([u32; 3], LayerId),
    /// The blocks, layer by layer.
    pub(crate) wanted: Vec<BlockKey>,
    /// The number of blocks, from the first on, that the page has.
    pub(crate) known: usize,
    /// Where the search for changes continues.
    pub(crate) cursor: usize,
}

/// A block that is being built.
pub(crate) struct Begun {
    pub(crate) key: BlockKey,
    /// The digest of all on which it depended when it was begun.
    pub(crate) sources: Option<u64>,
    /// The next row.
    pub(crate) row: i32,
    pub(crate) content: Vec<u8>,
}

impl Client {
    /// Locks and returns the page's state.
    pub(crate) fn state(&self) -> MutexGuard<'_, ClientState> {
        self.state.lock()
    }

    /// Queues a message, or a note if it has no slot, and wakes the page.
    fn send(&self, slot: Option<Slot>, message: Vec<u8>) {
        let mut state = self.state();
        match slot {
            Some(slot) => {
                state.outbox.put(slot, message);
            }
            None => state.outbox.note(message),
        }
        drop(state);
        (self.wake)();
    }
}

impl ClientState {
    /// Queues a message, unless it is equal to the last one for that slot.
    pub(crate) fn queue(&mut self, slot: Slot, message: Vec<u8>) {
        let mut digest = flowtiles::inspect::Digest::new();
        digest.bytes(&message);
        let digest = digest.finish();
        if self.sent.insert(slot, digest) != Some(digest) {
            self.outbox.put(slot, message);
        }
    }

    /// Removes and returns the agenda of a stage.
    pub(crate) fn take_agenda(&mut self, stage: u8, info: &StageInfo) -> Agenda {
        let subject = ([info.layers, info.width, info.height], self.on(info));
        let known = self.agendas[usize::from(stage)].take();
        let known = known.filter(|agenda| agenda.subject == subject);
        known.unwrap_or_else(|| Agenda {
            subject,
            wanted: self.wanted(stage, info),
            known: 0,
            cursor: 0,
        })
    }

    /// Keeps the agenda of a stage for the next picture.
    pub(crate) fn keep_agenda(&mut self, stage: u8, agenda: Agenda) {
        self.agendas[usize::from(stage)] = Some(agenda);
    }

    /// Returns the layer of a stage's world that the page shows: the one it asks for, or the
    /// ground if that is not derived.
    pub(crate) fn on(&self, info: &StageInfo) -> LayerId {
        let requested = self.view.map_or(LayerId::GROUND, |view| view.on);
        world_layers::layer_to_show(&info.world_layers, requested)
    }

    /// Discards the agendas, because the view or the kept blocks have changed.
    fn discard_agendas(&mut self) {
        self.agendas = Default::default();
    }

    /// Returns the blocks that the page shows of a stage, layer by layer.
    fn wanted(&self, stage: u8, info: &StageInfo) -> Vec<BlockKey> {
        let Some(view) = self.view else {
            return Vec::new();
        };
        let on = self.on(info);
        let mut wanted = Vec::new();
        for layer in Overlay::ALL {
            let shows = (view.layers | Overlay::Ground.bit()) & info.layers & layer.bit() != 0;
            if shows && view.level <= layer.level_max() {
                wanted.extend(blocks(stage, on, layer, &view, info));
            }
        }
        wanted
    }
}

/// Returns the blocks of a layer that meet a view, at most [`BLOCKS_MAX`].
fn blocks(stage: u8, on: LayerId, layer: Overlay, view: &View, info: &StageInfo) -> Vec<BlockKey> {
    let side = BLOCK_SIDE << view.level;
    let map = flowtiles::CellRect::new(0, 0, info.width, info.height);
    let area = view.area.intersection(map);
    if area.is_empty() {
        return Vec::new();
    }
    let columns = area.x / side..=(area.x + area.width as i32 - 1) / side;
    let rows = area.y / side..=(area.y + area.height as i32 - 1) / side;
    let count = (columns.end() - columns.start() + 1) * (rows.end() - rows.start() + 1);
    if count > BLOCKS_MAX {
        return Vec::new();
    }
    rows.flat_map(|row| columns.clone().map(move |column| (column, row)))
        .map(|(column, row)| BlockKey {
            stage,
            on,
            layer,
            level: view.level,
            column: column as u16,
            row: row as u16,
        })
        .collect()
}

/// Returns why no stage shows the layer that a page asks for, if so.
fn refusal(stages: &[StageInfo], asked: LayerId) -> Option<String> {
    let refusals = stages
        .iter()
        .map(|info| world_layers::refusal(&info.world_layers, asked));
    // It is enough that one stage shows it.
    refusals.collect::<Option<Vec<String>>>()?.pop()
}

/// The state shared by the host's threads and the server's.
#[derive(Default)]
pub(crate) struct Hub {
    clients: Mutex<Vec<Arc<Client>>>,
    stages: Mutex<Vec<StageInfo>>,
    requests: Mutex<Vec<Request>>,
    /// Notified when a request has arrived.
    asked: Condvar,
    pub(crate) is_studio: bool,
    catalogue: Mutex<Option<Vec<u8>>>,
}

impl Hub {
    pub(crate) fn new(is_studio: bool) -> Self {
        Self {
            is_studio,
            ..Self::default()
        }
    }

    /// Returns all pages.
    pub(crate) fn clients(&self) -> Vec<Arc<Client>> {
        self.clients.lock().clone()
    }

    /// Returns the number of pages.
    pub(crate) fn count(&self) -> usize {
        self.clients.lock().len()
    }

    /// Adds a page; `wake` is called when something waits for it. `None` if there are too
    /// many.
    pub(crate) fn enter(&self, wake: Box<dyn Fn() + Send + Sync>) -> Option<Arc<Client>> {
        let mut clients = self.clients.lock();
        if clients.len() >= CLIENTS_MAX {
            return None;
        }
        let mut outbox = Outbox::default();
        outbox.begin(self.hello(&self.stages()));
        if let Some(catalogue) = &*self.catalogue.lock() {
            outbox.put(Slot::Catalogue, catalogue.clone());
        }
        let client = Arc::new(Client {
            state: Mutex::new(ClientState {
                outbox,
                ..ClientState::default()
            }),
            wake,
        });
        clients.push(Arc::clone(&client));
        Some(client)
    }

    /// Removes a page.
    pub(crate) fn leave(&self, client: &Arc<Client>) {
        let mut clients = self.clients.lock();
        clients.retain(|other| !Arc::ptr_eq(other, client));
    }

    /// Returns the descriptions of all stages.
    pub(crate) fn stages(&self) -> Vec<StageInfo> {
        self.stages.lock().clone()
    }

    /// Sets the description of a stage; pages start again if it is another
    /// world.
    pub(crate) fn set_stage(&self, stage: u8, info: &StageInfo) {
        let mut stages = self.stages.lock();
        let place = usize::from(stage);
        if stages.get(place) == Some(info) {
            return;
        }
        let is_new = stages.get(place).map(|known| known.serial) != Some(info.serial);
        if stages.len() <= place {
            stages.resize(place + 1, StageInfo::default());
        }
        stages[place] = info.clone();
        let hello = self.hello(&stages);
        drop(stages);
        self.announce(hello, is_new);
    }

    /// Sets the number of stages shown.
    pub(crate) fn keep_stages(&self, count: u8) {
        let mut stages = self.stages.lock();
        if stages.len() <= usize::from(count) {
            return;
        }
        stages.truncate(usize::from(count));
        let hello = self.hello(&stages);
        drop(stages);
        self.announce(hello, true);
    }

    fn announce(&self, hello: Vec<u8>, is_new: bool) {
        for client in self.clients() {
            let mut state = client.state();
            if is_new {
                state.kept.clear();
                state.sent.clear();
                state.begun = None;
                state.discard_agendas();
                state.outbox.begin(hello.clone());
            } else {
                state.outbox.put(Slot::Hello, hello.clone());
            }
            drop(state);
            (client.wake)();
        }
    }

    fn hello(&self, stages: &[StageInfo]) -> Vec<u8> {
        let (version, is_studio) = (VERSION, self.is_studio);
        Told::Hello {
            version,
            is_studio,
            stages,
        }
        .bytes()
    }

    /// Queues a message for every page.
    pub(crate) fn send(&self, message: &Told<'_>) {
        let bytes = message.bytes();
        for client in self.clients() {
            client.send(message.slot(), bytes.clone());
        }
    }

    /// Sends the lists that pages offer.
    pub(crate) fn set_catalogue(&self, catalogue: &Told<'_>) {
        *self.catalogue.lock() = Some(catalogue.bytes());
        self.send(catalogue);
    }

    /// Handles a message from a page. If it is refused, the page gets a note.
    pub(crate) fn receive(&self, client: &Client, bytes: &[u8]) {
        let refusal = match Message::read(bytes) {
            Ok(message) => self.follow(client, message),
            Err(why) => Some(format!("the inspector was sent a bad message: {why}")),
        };
        if let Some(text) = refusal {
            let tone = NoteKind::Refused;
            let note = Told::Note { tone, text: &text };
            client.send(None, note.bytes());
        }
    }

    /// Carries out a page's message; returns the reason if it is refused.
    fn follow(&self, client: &Client, message: Message) -> Option<String> {
        match message {
            Message::View(view) => {
                let stages = self.stages();
                let mut state = client.state();
                let before = state.view.replace(view);
                state.discard_agendas();
                let wanted: Vec<BlockKey> = (0..STAGES)
                    .zip(&stages)
                    .flat_map(|(stage, info)| state.wanted(stage, info))
                    .collect();
                // Waiting blocks out of view are not sent, so the page does not
                // keep them.
                let gone = state.outbox.keep_blocks(|key| wanted.contains(&key));
                for key in gone {
                    state.kept.remove(&key);
                }
                if state.kept.len() > KEPT_MAX {
                    state.kept.clear();
                }
                // A page that moves its view gets the refusal once.
                let is_other = before.is_none_or(|before| before.on != view.on);
                if is_other {
                    refusal(&stages, view.on)
                } else {
                    None
                }
            }
            Message::Forget(forgotten) => {
                let mut state = client.state();
                state.discard_agendas();
                for key in forgotten {
                    state.kept.remove(&key);
                }
                None
            }
            Message::Hover { stage, cell } => {
                client.state().hover = Some((stage, cell));
                None
            }
            Message::Request(request) => self.ask(request),
        }
    }

    fn ask(&self, request: Request) -> Option<String> {
        let is_look = matches!(request, Request::Why { .. });
        if !self.is_studio && !is_look {
            return Some("this page only shows a running game".to_owned());
        }
        let mut requests = self.requests.lock();
        if requests.len() >= REQUESTS_MAX {
            return Some("the host is busy: wait a moment".to_owned());
        }
        requests.push(request);
        self.asked.notify_all();
        None
    }

    /// Removes and returns the requests of pages since the last call.
    pub(crate) fn take_requests(&self) -> Vec<Request> {
        std::mem::take(&mut *self.requests.lock())
    }

    /// Waits until a request arrives, or the time is over.
    pub(crate) fn wait(&self, time: Duration) {
        let mut requests = self.requests.lock();
        if requests.is_empty() {
            // Whatever ended the wait, the host checks the requests itself.
            self.asked.wait_for(&mut requests, time);
        }
    }
}
