//! Runs the same country and orders again: on one thread, on two, and with a
//! save and load between. All worlds must be identical to the bit.

use flowtiles::{Budget, CostMap, FlowWorld};
use flowtiles_country::armies::Army;
use rayon::ThreadPoolBuilder;

use crate::failure::Failure;
use crate::figures::Twins;
use crate::survey::Fall;

/// Builds, orders, collapses the bridge while the orders are being made, and ticks
/// until nothing waits. Returns the state's hash and the save.
fn play(costs: CostMap, armies: &[Army], fall: Option<Fall>, budget: u64) -> (u64, Vec<u8>) {
    let mut world = FlowWorld::new(costs);
    let orders = armies
        .iter()
        .map(|army| world.order(army.home, &army.units));
    let orders: Vec<_> = orders.collect();
    for _ in 0..20 {
        world.tick(Budget::cells(budget));
    }
    if let Some(fall) = fall {
        // The deck was drawn on this map.
        let _ = world.edit(fall.deck, flowtiles::Cost::WALL);
    }
    while world.tick(Budget::cells(budget)).waiting > 0 {}
    let played = (world.state_hash(), world.save());
    drop(orders);
    played
}

/// Plays on one thread and on two, loads the save, and compares the hashes.
pub fn compare(
    costs: &CostMap,
    armies: &[Army],
    fall: Option<Fall>,
    budget: u64,
) -> Result<Twins, Failure> {
    let run = |threads| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| {
            Failure::input(format_args!(
                "the replay needs {threads} threads, which cannot be started: {error}"
            ))
        })?;
        Ok(pool.install(|| play(costs.clone(), armies, fall, budget)))
    };
    let (one, save) = run(1)?;
    let (two, _) = run(2)?;
    let loaded = FlowWorld::load(&save);
    let (mut world, _orders) = loaded.map_err(Failure::wrong)?;
    while world.tick(Budget::UNLIMITED).waiting > 0 {}
    let loaded = world.state_hash();
    if one != two || one != loaded {
        return Err(Failure::wrong(format_args!(
            "worlds that must be the same are not: {one:016x} on one thread, {two:016x} on two, \
             {loaded:016x} loaded"
        )));
    }
    Ok(Twins {
        one_thread: format!("{one:016x}"),
        two_threads: format!("{two:016x}"),
        loaded: format!("{loaded:016x}"),
        save_bytes: save.len(),
    })
}
