//! Sliced budgets: work beyond a tick's budget is subtracted from the next, and
//! the world ends the same for any slices.

use std::collections::BTreeSet;

use crate::oracle::draw::{Look, Rng, draw, for_drawn};
use crate::oracle::follow::{answers, world_of};
use crate::oracle::game::{Game, draw_input};
use crate::oracle::{Map, home_of};
use flowtiles::inspect::OrderStage;
use flowtiles::{Budget, Cell, FlowWorld, Order};

#[test]
fn slices_of_any_size_make_the_same_world() {
    for_drawn(81, &[(11, 21), (33, 58)], 4, |map, rng| {
        let slices = [u64::MAX, 1000, rng.between(1, 400) as u64, 100, 7];
        let mut games = slices.map(|slice| Game {
            slice,
            ..Game::new(map)
        });
        for _ in 0..50 {
            let input = draw_input(map, rng);
            for game in &mut games {
                game.apply(&input);
            }
            let hashes = games
                .each_ref()
                .map(|game| game.world.inspect().state_parts());
            assert_eq!(
                hashes, [hashes[0]; 5],
                "slices of {slices:?}, {input:?} on {map}"
            );
        }
        for (one, other) in games[0].taken.iter().zip(&games[3].taken) {
            let seen = [(&games[0], one), (&games[3], other)]
                .map(|(game, taken)| answers(&game.world, &taken.order, map));
            assert!(seen[0] == seen[1], "on {map}");
        }
    });
}

fn busy_world() -> (Map, FlowWorld, Vec<Order>) {
    let mut rng = Rng::new(82);
    let map = draw(Look::Terrain, 200, 160, &mut rng);
    let mut world = world_of(&map);
    let orders = (0..6).filter_map(|_| {
        let units: Vec<Cell> = (0..3).filter_map(|_| rng.open_cell(&map)).collect();
        world.order(rng.open_cell(&map)?, &units).ok()
    });
    let orders = orders.collect();
    (map, world, orders)
}

#[test]
fn work_over_the_budget_is_taken_off_the_next_tick() {
    let (_, mut world, _claims) = busy_world();
    let (mut asked, mut done) = (0, 0);
    let mut overdrawn = 0;
    loop {
        let progress = world.tick(Budget::cells(150));
        (asked, done) = (asked + 150, done + progress.cells);
        if progress.waiting == 0 {
            assert_eq!(progress.owed, 0, "nothing waits, nothing is owed");
            break;
        }
        assert_eq!(done, asked + progress.owed);
        overdrawn += usize::from(progress.owed > 0);
    }
    assert!(overdrawn > 10, "{overdrawn} ticks overdrew");
}

#[test]
fn tick_that_only_pays_its_debt_frees_orders() {
    let (_, mut world, mut claims) = busy_world();
    let progress = world.tick(Budget::cells(1));
    assert!(progress.owed > 0);
    let orders = world.inspect().stats().orders;
    claims.pop();
    assert_eq!(
        world.tick(Budget::cells(1)).cells,
        0,
        "the debt comes first"
    );
    assert_eq!(world.inspect().stats().orders, orders - 1);
    let before = world.state_hash();
    assert_eq!(world.tick(Budget::cells(0)).cells, 0);
    assert_eq!(world.state_hash(), before);
}

#[test]
fn dropped_orders_are_freed_within_the_budget() {
    let map = draw(Look::Terrain, 60, 50, &mut Rng::new(83));
    let open = map.open_cells();
    let mut worlds = [4000, 1000, 100].map(|slice| {
        let (mut world, mut rng) = (world_of(&map), Rng::new(84));
        let mut orders = Vec::new();
        while orders.len() < 1_200 {
            orders.extend(world.order(rng.pick(&open), &[rng.pick(&open)]).ok());
        }
        world.tick(Budget::cells(20_000));
        // Some are finished, some in work and most wait.
        let claims = orders.split_off(1_150);
        (slice, world, claims)
    });
    let mut left_bytes = 0;
    for (slice, world, claims) in &mut worlds {
        assert!(world.inspect().stats().orders > 800);
        world.tick(Budget::cells(*slice));
        let living: BTreeSet<u64> = claims.iter().map(Order::number).collect();
        let stats = world.inspect().stats();
        assert_eq!(stats.orders, living.len());
        left_bytes = stats.order_bytes;
        for _ in 1..4000 / *slice {
            world.tick(Budget::cells(*slice));
        }
    }
    for tick in 0..200 {
        let mut hashes = Vec::new();
        for (slice, world, _) in &mut worlds {
            for _ in 0..4000 / *slice {
                world.tick(Budget::cells(*slice));
            }
            hashes.push(world.state_hash());
        }
        assert_eq!(hashes, [hashes[0]; 3], "after tick {tick}");
    }
    let stats = worlds
        .each_ref()
        .map(|(_, world, _)| world.inspect().stats());
    let bytes = stats.map(|stats| (stats.tiles, stats.order_bytes));
    assert_eq!(bytes, [bytes[0]; 3], "all are freed");
    // Where addresses are short, less of them is memory of orders.
    assert!(left_bytes > bytes[0].1 * 3 / 2, "{left_bytes} {bytes:?}");
}

#[test]
fn progress_counts_waiting_orders_and_their_age() {
    let (_, mut world, _claims) = busy_world();
    let mut worked = 0;
    loop {
        let progress = world.tick(Budget::cells(500));
        worked += progress.cells;
        assert!(progress.age <= worked, "{progress:?}");
        if progress.waiting == 6 {
            // All orders were given at once, before any work.
            assert_eq!(progress.age, worked);
        }
        if progress.waiting == 0 {
            assert_eq!(progress.age, 0);
            break;
        }
    }
}

#[test]
fn orders_given_together_finish_one_after_another() {
    let mut rng = Rng::new(72);
    for look in [Look::Caves, Look::Rooms, Look::Rough] {
        let map = draw(look, 300, 260, &mut rng);
        let mut world = world_of(&map);
        let home = home_of(&map, rng.open_cell(&map).expect("open ground"));
        let orders: Vec<Order> = (0..60)
            .map(|_| {
                world
                    .order(rng.pick(&home), &[rng.pick(&home)])
                    .expect("reachable")
            })
            .collect();
        // The work done when each was ready.
        let mut ready = vec![None; orders.len()];
        let mut worked = 0;
        while ready.contains(&None) {
            worked += world.tick(Budget::cells(500)).cells;
            for (ready, order) in ready.iter_mut().zip(&orders) {
                if world.inspect().watch(order).stage() == OrderStage::Done {
                    ready.get_or_insert(worked);
                }
            }
        }
        let mean = ready.iter().flatten().sum::<u64>() / orders.len() as u64;
        assert!(mean * 100 < worked * 56, "{mean} of {worked} on {map}");
    }
}
