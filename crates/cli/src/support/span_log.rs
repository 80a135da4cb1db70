//! The engine's tracing spans, written on stderr with their times.
//!
//! Each span is one line, in the order in which they opened, indented below the span
//! around it: when it opened, how long it was open, its name and its fields. The
//! lines of an outermost span are written together when it ends.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::io::{self, Write as _};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::support::failure::Failure;

/// The variable with the filter, if `--log` has none.
const VARIABLE: &str = "RUST_LOG";
/// The filter if neither has one: all spans of the engine.
const ALL: &str = "flowtiles=debug";

/// Writes the spans that `--log` selects (`Some("")` without a filter), or else the
/// variable `RUST_LOG`; none if neither is given.
pub fn start(asked: Option<&str>) -> Result<(), Failure> {
    let variable = std::env::var(VARIABLE).unwrap_or_default();
    let filter = match asked {
        Some("") if variable.is_empty() => Filter::of_option(ALL)?,
        Some(filter) if !filter.is_empty() => Filter::of_option(filter)?,
        _ if variable.is_empty() => return Ok(()),
        _ => Filter::of_variable(&variable),
    };
    if filter.most() == LevelFilter::OFF {
        return Ok(());
    }
    let log = SpanLog {
        filter,
        start: Instant::now(),
        next: AtomicU64::new(1),
        open: Mutex::default(),
    };
    // Only a second subscriber is refused, and this is the first.
    let _ = tracing::subscriber::set_global_default(log);
    Ok(())
}

/// The spans to write: the level of the longest target that begins the span's target
/// decides.
#[derive(Debug, Default, PartialEq, Eq)]
struct Filter {
    levels: Vec<(String, LevelFilter)>,
}

impl Filter {
    /// Reads the filter of `--log`, which can only mean the engine.
    fn of_option(text: &str) -> Result<Self, Failure> {
        let refused = |part: &str| {
            Failure::Input(format!(
                "--log={text}: `{part}` is no filter: write a level (off, error, warn, info, \
                 debug, trace), or TARGET=LEVEL with a target of the engine, for example \
                 flowtiles::world::ticking=debug; several with commas between"
            ))
        };
        let mut filter = Self::default();
        for part in text.split(',') {
            let (target, level) = directive(part).ok_or_else(|| refused(part))?;
            if !target.is_empty() && !is_below(&target, "flowtiles") {
                return Err(refused(part));
            }
            filter.levels.push((target, level));
        }
        Ok(filter)
    }

    /// Reads the filter of `RUST_LOG`, which other programs read too: invalid parts are
    /// named on stderr and left out.
    fn of_variable(text: &str) -> Self {
        let mut filter = Self::default();
        for part in text.split(',').filter(|part| !part.trim().is_empty()) {
            match directive(part) {
                Some(directive) => filter.levels.push(directive),
                None => eprintln!(
                    "flowtiles: {VARIABLE}: `{part}` is left out: write a level or TARGET=LEVEL"
                ),
            }
        }
        filter
    }

    /// The level for a target.
    fn level(&self, target: &str) -> LevelFilter {
        let fitting = self.levels.iter().filter(|(of, _)| is_below(target, of));
        let longest = fitting.max_by_key(|(of, _)| of.len());
        longest.map_or(LevelFilter::OFF, |&(_, level)| level)
    }

    /// The most verbose level of the filter.
    fn most(&self) -> LevelFilter {
        let levels = self.levels.iter().map(|&(_, level)| level);
        levels.max().unwrap_or(LevelFilter::OFF)
    }
}

/// Reads `LEVEL`, `TARGET` or `TARGET=LEVEL`.
fn directive(text: &str) -> Option<(String, LevelFilter)> {
    let text = text.trim();
    let is_path = |target: &str| {
        let is_letter = |letter: char| letter.is_ascii_alphanumeric() || "_:-".contains(letter);
        !target.is_empty() && target.chars().all(is_letter)
    };
    match text.split_once('=') {
        Some((target, level)) => {
            let level = level.trim().parse().ok()?;
            is_path(target.trim()).then(|| (target.trim().to_owned(), level))
        }
        None => match text.parse() {
            Ok(level) if !text.is_empty() => Some((String::new(), level)),
            _ => is_path(text).then(|| (text.to_owned(), LevelFilter::TRACE)),
        },
    }
}

/// Whether a target is another one or one of its modules; every target is below
/// the empty one.
fn is_below(target: &str, of: &str) -> bool {
    match target.strip_prefix(of) {
        Some(rest) => of.is_empty() || rest.is_empty() || rest.starts_with("::"),
        None => false,
    }
}

/// An open span: its name and fields, and the number of its handles.
struct OpenSpan {
    text: String,
    holders: usize,
}

/// The subscriber.
struct SpanLog {
    filter: Filter,
    start: Instant,
    next: AtomicU64,
    open: Mutex<BTreeMap<u64, OpenSpan>>,
}

/// A span that a thread has entered: start, depth, and duration.
struct Entered {
    span: u64,
    depth: usize,
    text: String,
    begin: Instant,
    took: Option<Duration>,
}

thread_local! {
    /// The outermost span of this thread, and all entered since then.
    static ENTERED: RefCell<Vec<Entered>> = const { RefCell::new(Vec::new()) };
}

impl SpanLog {
    fn with<T>(&self, id: &Id, act: impl FnOnce(&mut OpenSpan) -> T) -> Option<T> {
        let mut open = self.open.lock().ok()?;
        open.get_mut(&id.into_u64()).map(act)
    }

    fn write(&self, lines: &[Entered]) {
        let mut text = String::new();
        for line in lines {
            let since = line.begin - self.start;
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "{:>10.3} ms {:>9} µs  {:indent$}{}",
                since.as_secs_f64() * 1e3,
                line.took.unwrap_or_default().as_micros(),
                "",
                line.text,
                indent = 2 * line.depth,
            );
        }
        // There is no other place to report that stderr is closed.
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }
}

impl Subscriber for SpanLog {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_span() && *metadata.level() <= self.filter.level(metadata.target())
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(self.filter.most())
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let mut text = span.metadata().name().to_owned();
        span.record(&mut Fields(&mut text));
        if let Ok(mut open) = self.open.lock() {
            open.insert(number, OpenSpan { text, holders: 1 });
        }
        Id::from_u64(number)
    }

    fn record(&self, id: &Id, values: &Record<'_>) {
        self.with(id, |span| values.record(&mut Fields(&mut span.text)));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {}

    fn enter(&self, id: &Id) {
        let text = self.with(id, |span| span.text.clone()).unwrap_or_default();
        ENTERED.with_borrow_mut(|entered| {
            let depth = entered.iter().filter(|line| line.took.is_none()).count();
            entered.push(Entered {
                span: id.into_u64(),
                depth,
                text,
                begin: Instant::now(),
                took: None,
            });
        });
    }

    fn exit(&self, id: &Id) {
        let text = self.with(id, |span| span.text.clone());
        ENTERED.with_borrow_mut(|entered| {
            let is_left = |line: &&mut Entered| line.span == id.into_u64() && line.took.is_none();
            if let Some(line) = entered.iter_mut().rev().find(is_left) {
                line.took = Some(line.begin.elapsed());
                // With the fields recorded since.
                line.text = text.unwrap_or_default();
            }
            if entered.iter().all(|line| line.took.is_some()) {
                self.write(entered);
                entered.clear();
            }
        });
    }

    fn clone_span(&self, id: &Id) -> Id {
        self.with(id, |span| span.holders += 1);
        id.clone()
    }

    fn try_close(&self, id: Id) -> bool {
        let Ok(mut open) = self.open.lock() else {
            return false;
        };
        let Some(span) = open.get_mut(&id.into_u64()) else {
            return false;
        };
        span.holders -= 1;
        let is_last = span.holders == 0;
        if is_last {
            open.remove(&id.into_u64());
        }
        is_last
    }
}

/// Adds fields to a span's text.
struct Fields<'a>(&'a mut String);

impl Visit for Fields<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.record_debug(field, &format_args!("{value}"));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        match value {
            // The engine's value for "no limit".
            u64::MAX => self.record_debug(field, &format_args!("all")),
            _ => self.record_debug(field, &value),
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        // Writing to a string cannot fail.
        let _ = write!(self.0, " {}={value:?}", field.name());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter(text: &str) -> Filter {
        Filter::of_option(text).unwrap_or_else(|failure| panic!("{}", failure.into_words()))
    }

    #[test]
    fn the_longest_target_decides() {
        let all = filter("debug");
        assert_eq!(all.level("flowtiles::world::build"), LevelFilter::DEBUG);
        let some = filter("flowtiles=info,flowtiles::world::ticking=debug");
        assert_eq!(some.level("flowtiles::world::build"), LevelFilter::INFO);
        assert_eq!(some.level("flowtiles::world::ticking"), LevelFilter::DEBUG);
        assert_eq!(some.level("flowtiles_inspector"), LevelFilter::OFF);
        assert_eq!(some.most(), LevelFilter::DEBUG);
        let silent = filter("trace,flowtiles::world::ticking=off");
        assert_eq!(silent.level("flowtiles::world::ticking"), LevelFilter::OFF);
        assert_eq!(filter("flowtiles").most(), LevelFilter::TRACE);
    }

    #[test]
    fn filters_that_are_none_are_refused_or_left_out() {
        for wrong in [
            "debgu",
            "flowtiles=loud",
            "=debug",
            "flowtiles=debug,",
            "[a]",
            "rayon=info",
        ] {
            assert!(Filter::of_option(wrong).is_err(), "{wrong}");
        }
        let read = Filter::of_variable("wgpu=warn,[span{x}]=debug,flowtiles=debug");
        assert_eq!(read.levels.len(), 2);
        assert_eq!(read.level("flowtiles::world"), LevelFilter::DEBUG);
    }
}
