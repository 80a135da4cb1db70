//! A stage: a world, the bands that march in it, and an inquiry.

use std::collections::BTreeMap;

use flowtiles::steer::parts::anchor;
use flowtiles::steer::{Army, GroupId, GroupSettings, Reading, Target, Unit, UnitState};
use flowtiles::{Budget, Cell, CellRect, CostMap, FlowWorld, Goal, LayerId, Movement, Quality};
use flowtiles_inspector::{Fields, Mark, MarkState, Shown, ShownOrder, UnitPath};

use crate::clock::Clock;
use crate::discomfort::Discomfort;
use crate::inquiry::Inquiry;
use crate::paths::{Walks, followed};
use crate::reach;
use crate::spent::Spent;
use crate::terrain::Terrain;
use crate::timed_order::TimedOrder;
use flowtiles_scenes::{Aim, Orders, ScriptedEvent, Tuning, fallen};

/// Why an army accepts what is asked of a band's group.
const OWN_BAND: &str = "the group of a band, which is never removed";

/// The banner of the inquiry.
const INQUIRY_BANNER: u8 = 4;
/// Banners of bands, in their order.
const BANNERS: [u8; 6] = [0, 1, 2, 3, 5, 6];

/// Units of one colour with one goal.
pub struct Band {
    pub group: GroupId,
    pub banner: u8,
    pub reading: Reading,
    /// Its order, if it has one.
    pub timed: Option<TimedOrder>,
    /// The layer on which its units move.
    pub layer: LayerId,
}

/// A world and all that is in it.
pub struct Stage {
    pub world: FlowWorld,
    pub army: Army,
    pub bands: Vec<Band>,
    pub inquiry: Inquiry,
    pub incidents: Vec<(u32, ScriptedEvent)>,
    /// The distance between the middles at which a unit falls to a foe.
    pub reach: Option<f32>,
    pub ground: Terrain,
    /// The painted discomfort, which only crowds avoid.
    pub discomfort: Discomfort,
    tuning: Tuning,
    pub title: String,
    /// Whether jams are noted, which cost more on some layers.
    pub notes_jams: bool,
    /// Ticks a second.
    pub rate: u32,
    pub tick: u32,
    pub clock: Clock,
    pub serial: u32,
    pub map_revision: u64,
    pub field_revision: u64,
    pub touched: Vec<CellRect>,
    pub paths: Vec<UnitPath>,
    pub spent: Spent,
    /// Whether a click moves the bands, as in scenes.
    pub takes_clicks: bool,
    /// How good the paths of its orders must be.
    pub quality: Quality,
    /// The tick and the revision of the fields in which the paths were walked.
    walked: Option<(u32, u64)>,
    next_id: u32,
}

impl Stage {
    /// A world without units.
    pub fn new(world: FlowWorld, title: String) -> Self {
        Self {
            world,
            army: Army::default(),
            bands: Vec::new(),
            inquiry: Inquiry::default(),
            incidents: Vec::new(),
            reach: None,
            ground: Terrain::default(),
            discomfort: Discomfort::default(),
            tuning: Tuning::default(),
            title,
            notes_jams: false,
            rate: 20,
            tick: 0,
            clock: Clock::default(),
            serial: 0,
            map_revision: 0,
            field_revision: 0,
            touched: Vec::new(),
            paths: Vec::new(),
            spent: Spent::default(),
            takes_clicks: false,
            quality: Quality::Corridor,
            walked: None,
            next_id: 0,
        }
    }

    /// A map without units.
    pub fn of_map(costs: CostMap, title: String) -> Self {
        Self::new(FlowWorld::new(costs), title)
    }

    /// Gives the crowd its settings, before the first band is added.
    ///
    /// # Errors
    /// If a setting is out of its range.
    pub fn tune(&mut self, tuning: Tuning) -> Result<(), String> {
        let set = self.army.set_crowd_settings(tuning.settings);
        set.map_err(|error| error.to_string())?;
        self.tuning = tuning;
        Ok(())
    }

    /// Paints an area of the map with discomfort; 0 removes it.
    ///
    /// # Errors
    /// If the crowd refuses the strength.
    pub fn paint_discomfort(&mut self, area: CellRect, strength: f32) -> Result<(), String> {
        let crowd = self.army.crowd_mut();
        let painted = crowd.paint(&self.world, area, strength);
        painted.map_err(|error| error.to_string())?;
        self.discomfort.note(area, strength);
        Ok(())
    }

    /// Gives a band another reading of its field.
    pub fn read(&mut self, band: usize, reading: Reading) {
        let mut settings = self.settings(band);
        settings.reading = reading;
        self.configure(band, settings);
    }

    /// What is set of the group of a band.
    pub fn settings(&self, band: usize) -> GroupSettings {
        let settings = self.army.settings(self.bands[band].group);
        *settings.expect(OWN_BAND)
    }

    /// Gives the group of a band other settings, and the conduct of the stage.
    pub fn configure(&mut self, band: usize, mut settings: GroupSettings) {
        settings.conduct = self.tuning.conduct;
        let group = self.bands[band].group;
        let given = self.army.configure(group, settings, &self.world);
        given.expect("settings of a band, whose units fit its layer");
        self.bands[band].reading = settings.reading;
    }

    /// Adds a band with these settings, without a target.
    pub fn add_band(&mut self, settings: GroupSettings) -> usize {
        // A band without units is used again.
        let mut bands = self.bands.iter();
        let empty = bands.position(|band| self.army.members(band.group).next().is_none());
        let number = match empty {
            Some(number) => {
                let group = self.bands[number].group;
                self.bands[number].timed = None;
                self.army.send(group, Target::Flock).expect(OWN_BAND);
                number
            }
            None => self.new_band(settings.reading),
        };
        let derived = self.world.derive_layer(settings.layer);
        derived.expect("the layer of a band");
        self.configure(number, settings);
        self.bands[number].layer = settings.layer;
        number
    }

    /// Adds a band, which reuses no other.
    pub fn new_band(&mut self, reading: Reading) -> usize {
        let number = self.bands.len();
        let group = self.army.add_group(Target::Flock, reading);
        let group = group.expect("far fewer bands than groups can be");
        self.bands.push(Band {
            group,
            banner: BANNERS[number % BANNERS.len()],
            reading,
            timed: None,
            layer: LayerId::GROUND,
        });
        self.read(number, reading);
        number
    }

    /// Ends the orders of bands without units.
    pub fn free_empty_bands(&mut self) {
        for number in 0..self.bands.len() {
            if self.bands[number].timed.is_some() && self.cells_of(number).is_empty() {
                self.bands[number].timed = None;
                let group = self.bands[number].group;
                self.army.send(group, Target::Flock).expect(OWN_BAND);
                self.field_revision += 1;
            }
        }
    }

    /// Adds a unit to a band.
    pub fn add_unit(&mut self, band: usize, position: [f32; 2], look: impl Fn(Unit) -> Unit) {
        let unit = Unit::new(self.next_id, self.bands[band].group, position);
        let added = self.army.add(look(unit));
        added.expect("a new id, and a place on the map");
        self.next_id += 1;
    }

    /// Returns the cells of a band's units.
    pub fn cells_of(&self, band: usize) -> Vec<Cell> {
        let Band { group, layer, .. } = self.bands[band];
        let units = self.army.members(group);
        units.map(|unit| self.cell_on(layer, unit)).collect()
    }

    /// Returns the cell of a unit that moves on a layer.
    pub fn cell_on(&self, layer: LayerId, unit: &Unit) -> Cell {
        let size = self.world.movement(layer).map_or(1, Movement::size);
        anchor(size, unit.position)
    }

    /// Orders a band to a goal.
    ///
    /// # Errors
    /// If the order is refused; then the band continues as before.
    pub fn send(&mut self, band: usize, goal: Cell) -> Result<(), String> {
        let cells = self.cells_of(band);
        let layer = self.bands[band].layer;
        let asked = Goal::at(goal).on(layer).with_quality(self.quality);
        let order = self.world.order(asked, &cells);
        let order = order.map_err(|error| reach::refused(&self.world, layer, &error))?;
        let target = Target::Order(order.clone());
        let sent = self.army.send(self.bands[band].group, target);
        sent.expect(OWN_BAND);
        self.bands[band].timed = Some(TimedOrder::new(order, goal, self.tick));
        self.field_revision += 1;
        Ok(())
    }

    /// Gives a band of a scene its aim.
    ///
    /// # Errors
    /// If an order or a target is refused. If it is the first, the band continues as
    /// before.
    pub fn give(&mut self, band: usize, aim: &Aim) -> Result<(), String> {
        if let Aim::Goal(goal) = *aim {
            return self.send(band, goal);
        }
        let cells = self.cells_of(band);
        let Band { group, layer, .. } = self.bands[band];
        let groups: Vec<GroupId> = self.bands.iter().map(|band| band.group).collect();
        let mut orders = Orders {
            world: &mut self.world,
            army: &mut self.army,
            groups: &groups,
        };
        orders.give(group, aim, layer, &cells)?;
        self.bands[band].timed = None;
        self.note_orders();
        Ok(())
    }

    /// Records the order that each band follows now, as the next of a queue.
    pub fn note_orders(&mut self) {
        for band in &mut self.bands {
            let target = self.army.target(band.group);
            let Some(Target::Order(order) | Target::AttackMove(order, _)) = target else {
                continue;
            };
            let known = band.timed.as_ref().map(|timed| timed.order.number());
            if known != Some(order.number()) {
                let goal = order.goal().cell();
                band.timed = Some(TimedOrder::new(order.clone(), goal, self.tick));
                self.field_revision += 1;
            }
        }
    }

    /// Plans all orders again, from the present cells of the units.
    pub fn replan(&mut self) -> usize {
        let mut planned = 0;
        for number in 0..self.bands.len() {
            let cells = self.cells_of(number);
            let Band { group, layer, .. } = self.bands[number];
            let known = self.army.group(group);
            let is_plain = known.is_some_and(|group| {
                matches!(group.target(), Target::Order(_)) && group.queue().is_empty()
            });
            let Some(timed) = &mut self.bands[number].timed else {
                continue;
            };
            // Another order would end an attack, and what is queued.
            if !is_plain {
                continue;
            }
            let goal = Goal::at(timed.goal).on(layer).with_quality(self.quality);
            if self.world.aim(&mut timed.order, goal, &cells).is_ok() {
                let target = Target::Order(timed.order.clone());
                self.army.send(group, target).expect(OWN_BAND);
                timed.given = self.tick;
                timed.ready = None;
                planned += 1;
            }
        }
        let asked = self
            .inquiry
            .replan(&mut self.world, self.tick, self.quality);
        planned += usize::from(asked);
        self.field_revision += 1;
        planned
    }

    /// Does one tick, with this budget in cells.
    pub fn step(&mut self, budget: u32) {
        self.happen();
        let begin = self.clock.now();
        let progress = self.world.tick(Budget::cells(u64::from(budget)));
        let ticked = self.clock.now();
        self.army.step(&self.world, 1.0 / self.rate as f32);
        if let Some(reach) = self.reach {
            let fallen = fallen(&self.army, reach);
            self.army.remove_all(fallen);
        }
        self.note_orders();
        if progress.waiting == 0 {
            self.army.cover_strays(&mut self.world);
        }
        if self.notes_jams && self.tick.is_multiple_of((self.rate / 2).max(1)) {
            let noted = self.army.note_jams(&mut self.world);
            self.map_revision += u64::from(noted.changed > 0);
        }
        self.tick += 1;
        self.spent.ticks += 1;
        self.spent.world += ticked.saturating_sub(begin);
        self.spent.army += self.clock.now().saturating_sub(ticked);
        self.spent.cells += progress.cells;
        if progress.cells > 0 || progress.waiting != self.spent.waiting {
            self.field_revision += 1;
        }
        self.spent.waiting = progress.waiting;
        self.note_ready();
    }

    /// Walks the paths again if the tick or a field has changed since: each begins where its
    /// unit is now.
    pub fn walk_paths(&mut self) {
        let now = Some((self.tick, self.field_revision));
        if self.walked != now {
            self.paths = self.walked_paths();
            self.walked = now;
        }
    }

    /// Returns the paths of some units of each band and of the inquiry.
    pub fn walked_paths(&self) -> Vec<UnitPath> {
        let mut walks = Walks::new(&self.world);
        for band in &self.bands {
            if let Some(timed) = &band.timed {
                let units = followed(self.army.members(band.group)).into_iter();
                let cells: Vec<Cell> = units.map(|unit| self.cell_on(band.layer, unit)).collect();
                walks.band(&timed.order, &cells, band.banner);
            }
        }
        if let Some(timed) = self.inquiry.timed() {
            let asking = self.inquiry.asking(&self.world);
            walks.inquiry(&timed.order, &asking, INQUIRY_BANNER);
        }
        walks.paths
    }

    fn note_ready(&mut self) {
        let bands = self.bands.iter_mut().filter_map(|band| band.timed.as_mut());
        for timed in bands.chain(self.inquiry.timed_mut()) {
            timed.note_ready(&self.world, self.tick);
        }
    }

    /// Carries out the events of the scene at this tick.
    fn happen(&mut self) {
        let now = self.tick;
        let (due, later) = std::mem::take(&mut self.incidents)
            .into_iter()
            .partition(|(when, _)| *when <= now);
        self.incidents = later;
        for (_, incident) in due {
            match incident {
                ScriptedEvent::Edit(area, cost) => {
                    // The area was drawn on this map.
                    if self.world.edit(area, cost).is_ok() {
                        self.note_edit(area);
                    }
                }
                ScriptedEvent::Send(band, aim) => {
                    // If an edit has walled up the scene's goal, no unit moves.
                    let _ = self.give(band, &aim);
                }
                ScriptedEvent::Gate(gate, open_to) => {
                    let gate = self.world.inspect().gates().nth(gate);
                    let area =
                        gate.and_then(|gate| Some((gate, self.world.inspect().gate(gate)?.0)));
                    if let Some((gate, area)) = area {
                        self.world.set_gate(gate, open_to);
                        self.note_edit(area);
                    }
                }
            }
        }
    }

    /// Records an edit of the map.
    pub fn note_edit(&mut self, area: CellRect) {
        self.map_revision += 1;
        self.field_revision += 1;
        self.touched.push(area);
        self.army.put_out_of_walls(&self.world);
        self.inquiry.cover(&mut self.world);
    }

    /// Moves a scene's bands: the first to this cell, the second to the cell
    /// mirrored from west to east, and so on in turn.
    pub fn click(&mut self, cell: Cell) -> Result<(), String> {
        let mirrored = Cell::new(self.size().0 - 1 - cell.x, cell.y);
        for number in 0..self.bands.len() {
            self.send(number, if number % 2 == 0 { cell } else { mirrored })?;
        }
        Ok(())
    }

    /// Returns the numbers of columns and rows.
    pub fn size(&self) -> (i32, i32) {
        let costs = self.world.costs();
        (costs.width() as i32, costs.height() as i32)
    }

    /// Returns the units as the page draws them.
    pub fn marks(&self, is_selected: impl Fn(u32) -> bool) -> Vec<Mark> {
        let bands = self.bands.iter();
        let banners: BTreeMap<GroupId, u8> = bands.map(|band| (band.group, band.banner)).collect();
        let mark = |unit: &Unit| Mark {
            banner: banners.get(&unit.group).copied().unwrap_or(0),
            selected: is_selected(unit.id),
            ..Mark::from(unit)
        };
        let mut marks: Vec<Mark> = self.army.units().iter().map(mark).collect();
        let sources = (1 << 30..).zip(self.inquiry.sources());
        marks.extend(sources.map(|(id, &cell)| Mark {
            radius: 0.45,
            state: if self.inquiry.leads(&self.world, cell) {
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
        let timed = self.bands.iter().filter_map(|band| {
            let units = self.army.units().iter();
            let states = units.filter(|unit| unit.group == band.group);
            let is_cut_off = states.map(|unit| unit.state == UnitState::Unreachable);
            Some((band.timed.as_ref()?, band.banner, counted(is_cut_off)))
        });
        let look = self.inquiry.timed().map(|timed| {
            let sources = self.inquiry.sources().iter();
            let counts = counted(sources.map(|&cell| !self.inquiry.leads(&self.world, cell)));
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
                return Some((timed.order.goal().clone(), self.cells_of(place)));
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
            ground: &self.ground,
            paths: &self.paths,
            tick: self.tick,
            serial: self.serial,
            title: &self.title,
            map_revision: Some(self.map_revision),
            touched: &self.touched,
            ..Shown::new(&self.world)
        }
    }

    /// Returns the figures for the page's counters, in the order of
    /// `docs/inspector.md`.
    pub fn figures(&mut self) -> [f64; 12] {
        let units = self.army.units();
        let arrived = units.iter().filter(|unit| unit.state == UnitState::Arrived);
        // The inquiry's units are drawn too.
        let count = units.len() + self.inquiry.sources().len();
        self.spent.figures(&self.world, count, arrived.count())
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
