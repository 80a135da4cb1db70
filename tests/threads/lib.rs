//! What the engine's threads share without a lock: its own file, with loom's atomics in place of
//! those of std.

use loom::sync::atomic;

#[allow(dead_code, reason = "copies are not shared")]
#[path = "../../src/clusters/asked.rs"]
mod asked;

#[cfg(test)]
mod tests {
    use loom::sync::Arc;

    use crate::asked::Asked;

    #[test]
    fn work_is_counted_in_the_first_round_only() {
        loom::model(|| {
            let asked = Arc::new(Asked::never());
            let threads = [(); 2].map(|()| {
                let asked = Arc::clone(&asked);
                loom::thread::spawn(move || asked.is_due(7))
            });
            assert!(asked.is_due(7));
            for thread in threads {
                assert!(thread.join().expect("no panic"));
            }
            assert!(!asked.is_due(8));
        });
    }
}
