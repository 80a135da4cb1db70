//! The stages of a session, and all that pages change on them. The same inputs in
//! the same order have the same result, independent of watchers and speed.

use flowtiles::inspect::Digest;
use flowtiles::steer::UnitState;
use flowtiles::{Cell, StampTemplate, Turn};
use flowtiles_country::numbers::grouped;
use flowtiles_inspector::Request;
use flowtiles_scenes::Runner;

use crate::begin;
use crate::brushes;
use crate::crowd::{self, Selection};
use crate::ghosts::Spot;
use crate::history::History;
use crate::inquiry::Inquiry;
use crate::replay::Hashes;
use crate::stage::Stage;
use crate::start::Start;

/// The work of a tick in cells, unless a page sets another budget.
const BUDGET: u32 = 20_000;

/// Templates that can be stamped.
pub const TEMPLATES: [(&str, &[&str]); 4] = [
    ("house", &["####", "####", "##.#"]),
    ("tower", &["##", "##"]),
    (
        "bridge",
        &["...............", "...............", "..............."],
    ),
    (
        "fort",
        &[
            "########", "#......#", "#......#", "........", "#......#", "########",
        ],
    ),
];

/// Returns a template by its number.
pub fn template(number: usize) -> Option<StampTemplate> {
    let (_, rows) = TEMPLATES.get(number)?;
    Some(StampTemplate::rows(rows).expect("a template drawn in letters"))
}

/// The stages, and all that pages change on them.
pub struct Play {
    pub stages: Vec<Stage>,
    pub history: History,
    pub selection: Selection,
    /// The work of a tick in cells.
    pub budget: u32,
}

impl Play {
    /// Returns no stages.
    pub fn empty() -> Self {
        Self {
            stages: Vec::new(),
            history: History::default(),
            selection: Selection::new(),
            budget: BUDGET,
        }
    }

    /// Returns the stages of a start.
    ///
    /// # Errors
    /// In words, if there is no such start.
    pub fn begin(start: &Start) -> Result<Self, String> {
        Ok(Self {
            stages: start.stages()?,
            ..Self::empty()
        })
    }

    /// Does one tick on all stages.
    pub fn tick(&mut self) {
        for stage in &mut self.stages {
            stage.step(self.budget);
        }
    }

    /// Returns the tick of the first stage.
    pub fn now(&self) -> u32 {
        self.stages.first().map_or(0, |stage| stage.run.tick)
    }

    /// Carries out a request. Returns a message for the page, if any.
    ///
    /// # Errors
    /// In words, if it is refused.
    pub fn apply(&mut self, request: &Request) -> Result<Option<String>, String> {
        let silent = |()| None;
        match *request {
            Request::Goal(cell) => self.inquire(|inquiry, run| inquiry.aim(run, cell)),
            Request::Source(cell) => self.inquire(|inquiry, run| inquiry.ask(run, cell)),
            Request::OwnLayer(layer) => self.inquire(|inquiry, run| inquiry.go_on(run, layer)),
            Request::Clear => self.inquire(|inquiry, _| {
                inquiry.clear();
                Ok(None)
            }),
            Request::Select(area) => {
                let first = self.stages.first();
                self.selection =
                    first.map_or_else(Selection::new, |stage| crowd::select(stage, area));
                Ok(None)
            }
            Request::Send(cell) => self.send(cell.into()).map(Some),
            Request::DrawUp(ends) => self.send(Spot::between(ends)).map(Some),
            Request::Place { cell, count } => self.place(cell, count).map(Some),
            Request::Read(number) => self.read(number).map(Some),
            Request::March(cell) => self.march(cell.into()),
            Request::MarchUp(ends) => self.march(Spot::between(ends)),
            Request::Quality(number) => self.set_quality(number).map(Some),
            Request::Replan => Ok(Some(self.replan())),
            Request::Click(cell) => {
                let mut stages = self.stages.iter_mut();
                stages.try_for_each(|stage| stage.click(cell)).map(silent)
            }
            Request::Budget(cells) => {
                self.budget = cells.max(1);
                Ok(None)
            }
            Request::Undo => {
                let undone = self.history.undo(&mut self.stages)?;
                Ok(Some(format!("undone: {undone}")))
            }
            Request::Redo => {
                let redone = self.history.redo(&mut self.stages)?;
                Ok(Some(format!("redone: {redone}")))
            }
            _ => self.change(request).map(silent),
        }
    }

    /// Changes the map.
    fn change(&mut self, request: &Request) -> Result<(), String> {
        let (history, stages) = (&mut self.history, &mut self.stages);
        match *request {
            Request::Paint {
                stroke,
                brush,
                amount,
                area,
            } => history.paint(stages, stroke, brushes::brush(brush, amount)?, area),
            Request::Stamp {
                template: number,
                turns,
                cell,
            } => {
                let number = usize::from(number);
                let template = template(number).ok_or("there is no such template")?;
                let turn = Turn::ALL[usize::from(turns) % Turn::ALL.len()];
                history.stamp(stages, (TEMPLATES[number].0, &template), cell, turn)
            }
            Request::StrokeEnd => {
                history.end_stroke();
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Changes the inquiry of the first stage.
    fn inquire(
        &mut self,
        act: impl FnOnce(&mut Inquiry, &mut Runner) -> Result<Option<String>, String>,
    ) -> Result<Option<String>, String> {
        self.stages.first_mut().map_or(Ok(None), |stage| {
            stage.field_revision += 1;
            act(&mut stage.inquiry, &mut stage.run)
        })
    }

    fn send(&mut self, spot: Spot) -> Result<String, String> {
        let mut told = String::new();
        for stage in &mut self.stages {
            let (sent, missed) = crowd::send(stage, &self.selection, spot)?;
            told = format!("{} ordered to {spot}", units(sent));
            if let Some(missed) = missed {
                told += &format!("; {missed}: it stays. Open a path in the mode Paint");
            }
        }
        Ok(told)
    }

    fn march(&mut self, spot: Spot) -> Result<Option<String>, String> {
        let mut told = None;
        for stage in &mut self.stages {
            if let Some((count, missed)) = crowd::march(stage, spot)? {
                let missed = missed.map_or(String::new(), |missed| format!("; {missed}"));
                let plural = if count == 1 { "unit" } else { "units" };
                told = Some(format!(
                    "the nearest army, {} {plural}, goes to {spot}{missed}",
                    grouped(count)
                ));
            }
        }
        match told {
            Some(_) => Ok(told),
            None => self.apply(&Request::Goal(spot.cell)),
        }
    }

    fn set_quality(&mut self, number: u8) -> Result<String, String> {
        let known = begin::QUALITIES.get(usize::from(number));
        let &(name, quality) = known.ok_or("there is no such quality of paths")?;
        for stage in &mut self.stages {
            stage.run.quality = quality;
        }
        Ok(format!("{name}: {}", self.replan()))
    }

    fn read(&mut self, number: u8) -> Result<String, String> {
        let known = begin::READINGS.get(usize::from(number));
        let &(name, reading) = known.ok_or("there is no such reading")?;
        // The selection is that of the first stage; the second shows another
        // setting.
        let stage = self.stages.first_mut().ok_or("nothing is shown")?;
        let count = crowd::read(stage, &self.selection, reading)?;
        let plural = if count == 1 {
            "unit reads its"
        } else {
            "units read their"
        };
        Ok(format!("{} {plural} field: {name}", grouped(count)))
    }

    fn place(&mut self, cell: Cell, count: u32) -> Result<String, String> {
        let mut placed = 0;
        for stage in &mut self.stages {
            placed = crowd::place(stage, cell, count as usize)?;
        }
        let room = if placed < count as usize {
            format!(", for there is no room for {}", grouped(count as usize))
        } else {
            String::new()
        };
        Ok(format!(
            "{} placed around {cell}{room}: select and order them",
            units(placed)
        ))
    }

    fn replan(&mut self) -> String {
        let planned: usize = self.stages.iter_mut().map(Stage::replan).sum();
        format!("orders replanned from the units' present positions: {planned}")
    }

    /// Returns the present hashes of all stages.
    pub fn hashes(&self) -> Hashes {
        let mut digests = [Digest::new(); 5];
        for stage in &self.stages {
            let world = stage.run.world.inspect().state_parts();
            let [costs, stamps, orders, units, groups] = &mut digests;
            costs.number(world.costs);
            stamps.number(world.stamps);
            orders.number(world.orders);
            digest_units(stage, units);
            groups.number(stage.run.army.state_hash());
        }
        let [costs, stamps, orders, units, groups] = digests.map(|digest| digest.finish());
        Hashes {
            costs,
            stamps,
            orders,
            units,
            groups,
        }
    }
}

/// Adds position, goal and state of all units.
fn digest_units(stage: &Stage, digest: &mut Digest) {
    let pair = |[x, y]: [f32; 2]| u64::from(x.to_bits()) << 32 | u64::from(y.to_bits());
    for unit in stage.run.army.units() {
        let state = match unit.state {
            UnitState::Arrived => 1,
            UnitState::Unreachable => 2,
            UnitState::Engaged => 3,
            _ => 0,
        };
        digest.number(u64::from(unit.id) << 32 | state << 24 | unit.group.index() as u64);
        digest.number(pair(unit.position));
        digest.number(pair(unit.velocity));
    }
}

fn units(count: usize) -> String {
    let plural = if count == 1 { "unit is" } else { "units are" };
    format!("{} {plural}", grouped(count))
}
