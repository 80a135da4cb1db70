//! Threads: the same world on one thread, on two and on eight.

use crate::oracle::draw::for_drawn;
use crate::oracle::game::{Game, draw_input};

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
