//! Units that a player selects, places and sends.

use std::collections::{BTreeMap, BTreeSet};

use flowtiles::steer::{Reading, Unit};
use flowtiles::{Cell, Rect};

use super::stage::Stage;

/// Units on a stage.
const UNITS_MAX: usize = 50_000;
/// How far from a place units are put, in cells.
const FAR: i32 = 120;
/// Units that may change their band at a time.
const MOVED_MAX: usize = 4_000;

/// Units selected, by id.
pub type Selection = BTreeSet<u32>;

/// The units in an area: left, top, right, bottom.
pub fn select(stage: &Stage, [left, top, right, bottom]: [f32; 4]) -> Selection {
    let units = stage.army.units().iter();
    let inside = |unit: &&Unit| {
        let [x, y] = unit.position;
        left <= x && x <= right && top <= y && y <= bottom
    };
    units.filter(inside).map(|unit| unit.id).collect()
}

/// Sends the selected units to a cell: as the bands that they are if they are
/// all of them, otherwise as a band of their own.
///
/// # Errors
/// If nobody is selected, or the order is refused.
pub fn send(stage: &mut Stage, selection: &Selection, goal: Cell) -> Result<usize, String> {
    let selected = |unit: &&Unit| selection.contains(&unit.id);
    let units: Vec<Unit> = stage
        .army
        .units()
        .iter()
        .filter(selected)
        .copied()
        .collect();
    let Some(first) = units.first() else {
        return Err("nobody is selected: drag around some units".to_owned());
    };
    let mut bands: BTreeMap<usize, usize> = BTreeMap::new();
    for unit in &units {
        *bands.entry(unit.group.index()).or_default() += 1;
    }
    let is_whole = |(&band, &count): (&usize, &usize)| stage.cells_of(band).len() == count;
    if bands.iter().all(is_whole) {
        for &band in bands.keys() {
            stage.send(band, goal)?;
        }
        return Ok(units.len());
    }
    if units.len() > MOVED_MAX {
        return Err(format!(
            "{} units of several bands are selected: select whole bands, or at most {MOVED_MAX} units",
            units.len()
        ));
    }
    check_goal(stage, goal, &units)?;
    let reading = stage.bands[first.group.index()].reading;
    let band = stage.add_band(reading);
    let group = stage.bands[band].group;
    for unit in &units {
        stage.army.remove(unit.id);
        let mut moved = Unit::new(unit.id, group, unit.position)
            .with_radius(unit.radius)
            .with_speed(unit.speed);
        moved.velocity = unit.velocity;
        stage.army.add(moved);
    }
    stage.send(band, goal)?;
    stage.free_empty_bands();
    Ok(units.len())
}

/// Whether anyone can be ordered there, before units change their band.
fn check_goal(stage: &mut Stage, goal: Cell, units: &[Unit]) -> Result<(), String> {
    let cells: Vec<Cell> = units
        .iter()
        .map(|unit| super::stage::cell_of(unit.position))
        .collect();
    let order = stage.world.order(goal, &cells);
    order.map(drop).map_err(|error| error.to_string())
}

/// Puts units around a cell, a cell each, on ground from which it can be
/// reached.
///
/// # Errors
/// If the cell is a wall, or there are too many units.
pub fn place(stage: &mut Stage, cell: Cell, count: usize) -> Result<usize, String> {
    if !stage.world.reachable(cell, cell) {
        return Err(format!(
            "{cell} is no open ground: click where units can stand"
        ));
    }
    if stage.army.units().len() + count > UNITS_MAX {
        return Err(format!("at most {UNITS_MAX} units are shown at a time"));
    }
    let taken: BTreeSet<(i32, i32)> = stage
        .army
        .units()
        .iter()
        .map(|unit| super::stage::cell_of(unit.position))
        .map(|cell| (cell.x, cell.y))
        .collect();
    let ring = |out: i32| {
        let side = (2 * out + 1) as u32;
        let square = Rect::new(cell.x - out, cell.y - out, side, side).cells();
        square.filter(move |one| (one.x - cell.x).abs().max((one.y - cell.y).abs()) == out)
    };
    let places: Vec<Cell> = (0..FAR)
        .flat_map(ring)
        .filter(|one| stage.world.reachable(*one, cell) && !taken.contains(&(one.x, one.y)))
        .take(count)
        .collect();
    let band = stage.add_band(Reading::Ahead);
    for one in &places {
        let middle = [one.x as f32 + 0.5, one.y as f32 + 0.5];
        stage.add_unit(band, middle, |unit| unit);
    }
    Ok(places.len())
}
