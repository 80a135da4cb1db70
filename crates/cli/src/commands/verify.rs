//! `flowtiles verify`: runs a replay again with other threads, slices and saves.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::support::failure::Failure;
use crate::support::map_file::read_bytes;
use crate::support::numbers::whole;
use crate::support::threads::on_threads;
use flowtiles_studio::Playback;
use flowtiles_studio::replay::{Battle, Fault, Hashes, Input, Kind, Line, Manner, Saved};

/// Slices of a budget, in cells; some runs tick whole budgets instead.
const SLICES: [u64; 4] = [5000, 1000, 137, 100];

/// Run a replay again on several threads, with budgets in other slices, with
/// and without loading its saves, and compare hashes along the way. Exit code 0
/// if all runs agree, 1 if they differ, and 2 for a file that is no replay or
/// has an input that cannot be carried out
#[derive(clap::Args)]
pub struct Arguments {
    /// A file that `flowtiles record` wrote, or a session's replay saved from
    /// the inspector's page; this is played once
    replay: PathBuf,
    /// Threads that tick and read directions, one run or more for each number
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1,2,8",
        value_parser = whole(1_u16, 64))]
    threads: Vec<u16>,
}

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let path = &arguments.replay;
    let saved = Saved::read(&read_bytes(path)?);
    let saved = saved.map_err(|fault| Failure::in_file(path, fault))?;
    if saved.kind == Kind::Session {
        return session(path, saved, out);
    }
    let manners = manners(&arguments.threads);
    let mut unloaded: Option<Vec<Hashes>> = None;
    let mut is_first = true;
    for &manner in &manners {
        let expected = if manner.saves == 0 {
            unloaded.as_deref()
        } else {
            None
        };
        let run = || -> Result<Result<Vec<Hashes>, Fault>, Failure> {
            let battle = Battle::begin(&saved.start);
            let mut battle = battle.map_err(|fault| Failure::in_file(path, fault))?;
            Ok(run_through(&mut battle, &saved.lines, manner, expected))
        };
        let hashes = on_threads(manner.threads, run)??;
        let hashes = hashes.map_err(|fault| failure(path, manner, is_first, fault))?;
        is_first = false;
        if manner.saves == 0 {
            unloaded.get_or_insert(hashes);
        }
    }
    let count = |wanted: fn(&Input) -> bool| {
        let lines = saved.lines.iter();
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

/// Plays a session's replay once, with its units and crowds.
fn session(path: &Path, saved: Saved, out: &mut impl Write) -> Result<(), Failure> {
    let playback = Playback::new(saved);
    let ticks = playback.ends;
    let path = path.display();
    let checks = playback.verify().map_err(|fault| match fault {
        Fault::Refused(fault) => Failure::Input(format!("{path}: {fault}")),
        Fault::Differs(fault) => Failure::Differs(format!("{path}: {fault}")),
    })?;
    writeln!(
        out,
        "{path}: a session, as recorded in {checks} checks over {ticks} ticks"
    )?;
    Ok(())
}

/// The runs: one of whole ticks for each number of threads; one for each slice,
/// cycling through the numbers of threads, with saves loaded once or twice; and
/// one for each number of threads in which nothing is loaded.
fn manners(threads: &[u16]) -> Vec<Manner> {
    let number = |run: usize| usize::from(threads[run % threads.len()]);
    let whole = (0..threads.len()).map(|run| (u64::MAX, number(run), 1));
    let sliced = SLICES.into_iter().enumerate();
    let sliced = sliced.map(|(run, slice)| (slice, number(run + 1), 1 + (run + 1) % 2));
    let slices = [u64::MAX].into_iter().chain(SLICES).cycle();
    let unloaded = (0..threads.len()).zip(slices);
    let unloaded = unloaded.map(|(run, slice)| (slice, number(run), 0));
    let all = whole.chain(sliced).chain(unloaded);
    all.map(|(slice, threads, saves)| Manner {
        slice,
        threads,
        saves,
    })
    .collect()
}

/// The failure of the command for a fault in a run. An input refused in the
/// first run is the file's fault: it cannot be carried out. An input refused in
/// a later run only means that the runs differ.
fn failure(path: &Path, manner: Manner, is_first: bool, fault: Fault) -> Failure {
    match fault {
        Fault::Refused(fault) if is_first => Failure::in_file(path, fault),
        Fault::Refused(fault) | Fault::Differs(fault) => {
            let path = path.display();
            Failure::Differs(format!("{path}: {fault} ({})", told(manner)))
        }
    }
}

fn told(manner: Manner) -> String {
    let slices = match manner.slice {
        u64::MAX => "whole ticks".to_owned(),
        slice => format!("slices of {slice} cells"),
    };
    let Manner { threads, saves, .. } = manner;
    format!("{slices}, threads: {threads}, loads at each save: {saves}")
}

/// Runs all inputs; returns the hashes at each check, or the first fault with
/// its tick and line.
///
/// A save does not hold the history of a search, so a world that continues
/// after a save may choose other paths of the same cost than one that was loaded.
/// Runs without loads are compared with the replay up to its first save, and
/// from then on with each other, through `expected`.
fn run_through(
    battle: &mut Battle,
    lines: &[Line],
    manner: Manner,
    expected: Option<&[Hashes]>,
) -> Result<Vec<Hashes>, Fault> {
    let (mut tick, mut parted) = (0, false);
    let mut hashes = Vec::new();
    for Line { number, input } in lines {
        tick += u32::from(matches!(input, Input::Tick(_)));
        parted |= manner.saves == 0 && matches!(input, Input::Save);
        let told = match input {
            Input::Check(recorded) => {
                let now = battle.hashes();
                let expected = match expected {
                    _ if !parted => Some(recorded),
                    Some(expected) => expected.get(hashes.len()),
                    None => None,
                };
                hashes.push(now);
                match expected.filter(|expected| **expected != now) {
                    Some(expected) => {
                        let differing = now.differing(expected);
                        Err(Fault::Differs(format!("{differing} differ")))
                    }
                    None => Ok(()),
                }
            }
            input => battle.tell(input, manner),
        };
        let place = |fault| format!("tick {tick}, line {number}: {fault}");
        told.map_err(|fault| match fault {
            Fault::Refused(fault) => Fault::Refused(place(fault)),
            Fault::Differs(fault) => Fault::Differs(place(fault)),
        })?;
    }
    Ok(hashes)
}
