//! `flowtiles soak`: drawn battles for a long time, with everything that must hold checked.
//!
//! ```text
//!   seed, number ─▶ battle ─▶ calls ─▶ tick ─▶ checks ─▶ counts
//!                     │  fork, save and load      │ broken: seed, battle, tick
//!                     └─▶ inspector ◀─ visitor
//! ```
//!
//! A battle depends on its seed and number alone. Time only decides when to end.

mod battle;
mod calls;
mod checks;
mod visitor;

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::support::failure::Failure;
use crate::support::figures::Figures;
use crate::support::memory::resident_bytes;
use crate::support::numbers::whole;
use crate::support::threads::pool;
use battle::{Battle, Counts};
use flowtiles_scenes::random::hash;

/// So many battles in a row vary in size; the lowest resident memory after any of them is what
/// battles leave.
const WINDOW: usize = 100;
/// The battles after which memory is compared: before, the allocator settles.
const WARM: usize = 600;

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
    /// The resident memory after each battle.
    resident: Vec<usize>,
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
    let (alone, in_two) = (pool(1)?, Arc::new(pool(2)?));
    let (mut account, mut told) = (Account::default(), 0);
    let mut number = arguments.battle.unwrap_or(1);
    while !is_over(account.counts.ticks) {
        let mut counts = Counts {
            battle: number,
            ..account.counts
        };
        let mut fight = || -> Result<(), String> {
            let mut battle = Battle::new(hash(arguments.seed ^ hash(number)), counts, &in_two)?;
            while !battle.is_over() && !is_over(battle.counts.ticks) {
                counts = battle.counts;
                let turned = battle.turn();
                counts = battle.counts;
                turned?;
            }
            let ended = if battle.is_over() {
                battle.end()
            } else {
                Ok(())
            };
            counts = battle.counts;
            ended
        };
        let fought = alone.install(|| catch_unwind(AssertUnwindSafe(&mut fight)));
        account.counts = counts;
        let fought = fought.unwrap_or_else(|_| Err("the engine panics, as said above".to_owned()));
        fought.map_err(|fault| {
            let tick = counts.battle_tick;
            let seed = arguments.seed;
            Failure::Found(format!(
                "{fault}\n  in tick {tick} of battle {number} of seed {seed}; \
                 `flowtiles soak --seed {seed} --battle {number}` shows it again"
            ))
        })?;
        account.battles += 1;
        account.resident.extend(resident_bytes());
        account.check_memory(arguments.seed)?;
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
    /// What the battles up to one have left in memory.
    fn left(&self, end: usize) -> Option<usize> {
        let last = self.resident.get(end.checked_sub(WINDOW)?..end)?;
        last.iter().copied().min()
    }

    /// What was left at half time, at three quarters and now, once it is warm.
    fn left_since_half(&self) -> Option<[usize; 3]> {
        let battles = self.resident.len();
        let ends = [battles / 2, battles - battles / 4, battles];
        let [half, later, now] = ends.map(|end| self.left(end));
        (battles >= WARM).then_some([half?, later?, now?])
    }

    /// Checks that what battles leave in memory does not grow. What grows with each battle
    /// grows in each quarter; what only settles, or takes one more block for good, does not.
    fn check_memory(&self, seed: u64) -> Result<(), Failure> {
        match self.left_since_half() {
            Some([half, later, now]) if later * 100 > half * 101 && now * 100 > later * 101 => {
                Err(Failure::Found(format!(
                    "resident memory grows: {now} bytes at least after each of the last {WINDOW} \
                     battles, {later} at three quarters, {half} at half time (seed {seed}, {} \
                     battles)",
                    self.battles
                )))
            }
            _ => Ok(()),
        }
    }

    fn figures(&self) -> Figures {
        let counts = &self.counts;
        let longest = Figures::default()
            .with("time_us", counts.longest.as_secs_f64() * 1e6, "µs")
            .with("battle", counts.longest_at[0], "")
            .with("tick", counts.longest_at[1], "");
        let half = self.left_since_half().map(|[half, ..]| half);
        Figures::default()
            .with("battles", self.battles, "")
            .with("ticks", counts.ticks, "")
            .with("orders", counts.orders, "")
            .with("edits", counts.edits, "")
            .with("links", counts.links, "")
            .with("saves", counts.saves, "")
            .with("forks", counts.forks, "")
            .with("worlds_built_anew", counts.rebuilt, "")
            .with("cells_beside_dijkstra", counts.judged, "")
            .with("page_visits", counts.visits, "")
            .with("longest_tick", longest, "")
            .with("resident_bytes", resident_bytes(), "B")
            .with("left_at_half_bytes", half, "B")
            .with("left_now_bytes", self.left(self.resident.len()), "B")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_grows_is_told_and_memory_that_settles_is_not() {
        let told = |left: fn(usize) -> usize, battles: usize| {
            let account = Account {
                resident: (0..battles).map(left).collect(),
                ..Account::default()
            };
            account.check_memory(1).is_err()
        };
        let grows = |battle| 20_000_000 + 2_000 * battle + battle % 7 * 1_000_000;
        assert!(told(grows, WARM) && !told(grows, WARM - 1));
        let settles =
            |battle: usize| 20_000_000 + battle.min(200) * 20_000 + battle % 7 * 1_000_000;
        assert!(!told(settles, WARM) && !told(settles, 4 * WARM));
        let takes_a_block = |battle: usize| 20_000_000 + battle / 400 * 1_000_000;
        assert!(!told(takes_a_block, WARM));
    }
}
