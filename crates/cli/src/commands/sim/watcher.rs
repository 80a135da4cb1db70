//! Measures a crowd scene while it runs.

use flowtiles::CellRect;
use flowtiles::steer::{Unit, UnitState};

use super::measure::{Mean, Walker, median, note_order, stripes};
use flowtiles_scenes::walls::cell_of;
use flowtiles_scenes::{Aim, Scene, Watch};

/// Loosely packed circles fill this part of a disc.
const LOOSE: f32 = 0.55;

/// Groups meet while at least one in this many of each group's units is in the
/// middle.
const MEETING: usize = 10;

/// The measurements of a watch.
#[derive(Clone, Debug, Default)]
pub struct Watched {
    /// Seconds until a half, nine tenths and all had reached their goal's disc,
    /// or had arrived at the edge of a fuller one.
    pub reached: [Option<f64>; 3],
    /// The mean speed of marching units, in cells a second.
    pub mean_speed: Option<f64>,
    /// The mean over the ticks of the deepest overlap in each.
    pub mean_deepest: Option<f64>,
    pub lane_order: Option<f64>,
    /// The median over the ticks.
    pub stripes: Option<u32>,
    /// The units that entered a painted area.
    pub entered: usize,
}

/// The disc around a goal with room for all units of a band.
#[derive(Clone, Copy)]
struct Disc {
    middle: [f32; 2],
    square: f32,
}

impl Disc {
    fn holds(&self, [x, y]: [f32; 2]) -> bool {
        let (dx, dy) = (x - self.middle[0], y - self.middle[1]);
        dx * dx + dy * dy <= self.square
    }
}

/// The record of a unit.
#[derive(Clone, Copy, Default)]
struct Seen {
    /// The first tick in which it was in its goal's disc or had arrived next to
    /// it.
    reached: Option<u32>,
    entered: bool,
}

/// The measurements in progress.
pub struct Watcher<'a> {
    watch: &'a Watch,
    painted: Vec<CellRect>,
    rate: u32,
    /// By group.
    discs: Vec<Option<Disc>>,
    /// The number of units of each group.
    sizes: Vec<usize>,
    /// By unit.
    seen: Vec<Seen>,
    speed: Mean,
    deepest: Mean,
    order: Mean,
    stripes: Vec<u32>,
}

impl<'a> Watcher<'a> {
    /// Begins to measure a scene; `None` if the scene does not ask for it.
    pub fn new(scene: &'a Scene) -> Option<Self> {
        let watch = scene.watch.as_ref()?;
        let mut watcher = Self {
            watch,
            painted: scene.painted.iter().map(|&(area, _)| area).collect(),
            rate: scene.rate,
            discs: vec![None; scene.bands.len()],
            sizes: scene.bands.iter().map(|band| band.recruits.len()).collect(),
            seen: vec![Seen::default(); scene.bands.iter().map(|b| b.recruits.len()).sum()],
            speed: Mean::default(),
            deepest: Mean::default(),
            order: Mean::default(),
            stripes: Vec::new(),
        };
        for (band, of) in scene.bands.iter().enumerate() {
            watcher.discs[band] = disc(&of.aim, of.recruits.iter().map(|recruit| recruit.radius));
        }
        Some(watcher)
    }

    /// Records that a group was sent elsewhere, so its units have to arrive again.
    pub fn sent(&mut self, group: usize, aim: &Aim, units: &[Unit]) {
        let members = || units.iter().filter(|unit| unit.group.index() == group);
        self.discs[group] = disc(aim, members().map(|unit| unit.radius));
        for unit in units {
            if unit.group.index() == group {
                self.seen[unit.id as usize].reached = None;
            }
        }
    }

    /// Measures a tick that moved the units from the positions `before`.
    pub fn note(&mut self, tick: u32, before: &[[f32; 2]], units: &[Unit], deepest: f32) {
        self.deepest.add(f64::from(deepest));
        let mut walkers = Vec::new();
        for unit in units {
            let at = unit.id as usize;
            self.note_place(tick, at, unit);
            if unit.state == UnitState::Marching {
                let came = [0, 1].map(|axis| unit.position[axis] - before[at][axis]);
                let velocity = came.map(|along| along * self.rate as f32);
                let [x, y] = velocity.map(f64::from);
                self.speed.add((x * x + y * y).sqrt());
                walkers.push(Walker {
                    group: unit.group.index(),
                    position: unit.position,
                    velocity,
                });
            }
        }
        self.note_flow(&walkers);
    }

    fn note_place(&mut self, tick: u32, at: usize, unit: &Unit) {
        let seen = &mut self.seen[at];
        let cell = cell_of(unit.position);
        let disc = self.discs[unit.group.index()];
        if unit.state == UnitState::Arrived || disc.is_some_and(|disc| disc.holds(unit.position)) {
            seen.reached.get_or_insert(tick);
        }
        seen.entered |= self.painted.iter().any(|area| area.contains(cell));
    }

    fn note_flow(&mut self, walkers: &[Walker]) {
        let inside =
            |area: CellRect| move |walker: &Walker| area.contains(cell_of(walker.position));
        let groups = self.discs.len();
        let in_middle = inside(self.watch.middle);
        let mut there = vec![0; groups];
        for walker in walkers.iter().filter(|walker| in_middle(walker)) {
            there[walker.group] += 1;
        }
        let mut shares = there.iter().zip(&self.sizes);
        if shares.all(|(there, size)| there * MEETING >= *size) {
            note_order(walkers, in_middle, &mut self.order);
        }
        if let Some(window) = self.watch.window {
            let in_window = walkers.iter().filter(|walker| inside(window)(walker));
            let places: Vec<_> = in_window.map(|w| (w.group, w.position[1])).collect();
            let across = window.y as f32..window.y as f32 + window.height as f32;
            self.stripes.extend(stripes(&places, across, groups));
        }
    }

    /// Completes the measurements.
    pub fn finish(self) -> Watched {
        let mut reached: Vec<u32> = self.seen.iter().filter_map(|seen| seen.reached).collect();
        reached.sort_unstable();
        let share = |percent: usize| {
            let wanted = (self.seen.len() * percent).div_ceil(100);
            let tick = reached.get(wanted.checked_sub(1)?)?;
            Some(f64::from(*tick) / f64::from(self.rate))
        };
        Watched {
            reached: [50, 90, 100].map(share),
            mean_speed: self.speed.get(),
            mean_deepest: self.deepest.get(),
            lane_order: self.order.get(),
            stripes: median(&self.stripes),
            entered: self.seen.iter().filter(|seen| seen.entered).count(),
        }
    }
}

/// Returns the disc around the goal of units of these radii; `None` without a
/// goal.
fn disc(aim: &Aim, radii: impl Iterator<Item = f32>) -> Option<Disc> {
    let Aim::Goal(goal) = *aim else { return None };
    let squares: f32 = radii.map(|radius| radius * radius).sum();
    Some(Disc {
        middle: [goal.x as f32 + 0.5, goal.y as f32 + 0.5],
        square: squares / LOOSE,
    })
}

#[cfg(test)]
mod tests {
    use flowtiles::Cell;
    use flowtiles::steer::GroupId;

    use super::*;
    use flowtiles_scenes::scene::{Band, Recruit, walled};

    /// Two units whose goal's disc has a radius of √(2·0.3²/0.55) = 0.57.
    fn scene() -> Scene {
        let recruits = vec![Recruit::at([1.5, 1.5]), Recruit::at([1.5, 3.5])];
        let aim = Aim::Goal(Cell::new(8, 2));
        let mut scene = Scene::new(walled(20, 10, &[]), vec![Band::new(0, aim, recruits)]);
        scene.rate = 10;
        scene.painted = vec![(CellRect::new(3, 3, 2, 2), 1.0)];
        scene.watch = Some(Watch::of(CellRect::new(0, 0, 20, 10)));
        scene
    }

    /// Walks two units through places, a tick each; from the tick `arrived` on
    /// the second has arrived.
    fn walk(watcher: &mut Watcher<'_>, places: &[[[f32; 2]; 2]], arrived: u32) -> Vec<Unit> {
        let mut before = [[1.5, 1.5], [1.5, 3.5]];
        let mut units = Vec::new();
        for (tick, now) in (1..).zip(places) {
            let unit = |id: usize| Unit::new(id as u32, GroupId::default(), now[id]);
            units = vec![unit(0), unit(1)];
            if tick >= arrived {
                units[1].state = UnitState::Arrived;
            }
            watcher.note(tick, &before, &units, 0.1 * tick as f32);
            before = *now;
        }
        units
    }

    const PLACES: [[[f32; 2]; 2]; 4] = [
        [[5.5, 2.5], [4.5, 3.5]],
        [[8.5, 1.92], [5.5, 4.5]],
        [[8.5, 1.94], [7.5, 3.5]],
        // It leaves again, which does not matter any more.
        [[8.5, 1.9], [7.5, 3.5]],
    ];

    #[test]
    fn discs_and_swamps_by_hand() {
        let scene = scene();
        let mut watcher = Watcher::new(&scene).expect("a watched scene");
        walk(&mut watcher, &PLACES, 4);
        let watched = watcher.finish();
        assert_eq!(watched.reached, [Some(0.3), Some(0.4), Some(0.4)]);
        assert_eq!(watched.entered, 1);
        let deepest = watched.mean_deepest.expect("ticks");
        assert!((deepest - 0.25).abs() < 1e-6, "{deepest}");
        assert_eq!(watched.stripes, None);
    }

    #[test]
    fn who_never_gets_there_has_no_time() {
        let scene = scene();
        let mut watcher = Watcher::new(&scene).expect("a watched scene");
        walk(&mut watcher, &PLACES, u32::MAX);
        assert_eq!(watcher.finish().reached, [Some(0.3), None, None]);
    }

    #[test]
    fn another_goal_starts_the_count_anew() {
        let scene = scene();
        let mut watcher = Watcher::new(&scene).expect("a watched scene");
        let units = walk(&mut watcher, &PLACES, u32::MAX);
        watcher.sent(0, &Aim::Goal(Cell::new(7, 3)), &units);
        let before = [units[0].position, units[1].position];
        watcher.note(5, &before, &units, 0.0);
        assert_eq!(watcher.finish().reached, [Some(0.5), None, None]);
    }

    #[test]
    fn the_speed_is_that_of_who_marches() {
        let scene = scene();
        let mut watcher = Watcher::new(&scene).expect("a watched scene");
        walk(&mut watcher, &[[[1.9, 1.5], [1.5, 3.5]]], 1);
        let speed = watcher.finish().mean_speed.expect("one who marches");
        assert!(
            (speed - 4.0).abs() < 1e-4,
            "0.4 cells in a tenth of a second: {speed}"
        );
    }
}
