//! An inspector inside a running game: 5,000 units march over 1000×1000 cells,
//! and a page shows them.
//!
//! `cargo run --release -p flowtiles-inspector --example in_a_game -- --serve`
//! prints an address and runs until it is ended. Without `--serve` it opens a
//! page of its own for some seconds and prints the time that publishing takes.

#[path = "../tests/client/mod.rs"]
mod client;

use std::error::Error;
use std::thread;
use std::time::{Duration, Instant};

use client::Page;
use flowtiles::steer::{Army, Reading, Target, Unit};
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Order};
use flowtiles_inspector::Inspector;

const SIDE: u32 = 1000;
const UNITS: u32 = 5_000;

fn main() -> Result<(), Box<dyn Error>> {
    let serves = std::env::args().any(|argument| argument == "--serve");
    let mut map = CostMap::open(SIDE, SIDE)?;
    for row in 0..9 {
        let left = if row % 2 == 0 { 0 } else { 120 };
        map.edit(
            CellRect::new(left, 100 * (row + 1), SIDE - 120, 3),
            Cost::WALL,
        )?;
    }
    let mut world = FlowWorld::new(map);
    let goal = Cell::new(500, 950);
    let (mut army, order) = muster(&mut world, goal)?;

    let mut inspector = Inspector::serve("127.0.0.1:0")?;
    println!("{}", inspector.url());
    inspector.publish(&world, &[(&order, goal)], army.units());
    if !serves {
        look_on(&inspector)?;
    }
    let (mut spent, mut worked, mut waited) = (Vec::new(), Vec::new(), Vec::new());
    let begin = Instant::now();
    while serves || begin.elapsed() < Duration::from_secs(10) {
        let frame = Instant::now();
        world.tick(Budget::cells(20_000));
        army.step(&world, 1.0 / 20.0);
        // A picture goes out a few times a second; calls in between return at
        // once.
        // The system updates a thread's processor time when it yields, and its
        // waiting time when it runs again.
        thread::yield_now();
        let (publishing, begun) = (Instant::now(), counted());
        inspector.publish(&world, &[(&order, goal)], army.units());
        spent.push(publishing.elapsed());
        let waiting = counted();
        thread::yield_now();
        if let (Some(begun), Some(waiting), Some(working)) = (begun, waiting, counted()) {
            waited.push(waiting[1] - begun[1]);
            worked.push(working[0] - begun[0]);
        }
        thread::sleep(Duration::from_millis(50).saturating_sub(frame.elapsed()));
    }
    println!(
        "publishing {UNITS} units on {SIDE}×{SIDE} cells to {} page, {} calls",
        inspector.watchers(),
        spent.len()
    );
    println!("  time:                    {}", distribution(spent));
    if !worked.is_empty() {
        println!("  on a processor:          {}", distribution(worked));
        println!("  waiting for a processor: {}", distribution(waited));
    }
    Ok(())
}

/// Formats the median, the 99th percentile and the maximum of some times.
fn distribution(mut times: Vec<Duration>) -> String {
    times.sort_unstable();
    let at = |percent: usize| times[(times.len() - 1) * percent / 100].as_secs_f64() * 1e6;
    format!(
        "median {:.0} µs, p99 {:.0} µs, most {:.0} µs",
        at(50),
        at(99),
        at(100)
    )
}

/// Returns how long this thread has run on a processor, and how long it was
/// ready but had to wait for one; `None` if the system does not provide this.
fn counted() -> Option<[Duration; 2]> {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let mut nanoseconds = told.split(' ').map(str::parse);
    let mut next = || Some(Duration::from_nanos(nanoseconds.next()?.ok()?));
    Some([next()?, next()?])
}

/// Adds units in a block in the north-west, on their way.
fn muster(world: &mut FlowWorld, goal: Cell) -> Result<(Army, Order), Box<dyn Error>> {
    let place = |id: u32| Cell::new(10 + (id % 100) as i32, 10 + (id / 100) as i32);
    let cells: Vec<Cell> = (0..UNITS).map(place).collect();
    let order = world.order(goal, &cells)?;
    let mut army = Army::default();
    let target = Target::Order(order.clone());
    let group = army.add_group(target, Reading::Ahead)?;
    for (id, cell) in (0..).zip(cells) {
        let middle = cell.centre();
        army.add(Unit::new(id, group, middle))?;
    }
    Ok((army, order))
}

/// Opens a page that shows the whole map with all layers that a game has.
fn look_on(inspector: &Inspector) -> Result<(), Box<dyn Error>> {
    let mut page = Page::open(inspector.address())?;
    page.look([0, 0, SIDE, SIDE], u32::MAX);
    thread::spawn(move || while page.hear().is_some() {});
    Ok(())
}
