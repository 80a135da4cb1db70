//! A scene that is played: its world, its army, and what happens by its script.
//!
//! ```text
//!   scene ─▶ begin ─▶ form ─▶ each tick: due ─▶ carry out ─▶ step ─▶ remove the fallen
//! ```
//!
//! `flowtiles sim` plays scenes so, measured by gauges, and the inspector, in which a player
//! gives orders too.

use std::collections::BTreeMap;

use flowtiles::crowd::Conduct;
use flowtiles::error::OrderError;
use flowtiles::steer::parts::anchor;
use flowtiles::steer::{
    Army, ArmyError, GroupId, GroupSettings, Line, Reading, Sending, Target, Unit,
};
use flowtiles::{
    Budget, Cell, CellRect, Cost, FlowWorld, GateId, Goal, LayerId, LinkId, Movement, Order,
    Progress, Quality, Teams,
};

use crate::aim::{Aim, ScriptedEvent};
use crate::scene::Scene;
use crate::walls::cell_of;

/// How often jams are noted in a second.
const JAM_RATE: u32 = 2;
/// The work of a tick before formations are formed.
const FORMING: Budget = Budget::cells(20_000);

/// A band in play.
#[derive(Clone)]
pub struct Actor {
    pub group: GroupId,
    /// The layer on which its units move.
    pub layer: LayerId,
    pub aim: Aim,
    /// How far its units see through the fog of their team; 0 without fog.
    pub sight: u32,
}

/// A world and an army, and what a scene has happen to them.
pub struct Runner {
    pub world: FlowWorld,
    pub army: Army,
    pub bands: Vec<Actor>,
    pub links: Vec<LinkId>,
    gates: Vec<GateId>,
    /// What is to come, each with the tick before which it happens.
    script: Vec<(u32, ScriptedEvent)>,
    reach: Option<f32>,
    notes_jams: bool,
    conduct: Conduct,
    /// How good the paths of its orders must be.
    pub quality: Quality,
    /// Ticks a second.
    pub rate: u32,
    pub tick: u32,
    next_id: u32,
}

/// A part of a step, for those who take the time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Part {
    World,
    CrowdFields,
    Army,
}

/// What a step did.
pub struct Stepped {
    pub progress: Progress,
    /// The quarters of sectors that got another surcharge for jams.
    pub level_changes: usize,
}

impl Runner {
    /// A world without units, in which nothing happens by itself.
    pub fn new(world: FlowWorld) -> Self {
        Self {
            world,
            army: Army::default(),
            bands: Vec::new(),
            links: Vec::new(),
            gates: Vec::new(),
            script: Vec::new(),
            reach: None,
            notes_jams: false,
            conduct: Conduct::default(),
            quality: Quality::Corridor,
            rate: 20,
            tick: 0,
            next_id: 0,
        }
    }

    /// Musters the units of a scene and gives their orders; all bands read their fields as
    /// `reading` says, if it says anything.
    ///
    /// # Errors
    /// If the world or the army refuses a part of the scene.
    pub fn begin(scene: &Scene, reading: Option<Reading>) -> Result<Self, String> {
        let mut run = Self::new(FlowWorld::new(scene.costs.clone()));
        run.army = Army::new(scene.settings).map_err(text)?;
        let set = run.army.set_crowd_settings(scene.tuning.settings);
        set.map_err(text)?;
        for &(area, strength) in &scene.painted {
            run.paint(area, strength)?;
        }
        for &(area, open_to) in &scene.gates {
            let (gate, _) = run.world.add_gate(area, open_to).map_err(text)?;
            run.gates.push(gate);
        }
        for link in &scene.links {
            let link = run.world.add_link(link.clone());
            run.links.push(link.map_err(text)?);
        }
        let layers = run.add_layers(scene)?;
        run.script.clone_from(&scene.incidents);
        run.reach = scene.reach;
        run.notes_jams = scene.notes_jams();
        run.conduct = scene.tuning.conduct;
        run.rate = scene.rate;
        for (band, layer) in scene.bands.iter().zip(layers) {
            let mut settings = band.settings();
            settings.reading = reading.unwrap_or(band.reading);
            let number = run.add_band(settings).map_err(text)?;
            run.bands[number].layer = layer;
            run.bands[number].sight = band.sight;
            if band.sight > 0 && run.world.known(band.team).is_none() {
                run.lay_fog(band.team)?;
            }
            for recruit in &band.recruits {
                let added = run.add_unit(number, recruit.position, |unit| recruit.equip(unit));
                added.map_err(text)?;
            }
        }
        run.look();
        for (number, band) in scene.bands.iter().enumerate() {
            run.give(number, &band.aim)?;
        }
        Ok(run)
    }

    /// Declares a layer for each way of moving, and sets what jams cost the army there. Returns
    /// the layer of each band.
    fn add_layers(&mut self, scene: &Scene) -> Result<Vec<LayerId>, String> {
        let mut known = Vec::new();
        if !scene.notes_jams() {
            known.push((Movement::new(), LayerId::GROUND));
        }
        let mut layers = Vec::new();
        for band in &scene.bands {
            let found = known.iter().find(|(known, _)| *known == band.movement);
            let layer = match found {
                Some(&(_, layer)) => layer,
                None => {
                    let added = self.world.add_layer(band.movement.clone());
                    let layer = added.map_err(text)?;
                    let priced = self
                        .army
                        .set_jam_costs(&mut self.world, layer, scene.jam_costs);
                    priced.map_err(text)?;
                    known.push((band.movement.clone(), layer));
                    layer
                }
            };
            let layer = layer.for_team(band.team);
            layers.push(layer.ok_or("a band is of no team")?);
        }
        Ok(layers)
    }

    /// Lays fog over all of the map, of which a team takes what it has not seen for open ground.
    fn lay_fog(&mut self, team: u8) -> Result<(), String> {
        self.world.add_fog(team).map_err(text)?;
        let whole = self.world.costs().area();
        let forgotten = self.world.forget(team, &[whole], Cost::OPEN);
        forgotten.map(|_| ()).map_err(text)
    }

    /// Shows teams with fog what their units see.
    fn look(&mut self) {
        let seeing = self.bands.iter().filter(|band| band.sight > 0);
        let sights: BTreeMap<GroupId, u32> = seeing.map(|band| (band.group, band.sight)).collect();
        if !sights.is_empty() {
            let sight = |unit: &Unit| sights.get(&unit.group).map_or(0, |&sight| sight);
            self.army.look(&mut self.world, sight);
        }
    }

    /// Does the work that waits, as it is done before formations are formed.
    pub fn settle(&mut self) {
        while self.world.tick(FORMING).waiting > 0 {}
    }

    /// Forms the formations of the scene, once the fields of their orders are ready.
    ///
    /// # Errors
    /// If a formation is refused.
    pub fn form(&mut self, scene: &Scene) -> Result<(), String> {
        for (band, actor) in scene.bands.iter().zip(&self.bands) {
            if let Some((shape, spacing)) = band.formation {
                let formed = self.army.form(actor.group, shape, spacing, &self.world);
                formed.map_err(text)?;
            }
        }
        Ok(())
    }

    /// Paints an area with discomfort, which only crowds avoid; 0 removes it.
    ///
    /// # Errors
    /// If the crowd refuses the strength.
    pub fn paint(&mut self, area: CellRect, strength: f32) -> Result<(), String> {
        let crowd = self.army.crowd_mut();
        crowd.paint(&self.world, area, strength).map_err(text)
    }

    /// Adds a band without units, and returns its number.
    ///
    /// # Errors
    /// If the army takes no more groups, or refuses the settings.
    pub fn add_band(&mut self, settings: GroupSettings) -> Result<usize, ArmyError> {
        self.bands.push(Actor {
            group: self.army.add_group(Target::Flock, settings.reading)?,
            layer: settings.layer,
            aim: Aim::Flock,
            sight: 0,
        });
        let number = self.bands.len() - 1;
        self.configure(number, settings)?;
        Ok(number)
    }

    /// What is set of the group of a band.
    pub fn settings(&self, band: usize) -> GroupSettings {
        let settings = self.army.settings(self.bands[band].group);
        *settings.expect("the group of a band, which is never removed")
    }

    /// Gives the group of a band other settings, and the conduct of the scene.
    ///
    /// # Errors
    /// If the army refuses them.
    pub fn configure(&mut self, band: usize, mut settings: GroupSettings) -> Result<(), ArmyError> {
        settings.conduct = self.conduct;
        // A layer that the world does not have is refused below.
        let _ = self.world.derive_layer(settings.layer);
        let group = self.bands[band].group;
        self.army.configure(group, settings, &self.world)
    }

    /// Adds a unit to a band.
    ///
    /// # Errors
    /// If the army refuses it.
    pub fn add_unit(
        &mut self,
        band: usize,
        position: [f32; 2],
        look: impl FnOnce(Unit) -> Unit,
    ) -> Result<(), ArmyError> {
        let unit = Unit::new(self.next_id, self.bands[band].group, position);
        self.army.add(look(unit))?;
        self.next_id += 1;
        Ok(())
    }

    /// The cell of a unit that moves on a layer.
    pub fn cell_on(&self, layer: LayerId, unit: &Unit) -> Cell {
        let size = self.world.movement(layer).map_or(1, Movement::size);
        anchor(size, unit.position)
    }

    /// The cells of a band's units.
    pub fn cells_of(&self, band: usize) -> Vec<Cell> {
        let Actor { group, layer, .. } = self.bands[band];
        let units = self.army.members(group);
        units.map(|unit| self.cell_on(layer, unit)).collect()
    }

    /// Orders a band to a goal.
    ///
    /// # Errors
    /// If the order is refused; then the band continues as before.
    pub fn send(&mut self, band: usize, goal: Cell) -> Result<(), OrderError> {
        let cells = self.cells_of(band);
        let order = self.order(band, goal, &cells)?;
        let sent = self.army.send(self.bands[band].group, Target::Order(order));
        sent.expect("the group of a band, and an order on its layer");
        self.bands[band].aim = Aim::Goal(goal);
        Ok(())
    }

    /// Draws a band up on a line.
    ///
    /// # Errors
    /// If the line or its order is refused; then the band continues as before.
    pub fn draw_up(&mut self, band: usize, line: Line) -> Result<(), ArmyError> {
        let groups = [self.bands[band].group];
        let how = Sending::default();
        self.army.draw_up(&mut self.world, &groups, line, how)?;
        self.bands[band].aim = Aim::Goal(cell_of(line.middle()));
        Ok(())
    }

    /// Gives a band an aim.
    ///
    /// # Errors
    /// If an order or a target is refused. If it is the first, the band continues as
    /// before.
    pub fn give(&mut self, band: usize, aim: &Aim) -> Result<(), String> {
        let group = self.bands[band].group;
        let targets = self.targets(band, aim)?;
        let given = if matches!(aim, Aim::Patrol(_)) {
            self.army.patrol(group, targets)
        } else {
            let mut targets = targets.into_iter();
            let first = targets.next().unwrap_or_default();
            let sent = self.army.send(group, first);
            targets.fold(sent, |given, next| {
                given.and_then(|()| self.army.queue(group, next))
            })
        };
        given.map_err(text)?;
        self.bands[band].aim = aim.clone();
        Ok(())
    }

    fn targets(&mut self, band: usize, aim: &Aim) -> Result<Vec<Target>, String> {
        let only = match *aim {
            Aim::Flock => Target::Flock,
            Aim::Point(point) => Target::Point(point),
            Aim::Stand => Target::Stand,
            Aim::Hold => Target::Hold,
            Aim::Follow(other) => Target::Follow(self.leader(other)?),
            Aim::Pursue(other, chase) => Target::Pursue(self.leader(other)?, chase),
            Aim::Flee(safe) => Target::Flee { from: None, safe },
            Aim::Attack(..) | Aim::Goal(_) | Aim::Tour(_) | Aim::Patrol(_) => {
                return self.orders(band, aim);
            }
        };
        Ok(vec![only])
    }

    /// The first unit of a band.
    fn leader(&self, band: usize) -> Result<u32, String> {
        let actor = self.bands.get(band);
        let units = actor.and_then(|band| self.army.members(band.group).map(|unit| unit.id).min());
        units.ok_or_else(|| format!("band {band} has no units"))
    }

    /// An order to each goal of an aim, from the units' cells and the goals before it.
    fn orders(&mut self, band: usize, aim: &Aim) -> Result<Vec<Target>, String> {
        let goals = aim.goals();
        let mut from = self.cells_of(band);
        if goals.len() > 1 {
            from.extend(goals);
        }
        let order = |&goal: &Cell| {
            let order = self.order(band, goal, &from).map_err(text)?;
            Ok(match aim {
                Aim::Attack(_, chase) => Target::AttackMove(order, *chase),
                _ => Target::Order(order),
            })
        };
        goals.iter().map(order).collect()
    }

    fn order(&mut self, band: usize, goal: Cell, from: &[Cell]) -> Result<Order, OrderError> {
        let goal = Goal::at(goal).on(self.bands[band].layer);
        self.world.order(goal.with_quality(self.quality), from)
    }

    /// Whether something is still to happen.
    pub const fn is_scripted(&self) -> bool {
        !self.script.is_empty()
    }

    /// Takes from the script what happens before the next step.
    pub fn due(&mut self) -> Vec<ScriptedEvent> {
        let now = self.tick;
        let due = self.script.extract_if(.., |(when, _)| *when <= now);
        due.map(|(_, event)| event).collect()
    }

    /// Carries out an event. Returns the area of the map that it changed.
    ///
    /// # Errors
    /// If the world or the army refuses it.
    pub fn carry_out(&mut self, event: &ScriptedEvent) -> Result<Option<CellRect>, String> {
        let changed = match *event {
            ScriptedEvent::Send(band, ref aim) => return self.give(band, aim).map(|()| None),
            ScriptedEvent::Edit(area, cost) => {
                self.world.edit(area, cost).map_err(text)?;
                Some(area)
            }
            ScriptedEvent::Gate(number, open_to) => {
                let gate = self.gates[number];
                self.world.set_gate(gate, open_to);
                self.world.inspect().gate(gate).map(|(area, _)| area)
            }
        };
        self.army.put_out_of_walls(&self.world);
        Ok(changed)
    }

    /// The gates: the area of each, and the teams to which it is open now.
    pub fn gates(&self) -> Vec<(CellRect, Teams)> {
        let inside = self.world.inspect();
        let gates = self.gates.iter();
        gates.filter_map(|&gate| inside.gate(gate)).collect()
    }

    /// Does a tick with this budget. `done` is called after each part of it.
    pub fn step(&mut self, budget: Budget, mut done: impl FnMut(Part)) -> Stepped {
        self.look();
        let progress = self.world.tick(budget);
        done(Part::World);
        let seconds = 1.0 / self.rate as f32;
        self.army.foresee(&self.world, seconds);
        done(Part::CrowdFields);
        self.army.advance(&self.world, seconds);
        self.army.cover_strays(&mut self.world);
        let is_noted = self.notes_jams && self.tick.is_multiple_of((self.rate / JAM_RATE).max(1));
        let level_changes = if is_noted {
            self.army.note_jams(&mut self.world).changed
        } else {
            0
        };
        done(Part::Army);
        self.tick += 1;
        Stepped {
            progress,
            level_changes,
        }
    }

    /// Removes the units to which a foe has come within the scene's reach, from middle to
    /// middle, and returns them.
    pub fn remove_fallen(&mut self) -> Vec<Unit> {
        let Some(reach) = self.reach else {
            return Vec::new();
        };
        let army = &self.army;
        let mut fallen = Vec::new();
        for prey in army.groups() {
            let team = army.settings(prey).map_or(0, |prey| prey.team);
            let is_foe = |group| {
                let other = army.settings(group);
                other.is_some_and(|other| other.foes.has(team))
            };
            for unit in army.members(prey) {
                let near = army.units_within(unit.position, reach);
                if near.iter().any(|other| is_foe(other.group)) {
                    fallen.push(unit.id);
                }
            }
        }
        let removed = fallen.into_iter().filter_map(|unit| self.army.remove(unit));
        removed.collect()
    }
}

fn text(error: impl ToString) -> String {
    error.to_string()
}
