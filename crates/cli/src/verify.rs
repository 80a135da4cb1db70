//! `flowtiles verify`: a replay run again in other manners.

use std::io::Write;
use std::path::PathBuf;

use crate::failure::Failure;
use crate::map_file::read_bytes;
use crate::replay::{Battle, Input, Line, Log, Manner};

/// How finely budgets are sliced, by turns.
const SLICES: [u64; 4] = [u64::MAX, 1000, 137, 100];

/// Run a replay again with budgets sliced otherwise, saves loaded again and
/// directions read on several threads, and compare hashes on the way. Ends
/// with 1 where they differ, and with 2 for a file that is no replay
#[derive(clap::Args)]
pub struct Arguments {
    /// A file that `flowtiles record` wrote
    replay: PathBuf,
    /// Threads that read directions, one run or more for each number
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1,2,8",
        value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: Vec<u16>,
}

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let path = &arguments.replay;
    let bytes = read_bytes(path)?;
    let text = std::str::from_utf8(&bytes);
    let text = text.map_err(|_| Failure::in_file(path, "line 1: a replay is plain text"))?;
    let log = Log::read(text).map_err(|fault| Failure::in_file(path, fault))?;
    let manners = manners(&arguments.threads);
    for &manner in &manners {
        let battle = Battle::new(&log.start);
        let mut battle = battle.map_err(|error| Failure::in_file(path, error))?;
        run_through(&mut battle, &log.lines, manner).map_err(|fault| {
            let path = path.display();
            Failure::Differs(format!("{path}: {fault} ({})", told(manner)))
        })?;
    }
    let count = |wanted: fn(&Input) -> bool| {
        let lines = log.lines.iter();
        lines.filter(|line| wanted(&line.input)).count()
    };
    let ticks = count(|input| matches!(input, Input::Tick(_)));
    let checks = count(|input| matches!(input, Input::Check(_)));
    let (path, runs) = (path.display(), manners.len());
    writeln!(
        out,
        "{path}: {runs} runs agree in {checks} checks over {ticks} ticks"
    )?;
    for manner in manners {
        writeln!(out, "  {}", told(manner))?;
    }
    Ok(())
}

/// A run for each slicing, with the numbers of threads by turns, and a run for
/// each number of threads.
fn manners(threads: &[u16]) -> Vec<Manner> {
    let runs = SLICES.len().max(threads.len());
    let manner = |run: usize| Manner {
        slice: SLICES[run % SLICES.len()],
        threads: usize::from(threads[run % threads.len()]),
        saves: 1 + run % 2,
    };
    (0..runs).map(manner).collect()
}

fn told(manner: Manner) -> String {
    let slices = match manner.slice {
        u64::MAX => "whole ticks".to_owned(),
        slice => format!("slices of {slice} cells"),
    };
    let Manner { threads, saves, .. } = manner;
    format!("{slices}, threads reading: {threads}, loads at each save: {saves}")
}

/// Tells a battle everything; the first fault with its tick and line.
fn run_through(battle: &mut Battle, lines: &[Line], manner: Manner) -> Result<(), String> {
    let mut tick = 0;
    for Line { number, input } in lines {
        tick += u32::from(matches!(input, Input::Tick(_)));
        let fault = battle.tell(input, manner);
        fault.map_err(|fault| format!("tick {tick}, line {number}: {fault}"))?;
    }
    Ok(())
}
