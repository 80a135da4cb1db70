//! Jams: where units do not get on costs more, so that others take another way.
//!
//! An army keeps a record by *quarter* of a sector, 5×5 cells. In each round it notes which
//! units do not get on. A quarter's load gains what they fill and loses a fixed part, so
//! that it tends to a mean over the last rounds:
//!
//! ```text
//!   load ← load − load/2 + filled        density = load / 2 / open cells
//! ```
//!
//! The density sets the level, 0 to 4, which the army turns into surcharges. A level rises
//! at one density and falls at a lower one:
//!
//! ```text
//!   level 4                              ┌───────────
//!         3                     ┌────────┤
//!         2            ┌────────┤        ↓
//!         1   ┌────────┤        ↓
//!         0 ──┤        ↓
//!             ↓   each step up, and the step down from it at a lower density
//! ```

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::mem::take;

use super::Army;
use super::packed::pass_layer;
use super::pass::Pass;
use crate::bytes::Fault;
use crate::cost::{CostMap, LayerId, SetBy};
use crate::grid::{Cell, CellRect, MAX_SIDE};
use crate::steer::units::UnitState;
use crate::vector::{cell_of, lesser};
use crate::world::{FlowWorld, SurchargeError, SurchargeReport};

/// What a circle of radius 1 fills, in hundredths of a cell.
const CIRCLE: f32 = 314.0;
/// No unit counts for more than a circle of this radius: a body of eight cells.
const RADIUS_MAX: f32 = 4.0;

/// The number of levels that cost something.
const LEVELS: usize = 4;
/// The side of a quarter, in cells.
const SIDE: u32 = 5;
/// A round takes this part off a load: a half.
const FADES: u32 = 2;
/// From the first density on, in hundredths, the level is above that of its place; below
/// the second it is no longer.
const BOUNDS: [(u32, u32); LEVELS] = [(30, 15), (45, 25), (60, 40), (75, 55)];
/// No density counts for more: so a jam is forgotten in a few rounds.
const DENSITY_MAX: u32 = 150;
/// The most quarters that change their level in a round.
const CHANGES_MAX: usize = 64;

/// The row and the column of a quarter, counted in quarters.
type QuarterAt = [u32; 2];

#[derive(Clone, Copy, Debug, Default)]
struct Quarter {
    load: u32,
    level: u8,
}

/// What jams cost, and the record of them; see the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Jams {
    /// By layer, what cells cost more at the levels 1 to 4; not all 0.
    costs: BTreeMap<LayerId, [u8; LEVELS]>,
    /// The quarters with a load or a level.
    quarters: BTreeMap<QuarterAt, Quarter>,
}

/// Jams: a jammed way costs more, so that units that come later take another.
impl Army {
    /// Sets what the army's jams cost more on a layer, by level: the first number where units
    /// begin to wait, the last in a full jam. The army keeps a record of where its units do
    /// not get on, and [`note_jams`](Self::note_jams) writes its levels into the world, as
    /// [surcharges](FlowWorld::surcharge) beside those of the game: neither takes away what
    /// the other has set.
    ///
    /// The layer costs at once what its levels say, and nothing that an army has written
    /// there before. So `[0; 4]` takes all of it away.
    ///
    /// If several armies share a layer, let one of them keep the record of all:
    /// [`note_units`](Self::note_units).
    ///
    /// # Errors
    /// If the world has no such layer, or it is the ground's own; then nothing has changed.
    pub fn set_jam_costs(
        &mut self,
        world: &mut FlowWorld,
        layer: LayerId,
        costs: [u8; 4],
    ) -> Result<SurchargeReport, SurchargeError> {
        let whole = world.costs().area();
        let levels = self.jams.quarters.iter();
        let levels = levels.map(|(&at, quarter)| (at, quarter.level));
        let mut areas = vec![(whole, 0)];
        areas.extend(priced(whole, &costs, levels));
        let layer = LayerId::from_number(layer.number());
        let report = world.set_surcharges(layer, SetBy::Army, &areas)?;
        if costs == [0; LEVELS] {
            self.jams.costs.remove(&layer);
        } else {
            self.jams.costs.insert(layer, costs);
        }
        Ok(report)
    }

    /// Notes where units do not get on, and writes what that costs to the layers of
    /// [`set_jam_costs`](Self::set_jam_costs). The report counts the quarters of sectors
    /// whose costs have changed, 64 a layer at most: those whose jams have changed most.
    /// Others follow in the next calls.
    ///
    /// Each call forgets half of what is on record. So call it at fixed intervals, about
    /// twice a second.
    ///
    /// ```
    /// use flowtiles::steer::{Army, Reading, Target, Unit};
    /// use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Goal, Movement};
    /// let mut map = CostMap::open(60, 30)?;
    /// map.edit(CellRect::new(30, 0, 1, 30), Cost::WALL)?;
    /// map.edit(CellRect::new(30, 8, 1, 1), Cost::OPEN)?;
    /// map.edit(CellRect::new(30, 20, 1, 1), Cost::OPEN)?;
    /// let mut world = FlowWorld::new(map);
    /// let wary = world.add_layer(Movement::new())?;
    /// let order = world.order(Goal::at(Cell::new(50, 8)).on(wary), &[Cell::new(5, 8)])?;
    /// let mut army = Army::default();
    /// army.set_jam_costs(&mut world, wary, [1, 2, 4, 8])?;
    /// let group = army.add_group(Target::Order(order), Reading::Ahead)?;
    /// for id in 0..60 {
    ///     let place = [5.5 + (id % 10) as f32, 5.5 + (id / 10) as f32];
    ///     army.add(Unit::new(id, group, place))?;
    /// }
    /// let mut tick = 0;
    /// while !army.is_settled() {
    ///     world.tick(Budget::cells(4_000));
    ///     army.step(&world, 0.05);
    ///     army.cover_strays(&mut world);
    ///     if tick % 10 == 0 {
    ///         army.note_jams(&mut world);
    ///     }
    ///     tick += 1;
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn note_jams(&mut self, world: &mut FlowWorld) -> SurchargeReport {
        let jammed: Vec<(Cell, u16)> = self.jammed().collect();
        self.note_units(world, &jammed)
    }

    /// Does what [`note_jams`](Self::note_jams) does with these units in place of the army's
    /// own: the [`jammed`](Self::jammed) units of several armies, or units that the game
    /// moves itself. Given are their cells, and what each fills in hundredths of a cell: 100
    /// for one that fills its cell. Those off the map do not count.
    pub fn note_units(&mut self, world: &mut FlowWorld, units: &[(Cell, u16)]) -> SurchargeReport {
        let changed = self.jams.note(world.costs(), units);
        let whole = world.costs().area();
        let mut report = SurchargeReport::default();
        for (&layer, costs) in &self.jams.costs {
            let areas = priced(whole, costs, changed.iter().copied());
            let areas: Vec<(CellRect, u8)> = areas.collect();
            // Another world may lack the layer.
            if let Ok(done) = world.set_surcharges(layer, SetBy::Army, &areas) {
                report.changed += done.changed;
                report.rebuilt += done.rebuilt;
                report.orders += done.orders;
            }
        }
        report
    }

    /// Returns the cells of the units that march on orders and lately achieved less than
    /// they wanted, by id, and what each counts for: what its body fills, in hundredths of
    /// a cell, times the part that it failed to achieve. So a dense column on the march
    /// counts little, and a jam counts fully.
    pub fn jammed(&self) -> impl Iterator<Item = (Cell, u16)> {
        let groups = self.groups.all();
        let led = self.roster.stirring().filter(|unit| {
            unit.state == UnitState::Marching && groups[unit.group.index()].order().is_some()
        });
        led.map(|unit| {
            let radius = lesser(unit.radius, RADIUS_MAX);
            let failed = lesser(1.0 - unit.memory.pace, 1.0);
            // A cast takes what is below 0 for 0.
            let filled = CIRCLE * radius * radius * failed;
            (cell_of(unit.position), filled as u16)
        })
    }
}

impl Jams {
    /// Ends a round. Returns the quarters that have another level now.
    fn note(&mut self, costs: &CostMap, units: &[(Cell, u16)]) -> Vec<(QuarterAt, u8)> {
        for quarter in self.quarters.values_mut() {
            quarter.load -= quarter.load.div_ceil(FADES);
        }
        for &(cell, filled) in units {
            if filled > 0 && costs.get(cell).is_some() {
                let at = [cell.y, cell.x].map(|along| along as u32 / SIDE);
                let load = &mut self.quarters.entry(at).or_default().load;
                *load = load.saturating_add(u32::from(filled));
            }
        }
        let mut due = Vec::new();
        for (&at, quarter) in &mut self.quarters {
            let full = FADES * open_cells(costs, at);
            quarter.load = quarter.load.min(full * DENSITY_MAX);
            let level = level_due(quarter.load / full, quarter.level);
            let steps = level.abs_diff(quarter.level);
            if steps > 0 {
                due.push((Reverse(steps), at, level));
            }
        }
        due.sort_unstable();
        due.truncate(CHANGES_MAX);
        let changed: Vec<(QuarterAt, u8)> = due.iter().map(|&(_, at, level)| (at, level)).collect();
        for &(at, level) in &changed {
            self.quarters.entry(at).or_default().level = level;
        }
        self.quarters
            .retain(|_, quarter| quarter.load > 0 || quarter.level > 0);
        changed
    }

    pub(super) fn is_empty(&self) -> bool {
        self.costs.is_empty() && self.quarters.is_empty()
    }

    pub(super) fn pass(&mut self, pass: &mut impl Pass) -> Result<(), Fault> {
        let mut costs: Vec<_> = take(&mut self.costs).into_iter().collect();
        pass.list(&mut costs, |pass, (layer, costs)| {
            pass_layer(pass, layer)?;
            costs.iter_mut().try_for_each(|cost| pass.byte(cost))?;
            let fits = layer.number() > 0 && layer.team() == 0 && *costs != [0; LEVELS];
            pass.ensure(fits, "costs of jams cannot be")
        })?;
        self.costs = costs.into_iter().collect();
        let mut quarters: Vec<_> = take(&mut self.quarters).into_iter().collect();
        pass.list(&mut quarters, |pass, (at, Quarter { load, level })| {
            at.iter_mut().try_for_each(|along| pass.count(along))?;
            pass.count(load)?;
            pass.byte(level)?;
            let fits = at.iter().all(|along| *along <= MAX_SIDE / SIDE)
                && *load <= SIDE * SIDE * FADES * DENSITY_MAX
                && usize::from(*level) <= LEVELS
                && (*load > 0 || *level > 0);
            pass.ensure(fits, "a jam cannot be")
        })?;
        self.quarters = quarters.into_iter().collect();
        Ok(())
    }
}

fn area_of([y, x]: QuarterAt) -> CellRect {
    CellRect::new((x * SIDE) as i32, (y * SIDE) as i32, SIDE, SIDE)
}

/// The level that follows from a density in hundredths and the present level.
fn level_due(density: u32, now: u8) -> u8 {
    let risen = BOUNDS.iter().take_while(|(rise, _)| density >= *rise);
    let kept = BOUNDS.iter().take_while(|(_, fall)| density >= *fall);
    kept.count().min(usize::from(now)).max(risen.count()) as u8
}

/// The areas of quarters, as far as they are on the map, and what their levels cost.
fn priced(
    whole: CellRect,
    costs: &[u8; LEVELS],
    levels: impl Iterator<Item = (QuarterAt, u8)>,
) -> impl Iterator<Item = (CellRect, u8)> {
    let [one, two, three, four] = *costs;
    let by_level = [0, one, two, three, four];
    levels.map(move |(at, level)| {
        let area = area_of(at).intersection(whole);
        (area, by_level[usize::from(level)])
    })
}

/// The number of cells of a quarter that are no walls of the ground; if there are none, of
/// all its cells.
fn open_cells(costs: &CostMap, at: QuarterAt) -> u32 {
    let is_open = |cell: &Cell| costs.get(*cell).is_some_and(|cost| !cost.is_wall());
    match area_of(at).cells().filter(is_open).count() {
        0 => SIDE * SIDE,
        open => open as u32,
    }
}
