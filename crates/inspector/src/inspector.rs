//! The inspector, as a program uses it.

use std::fmt;
use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use flowtiles::{Cell, FlowWorld, Order};

use crate::exchange::{Exchange, FileRequest};
use crate::feed::Effort;
use crate::guard::Reach;
use crate::request::Request;
use crate::rooms::{OwnRoom, Room, Rooms};
use crate::server::Server;
use crate::shown::{Mark, Shown, ShownOrder};
use crate::view::View;

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
                 or allow other machines to use the page"
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
    view: View,
    server: Server,
    published: Option<Instant>,
    /// Memory for the units of a game, reused.
    marks: Vec<Mark>,
    tick: u32,
}

/// Serves a view on an address, if that may be reached.
fn served(
    address: impl ToSocketAddrs,
    reach: Reach,
    rooms: &Arc<Rooms>,
    on_signal: Option<Arc<AtomicBool>>,
) -> Result<Server, ServeError> {
    let mut addresses = address.to_socket_addrs().map_err(ServeError::System)?;
    let address = addresses.next().ok_or(ServeError::NoAddress)?;
    if reach == Reach::Local && !address.ip().is_loopback() {
        return Err(ServeError::NotLocal { address });
    }
    Server::begin(address, reach, Arc::clone(rooms), on_signal).map_err(ServeError::System)
}

impl Inspector {
    /// Serves a page that only shows, on an address of this machine only; port
    /// 0 takes any free port.
    ///
    /// # Errors
    /// If the address can be reached from other machines, or cannot be served.
    pub fn serve(address: impl ToSocketAddrs) -> Result<Self, ServeError> {
        let view = View::game();
        Ok(Self {
            server: served(
                address,
                Reach::Local,
                &Arc::new(Rooms::new(Room::new(Arc::clone(&view.hub)))),
                None,
            )?,
            view,
            published: None,
            marks: Vec::new(),
            tick: 0,
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
        self.server.url()
    }

    /// Sets the work that a picture may take.
    pub const fn set_effort(&mut self, effort: Effort) {
        self.view.set_effort(effort);
    }

    /// Returns the number of connected pages.
    #[must_use]
    pub fn watchers(&self) -> usize {
        self.view.watchers()
    }

    /// Returns what the pages see, for a host that shows more than
    /// [`publish`](Self::publish) does.
    pub const fn view(&mut self) -> &mut View {
        &mut self.view
    }

    /// Shows a game as it is now: its world, some of its orders with their
    /// goals, and its units. Call it in every frame: it makes at most twenty
    /// pictures a second, and none while no page is connected.
    ///
    /// The work does not grow with the map: at most that of [`Effort::GAME`], the loaded
    /// sectors of one order, which are those of each order in turn, and a look at each unit.
    /// Changes are sent a part at a time.
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
        if is_early || (self.published.is_some() && self.watchers() == 0) {
            return;
        }
        self.published = Some(Instant::now());
        let mut marks = std::mem::take(&mut self.marks);
        marks.clear();
        marks.extend(units.into_iter().map(Into::into));
        // The page has eight colours.
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
        self.view.publish_shown(0, &shown);
        self.answer_why(&shown);
        self.marks = marks;
    }

    /// Answers requests to a world that is only shown.
    fn answer_why(&mut self, shown: &Shown<'_>) {
        for request in self.view.requests() {
            if let Request::Why {
                stage: 0,
                cell,
                order,
            } = request
            {
                self.view.why(0, shown, cell, order);
            }
        }
    }
}

/// A server for the pages of a [studio's view](View::studio). It listens for Ctrl-C and
/// `SIGTERM`, and ends when it is dropped.
pub struct StudioServer {
    server: Server,
    files: Arc<Exchange>,
    rooms: Arc<Rooms>,
    is_interrupted: Arc<AtomicBool>,
}

impl StudioServer {
    /// Serves a view on an address of this machine only; port 0 takes any free port.
    ///
    /// # Errors
    /// If the address can be reached from other machines, or cannot be served.
    pub fn local(address: impl ToSocketAddrs, view: &View) -> Result<Self, ServeError> {
        Self::begin(address, Reach::Local, view)
    }

    /// Serves a view on an address that other machines can reach. All of them can use the
    /// page: there is no password.
    ///
    /// # Errors
    /// If the address cannot be served.
    pub fn remote(address: impl ToSocketAddrs, view: &View) -> Result<Self, ServeError> {
        Self::begin(address, Reach::Remote, view)
    }

    fn begin(address: impl ToSocketAddrs, reach: Reach, view: &View) -> Result<Self, ServeError> {
        let is_interrupted = Arc::default();
        let shared = Room::new(Arc::clone(&view.hub));
        let files = Arc::clone(&shared.files);
        let rooms = Arc::new(Rooms::new(shared));
        Ok(Self {
            server: served(address, reach, &rooms, Some(Arc::clone(&is_interrupted)))?,
            files,
            rooms,
            is_interrupted,
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
        self.server.url()
    }

    /// Serves another view under the same address, for pages that name its number; `None` if
    /// [`OwnRoom::MAX`] are open.
    #[must_use]
    pub fn own_room(&self, view: &View) -> Option<OwnRoom> {
        OwnRoom::open(&self.rooms, Room::new(Arc::clone(&view.hub)))
    }

    /// Removes and returns a file that a page has dropped, or wants to save.
    #[must_use]
    pub fn file_request(&self) -> Option<FileRequest> {
        self.files.take()
    }

    /// Whether Ctrl-C or `SIGTERM` was received.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.is_interrupted.load(Relaxed)
    }
}

impl fmt::Debug for StudioServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StudioServer")
            .field("address", &self.server.address)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Inspector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inspector")
            .field("address", &self.server.address)
            .field("watchers", &self.watchers())
            .finish_non_exhaustive()
    }
}
