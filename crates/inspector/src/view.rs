//! What a host shows to its pages, and what they ask of it. It knows nothing of how
//! messages travel.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use flowtiles::Cell;
use flowtiles::inspect::explain;

use crate::feed::{Effort, Feed};
use crate::hub::{Client, Hub};
use crate::message::{Catalogue, LifeSlice, NoteKind, Status, Told};
use crate::request::{Request, STAGES};
use crate::shown::Shown;

/// The stages that a host shows, and the pages that look on.
///
/// ```
/// use flowtiles::{CostMap, FlowWorld};
/// use flowtiles_inspector::{Shown, View};
///
/// let world = FlowWorld::new(CostMap::open(60, 40)?);
/// let mut view = View::studio();
/// let page = view.connect(|| {}).ok_or("eight pages look on already")?;
/// view.publish_shown(0, &Shown::new(&world));
/// let hello = page.take().ok_or("the size of the world comes first")?;
/// # assert!(!hello.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct View {
    pub(crate) hub: Arc<Hub>,
    feeds: [Feed; STAGES as usize],
    effort: Effort,
}

/// A page that looks on, until it is dropped.
pub struct Page {
    hub: Arc<Hub>,
    client: Arc<Client>,
}

impl Page {
    /// Connects a page; `None` if there are too many.
    pub(crate) fn connect(hub: &Arc<Hub>, wake: Box<dyn Fn() + Send + Sync>) -> Option<Self> {
        let client = hub.enter(wake)?;
        Some(Self {
            hub: Arc::clone(hub),
            client,
        })
    }

    /// Removes and returns the next message for the page.
    #[must_use]
    pub fn take(&self) -> Option<Vec<u8>> {
        self.client.state().outbox.take()
    }

    /// Handles a message from the page. If it is refused, the page gets a note.
    pub fn receive(&self, message: &[u8]) {
        self.hub.receive(&self.client, message);
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        self.hub.leave(&self.client);
    }
}

/// The end of an explanation that only a program can follow.
const FOR_PROGRAMS: &str = "Ask for it with `FlowWorld::cover`.";

impl View {
    /// The view of a host that carries out what pages ask for.
    #[must_use]
    pub fn studio() -> Self {
        Self::new(true, Effort::STUDIO)
    }

    /// The view of a running game, which only shows.
    #[must_use]
    pub fn game() -> Self {
        Self::new(false, Effort::GAME)
    }

    fn new(is_studio: bool, effort: Effort) -> Self {
        Self {
            hub: Arc::new(Hub::new(is_studio)),
            feeds: Default::default(),
            effort,
        }
    }

    /// Connects a page; `None` if there are too many. `wake` is called when notes and
    /// answers wait for it. For pictures it is not: the host looks for them by itself.
    pub fn connect(&self, wake: impl Fn() + Send + Sync + 'static) -> Option<Page> {
        Page::connect(&self.hub, Box::new(wake))
    }

    /// Sets the work that a picture may take.
    pub const fn set_effort(&mut self, effort: Effort) {
        self.effort = effort;
    }

    /// Returns the number of connected pages.
    #[must_use]
    pub fn watchers(&self) -> usize {
        self.hub.count()
    }

    /// Shows everything that a host has to show, on one of two stages.
    ///
    /// # Panics
    /// If the stage is not 0 or 1.
    pub fn publish_shown(&mut self, stage: u8, shown: &Shown<'_>) {
        self.feeds[usize::from(stage)].publish(&self.hub, stage, shown, self.effort);
    }

    /// Sets the number of stages shown, 1 or 2.
    pub fn keep_stages(&mut self, count: u8) {
        self.hub.keep_stages(count);
    }

    /// Removes and returns the requests of pages since the last call.
    pub fn requests(&mut self) -> Vec<Request> {
        self.hub.take_requests()
    }

    /// Waits until a page on another thread requests something, or the time is over.
    pub fn wait(&self, time: Duration) {
        self.hub.wait(time);
    }

    /// Shows a note on all pages.
    pub fn note(&self, tone: NoteKind, text: &str) {
        self.hub.send(&Told::Note { tone, text });
    }

    /// Shows figures of a stage; `docs/inspector.md` lists them.
    pub fn figures(&self, stage: u8, values: &[f64]) {
        self.hub.send(&Told::Figures { stage, values });
    }

    /// Shows the state of a studio.
    pub fn status(&self, status: &Status) {
        self.hub.send(&Told::Status(status));
    }

    /// Shows the life of an order.
    pub fn life(&self, order: u64, slices: &[LifeSlice]) {
        self.hub.send(&Told::Life { order, slices });
    }

    /// Sets the lists that a studio's pages offer.
    pub fn set_catalogue(&self, catalogue: &Catalogue) {
        self.hub.set_catalogue(&Told::Catalogue(catalogue));
    }

    /// Answers why a cell has its direction, by the order with a number or by
    /// the newest.
    ///
    /// This is for people: it integrates the order's loaded sectors again.
    pub fn why(&self, stage: u8, shown: &Shown<'_>, cell: Cell, order: Option<u64>) {
        let text = match shown.order_on(order, |_| true) {
            Some(shown_order) => {
                let text = explain(shown.world, shown_order.order, cell).to_string();
                text.replace(FOR_PROGRAMS, "A unit that comes here asks for a path.")
            }
            None => format!("No order is shown, so {cell} has no direction: set a goal."),
        };
        self.hub.send(&Told::Why { stage, cell, text });
    }
}

impl fmt::Debug for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("View")
            .field("watchers", &self.watchers())
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Page").finish_non_exhaustive()
    }
}
