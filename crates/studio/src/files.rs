//! Files that are dropped on the page or saved from it.

use std::path::Path;

use flowtiles::CostMap;
use flowtiles_formats::{Format, MapWriter};
use flowtiles_inspector::{FileAsked, Given};

use crate::copied_test;
use crate::play::Play;
use crate::recording::{Playback, Recording};
use crate::replay::Saved;
use crate::stage::Stage;
use crate::start::Start;

/// The first bytes of a saved world.
const SAVE: &[u8] = b"FLOWSAVE";

/// Reads a map under the name of its file; the error says what is wrong in words.
pub type ReadMap = fn(&str, &[u8]) -> Result<CostMap, String>;

/// The result of a request for a file.
pub enum Answered {
    /// Another session starts.
    Opened(Start, Box<Play>),
    /// A session's replay begins.
    Session(Box<Playback>, Box<Play>),
    /// A file for the page.
    Saved(Given),
}

/// Opens or saves a file.
///
/// # Errors
/// In words for the user of the page.
pub fn answer(
    asked: &FileAsked,
    play: &Play,
    recording: Option<&Recording>,
    read_map: ReadMap,
) -> Result<Answered, String> {
    match asked {
        FileAsked::Open { name, bytes } => open(name, bytes, || read_map(name, bytes)),
        FileAsked::Save { what } => {
            let nothing = "nothing is shown yet: save it once a map is there";
            let (stage, recording) = play.stages.first().zip(recording).ok_or(nothing)?;
            if what == "replay" {
                return Ok(Answered::Saved(Given {
                    name: "flowtiles.replay".to_owned(),
                    kind: "text/plain",
                    bytes: recording.save(play)?.into_bytes(),
                }));
            }
            save(what, stage).map(Answered::Saved)
        }
    }
}

/// Opens a file by its content: a replay, a saved world, or else a map, which
/// the caller reads.
///
/// # Errors
/// In words, with the file's name.
pub fn open(
    name: &str,
    bytes: &[u8],
    map: impl FnOnce() -> Result<CostMap, String>,
) -> Result<Answered, String> {
    let start = if bytes.starts_with(SAVE) {
        Start::World(name.to_owned(), bytes.to_vec())
    } else if Saved::is_one(bytes) || is_named_replay(name) {
        return replay(bytes).map_err(|fault| format!("{name}: {fault}"));
    } else {
        Start::Costs(name.to_owned(), map()?)
    };
    let play = Play::begin(&start)?;
    Ok(Answered::Opened(start, Box::new(play)))
}

/// Whether a file's name says that it is a replay, even if its first bytes are damaged.
fn is_named_replay(name: &str) -> bool {
    let extension = Path::new(name).extension();
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("replay"))
}

fn replay(bytes: &[u8]) -> Result<Answered, String> {
    let (playback, play) = Playback::begin(Saved::read(bytes)?)?;
    Ok(Answered::Session(Box::new(playback), Box::new(play)))
}

/// Returns the map in a format.
fn map(stage: &Stage, format: Format, kind: &'static str) -> Result<Given, String> {
    let written = MapWriter::new().write(format, stage.run.world.costs());
    let advice = "save it as .flow or as a world, which keep every cost";
    let written = written.map_err(|error| format!("{error} (here: {advice})"))?;
    Ok(Given {
        name: format!("flowtiles.{format}"),
        kind,
        bytes: written.bytes,
    })
}

fn save(what: &str, stage: &Stage) -> Result<Given, String> {
    match what {
        "map" => map(stage, Format::MovingAi, "text/plain"),
        "flow" => map(stage, Format::Flow, "application/octet-stream"),
        "png" => map(stage, Format::Png, "image/png"),
        "world" => Ok(Given {
            name: "flowtiles.world".to_owned(),
            kind: "application/octet-stream",
            bytes: stage.run.world.save(),
        }),
        "test" => Ok(Given {
            name: "copied_from_the_inspector.rs".to_owned(),
            kind: "text/plain",
            bytes: copied_test::copied(stage)?.into_bytes(),
        }),
        other => Err(format!(
            "`{other}` cannot be saved: ask for replay, map, flow, png, world or test"
        )),
    }
}
