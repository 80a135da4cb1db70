//! The start of a session: requested by a page or the command line, and written in
//! the second line of a replay.

use flowtiles::CostMap;
use flowtiles_inspector::{NewMap, PlayScene};
use serde::{Deserialize, Serialize};

use crate::begin;
use crate::replay::Saved;
use crate::replayed::Replay;
use crate::stage::Stage;

/// The content of the stages when a session starts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Start {
    /// The demo's country, drawn from a seed.
    Country(u64),
    /// A drawn map.
    Map(NewMap),
    /// A scene, or two settings of it.
    Scene(PlayScene),
    /// A map from a file.
    Costs(String, #[serde(with = "saved")] CostMap),
    /// A saved world from a file.
    World(String, #[serde(with = "word")] Vec<u8>),
    /// The end of a recorded battle from a file.
    Battle(String, #[serde(with = "word")] Vec<u8>),
}

impl Start {
    /// Returns the stages.
    ///
    /// # Errors
    /// In words, if there is no such start.
    pub fn stages(&self) -> Result<Vec<Stage>, String> {
        let one = match self {
            Self::Country(seed) => begin::country(*seed),
            Self::Map(asked) => begin::new_map(asked),
            Self::Scene(asked) => {
                let scene = |reading| begin::scene(asked.scene, reading, asked.seed);
                let mut stages = vec![scene(asked.reading)?];
                if asked.beside.is_some() {
                    stages.push(scene(asked.beside)?);
                }
                return Ok(stages);
            }
            Self::Costs(name, costs) => Ok(begin::opened(costs.clone(), name)),
            Self::World(name, bytes) => begin::loaded(bytes, name),
            Self::Battle(name, bytes) => {
                let played = || -> Result<Stage, String> {
                    let mut replay = Replay::new(name, Saved::read(bytes)?)?;
                    while !replay.is_over() {
                        replay.step()?;
                    }
                    Ok(replay.into_stage())
                };
                played().map_err(|fault| format!("{name}: {fault}"))
            }
        };
        Ok(vec![one?])
    }
}

/// Bytes as a word of JSON.
mod word {
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&STANDARD.encode(bytes))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(from)?;
        STANDARD.decode(text).map_err(D::Error::custom)
    }
}

/// Costs as a saved world.
mod saved {
    use flowtiles::{CostMap, FlowWorld};
    use serde::{Deserializer, Serializer, de::Error};

    use super::word;
    use crate::begin::load;

    pub fn serialize<S: Serializer>(costs: &CostMap, to: S) -> Result<S::Ok, S::Error> {
        word::serialize(&FlowWorld::new(costs.clone()).save(), to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<CostMap, D::Error> {
        let (world, _) = load("the map", &word::deserialize(from)?).map_err(D::Error::custom)?;
        Ok(world.costs().clone())
    }
}
