//! The start of a session: requested by a page or the command line, and written in
//! the second line of a replay.

use std::ops::Not;

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
    Map(#[serde(with = "MapByName")] NewMap),
    /// A scene, or two settings of it.
    Scene(#[serde(with = "SceneByName")] PlayScene),
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
            Self::Costs(name, costs) => Ok(Stage::of_map(costs.clone(), name.clone())),
            Self::World(name, bytes) => begin::loaded(bytes, name),
        };
        Ok(vec![one?])
    }
}

/// A page numbers kinds of maps, scenes and readings; a file names them, since lists change.
#[derive(Serialize, Deserialize)]
#[serde(remote = "NewMap", deny_unknown_fields)]
struct MapByName {
    #[serde(with = "kind")]
    kind: u8,
    width: u32,
    height: u32,
    seed: u64,
    #[serde(rename = "army", default, skip_serializing_if = "Not::not")]
    has_army: bool,
}

/// As [`MapByName`].
#[derive(Serialize, Deserialize)]
#[serde(remote = "PlayScene", deny_unknown_fields)]
struct SceneByName {
    #[serde(with = "scene")]
    scene: u8,
    #[serde(default, with = "reading")]
    reading: Option<u8>,
    #[serde(default, with = "reading")]
    beside: Option<u8>,
    seed: u64,
}

/// Modules that write a number as its name in a list.
macro_rules! by_name {
    ($($module:ident: $names:expr;)*) => {
        $(mod $module {
            use serde::{Deserialize, Deserializer, Serializer, de::Error};

            pub fn serialize<S: Serializer>(number: &u8, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str($names.nth(usize::from(*number)).unwrap_or_default())
            }

            pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u8, D::Error> {
                let name = String::deserialize(from)?;
                let mut named = (0..).zip($names);
                let found = named.find(|(_, known)| *known == name);
                let fault = || D::Error::custom(format!("there is no `{name}`"));
                found.map(|(number, _)| number).ok_or_else(fault)
            }
        })*
    };
}

by_name! {
    kind: crate::begin::MAPS.into_iter();
    scene: flowtiles_scenes::all().map(|(name, _)| name);
    one_reading: crate::begin::READINGS.into_iter().map(|(name, _)| name);
}

/// A reading, if one is named.
mod reading {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct Named(#[serde(with = "super::one_reading")] u8);

    pub fn serialize<S: Serializer>(number: &Option<u8>, to: S) -> Result<S::Ok, S::Error> {
        number.map(Named).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u8>, D::Error> {
        Ok(Option::<Named>::deserialize(from)?.map(|named| named.0))
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
