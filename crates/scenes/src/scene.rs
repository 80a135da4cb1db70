//! A scene: a map, units, their orders, and what is measured.

use flowtiles::steer::{GroupSettings, Pace, Reading, Settings, Shape};
use flowtiles::{CellRect, Cost, CostMap, Link, Movement, Teams};
use flowtiles_country::landscape::Landscape;
use flowtiles_country::{BANNERS, Colour};
use serde::{Deserialize, Serialize};

use crate::aim::{Aim, GROUND, ScriptedEvent, incidents};
use crate::map_text::MapText;
use crate::measure::{Criterion, Kinds, Measure, Passage, Watch};
use crate::tuning::Tuning;
use crate::units::{UnitSpec, Units};
use crate::words::{
    PaceWord, ReadingWord, bits, formation, gates, links, movement, rate, team, teams,
};

/// A method of steering a whole scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// The flow field alone; units step aside for each other.
    Plain,
    /// Continuum Crowds: each group's potential depends on the others.
    Crowd,
}

impl Method {
    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Crowd => "crowd",
        }
    }

    /// The reading of the bands.
    pub const fn reading(self) -> Reading {
        match self {
            Self::Plain => Reading::Ahead,
            Self::Crowd => Reading::Crowd,
        }
    }
}

/// The options of a scene.
#[derive(Clone, Copy)]
pub struct SceneOptions {
    /// The seed of the exact starts of units.
    pub seed: u64,
    pub method: Method,
    /// Units of each band; `None` for the scene's own number.
    pub units: Option<usize>,
    /// The crowd's parameters; `None` for the scene's own.
    pub tuning: Option<Tuning>,
}

impl Default for SceneOptions {
    /// The method of crowds, from seed 8.
    fn default() -> Self {
        Self {
            seed: 8,
            method: Method::Crowd,
            units: None,
            tuning: None,
        }
    }
}

/// Units of one colour with one aim.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Band {
    #[serde(skip)]
    pub colour: Colour,
    pub aim: Aim,
    #[serde(with = "ReadingWord")]
    pub reading: Reading,
    #[serde(deserialize_with = "formation")]
    pub formation: Option<(Shape, f32)>,
    #[serde(skip)]
    pub recruits: Vec<UnitSpec>,
    /// From where the recruits are.
    pub(crate) units: Vec<Units>,
    /// What its units move on, and whose they are.
    #[serde(deserialize_with = "movement")]
    pub movement: Movement,
    #[serde(deserialize_with = "team")]
    pub team: u8,
    /// The teams that it attacks and from which it flees.
    #[serde(deserialize_with = "teams")]
    pub foes: Teams,
    /// How far its units see, in cells, through the fog of their team; 0 without fog.
    pub sight: u32,
    /// A bit for each plane on which it is.
    #[serde(default = "ground", deserialize_with = "bits")]
    pub planes: u8,
    #[serde(with = "PaceWord")]
    pub pace: Pace,
    pub keeps_width: bool,
}

const fn ground() -> u8 {
    GROUND
}

impl Band {
    /// The `number`th band of a scene.
    pub fn new(number: usize, aim: Aim, recruits: Vec<UnitSpec>) -> Self {
        Self {
            colour: BANNERS[number % BANNERS.len()],
            aim,
            recruits,
            planes: GROUND,
            ..Self::default()
        }
    }

    /// What is set of its group, beside the layer and the conduct in a crowd.
    pub fn settings(&self) -> GroupSettings {
        let mut settings = GroupSettings::default();
        (settings.team, settings.foes) = (self.team, self.foes);
        (settings.planes, settings.pace) = (self.planes, self.pace);
        (settings.reading, settings.keeps_width) = (self.reading, self.keeps_width);
        settings
    }
}

/// What is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Draw {
    /// Armies in camps far from the towns of a country.
    Camps,
    /// Two armies before a mountain with one pass, 24 cells long.
    Pass,
}

/// A map, units, and their orders.
#[derive(Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Scene {
    /// A line about it.
    pub about: String,
    /// Whether its starts vary with the seed, and it is compared with plain steering.
    pub crowd: bool,
    /// Whether it is too large for the set of `crowd-all`.
    pub large: bool,
    /// From where the costs and the country are.
    pub(crate) map: MapText,
    /// What of it is drawn by a program.
    pub(crate) draw: Option<Draw>,
    #[serde(skip)]
    pub costs: CostMap,
    /// The country shown, if it is more than costs.
    #[serde(skip)]
    pub land: Option<Landscape>,
    pub settings: Settings,
    /// The crowd's parameters.
    pub tuning: Tuning,
    #[serde(rename = "band")]
    pub bands: Vec<Band>,
    /// The incidents, each with the tick before which it happens.
    #[serde(rename = "incident", deserialize_with = "incidents")]
    pub incidents: Vec<(u32, ScriptedEvent)>,
    /// Gates, each open to these teams.
    #[serde(rename = "gate", deserialize_with = "gates")]
    pub gates: Vec<(CellRect, Teams)>,
    /// Links, which lead on every layer.
    #[serde(rename = "link", deserialize_with = "links")]
    pub links: Vec<Link>,
    /// Areas of discomfort, which only crowds avoid.
    pub painted: Vec<(CellRect, f32)>,
    /// The places whose users are counted.
    #[serde(rename = "passage")]
    pub passages: Vec<Passage>,
    /// The kinds of units that have figures of their own, if any.
    pub kinds: Option<Kinds>,
    /// Further measurements, if any.
    pub watch: Option<Watch>,
    /// Where units are measured as people are, and what is asked of the figures.
    #[serde(rename = "measure")]
    pub measures: Vec<Measure>,
    #[serde(rename = "criterion")]
    pub criteria: Vec<Criterion>,
    /// The side of a cell in metres, for these and for trajectories.
    pub metres: f32,
    /// Columns before, in and behind a pass, where the order of each band is measured.
    pub columns: Option<[f32; 3]>,
    /// The distance between the middles at which a unit falls to a foe.
    pub reach: Option<f32>,
    /// What jams cost more on the layers of all bands, by level; all 0 if they are not noted.
    pub jam_costs: [u8; 4],
    /// Ticks a second.
    #[serde(deserialize_with = "rate")]
    pub rate: u32,
    /// Whether it goes on for all its ticks after all units have come to rest.
    pub runs_on: bool,
    /// The greatest number of ticks.
    pub ticks: u32,
}

impl Default for Scene {
    /// Nothing on a single cell, with the settings of a march.
    fn default() -> Self {
        Self {
            about: String::new(),
            crowd: false,
            large: false,
            map: MapText::default(),
            draw: None,
            costs: walled(1, 1, &[]),
            land: None,
            settings: Settings::default(),
            tuning: Tuning::default(),
            bands: Vec::new(),
            incidents: Vec::new(),
            gates: Vec::new(),
            links: Vec::new(),
            painted: Vec::new(),
            passages: Vec::new(),
            kinds: None,
            watch: None,
            measures: Vec::new(),
            criteria: Vec::new(),
            metres: 1.0,
            columns: None,
            reach: None,
            jam_costs: [0; 4],
            rate: 20,
            runs_on: false,
            ticks: 4_000,
        }
    }
}

impl Scene {
    /// A scene on a map, with the settings of a march.
    pub fn new(costs: CostMap, bands: Vec<Band>) -> Self {
        Self {
            costs,
            bands,
            ..Self::default()
        }
    }

    /// Whether jams are noted, twice a second.
    pub fn notes_jams(&self) -> bool {
        self.jam_costs != [0; 4]
    }

    /// The scene with one of its bands alone.
    pub fn alone(mut self, number: usize) -> Self {
        self.bands = self.bands.drain(number..=number).collect();
        self.incidents.retain(
            |(_, incident)| !matches!(incident, ScriptedEvent::Send(band, _) if *band != number),
        );
        for (_, incident) in &mut self.incidents {
            if let ScriptedEvent::Send(band, _) = incident {
                *band = 0;
            }
        }
        self
    }
}

/// Open ground with walls on it.
pub fn walled(width: u32, height: u32, walls: &[CellRect]) -> CostMap {
    let mut costs = CostMap::open(width, height).expect("a size within the limits");
    for &wall in walls {
        costs.edit(wall, Cost::WALL).expect("a wall on the map");
    }
    costs
}
