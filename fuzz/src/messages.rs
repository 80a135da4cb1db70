//! Messages of a page to a session or to the view of a game.
//!
//! ```text
//!   bytes: the kind of view, then messages, one a line
//! ```

use std::cell::Cell;
use std::time::Duration;

use flowtiles::FlowWorld;
use flowtiles_formats::MapReader;
use flowtiles_inspector::{FileAsked, Page, Shown, View};
use flowtiles_studio::replay::Saved;
use flowtiles_studio::{Answered, Clock, Host, Play, Playback, Session, Start};

use crate::{accepted, print_if_asked, replays};

/// The most messages.
const MESSAGES: usize = 60;
/// The most cells of a map that a page may ask for here.
const CELLS: u32 = 1 << 12;
/// What a page may save.
const FILES: [&str; 6] = ["replay", "map", "flow", "png", "world", "test"];

thread_local! {
    static NOW: Cell<u64> = const { Cell::new(0) };
}

/// The time: each look at it takes two milliseconds.
fn now() -> Duration {
    NOW.set(NOW.get() + 2);
    Duration::from_millis(NOW.get())
}

/// Gives messages to a view.
pub fn messages(data: &[u8]) {
    let Some((&kind, lines)) = data.split_first() else {
        return;
    };
    let messages: Vec<&[u8]> = lines.split(|&byte| byte == b'\n').take(MESSAGES).collect();
    match kind % 4 {
        0 => to_a_game(&messages),
        kind => to_a_session(usize::from(kind), &messages),
    }
}

/// Takes what is sent to a page.
fn take_all(page: &Page) {
    while let Some(message) = page.take() {
        assert!(matches!(message.first(), Some(1..=3 | b'{')), "{message:?}");
    }
}

fn to_a_game(messages: &[&[u8]]) {
    let mut world = FlowWorld::new(replays::ground());
    let _order = world
        .order((3, 3), &[(30, 20).into()])
        .expect("it is reached");
    let mut view = View::game();
    let page = view.connect(|| {}).expect("the only page");
    for message in messages {
        print_if_asked(|| String::from_utf8_lossy(message).into_owned());
        page.receive(message);
        let requests = view.requests();
        print_if_asked(|| format!("{requests:?}"));
        view.publish_shown(0, &Shown::new(&world));
        take_all(&page);
        world.tick(flowtiles::Budget::cells(300));
    }
}

fn to_a_session(kind: usize, messages: &[&[u8]]) {
    NOW.set(0);
    let host = Host {
        clock: Clock(now),
        read_map: |name, bytes| {
            let costs = MapReader::new().read_named(name.as_ref(), bytes);
            costs.map_err(|error| error.to_string())
        },
    };
    let start = match kind {
        1 => Start::Costs("map".to_owned(), replays::ground()),
        kind => replays::starts()[kind % 2].clone(),
    };
    let play = Play::begin(&start).expect("a good start");
    let view = View::studio();
    let page = view.connect(|| {}).expect("the only page");
    let mut session = Session::new(view, Answered::Opened(start, Box::new(play)), host);
    for message in messages {
        print_if_asked(|| String::from_utf8_lossy(message).into_owned());
        page.receive(message);
        session.picture(Duration::from_millis(50));
        if let Some(start) = session.wanted() {
            print_if_asked(|| format!("{start:?}"));
            let is_small = matches!(&start, Start::Map(map)
                if map.kind < 7 && map.width.saturating_mul(map.height) <= CELLS);
            let made = if is_small {
                Play::begin(&start)
            } else {
                Err("it would take too long here".to_owned())
            };
            session.made(start, made);
        }
        take_all(&page);
    }
    for what in FILES {
        let what = what.to_owned();
        let given = accepted(session.answer(&FileAsked::Save { what }));
        let Some(given) = given else { continue };
        if given.name.ends_with(".replay") {
            let saved = Saved::read(&given.bytes).expect("what was written");
            let verified =
                Playback::begin(saved).and_then(|(playback, play)| playback.verify(play));
            assert!(
                verified.is_ok(),
                "the recording is not what was played: {verified:?}"
            );
        }
    }
}
