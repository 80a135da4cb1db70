//! The inspector, as a program uses it.

use std::fmt;
use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::Arc;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use flowtiles::inspect::explain;
use flowtiles::{Cell, FlowWorld, Order};

use crate::feed::{Effort, Feed};
use crate::files::{Exchange, FileRequest};
use crate::guard::Reach;
use crate::hub::Hub;
use crate::message::{self, Catalogue, IsStudio, LifeSlice, NoteKind, Status};
use crate::outbox::Slot;
use crate::request::{Request, STAGES};
use crate::server::Server;
use crate::shown::{Mark, Shown, ShownOrder};

/// The shortest time between two pictures of a game.
const GAME_INTERVAL: Duration = Duration::from_millis(50);

/// The reasons for which no inspector was started.
#[derive(Debug)]
#[non_exhaustive]
pub enum ServeError {
    /// The address can be reached from other machines, which was not asked for.
    NotLocal {
        /// The address.
        address: SocketAddr,
    },
    /// The text is not an address.
    NoAddress,
    /// The system's error.
    System(io::Error),
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotLocal { address } => write!(
                f,
                "{address} can be reached from other machines: serve on 127.0.0.1, \
                 or allow remote pages in so many words"
            ),
            Self::NoAddress => f.write_str("no address: write it as 127.0.0.1:8000"),
            Self::System(error) => write!(f, "the address cannot be served: {error}"),
        }
    }
}

impl std::error::Error for ServeError {}

/// A page in the browser that shows a running world.
///
/// ```no_run
/// use flowtiles::{Budget, Cell, CostMap, FlowWorld};
/// use flowtiles_inspector::{Inspector, Mark};
///
/// let mut world = FlowWorld::new(CostMap::open(300, 300)?);
/// let units = [Cell::new(5, 5), Cell::new(7, 290)];
/// let order = world.order(Cell::new(240, 240), &units)?;
/// let mut inspector = Inspector::serve("127.0.0.1:0")?;
/// println!("{}", inspector.url());
/// loop {
///     world.tick(Budget::cells(20_000));
///     let marks = (0..).zip(&units).map(|(id, &cell)| Mark::at(id, cell));
///     inspector.publish(&world, &[(&order, Cell::new(240, 240))], marks);
/// #   break;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// It only reads. Requests of a page that would change something are refused.
/// When the inspector is dropped, the server ends.
pub struct Inspector {
    hub: Arc<Hub>,
    files: Arc<Exchange>,
    server: Server,
    feeds: [Feed; STAGES as usize],
    effort: Effort,
    published: Option<Instant>,
    /// Memory for the units of a game, reused.
    marks: Vec<Mark>,
    tick: u32,
    signals: Option<mpsc::Receiver<()>>,
}

impl Inspector {
    /// Serves a page that only shows, on an address of this machine only; port
    /// 0 takes any free port.
    ///
    /// # Errors
    /// If the address can be reached from other machines, or cannot be served.
    pub fn serve(address: impl ToSocketAddrs) -> Result<Self, ServeError> {
        Self::begin(address, Reach::Local, IsStudio::No, None)
    }

    /// Serves a page that may change what it shows, for a program that carries
    /// out the page's requests; listens for Ctrl-C and `SIGTERM`.
    ///
    /// # Errors
    /// Those of [`serve`](Self::serve).
    pub fn studio(address: impl ToSocketAddrs) -> Result<Self, ServeError> {
        let (heard, signals) = mpsc::channel();
        let mut inspector = Self::begin(address, Reach::Local, IsStudio::Yes, Some(heard))?;
        inspector.effort = Effort::STUDIO;
        inspector.signals = Some(signals);
        Ok(inspector)
    }

    /// Like [`studio`](Self::studio), on an address that other machines can
    /// reach. All of them can use the page: there is no password.
    ///
    /// # Errors
    /// If the address cannot be served.
    pub fn remote_studio(address: impl ToSocketAddrs) -> Result<Self, ServeError> {
        let (heard, signals) = mpsc::channel();
        let mut inspector = Self::begin(address, Reach::Remote, IsStudio::Yes, Some(heard))?;
        inspector.effort = Effort::STUDIO;
        inspector.signals = Some(signals);
        Ok(inspector)
    }

    fn begin(
        address: impl ToSocketAddrs,
        reach: Reach,
        is_studio: IsStudio,
        on_signal: Option<mpsc::Sender<()>>,
    ) -> Result<Self, ServeError> {
        let mut addresses = address.to_socket_addrs().map_err(ServeError::System)?;
        let address = addresses.next().ok_or(ServeError::NoAddress)?;
        if reach == Reach::Local && !address.ip().is_loopback() {
            return Err(ServeError::NotLocal { address });
        }
        let hub = Arc::new(Hub::new(is_studio));
        let files = Arc::new(Exchange::default());
        let server = Server::begin(
            address,
            reach,
            Arc::clone(&hub),
            Arc::clone(&files),
            on_signal,
        );
        Ok(Self {
            hub,
            files,
            server: server.map_err(ServeError::System)?,
            feeds: Default::default(),
            effort: Effort::GAME,
            published: None,
            marks: Vec::new(),
            tick: 0,
            signals: None,
        })
    }

    /// Returns the address on which it serves.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.server.address
    }

    /// Returns the page's URL, for people.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/", self.server.address)
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

    /// Shows a game as it is now: its world, some of its orders with their
    /// goals, and its units. Call it in every frame: it makes at most twenty
    /// pictures a second, and none while no page is connected.
    ///
    /// The work is bounded by [`Effort::GAME`], the loaded sectors of one of
    /// the orders (in turn), and the number of units, whatever the size of the
    /// map: changes are sent a part at a time.
    pub fn publish<M: Into<Mark>>(
        &mut self,
        world: &FlowWorld,
        orders: &[(&Order, Cell)],
        units: impl IntoIterator<Item = M>,
    ) {
        self.tick = self.tick.wrapping_add(1);
        let is_early = self
            .published
            .is_some_and(|published| published.elapsed() < GAME_INTERVAL);
        // The first picture is made even without a page, so that pages know the
        // size of the world.
        if is_early || (self.published.is_some() && self.hub.count() == 0) {
            return;
        }
        self.published = Some(Instant::now());
        let mut marks = std::mem::take(&mut self.marks);
        marks.clear();
        marks.extend(units.into_iter().map(Into::into));
        let banners = (0..8).cycle();
        let shown_orders: Vec<ShownOrder<'_>> = banners
            .zip(orders)
            .map(|(banner, &(order, goal))| ShownOrder {
                banner,
                ..ShownOrder::new(order, goal)
            })
            .collect();
        let shown = Shown {
            orders: &shown_orders,
            marks: &marks,
            tick: self.tick,
            title: "a running game",
            ..Shown::new(world)
        };
        self.publish_shown(0, &shown);
        self.answer_why(&[&shown]);
        self.marks = marks;
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

    /// Removes and returns a file that a page has dropped, or wants to save.
    pub fn file_request(&mut self) -> Option<FileRequest> {
        self.files.take()
    }

    /// Waits until a page requests something, or the time is over.
    pub fn wait(&self, time: Duration) {
        self.hub.wait(time);
    }

    /// Whether Ctrl-C or `SIGTERM` was received. Only a studio listens for
    /// them.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.signals
            .as_ref()
            .is_some_and(|signals| signals.try_recv().is_ok())
    }

    /// Shows a note on all pages.
    pub fn note(&self, kind: NoteKind, text: &str) {
        self.hub.note(kind, text);
    }

    /// Shows figures of a stage; `docs/inspector.md` lists them.
    pub fn figures(&self, stage: u8, values: &[f64]) {
        let message = message::figures(stage, values);
        self.hub.tell(Slot::Figures(stage), &message);
    }

    /// Shows the state of a studio.
    pub fn status(&self, status: &Status) {
        self.hub.tell(Slot::Status, &message::status(status));
    }

    /// Shows the life of an order.
    pub fn life(&self, order: u64, slices: &[LifeSlice]) {
        self.hub.tell(Slot::Life, &message::life(order, slices));
    }

    /// Sets the lists that a studio's pages offer.
    pub fn set_catalogue(&self, catalogue: &Catalogue) {
        self.hub.set_catalogue(message::catalogue(catalogue));
    }

    /// Answers why a cell has its direction, by the order with a number or by
    /// the newest.
    ///
    /// This is for people: it integrates the order's loaded sectors again.
    pub fn why(&self, stage: u8, shown: &Shown<'_>, cell: Cell, order: Option<u64>) {
        let text = match shown.order(order) {
            Some(shown_order) => explain(shown.world, shown_order.order, cell).to_string(),
            None => format!("No order is shown, so {cell} has no direction: set a goal."),
        };
        self.hub.tell(Slot::Why, &message::why(stage, cell, &text));
    }

    /// Answers requests to a world that is only shown.
    fn answer_why(&mut self, stages: &[&Shown<'_>]) {
        for request in self.hub.take_requests() {
            if let Request::Why { stage, cell, order } = request
                && let Some(shown) = stages.get(usize::from(stage))
            {
                self.why(stage, shown, cell, order);
            }
        }
    }
}

impl Drop for Inspector {
    fn drop(&mut self) {
        self.server.end();
    }
}

impl fmt::Debug for Inspector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inspector")
            .field("address", &self.server.address)
            .field("watchers", &self.hub.count())
            .finish_non_exhaustive()
    }
}
