//! Measures how well a crowd sorts itself into lanes, and when its units reach their goals.
//!
//! ```text
//!   → → → →            → ← → ←
//!   ← ← ← ←            ← → ← →
//!   → → → →            → ← → ←
//!   alignment near 1   alignment near 0
//!   3 stripes          rows of no clear owner
//! ```

use std::ops::Range;

use flowtiles::CellRect;
use flowtiles::steer::{Unit, UnitState};
use flowtiles_scenes::walls::cell_of;
use flowtiles_scenes::{Aim, Scene, Watch};

use super::run::{Gauge, Run};
use crate::support::figures::Figures;

/// The part of a disc that loosely packed units fill.
const PACKING: f32 = 0.55;
/// Groups meet while at least 1/`MEETING` of each group's units are in the middle.
const MEETING: usize = 10;
/// Neighbours within this distance count for the alignment, in cells.
const NEIGHBOURS: f32 = 1.5;
/// Below this speed a unit has no direction, in cells a second.
const STANDING_SPEED: f32 = 0.1;
/// The height of a row of a window, in cells: about a unit.
const ROW: f32 = 0.5;

/// Measures a watched scene.
#[derive(Default)]
pub struct CrowdGauge {
    /// By group: the disc around its goal with room for all its units.
    discs: Vec<Option<Disc>>,
    /// By group: the number of its units.
    sizes: Vec<usize>,
    /// By unit: the first tick in which it was in its goal's disc or had arrived next to it.
    reached: Vec<Option<u32>>,
    /// By unit: whether it ever was on painted ground.
    entered: Vec<bool>,
    speed: Mean,
    deepest: Mean,
    alignment: Mean,
    stripes: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Disc {
    centre: [f32; 2],
    radius_squared: f32,
}

impl Disc {
    fn contains(self, position: [f32; 2]) -> bool {
        let [dx, dy] = [0, 1].map(|axis| position[axis] - self.centre[axis]);
        dx * dx + dy * dy <= self.radius_squared
    }
}

#[derive(Default)]
struct Mean {
    sum: f64,
    count: u64,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
    }

    /// `None` without values.
    fn get(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }
}

impl CrowdGauge {
    pub fn new(scene: &Scene) -> Self {
        let sizes: Vec<usize> = scene.bands.iter().map(|band| band.recruits.len()).collect();
        let discs = scene.bands.iter().map(|band| {
            let radii = band.recruits.iter().map(|recruit| recruit.radius);
            disc(&band.aim, radii)
        });
        Self {
            discs: discs.collect(),
            reached: vec![None; sizes.iter().sum()],
            entered: vec![false; sizes.iter().sum()],
            sizes,
            ..Self::default()
        }
    }

    fn note_place(&mut self, scene: &Scene, tick: u32, unit: &Unit) {
        let number = unit.id as usize;
        let disc = self.discs[unit.group.index()];
        let is_in = disc.is_some_and(|disc| disc.contains(unit.position));
        if unit.state == UnitState::Arrived || is_in {
            self.reached[number].get_or_insert(tick);
        }
        let mut painted = scene.painted.iter();
        let cell = cell_of(unit.position);
        self.entered[number] |= painted.any(|(area, _)| area.contains(cell));
    }

    fn note_flow(&mut self, run: &Run<'_>, watch: &Watch) {
        let velocity = |unit: &Unit| run.way_of(unit).map(|way| way * run.scene.rate as f32);
        let is_in = |area: CellRect, unit: &Unit| area.contains(cell_of(unit.position));
        let mut marching: Vec<&Unit> = run.play.army.units().iter().collect();
        marching.retain(|unit| unit.state == UnitState::Marching);
        let mut in_middle = vec![0; self.sizes.len()];
        let mut places = Vec::new();
        for unit in &marching {
            let [x, y] = velocity(unit).map(f64::from);
            self.speed.add((x * x + y * y).sqrt());
            let group = unit.group.index();
            in_middle[group] += usize::from(is_in(watch.middle, unit));
            if watch.window.is_some_and(|window| is_in(window, unit)) {
                places.push((group, unit.position[1]));
            }
        }
        let mut groups = in_middle.iter().zip(&self.sizes);
        if groups.all(|(inside, size)| inside * MEETING >= *size) {
            marching.retain(|unit| is_in(watch.middle, unit));
            for unit in marching {
                let mut others = run.play.army.units_within(unit.position, NEIGHBOURS);
                others.retain(|other| other.id != unit.id && other.state == UnitState::Marching);
                let velocities = others.into_iter().map(velocity);
                if let Some(alignment) = alignment(velocity(unit), velocities) {
                    self.alignment.add(alignment);
                }
            }
        }
        if let Some(CellRect { y, height, .. }) = watch.window {
            let stripes = stripes(
                &places,
                y as f32..y as f32 + height as f32,
                self.sizes.len(),
            );
            self.stripes.extend(stripes);
        }
    }

    /// Seconds until this percentage of the units had been at their goal.
    fn until(&self, percent: usize, rate: u32) -> Option<f64> {
        let mut ticks: Vec<u32> = self.reached.iter().copied().flatten().collect();
        ticks.sort_unstable();
        let wanted = (self.reached.len() * percent).div_ceil(100);
        let tick = ticks.get(wanted.checked_sub(1)?)?;
        Some(f64::from(*tick) / f64::from(rate))
    }
}

impl Gauge for CrowdGauge {
    fn observe(&mut self, run: &Run<'_>) {
        for &band in &run.sent {
            // Its units have to arrive again.
            let members = || run.play.army.members(run.play.bands[band].group);
            self.discs[band] = disc(&run.play.bands[band].aim, members().map(|unit| unit.radius));
            members().for_each(|unit| self.reached[unit.id as usize] = None);
        }
        self.deepest.add(f64::from(run.play.army.deepest_overlap()));
        for unit in run.play.army.units() {
            self.note_place(run.scene, run.play.tick, unit);
        }
        if let Some(watch) = &run.scene.watch {
            self.note_flow(run, watch);
        }
    }

    fn finish(&mut self, run: &Run<'_>) -> Figures {
        self.stripes.sort_unstable();
        let stripes = self.stripes.get(self.stripes.len() / 2).copied();
        let entered = self.entered.iter().filter(|entered| **entered).count();
        let until = |percent| self.until(percent, run.scene.rate);
        Figures::default()
            .with("d50", until(50), "s")
            .with("d90", until(90), "s")
            .with("d100", until(100), "s")
            .with("mean_speed", self.speed.get(), "cells a second")
            .with("mean_deepest_overlap", self.deepest.get(), "cells")
            .with("lane_order", self.alignment.get(), "")
            .with("stripes", stripes, "")
            .with("entered", entered, "units")
    }
}

/// The disc around the goal of units of these radii; `None` without a goal.
fn disc(aim: &Aim, radii: impl Iterator<Item = f32>) -> Option<Disc> {
    let Aim::Goal(goal) = aim else { return None };
    let squares: f32 = radii.map(|radius| radius * radius).sum();
    Some(Disc {
        centre: goal.centre(),
        radius_squared: squares / PACKING,
    })
}

/// The direction of a velocity as a unit vector; [0, 0] for a standing unit.
fn direction([x, y]: [f32; 2]) -> [f32; 2] {
    let speed = (x * x + y * y).sqrt();
    if speed < STANDING_SPEED {
        [0.0, 0.0]
    } else {
        [x / speed, y / speed]
    }
}

/// The mean dot product of a unit's direction with those of its neighbours; a standing
/// neighbour counts as 0. `None` without neighbours.
fn alignment(velocity: [f32; 2], neighbours: impl Iterator<Item = [f32; 2]>) -> Option<f64> {
    let own = direction(velocity);
    let (mut sum, mut count) = (0.0, 0u32);
    for other in neighbours.map(direction) {
        sum += own[0] * other[0] + own[1] * other[1];
        count += 1;
    }
    (count > 0).then(|| f64::from(sum) / f64::from(count))
}

/// The number of stripes, each of one group, across a flow. `places` are the positions across
/// the flow of the units in a window. The window is cut into rows, and each row belongs to the
/// group with the most units in it. Rows without an owner are left out. `None` if fewer than
/// two groups are in the window.
fn stripes(places: &[(usize, f32)], across: Range<f32>, groups: usize) -> Option<u32> {
    let &(first, _) = places.first()?;
    if places.iter().all(|&(group, _)| group == first) {
        return None;
    }
    let rows = ((across.end - across.start) / ROW).ceil() as usize;
    let mut counts = vec![vec![0u32; groups]; rows];
    for &(group, place) in places {
        let row = ((place - across.start) / ROW) as usize;
        counts[row.min(rows - 1)][group] += 1;
    }
    let owner = |counts: Vec<u32>| {
        let most = counts.iter().copied().max().filter(|most| *most > 0)?;
        let mut with_most = (0..groups).filter(|&group| counts[group] == most);
        match (with_most.next(), with_most.next()) {
            (Some(owner), None) => Some(owner),
            // Groups with equally many units do not own the row.
            _ => None,
        }
    };
    let mut owners: Vec<usize> = counts.into_iter().filter_map(owner).collect();
    owners.dedup();
    Some(owners.len() as u32)
}

#[cfg(test)]
mod tests {
    use flowtiles::Cell;
    use flowtiles::steer::GroupId;
    use flowtiles_scenes::UnitSpec;
    use flowtiles_scenes::scene::{Band, walled};

    use super::*;

    #[test]
    fn alignment_by_hand() {
        let alignment = |others: &[[f32; 2]]| alignment([4.0, 0.0], others.iter().copied());
        assert_eq!(alignment(&[]), None, "no neighbour");
        assert_eq!(alignment(&[[-2.0, 0.0]]), Some(-1.0));
        assert_eq!(alignment(&[[0.05, 0.0]]), Some(0.0), "one that stands");
        assert_eq!(alignment(&[[2.0, 0.0], [0.0, 1.0]]), Some(0.5));
    }

    #[test]
    fn stripes_by_hand() {
        let stripes = |places: &[(usize, f32)]| stripes(places, 5.0..9.0, 2);
        assert_eq!(stripes(&[(0, 5.1), (0, 8.0)]), None, "one group alone");
        assert_eq!(stripes(&[(0, 5.1), (1, 8.0)]), Some(2));
        let lanes = [(0, 5.1), (0, 5.7), (1, 6.2), (1, 7.4), (0, 8.9)];
        assert_eq!(stripes(&lanes), Some(3), "the empty rows join");
        let majority = [(0, 5.1), (0, 5.2), (1, 5.3), (1, 8.0)];
        assert_eq!(stripes(&majority), Some(2));
        let tie = [(0, 5.1), (1, 5.2), (0, 6.1), (1, 7.1)];
        assert_eq!(stripes(&tie), Some(2), "a row of no clear owner");
    }

    /// Two units whose goal's disc has a radius of √(2·0.3²/0.55) = 0.57.
    #[test]
    fn discs_and_swamps_by_hand() {
        let recruits = vec![UnitSpec::at([1.5, 1.5]), UnitSpec::at([1.5, 3.5])];
        let aim = Aim::Goal(Cell::new(8, 2));
        let bands = vec![Band::new(0, aim, recruits)];
        let mut scene = Scene::new(walled(20, 10, &[]), bands);
        scene.painted = vec![(CellRect::new(3, 3, 2, 2), 1.0)];
        let mut gauge = CrowdGauge::new(&scene);
        // The first unit enters the disc in tick 3, 0.56 from its centre; that it leaves again
        // in tick 4, 0.6 away, does not count.
        let ways = [
            [[5.5, 2.5], [8.5, 1.92], [8.5, 1.94], [8.5, 1.9]],
            [[4.5, 3.5], [5.5, 4.5], [7.5, 3.5], [7.5, 3.5]],
        ];
        for (id, way) in (0..).zip(ways) {
            for (tick, place) in (1..).zip(way) {
                gauge.note_place(&scene, tick, &Unit::new(id, GroupId::default(), place));
            }
        }
        assert_eq!(gauge.reached, [Some(3), None]);
        assert_eq!(gauge.entered, [false, true]);
        let until = [50, 90].map(|share| gauge.until(share, 10));
        assert_eq!(until, [Some(0.3), None]);
    }
}
