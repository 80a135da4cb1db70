//! What each unit walks: how far, at what price, and through which passages.

use std::collections::BTreeMap;

use flowtiles::steer::{ArmyEvent, Unit, UnitState};
use flowtiles::{Cell, CostMap, LayerId};
use flowtiles_scenes::walls::cell_of;
use flowtiles_scenes::{Aim, Kinds, Scene, Way};

use super::run::{Gauge, Run};
use crate::support::figures::Figures;
use crate::support::judge::Optimum;

/// By unit.
pub struct Journeys(Vec<Journey>);

struct Journey {
    band: usize,
    radius: f32,
    start: Cell,
    /// The length and the price of what it walked, in cells.
    length: f64,
    price: f64,
    /// When it arrived, if it has.
    arrived: Option<u32>,
    /// The passages that it used, in the order of their first use.
    used: Vec<usize>,
}

impl Journey {
    /// Notes that it uses the passages of a way.
    fn pass(&mut self, scene: &Scene, is_used: impl Fn(&Way) -> bool) {
        for (number, passage) in scene.passages.iter().enumerate() {
            if is_used(&passage.way) && !self.used.contains(&number) {
                self.used.push(number);
            }
        }
    }

    /// Notes a tick that moved it from `before`.
    fn walk(&mut self, scene: &Scene, costs: &CostMap, tick: u32, before: [f32; 2], unit: &Unit) {
        let cell = cell_of(unit.position);
        self.pass(scene, |way| match way {
            Way::Areas(areas) => areas.iter().any(|area| area.contains(cell)),
            Way::Link(_) => false,
        });
        if unit.state == UnitState::Arrived {
            self.arrived.get_or_insert(tick);
        } else {
            self.arrived = None;
        }
        if unit.state == UnitState::Marching {
            let [dx, dy] = [0, 1].map(|axis| f64::from(unit.position[axis] - before[axis]));
            let far = (dx * dx + dy * dy).sqrt();
            let cost = costs.get(cell_of(before)).map_or(1, |cost| cost.value());
            self.length += far;
            self.price += far * f64::from(cost);
        }
    }
}

impl Journeys {
    pub fn new(scene: &Scene) -> Self {
        let bands = scene.bands.iter().enumerate();
        let journeys = bands.flat_map(|(number, band)| {
            band.recruits.iter().map(move |recruit| Journey {
                band: number,
                radius: recruit.radius,
                start: cell_of(recruit.position),
                length: 0.0,
                price: 0.0,
                arrived: None,
                used: Vec::new(),
            })
        });
        Self(journeys.collect())
    }

    /// The median, over all units that arrived, of the price walked divided by the price of the
    /// cheapest path to where they are. `None` for a scene in which the map or a goal changes,
    /// or with links.
    fn over_optimum(&self, run: &Run<'_>) -> Option<f64> {
        if !run.scene.incidents.is_empty() || !run.scene.links.is_empty() {
            return None;
        }
        let mut ratios = Vec::new();
        for (band, actor) in run.scene.bands.iter().zip(&run.play.bands) {
            let Aim::Goal(goal) = band.aim else { continue };
            let mut arrived: Vec<&Unit> = run.play.army.members(actor.group).collect();
            arrived.retain(|unit| unit.state == UnitState::Arrived);
            // Prices on other layers are not those of the ground.
            if actor.layer.number() != LayerId::GROUND.number() || arrived.is_empty() {
                continue;
            }
            let optimum = Optimum::to(run.play.world.costs(), goal);
            for unit in arrived {
                let journey = &self.0[unit.id as usize];
                // This is a lower bound: the path to the goal is no longer than the path to
                // this cell and on.
                let ends = [journey.start, cell_of(unit.position)].map(|cell| optimum.from(cell));
                if let [Some(start), Some(end)] = ends
                    && start - end >= 3.0
                {
                    ratios.push(journey.price / (start - end));
                }
            }
        }
        ratios.sort_by(f64::total_cmp);
        ratios.get(ratios.len() / 2).copied()
    }

    /// The units that used each passage.
    fn passages(&self, scene: &Scene) -> Vec<Figures> {
        let mut passages = Vec::new();
        for (number, passage) in scene.passages.iter().enumerate() {
            let mut by_band = vec![0_usize; scene.bands.len()];
            let users = self.0.iter().filter(|one| one.used.contains(&number));
            users.for_each(|one| by_band[one.band] += 1);
            let figures = Figures::default()
                .with("name", passage.name.to_string(), "")
                .with("units", by_band.iter().sum::<usize>(), "")
                .with("by_band", by_band, "");
            passages.push(figures);
        }
        passages
    }

    fn kinds(&self, kinds: &Kinds) -> Vec<Figures> {
        let mut by_kind: BTreeMap<(usize, String), Vec<&Journey>> = BTreeMap::new();
        for journey in &self.0 {
            let kind = match kinds {
                Kinds::Bands(names) => (journey.band, names[journey.band].to_string()),
                // In the order of their radii, which are above 0.
                Kinds::Radii => {
                    let radius = journey.radius;
                    (radius.to_bits() as usize, format!("radius {radius:.2}"))
                }
            };
            by_kind.entry(kind).or_default().push(journey);
        }
        let kind = |((_, name), journeys): ((usize, String), Vec<&Journey>)| {
            let arrived: Vec<u32> = journeys.iter().filter_map(|one| one.arrived).collect();
            let last = if arrived.len() == journeys.len() {
                arrived.iter().max().copied()
            } else {
                None
            };
            let lengths = journeys.iter().map(|one| one.length).sum::<f64>();
            Figures::default()
                .with("name", name, "")
                .with("units", journeys.len(), "")
                .with("arrived", arrived.len(), "")
                .with("t100", last, "ticks")
                .with("walked", lengths / journeys.len() as f64, "cells")
        };
        by_kind.into_iter().map(kind).collect()
    }
}

impl Gauge for Journeys {
    fn observe(&mut self, run: &Run<'_>) {
        for event in run.play.army.events() {
            if let ArmyEvent::Entered { unit, link } = *event {
                let entered = run.play.links.iter().position(|known| *known == link);
                self.0[unit as usize].pass(
                    run.scene,
                    |way| matches!(way, Way::Link(number) if Some(*number) == entered),
                );
            }
        }
        for unit in run.play.army.units() {
            let number = unit.id as usize;
            let before = run.before[number];
            self.0[number].walk(
                run.scene,
                run.play.world.costs(),
                run.play.tick,
                before,
                unit,
            );
        }
    }

    fn finish(&mut self, run: &Run<'_>) -> Figures {
        let prices = self.0.iter().map(|one| one.price).sum::<f64>();
        let price = prices / self.0.len().max(1) as f64;
        let mut figures = Figures::default()
            .with("walked", price, "cells of open ground")
            .with("walked_over_optimum", self.over_optimum(run), "");
        let firsts = |number| {
            let used = self.0.iter().map(|one| one.used.first());
            used.filter(|first| *first == Some(&number)).count()
        };
        let firsts: Vec<usize> = (0..run.scene.passages.len()).map(firsts).collect();
        if run.scene.watch.is_some() && !firsts.is_empty() {
            figures.set("doors", firsts, "units");
        } else if !firsts.is_empty() {
            let all = firsts.iter().sum::<usize>().max(1) as f64;
            let shares = firsts.iter().map(|first| *first as f64 / all);
            figures.set("shares", shares.collect::<Vec<_>>(), "");
            figures.set("level_changes", run.level_changes, "");
            figures.set("passages", self.passages(run.scene), "");
        }
        if let Some(kinds) = &run.scene.kinds {
            figures.set("kinds", self.kinds(kinds), "");
        }
        figures
    }
}
