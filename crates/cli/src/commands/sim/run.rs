//! Runs a scene tick by tick and records what happens.

use std::time::{Duration, Instant};

use flowtiles::crowd::CrowdError;
use flowtiles::steer::{Army, ArmyError, ArmyEvent, GroupId, Target, Unit, UnitState, anchor};
use flowtiles::{
    Budget, Cell, CellRect, Cost, CostMap, FlowWorld, GateId, LayerId, Movement, Teams,
};

use super::overlay::{CrowdLayer, CrowdView};
use super::target_figures::TargetFigures;
use super::target_tracker::TargetTracker;
use super::usage::{Usage, UsageTracker};
use super::watcher::{Watched, Watcher};
use crate::support::failure::Failure;
use crate::support::judge::Optimum;
use flowtiles_scenes::scene::Band;
use flowtiles_scenes::walls::{cell_of, is_in_wall};
use flowtiles_scenes::{Aim, Bearing, Incident, Orders, Scene, fallen};

/// The work of the world in a tick.
const BUDGET: u64 = 20_000;
/// Jams are noted twice a second.
const JAM_RATE: u32 = 2;

/// The outcome of a scene.
#[derive(Default)]
pub struct Record {
    pub units: usize,
    pub ticks: u32,
    pub arrived: usize,
    /// Units that have stopped making progress before they arrive.
    pub stuck: usize,
    /// Units that cannot reach their goal, as the orders report.
    pub cut_off: usize,
    /// Units that a foe has reached.
    pub fallen: usize,
    /// Whether all units are to arrive in the end.
    pub is_final: bool,
    /// The ticks in which a half, nine tenths and all had arrived.
    pub times: [Option<u32>; 3],
    pub wall_overlaps: u64,
    pub deepest_overlap: f32,
    /// How often a quarter of a sector got another congestion level.
    pub level_changes: usize,
    /// The mean price walked.
    pub walked: f64,
    /// Median ratio of the price walked to the cheapest price.
    pub over_optimum: Option<f64>,
    pub tick_times: Vec<Duration>,
    /// The time of the crowd's fields, tick by tick.
    pub solve_times: Vec<Duration>,
    /// Further measurements of a watched scene.
    pub watched: Option<Watched>,
    /// Who went where.
    pub usage: Usage,
    /// What shows that each band did what its target asks.
    pub targets: Vec<TargetFigures>,
    pub hash: u64,
}

/// A running scene.
pub struct SceneRun<'a> {
    pub scene: &'a Scene,
    pub world: FlowWorld,
    pub army: Army,
    pub groups: Vec<GroupId>,
    /// The layer of each band, and the ground as its units see it.
    layers: Vec<(LayerId, CostMap)>,
    gates: Vec<GateId>,
    /// The present aim of each band.
    aims: Vec<Aim>,
    bearings: Vec<(GroupId, Bearing)>,
    /// The units that a foe has reached, as they were then.
    pub fallen: Vec<Unit>,
    pub tick: u32,
    /// By unit, as the two after it.
    starts: Vec<Cell>,
    walked: Vec<f64>,
    told_stuck: Vec<bool>,
    watcher: Option<Watcher<'a>>,
    usage: UsageTracker<'a>,
    tracker: TargetTracker<'a>,
    record: Record,
}

impl<'a> SceneRun<'a> {
    /// Musters the units and gives the orders.
    ///
    /// # Errors
    /// If an order is refused.
    pub fn new(scene: &'a Scene) -> Result<Self, Failure> {
        let mut world = FlowWorld::new(scene.costs.clone());
        let mut army = Army::new(scene.settings).map_err(refused)?;
        prepare_crowd(&mut army, &world, scene)?;
        let prepared = scene.prepare(&mut world).map_err(Failure::Input)?;
        let mut groups = Vec::new();
        let mut id = 0;
        for band in &scene.bands {
            let group = army.add_group(Target::Nowhere, band.reading);
            let group = group.map_err(refused)?;
            band.bearing().give(&mut army, group).map_err(refused)?;
            let conduct = army.set_conduct(group, scene.tuning.conduct);
            conduct.map_err(refused)?;
            groups.push(group);
            for recruit in &band.recruits {
                let mut unit = Unit::new(id, group, recruit.position)
                    .with_radius(recruit.radius)
                    .with_speed(recruit.speed);
                unit.velocity = recruit.velocity;
                army.add(unit).map_err(refused)?;
                id += 1;
            }
        }
        let starts = army
            .units()
            .iter()
            .map(|unit| cell_of(unit.position))
            .collect();
        let count = army.units().len();
        let bearings = scene.bands.iter().map(|band| band.bearing());
        let mut run = Self {
            scene,
            world,
            army,
            aims: scene.bands.iter().map(|band| band.aim.clone()).collect(),
            bearings: groups.iter().copied().zip(bearings).collect(),
            fallen: Vec::new(),
            tracker: TargetTracker::new(scene, &groups),
            groups,
            layers: prepared.layers.into_iter().zip(grounds(scene)).collect(),
            gates: prepared.gates,
            tick: 0,
            starts,
            walked: vec![0.0; count],
            told_stuck: vec![false; count],
            watcher: Watcher::new(scene),
            usage: UsageTracker::new(scene, prepared.links),
            record: Record {
                units: count,
                ..Record::default()
            },
        };
        for band in 0..scene.bands.len() {
            run.send(band, &scene.bands[band].aim)?;
        }
        run.form()?;
        Ok(run)
    }

    /// Gives a band an aim.
    fn send(&mut self, band: usize, aim: &Aim) -> Result<(), Failure> {
        let group = self.groups[band];
        let size = self.scene.bands[band].movement.size();
        let cell = |unit: &Unit| anchor(size, unit.position);
        let cells: Vec<Cell> = self.army.members(group).map(cell).collect();
        let mut orders = Orders {
            world: &mut self.world,
            army: &mut self.army,
            groups: &self.groups,
        };
        let (layer, _) = self.layers[band];
        let given = orders.give(group, aim, layer, &cells);
        given.map_err(Failure::Input)?;
        self.aims[band] = aim.clone();
        Ok(())
    }

    /// Forms up the bands that march in formation, once their field is ready.
    fn form(&mut self) -> Result<(), Failure> {
        while self.world.tick(Budget::cells(BUDGET)).waiting > 0 {}
        for (band, &group) in self.scene.bands.iter().zip(&self.groups) {
            if let Some((shape, spacing)) = band.formation {
                let formed = self.army.form(group, shape, spacing, &self.world);
                formed.map_err(refused)?;
            }
        }
        Ok(())
    }

    /// Whether the run continues.
    pub fn goes_on(&self, ticks: u32) -> bool {
        let incidents = &self.scene.incidents;
        let is_to_come = incidents.iter().any(|(when, _)| *when >= self.tick);
        let is_endless = self.aims.iter().any(Aim::is_endless) || self.scene.runs_on;
        self.tick < ticks && (is_to_come || is_endless || !self.army.is_settled())
    }

    /// One tick.
    ///
    /// # Errors
    /// If an incident is refused.
    pub fn step(&mut self) -> Result<(), Failure> {
        self.happen()?;
        let mut before = vec![[0.0; 2]; self.record.units];
        for unit in self.army.units() {
            before[unit.id as usize] = unit.position;
        }
        let begin = Instant::now();
        self.world.tick(Budget::cells(BUDGET));
        let seconds = 1.0 / self.scene.rate as f32;
        let solving = Instant::now();
        self.army.foresee(&self.world, seconds);
        self.record.solve_times.push(solving.elapsed());
        self.army.advance(&self.world, seconds);
        self.army.cover_strays(&mut self.world);
        if self.scene.notes_jams && self.tick.is_multiple_of(self.scene.rate / JAM_RATE) {
            let noted = self.army.note_jams(&mut self.world);
            self.record.level_changes += noted.changed;
        }
        self.record.tick_times.push(begin.elapsed());
        self.tick += 1;
        self.note(&before);
        if let Some(reach) = self.scene.reach {
            for unit in fallen(&self.army, reach, &self.bearings) {
                self.fallen.extend(self.army.remove(unit));
            }
        }
        Ok(())
    }

    fn happen(&mut self) -> Result<(), Failure> {
        for (when, incident) in &self.scene.incidents {
            if *when != self.tick {
                continue;
            }
            match *incident {
                Incident::Edit(area, cost) => {
                    let edited = self.world.edit(area, cost);
                    edited.map_err(|error| Failure::Input(error.to_string()))?;
                    self.army.put_out_of_walls(&self.world);
                }
                Incident::Send(band, ref aim) => {
                    self.send(band, aim)?;
                    if let Some(watcher) = &mut self.watcher {
                        watcher.sent(band, aim, self.army.units());
                    }
                }
                Incident::Gate(gate, open_to) => {
                    self.world.set_gate(self.gates[gate], open_to);
                    self.army.put_out_of_walls(&self.world);
                }
            }
        }
        Ok(())
    }

    fn note(&mut self, before: &[[f32; 2]]) {
        let costs = self.world.costs();
        let record = &mut self.record;
        for unit in self.army.units() {
            let at = unit.id as usize;
            let [x, y] = before[at];
            let (dx, dy) = (unit.position[0] - x, unit.position[1] - y);
            let cost = costs
                .get(cell_of(before[at]))
                .map_or(1, |cost| cost.value());
            let far = f64::from(dx * dx + dy * dy).sqrt();
            if unit.state == UnitState::Marching {
                self.walked[at] += far * f64::from(cost);
            }
            let (layer, ground) = &self.layers[unit.group.index()];
            // Bodies of one cell meet the walls of their layer, as these are now.
            let is_slim = self.world.movement(*layer).map_or(1, Movement::size) == 1;
            let now = self.world.on(*layer).filter(|_| is_slim);
            let ground = now.map_or(ground, |now| now.costs());
            record.wall_overlaps += u64::from(is_in_wall(ground, unit.position, unit.radius));
        }
        let deepest = self.army.deepest_overlap();
        record.deepest_overlap = record.deepest_overlap.max(deepest);
        if let Some(watcher) = &mut self.watcher {
            watcher.note(self.tick, before, self.army.units(), deepest);
        }
        self.usage.note(self.tick, before, &self.army);
        for event in self.army.events() {
            if let ArmyEvent::Stuck { unit, level: 3 } = *event {
                self.told_stuck[unit as usize] = true;
            }
        }
        self.tracker.note(self.tick, &self.army);
        let arrived = self.count(UnitState::Arrived);
        let reachable = self.army.units().len() - self.count(UnitState::Unreachable);
        for (time, share) in self.record.times.iter_mut().zip([50, 90, 100]) {
            if arrived > 0 && arrived * 100 >= reachable * share {
                time.get_or_insert(self.tick);
            } else {
                *time = None;
            }
        }
    }

    /// Returns the gates: the area of each, and the teams to which it is open now.
    pub fn gates(&self) -> impl Iterator<Item = (CellRect, Teams)> {
        let inside = self.world.inspect();
        self.gates.iter().filter_map(move |&gate| inside.gate(gate))
    }

    /// Returns the value of one of the crowd's fields at a position; `None` where
    /// the crowd has no value, and in walls.
    pub fn value(&self, view: CrowdView, at: [f32; 2]) -> Option<f32> {
        let cost = self.world.costs().get(cell_of(at))?;
        if cost.is_wall() {
            return None;
        }
        let crowd = self.army.crowd()?;
        let stream = self.army.stream(self.groups[view.group]);
        match view.layer {
            CrowdLayer::Density => crowd.density(at),
            CrowdLayer::Speed => crowd.pace(&self.world, stream?, at),
            CrowdLayer::Potential => crowd.potential(stream?, at),
            CrowdLayer::Discomfort => {
                let felt = stream.and_then(|stream| crowd.discomfort(&self.world, stream, at));
                felt.or_else(|| self.painted(at))
            }
        }
    }

    /// The painted discomfort at a position.
    fn painted(&self, at: [f32; 2]) -> Option<f32> {
        let on = |(area, _): &&(CellRect, f32)| area.contains(cell_of(at));
        let painted = self.scene.painted.iter().filter(on);
        Some(painted.map(|(_, discomfort)| discomfort).sum())
    }

    fn count(&self, state: UnitState) -> usize {
        self.army
            .units()
            .iter()
            .filter(|unit| unit.state == state)
            .count()
    }

    /// Completes the record.
    pub fn finish(mut self) -> Record {
        self.record.ticks = self.tick;
        self.record.is_final = self.aims.iter().all(Aim::is_final);
        self.record.fallen = self.fallen.len();
        self.record.arrived = self.count(UnitState::Arrived);
        self.record.cut_off = self.count(UnitState::Unreachable);
        let units = self.army.units();
        let is_stuck =
            |unit: &&Unit| unit.state == UnitState::Marching && self.told_stuck[unit.id as usize];
        self.record.stuck = units.iter().filter(is_stuck).count();
        self.record.walked = self.walked.iter().sum::<f64>() / self.walked.len().max(1) as f64;
        self.record.over_optimum = self.over_optimum();
        self.record.watched = self.watcher.take().map(Watcher::finish);
        self.record.usage = self.usage.finish();
        self.record.targets = self.tracker.finish(&self.army);
        self.record.hash = self.army.state_hash();
        self.record
    }

    /// Returns the median, over all units that arrived, of the price walked divided
    /// by the price of the cheapest path to where they are. `None` for a scene in
    /// which the map or a goal changes, or with links.
    fn over_optimum(&self) -> Option<f64> {
        if !self.scene.incidents.is_empty() || !self.scene.links.is_empty() {
            return None;
        }
        let mut ratios = Vec::new();
        for (band, &group) in self.scene.bands.iter().zip(&self.groups) {
            // Prices on other layers are not those of the ground.
            if band.movement != Movement::new() {
                continue;
            }
            let Aim::Goal(goal) = band.aim else { continue };
            let arrived = |unit: &Unit| unit.group == group && unit.state == UnitState::Arrived;
            if !self.army.units().iter().any(arrived) {
                continue;
            }
            let optimum = Optimum::to(self.world.costs(), goal);
            for unit in self.army.units() {
                if !arrived(unit) {
                    continue;
                }
                let at = unit.id as usize;
                // This is a lower bound: the path to the goal is no longer than the
                // path to this cell and on.
                let ends = [self.starts[at], cell_of(unit.position)].map(|c| optimum.from(c));
                if let [Some(start), Some(end)] = ends
                    && start - end >= 3.0
                {
                    ratios.push(self.walked[at] / (start - end));
                }
            }
        }
        ratios.sort_by(f64::total_cmp);
        ratios.get(ratios.len() / 2).copied()
    }
}

fn refused(error: ArmyError) -> Failure {
    Failure::Input(error.to_string())
}

/// Gives the crowd its settings, and paints the ground for it.
fn prepare_crowd(army: &mut Army, world: &FlowWorld, scene: &Scene) -> Result<(), Failure> {
    let refused = |error: CrowdError| Failure::Input(error.to_string());
    army.set_crowd_settings(scene.tuning.settings)
        .map_err(refused)?;
    for &(area, strength) in &scene.painted {
        let crowd = army.crowd_mut();
        crowd.paint(world, area, strength).map_err(refused)?;
    }
    Ok(())
}

/// The ground of each band: a wall where its units may not go, however wide they are.
fn grounds(scene: &Scene) -> Vec<CostMap> {
    let ground = |band: &Band| {
        let rows = scene.costs.to_rows();
        let cost = |kind: u8| Cost::new(kind).map_or(kind, |kind| band.movement.cost(kind).value());
        let rows: Vec<u8> = rows.into_iter().map(cost).collect();
        let (width, height) = (scene.costs.width(), scene.costs.height());
        CostMap::from_rows(width, height, &rows).unwrap_or_else(|_| scene.costs.clone())
    };
    scene.bands.iter().map(ground).collect()
}
