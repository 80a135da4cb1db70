//! Games that come to the same numbers on every machine, on any number of threads, in slices of
//! any size and in every build.
//!
//! Each file here plays games of one kind; the text file of the same name has the number of
//! each. After a change of how the engine decides, record them anew, on purpose:
//! `CORPUS=write cargo test -p flowtiles --all-features --test corpus`.

#[cfg(feature = "steer")]
#[allow(dead_code, reason = "of other suites")]
#[path = "../crowd/mod.rs"]
mod crowd;
#[allow(dead_code, reason = "of other suites")]
#[path = "../draws/mod.rs"]
mod draws;
#[allow(dead_code, reason = "of other suites")]
#[path = "../oracle/mod.rs"]
mod oracle;

#[cfg(feature = "steer")]
mod armies;
#[cfg(feature = "crowd")]
mod crowds;
mod worlds;

use std::fmt::Write;

/// Plays games, each alone and on eight threads, in longer runs also on two, and compares what they
/// come to with the recorded lines. A build without all features plays some of the recorded games.
fn assert_recorded<G: Copy + Sync>(
    kind: &str,
    recorded: &str,
    games: &[(&str, G)],
    play: impl Fn(G) -> u64 + Sync,
) {
    let mut lines = String::new();
    for &(name, game) in games {
        let number = play(game);
        #[cfg(feature = "rayon")]
        for threads in [8, 2].into_iter().take(draws::draws().min(2) as usize) {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let other = pool.build().expect("a few threads").install(|| play(game));
            assert_eq!(other, number, "{kind}: {name} on {threads} threads");
        }
        writeln!(lines, "{name} {number:#018x}").expect("memory");
    }
    if std::env::var_os("CORPUS").is_some_and(|value| value == "write") {
        let file = format!("{}/tests/corpus/{kind}.txt", env!("CARGO_MANIFEST_DIR"));
        std::fs::write(file, lines).expect("a checkout that can be written");
        return;
    }
    let other: Vec<&str> = lines
        .lines()
        .filter(|line| !recorded.lines().any(|known| known == *line))
        .collect();
    assert!(other.is_empty(), "not what {kind}.txt says: {other:#?}");
}
