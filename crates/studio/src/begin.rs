//! The beginnings of a stage: a country, a new map, a scene, a file.

use flowtiles::steer::{Army, Reading, Target};
use flowtiles::{Budget, CostMap, FlowWorld, Order, Quality};
use flowtiles_country::armies;
use flowtiles_country::landscape::Landscape;
use flowtiles_country::random::Random;
use flowtiles_inspector::{NewMap, Request};

use crate::country::Country;
use crate::crowd;
use crate::stage::{Stage, spread};
use crate::terrain::Terrain;
use crate::timed_order::TimedOrder;
use flowtiles_scenes::maps;

/// Kinds of new maps.
pub const MAPS: [&str; 8] = [
    "open",
    "costs 1 to 10",
    "rooms",
    "caves",
    "maze",
    "random",
    "terrain",
    "country",
];

/// Readings of a field, by name.
pub const READINGS: [(&str, Reading); 5] = [
    ("nearest", Reading::Nearest),
    ("bilinear", Reading::Bilinear),
    ("lowest of four", Reading::LowestOfFour),
    ("ahead", Reading::Ahead),
    ("crowd", Reading::Crowd),
];

/// How good the paths of orders can be asked to be, by name.
pub const QUALITIES: [(&str, Quality); 3] = [
    ("corridor", Quality::Corridor),
    ("exact", Quality::Exact),
    ("everywhere", Quality::Everywhere),
];

/// The work of a tick before a formation forms up.
const FORMING: Budget = Budget::cells(20_000);

/// The most cells of a saved world that is opened: a square of 8,192 cells a side. A few
/// bytes may describe a map that exceeds the memory.
const CELLS_MAX: u64 = 1 << 26;

/// The demo's country, with its three armies on their way home.
///
/// # Errors
/// If an order is refused.
pub fn country(seed: u64) -> Result<Stage, String> {
    let land = Landscape::draw(seed);
    let costs = land.costs().map_err(input)?;
    let world = FlowWorld::new(costs);
    let armies = armies::muster(&land, &world, &mut Random::new(!seed));
    let title = format!("country {seed}");
    let mut stage = Stage::new(world, title);
    stage.ground = Terrain::over(Country::new(land));
    // Red, violet, gold: as in the demo's picture.
    for (army, banner) in armies.iter().zip([1, 3, 2]) {
        let band = stage.new_band(Reading::Ahead);
        stage.bands[band].banner = banner;
        for (number, cell) in army.units.iter().enumerate() {
            stage.add_unit(band, spread(*cell, number), |unit| unit.with_speed(6.0));
        }
        stage.send(band, army.home)?;
    }
    Ok(stage)
}

/// A new map.
///
/// # Errors
/// If the kind is unknown, or the size is refused.
pub fn new_map(asked: &NewMap) -> Result<Stage, String> {
    if !Request::New(*asked).is_allowed() {
        let NewMap { width, height, .. } = asked;
        return Err(format!(
            "no map of {width}×{height} cells is drawn: ask for a smaller one"
        ));
    }
    let name = MAPS.get(usize::from(asked.kind));
    let name = *name.ok_or_else(|| "there is no such kind of map".to_owned())?;
    if name == "country" {
        return country(asked.seed);
    }
    let size = [asked.width as i32, asked.height as i32];
    let costs = maps::draw_sized(name, size, asked.seed);
    let costs = costs.ok_or_else(|| format!("there is no map `{name}`"))?;
    let title = format!("{name}, {}×{}", asked.width, asked.height);
    let mut stage = Stage::of_map(costs.map_err(input)?, title);
    if asked.has_army {
        crowd::muster(&mut stage)?;
    }
    Ok(stage)
}

/// A scene, with another reading if one is given.
///
/// # Errors
/// If there is no such scene or reading, or an order is refused.
pub fn scene(number: u8, reading: Option<u8>, seed: u64) -> Result<Stage, String> {
    let missing = || "there is no such scene".to_owned();
    let (name, _) = flowtiles_scenes::all()
        .nth(usize::from(number))
        .ok_or_else(missing)?;
    let mut scene = flowtiles_scenes::scene(usize::from(number), seed)?;
    let reading = match reading {
        None => None,
        Some(number) => {
            let known = READINGS.get(usize::from(number));
            Some(*known.ok_or_else(|| "there is no such reading".to_owned())?)
        }
    };
    let as_read = reading.map_or(String::new(), |(name, _)| format!(", {name}"));
    let title = format!("{name}{as_read}");
    let mut world = FlowWorld::new(scene.costs.clone());
    let mut army = Army::new(scene.settings).map_err(input)?;
    let layers = scene.prepare(&mut world, &mut army)?.layers;
    let mut stage = Stage::new(world, title);
    stage.army = army;
    stage.tune(scene.tuning)?;
    for &(area, strength) in &scene.painted {
        stage.paint_discomfort(area, strength)?;
    }
    stage.rate = scene.rate;
    stage.notes_jams = scene.notes_jams();
    stage.takes_clicks = true;
    if let Some(land) = scene.land.take() {
        stage.ground = Terrain::over(Country::new(land));
    }
    let mut forms = Vec::new();
    for (band, layer) in scene.bands.iter().zip(layers) {
        let mut settings = band.settings();
        settings.reading = reading.map_or(band.reading, |(_, reading)| reading);
        let place = stage.new_band(settings.reading);
        stage.bands[place].layer = layer;
        for recruit in &band.recruits {
            stage.add_unit(place, recruit.position, |unit| recruit.equip(unit));
        }
        stage.configure(place, settings);
        forms.extend(band.formation.map(|form| (place, form)));
    }
    for (place, band) in scene.bands.iter().enumerate() {
        stage.give(place, &band.aim)?;
    }
    stage.reach = scene.reach;
    stage.incidents = scene.incidents;
    if !forms.is_empty() {
        while stage.world.tick(FORMING).waiting > 0 {}
    }
    for (place, (shape, spacing)) in forms {
        let group = stage.bands[place].group;
        let formed = stage.army.form(group, shape, spacing, &stage.world);
        formed.map_err(|error| error.to_string())?;
    }
    Ok(stage)
}

/// A map from a file.
pub fn opened(costs: CostMap, name: &str) -> Stage {
    Stage::of_map(costs, name.to_owned())
}

/// Returns a saved world and its orders.
///
/// # Errors
/// If the save cannot be loaded, or has too many cells.
pub fn load(name: &str, bytes: &[u8]) -> Result<(FlowWorld, Vec<Order>), String> {
    FlowWorld::load_within(bytes, CELLS_MAX).map_err(|error| format!("{name}: {error}"))
}

/// A saved world, with its orders.
///
/// # Errors
/// If the save cannot be loaded.
pub fn loaded(bytes: &[u8], name: &str) -> Result<Stage, String> {
    let (world, orders) = load(name, bytes)?;
    let mut stage = Stage::new(world, name.to_owned());
    for order in orders {
        let goal = order.goal().cell();
        let band = stage.new_band(Reading::Ahead);
        stage.bands[band].layer = order.goal().layer();
        let target = Target::Order(order.clone());
        let sent = stage.army.send(stage.bands[band].group, target);
        sent.map_err(|error| error.to_string())?;
        stage.bands[band].timed = Some(TimedOrder::new(order, goal, 0));
    }
    Ok(stage)
}

fn input(error: impl std::fmt::Display) -> String {
    error.to_string()
}
