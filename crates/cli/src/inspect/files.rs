//! Files that are dropped on the page, and saved from it.

use flowtiles::format::{Terrain, write_map};
use flowtiles_inspector::{FileAsked, Given};

use super::begin;
use super::copied_test;
use super::in_words;
use super::replayed::Replay;
use super::stage::Stage;
use crate::map_file;

/// How a save of a world begins.
const SAVE: &[u8] = b"flowtile";

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
        FileAsked::Open { name, bytes } if Replay::is_one(bytes) => Replay::read(name, bytes)
            .map(Box::new)
            .map(Answered::Replay),
        FileAsked::Open { name, bytes } => open(name, bytes).map(Box::new).map(Answered::Opened),
        FileAsked::Save { what } => {
            let stage = stage.ok_or("there is nothing to save")?;
            save(what, stage).map(Answered::Saved)
        }
    }
}

fn open(name: &str, bytes: &[u8]) -> Result<Stage, String> {
    if bytes.starts_with(SAVE) {
        return begin::loaded(bytes, name).map_err(in_words);
    }
    let costs = map_file::costs_of(name, bytes);
    let costs = costs.map_err(in_words)?;
    Ok(begin::opened(costs, name))
}

fn save(what: &str, stage: &Stage) -> Result<Given, String> {
    match what {
        "map" => {
            let text = write_map(stage.world.costs(), &Terrain::game());
            let text =
                text.map_err(|error| format!("{error}; a save of the world keeps every cost"))?;
            Ok(Given {
                name: "flowtiles.map".to_owned(),
                kind: "text/plain",
                bytes: text.into_bytes(),
            })
        }
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
