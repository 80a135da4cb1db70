//! Files that are dropped on the page, and saved from it.

use flowtiles::CostMap;
use flowtiles::format::{Format, MapWriter};
use flowtiles_inspector::{FileAsked, Given};

use super::begin;
use super::copied_test;
use super::in_words;
use super::replayed::Replay;
use super::stage::Stage;
use crate::support::failure::Failure;
use crate::support::map_file;

/// How a save of a world begins.
const SAVE: &[u8] = b"FLOWSAVE";

/// What came of a file.
pub enum Answered {
    /// Another stage is to be shown.
    Opened(Box<Stage>),
    /// A replay is to be played.
    Replay(Box<Replay>),
    /// A file for the page.
    Saved(Given),
}

/// Opens or saves.
///
/// # Errors
/// In words for whoever looks at the page.
pub fn answer(asked: &FileAsked, stage: Option<&Stage>) -> Result<Answered, String> {
    match asked {
        FileAsked::Open { name, bytes } => open(name, bytes, || map_file::costs_of(name, bytes)),
        FileAsked::Save { what } => {
            let stage = stage.ok_or("there is nothing to save")?;
            save(what, stage).map(Answered::Saved)
        }
    }
}

/// Opens a file by its content: a replay, a saved world, or else a map, which is
/// read as the caller says.
///
/// # Errors
/// In words, with the file's name.
pub fn open(
    name: &str,
    bytes: &[u8],
    map: impl FnOnce() -> Result<CostMap, Failure>,
) -> Result<Answered, String> {
    if Replay::is_one(bytes) {
        return Replay::read(name, bytes)
            .map(Box::new)
            .map(Answered::Replay);
    }
    let stage = if bytes.starts_with(SAVE) {
        begin::loaded(bytes, name)
    } else {
        map().map(|costs| begin::opened(costs, name))
    };
    let stage = stage.map_err(in_words)?;
    Ok(Answered::Opened(Box::new(stage)))
}

/// The map in a format.
fn map(stage: &Stage, format: Format, kind: &'static str) -> Result<Given, String> {
    let written = MapWriter::new().write(format, stage.world.costs());
    let advice = "a .flow file and a save of the world keep every cost";
    let written = written.map_err(|error| format!("{error}; {advice}"))?;
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
            bytes: stage.world.save(),
        }),
        "test" => Ok(Given {
            name: "copied_from_the_inspector.rs".to_owned(),
            kind: "text/plain",
            bytes: copied_test::copied(stage)?.into_bytes(),
        }),
        other => Err(format!("`{other}` is nothing that can be saved")),
    }
}
