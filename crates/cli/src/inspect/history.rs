//! Changes of the map, to be taken back and made again.

use std::time::{Duration, Instant};

use flowtiles::{Cell, Cost, EditReport, Rect, StampId, Template, Turn};

use super::stage::Stage;

/// Changes that can be taken back; the oldest go first.
const KEPT_MAX: usize = 500;
/// Cells of one area.
const AREA_MAX: u64 = 1 << 22;
/// Cells of one area of discomfort.
const DISCOMFORT_MAX: u64 = 1 << 16;

/// A change of the map.
enum Change {
    /// A stroke of the brush: areas with the costs that their ground had.
    Stroke(u32, Vec<Patch>),
    /// A stroke of the brush of discomfort.
    Discomfort(u32, Vec<DiscomfortPatch>),
    /// A template, and the stamp that it is on each stage.
    Stamp(Template, Cell, Turn, Vec<StampId>),
}

struct Patch {
    area: Rect,
    before: Vec<u8>,
    cost: Cost,
}

struct DiscomfortPatch {
    area: Rect,
    before: Vec<f32>,
    strength: f32,
}

/// What edits cost.
#[derive(Clone, Copy, Default)]
pub struct Bill {
    pub edits: u32,
    pub cells: u64,
    pub sectors: usize,
    pub rebuilt: usize,
    pub walked: usize,
    pub orders: usize,
    pub time: Duration,
}

impl Bill {
    fn add(&mut self, report: EditReport, time: Duration) {
        self.edits += 1;
        self.cells += report.cells;
        self.sectors += report.sectors;
        self.rebuilt += report.rebuilt;
        self.walked += report.walked;
        self.orders = self.orders.max(report.orders);
        self.time += time;
    }
}

/// All changes.
#[derive(Default)]
pub struct History {
    done: Vec<Change>,
    undone: Vec<Change>,
    /// What the changes cost since the last bill.
    pub bill: Option<Bill>,
}

impl History {
    /// How many changes can be taken back, and made again.
    pub const fn len(&self) -> (usize, usize) {
        (self.done.len(), self.undone.len())
    }

    /// Paints an area on every stage.
    ///
    /// # Errors
    /// If the area is too large to be kept.
    pub fn paint(
        &mut self,
        stages: &mut [Stage],
        stroke: u32,
        cost: Cost,
        area: Rect,
    ) -> Result<(), String> {
        let Some(first) = stages.first() else {
            return Ok(());
        };
        let (width, height) = first.size();
        let area = area.intersection(Rect::new(0, 0, width as u32, height as u32));
        if area.is_empty() {
            return Ok(());
        }
        if u64::from(area.width) * u64::from(area.height) > AREA_MAX {
            return Err(format!("at most {AREA_MAX} cells can be painted at a time"));
        }
        let ground = |cell| first.world.ground(cell).map_or(1, Cost::value);
        let before: Vec<u8> = area.cells().map(ground).collect();
        if before.iter().all(|&known| known == cost.value()) {
            return Ok(());
        }
        let patch = Patch { area, before, cost };
        self.lay(stages, &patch);
        self.undone.clear();
        match self.done.last_mut() {
            Some(Change::Stroke(known, patches)) if *known == stroke => patches.push(patch),
            _ => self.keep(Change::Stroke(stroke, vec![patch])),
        }
        Ok(())
    }

    /// Paints an area with discomfort on every stage.
    ///
    /// # Errors
    /// If the area is too large to be kept, or the crowd refuses it.
    pub fn paint_discomfort(
        &mut self,
        stages: &mut [Stage],
        stroke: u32,
        strength: f32,
        area: Rect,
    ) -> Result<(), String> {
        let Some(first) = stages.first() else {
            return Ok(());
        };
        let (width, height) = first.size();
        let area = area.intersection(Rect::new(0, 0, width as u32, height as u32));
        if area.is_empty() {
            return Ok(());
        }
        if u64::from(area.width) * u64::from(area.height) > DISCOMFORT_MAX {
            return Err(format!(
                "at most {DISCOMFORT_MAX} cells can be painted with discomfort at a time"
            ));
        }
        let before: Vec<f32> = area.cells().map(|cell| first.discomfort.of(cell)).collect();
        if before.iter().all(|&known| known == strength) {
            return Ok(());
        }
        for stage in stages {
            stage.paint_discomfort(area, strength)?;
        }
        let patch = DiscomfortPatch {
            area,
            before,
            strength,
        };
        self.undone.clear();
        match self.done.last_mut() {
            Some(Change::Discomfort(known, patches)) if *known == stroke => patches.push(patch),
            _ => self.keep(Change::Discomfort(stroke, vec![patch])),
        }
        Ok(())
    }

    /// Puts up a template on every stage.
    ///
    /// # Errors
    /// If it would reach off the map.
    pub fn stamp(
        &mut self,
        stages: &mut [Stage],
        template: &Template,
        cell: Cell,
        turn: Turn,
    ) -> Result<(), String> {
        let ids = self.put_up(stages, template, cell, turn)?;
        self.undone.clear();
        self.keep(Change::Stamp(template.clone(), cell, turn, ids));
        Ok(())
    }

    /// Takes back the last change; whether there was one.
    pub fn undo(&mut self, stages: &mut [Stage]) -> bool {
        let Some(change) = self.done.pop() else {
            return false;
        };
        match &change {
            Change::Stroke(_, patches) => {
                for patch in patches.iter().rev() {
                    self.lift(stages, patch);
                }
            }
            Change::Discomfort(_, patches) => {
                for patch in patches.iter().rev() {
                    for (cell, &before) in patch.area.cells().zip(&patch.before) {
                        repaint(stages, Rect::new(cell.x, cell.y, 1, 1), before);
                    }
                }
            }
            Change::Stamp(template, cell, turn, ids) => {
                let area = template.area(*cell, *turn);
                for (stage, id) in stages.iter_mut().zip(ids) {
                    let begin = Instant::now();
                    if let Some(report) = stage.world.unstamp(*id) {
                        self.bill
                            .get_or_insert_default()
                            .add(report, begin.elapsed());
                        stage.note_edit(area);
                    }
                }
            }
        }
        self.undone.push(change);
        true
    }

    /// Makes the change again that was taken back last; whether there was one.
    pub fn redo(&mut self, stages: &mut [Stage]) -> bool {
        let Some(mut change) = self.undone.pop() else {
            return false;
        };
        match &mut change {
            Change::Stroke(_, patches) => {
                for patch in patches.iter() {
                    self.lay(stages, patch);
                }
            }
            Change::Discomfort(_, patches) => {
                for patch in patches.iter() {
                    repaint(stages, patch.area, patch.strength);
                }
            }
            Change::Stamp(template, cell, turn, ids) => {
                // It stood there before, on the same map.
                *ids = self
                    .put_up(stages, template, *cell, *turn)
                    .unwrap_or_default();
            }
        }
        self.done.push(change);
        true
    }

    fn keep(&mut self, change: Change) {
        if self.done.len() >= KEPT_MAX {
            self.done.remove(0);
        }
        self.done.push(change);
    }

    fn put_up(
        &mut self,
        stages: &mut [Stage],
        template: &Template,
        cell: Cell,
        turn: Turn,
    ) -> Result<Vec<StampId>, String> {
        let mut ids = Vec::new();
        for stage in stages {
            let begin = Instant::now();
            let (id, report) = stage
                .world
                .stamp(template, cell, turn)
                .map_err(|error| error.to_string())?;
            self.bill
                .get_or_insert_default()
                .add(report, begin.elapsed());
            stage.note_edit(template.area(cell, turn));
            ids.push(id);
        }
        Ok(ids)
    }

    fn lay(&mut self, stages: &mut [Stage], patch: &Patch) {
        for stage in stages {
            let begin = Instant::now();
            // The area lies on the map.
            if let Ok(report) = stage.world.edit(patch.area, patch.cost) {
                self.bill
                    .get_or_insert_default()
                    .add(report, begin.elapsed());
                stage.note_edit(patch.area);
            }
        }
    }

    fn lift(&mut self, stages: &mut [Stage], patch: &Patch) {
        for stage in stages {
            let begin = Instant::now();
            // The area lies on the map, and no cost of a map is 0.
            if let Ok(report) = stage.world.edit_image(patch.area, &patch.before) {
                self.bill
                    .get_or_insert_default()
                    .add(report, begin.elapsed());
                stage.note_edit(patch.area);
            }
        }
    }
}

/// Paints with a strength that was painted before.
fn repaint(stages: &mut [Stage], area: Rect, strength: f32) {
    for stage in stages {
        stage
            .paint_discomfort(area, strength)
            .expect("a strength that the crowd took before");
    }
}

#[cfg(test)]
mod tests {
    use flowtiles::CostMap;

    use super::*;

    #[test]
    fn undone_and_redone_maps_are_those_that_were() {
        let mut stages = vec![Stage::of_map(CostMap::open(60, 40).unwrap(), String::new())];
        let mut history = History::default();
        let bridge = Template::rows(&["..", "##"]).unwrap();
        let mut maps = vec![stages[0].world.costs().to_rows()];
        for step in 0..30i32 {
            let cost = Cost::new([255, 1, 7][step as usize % 3]).unwrap();
            let area = Rect::new(step * 2 - 3, step, 9, 5);
            if step % 5 == 4 {
                let cell = Cell::new(step, 39 - step);
                history
                    .stamp(&mut stages, &bridge, cell, Turn::Quarter)
                    .unwrap();
            } else {
                history.paint(&mut stages, step as u32, cost, area).unwrap();
                let beside = Rect::new(area.x + 4, area.y, 9, 5);
                history
                    .paint(&mut stages, step as u32, cost, beside)
                    .unwrap();
            }
            let rows = stages[0].world.costs().to_rows();
            if maps.last() != Some(&rows) {
                maps.push(rows);
            }
        }
        assert_eq!(history.len().0, maps.len() - 1);
        for wanted in maps.iter().rev().skip(1) {
            assert!(history.undo(&mut stages));
            assert!(stages[0].world.costs().to_rows() == *wanted);
        }
        assert!(!history.undo(&mut stages));
        for wanted in &maps[1..] {
            assert!(history.redo(&mut stages));
            assert!(stages[0].world.costs().to_rows() == *wanted);
        }
        assert!(!history.redo(&mut stages));
    }

    #[test]
    fn discomfort_is_taken_back_and_made_again_with_the_map() {
        let mut stages = vec![Stage::of_map(CostMap::open(30, 20).unwrap(), String::new())];
        let mut history = History::default();
        let cells: Vec<Cell> = Rect::new(0, 0, 30, 20).cells().collect();
        let look = |stages: &[Stage]| -> Vec<f32> {
            let stage = &stages[0];
            cells
                .iter()
                .map(|&cell| stage.discomfort.of(cell))
                .collect()
        };
        let mut seen = vec![look(&stages)];
        for (stroke, strength) in [(1, 4.0), (2, 9.0), (3, 0.0)] {
            for part in 0..3 {
                let area = Rect::new(stroke * 3 + part * 2 - 4, stroke, 7, 9);
                history
                    .paint_discomfort(&mut stages, stroke as u32, strength, area)
                    .unwrap();
            }
            seen.push(look(&stages));
        }
        assert!(seen.is_sorted_by(|one, two| one != two));
        assert_eq!(history.len(), (3, 0), "a stroke is one change");
        history
            .paint(&mut stages, 9, Cost::WALL, Rect::new(0, 0, 3, 3))
            .unwrap();
        assert!(history.undo(&mut stages));
        for wanted in seen.iter().rev().skip(1) {
            assert!(history.undo(&mut stages));
            assert!(look(&stages) == *wanted);
        }
        for wanted in &seen[1..] {
            assert!(history.redo(&mut stages));
            assert!(look(&stages) == *wanted);
        }
        let huge = Rect::new(0, 0, 30, 20);
        assert!(
            history
                .paint_discomfort(&mut stages, 5, f32::NAN, huge)
                .is_err()
        );
    }
}
