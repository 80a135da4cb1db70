//! The studio of `flowtiles inspect` inside a web page: no server, no network.
//!
//! ```text
//!   page ◀── postMessage ──▶ worker.js ◀── functions, memory ──▶ View ◀─▶ Session
//! ```
//!
//! `crates/inspector/page/worker.js` calls these functions in a Worker. Bytes go in through
//! the room that [`room`] makes, and come out at [`out`]; numbers of bytes are results.

use std::cell::RefCell;
use std::path::Path;
use std::time::Duration;

use flowtiles_formats::MapReader;
use flowtiles_inspector::{FileAsked, Given, Page, View};
use flowtiles_studio::{Answered, Clock, Host, Play, Session, Start};

#[cfg(target_arch = "wasm32")]
#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Milliseconds since some start.
    safe fn now() -> f64;
    /// Shows the text of a fault, in `out`.
    safe fn fault(at: *const u8, length: usize);
}

/// Without a page there is no time.
#[cfg(not(target_arch = "wasm32"))]
fn now() -> f64 {
    0.0
}

/// A session and the page that looks at it.
struct Studio {
    session: Session,
    page: Page,
}

thread_local! {
    static STUDIO: RefCell<Option<Studio>> = const { RefCell::new(None) };
    static IN: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static OUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

fn with<T: Default>(act: impl FnOnce(&mut Studio) -> T) -> T {
    STUDIO.with_borrow_mut(|studio| studio.as_mut().map_or_else(T::default, act))
}

/// Makes room for bytes from the page, and returns where they go.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    IN.with_borrow_mut(|bytes| {
        bytes.clear();
        bytes.resize(length, 0);
        bytes.as_mut_ptr()
    })
}

/// Returns where the bytes of the last result are.
#[unsafe(no_mangle)]
pub extern "C" fn out() -> *const u8 {
    OUT.with_borrow(Vec::as_ptr)
}

/// Keeps the bytes of a result, and returns their number.
fn give(bytes: Vec<u8>) -> usize {
    let length = bytes.len();
    OUT.with_borrow_mut(|out| *out = bytes);
    length
}

/// Begins a session with a drawn country.
#[unsafe(no_mangle)]
pub extern "C" fn begin(seed: u32) {
    #[cfg(target_arch = "wasm32")]
    std::panic::set_hook(Box::new(|told| {
        let text = told.to_string();
        fault(text.as_ptr(), text.len());
    }));
    let start = Start::Country(u64::from(seed));
    let play = Play::begin(&start).expect("every country can be drawn");
    let host = Host {
        clock: Clock(|| Duration::from_secs_f64(now().max(0.0) / 1e3)),
        read_map: |name, bytes| {
            let costs = MapReader::new().read_named(Path::new(name), bytes);
            costs.map_err(|error| format!("{name}: {error}"))
        },
    };
    let view = View::studio();
    let page = view.connect(|| {}).expect("it is the only page");
    let session = Session::new(view, Answered::Opened(start, Box::new(play)), host);
    STUDIO.set(Some(Studio { session, page }));
}

/// Takes a message of the page, in the room.
#[unsafe(no_mangle)]
pub extern "C" fn receive() {
    with(|studio| IN.with_borrow(|message| studio.page.receive(message)));
}

/// Does what was asked for, advances the time by milliseconds, and prepares the messages.
#[unsafe(no_mangle)]
pub extern "C" fn picture(milliseconds: f64) {
    with(|studio| {
        if let Some(start) = studio.session.wanted() {
            let play = Play::begin(&start);
            studio.session.made(start, play);
        }
        let passed = Duration::try_from_secs_f64(milliseconds / 1e3).unwrap_or_default();
        studio.session.picture(passed);
    });
}

/// Takes the next message for the page; returns its length, 0 if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn take() -> usize {
    give(with(|studio| studio.page.take()).unwrap_or_default())
}

/// Opens the file in the room, which begins with its name of this many bytes. Returns the
/// length of the reason why it was refused, 0 if it was opened.
#[unsafe(no_mangle)]
pub extern "C" fn open(name: usize) -> usize {
    let asked = IN.with_borrow(|bytes| {
        let (name, bytes) = bytes.split_at(name.min(bytes.len()));
        let name = String::from_utf8_lossy(name).into_owned();
        let bytes = bytes.to_vec();
        FileAsked::Open { name, bytes }
    });
    give(match with(|studio| Some(studio.session.answer(&asked))) {
        Some(Err(why)) => why.into_bytes(),
        _ => Vec::new(),
    })
}

/// Gives the file whose name is in the room: a byte 1, the lengths of its name and its media
/// type, and these and its contents; or a byte 0 and the reason why there is none.
#[unsafe(no_mangle)]
pub extern "C" fn save() -> usize {
    let what = IN.with_borrow(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let asked = FileAsked::Save { what };
    let answer = with(|studio| Some(studio.session.answer(&asked)));
    give(match answer {
        Some(Ok(Given { name, kind, bytes })) => {
            let lengths = [1, name.len() as u8, kind.len() as u8];
            [&lengths[..], name.as_bytes(), kind.as_bytes(), &bytes].concat()
        }
        Some(Err(why)) => [&[0], why.as_bytes()].concat(),
        None => vec![0],
    })
}
