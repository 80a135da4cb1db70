//! The start of a session: requested by a page or the command line, and named in
//! the first lines of a replay.

use std::fmt;

use flowtiles::{CostMap, FlowWorld};
use flowtiles_inspector::{NewMap, PlayScene};

use crate::begin::{self, MAPS, READINGS};
use crate::replay::{Hex, LINE, Sealed, Words, unhex};
use crate::replayed::Replay;
use crate::stage::Stage;

/// The beginning of a line with the bytes of a file.
const BYTES: &str = "bytes ";

/// Lines of a replay, with their numbers.
pub type Lines<'a> = &'a [(usize, &'a str)];

/// The content of the stages when a session starts.
#[derive(Clone, Debug, PartialEq)]
pub enum Start {
    /// The demo's country, drawn from a seed.
    Country(u64),
    /// A drawn map.
    Map(NewMap),
    /// A scene, or two settings of it.
    Scene(PlayScene),
    /// A map from a file.
    Costs(String, CostMap),
    /// A saved world from a file.
    World(String, Vec<u8>),
    /// The end of a recorded battle from a file.
    Battle(String, Vec<u8>),
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
                let mut replay = Replay::read(name, bytes)?;
                while !replay.is_over() {
                    replay.step().map_err(|fault| format!("{name}: {fault}"))?;
                }
                Ok(replay.into_stage())
            }
        };
        Ok(vec![one?])
    }

    /// Writes it into a replay.
    pub fn write(&self, text: &mut Sealed) {
        text.line(format_args!("start {self}"));
        let bytes = match self {
            Self::Costs(_, costs) => &FlowWorld::new(costs.clone()).save(),
            Self::World(_, bytes) | Self::Battle(_, bytes) => bytes,
            Self::Country(_) | Self::Map(_) | Self::Scene(_) => return,
        };
        for line in bytes.chunks(LINE) {
            text.checked_line(format_args!("{BYTES}{}", Hex(line)));
        }
    }

    /// Reads it from the lines of a replay. Returns the remaining lines.
    ///
    /// # Errors
    /// With the line and what is wrong there.
    pub fn read<'a>(lines: Lines<'a>) -> Result<(Self, Lines<'a>), String> {
        let (&(number, line), rest) = lines.split_first().ok_or("line 2: there is no start")?;
        let unknown = || {
            format!(
                "line {number}: `{line}` is no start that is known: use the flowtiles that wrote it"
            )
        };
        let mut start = Self::read_line(line).ok_or_else(unknown)?;
        let count = rest
            .iter()
            .take_while(|(_, line)| line.starts_with(BYTES))
            .count();
        let (hex, rest) = rest.split_at(count);
        let mut bytes = Vec::new();
        for (number, line) in hex {
            let read = line.strip_prefix(BYTES).and_then(unhex);
            bytes.extend(read.ok_or_else(|| format!("line {number}: these are no bytes"))?);
        }
        match &mut start {
            Self::Costs(name, costs) => {
                let loaded = FlowWorld::load(&bytes);
                let (world, _) =
                    loaded.map_err(|error| format!("line {number}: `{name}`: {error}"))?;
                *costs = world.costs().clone();
            }
            Self::World(_, held) | Self::Battle(_, held) => *held = bytes,
            Self::Country(_) | Self::Map(_) | Self::Scene(_) => {}
        }
        Ok((start, rest))
    }

    /// Reads the line of a start; a file's bytes follow it.
    fn read_line(line: &str) -> Option<Self> {
        let words = &mut Words::of(line.strip_prefix("start ")?);
        Some(match words.word()? {
            "country" => {
                let seed = words.number()?;
                words.are_over().then_some(Self::Country(seed))?
            }
            "map" => Self::Map(NewMap {
                width: words.number()?,
                height: words.number()?,
                seed: words.number()?,
                kind: place(&MAPS, &words.rest())?,
            }),
            "scene" => {
                let seed = words.number()?;
                let reading = setting(words.word()?)?;
                let beside = setting(words.word()?)?;
                let names: Vec<&str> = flowtiles_scenes::all().map(|(name, _)| name).collect();
                Self::Scene(PlayScene {
                    scene: place(&names, &words.rest())?,
                    reading,
                    beside,
                    seed,
                })
            }
            "costs" => Self::Costs(words.rest(), CostMap::open(1, 1).ok()?),
            "world" => Self::World(words.rest(), Vec::new()),
            "battle" => Self::Battle(words.rest(), Vec::new()),
            _ => return None,
        })
    }
}

/// Returns the number of a name.
fn place(names: &[&str], name: &str) -> Option<u8> {
    let at = names.iter().position(|known| *known == name)?;
    u8::try_from(at).ok()
}

/// Returns the name of a reading in a replay: one word.
fn setting_name(number: Option<u8>) -> String {
    let known = number.and_then(|number| READINGS.get(usize::from(number)));
    known.map_or("-".to_owned(), |(name, _)| name.replace(' ', "-"))
}

/// Returns the reading with this name.
fn setting(name: &str) -> Option<Option<u8>> {
    let mut numbers = (0..READINGS.len() as u8).map(Some).chain([None]);
    numbers.find(|number| setting_name(*number) == name)
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A name must be one line, whatever the file is called.
        let line = |name: &str| name.replace(['\n', '\r'], " ");
        match self {
            Self::Country(seed) => write!(f, "country {seed}"),
            Self::Map(NewMap {
                kind,
                width,
                height,
                seed,
            }) => {
                let name = MAPS.get(usize::from(*kind)).unwrap_or(&"?");
                write!(f, "map {width} {height} {seed} {name}")
            }
            Self::Scene(asked) => {
                let mut scenes = flowtiles_scenes::all().map(|(name, _)| name);
                let name = scenes.nth(usize::from(asked.scene)).unwrap_or("?");
                let [reading, beside] = [asked.reading, asked.beside].map(setting_name);
                write!(f, "scene {} {reading} {beside} {name}", asked.seed)
            }
            Self::Costs(name, _) => write!(f, "costs {}", line(name)),
            Self::World(name, _) => write!(f, "world {}", line(name)),
            Self::Battle(name, _) => write!(f, "battle {}", line(name)),
        }
    }
}
