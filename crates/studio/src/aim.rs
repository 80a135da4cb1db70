//! Where units would stop by an order that a player is about to give.
//!
//! ```text
//!   the order ─▶ groups of a copy of the army ─▶ their ghosts ─▶ marks
//! ```

use flowtiles::steer::{Army, GroupId, Target};
use flowtiles::{Cell, LayerId};
use flowtiles_inspector::{Aim, Mark};
use flowtiles_scenes::Actor;

use crate::crowd::{self, Part, Selection};
use crate::ghosts::{self, Spot};
use crate::reach;
use crate::stage::Stage;

/// Returns where the units that an order would move would stop if it were given now.
pub fn aimed(stage: &Stage, selection: &Selection, aim: Aim) -> Vec<Mark> {
    match aim {
        Aim::Send(ends) => of_selected(stage, selection, Spot::between(ends)),
        Aim::March(ends) => of_nearest(stage, Spot::between(ends)),
        Aim::Click(cell) => of_all(stage, cell),
    }
}

/// Of the selected units.
fn of_selected(stage: &Stage, selection: &Selection, spot: Spot) -> Vec<Mark> {
    let units = crowd::selected(stage, selection).unwrap_or_default();
    let parts = crowd::bands_of(stage, &units);
    if parts.iter().any(|part| !part.is_whole) && crowd::check_count(&units).is_err() {
        return Vec::new();
    }
    // Of an army in which they are groups of their own.
    let mut army = stage.run.army.clone();
    let split = |part: &Part| {
        let Actor { group, layer, .. } = stage.run.bands[part.number];
        if part.is_whole {
            return Some(group);
        }
        let mut settings = stage.run.settings(part.number);
        settings.layer = layer;
        let own = army.add_group(Target::Flock, settings.reading).ok()?;
        army.configure(own, settings, &stage.run.world).ok()?;
        for unit in units.iter().filter(|unit| unit.group == group) {
            army.set_group(unit.id, own).ok()?;
        }
        Some(own)
    };
    let groups: Vec<GroupId> = parts.iter().filter_map(split).collect();
    let banner = parts.first().map(|part| stage.bands[part.number].banner);
    marks(stage, army, &groups, spot, banner.unwrap_or(0))
}

/// Of the nearest band that can go there; on a line, of the nearest, which goes as near as it can.
fn of_nearest(stage: &Stage, spot: Spot) -> Vec<Mark> {
    let spot = match spot.line {
        None => crowd::open_near(stage, spot.cell).into(),
        Some(_) => spot,
    };
    let mut bands = crowd::by_distance(stage, spot.cell).into_iter();
    let nearest = bands.find(|(number, cells)| {
        let layer = stage.run.bands[*number].layer;
        spot.line.is_some() || may_go(stage, layer, cells, spot.cell)
    });
    let Some((number, _)) = nearest else {
        return Vec::new();
    };
    let (group, banner) = (stage.run.bands[number].group, stage.bands[number].banner);
    marks(stage, stage.run.army.clone(), &[group], spot, banner)
}

/// Of all bands of a scene, by a click.
fn of_all(stage: &Stage, cell: Cell) -> Vec<Mark> {
    let goals = stage.clicked(cell).into_iter();
    let marked = goals.flat_map(|(goal, bands)| {
        let group = |&number: &usize| {
            let Actor { group, layer, .. } = stage.run.bands[number];
            may_go(stage, layer, &stage.run.cells_of(number), goal).then_some(group)
        };
        let groups: Vec<GroupId> = bands.iter().filter_map(group).collect();
        let banner = bands.first().map(|&number| stage.bands[number].banner);
        let army = stage.run.army.clone();
        marks(stage, army, &groups, goal.into(), banner.unwrap_or(0))
    });
    marked.collect()
}

/// Whether an order to a cell would not be refused.
fn may_go(stage: &Stage, layer: LayerId, cells: &[Cell], goal: Cell) -> bool {
    let mut cells = cells.iter();
    cells.any(|&from| reach::is_reachable(&stage.run.world, layer, from, goal))
}

fn marks(stage: &Stage, army: Army, groups: &[GroupId], spot: Spot, banner: u8) -> Vec<Mark> {
    let places = ghosts::places(&stage.run, army, groups, spot).into_iter();
    let mark = |(id, position)| {
        Some(Mark {
            position,
            banner,
            selected: true,
            ..stage.run.army.get(id)?.into()
        })
    };
    places.filter_map(mark).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use flowtiles::{CellRect, Cost, CostMap};

    use super::*;

    /// Two bands, of 5 units and of 3, the nearer to the west cut off from it by a wall.
    fn stage() -> Stage {
        let mut costs = CostMap::open(60, 40).unwrap();
        costs.edit(CellRect::new(30, 0, 1, 40), Cost::WALL).unwrap();
        let mut stage = Stage::of_map(costs, String::new());
        crowd::place(&mut stage, Cell::new(32, 20), 5).unwrap();
        crowd::place(&mut stage, Cell::new(5, 20), 3).unwrap();
        stage
    }

    fn ids<'a>(marks: impl IntoIterator<Item = &'a Mark>) -> BTreeSet<u32> {
        marks.into_iter().map(|mark| mark.id).collect()
    }

    /// Around open ground, around open ground beside a wall, on a line, and on a line that the
    /// nearest band cannot reach.
    #[test]
    fn nearest_band_is_aimed_where_it_then_marches() {
        let nobody = Selection::new();
        for ends in [
            [20.5, 20.5, 20.5, 20.5],
            [30.5, 20.5, 30.5, 20.5],
            [10.0, 10.0, 10.0, 20.0],
            [25.0, 10.0, 25.0, 20.0],
        ] {
            let mut stage = stage();
            let aimed = aimed(&stage, &nobody, Aim::March(ends));
            assert!(stage.ghosts.marks.is_empty(), "{ends:?}: nobody is sent");
            assert!(aimed.iter().all(|mark| mark.selected), "{ends:?}");
            let spot = match Spot::between(ends) {
                Spot { cell, line: None } => crowd::open_near(&stage, cell).into(),
                line => line,
            };
            crowd::march(&mut stage, spot).unwrap();
            stage.show_ghosts(Vec::new());
            assert_eq!(ids(&aimed), ids(&stage.ghosts.marks), "{ends:?}");
            let mut places = aimed.iter().map(|mark| mark.position);
            let sent = stage.ghosts.marks.iter().map(|mark| mark.position);
            assert!(places.all(|place| sent.clone().any(|sent| sent == place)));
        }
    }

    #[test]
    fn click_is_aimed_for_each_band_at_its_own_cell() {
        let mut stage = stage();
        let aim = |stage: &Stage, cell| aimed(stage, &Selection::new(), Aim::Click(cell));
        let both = aim(&stage, Cell::new(50, 10));
        assert_eq!(both.len(), 8);
        for mark in &both {
            let goal = if mark.id < 5 { 50.5 } else { 9.5 };
            let [x, y] = mark.position;
            assert!((x - goal).hypot(y - 10.5) < 3.0, "{mark:?}");
        }
        stage.click(Cell::new(50, 10)).unwrap();
        stage.show_ghosts(Vec::new());
        assert_eq!(ids(&both), ids(&stage.ghosts.marks));
        assert!(
            aim(&stage, Cell::new(9, 10)).is_empty(),
            "none can go there"
        );
    }
}
