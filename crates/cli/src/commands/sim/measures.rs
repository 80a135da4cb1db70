//! Units measured as people are, in metres and seconds, and checked against the scene's criteria.

use std::collections::BTreeMap;

use flowtiles::steer::{Unit, UnitState};
use flowtiles_scenes::measure::{Criterion, Measure};
use flowtiles_scenes::walls::{cell_of, is_in_wall};
use flowtiles_scenes::{Aim, Scene};

use super::run::{Gauge, Run};
use crate::support::figures::Figures;

/// The measures of a scene.
pub struct Measures(Vec<Track>);

struct Track {
    measure: Measure,
    /// The open cells of its area.
    cells: usize,
    walks: BTreeMap<u32, Walk>,
    /// The seconds at which the first unit was there, and the last.
    times: Option<[f64; 2]>,
    /// Ticks in which a unit was there.
    occupied: u64,
    in_walls: u64,
}

/// The walk of a unit while it is measured. Lengths are in cells, angles in radians.
struct Walk {
    from: [f32; 2],
    to: [f32; 2],
    goal: Option<[f32; 2]>,
    own_speed: f32,
    walked: f64,
    ticks: u64,
    turned: f64,
}

impl Measures {
    pub fn new(scene: &Scene) -> Self {
        let track = |measure: &Measure| {
            let area = measure.area.unwrap_or(scene.costs.area());
            let is_open = |cell| scene.costs.get(cell).is_some_and(|cost| !cost.is_wall());
            Track {
                measure: measure.clone(),
                cells: area.cells().filter(|&cell| is_open(cell)).count(),
                walks: BTreeMap::new(),
                times: None,
                occupied: 0,
                in_walls: 0,
            }
        };
        Self(scene.measures.iter().map(track).collect())
    }
}

impl Gauge for Measures {
    fn observe(&mut self, run: &Run<'_>) {
        for track in &mut self.0 {
            track.observe(run);
        }
    }

    fn finish(&mut self, run: &Run<'_>) -> Figures {
        let scene = run.scene;
        let measured: Vec<Figures> = self.0.iter().map(|track| track.figures(scene)).collect();
        let judged: Vec<Figures> = scene
            .criteria
            .iter()
            .map(|criterion| judge(criterion, &measured))
            .collect();
        let mut figures = Figures::default();
        if !measured.is_empty() {
            figures.set("measures", measured, "");
        }
        if !judged.is_empty() {
            figures.set("criteria", judged, "");
        }
        figures
    }
}

impl Track {
    fn observe(&mut self, run: &Run<'_>) {
        let Measure {
            area, band, from, ..
        } = self.measure;
        let seconds = f64::from(run.play.tick) / f64::from(run.scene.rate);
        if seconds < from || self.measure.until.is_some_and(|until| seconds > until) {
            return;
        }
        let is_here = |unit: &&Unit| {
            unit.state == UnitState::Marching
                && band.is_none_or(|band| unit.group == run.play.bands[band].group)
                && area.is_none_or(|area| area.contains(cell_of(unit.position)))
        };
        let mut is_occupied = false;
        for unit in run.play.army.units().iter().filter(is_here) {
            is_occupied = true;
            self.in_walls += u64::from(is_in_wall(&run.scene.costs, unit.position, unit.radius));
            let before = run.before[unit.id as usize];
            let walk = self.walks.entry(unit.id).or_insert_with(|| Walk {
                from: before,
                to: before,
                goal: goal(&run.play.bands[unit.group.index()].aim),
                own_speed: unit.speed,
                walked: 0.0,
                ticks: 0,
                turned: 0.0,
            });
            let way = run.way_of(unit);
            walk.to = unit.position;
            walk.walked += length(way);
            walk.ticks += 1;
            if let Some(goal) = walk.goal {
                walk.turned += angle(way, [0, 1].map(|axis| goal[axis] - walk.from[axis]));
            }
        }
        if is_occupied {
            let first = self.times.map_or(seconds, |[first, _]| first);
            self.times = Some([first, seconds]);
            self.occupied += 1;
        }
    }

    fn figures(&self, scene: &Scene) -> Figures {
        let (metres, rate) = (f64::from(scene.metres), f64::from(scene.rate));
        let all = |of: fn(&Walk) -> f64| self.walks.values().map(of).sum::<f64>();
        let ticks = all(|walk| walk.ticks as f64);
        let walked = all(|walk| walk.walked);
        let straight = all(|walk| length([0, 1].map(|axis| walk.to[axis] - walk.from[axis])));
        let density = ticks / self.occupied as f64 / (self.cells as f64 * metres * metres);
        let off_speed = |walk: &Walk| {
            let speed = walk.walked * rate / walk.ticks as f64;
            100.0 * (speed / f64::from(walk.own_speed) - 1.0).abs()
        };
        let users = self.walks.len();
        let flow = |[first, last]: [f64; 2]| (users as f64 - 1.0) / (last - first);
        let last = self.times.map(|[_, last]| last);
        let known = |value: f64| value.is_finite().then_some(value);
        let speed = walked * metres * rate / ticks;
        Figures::default()
            .with("measure", &*self.measure.name, "")
            .with("users", users, "")
            .with("last", last, "s")
            .with("flow", self.times.map(flow).and_then(known), "a second")
            .with("density", known(density), "a m²")
            .with("speed", known(speed), "m/s")
            .with("weidmann", known(density).map(weidmann), "m/s")
            .with(
                "off_speed",
                self.walks.values().map(off_speed).reduce(f64::max),
                "%",
            )
            .with("excess", known(100.0 * (walked / straight - 1.0)), "%")
            .with(
                "drift",
                known((all(|walk| walk.turned) / ticks).to_degrees()),
                "°",
            )
            .with("in_walls", self.in_walls, "unit-ticks")
    }
}

/// The speed of people at a density: U. Weidmann, Transporttechnik der Fussgänger, 1993.
fn weidmann(density: f64) -> f64 {
    let slowed = 1.0 - (-1.913 * (1.0 / density - 1.0 / 5.4)).exp();
    1.34 * slowed.max(0.0)
}

fn goal(aim: &Aim) -> Option<[f32; 2]> {
    aim.goals().first().map(|goal| goal.centre())
}

fn length([x, y]: [f32; 2]) -> f64 {
    f64::from(x).hypot(f64::from(y))
}

/// The angle between two ways; 0 where one of them is no way.
fn angle(one: [f32; 2], two: [f32; 2]) -> f64 {
    let [[a, b], [c, d]] = [one, two].map(|way| way.map(f64::from));
    (a * d - b * c).atan2(a * c + b * d).abs()
}

/// Compares the figures of measures with a criterion. What was not measured fails.
fn judge(criterion: &Criterion, measured: &[Figures]) -> Figures {
    let value = |[measure, figure]: &[String; 2]| {
        let mut found = measured.iter();
        let found = found.find(|found| found.get("measure").to_string() == *measure);
        found.and_then(|found| found.get(figure).number())
    };
    let over = match &criterion.over {
        Some(over) => value(over),
        None => Some(1.0),
    };
    let value = value(&criterion.of).zip(over).map(|(of, over)| of / over);
    let is_met = value.is_some_and(|value| criterion.is_met(value));
    Figures::default()
        .with("criterion", &*criterion.says, "")
        .with("result", if is_met { "PASS" } else { "FAIL" }, "")
        .with("value", value, "")
        .with("least", criterion.least, "")
        .with("most", criterion.most, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speed_of_people_over_density_follows_weidmann() {
        for (density, speed) in [
            (0.5, 1.298),
            (1.0, 1.058),
            (2.0, 0.606),
            (5.4, 0.0),
            (7.0, 0.0),
        ] {
            assert!((weidmann(density) - speed).abs() < 1e-3, "{density}");
        }
    }

    #[test]
    fn what_was_not_measured_meets_no_criterion() {
        let measured = Figures::default()
            .with("measure", "door", "")
            .with("users", 6_u32, "");
        let judged = |figure: &str, most| {
            let of = ["door".to_owned(), figure.to_owned()];
            let criterion = Criterion {
                says: "few use it".to_owned(),
                over: None,
                least: None,
                most: Some(most),
                of,
            };
            judge(&criterion, std::slice::from_ref(&measured))
                .get("result")
                .to_string()
        };
        assert_eq!(judged("users", 6.0), "PASS");
        assert_eq!(judged("users", 5.0), "FAIL");
        assert_eq!(judged("speed", 5.0), "FAIL");
    }
}
