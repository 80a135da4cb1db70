//! Runs a scene tick by tick, with gauges that measure it.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use flowtiles::steer::{Unit, UnitState};
use flowtiles::{Budget, CellRect};
use flowtiles_country::Colour;
use flowtiles_scenes::{Aim, Part, Runner, Scene, ScriptedEvent};

use crate::support::failure::Failure;
use crate::support::figures::Figures;
use crate::support::threads::on_threads;

/// The work of the world in a tick.
const BUDGET: u64 = 20_000;
/// The cells around the part of the map that units use.
const AROUND: i32 = 4;

/// How scenes are run.
#[derive(Clone, Copy)]
pub struct RunOptions {
    /// The last tick, if not the scene's own.
    pub ticks: Option<u32>,
    pub threads: NonZeroUsize,
}

/// Measures a run, or films it.
pub trait Gauge {
    /// Takes a tick.
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
                places.extend(run.play.army.units().iter().map(|unit| unit.position));
                for at in places.drain(..) {
                    ends[0] = [0, 1].map(|axis| ends[0][axis].min(at[axis]));
                    ends[1] = [0, 1].map(|axis| ends[1][axis].max(at[axis]));
                }
                if !run.goes_on(self.ticks.unwrap_or(scene.ticks)) {
                    break;
                }
                run.step()?;
                run.play.remove_fallen();
            }
            let [low, high] = ends.map(|end| end.map(|at| at as i32));
            let [x, y] = low.map(|at| at - AROUND);
            let size = [0, 1].map(|axis| (high[axis] - low[axis] + 1 + 2 * AROUND) as u32);
            let used = CellRect::new(x, y, size[0], size[1]);
            Ok((whole(scene).intersection(used), run.play.tick))
        })?
    }

    /// Runs a scene to its end. The gauges see units that were killed in a tick, the film does not.
    ///
    /// # Errors
    /// If an order is refused.
    pub fn run(
        &self,
        scene: &Scene,
        gauges: fn(&Scene) -> Vec<Box<dyn Gauge>>,
        mut film: Option<&mut (dyn Gauge + Send)>,
    ) -> Result<Figures, Failure> {
        on_threads(self.threads.get(), || {
            let mut run = Run::new(scene)?;
            let mut gauges = gauges(scene);
            while run.goes_on(self.ticks.unwrap_or(scene.ticks)) {
                run.step()?;
                gauges.iter_mut().for_each(|gauge| gauge.observe(&run));
                let fallen = run.play.remove_fallen();
                run.fallen.extend(fallen);
                if let Some(film) = &mut film {
                    film.observe(&run);
                }
            }
            let mut figures = film.map_or_else(Figures::default, |film| film.finish(&run));
            for gauge in &mut gauges {
                figures.extend(gauge.finish(&run));
            }
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
    pub play: Runner,
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
    /// Musters the units and gives the orders. Formations are formed once their field is ready.
    fn new(scene: &'a Scene) -> Result<Self, Failure> {
        let mut play = Runner::begin(scene, None).map_err(Failure::Input)?;
        let before = play.army.units().iter().map(|unit| unit.position);
        let before = before.collect();
        play.settle();
        play.form(scene).map_err(Failure::Input)?;
        Ok(Self {
            scene,
            play,
            before,
            sent: Vec::new(),
            fallen: Vec::new(),
            level_changes: 0,
            tick_times: Vec::new(),
            solve_times: Vec::new(),
        })
    }

    fn goes_on(&self, ticks: u32) -> bool {
        let mut aims = self.play.bands.iter().map(|band| &band.aim);
        let is_endless = aims.any(Aim::is_endless) || self.scene.runs_on;
        let is_to_come = self.play.is_scripted() || is_endless;
        self.play.tick < ticks && (is_to_come || !self.play.army.is_settled())
    }

    fn step(&mut self) -> Result<(), Failure> {
        self.sent.clear();
        for event in self.play.due() {
            self.play.carry_out(&event).map_err(Failure::Input)?;
            if let ScriptedEvent::Send(band, _) = event {
                self.sent.push(band);
            }
        }
        for unit in self.play.army.units() {
            self.before[unit.id as usize] = unit.position;
        }
        let begin = Instant::now();
        let mut solving = begin;
        let stepped = self.play.step(Budget::cells(BUDGET), |part| match part {
            Part::World => solving = Instant::now(),
            Part::CrowdFields => self.solve_times.push(solving.elapsed()),
            Part::Army => self.tick_times.push(begin.elapsed()),
        });
        self.level_changes += stepped.level_changes;
        Ok(())
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
        let units = self.play.army.units().iter();
        units.filter(|unit| unit.state == state).count()
    }
}
