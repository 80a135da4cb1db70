//! A stage: a world, the bands that march in it, and an inquiry.

use std::collections::BTreeMap;
use std::time::Duration;

use flowtiles::steer::{ArmyError, GroupId, GroupSettings, Reading, Target, Unit, UnitState};
use flowtiles::{Budget, Cell, CellRect, CostMap, FlowWorld, Goal};
use flowtiles_inspector::{Fields, Mark, MarkState, Shown, ShownOrder, UnitPath};
use flowtiles_scenes::{Actor, Part, Runner, ScriptedEvent};

use crate::clock::Clock;
use crate::crowd::Selection;
use crate::discomfort::Discomfort;
use crate::ghosts::{self, Ghosts, Spot};
use crate::inquiry::Inquiry;
use crate::paths::{INQUIRY_PATHS, Walks, followed};
use crate::reach;
use crate::spent::Spent;
use crate::terrain::Terrain;
use crate::timed_order::TimedOrder;
use crate::ways::Ways;

/// Why an army accepts what is asked of a band's group.
const OWN_BAND: &str = "the group of a band, whose units fit its layer";

/// The banner of the inquiry.
const INQUIRY_BANNER: u8 = 4;
/// Banners of bands, in their order.
const BANNERS: [u8; 6] = [0, 1, 2, 3, 5, 6];

/// What the page shows of a band.
pub struct Band {
    pub banner: u8,
    /// Its order, if it has one.
    pub timed: Option<TimedOrder>,
}

/// A world and all that is in it.
pub struct Stage {
    /// The world, the army with its bands, and what happens by itself.
    pub run: Runner,
    /// What is shown of each band.
    pub bands: Vec<Band>,
    pub inquiry: Inquiry,
    pub ghosts: Ghosts,
    pub ground: Terrain,
    /// The painted discomfort, which only crowds avoid.
    pub discomfort: Discomfort,
    pub title: String,
    pub clock: Clock,
    pub serial: u32,
    pub map_revision: u64,
    pub field_revision: u64,
    pub touched: Vec<CellRect>,
    pub paths: Vec<UnitPath>,
    pub spent: Spent,
    /// Whether a click moves the bands, as in scenes.
    pub takes_clicks: bool,
    /// The tick and the revision of the fields in which the paths were walked.
    walked: Option<(u32, u64)>,
    pub ways: Ways,
}

impl Stage {
    /// Begins with bands that may have their orders already.
    pub fn new(run: Runner, title: String) -> Self {
        let mut stage = Self {
            run,
            bands: Vec::new(),
            inquiry: Inquiry::default(),
            ghosts: Ghosts::default(),
            ground: Terrain::default(),
            discomfort: Discomfort::default(),
            title,
            clock: Clock::default(),
            serial: 0,
            map_revision: 0,
            field_revision: 0,
            touched: Vec::new(),
            paths: Vec::new(),
            spent: Spent::default(),
            takes_clicks: false,
            walked: None,
            ways: Ways::default(),
        };
        stage.note_orders();
        stage
    }

    /// A map without units.
    pub fn of_map(costs: CostMap, title: String) -> Self {
        Self::new(Runner::new(FlowWorld::new(costs)), title)
    }

    /// Paints an area of the map with discomfort; 0 removes it.
    ///
    /// # Errors
    /// If the crowd refuses the strength.
    pub fn paint_discomfort(&mut self, area: CellRect, strength: f32) -> Result<(), String> {
        self.run.paint(area, strength)?;
        self.discomfort.note(area, strength);
        Ok(())
    }

    /// Gives a band another reading of its field.
    pub fn read(&mut self, band: usize, reading: Reading) {
        let mut settings = self.run.settings(band);
        settings.reading = reading;
        self.run.configure(band, settings).expect(OWN_BAND);
    }

    /// Adds a band with these settings, without a target.
    pub fn add_band(&mut self, settings: GroupSettings) -> usize {
        // A band without units is used again.
        let mut actors = self.run.bands.iter();
        let empty = actors.position(|band| self.run.army.members(band.group).next().is_none());
        let Some(number) = empty else {
            return self.new_band(settings);
        };
        self.halt(number);
        self.run.configure(number, settings).expect(OWN_BAND);
        self.run.bands[number].layer = settings.layer;
        number
    }

    /// Adds a band, which reuses no other.
    pub fn new_band(&mut self, settings: GroupSettings) -> usize {
        let number = self.run.add_band(settings);
        let number = number.expect("far fewer bands than groups can be");
        self.note_orders();
        number
    }

    /// Ends the order of a band.
    fn halt(&mut self, band: usize) {
        self.bands[band].timed = None;
        let group = self.run.bands[band].group;
        self.run.army.send(group, Target::Flock).expect(OWN_BAND);
    }

    /// Ends the orders of bands without units.
    pub fn free_empty_bands(&mut self) {
        for number in 0..self.bands.len() {
            if self.bands[number].timed.is_some() && self.run.cells_of(number).is_empty() {
                self.halt(number);
                self.field_revision += 1;
            }
        }
    }

    /// Adds a unit to a band.
    pub fn add_unit(&mut self, band: usize, position: [f32; 2], look: impl FnOnce(Unit) -> Unit) {
        let added = self.run.add_unit(band, position, look);
        added.expect("a new id, and a place on the map");
    }

    /// Orders a band to a cell or to a line.
    ///
    /// # Errors
    /// If the order is refused; then the band continues as before.
    pub fn send(&mut self, band: usize, to: impl Into<Spot>) -> Result<(), String> {
        let Spot { cell, line } = to.into();
        let layer = self.run.bands[band].layer;
        let sent = match line {
            None => self.run.send(band, cell).map_err(ArmyError::from),
            Some(line) => self.run.draw_up(band, line),
        };
        sent.map_err(|error| match error {
            ArmyError::Order(error) => reach::refused(&self.run.world, layer, &error),
            other => other.to_string(),
        })?;
        self.bands[band].timed = None;
        self.note_orders();
        if let Some(timed) = &mut self.bands[band].timed {
            timed.line = line;
        }
        Ok(())
    }

    /// Shows where the units of bands will stop that were sent together.
    pub fn add_ghosts(&mut self, bands: &[usize], spot: Spot) {
        let groups = bands.iter().map(|&band| self.run.bands[band].group);
        let groups: Vec<GroupId> = groups.collect();
        let places = ghosts::places(&self.run, self.run.army.clone(), &groups, spot);
        let members = groups
            .iter()
            .flat_map(|&group| self.run.army.members(group));
        self.ghosts
            .add(spot.cell, members.map(|unit| unit.id), &places);
    }

    /// Shows where units will stop that were sent and are on their way, and those that a player
    /// is about to send.
    pub fn show_ghosts(&mut self, aimed: impl IntoIterator<Item = Mark>) {
        let places = self.ghosts.follow(&self.run.army);
        let banners = self.banners();
        let marks = places.into_iter().filter_map(|(id, position)| {
            let unit = self.run.army.get(id)?;
            let banner = banners.get(&unit.group).copied().unwrap_or(0);
            Some(Mark {
                position,
                banner,
                ..Mark::from(unit)
            })
        });
        self.ghosts.marks = marks.chain(aimed).collect();
    }

    /// Records the order that each band follows now, as the next of a queue.
    pub fn note_orders(&mut self) {
        for (number, actor) in self.run.bands.iter().enumerate() {
            if number == self.bands.len() {
                self.bands.push(Band {
                    banner: BANNERS[number % BANNERS.len()],
                    timed: None,
                });
            }
            let target = self.run.army.target(actor.group);
            let Some(Target::Order(order) | Target::AttackMove(order, _)) = target else {
                continue;
            };
            let timed = &mut self.bands[number].timed;
            let known = timed.as_ref().map(|timed| timed.order.number());
            if known != Some(order.number()) {
                let goal = order.goal().cell();
                *timed = Some(TimedOrder::new(order.clone(), goal, self.run.tick));
                self.field_revision += 1;
            }
        }
    }

    /// Plans all orders again, from the present cells of the units.
    pub fn replan(&mut self) -> usize {
        let mut planned = 0;
        for number in 0..self.bands.len() {
            let cells = self.run.cells_of(number);
            let Actor { group, layer, .. } = self.run.bands[number];
            let known = self.run.army.group(group);
            let has_line = |timed: &TimedOrder| timed.line.is_some();
            let is_on_a_line = self.bands[number].timed.as_ref().is_some_and(has_line);
            let is_plain = known.is_some_and(|group| {
                let is_order = matches!(group.target(), Target::Order(_));
                is_order && group.queue().is_empty() && !is_on_a_line
            });
            let Some(timed) = &mut self.bands[number].timed else {
                continue;
            };
            // Another order would end an attack and a line, and what is queued.
            if !is_plain {
                continue;
            }
            let goal = Goal::at(timed.goal)
                .on(layer)
                .with_quality(self.run.quality);
            if self.run.world.aim(&mut timed.order, goal, &cells).is_ok() {
                let target = Target::Order(timed.order.clone());
                self.run.army.send(group, target).expect(OWN_BAND);
                timed.given = self.run.tick;
                timed.ready = None;
                planned += 1;
            }
        }
        let asked = self.inquiry.replan(&mut self.run);
        planned += usize::from(asked);
        self.field_revision += 1;
        planned
    }

    /// Does one tick, with this budget in cells.
    pub fn step(&mut self, budget: u32) {
        for event in self.run.due() {
            // If an edit has walled up the scene's goal, no unit moves.
            let Ok(edited) = self.run.carry_out(&event) else {
                continue;
            };
            if let ScriptedEvent::Send(band, _) = event {
                self.bands[band].timed = None;
            }
            if let Some(area) = edited {
                self.note_edit(area);
            }
        }
        let clock = self.clock;
        let mut begin = clock.now();
        let mut spent = [Duration::ZERO; 2];
        let stepped = self.run.step(Budget::cells(u64::from(budget)), |part| {
            let now = clock.now();
            spent[usize::from(part != Part::World)] += now.saturating_sub(begin);
            begin = now;
        });
        self.run.remove_fallen();
        self.note_orders();
        self.map_revision += u64::from(stepped.level_changes > 0);
        let progress = stepped.progress;
        self.spent.ticks += 1;
        self.spent.world += spent[0];
        self.spent.army += spent[1];
        self.spent.cells += progress.cells;
        if progress.cells > 0 || progress.waiting != self.spent.waiting {
            self.field_revision += 1;
        }
        self.spent.waiting = progress.waiting;
        self.note_ready();
    }

    /// Walks the paths again if the tick or a field has changed since: each begins where its
    /// unit is now. Those of selected units are ways, which are asked for in turn.
    pub fn walk_paths(&mut self, selection: &Selection) {
        let now = (self.run.tick, self.field_revision);
        let is_new = self.ways.follow(&self.run, &self.bands, selection, now);
        if is_new || self.walked != Some(now) {
            self.paths = self.walked_paths();
            self.walked = Some(now);
        }
    }

    /// Returns the paths of some units of each band and of the inquiry.
    pub fn walked_paths(&self) -> Vec<UnitPath> {
        let mut walks = Walks::new(&self.run.world);
        for (number, band) in self.bands.iter().enumerate() {
            let Some(timed) = &band.timed else { continue };
            let ways = self.ways.paths(&self.run, number, band.banner);
            if !ways.is_empty() {
                walks.paths.extend(ways);
                continue;
            }
            let Actor { group, layer, .. } = self.run.bands[number];
            let units = followed(self.run.army.members(group)).into_iter();
            let cells: Vec<Cell> = units.map(|unit| self.run.cell_on(layer, unit)).collect();
            walks.walk_all(&timed.order, &cells, band.banner);
        }
        if let Some(timed) = self.inquiry.timed() {
            let mut asking = self.inquiry.asking(&self.run.world);
            asking.reverse();
            asking.truncate(INQUIRY_PATHS);
            walks.walk_all(&timed.order, &asking, INQUIRY_BANNER);
        }
        walks.paths
    }

    fn note_ready(&mut self) {
        let bands = self.bands.iter_mut().filter_map(|band| band.timed.as_mut());
        for timed in bands.chain(self.inquiry.timed_mut()) {
            timed.note_ready(&self.run.world, self.run.tick);
        }
    }

    /// Records an edit of the map.
    pub fn note_edit(&mut self, area: CellRect) {
        self.map_revision += 1;
        self.field_revision += 1;
        self.touched.push(area);
        self.run.army.put_out_of_walls(&self.run.world);
        self.inquiry.cover(&mut self.run.world);
    }

    /// Moves a scene's bands: the first to this cell, the second to the cell
    /// mirrored from west to east, and so on in turn.
    pub fn click(&mut self, cell: Cell) -> Result<(), String> {
        let goals = self.clicked(cell);
        for number in 0..self.bands.len() {
            self.send(number, goals[number % 2].0)?;
        }
        for (goal, bands) in goals {
            self.add_ghosts(&bands, goal.into());
        }
        Ok(())
    }

    /// The goals of such a click, and the bands that go to each.
    pub fn clicked(&self, cell: Cell) -> [(Cell, Vec<usize>); 2] {
        let mirrored = Cell::new(self.size().0 - 1 - cell.x, cell.y);
        let from = |first| (first..self.bands.len()).step_by(2).collect();
        [(cell, from(0)), (mirrored, from(1))]
    }

    /// Returns the banner of each band by its group.
    fn banners(&self) -> BTreeMap<GroupId, u8> {
        let bands = self.run.bands.iter().zip(&self.bands);
        bands
            .map(|(actor, band)| (actor.group, band.banner))
            .collect()
    }

    /// Returns the numbers of columns and rows.
    pub fn size(&self) -> (i32, i32) {
        let costs = self.run.world.costs();
        (costs.width() as i32, costs.height() as i32)
    }

    /// Returns the units as the page draws them.
    pub fn marks(&self, is_selected: impl Fn(u32) -> bool) -> Vec<Mark> {
        let banners = self.banners();
        let mark = |unit: &Unit| Mark {
            banner: banners.get(&unit.group).copied().unwrap_or(0),
            selected: is_selected(unit.id),
            ..Mark::from(unit)
        };
        let mut marks: Vec<Mark> = self.run.army.units().iter().map(mark).collect();
        let sources = (1 << 30..).zip(self.inquiry.sources());
        marks.extend(sources.map(|(id, &cell)| Mark {
            radius: 0.45,
            state: if self.inquiry.leads(&self.run.world, cell) {
                MarkState::Source
            } else {
                MarkState::Unreachable
            },
            ..Mark::at(id, cell).with_banner(INQUIRY_BANNER)
        }));
        marks
    }

    /// Returns the orders, each once, the inquiry's last.
    pub fn orders(&self) -> Vec<ShownOrder<'_>> {
        let mut shown: Vec<ShownOrder<'_>> = Vec::new();
        let bands = self.run.bands.iter().zip(&self.bands);
        let timed = bands.filter_map(|(actor, band)| {
            let units = self.run.army.units().iter();
            let states = units.filter(|unit| unit.group == actor.group);
            let is_cut_off = states.map(|unit| unit.state == UnitState::Unreachable);
            Some((band.timed.as_ref()?, band.banner, counted(is_cut_off)))
        });
        let look = self.inquiry.timed().map(|timed| {
            let sources = self.inquiry.sources().iter();
            let counts = counted(sources.map(|&cell| !self.inquiry.leads(&self.run.world, cell)));
            (timed, INQUIRY_BANNER, counts)
        });
        for (timed, banner, (units, cut_off)) in timed.chain(look) {
            let number = timed.order.number();
            if let Some(same) = shown.iter_mut().find(|one| one.order.number() == number) {
                same.units += units;
                same.cut_off += cut_off;
                continue;
            }
            shown.push(ShownOrder {
                order: &timed.order,
                goal: timed.goal,
                banner,
                units,
                cut_off,
                revision: Some(self.field_revision),
                given: timed.given,
                ready: timed.ready,
            });
        }
        shown
    }

    /// Returns the goal of an order and the cells of its units.
    pub fn asked(&self, number: u64) -> Option<(Goal, Vec<Cell>)> {
        for (place, band) in self.bands.iter().enumerate() {
            if let Some(timed) = &band.timed
                && timed.order.number() == number
            {
                return Some((timed.order.goal().clone(), self.run.cells_of(place)));
            }
        }
        let timed = self.inquiry.timed()?;
        let is_asked = timed.order.number() == number;
        is_asked.then(|| (timed.order.goal().clone(), self.inquiry.sources().to_vec()))
    }

    /// Returns what the page shows.
    pub fn shown<'a>(
        &'a self,
        orders: &'a [ShownOrder<'a>],
        marks: &'a [Mark],
        fields: &'a dyn Fields,
    ) -> Shown<'a> {
        Shown {
            orders,
            marks,
            fields,
            ghosts: &self.ghosts.marks,
            ground: &self.ground,
            paths: &self.paths,
            tick: self.run.tick,
            serial: self.serial,
            title: &self.title,
            map_revision: Some(self.map_revision),
            touched: &self.touched,
            ..Shown::new(&self.run.world)
        }
    }

    /// Returns the figures for the page's counters, in the order of
    /// `docs/inspector.md`.
    pub fn figures(&mut self) -> [f64; 12] {
        let units = self.run.army.units();
        let arrived = units.iter().filter(|unit| unit.state == UnitState::Arrived);
        // The inquiry's units are drawn too.
        let count = units.len() + self.inquiry.sources().len();
        self.spent.figures(&self.run.world, count, arrived.count())
    }
}

/// Returns the number of units, and how many of them are cut off.
fn counted(is_cut_off: impl Iterator<Item = bool>) -> (u32, u32) {
    is_cut_off.fold((0, 0), |(units, cut_off), is_cut_off| {
        (units + 1, cut_off + u32::from(is_cut_off))
    })
}

/// Returns the position of the unit with this number in a cell; units of one cell
/// are side by side.
pub fn spread(cell: Cell, number: usize) -> [f32; 2] {
    let part = |by: usize| (number * by % 7) as f32 / 20.0 + 0.35;
    [cell.x as f32 + part(3), cell.y as f32 + part(5)]
}
