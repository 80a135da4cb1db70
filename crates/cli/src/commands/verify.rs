//! `flowtiles verify`: plays a session's replay, and compares hashes along the way.

use std::io::Write;
use std::path::PathBuf;

use crate::support::failure::Failure;
use crate::support::map_file::read_bytes;
use flowtiles_studio::Playback;
use flowtiles_studio::replay::Saved;

/// Play a session's replay, saved from the inspector's page, and compare hashes along the way.
/// Exit code 0 if all are as recorded, 1 if one differs, and 2 for a file that is no replay
#[derive(clap::Args)]
pub struct Arguments {
    /// The replay
    replay: PathBuf,
}

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let path = &arguments.replay;
    let begun = Saved::read(&read_bytes(path)?).and_then(Playback::begin);
    let (playback, play) = begun.map_err(|fault| Failure::in_file(path, fault))?;
    let (ticks, path) = (playback.ends, path.display());
    let checks = playback
        .verify(play)
        .map_err(|fault| Failure::Differs(format!("{path}: {fault}")))?;
    writeln!(
        out,
        "{path}: a session, as recorded in {checks} checks over {ticks} ticks"
    )?;
    Ok(())
}
