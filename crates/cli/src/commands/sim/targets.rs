//! Measures whether each band does what its aim demands.
//!
//! ```text
//!   hold      how far it was pushed,            attack   units killed
//!             how far off its place it is now   flee     how near its foes came
//!   stand     how far it gave way, its speed    formation, spread
//!   follow    how far off its leader                     places and width before,
//!   stops     which, in which order                      in and behind a pass
//!   pursue    when in range, when lost
//! ```

use std::collections::BTreeMap;

use flowtiles::Cell;
use flowtiles::steer::parts::assign;
use flowtiles::steer::{ArmyEvent, Unit};
use flowtiles_scenes::scene::Band;
use flowtiles_scenes::{Aim, Scene};

use super::run::{Gauge, Run};
use crate::support::figures::Figures;

/// Ticks that followers get to catch up; they are measured only after these.
const CAUGHT_UP: u32 = 100;

/// The measurements of all bands.
pub struct Targets(Vec<Track>);

/// The measurement of one band. Distances are between the middles of units.
struct Track {
    band: usize,
    /// Whether it measures the way through a pass, not the aim.
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
        for (number, band) in scene.bands.iter().enumerate() {
            let positions = band.recruits.iter().map(|recruit| recruit.position);
            let began = middle(positions.clone());
            let places: BTreeMap<u32, [f32; 2]> = (first..).zip(positions).collect();
            first += band.recruits.len() as u32;
            if let Some(name) = aim_name(&band.aim) {
                tracks.push(Track::new(number, name, false, places.clone(), began));
            }
            // Only bands that start west of the pass walk through it.
            if scene.columns.is_some_and(|columns| began[0] < columns[0]) {
                let name = if band.formation.is_some() {
                    "formation"
                } else {
                    "spread"
                };
                tracks.push(Track::new(number, name, true, places, began));
            }
        }
        Self(tracks)
    }
}

impl Gauge for Targets {
    fn observe(&mut self, run: &Run<'_>) {
        for track in &mut self.0 {
            let members = run.play.army.members(run.play.bands[track.band].group);
            let units: Vec<&Unit> = members.collect();
            if units.is_empty() {
                continue;
            }
            if track.is_pass {
                track.observe_pass(run, &units);
            } else {
                track.observe_aim(run, &units);
            }
        }
    }

    fn finish(&mut self, run: &Run<'_>) -> Figures {
        for track in &mut self.0 {
            let band = &run.scene.bands[track.band];
            if !track.is_pass && matches!(band.aim, Aim::Attack(..)) {
                let enemies = run.scene.bands.iter().filter(|foe| band.foes.has(foe.team));
                let all: usize = enemies.map(|foe| foe.recruits.len()).sum();
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
    fn new(
        band: usize,
        name: &str,
        is_pass: bool,
        places: BTreeMap<u32, [f32; 2]>,
        began: [f32; 2],
    ) -> Self {
        let mut figures = Figures::default().with("target", name, "");
        figures.set("band", band, "");
        if matches!(name, "stops" | "pursue") {
            figures.set("reached", Vec::<u32>::new(), "");
        }
        Self {
            band,
            is_pass,
            figures,
            places,
            began,
        }
    }

    fn observe_aim(&mut self, run: &Run<'_>, units: &[&Unit]) {
        let band = &run.scene.bands[self.band];
        let group = run.play.bands[self.band].group;
        let here = middle(units.iter().map(|unit| unit.position));
        let mut events = run.play.army.events().iter();
        let arrived = events.any(|event| *event == ArmyEvent::GroupArrived { group });
        let figures = &mut self.figures;
        let places = &self.places;
        let drifts = units
            .iter()
            .map(|unit| distance(unit.position, places[&unit.id]));
        match band.aim {
            Aim::Flock | Aim::Goal(_) => {}
            Aim::Hold => {
                // Rounded up: a small drift must not be printed as 0.
                let drift = drifts.fold(0.0, f64::max);
                figures.raise("pushed", drift, "cells");
                figures.set("drift", (drift * 1e3).ceil() / 1e3, "cells");
            }
            Aim::Stand => {
                let speeds = units.iter().map(|unit| distance(unit.velocity, [0.0; 2]));
                figures.set("mean", mean(drifts.clone()), "cells");
                figures.set("most", drifts.fold(0.0, f64::max), "cells");
                figures.set("speed", speeds.fold(0.0, f64::max), "cells a second");
            }
            Aim::Point(point) => {
                figures.set("farthest", farthest(point, units), "cells");
            }
            Aim::Follow(leader_band) => {
                let leader = run
                    .play
                    .army
                    .members(run.play.bands[leader_band].group)
                    .next();
                if run.play.tick > CAUGHT_UP
                    && let Some(leader) = leader
                {
                    figures.raise("farthest", farthest(leader.position, units), "cells");
                }
            }
            Aim::Tour(_) | Aim::Patrol(_) => {
                let to_stop = |stop: &Cell| distance(stop.centre(), here);
                let stops = band.aim.goals().iter().enumerate();
                let nearest =
                    stops.min_by(|(_, one), (_, two)| to_stop(one).total_cmp(&to_stop(two)));
                if arrived && let Some((number, stop)) = nearest {
                    figures.append("reached", number, "");
                    figures.append("ticks", run.play.tick, "");
                    figures.raise("farthest", farthest(stop.centre(), units), "cells");
                }
            }
            Aim::Pursue(quarry_band, _) => {
                let quarry = run
                    .play
                    .army
                    .members(run.play.bands[quarry_band].group)
                    .next();
                let gap = quarry.and_then(|quarry| {
                    let gaps = units.iter().map(|unit| {
                        let bodies = f64::from(unit.radius + quarry.radius);
                        distance(unit.position, quarry.position) - bodies
                    });
                    gaps.reduce(f64::min)
                });
                figures.set("gap", gap, "cells");
                for event in run.play.army.events() {
                    match *event {
                        ArmyEvent::Reached { group: by, .. } if by == group => {
                            figures.append("reached", run.play.tick, "");
                        }
                        ArmyEvent::Lost { group: by, .. } if by == group => {
                            let lost_at =
                                quarry.map(|quarry| distance(quarry.position, self.began));
                            figures.set("lost_tick", run.play.tick, "");
                            figures.set("lost_distance", lost_at, "cells");
                        }
                        _ => {}
                    }
                }
            }
            Aim::Attack(..) => {
                if arrived && figures.get("arrived").number().is_none() {
                    figures.set("arrived", run.play.tick, "ticks");
                }
            }
            Aim::Flee(_) => {
                for foe in foes(run, band) {
                    let gaps = units
                        .iter()
                        .map(|unit| distance(unit.position, foe.position));
                    let before = figures.get("nearest").number().unwrap_or(f64::INFINITY);
                    figures.set("nearest", gaps.fold(before, f64::min), "cells");
                }
                if arrived && figures.get("away").number().is_none() {
                    let gaps = foes(run, band).map(|foe| distance(here, foe.position));
                    figures.set("away", run.play.tick, "ticks");
                    figures.set("distance", gaps.reduce(f64::min), "cells");
                }
            }
        }
    }

    /// Measures a band when its middle passes a column.
    fn observe_pass(&mut self, run: &Run<'_>, units: &[&Unit]) {
        let columns = run.scene.columns.unwrap_or_default();
        let here = middle(units.iter().map(|unit| unit.position));
        let formation = run.scene.bands[self.band].formation;
        let figure = if formation.is_some() {
            "off_place"
        } else {
            "across"
        };
        let columns_passed = self.figures.get(figure).list().len();
        let next = columns.get(columns_passed);
        if next.is_none_or(|column| here[0] < *column) {
            return;
        }
        let Some((shape, spacing)) = formation else {
            for (axis, name) in ["along", "across"].into_iter().enumerate() {
                let offsets = units.iter().map(|unit| unit.position[axis] - here[axis]);
                let widths = offsets.map(|offset| f64::from(offset.abs()));
                self.figures.append(name, mean(widths), "cells");
            }
            return;
        };
        let positions = relative_to_mean(units.iter().map(|unit| unit.position));
        if columns_passed == 0 {
            // Assigns each unit a place in the formation, from where they stand now.
            let slots = relative_to_mean(shape.slots(units.len(), spacing).into_iter());
            let assigned = units.iter().zip(assign(&positions, &slots));
            self.places = assigned
                .map(|(unit, slot)| (unit.id, slots[slot]))
                .collect();
        }
        let drifts = units
            .iter()
            .zip(positions)
            .map(|(unit, position)| distance(position, self.places[&unit.id]));
        self.figures.append("off_place", mean(drifts), "cells");
    }
}

/// The name of an aim that is measured, as it is printed.
const fn aim_name(aim: &Aim) -> Option<&'static str> {
    Some(match aim {
        Aim::Flock | Aim::Goal(_) => return None,
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
    let bands = run.scene.bands.iter().zip(&run.play.bands);
    let enemies = bands.filter(|(other, _)| band.foes.has(other.team));
    enemies.flat_map(|(_, enemy)| run.play.army.members(enemy.group))
}

/// Positions relative to their mean.
fn relative_to_mean(positions: impl ExactSizeIterator<Item = [f32; 2]> + Clone) -> Vec<[f32; 2]> {
    let middle = middle(positions.clone());
    positions
        .map(|position| [0, 1].map(|axis| position[axis] - middle[axis]))
        .collect()
}

fn farthest(point: [f32; 2], units: &[&Unit]) -> f64 {
    let distances = units.iter().map(|unit| distance(unit.position, point));
    distances.fold(0.0, f64::max)
}

fn distance(one: [f32; 2], two: [f32; 2]) -> f64 {
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
