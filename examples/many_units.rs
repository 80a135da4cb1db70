//! A thousand units in many sectors share one order.
//!
//! Work is budgeted in cells for each tick. Units that wait for directions
//! stand still for a few ticks. At the end the claims are dropped on another
//! thread.

use std::thread;

use flowtiles::inspect::Stats;
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Order, Sample};

const WIDTH: u32 = 800;
const HEIGHT: u32 = 600;
const GOAL: Cell = Cell::new(760, 300);
const BUDGET: u64 = 20_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut dice = Dice(7);
    let mut map = CostMap::open(WIDTH, HEIGHT)?;
    for _ in 0..2_500 {
        let (x, y) = (dice.below(700) as i32, dice.below(HEIGHT - 9) as i32);
        let rock = CellRect::new(x, y, 1 + dice.below(9), 1 + dice.below(9));
        map.edit(rock, Cost::WALL)?;
    }
    let mut units: Vec<Cell> = Vec::new();
    while units.len() < 1_000 {
        let cell = Cell::new(dice.below(300) as i32, dice.below(HEIGHT) as i32);
        if map.get(cell).is_some_and(|cost| !cost.is_wall()) {
            units.push(cell);
        }
    }
    let mut world = FlowWorld::new(map);
    print_stats("before the order", world.inspect().stats());

    let order = world.order(GOAL, &units)?;
    let (mut ticks, mut first_step, mut steps, mut most_work) = (0_u32, None, 0_u64, 0);
    let mut samples = Vec::new();
    loop {
        most_work = most_work.max(world.tick(Budget::cells(BUDGET)).cells);
        ticks += 1;
        // Sampling changes nothing, so it could be spread over several threads.
        world.sample_many(&order, &units, &mut samples);
        for (unit, sample) in units.iter_mut().zip(&samples) {
            match *sample {
                Sample::Go(direction) => {
                    *unit = unit.step(direction);
                    steps += 1;
                    first_step.get_or_insert(ticks);
                }
                Sample::OffRoute => world.cover(&order, *unit)?,
                _ => {}
            }
        }
        if samples.iter().all(|sample| is_final(*sample)) {
            break;
        }
    }
    let arrived = units.iter().filter(|&&unit| unit == GOAL).count();
    println!(
        "\nthe first step was taken in tick {}",
        first_step.unwrap_or(0)
    );
    println!("no tick did more than {most_work} cells of work, for all units together");
    println!("after {ticks} ticks and {steps} steps {arrived} units have arrived\n");

    print_stats("with the order", world.inspect().stats());
    drop_elsewhere(&mut world, order);
    Ok(())
}

const fn is_final(sample: Sample) -> bool {
    matches!(sample, Sample::Arrived | Sample::Unreachable)
}

/// Makes two claims, the last of which is dropped on another thread. The
/// order's tiles are freed by the next tick, on the thread that ticks.
fn drop_elsewhere(world: &mut FlowWorld, order: Order) {
    let second = order.clone();
    drop(order);
    world.tick(Budget::cells(BUDGET));
    print_stats("one claim of two dropped", world.inspect().stats());
    let other = thread::spawn(move || drop(second));
    if other.join().is_err() {
        println!("the other thread has panicked");
    }
    world.tick(Budget::cells(BUDGET));
    print_stats("the last claim dropped", world.inspect().stats());
}

fn print_stats(when: &str, stats: Stats) {
    println!(
        "{when:25} {} orders, {:4} of {} sectors loaded, {:6} KiB of orders, {} KiB of map",
        stats.orders,
        stats.sectors_loaded,
        stats.sectors,
        stats.order_bytes / 1024,
        (stats.cost_bytes + stats.graph_bytes) / 1024,
    );
}

/// A small generator of random numbers, the same on every machine.
struct Dice(u32);

impl Dice {
    fn below(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) % end
    }
}
