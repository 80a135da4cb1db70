//! The beginnings of a stage: a country, a new map, a scene, a file.

use flowtiles::steer::{GroupSettings, Reading, Target};
use flowtiles::{FlowWorld, Order, Quality};
use flowtiles_country::armies;
use flowtiles_country::landscape::Landscape;
use flowtiles_country::random::Random;
use flowtiles_inspector::{NewMap, Request};

use crate::country::Country;
use crate::crowd;
use crate::stage::{Stage, spread};
use crate::terrain::Terrain;
use flowtiles_scenes::{Runner, maps};

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
    let mut stage = Stage::new(Runner::new(world), title);
    stage.ground = Terrain::over(Country::new(land));
    // Red, violet, gold: as in the demo's picture.
    for (army, banner) in armies.iter().zip([1, 3, 2]) {
        let band = stage.new_band(GroupSettings::default());
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
    let known = reading.map(|number| READINGS.get(usize::from(number)).copied());
    let reading = known.map(|known| known.ok_or("there is no such reading"));
    let reading = reading.transpose()?;
    let as_read = reading.map_or(String::new(), |(name, _)| format!(", {name}"));
    let title = format!("{name}{as_read}");
    let mut run = Runner::begin(&scene, reading.map(|(_, reading)| reading))?;
    if scene.bands.iter().any(|band| band.formation.is_some()) {
        run.settle();
        run.form(&scene)?;
    }
    let mut stage = Stage::new(run, title);
    for &(area, strength) in &scene.painted {
        stage.discomfort.note(area, strength);
    }
    stage.takes_clicks = true;
    if let Some(land) = scene.land.take() {
        stage.ground = Terrain::over(Country::new(land));
    }
    Ok(stage)
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
    let mut run = Runner::new(world);
    for order in orders {
        let band = run.add_band(GroupSettings::default()).map_err(input)?;
        run.bands[band].layer = order.goal().layer();
        let sent = run.army.send(run.bands[band].group, Target::Order(order));
        sent.map_err(input)?;
    }
    Ok(Stage::new(run, name.to_owned()))
}

fn input(error: impl std::fmt::Display) -> String {
    error.to_string()
}
