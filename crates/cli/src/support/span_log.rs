//! The engine's tracing spans, written on stderr: one line when each closes.

use std::io;

use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::fmt::{self, time};
use tracing_subscriber::prelude::*;

use crate::support::failure::Failure;

/// The filter if neither `--log` nor the variable has one: all spans of the engine.
const ALL: &str = "flowtiles=debug";

/// Writes the spans that `--log` selects (`Some("")` without a filter), or else the
/// variable `RUST_LOG`; none if neither is given.
pub fn start(asked: Option<&str>) -> Result<(), Failure> {
    let variable = std::env::var("RUST_LOG").unwrap_or_default();
    let filter = match asked {
        Some("") if variable.is_empty() => of_option(ALL)?,
        Some(filter) if !filter.is_empty() => of_option(filter)?,
        _ if variable.is_empty() => return Ok(()),
        // Other programs read the variable too, and know more filters.
        _ => variable.parse().unwrap_or_else(|error| {
            eprintln!(
                "flowtiles: RUST_LOG: `{variable}` is ignored ({error}): write a level or \
                 TARGET=LEVEL, several with commas between"
            );
            Targets::new()
        }),
    };
    let lines = fmt::layer()
        .with_ansi(false)
        .with_span_events(FmtSpan::CLOSE)
        .with_timer(time::uptime())
        .with_level(false)
        .with_target(false)
        .with_writer(io::stderr)
        // There is no other place to report that stderr is closed.
        .log_internal_errors(false);
    let subscriber = tracing_subscriber::registry().with(filter).with(lines);
    // Only a second subscriber is refused, and this is the first.
    let _ = subscriber.try_init();
    Ok(())
}

/// Reads the filter of `--log`, which can only mean the engine.
fn of_option(text: &str) -> Result<Targets, Failure> {
    let filter = text.parse::<Targets>().ok();
    let engine = filter.filter(|filter| {
        let mut targets = filter.iter();
        targets.all(|(target, _)| target.starts_with("flowtiles"))
    });
    engine.ok_or_else(|| {
        Failure::Input(format!(
            "--log={text}: not a log filter: write a level (off, error, warn, info, debug, \
             trace), or TARGET=LEVEL with a target of the engine, for example \
             flowtiles::world::ticking=debug; several with commas between"
        ))
    })
}
