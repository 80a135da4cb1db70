//! `flowtiles inspect`: maps, orders and units in the browser, to look at, to
//! play with and to paint on.
//!
//! ```text
//!   page ◀─▶ StudioServer ◀─▶ View ◀─▶ Session      thirty pictures a second
//!                 └── files ───────────────┘  └── new stages, made on a thread
//! ```

use std::io::Write;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;
use std::time::{Duration, Instant};

use flowtiles_inspector::{ServeError, StudioServer, View};
use flowtiles_studio::{Answered, Clock, Host, Play, Session, Start, files};

use crate::support::failure::Failure;
use crate::support::map_file::{MapOptions, costs_of, read_bytes};

/// The time between two pictures.
const PICTURE: Duration = Duration::from_millis(33);

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
    let address = (arguments.listen, arguments.port);
    let view = View::studio();
    let server = if arguments.allow_remote {
        StudioServer::remote(address, &view)
    } else {
        StudioServer::local(address, &view)
    };
    let server = server.map_err(|error| refused(arguments, &error))?;
    let opened = match &arguments.map {
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
    };
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
    serve(server, Session::new(view, opened, host), until);
    Ok(())
}

/// Serves a session until it is interrupted or the time is over.
fn serve(mut server: StudioServer, mut session: Session, until: Option<Duration>) {
    let begin = Instant::now();
    let mut making: Option<(Start, Receiver<_>)> = None;
    while !server.is_interrupted() && until.is_none_or(|until| begin.elapsed() < until) {
        let picture = Instant::now();
        while let Some(request) = server.file_request() {
            let answer = session.answer(&request.asked);
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
