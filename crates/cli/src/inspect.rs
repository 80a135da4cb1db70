//! `flowtiles inspect`: maps, orders and units in the browser, to look at, to
//! play with and to paint on.
//!
//! ```text
//!   page ─▶ requests ─▶ session ─▶ stages: world, army, inquiry
//!     ▲                   │
//!     ╰── inspector ◀─────╯ publishes thirty times a second
//! ```

mod begin;
mod copied_test;
mod country;
mod crowd;
mod discomfort;
mod fields;
mod files;
mod history;
mod inputs;
mod inquiry;
mod life;
mod paths;
mod play;
mod reach;
mod recording;
mod replayed;
mod replayed_groups;
#[cfg(test)]
mod replayed_groups_test;
mod session;
mod spent;
mod stage;
mod start;
mod terrain;
mod timed_order;

use std::io::Write;
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use flowtiles_inspector::Inspector;

use crate::support::failure::Failure;
use crate::support::map_file::{MapOptions, read_bytes};
use files::Answered;
use play::Play;
pub use recording::SavedSession;
use session::Session;
use start::Start;

/// Show maps, orders and units live in the browser
///
/// Prints the address of a page and serves it until Ctrl-C. Without a map it
/// opens the demo's country with three armies on the march.
#[derive(clap::Args)]
pub struct Arguments {
    /// What to open: a map of any format, a world or a session's replay
    /// saved from the page, or a replay of `flowtiles record`
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
    let inspector = if arguments.allow_remote {
        Inspector::remote_studio(address)
    } else {
        Inspector::studio(address)
    };
    let inspector = inspector.map_err(|error| refused(arguments, &error))?;
    let opened = match &arguments.map {
        None => {
            let start = Start::Country(arguments.seed);
            let play = Play::begin(&start).map_err(Failure::Input)?;
            Answered::Opened(start, Box::new(play))
        }
        Some(path) => {
            let (name, bytes) = (path.display().to_string(), read_bytes(path)?);
            let map = || Ok(arguments.options.load(path)?.costs);
            let opened = files::open(&name, &bytes, map).map_err(Failure::Input)?;
            let is_map = matches!(opened, Answered::Opened(Start::Costs(..), _));
            if let (false, Some(option)) = (is_map, arguments.options.given()) {
                let fault = format_args!("{option} is for maps, and this is none: leave it out");
                return Err(Failure::in_file(path, fault));
            }
            opened
        }
    };
    writeln!(out, "{}", inspector.url())?;
    writeln!(out, "Open this address in a browser; Ctrl-C ends it.")?;
    out.flush()?;
    Session::new(inspector, opened).run(until);
    Ok(())
}

fn refused(arguments: &Arguments, error: &flowtiles_inspector::ServeError) -> Failure {
    let remedy = match error {
        flowtiles_inspector::ServeError::NotLocal { .. } => "add --allow-remote",
        _ => "choose another port, or --port 0 for any that is free",
    };
    let port = arguments.port;
    Failure::Input(format!("port {port}: {error} (here: {remedy})"))
}
