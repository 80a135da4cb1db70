//! Replays with any lines, under a digest that fits them.
//!
//! ```text
//!   bytes: the number of a start, the lines after it;
//!          or a replay from its first line on, whose digest is replaced
//! ```

use flowtiles::{CellRect, Cost, CostMap, FlowWorld};
use flowtiles_inspector::{NewMap, Request};
use flowtiles_studio::replay::{Input, Saved};
use flowtiles_studio::{Playback, Start};

use crate::{accepted, files, print_if_asked};

/// The most cells of a map.
const CELLS: u64 = 1 << 13;
/// The most ticks of a session, and the most units that are placed.
const TICKS: u32 = 60;
const PLACED: u32 = 300;

/// A map with walls and a gap, and some ground that costs more.
pub fn ground() -> CostMap {
    let mut map = CostMap::open(40, 30).expect("a size");
    let mut set = |x, y, width, height, cost| {
        let cost = Cost::new(cost).expect("not 0");
        map.edit(CellRect::new(x, y, width, height), cost)
            .expect("on the map");
    };
    set(20, 0, 2, 26, 255);
    set(5, 5, 9, 4, 7);
    map
}

/// The starts for lines without one.
pub fn starts() -> [Start; 2] {
    let world = Start::World("drawn".to_owned(), FlowWorld::new(ground()).save());
    let map = NewMap {
        kind: 1,
        width: 30,
        height: 20,
        seed: 4,
        has_army: true,
    };
    [world, Start::Map(map)]
}

/// Reads a replay and plays it.
pub fn replays(data: &[u8]) {
    accepted(Saved::read(data).map(drop));
    let text = String::from_utf8_lossy(data);
    let text = if Saved::is_one(data) {
        text.into_owned()
    } else {
        let Some((&number, lines)) = data.split_first() else {
            return;
        };
        let starts = starts();
        let start = &starts[usize::from(number) % starts.len()];
        let head = Saved::write(start, []).expect("a start");
        let head: Vec<&str> = head.lines().take(2).collect();
        format!("{}\n{}", head.join("\n"), String::from_utf8_lossy(lines))
    };
    let text = files::replay(&text);
    print_if_asked(|| text.clone());
    let Some(saved) = accepted(Saved::read(text.as_bytes())) else {
        return;
    };
    let inputs = || saved.lines.iter().map(|line| &line.input);
    let written = Saved::write(&saved.start, inputs()).expect("what was read");
    let read = Saved::read(written.as_bytes()).expect("what was written");
    assert!(read.start == saved.start);
    // A number that is not one is equal to none.
    let words = |saved: &Saved| {
        format!(
            "{:?}",
            Vec::from_iter(saved.lines.iter().map(|line| &line.input))
        )
    };
    assert_eq!(words(&read), words(&saved));
    if is_small(&saved) {
        accepted(Playback::begin(saved).and_then(|(playback, play)| playback.verify(play)));
    }
}

/// Whether a start and what is done take little time.
fn is_small(saved: &Saved) -> bool {
    let start = match &saved.start {
        Start::World(_, bytes) => FlowWorld::load_within(bytes, CELLS).is_ok(),
        Start::Costs(_, map) => u64::from(map.width()) * u64::from(map.height()) <= CELLS,
        Start::Map(map) => map.kind < 7 && u64::from(map.width) * u64::from(map.height) <= CELLS,
        // Others begin with thousands of units.
        _ => false,
    };
    let amount = saved.lines.iter().map(|line| match &line.input {
        Input::Ticks(count) => [*count, 0],
        Input::Page(Request::Place { count, .. }) => [0, *count],
        _ => [0, 0],
    });
    let sum = amount.fold([0_u32; 2], |sum, more| {
        [0, 1].map(|at| sum[at].saturating_add(more[at]))
    });
    start && sum[0] <= TICKS && sum[1] <= PLACED
}
