//! Runs a scene tick by tick, with gauges that measure it.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use flowtiles::steer::parts::anchor;
use flowtiles::steer::{Army, GroupId, Target, Unit, UnitState};
use flowtiles::{Budget, Cell, CellRect, FlowWorld, GateId, LayerId, LinkId, Teams};
use flowtiles_country::Colour;
use flowtiles_scenes::{Aim, Orders, Scene, ScriptedEvent, fallen};

use super::gauges::{clock, gauges};
use crate::support::failure::Failure;
use crate::support::figures::Figures;
use crate::support::threads::on_threads;

/// The work of the world in a tick.
const BUDGET: u64 = 20_000;
/// The cells around the part of the map that units use.
const AROUND: i32 = 4;
/// Jams are noted twice a second.
const JAM_RATE: u32 = 2;

/// How scenes are run.
#[derive(Clone, Copy)]
pub struct RunOptions {
    /// The last tick, if not the scene's own.
    pub ticks: Option<u32>,
    pub threads: NonZeroUsize,
}

/// Looks on at a run.
pub trait Observer {
    /// Takes a tick.
    fn see(&mut self, run: &Run<'_>);
    /// Takes the end.
    fn finish(&mut self, run: &Run<'_>);
}

/// Measures a run.
pub trait Gauge {
    /// Takes a tick, before the units killed in it are removed.
    fn observe(&mut self, run: &Run<'_>);
    /// The figures at the end.
    fn finish(&mut self, run: &Run<'_>) -> Figures;
}

impl RunOptions {
    /// The same on one thread, for many runs at once.
    pub const fn on_one_thread(self) -> Self {
        let threads = NonZeroUsize::MIN;
        Self { threads, ..self }
    }

    /// The part of the map that units use and the goals are in, with some cells around, and
    /// the last tick.
    ///
    /// # Errors
    /// If an order is refused.
    pub fn scout(&self, scene: &Scene) -> Result<(CellRect, u32), Failure> {
        on_threads(self.threads.get(), || {
            let mut run = Run::new(scene)?;
            let goals = scene.bands.iter().flat_map(|band| band.aim.goals());
            let goals = goals.map(|goal| [goal.x as f32, goal.y as f32]);
            let mut places: Vec<[f32; 2]> = goals.collect();
            let mut ends = [[f32::MAX; 2], [f32::MIN; 2]];
            loop {
                places.extend(run.army.units().iter().map(|unit| unit.position));
                for at in places.drain(..) {
                    ends[0] = [0, 1].map(|axis| ends[0][axis].min(at[axis]));
                    ends[1] = [0, 1].map(|axis| ends[1][axis].max(at[axis]));
                }
                if !run.goes_on(self.ticks.unwrap_or(scene.ticks)) {
                    break;
                }
                run.step()?;
                run.remove_fallen();
            }
            let [low, high] = ends.map(|end| end.map(|at| at as i32));
            let [x, y] = low.map(|at| at - AROUND);
            let size = [0, 1].map(|axis| (high[axis] - low[axis] + 1 + 2 * AROUND) as u32);
            let used = CellRect::new(x, y, size[0], size[1]);
            Ok((whole(scene).intersection(used), run.tick))
        })?
    }

    /// Runs a scene to its end.
    ///
    /// # Errors
    /// If an order is refused.
    pub fn run(
        &self,
        scene: &Scene,
        mut observer: Option<&mut (dyn Observer + Send)>,
    ) -> Result<Figures, Failure> {
        on_threads(self.threads.get(), || {
            let mut run = Run::new(scene)?;
            let mut gauges = gauges(&run);
            while run.goes_on(self.ticks.unwrap_or(scene.ticks)) {
                run.step()?;
                gauges.iter_mut().for_each(|gauge| gauge.observe(&run));
                run.remove_fallen();
                if let Some(observer) = &mut observer {
                    observer.see(&run);
                }
            }
            if let Some(observer) = observer {
                observer.finish(&run);
            }
            let mut figures = Figures::default();
            for gauge in &mut gauges {
                figures.extend(gauge.finish(&run));
            }
            figures.extend(clock(&run));
            Ok(figures)
        })?
    }
}

/// The whole map of a scene.
pub fn whole(scene: &Scene) -> CellRect {
    CellRect::new(0, 0, scene.costs.width(), scene.costs.height())
}

/// A running scene.
pub struct Run<'a> {
    pub scene: &'a Scene,
    pub world: FlowWorld,
    pub army: Army,
    /// The group of each band, its layer and its present aim.
    pub groups: Vec<GroupId>,
    pub layers: Vec<LayerId>,
    pub aims: Vec<Aim>,
    pub links: Vec<LinkId>,
    gates: Vec<GateId>,
    pub tick: u32,
    /// The position of each unit before the tick.
    pub before: Vec<[f32; 2]>,
    /// The bands that were sent elsewhere in the tick.
    pub sent: Vec<usize>,
    /// The units that a foe has reached, as they were then.
    pub fallen: Vec<Unit>,
    /// How often a quarter of a sector got another surcharge for jams.
    pub level_changes: usize,
    /// The time of each tick, and of the crowd's fields in it.
    pub tick_times: Vec<Duration>,
    pub solve_times: Vec<Duration>,
}

impl<'a> Run<'a> {
    /// Musters the units and gives the orders.
    fn new(scene: &'a Scene) -> Result<Self, Failure> {
        let mut world = FlowWorld::new(scene.costs.clone());
        let mut army = Army::new(scene.settings).map_err(refused)?;
        army.set_crowd_settings(scene.tuning.settings)
            .map_err(refused)?;
        for &(area, strength) in &scene.painted {
            let painted = army.crowd_mut().paint(&world, area, strength);
            painted.map_err(refused)?;
        }
        let prepared = scene.prepare(&mut world, &mut army).map_err(refused)?;
        let mut groups = Vec::new();
        for band in &scene.bands {
            let mut settings = band.settings();
            settings.conduct = scene.tuning.conduct;
            let group = army
                .add_group(Target::Flock, band.reading)
                .map_err(refused)?;
            army.configure(group, settings, &world).map_err(refused)?;
            groups.push(group);
            for recruit in &band.recruits {
                let id = army.units().len() as u32;
                let unit = Unit::new(id, group, recruit.position);
                army.add(recruit.equip(unit)).map_err(refused)?;
            }
        }
        let mut run = Self {
            scene,
            aims: scene.bands.iter().map(|band| band.aim.clone()).collect(),
            before: army.units().iter().map(|unit| unit.position).collect(),
            world,
            army,
            groups,
            layers: prepared.layers,
            links: prepared.links,
            gates: prepared.gates,
            tick: 0,
            sent: Vec::new(),
            fallen: Vec::new(),
            level_changes: 0,
            tick_times: Vec::new(),
            solve_times: Vec::new(),
        };
        for (number, band) in scene.bands.iter().enumerate() {
            run.send(number, &band.aim)?;
        }
        // Formations are formed once their field is ready.
        while run.world.tick(Budget::cells(BUDGET)).waiting > 0 {}
        for (band, &group) in scene.bands.iter().zip(&run.groups) {
            if let Some((shape, spacing)) = band.formation {
                let formed = run.army.form(group, shape, spacing, &run.world);
                formed.map_err(refused)?;
            }
        }
        Ok(run)
    }

    /// Gives a band an aim.
    fn send(&mut self, band: usize, aim: &Aim) -> Result<(), Failure> {
        let group = self.groups[band];
        let size = self.scene.bands[band].movement.size();
        let units = self.army.members(group);
        let cells: Vec<Cell> = units.map(|unit| anchor(size, unit.position)).collect();
        let mut orders = Orders {
            world: &mut self.world,
            army: &mut self.army,
            groups: &self.groups,
        };
        let given = orders.give(group, aim, self.layers[band], &cells);
        given.map_err(refused)?;
        self.aims[band] = aim.clone();
        Ok(())
    }

    fn goes_on(&self, ticks: u32) -> bool {
        let incidents = &self.scene.incidents;
        let is_to_come = incidents.iter().any(|(when, _)| *when >= self.tick);
        let is_endless = self.aims.iter().any(Aim::is_endless) || self.scene.runs_on;
        self.tick < ticks && (is_to_come || is_endless || !self.army.is_settled())
    }

    fn step(&mut self) -> Result<(), Failure> {
        self.happen()?;
        for unit in self.army.units() {
            self.before[unit.id as usize] = unit.position;
        }
        let begin = Instant::now();
        self.world.tick(Budget::cells(BUDGET));
        let seconds = 1.0 / self.scene.rate as f32;
        let solving = Instant::now();
        self.army.foresee(&self.world, seconds);
        self.solve_times.push(solving.elapsed());
        self.army.advance(&self.world, seconds);
        self.army.cover_strays(&mut self.world);
        if self.scene.notes_jams()
            && self
                .tick
                .is_multiple_of((self.scene.rate / JAM_RATE).max(1))
        {
            self.level_changes += self.army.note_jams(&mut self.world).changed;
        }
        self.tick_times.push(begin.elapsed());
        self.tick += 1;
        Ok(())
    }

    fn happen(&mut self) -> Result<(), Failure> {
        self.sent.clear();
        let scene = self.scene;
        let now = scene
            .incidents
            .iter()
            .filter(|(when, _)| *when == self.tick);
        for (_, incident) in now.collect::<Vec<_>>() {
            match *incident {
                ScriptedEvent::Edit(area, cost) => {
                    let edited = self.world.edit(area, cost);
                    edited.map_err(refused)?;
                    self.army.put_out_of_walls(&self.world);
                }
                ScriptedEvent::Send(band, ref aim) => {
                    self.send(band, aim)?;
                    self.sent.push(band);
                }
                ScriptedEvent::Gate(gate, open_to) => {
                    self.world.set_gate(self.gates[gate], open_to);
                    self.army.put_out_of_walls(&self.world);
                }
            }
        }
        Ok(())
    }

    fn remove_fallen(&mut self) {
        if let Some(reach) = self.scene.reach {
            for unit in fallen(&self.army, reach) {
                self.fallen.extend(self.army.remove(unit));
            }
        }
    }

    /// The gates: the area of each, and the teams to which it is open now.
    pub fn gates(&self) -> Vec<(CellRect, Teams)> {
        let inside = self.world.inspect();
        self.gates
            .iter()
            .filter_map(|&gate| inside.gate(gate))
            .collect()
    }

    pub fn colour_of(&self, unit: &Unit) -> Colour {
        self.scene.bands[unit.group.index()].colour
    }

    /// How far a unit came in the tick, along both axes.
    pub fn way_of(&self, unit: &Unit) -> [f32; 2] {
        let before = self.before[unit.id as usize];
        [0, 1].map(|axis| unit.position[axis] - before[axis])
    }

    pub fn count(&self, state: UnitState) -> usize {
        let units = self.army.units().iter();
        units.filter(|unit| unit.state == state).count()
    }
}

fn refused(error: impl ToString) -> Failure {
    Failure::Input(error.to_string())
}
