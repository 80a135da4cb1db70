//! `flowtiles soak`: drawn battles for a long time, with everything that must hold checked.
//!
//! ```text
//!   seed, number ─▶ battle ─▶ a game of crates/games ─▶ counts
//!                     │                            │ broken: seed, battle, tick
//!                     └─▶ inspector ◀─ visitor
//! ```
//!
//! A battle depends on its seed and number alone. Time only decides when to end.

mod battle;
mod visitor;

use std::io::Write;
use std::time::{Duration, Instant};

use flowtiles_country::random::hash;

use crate::support::failure::Failure;
use crate::support::figures::Figures;
use crate::support::memory::{MEMORY, resident_bytes};
use crate::support::numbers::whole;
use crate::support::threads::pool;
use battle::{Counts, fight};

/// The battles after which memory is compared: by then all that is made once is there.
const WARM: u64 = 20;
/// By how much what is allocated between battles may differ, in bytes.
const MARGIN: usize = 32 << 10;

/// Fight drawn battles for a long time and check all along that nothing is broken: armies under
/// orders, edits, gates, links, layers, jams, saves, forks, and a visitor on the inspector's page.
/// Exit code 1 and the command that shows it again, if something is broken
#[derive(clap::Args)]
pub struct Arguments {
    /// For how long [default: 1]
    #[arg(long, value_name = "N", value_parser = whole(1_u32, 100_000), conflicts_with = "ticks")]
    minutes: Option<u32>,
    /// For how many ticks instead
    #[arg(long, value_name = "N", value_parser = whole(1_u64, u64::MAX))]
    ticks: Option<u64>,
    /// Draw other battles
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0, u64::MAX))]
    seed: u64,
    /// Fight this battle of the seed alone, from 1
    #[arg(long, value_name = "N", value_parser = whole(1_u64, u64::MAX))]
    battle: Option<u64>,
    /// Print JSON: an object each minute, and one at the end
    #[arg(long)]
    json: bool,
}

/// What was done, and what it took.
#[derive(Default)]
struct Account {
    counts: Counts,
    battles: u64,
    /// What was allocated after the battle at which memory was warm.
    warm_bytes: Option<usize>,
}

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let begin = Instant::now();
    let minutes = arguments.minutes.unwrap_or(1);
    let is_over = |ticks: u64| match (arguments.ticks, arguments.minutes, arguments.battle) {
        (Some(most), ..) => ticks >= most,
        (None, None, Some(_)) => false,
        _ => begin.elapsed() >= Duration::from_secs(60 * u64::from(minutes)),
    };
    let (alone, in_two) = (pool(1)?, pool(2)?);
    let (mut account, mut told) = (Account::default(), 0);
    let mut number = arguments.battle.unwrap_or(1);
    while !is_over(account.counts.ticks) {
        let (seed, counts) = (arguments.seed, &mut account.counts);
        (counts.battle, counts.battle_tick) = (number, 0);
        let of_battle = hash(seed ^ hash(number));
        let fought = alone.install(|| fight(of_battle, counts, &in_two, is_over));
        fought.map_err(|fault| {
            let tick = account.counts.battle_tick;
            Failure::Found(format!(
                "{fault}\n  in tick {tick} of battle {number} of seed {seed}; \
                 `flowtiles soak --seed {seed} --battle {number}` shows it again"
            ))
        })?;
        account.battles += 1;
        account.check_memory(MEMORY.allocated(), arguments.seed)?;
        if begin.elapsed().as_secs() / 60 > told {
            told = begin.elapsed().as_secs() / 60;
            account.figures().write(arguments.json, out)?;
            out.flush()?;
        }
        if arguments.battle.is_some() {
            break;
        }
        number += 1;
    }
    account.figures().write(arguments.json, out)?;
    Ok(())
}

impl Account {
    /// Checks that battles leave nothing allocated.
    fn check_memory(&mut self, bytes: usize, seed: u64) -> Result<(), Failure> {
        if self.battles < WARM {
            return Ok(());
        }
        let warm = *self.warm_bytes.get_or_insert(bytes);
        if bytes <= warm + MARGIN {
            return Ok(());
        }
        Err(Failure::Found(format!(
            "battles leave memory: {bytes} bytes are allocated after {} of them, and {warm} were \
             after {WARM}\n  `flowtiles soak --seed {seed}` shows it again",
            self.battles
        )))
    }

    fn figures(&self) -> Figures {
        let counts = &self.counts;
        let calls = |name: &str| counts.calls.get(name).copied().unwrap_or(0);
        let longest = Figures::default()
            .with("time_us", counts.longest.as_secs_f64() * 1e6, "µs")
            .with("battle", counts.longest_at[0], "")
            .with("tick", counts.longest_at[1], "");
        Figures::default()
            .with("battles", self.battles, "")
            .with("ticks", counts.ticks, "")
            .with("orders", calls("order"), "")
            .with("edits", calls("edit"), "")
            .with("links", calls("link"), "")
            .with("saves", calls("Load"), "")
            .with("forks", calls("Fork"), "")
            .with("worlds_built_anew", calls("BuildAnew"), "")
            .with("cells_beside_dijkstra", calls("judged"), "")
            .with("page_visits", counts.visits, "")
            .with("longest_tick", longest, "")
            .with("resident_bytes", resident_bytes(), "B")
            .with("allocated_bytes", MEMORY.allocated(), "B")
            .with("allocated_when_warm_bytes", self.warm_bytes, "B")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_battles_leave_is_told() {
        let told = |left: usize, battles: u64| {
            let mut account = Account::default();
            let mut check = |battle: u64| {
                account.battles = battle;
                let bytes = 60_000 + left * battle as usize + battle as usize % 7 * 1_000;
                account.check_memory(bytes, 1)
            };
            (1..=battles).any(|battle| check(battle).is_err())
        };
        assert!(told(100, 500) && !told(100, WARM) && !told(0, 5_000));
        assert!(told(10, 5_000));
    }
}
