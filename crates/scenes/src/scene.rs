//! A scene: a map, units, their orders, and what is measured.

use flowtiles::steer::{Army, GroupSettings, Pace, Reading, Settings, Shape, Unit};
use flowtiles::{
    CellRect, Cost, CostMap, FlowWorld, GateId, LayerId, Link, LinkId, Movement, Teams,
};
use flowtiles_country::landscape::Landscape;
use flowtiles_country::{BANNERS, Colour};
use serde::Deserialize;

use crate::aim::{Aim, GROUND};
use crate::draw::Draw;
use crate::map_text::MapText;
use crate::measure::{Criterion, Measure};
use crate::method::Method;
use crate::tuning::Tuning;
use crate::units::Units;
use crate::usage::{Kinds, Passage};
use crate::watch::Watch;
use crate::words::{
    PaceWord, ReadingWord, bits, formation, gates, incidents, links, movement, rate, team, teams,
};

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

/// A unit before the army takes it in.
#[derive(Clone, Copy, Debug)]
pub struct UnitSpec {
    pub position: [f32; 2],
    pub velocity: [f32; 2],
    pub radius: f32,
    pub speed: f32,
}

impl UnitSpec {
    /// Returns the unit with what was said of the recruit, all but its place.
    #[must_use]
    pub const fn equip(&self, unit: Unit) -> Unit {
        let mut unit = unit.with_radius(self.radius).with_speed(self.speed);
        unit.velocity = self.velocity;
        unit
    }

    /// A unit at rest.
    pub const fn at(position: [f32; 2]) -> Self {
        Self {
            position,
            velocity: [0.0, 0.0],
            radius: 0.3,
            speed: 4.0,
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

/// Something that happens during a scene.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScriptedEvent {
    /// An area gets another cost.
    Edit(CellRect, Cost),
    /// A band gets another aim.
    Send(usize, Aim),
    /// One of the scene's gates is opened to these teams alone.
    Gate(usize, #[serde(deserialize_with = "teams")] Teams),
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

/// What a world has for a scene.
pub struct Prepared {
    pub gates: Vec<GateId>,
    pub links: Vec<LinkId>,
    /// The layer of each band.
    pub layers: Vec<LayerId>,
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

    /// Adds the gates and links to a world of the scene's costs, and declares a layer for each way
    /// of moving. Sets what jams cost the army there.
    ///
    /// # Errors
    /// If a gate, a link or a layer is refused.
    pub fn prepare(&self, world: &mut FlowWorld, army: &mut Army) -> Result<Prepared, String> {
        let mut gates = Vec::new();
        for &(area, open_to) in &self.gates {
            let added = world.add_gate(area, open_to);
            gates.push(added.map_err(|error| error.to_string())?.0);
        }
        let mut links = Vec::new();
        for link in &self.links {
            let added = world.add_link(link.clone());
            links.push(added.map_err(|error| error.to_string())?);
        }
        let mut known = Vec::new();
        if !self.notes_jams() {
            known.push((Movement::new(), LayerId::GROUND));
        }
        let mut layers = Vec::new();
        for band in &self.bands {
            let found = known
                .iter()
                .find(|(movement, _)| *movement == band.movement);
            let layer = match found {
                Some(&(_, layer)) => layer,
                None => {
                    let added = world.add_layer(band.movement.clone());
                    let layer = added.map_err(|error| error.to_string())?;
                    let told = army.set_jam_costs(world, layer, self.jam_costs);
                    told.map_err(|error| error.to_string())?;
                    known.push((band.movement.clone(), layer));
                    layer
                }
            };
            let layer = layer.for_team(band.team);
            layers.push(layer.ok_or("a band is of no team")?);
        }
        Ok(Prepared {
            gates,
            links,
            layers,
        })
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

/// A block of units, `columns` across, that begins at a position.
pub fn block(columns: usize, count: usize, from: [f32; 2], apart: f32) -> Vec<UnitSpec> {
    let place = |number: usize| {
        let (column, row) = (number % columns, number / columns);
        [
            from[0] + column as f32 * apart,
            from[1] + row as f32 * apart,
        ]
    };
    (0..count)
        .map(|number| UnitSpec::at(place(number)))
        .collect()
}
