//! Threads: the same world on one thread, on two and on eight.

use crate::draws::draws;
use crate::oracle::draw::{Look, Rng, draw, for_drawn};
use crate::oracle::follow::{answers, finish, world_of};
use crate::oracle::game::{Game, draw_input};
use crate::oracle::{Map, home_of};
use flowtiles::{Budget, Cell, CellRect, Cost, FlowWorld, Order, Progress, Sample, Sector};

/// The observable state of a game after some rounds of edits and ticks.
#[derive(PartialEq)]
struct Seen {
    graph: String,
    answers: Vec<Vec<Sample>>,
    loaded: Vec<Vec<Sector>>,
    /// The progress of each tick, and the state hash after it.
    ticks: Vec<(Progress, u64)>,
}

fn play(map: &Map, seed: u64) -> Seen {
    let mut rng = Rng::new(seed);
    let mut map = map.clone();
    let mut world: FlowWorld = world_of(&map);
    let mut orders: Vec<Order> = Vec::new();
    let mut ticks = Vec::new();
    for _ in 0..3 {
        for _ in 0..20 {
            let goal = rng.open_cell(&map).expect("open ground");
            let home = home_of(&map, goal);
            let units: Vec<Cell> = (0..3).map(|_| rng.pick(&home)).collect();
            orders.push(world.order(goal, &units).expect("reachable"));
        }
        // Budgets that end between pieces of parallel work, inside one, and
        // never.
        for budget in [700, 4_010, 9_000, 6_030, 20_000, 31] {
            tick(&mut world, Budget::cells(budget), &mut ticks);
        }
        let area: CellRect = rng.area(&map, 5);
        let cost = rng.pick(&[1, 3, 255]);
        map.fill(area, cost);
        world
            .edit(area, Cost::new(cost).expect("not 0"))
            .expect("on the map");
        for budget in [8_010, 12_345, 4_010, 6_020, u64::MAX] {
            tick(&mut world, Budget::cells(budget), &mut ticks);
        }
        if rng.chance(50) {
            orders.remove(0);
        }
    }
    finish(&mut world);
    tick(&mut world, Budget::cells(0), &mut ticks);
    Seen {
        graph: world.inspect().portal_graph().to_string(),
        // The hashes cover the fields of all orders.
        answers: orders
            .iter()
            .step_by(10)
            .map(|order| answers(&world, order, &map))
            .collect(),
        loaded: orders
            .iter()
            .map(|order| world.inspect().loaded(order))
            .collect(),
        ticks,
    }
}

fn tick(world: &mut FlowWorld, budget: Budget, ticks: &mut Vec<(Progress, u64)>) {
    let progress = world.tick(budget);
    ticks.push((progress, world.state_hash()));
}

/// Returns pools of one, two and eight threads, which have the name of the test.
pub fn pools() -> [rayon::ThreadPool; 3] {
    [1, 2, 8].map(|threads| {
        let name = std::thread::current().name().unwrap_or_default().to_owned();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.thread_name(move |_| name.clone());
        pool.build().expect("threads")
    })
}

#[test]
fn inputs_make_the_same_world_on_any_thread_count() {
    let pools = pools();
    for_drawn(84, &[(25, 14), (33, 58), (61, 70)], 2, |map, rng| {
        let mut games = [(); 4].map(|()| Game::new(map));
        for step in 0..40 {
            let input = draw_input(map, rng);
            let [alone, in_pools @ ..] = &mut games;
            alone.apply(&input);
            for (game, pool) in in_pools.iter_mut().zip(&pools) {
                pool.install(|| game.apply(&input));
            }
            if step == 20 {
                games.iter_mut().for_each(Game::reload);
            }
            let parts = games
                .each_ref()
                .map(|game| game.world.inspect().state_parts());
            assert_eq!(parts, [parts[0]; 4], "{input:?} on {map}");
        }
    });
}

#[test]
fn one_two_and_eight_threads_make_the_same_world() {
    let pools = pools();
    let mut rng = Rng::new(7);
    let looks = [Look::Caves, Look::Open, Look::Rooms, Look::Terrain];
    let sizes = [(100, 80), (140, 90)].into_iter().cycle();
    let few = looks.into_iter().zip(sizes).take(draws() as usize + 1);
    for (look, (width, height)) in few {
        let map = draw(look, width, height, &mut rng);
        let seed = rng.word();
        let none = play(&map, seed);
        assert!(none.ticks.iter().any(|(done, _)| done.waiting > 8));
        let [one, two, eight] = pools
            .each_ref()
            .map(|pool| pool.install(|| play(&map, seed)));
        assert!(none == one, "no pool, {look:?} {width}×{height}");
        assert!(one == two, "two threads, {look:?} {width}×{height}");
        assert!(one == eight, "eight threads, {look:?} {width}×{height}");
    }
}
