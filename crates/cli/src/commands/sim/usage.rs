//! Who went where: the units that used each passage of a scene, and how far the units
//! of each kind walked.

use std::fmt;

use flowtiles::LinkId;
use flowtiles::steer::{Army, ArmyEvent, Unit, UnitState};
use serde::Serialize;

use flowtiles_scenes::walls::cell_of;
use flowtiles_scenes::{Kinds, Scene, Way};
use flowtiles_studio::numbers::thousandths;

/// The units that used a passage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PassageFigures {
    pub name: String,
    /// The units that used it at least once.
    pub units: usize,
    pub by_band: Vec<usize>,
    /// The units that used it before any other.
    #[serde(skip)]
    pub first: usize,
}

/// The units of one kind.
#[derive(Clone, Debug, Serialize)]
pub struct KindFigures {
    name: String,
    units: usize,
    arrived: usize,
    /// The tick in which the last of them arrived, if all did.
    t100: Option<u32>,
    /// The mean length walked, in cells.
    walked: f64,
}

/// The figures of all passages and kinds.
#[derive(Clone, Debug, Default)]
pub struct Usage {
    pub passages: Vec<PassageFigures>,
    pub kinds: Vec<KindFigures>,
}

/// The record of a unit.
struct Walk {
    band: usize,
    radius: f32,
    /// The passages that it used, in the order of their first use.
    used: Vec<usize>,
    /// When it arrived, if it has.
    arrived: Option<u32>,
    /// The length walked, in cells.
    length: f64,
}

/// The measurements in progress.
pub struct UsageTracker<'a> {
    scene: &'a Scene,
    /// By the scene's numbers.
    links: Vec<LinkId>,
    /// By unit.
    walks: Vec<Walk>,
}

impl<'a> UsageTracker<'a> {
    /// Begins to measure a scene, whose links have these ids.
    pub fn new(scene: &'a Scene, links: Vec<LinkId>) -> Self {
        let bands = scene.bands.iter().enumerate();
        let walks = bands.flat_map(|(band, of)| {
            of.recruits.iter().map(move |recruit| Walk {
                band,
                radius: recruit.radius,
                used: Vec::new(),
                arrived: None,
                length: 0.0,
            })
        });
        Self {
            scene,
            links,
            walks: walks.collect(),
        }
    }

    /// Measures a tick that moved the units from the positions `before`.
    pub fn note(&mut self, tick: u32, before: &[[f32; 2]], army: &Army) {
        if self.scene.passages.is_empty() && self.scene.kinds.is_none() {
            return;
        }
        for event in army.events() {
            if let ArmyEvent::Entered { unit, link } = *event {
                let number = self.links.iter().position(|known| *known == link);
                self.note_use(
                    unit,
                    |way| matches!(way, Way::Link(at) if Some(*at) == number),
                );
            }
        }
        for unit in army.units() {
            self.note_unit(tick, before[unit.id as usize], unit);
        }
    }

    fn note_unit(&mut self, tick: u32, before: [f32; 2], unit: &Unit) {
        let cell = cell_of(unit.position);
        self.note_use(
            unit.id,
            |way| matches!(way, Way::Areas(areas) if areas.iter().any(|area| area.contains(cell))),
        );
        let walk = &mut self.walks[unit.id as usize];
        match unit.state {
            UnitState::Arrived => {
                walk.arrived.get_or_insert(tick);
            }
            _ => walk.arrived = None,
        }
        if unit.state == UnitState::Marching {
            let [dx, dy] = [0, 1].map(|axis| f64::from(unit.position[axis] - before[axis]));
            walk.length += (dx * dx + dy * dy).sqrt();
        }
    }

    /// Records that a unit uses the passages of a way.
    fn note_use(&mut self, unit: u32, is_used: impl Fn(&Way) -> bool) {
        let used = &mut self.walks[unit as usize].used;
        for (number, passage) in self.scene.passages.iter().enumerate() {
            if is_used(&passage.way) && !used.contains(&number) {
                used.push(number);
            }
        }
    }

    /// Completes the measurements.
    pub fn finish(self) -> Usage {
        let passages = self.scene.passages.iter().enumerate();
        Usage {
            passages: passages
                .map(|(number, passage)| self.passage(number, &passage.name))
                .collect(),
            kinds: self.kinds(),
        }
    }

    fn passage(&self, number: usize, name: &str) -> PassageFigures {
        let mut by_band = vec![0; self.scene.bands.len()];
        let users = self.walks.iter().filter(|walk| walk.used.contains(&number));
        for walk in users {
            by_band[walk.band] += 1;
        }
        let firsts = self.walks.iter().filter_map(|walk| walk.used.first());
        PassageFigures {
            name: name.to_owned(),
            units: by_band.iter().sum(),
            by_band,
            first: firsts.filter(|first| **first == number).count(),
        }
    }

    fn kinds(&self) -> Vec<KindFigures> {
        match &self.scene.kinds {
            None => Vec::new(),
            Some(Kinds::Bands(names)) => {
                let bands = names.iter().enumerate();
                bands
                    .map(|(band, name)| self.kind(name.clone(), |walk| walk.band == band))
                    .collect()
            }
            Some(Kinds::Radii) => {
                let mut radii: Vec<f32> = self.walks.iter().map(|walk| walk.radius).collect();
                radii.sort_by(f32::total_cmp);
                radii.dedup();
                let of = |radius: f32| {
                    let name = format!("radius {radius:.2}");
                    self.kind(name, |walk| walk.radius.total_cmp(&radius).is_eq())
                };
                radii.into_iter().map(of).collect()
            }
        }
    }

    fn kind(&self, name: String, is_of: impl Fn(&Walk) -> bool) -> KindFigures {
        let walks: Vec<&Walk> = self.walks.iter().filter(|walk| is_of(walk)).collect();
        let arrived = walks.iter().filter_map(|walk| walk.arrived);
        let arrived: Vec<u32> = arrived.collect();
        let length: f64 = walks.iter().map(|walk| walk.length).sum();
        let last = arrived.iter().max().copied();
        KindFigures {
            name,
            units: walks.len(),
            arrived: arrived.len(),
            t100: last.filter(|_| arrived.len() == walks.len()),
            walked: thousandths(length / walks.len().max(1) as f64),
        }
    }
}

impl fmt::Display for PassageFigures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let by_band: Vec<String> = self.by_band.iter().map(usize::to_string).collect();
        let by_band = by_band.join(", ");
        write!(
            f,
            "  {:19} used by {} units; by band {by_band}",
            self.name, self.units
        )
    }
}

impl fmt::Display for KindFigures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "  {:19} {} of {} arrived",
            self.name, self.arrived, self.units
        )?;
        if let Some(tick) = self.t100 {
            write!(f, ", the last at tick {tick}")?;
        }
        write!(f, "; {:.1} cells walked in the mean", self.walked)
    }
}

#[cfg(test)]
mod tests {
    use flowtiles::steer::GroupId;
    use flowtiles::{Cell, CellRect};

    use super::*;
    use flowtiles_scenes::Aim;
    use flowtiles_scenes::scene::{Band, Recruit, walled};
    use flowtiles_scenes::usage::Passage;

    #[test]
    fn passages_and_kinds_by_hand() {
        let band = |number, y, radius| {
            let mut recruit = Recruit::at([1.5, y]);
            recruit.radius = radius;
            Band::new(number, Aim::Goal(Cell::new(8, 2)), vec![recruit])
        };
        let bands = vec![band(0, 1.5, 0.4), band(1, 3.5, 0.2)];
        let mut scene = Scene::new(walled(20, 10, &[]), bands);
        scene.passages = vec![
            Passage::area("first", CellRect::new(5, 0, 1, 3)),
            Passage::area("second", CellRect::new(5, 3, 1, 3)),
        ];
        scene.kinds = Some(Kinds::Radii);
        let mut tracker = UsageTracker::new(&scene, Vec::new());
        // One unit goes through both passages, and the other through neither.
        let ways = [
            [[1.5, 1.5], [5.5, 1.5], [5.5, 3.5]],
            [[1.5, 3.5], [4.5, 3.5], [4.5, 4.5]],
        ];
        for tick in 1..=2 {
            for (id, way) in ways.iter().enumerate() {
                let now = tick as usize;
                let mut unit = Unit::new(id as u32, GroupId::default(), way[now]);
                unit.state = UnitState::Marching;
                tracker.note_unit(tick, way[now - 1], &unit);
                if id == 0 && tick == 2 {
                    unit.state = UnitState::Arrived;
                    tracker.note_unit(3, way[now], &unit);
                    tracker.note_unit(4, way[now], &unit);
                }
            }
        }
        let usage = tracker.finish();
        let of = |name: &str, units, first| PassageFigures {
            name: name.to_owned(),
            units,
            by_band: vec![units, 0],
            first,
        };
        assert_eq!(usage.passages, [of("first", 1, 1), of("second", 1, 0)]);
        let text: Vec<String> = usage.kinds.iter().map(ToString::to_string).collect();
        assert_eq!(
            text,
            [
                "  radius 0.20         0 of 1 arrived; 4.0 cells walked in the mean",
                "  radius 0.40         1 of 1 arrived, the last at tick 3; 6.0 cells walked in the mean",
            ]
        );
    }
}
