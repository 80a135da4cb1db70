//! The start of a session: requested by a page or the command line, and written in
//! the second line of a replay.

use flowtiles::CostMap;
use flowtiles_inspector::{NewMap, PlayScene};
use serde::{Deserialize, Serialize};

use crate::begin;
use crate::stage::Stage;

/// The content of the stages when a session starts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Start {
    /// The demo's country, drawn from a seed.
    Country(u64),
    /// A drawn map.
    Map(#[serde(with = "map_by_name")] NewMap),
    /// A scene, or two settings of it.
    Scene(#[serde(with = "scene_by_name")] PlayScene),
    /// A map from a file.
    Costs(String, #[serde(with = "saved")] CostMap),
    /// A saved world from a file.
    World(String, #[serde(with = "word")] Vec<u8>),
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
        };
        Ok(vec![one?])
    }
}

/// A page numbers kinds of maps, scenes and readings; a file names them, since lists change.
mod map_by_name {
    use flowtiles_inspector::NewMap;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    use super::{name_of, number_of};
    use crate::begin::MAPS;

    #[derive(Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Named {
        kind: String,
        width: u32,
        height: u32,
        seed: u64,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        army: bool,
    }

    pub fn serialize<S: Serializer>(map: &NewMap, to: S) -> Result<S::Ok, S::Error> {
        let named = Named {
            kind: name_of(MAPS, map.kind),
            width: map.width,
            height: map.height,
            seed: map.seed,
            army: map.has_army,
        };
        named.serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<NewMap, D::Error> {
        let named = Named::deserialize(from)?;
        Ok(NewMap {
            kind: number_of(MAPS, &named.kind).map_err(D::Error::custom)?,
            width: named.width,
            height: named.height,
            seed: named.seed,
            has_army: named.army,
        })
    }
}

/// As [`map_by_name`].
mod scene_by_name {
    use flowtiles_inspector::PlayScene;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    use super::{name_of, number_of};
    use crate::begin::READINGS;

    #[derive(Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Named {
        scene: String,
        reading: Option<String>,
        beside: Option<String>,
        seed: u64,
    }

    fn scenes() -> impl Iterator<Item = &'static str> {
        flowtiles_scenes::all().map(|(name, _)| name)
    }

    fn readings() -> impl Iterator<Item = &'static str> {
        READINGS.into_iter().map(|(name, _)| name)
    }

    pub fn serialize<S: Serializer>(asked: &PlayScene, to: S) -> Result<S::Ok, S::Error> {
        let reading = |number: Option<u8>| number.map(|number| name_of(readings(), number));
        let named = Named {
            scene: name_of(scenes(), asked.scene),
            reading: reading(asked.reading),
            beside: reading(asked.beside),
            seed: asked.seed,
        };
        named.serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PlayScene, D::Error> {
        let named = Named::deserialize(from)?;
        let reading = |name: Option<String>| {
            let number = name.map(|name| number_of(readings(), &name));
            number.transpose().map_err(D::Error::custom)
        };
        Ok(PlayScene {
            scene: number_of(scenes(), &named.scene).map_err(D::Error::custom)?,
            reading: reading(named.reading)?,
            beside: reading(named.beside)?,
            seed: named.seed,
        })
    }
}

fn name_of(names: impl IntoIterator<Item = &'static str>, number: u8) -> String {
    let name = names.into_iter().nth(usize::from(number));
    name.unwrap_or_default().to_owned()
}

fn number_of(names: impl IntoIterator<Item = &'static str>, name: &str) -> Result<u8, String> {
    let mut named = (0..).zip(names);
    let found = named.find(|(_, known)| *known == name);
    let (number, _) = found.ok_or_else(|| format!("there is no `{name}`"))?;
    Ok(number)
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
