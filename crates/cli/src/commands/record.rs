//! `flowtiles record`: a drawn battle, as a replay.

use std::io::Write;
use std::path::PathBuf;

use flowtiles::FlowWorld;
use flowtiles_country::random::Random;
use flowtiles_country::whole_file::write_whole;

use crate::support::failure::Failure;
use crate::support::map_file::Kinds;
use crate::support::numbers::whole;
use flowtiles_studio::Start;
use flowtiles_studio::replay::{Battle, Drawing, GroupInput, Input, Kind, Manner, Saved, country};

/// Ticks between two checks.
const CHECK_EVERY: u32 = 8;

/// Draw a battle from a seed and record it: edits, stamps, blockers, orders,
/// strays, groups of steered units, ticks and steps
#[derive(clap::Args)]
pub struct Arguments {
    /// A map file of any format [default: a drawn country]
    map: Option<PathBuf>,
    #[command(flatten)]
    kinds: Kinds,
    /// Draw another battle
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0, u64::MAX))]
    seed: u64,
    /// How many ticks it lasts
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = whole(1_u32, 1_000_000))]
    ticks: u32,
    /// Where to write the replay
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let mut random = Random::new(arguments.seed);
    let costs = match &arguments.map {
        Some(path) => {
            let loaded = arguments.kinds.load(path, None)?;
            arguments.kinds.check_use(path, loaded.format)?;
            loaded.costs
        }
        None => country(&mut random).map_err(|error| Failure::Input(error.to_string()))?,
    };
    let start = Start::World("drawn".to_owned(), FlowWorld::new(costs).save());
    let wrong = |fault| Failure::Wrong(format!("a drawn battle came to an end: {fault}"));
    let inputs = battle(&start, Drawing::new(random), arguments.ticks).map_err(wrong)?;
    let text = Saved::write(Kind::Battle, &start, &inputs).map_err(wrong)?;
    let path = &arguments.output;
    write_whole(path, text.as_bytes()).map_err(|error| {
        let fault = format_args!("cannot be written ({error}): name another file").to_string();
        Failure::in_file(path, fault)
    })?;
    let (ticks, count, bytes) = (arguments.ticks, inputs.len(), text.len());
    let path = path.display();
    writeln!(
        out,
        "{path}: {count} inputs in {ticks} ticks, {bytes} bytes"
    )?;
    Ok(())
}

/// Draws and runs a battle; returns its inputs, with checks.
fn battle(start: &Start, mut drawing: Drawing, ticks: u32) -> Result<Vec<Input>, String> {
    let mut battle = Battle::begin(start)?;
    let mut inputs = Vec::new();
    for tick in 1..=ticks {
        for input in drawing.turn(&battle) {
            match battle.tell(&input, Manner::PLAIN) {
                Ok(()) => inputs.push(input),
                // Drawn blindly: the goal may be out of reach.
                Err(_) if may_be_refused(&input) => {}
                Err(fault) => return Err(format!("tick {tick}, {input:?}: {fault}")),
            }
        }
        if tick == ticks / 2 {
            let saved = battle.tell(&Input::Save, Manner::PLAIN);
            saved.map_err(|fault| format!("tick {tick}: {fault}"))?;
            inputs.push(Input::Save);
        }
        if tick % CHECK_EVERY == 0 || tick == ticks {
            inputs.push(Input::Check(battle.hashes()));
        }
    }
    Ok(inputs)
}

/// Whether a drawn input may be refused without a fault.
const fn may_be_refused(input: &Input) -> bool {
    matches!(
        input,
        Input::Order { .. }
            | Input::Tour { .. }
            | Input::Aim { .. }
            | Input::Pursue { .. }
            | Input::Groups(
                GroupInput::Add { .. } | GroupInput::Send { .. } | GroupInput::Queue { .. }
            )
    )
}
