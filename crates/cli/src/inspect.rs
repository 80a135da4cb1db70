//! `flowtiles inspect`: maps, orders and units in the browser, to look at, to
//! play with and to paint on.
//!
//! ```text
//!   page ◀─▶ StudioServer ◀─▶ View ◀─▶ Session      thirty pictures a second
//!                 └── files ───────────────┘  └── new stages, made on a thread
//! ```
//!
//! Pages share the session. One that wants a session of its own gets one that begins as this one
//! did, under a number in the same address.

use std::io::Write;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

use flowtiles_inspector::{FileAsked, FileRequest, Given, OwnRoom, ServeError, StudioServer, View};
use flowtiles_studio::{Answered, Clock, Host, Play, Session, Start, files};

use crate::support::failure::Failure;
use crate::support::map_file::{MapOptions, costs_of, read_bytes};

/// The time between two pictures.
const PICTURE: Duration = Duration::from_millis(33);
/// What a page asks for that wants a session of its own.
const OWN: &str = "own";
/// The time after which a session ends that a page had of its own, and left.
const LEFT: Duration = Duration::from_secs(60);

/// Show maps, orders and units live in the browser
///
/// Prints the address of a page and serves it until Ctrl-C. Without a map it
/// opens the demo's country with three armies on the march.
#[derive(clap::Args)]
pub struct Arguments {
    /// What to open: a map of any format, or a world or a session's replay
    /// saved from the page
    map: Option<PathBuf>,
    #[command(flatten)]
    options: MapOptions,
    /// The port; 0 takes any that is free
    #[arg(long, value_name = "N", default_value_t = 7420)]
    port: u16,
    /// The address to serve on
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    listen: IpAddr,
    /// Allow an address that other machines can reach. There is no password:
    /// everybody who reaches it can use the page
    #[arg(long)]
    allow_remote: bool,
    /// End after this many seconds
    #[arg(long = "for", value_name = "SECONDS")]
    seconds: Option<f64>,
    /// Draw another country
    #[arg(long, value_name = "N", default_value_t = 8)]
    seed: u64,
}

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let until = match arguments.seconds {
        None => None,
        Some(seconds) => Some(Duration::try_from_secs_f64(seconds).map_err(|_| {
            Failure::Input(format!(
                "--for {seconds}: give a number of seconds, for example 60"
            ))
        })?),
    };
    if let (None, Some(option)) = (&arguments.map, arguments.options.given()) {
        let fault = format!("{option} is for a map, and none is named: name one or leave it out");
        return Err(Failure::Input(fault));
    }
    // A port that is in use is reported before a country is drawn.
    let view = View::studio();
    let address = (arguments.listen, arguments.port);
    let server = if arguments.allow_remote {
        StudioServer::remote(address, &view)
    } else {
        StudioServer::local(address, &view)
    };
    let server = server.map_err(|error| refused(arguments, &error))?;
    let opened = opened(arguments)?;
    writeln!(out, "{}", server.url())?;
    writeln!(out, "Open this address in a browser; Ctrl-C ends it.")?;
    out.flush()?;
    let host = Host {
        clock: Clock(|| {
            static START: OnceLock<Instant> = OnceLock::new();
            START.get_or_init(Instant::now).elapsed()
        }),
        read_map: |name, bytes| costs_of(name, bytes).map_err(Failure::into_words),
    };
    let until = until.map(|until| Instant::now() + until);
    thread::scope(|scope| {
        let own = Own {
            scope,
            server: &server,
            host,
            until,
        };
        let session = Session::new(view, opened, host);
        serve(|| server.file_request(), session, &own, None);
    });
    Ok(())
}

/// Opens the map, or draws the country.
fn opened(arguments: &Arguments) -> Result<Answered, Failure> {
    Ok(match &arguments.map {
        None => {
            let start = Start::Country(arguments.seed);
            let play = Play::begin(&start).map_err(Failure::Input)?;
            Answered::Opened(start, Box::new(play))
        }
        Some(path) => {
            let (name, bytes) = (path.display().to_string(), read_bytes(path)?);
            let load = || arguments.options.load(path).map_err(Failure::into_words);
            let map = || Ok(load()?.costs);
            let opened = files::open(&name, &bytes, map).map_err(Failure::Input)?;
            let is_map = matches!(opened, Answered::Opened(Start::Costs(..), _));
            if let (false, Some(option)) = (is_map, arguments.options.given()) {
                let fault = format_args!("{option} only applies to map files: leave it out");
                return Err(Failure::in_file(path, fault));
            }
            opened
        }
    })
}

/// The sessions that pages have of their own.
#[derive(Clone, Copy)]
struct Own<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    server: &'env StudioServer,
    host: Host,
    /// When all sessions end.
    until: Option<Instant>,
}

impl<'scope> Own<'scope, '_> {
    /// Begins one as another session began, and returns its number.
    fn begin(&self, start: Option<&Start>) -> Result<u32, String> {
        let start = start
            .ok_or("nothing is shown yet: open a map or a scene")?
            .clone();
        let view = View::studio();
        let room = self.server.own_room(&view).ok_or_else(|| {
            let most = OwnRoom::MAX;
            format!("{most} pages have a session of their own: close one of them")
        })?;
        let (number, own) = (room.number(), *self);
        let session = move || match Play::begin(&start) {
            Ok(play) => {
                let opened = Answered::Opened(start, Box::new(play));
                let session = Session::new(view, opened, own.host);
                serve(|| room.file_request(), session, &own, Some(LEFT));
            }
            Err(why) => eprintln!("session {number}: {why}"),
        };
        let thread = thread::Builder::new().spawn_scoped(self.scope, session);
        thread.map(|_| number).map_err(|error| error.to_string())
    }
}

/// Serves a session until it is interrupted, the time is over, or no page has looked on for so
/// long.
fn serve(
    file_request: impl Fn() -> Option<FileRequest>,
    mut session: Session,
    own: &Own<'_, '_>,
    left: Option<Duration>,
) {
    let mut seen = Instant::now();
    let mut making: Option<(Start, Receiver<_>)> = None;
    while !own.server.is_interrupted()
        && own.until.is_none_or(|until| Instant::now() < until)
        && left.is_none_or(|left| seen.elapsed() < left)
    {
        let picture = Instant::now();
        if session.view().watchers() > 0 {
            seen = picture;
        }
        while let Some(request) = file_request() {
            let answer = match &request.asked {
                FileAsked::Save { what } if what == OWN => {
                    own.begin(session.start_of()).map(|number| Given {
                        name: OWN.to_owned(),
                        kind: "text/plain; charset=utf-8",
                        bytes: number.to_string().into_bytes(),
                    })
                }
                asked => session.answer(asked),
            };
            request.answer(answer);
        }
        if let Some(start) = session.wanted() {
            let (sender, made) = channel();
            let asked = start.clone();
            // A session that is over takes nothing any more.
            thread::spawn(move || drop(sender.send(Play::begin(&asked))));
            making = Some((start, made));
        }
        if let Some((start, made)) = making.take() {
            match made.try_recv() {
                Err(TryRecvError::Empty) => making = Some((start, made)),
                Err(TryRecvError::Disconnected) => {
                    session.made(start, Err("it cannot be drawn".to_owned()));
                }
                Ok(play) => session.made(start, play),
            }
        }
        session.picture(PICTURE);
        session
            .view()
            .wait(PICTURE.saturating_sub(picture.elapsed()));
    }
}

fn refused(arguments: &Arguments, error: &ServeError) -> Failure {
    let remedy = match error {
        ServeError::NotLocal { .. } => "add --allow-remote",
        _ => "choose another port, or --port 0 for any that is free",
    };
    let port = arguments.port;
    Failure::Input(format!("port {port}: {error} (here: {remedy})"))
}
