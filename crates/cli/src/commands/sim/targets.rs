//! What shows that each band does what its target asks.
//!
//! ```text
//!   hold      pushed ≤ …, back at its place     attack   who fell
//!   stand     how far it gave way, at rest      flee     how near its foes came
//!   follow    how far off its leader            formation, spread
//!   stops     which, in which order                      places and width before,
//!   pursue    when in range, when lost                   in and behind a pass
//! ```

use std::collections::BTreeMap;

use flowtiles::Cell;
use flowtiles::steer::{ArmyEvent, GroupId, Unit, assign};
use flowtiles_scenes::scene::Band;
use flowtiles_scenes::{Aim, Scene};

use super::run::{Gauge, Run};
use crate::support::figures::Figures;

/// A unit that follows has caught up after this many ticks.
const CAUGHT_UP: u32 = 100;

/// The measurements of all bands.
pub struct Targets(Vec<Track>);

/// The measurement of one band. Distances are between the middles of units.
struct Track {
    band: usize,
    /// Whether it is that of the passage through a pass.
    is_pass: bool,
    figures: Figures,
    /// The places of its units at the beginning, or in its formation; by unit.
    places: BTreeMap<u32, [f32; 2]>,
    /// Where its middle was at the beginning.
    began: [f32; 2],
}

impl Targets {
    pub fn new(scene: &Scene) -> Self {
        let mut first = 0;
        let mut tracks = Vec::new();
        for (band, of) in scene.bands.iter().enumerate() {
            let positions = of.recruits.iter().map(|recruit| recruit.position);
            let began = middle(positions.clone());
            let places: BTreeMap<u32, [f32; 2]> = (first..).zip(positions).collect();
            first += of.recruits.len() as u32;
            let mut track = |target, is_pass| {
                let mut figures = Figures::default().with("target", target, "");
                figures.set("band", band, "");
                if matches!(target, "stops" | "pursue") {
                    figures.set("reached", Vec::<u32>::new(), "");
                }
                tracks.push(Track {
                    band,
                    is_pass,
                    figures,
                    places: places.clone(),
                    began,
                });
            };
            if let Some(target) = target(&of.aim) {
                track(target, false);
            }
            // Only who goes east comes to the columns.
            if scene.columns.is_some_and(|columns| began[0] < columns[0]) {
                track(of.formation.map_or("spread", |_| "formation"), true);
            }
        }
        Self(tracks)
    }
}

impl Gauge for Targets {
    fn observe(&mut self, run: &Run<'_>) {
        for track in &mut self.0 {
            let members = run.army.members(run.groups[track.band]);
            let units: Vec<&Unit> = members.collect();
            if units.is_empty() {
                continue;
            }
            if track.is_pass {
                track.observe_pass(run, &units);
            } else {
                track.observe_target(run, &units);
            }
        }
    }

    fn finish(&mut self, run: &Run<'_>) -> Figures {
        for track in &mut self.0 {
            let band = &run.scene.bands[track.band];
            if !track.is_pass && matches!(band.aim, Aim::Attack(..)) {
                let against = run.scene.bands.iter().filter(|foe| band.foes.has(foe.team));
                let all: usize = against.map(|foe| foe.recruits.len()).sum();
                let left = foes(run, band).count();
                track.figures.set("fell", all - left, "");
                track.figures.set("foes", all, "");
            }
        }
        let mut figures = Figures::default();
        if !self.0.is_empty() {
            let tracks = self.0.drain(..).map(|track| track.figures);
            figures.set("targets", tracks.collect::<Vec<_>>(), "");
        }
        figures
    }
}

impl Track {
    fn observe_target(&mut self, run: &Run<'_>, units: &[&Unit]) {
        let band = &run.scene.bands[self.band];
        let group = run.groups[self.band];
        let here = middle(units.iter().map(|unit| unit.position));
        let mut events = run.army.events().iter();
        let arrived = events.any(|event| *event == ArmyEvent::GroupArrived { group });
        let figures = &mut self.figures;
        let places = &self.places;
        let off = units
            .iter()
            .map(|unit| apart(unit.position, places[&unit.id]));
        match band.aim {
            Aim::Nowhere | Aim::Goal(_) => {}
            Aim::Hold => {
                // What is off its place at all is not rounded to nothing.
                let drift = off.fold(0.0, f64::max);
                figures.raise("pushed", drift, "cells");
                figures.set("drift", (drift * 1e3).ceil() / 1e3, "cells");
            }
            Aim::Stand => {
                let speeds = units.iter().map(|unit| apart(unit.velocity, [0.0; 2]));
                figures.set("mean", mean(off.clone()), "cells");
                figures.set("most", off.fold(0.0, f64::max), "cells");
                figures.set("speed", speeds.fold(0.0, f64::max), "cells a second");
            }
            Aim::Point(point) => {
                figures.set("farthest", farthest(point, units), "cells");
            }
            Aim::Follow(leaders) => {
                let leader = run.army.members(run.groups[leaders]).next();
                if let Some(leader) = leader.filter(|_| run.tick > CAUGHT_UP) {
                    let off = farthest(leader.position, units);
                    figures.raise("farthest", off, "cells");
                }
            }
            Aim::Tour(_) | Aim::Patrol(_) => {
                let off = |stop: &Cell| apart(centre(*stop), here);
                let stops = band.aim.goals().iter().enumerate();
                let nearest = stops.min_by(|(_, one), (_, two)| off(one).total_cmp(&off(two)));
                if let Some((number, stop)) = nearest.filter(|_| arrived) {
                    figures.append("reached", number, "");
                    figures.append("ticks", run.tick, "");
                    figures.raise("farthest", farthest(centre(*stop), units), "cells");
                }
            }
            Aim::Pursue(quarries, _) => {
                let quarry = run.army.members(run.groups[quarries]).next();
                let gap = quarry.and_then(|quarry| {
                    let gaps = units.iter().map(|unit| {
                        let bodies = f64::from(unit.radius + quarry.radius);
                        apart(unit.position, quarry.position) - bodies
                    });
                    gaps.reduce(f64::min)
                });
                figures.set("gap", gap, "cells");
                for event in run.army.events() {
                    match *event {
                        ArmyEvent::Reached { group: by, .. } if by == group => {
                            figures.append("reached", run.tick, "");
                        }
                        ArmyEvent::Lost { group: by, .. } if by == group => {
                            let off = quarry.map(|quarry| apart(quarry.position, self.began));
                            figures.set("lost_tick", run.tick, "");
                            figures.set("lost_distance", off, "cells");
                        }
                        _ => {}
                    }
                }
            }
            Aim::Attack(..) => {
                if arrived && figures.get("arrived").number().is_none() {
                    figures.set("arrived", run.tick, "ticks");
                }
            }
            Aim::Flee(_) => {
                for foe in foes(run, band) {
                    let off = units.iter().map(|unit| apart(unit.position, foe.position));
                    let before = figures.get("nearest").number().unwrap_or(f64::INFINITY);
                    figures.set("nearest", off.fold(before, f64::min), "cells");
                }
                if arrived && figures.get("away").number().is_none() {
                    let off = foes(run, band).map(|foe| apart(here, foe.position));
                    figures.set("away", run.tick, "ticks");
                    figures.set("distance", off.reduce(f64::min), "cells");
                }
            }
        }
    }

    /// Measures a band when its middle passes a column.
    fn observe_pass(&mut self, run: &Run<'_>, units: &[&Unit]) {
        let columns = run.scene.columns.unwrap_or_default();
        let here = middle(units.iter().map(|unit| unit.position));
        let formation = run.scene.bands[self.band].formation;
        let known = formation.map_or("across", |_| "off_place");
        let passed = self.figures.get(known).list().len();
        if columns.get(passed).is_none_or(|column| here[0] < *column) {
            return;
        }
        let Some((shape, spacing)) = formation else {
            for (axis, name) in ["along", "across"].into_iter().enumerate() {
                let off = units.iter().map(|unit| unit.position[axis] - here[axis]);
                let off = off.map(|off| f64::from(off.abs()));
                self.figures.append(name, mean(off), "cells");
            }
            return;
        };
        if passed == 0 {
            // As the units stand, each at a place of its own.
            let slots = around(shape.slots(units.len(), spacing).into_iter());
            let stand = around(units.iter().map(|unit| unit.position));
            let taken = units.iter().zip(assign(&stand, &slots));
            self.places = taken.map(|(unit, slot)| (unit.id, slots[slot])).collect();
        }
        let places = &self.places;
        let places = units.iter().map(|unit| places[&unit.id]);
        let positions = around(units.iter().map(|unit| unit.position));
        let off = positions
            .into_iter()
            .zip(places)
            .map(|(one, two)| apart(one, two));
        self.figures.append("off_place", mean(off), "cells");
    }
}

/// What is measured of a band with this aim.
const fn target(aim: &Aim) -> Option<&'static str> {
    Some(match aim {
        Aim::Nowhere | Aim::Goal(_) => return None,
        Aim::Point(_) => "point",
        Aim::Hold => "hold",
        Aim::Stand => "stand",
        Aim::Follow(_) => "follow",
        Aim::Tour(_) | Aim::Patrol(_) => "stops",
        Aim::Pursue(..) => "pursue",
        Aim::Attack(..) => "attack",
        Aim::Flee(_) => "flee",
    })
}

/// The units of a band's foes.
fn foes<'a>(run: &'a Run<'_>, band: &'a Band) -> impl Iterator<Item = &'a Unit> {
    let bands = run.scene.bands.iter().zip(&run.groups);
    let against = bands.filter(|(other, _)| band.foes.has(other.team));
    against.flat_map(|(_, &group): (_, &GroupId)| run.army.members(group))
}

/// Positions from their middle.
fn around(positions: impl ExactSizeIterator<Item = [f32; 2]> + Clone) -> Vec<[f32; 2]> {
    let middle = middle(positions.clone());
    let from = |position: [f32; 2]| [0, 1].map(|axis| position[axis] - middle[axis]);
    positions.map(from).collect()
}

const fn centre(cell: Cell) -> [f32; 2] {
    [cell.x as f32 + 0.5, cell.y as f32 + 0.5]
}

fn farthest(point: [f32; 2], units: &[&Unit]) -> f64 {
    let off = units.iter().map(|unit| apart(unit.position, point));
    off.fold(0.0, f64::max)
}

fn apart(one: [f32; 2], two: [f32; 2]) -> f64 {
    f64::from(one[0] - two[0]).hypot(f64::from(one[1] - two[1]))
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len().max(1) as f64;
    values.sum::<f64>() / count
}

fn middle(places: impl ExactSizeIterator<Item = [f32; 2]>) -> [f32; 2] {
    let count = places.len().max(1) as f32;
    places.fold([0.0; 2], |sum, place| {
        [0, 1].map(|axis| sum[axis] + place[axis] / count)
    })
}
