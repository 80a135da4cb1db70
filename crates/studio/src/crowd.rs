//! Units that a player selects, places and sends.

use std::collections::{BTreeMap, BTreeSet};

use flowtiles::steer::{GroupSettings, Reading, Unit};
use flowtiles::{Cell, Goal, LayerId};

use crate::ghosts::Spot;
use crate::reach;
use crate::stage::Stage;
use flowtiles_scenes::Actor;
use flowtiles_scenes::units::around;
use flowtiles_scenes::walls::cell_of;

/// The most units on a stage.
const UNITS_MAX: usize = 50_000;
/// How far from a cell units may be placed, in cells.
const FAR: i32 = 120;
/// Within how many cells of a click on a wall open ground is looked for.
const NEAR: i32 = 20;
/// The open cells at either end of a map between which a path is looked for.
const STARTS: usize = 200;
/// The most units that may change their band at once.
const MOVED_MAX: usize = 4_000;

/// Units selected, by id.
pub type Selection = BTreeSet<u32>;

/// The units in an area: left, top, right, bottom.
pub fn select(stage: &Stage, [left, top, right, bottom]: [f32; 4]) -> Selection {
    let units = stage.run.army.units().iter();
    units
        .filter(|unit| {
            let [x, y] = unit.position;
            left <= x && x <= right && top <= y && y <= bottom
        })
        .map(|unit| unit.id)
        .collect()
}

/// Sends the selected units to a cell or to a line: as their bands if whole bands are
/// selected, otherwise as a new band, one for each former band. Returns the number of units
/// selected, and a message if some of them cannot reach the cell.
///
/// # Errors
/// If no unit is selected, or none can reach the cell; then all go on as before.
pub fn send(
    stage: &mut Stage,
    selection: &Selection,
    to: impl Into<Spot>,
) -> Result<(usize, Option<String>), String> {
    let spot = to.into();
    let goal = match spot.line {
        None => Goal::at(spot.cell),
        Some(_) => Goal::at(spot.cell).or_nearest(),
    };
    let units = selected(stage, selection)?;
    let bands = bands_of(stage, &units);
    let are_whole = bands.iter().all(|band| band.is_whole);
    if !are_whole {
        check_count(&units)?;
    }
    let (mut sent, mut refused, mut banner) = (Vec::new(), None, None);
    let mut by_layer: Vec<(LayerId, Vec<Cell>)> = Vec::new();
    for Part { number, .. } in bands {
        let Actor { group, layer, .. } = stage.run.bands[number];
        let part = units.iter().filter(|unit| unit.group == group);
        let cells = part.map(|unit| stage.run.cell_on(layer, unit));
        let cells: Vec<Cell> = cells.collect();
        let band = match check_goal(stage, goal.clone().on(layer), &cells) {
            Err(why) => Err(why),
            Ok(()) if are_whole => Ok(number),
            Ok(()) => Ok(split(stage, number, &units, None)),
        };
        match band.and_then(|band| stage.send(band, spot).map(|()| band)) {
            Ok(band) => {
                // Units that are sent together wear one colour.
                let worn = &mut stage.bands[band].banner;
                *worn = *banner.get_or_insert(*worn);
                sent.push(band);
            }
            Err(why) => refused = refused.or(Some(why)),
        }
        match by_layer.iter_mut().find(|(known, _)| *known == layer) {
            Some((_, all)) => all.extend(cells),
            None => by_layer.push((layer, cells)),
        }
    }
    stage.free_empty_bands();
    if let Some(why) = refused
        && sent.is_empty()
    {
        return Err(why);
    }
    stage.add_ghosts(&sent, spot);
    // Those who cannot reach a line go as near as they can.
    let mut layers = by_layer.iter().filter(|_| spot.line.is_none());
    let missed =
        layers.find_map(|(layer, cells)| reach::missed(&stage.run.world, *layer, spot.cell, cells));
    Ok((units.len(), missed))
}

/// Returns the bands that have units, the nearest to a cell first, with their units' cells.
pub fn by_distance(stage: &Stage, to: Cell) -> Vec<(usize, Vec<Cell>)> {
    let far = |cell: &Cell| {
        let [dx, dy] = [cell.x - to.x, cell.y - to.y].map(i64::from);
        dx * dx + dy * dy
    };
    let bands = (0..stage.bands.len()).map(|number| (number, stage.run.cells_of(number)));
    let mut bands: Vec<(i64, usize, Vec<Cell>)> = bands
        .filter_map(|(number, cells)| Some((cells.iter().map(far).min()?, number, cells)))
        .collect();
    bands.sort_by_key(|&(far, number, _)| (far, number));
    let bands = bands.into_iter();
    bands.map(|(_, number, cells)| (number, cells)).collect()
}

/// Sends the band nearest to a cell there, or draws it up on a line around it; if its order is
/// refused, the next. Returns the number of its units, and a message if some of them cannot
/// reach the cell; `None` if there are no units.
///
/// # Errors
/// If the orders of all bands are refused; then all go on as before.
pub fn march(
    stage: &mut Stage,
    to: impl Into<Spot>,
) -> Result<Option<(usize, Option<String>)>, String> {
    let spot = to.into();
    let mut refused = None;
    for (number, cells) in by_distance(stage, spot.cell) {
        match stage.send(number, spot) {
            Ok(()) => {
                stage.add_ghosts(&[number], spot);
                let layer = stage.run.bands[number].layer;
                let missed = if spot.line.is_none() {
                    reach::missed(&stage.run.world, layer, spot.cell, &cells)
                } else {
                    None
                };
                return Ok(Some((cells.len(), missed)));
            }
            Err(why) => refused = refused.or(Some(why)),
        }
    }
    refused.map_or(Ok(None), Err)
}

/// Returns the cell that some band can reach and that is nearest to a cell; the cell itself if
/// none is near.
pub fn open_near(stage: &Stage, cell: Cell) -> Cell {
    let starts = (0..stage.bands.len()).filter_map(|number| {
        let first = stage.run.cells_of(number).into_iter().next()?;
        Some((stage.run.bands[number].layer, first))
    });
    let starts: Vec<(LayerId, Cell)> = starts.collect();
    let is_open = |to: &Cell| {
        let mut starts = starts.iter();
        starts.any(|&(layer, from)| reach::is_reachable(&stage.run.world, layer, from, *to))
    };
    let is_on_map = stage.run.world.costs().get(cell).is_some();
    if !is_on_map || is_open(&cell) {
        return cell;
    }
    let far = |one: &Cell| (one.x - cell.x).pow(2) + (one.y - cell.y).pow(2);
    let near = around(cell, NEAR).filter(is_open);
    near.min_by_key(far).unwrap_or(cell)
}

/// Gives the selected units another reading of their fields. Whole bands keep
/// their units; a selected part of a band becomes a new band with the same goal.
///
/// # Errors
/// If no unit is selected, or a part of a band without an order is selected.
pub fn read(stage: &mut Stage, selection: &Selection, reading: Reading) -> Result<usize, String> {
    let units = selected(stage, selection)?;
    let bands = bands_of(stage, &units);
    for band in bands.iter().filter(|band| !band.is_whole) {
        check_count(&units)?;
        if stage.bands[band.number].timed.is_none() {
            return Err(
                "a part of a band without an order is selected: order it first, or \
                        select all of it"
                    .to_owned(),
            );
        }
    }
    for band in bands {
        if band.is_whole {
            stage.read(band.number, reading);
            continue;
        }
        let group = stage.run.bands[band.number].group;
        let target = stage.run.army.target(group).cloned();
        let new = split(stage, band.number, &units, Some(reading));
        if let Some(target) = target {
            let sent = stage.run.army.send(stage.run.bands[new].group, target);
            sent.map_err(|error| error.to_string())?;
        }
    }
    stage.note_orders();
    stage.field_revision += 1;
    Ok(units.len())
}

pub fn selected(stage: &Stage, selection: &Selection) -> Result<Vec<Unit>, String> {
    let units = stage.run.army.units().iter();
    let units: Vec<Unit> = units
        .filter(|unit| selection.contains(&unit.id))
        .copied()
        .collect();
    if units.is_empty() {
        return Err("no unit is selected: drag around some units".to_owned());
    }
    Ok(units)
}

/// A band with some of the given units.
pub struct Part {
    pub number: usize,
    /// Whether all of its units are given.
    pub is_whole: bool,
}

/// The bands of units, that of the first unit first.
pub fn bands_of(stage: &Stage, units: &[Unit]) -> Vec<Part> {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    let number = |unit: &Unit| {
        stage
            .run
            .bands
            .iter()
            .position(|band| band.group == unit.group)
    };
    for number in units.iter().filter_map(number) {
        *counts.entry(number).or_default() += 1;
    }
    let first = units.first().and_then(number);
    let mut parts: Vec<Part> = counts
        .into_iter()
        .map(|(number, count)| Part {
            number,
            is_whole: stage.run.cells_of(number).len() == count,
        })
        .collect();
    parts.sort_by_key(|part| (Some(part.number) != first, part.number));
    parts
}

pub fn check_count(units: &[Unit]) -> Result<(), String> {
    if units.len() > MOVED_MAX {
        return Err(format!(
            "{} units of several bands are selected: select whole bands, or at most {MOVED_MAX} units",
            units.len()
        ));
    }
    Ok(())
}

/// Makes a new band of those units that are in this one.
fn split(stage: &mut Stage, number: usize, units: &[Unit], reading: Option<Reading>) -> usize {
    let Actor { group, layer, .. } = stage.run.bands[number];
    let mut settings = stage.run.settings(number);
    settings.layer = layer;
    settings.reading = reading.unwrap_or(settings.reading);
    let band = stage.add_band(settings);
    let new = stage.run.bands[band].group;
    for unit in units.iter().filter(|unit| unit.group == group) {
        let moved = stage.run.army.set_group(unit.id, new);
        moved.expect("a unit of the army, and a band's group");
    }
    band
}

/// Checks that a goal can be ordered, before units change their band.
fn check_goal(stage: &mut Stage, goal: Goal, cells: &[Cell]) -> Result<(), String> {
    let layer = goal.layer();
    let order = stage.run.world.order(goal, cells);
    order
        .map(drop)
        .map_err(|error| reach::refused(&stage.run.world, layer, &error))
}

/// Places units around a cell, one a cell, on ground from which the cell can be
/// reached.
///
/// # Errors
/// If the cell is a wall, or there are too many units.
pub fn place(stage: &mut Stage, cell: Cell, count: usize) -> Result<usize, String> {
    if !stage.run.world.reachable(cell, cell) {
        return Err(format!(
            "{cell} is no open ground: click where units can stand"
        ));
    }
    if stage.run.army.units().len() + count > UNITS_MAX {
        return Err(format!("at most {UNITS_MAX} units are shown at a time"));
    }
    let taken: BTreeSet<(i32, i32)> = stage
        .run
        .army
        .units()
        .iter()
        .map(|unit| cell_of(unit.position))
        .map(|cell| (cell.x, cell.y))
        .collect();
    let places: Vec<Cell> = around(cell, FAR)
        .filter(|one| stage.run.world.reachable(*one, cell) && !taken.contains(&(one.x, one.y)))
        .take(count)
        .collect();
    let band = stage.add_band(GroupSettings::default());
    for one in &places {
        let middle = one.centre();
        stage.add_unit(band, middle, |unit| unit);
    }
    Ok(places.len())
}

/// Musters an army at the western end of a map and sends it to the eastern end. Where no path
/// leads across, there is no army.
///
/// # Errors
/// If the order is refused.
pub fn muster(stage: &mut Stage) -> Result<(), String> {
    let (width, height) = stage.size();
    let open = |x: i32| -> Vec<Cell> {
        let near = around(Cell::new(x, height / 2), FAR);
        let open = near.filter(|&cell| stage.run.world.reachable(cell, cell));
        open.take(STARTS).collect()
    };
    let (starts, goals) = (open(width / 8), open(width - 1 - width / 8));
    let mut pairs = goals.iter().flat_map(|goal| {
        let starts = starts.iter();
        starts.map(move |start| (*start, *goal))
    });
    let joined = pairs.find(|(start, goal)| stage.run.world.reachable(*start, *goal));
    let Some((start, goal)) = joined else {
        return Ok(());
    };
    let count = (width * height / 60).clamp(1, 400) as usize;
    place(stage, start, count)?;
    stage.send(0, goal)
}

#[cfg(test)]
mod tests {
    use flowtiles::{CellRect, Cost, CostMap, Movement};

    use super::*;

    #[test]
    fn bands_that_are_sent_together_wear_one_colour() {
        let mut stage = Stage::of_map(CostMap::open(60, 40).unwrap(), String::new());
        for row in [5, 15, 25] {
            place(&mut stage, Cell::new(5, row), 3).unwrap();
        }
        let all = select(&stage, [0.0, 0.0, 60.0, 40.0]);
        send(&mut stage, &all, Cell::new(50, 20)).unwrap();
        let banners: BTreeSet<u8> = stage.bands.iter().map(|band| band.banner).collect();
        assert_eq!(banners.len(), 1);
    }

    /// Two bands, the nearer behind a wall.
    #[test]
    fn nearest_band_that_can_goes_to_the_clicked_cell() {
        let mut costs = CostMap::open(60, 40).unwrap();
        costs.edit(CellRect::new(30, 0, 1, 40), Cost::WALL).unwrap();
        let mut stage = Stage::of_map(costs, String::new());
        let goal = Cell::new(28, 20);
        assert_eq!(march(&mut stage, goal), Ok(None), "there are no units");
        place(&mut stage, Cell::new(32, 20), 5).unwrap();
        place(&mut stage, Cell::new(5, 20), 3).unwrap();
        assert_eq!(march(&mut stage, goal), Ok(Some((3, None))));
        let goals = stage.bands.iter().map(|band| band.timed.as_ref());
        let goals: Vec<_> = goals.map(|timed| timed.map(|timed| timed.goal)).collect();
        assert_eq!(goals, [None, Some(goal)]);
        let wall = Cell::new(30, 20);
        let refused = march(&mut stage, wall).unwrap_err();
        assert!(refused.contains("is a wall"), "{refused}");
        assert_eq!(open_near(&stage, wall), Cell::new(29, 20));
        assert_eq!(open_near(&stage, goal), goal);
    }

    #[test]
    fn open_ground_near_a_wall_is_where_a_band_can_go_and_not_far() {
        let mut costs = CostMap::open(60, 40).unwrap();
        // A rock with a hollow, and one that is large.
        for (area, cost) in [
            (CellRect::new(20, 10, 7, 7), Cost::WALL),
            (CellRect::new(23, 13, 1, 1), Cost::OPEN),
            (CellRect::new(30, 0, 30, 40), Cost::WALL),
        ] {
            costs.edit(area, cost).unwrap();
        }
        let mut stage = Stage::of_map(costs, String::new());
        let hollow = Cell::new(23, 13);
        assert_eq!(open_near(&stage, hollow), hollow, "there are no units");
        place(&mut stage, Cell::new(5, 20), 3).unwrap();
        assert_eq!(open_near(&stage, hollow), Cell::new(23, 9));
        let deep = Cell::new(55, 20);
        assert_eq!(open_near(&stage, deep), deep, "no open ground is near");
        for off in [i32::MIN, -1, 60, i32::MAX] {
            assert_eq!(open_near(&stage, Cell::new(off, off)), Cell::new(off, off));
        }
    }

    #[test]
    fn army_musters_where_a_path_crosses_the_map() {
        let mut stage = Stage::of_map(CostMap::open(60, 40).unwrap(), String::new());
        muster(&mut stage).unwrap();
        let timed = stage.bands[0].timed.as_ref().unwrap();
        assert_eq!(
            (stage.run.army.units().len(), timed.goal),
            (40, Cell::new(52, 20))
        );
        let mut costs = CostMap::open(60, 40).unwrap();
        costs.edit(CellRect::new(30, 0, 1, 40), Cost::WALL).unwrap();
        let mut stage = Stage::of_map(costs, String::new());
        muster(&mut stage).unwrap();
        assert!(stage.bands.is_empty(), "no path leads across");
    }

    /// Rafts on water, which is a wall of the ground: a part of their band that is sent
    /// goes by water too, together with a part of a band on land.
    #[test]
    fn a_part_of_a_band_moves_on_its_layer() {
        let mut costs = CostMap::open(60, 40).unwrap();
        costs
            .edit(CellRect::new(20, 0, 20, 40), Cost::WALL)
            .unwrap();
        let mut stage = Stage::of_map(costs, String::new());
        let water = Movement::new().with_cost(Cost::WALL, Cost::OPEN);
        let water = stage.run.world.add_layer(water).unwrap();
        let mut afloat = GroupSettings::default();
        afloat.layer = water;
        let rafts = stage.add_band(afloat);
        for row in 10..14 {
            stage.add_unit(rafts, [5.5, row as f32 + 0.5], |unit| unit);
        }
        place(&mut stage, Cell::new(5, 20), 4).unwrap();
        let goal = Cell::new(15, 5);
        let some: Selection = [0, 1, 4].into();
        assert_eq!(send(&mut stage, &some, goal), Ok((3, None)));
        let bands = |unit| stage.run.army.get(unit).unwrap().group.index();
        let layers = [0, 1, 2, 4, 5].map(|unit| stage.run.bands[bands(unit)].layer);
        let ground = LayerId::GROUND;
        assert_eq!(layers, [water, water, water, ground, ground]);
        assert!(bands(0) != bands(2) && bands(4) != bands(5));
        // Only the rafts get across; the unit on land goes on as before.
        let across = Cell::new(50, 5);
        let (_, missed) = send(&mut stage, &some, across).unwrap();
        assert!(missed.unwrap().contains("the unit at (5, 20)"));
        let goal_of = |stage: &Stage, unit| {
            let band = stage.run.army.get(unit).unwrap().group.index();
            stage.bands[band].timed.as_ref().unwrap().goal
        };
        assert_eq!([0, 4].map(|unit| goal_of(&stage, unit)), [across, goal]);
        let refused = send(&mut stage, &[4].into(), across).unwrap_err();
        assert!(refused.contains("at (5, 20), is cut off"), "{refused}");
        assert_eq!(goal_of(&stage, 4), goal);
    }

    #[test]
    fn selected_units_read_the_crowd_and_keep_their_goal() {
        let mut stage = Stage::of_map(CostMap::open(80, 60).unwrap(), String::new());
        place(&mut stage, Cell::new(10, 10), 30).unwrap();
        let all: Selection = (0..30).collect();
        let half: Selection = (0..15).collect();
        assert!(read(&mut stage, &half, Reading::Crowd).is_err(), "no order");
        assert_eq!(read(&mut stage, &all, Reading::Bilinear), Ok(30));
        assert_eq!(stage.run.settings(0).reading, Reading::Bilinear);
        let goal = Cell::new(70, 50);
        send(&mut stage, &all, goal).unwrap();
        assert_eq!(read(&mut stage, &half, Reading::Crowd), Ok(15));
        let readings = [0, 1].map(|band| stage.run.settings(band).reading);
        assert_eq!(readings, [Reading::Bilinear, Reading::Crowd]);
        for number in 0..2 {
            assert_eq!(stage.run.cells_of(number).len(), 15);
            assert_eq!(stage.bands[number].timed.as_ref().unwrap().goal, goal);
        }
        for _ in 0..5 {
            stage.step(20_000);
        }
        let streams = stage
            .run
            .bands
            .iter()
            .map(|band| stage.run.army.stream(band.group));
        let flows: Vec<bool> = streams.map(|stream| stream.is_some()).collect();
        assert_eq!(flows, [false, true]);
        assert!(read(&mut stage, &Selection::new(), Reading::Crowd).is_err());
    }
}
