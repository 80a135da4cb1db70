//! The undo history: changes of the map that can be undone and redone.
//!
//! A change is a list of swaps: each exchanges what it put on the map for what
//! was there before. Undo and redo are the same exchange, in reverse order and
//! in order.

use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use flowtiles::{
    Cell, CellRect, Cost, EditReport, FlowWorld, SECTOR_SIDE, Sector, StampId, StampTemplate, Turn,
};

use crate::stage::Stage;
use crate::terrain::{DRAWN_WALL, TERRAIN};

/// The most changes that can be undone; the oldest are dropped first.
const KEPT_MAX: usize = 500;
/// The most cells of one area.
const AREA_MAX: u64 = 1 << 22;
/// The most cells of one area of discomfort.
const DISCOMFORT_MAX: u64 = 1 << 16;

/// What a brush paints.
#[derive(Clone, Copy, Debug)]
pub enum Brush {
    /// A cost.
    Cost(Cost),
    /// A kind of terrain: its number in [`TERRAIN`].
    Terrain(u8),
    /// A discomfort, which only crowds avoid.
    Discomfort(f32),
}

/// A change of the map, and the stroke to which it belongs.
struct Change {
    /// Its description in words.
    what: String,
    stroke: Option<u32>,
    swaps: Vec<Swap>,
}

/// An exchange. It holds what is not on the map now.
enum Swap {
    /// Costs and kinds of terrain of the ground in an area.
    Ground(CellRect, Vec<u8>, Vec<Option<u8>>),
    /// Discomfort in an area.
    Discomfort(CellRect, Vec<f32>),
    /// A template and its stamp on each stage; no stamps while it is not on the
    /// map.
    Stamp(StampTemplate, Cell, Turn, Vec<StampId>),
}

/// What a stroke, a stamp or an undo costs the world.
#[derive(Clone, Default)]
pub struct EditCost {
    pub edits: u32,
    pub cells: u64,
    /// Sectors with a changed cell.
    pub sectors: BTreeSet<(i32, i32)>,
    pub rebuilt: usize,
    pub orders: usize,
    pub time: Duration,
}

/// The history.
#[derive(Default)]
pub struct History {
    done: Vec<Change>,
    undone: Vec<Change>,
    /// The stroke in progress.
    stroke: Option<u32>,
    /// Its cost so far.
    bill: Option<EditCost>,
    /// The costs of finished changes.
    bills: Vec<EditCost>,
}

impl History {
    /// Returns how many changes can be undone, and how many redone.
    pub const fn len(&self) -> (usize, usize) {
        (self.done.len(), self.undone.len())
    }

    /// Returns the costs of the changes finished since the last call.
    pub fn take_bills(&mut self) -> Vec<EditCost> {
        std::mem::take(&mut self.bills)
    }

    /// Ends the stroke; its cost is one bill.
    pub fn end_stroke(&mut self) {
        self.stroke = None;
        self.bills.extend(self.bill.take());
    }

    /// Paints an area on every stage.
    ///
    /// # Errors
    /// If the area is too large for the history, there is no such terrain, or the
    /// crowd refuses the discomfort.
    pub fn paint(
        &mut self,
        stages: &mut [Stage],
        stroke: u32,
        brush: Brush,
        area: CellRect,
    ) -> Result<(), String> {
        let Some(first) = stages.first() else {
            return Ok(());
        };
        let (width, height) = first.size();
        let area = area.intersection(CellRect::new(0, 0, width as u32, height as u32));
        if area.is_empty() {
            return Ok(());
        }
        let Some(mut swap) = brush.swap(first, area)? else {
            return Ok(());
        };
        if self.stroke != Some(stroke) {
            self.end_stroke();
            self.stroke = Some(stroke);
        }
        swap.exchange(stages, &mut self.bill)?;
        self.undone.clear();
        match self.done.last_mut() {
            Some(change) if change.stroke == Some(stroke) => change.swaps.push(swap),
            _ => self.keep(format!("a stroke of {brush}"), Some(stroke), swap),
        }
        Ok(())
    }

    /// Stamps a template on every stage.
    ///
    /// # Errors
    /// If a part of it would be off the map.
    pub fn stamp(
        &mut self,
        stages: &mut [Stage],
        (name, template): (&str, &StampTemplate),
        cell: Cell,
        turn: Turn,
    ) -> Result<(), String> {
        self.end_stroke();
        let mut swap = Swap::Stamp(template.clone(), cell, turn, Vec::new());
        swap.exchange(stages, &mut self.bill)?;
        self.end_stroke();
        self.undone.clear();
        self.keep(format!("a {name} at {cell}"), None, swap);
        Ok(())
    }

    /// Undoes the last change and returns its description.
    ///
    /// # Errors
    /// If there is none.
    pub fn undo(&mut self, stages: &mut [Stage]) -> Result<String, String> {
        let change = self.done.pop().ok_or("there is nothing to undo")?;
        let (change, undone) = self.exchange(stages, change);
        self.undone.push(change);
        undone
    }

    /// Redoes the change that was undone last and returns its description.
    ///
    /// # Errors
    /// If there is none.
    pub fn redo(&mut self, stages: &mut [Stage]) -> Result<String, String> {
        let change = self.undone.pop().ok_or("there is nothing to redo")?;
        let (change, redone) = self.exchange(stages, change);
        self.done.push(change);
        redone
    }

    /// Makes the exchanges of a change again, the last one first.
    fn exchange(
        &mut self,
        stages: &mut [Stage],
        mut change: Change,
    ) -> (Change, Result<String, String>) {
        self.end_stroke();
        change.swaps.reverse();
        let mut swaps = change.swaps.iter_mut();
        let done = swaps.try_for_each(|swap| swap.exchange(stages, &mut self.bill));
        self.end_stroke();
        let what = change.what.clone();
        (change, done.map(|()| what))
    }

    fn keep(&mut self, what: String, stroke: Option<u32>, swap: Swap) {
        if self.done.len() >= KEPT_MAX {
            self.done.remove(0);
        }
        let swaps = vec![swap];
        self.done.push(Change {
            what,
            stroke,
            swaps,
        });
    }
}

impl fmt::Display for Brush {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Cost(Cost::WALL) => f.write_str("wall"),
            Self::Cost(Cost::OPEN) => f.write_str("open ground"),
            Self::Cost(cost) => write!(f, "cost {}", cost.value()),
            Self::Terrain(kind) => {
                let known = TERRAIN.get(usize::from(kind));
                f.write_str(known.map_or("terrain", |(name, _)| name))
            }
            Self::Discomfort(strength) => write!(f, "discomfort {strength}"),
        }
    }
}

impl Brush {
    /// Returns the swap that paints an area; `None` if nothing would change.
    fn swap(self, stage: &Stage, area: CellRect) -> Result<Option<Swap>, String> {
        let count = u64::from(area.width) * u64::from(area.height);
        let most = match self {
            Self::Discomfort(_) => DISCOMFORT_MAX,
            Self::Cost(_) | Self::Terrain(_) => AREA_MAX,
        };
        if count > most {
            return Err(format!("at most {most} cells can be painted at a time"));
        }
        let (cost, kind) = match self {
            Self::Discomfort(strength) => {
                let mut before = area.cells().map(|cell| stage.discomfort.of(cell));
                let swap = || Swap::Discomfort(area, vec![strength; count as usize]);
                return Ok(before.any(|before| before != strength).then(swap));
            }
            Self::Cost(cost) => (cost.value(), cost.is_wall().then_some(DRAWN_WALL)),
            Self::Terrain(kind) => {
                let known = TERRAIN.get(usize::from(kind));
                let (_, ground) = known.ok_or("there is no such terrain")?;
                (ground.cost(), Some(kind))
            }
        };
        let is_there =
            |cell| ground_of(&stage.run.world, cell) == cost && stage.ground.kind(cell) == kind;
        let swap = || {
            let (costs, kinds) = (vec![cost; count as usize], vec![kind; count as usize]);
            Swap::Ground(area, costs, kinds)
        };
        Ok((!area.cells().all(is_there)).then(swap))
    }
}

impl Swap {
    /// Exchanges what the swap holds for what is on the map.
    fn exchange(
        &mut self,
        stages: &mut [Stage],
        bill: &mut Option<EditCost>,
    ) -> Result<(), String> {
        let Some(first) = stages.first() else {
            return Ok(());
        };
        match self {
            Self::Ground(area, costs, kinds) => {
                let area = *area;
                let ground = |cell| ground_of(&first.run.world, cell);
                let before: Vec<u8> = area.cells().map(ground).collect();
                let kinds_before = area.cells().map(|cell| first.ground.kind(cell)).collect();
                for (number, stage) in stages.iter_mut().enumerate() {
                    for (cell, kind) in area.cells().zip(&*kinds) {
                        stage.ground.set(cell, *kind);
                    }
                    let bill = if number == 0 { Some(&mut *bill) } else { None };
                    edited(stage, area, bill, |world| {
                        let report = world.edit_rows(area, costs);
                        report.map_err(|error| error.to_string())
                    })?;
                }
                *costs = before;
                *kinds = kinds_before;
            }
            Self::Discomfort(area, strengths) => {
                let before = area.cells().map(|cell| first.discomfort.of(cell)).collect();
                for stage in stages {
                    repaint(stage, *area, strengths)?;
                }
                *strengths = before;
            }
            Self::Stamp(template, cell, turn, ids) => {
                let area = template.area(*cell, *turn);
                let mut taken = std::mem::take(ids).into_iter();
                for (number, stage) in stages.iter_mut().enumerate() {
                    let bill = if number == 0 { Some(&mut *bill) } else { None };
                    let stands = taken.next();
                    edited(stage, area, bill, |world| match stands {
                        Some(id) => world.unstamp(id).ok_or_else(|| "it is gone".to_owned()),
                        None => {
                            let stamped = world.stamp(template, *cell, *turn);
                            let (id, report) = stamped.map_err(|error| error.to_string())?;
                            ids.push(id);
                            Ok(report)
                        }
                    })?;
                }
            }
        }
        Ok(())
    }
}

/// Changes an area of a stage, and adds the cost to a bill.
fn edited(
    stage: &mut Stage,
    area: CellRect,
    bill: Option<&mut Option<EditCost>>,
    edit: impl FnOnce(&mut FlowWorld) -> Result<EditReport, String>,
) -> Result<(), String> {
    let costs = |stage: &Stage| -> Vec<Option<Cost>> {
        let costs = stage.run.world.costs();
        area.cells().map(|cell| costs.get(cell)).collect()
    };
    let before = costs(stage);
    let begin = stage.clock.now();
    let report = edit(&mut stage.run.world)?;
    let time = stage.clock.now().saturating_sub(begin);
    stage.note_edit(area);
    if let Some(bill) = bill {
        let bill = bill.get_or_insert_default();
        bill.edits += 1;
        bill.cells += report.cells;
        bill.rebuilt += report.rebuilt;
        bill.orders = bill.orders.max(report.orders);
        bill.time += time;
        let cells = area.cells().zip(before).zip(costs(stage));
        let changed = cells.filter(|((_, before), after)| before != after);
        let sectors = changed.map(|((cell, _), _)| {
            let Sector { x, y } = Sector::new(
                cell.x.div_euclid(SECTOR_SIDE),
                cell.y.div_euclid(SECTOR_SIDE),
            );
            (x, y)
        });
        bill.sectors.extend(sectors);
    }
    Ok(())
}

/// The cost of a cell's ground, under stamps.
fn ground_of(world: &FlowWorld, cell: Cell) -> u8 {
    world.inspect().ground(cell).map_or(1, Cost::value)
}

/// Paints the discomfort of each cell of an area; equal neighbours in one
/// piece.
fn repaint(stage: &mut Stage, area: CellRect, strengths: &[f32]) -> Result<(), String> {
    if strengths.iter().all(|strength| *strength == strengths[0]) {
        return stage.paint_discomfort(area, strengths[0]);
    }
    let mut cells = area.cells().zip(strengths);
    cells.try_for_each(|(cell, &strength)| {
        stage.paint_discomfort(CellRect::new(cell.x, cell.y, 1, 1), strength)
    })
}

#[cfg(test)]
mod tests {
    use flowtiles::CostMap;
    use flowtiles_inspector::{Ground, Material};

    use super::*;

    /// A map of open ground, and its history.
    struct Edited {
        stages: Vec<Stage>,
        history: History,
    }

    impl Edited {
        fn new(width: u32, height: u32) -> Self {
            let costs = CostMap::open(width, height).unwrap();
            Self {
                stages: vec![Stage::of_map(costs, String::new())],
                history: History::default(),
            }
        }

        fn paint(&mut self, stroke: u32, brush: Brush, area: CellRect) -> Result<(), String> {
            self.history.paint(&mut self.stages, stroke, brush, area)
        }

        fn costs(&self) -> Vec<u8> {
            self.stages[0].run.world.costs().to_rows()
        }

        /// Undoes and redoes all changes, after each of which the stage looked as in `seen`.
        fn go_back_and_forth<T: PartialEq>(&mut self, seen: &[T], look: impl Fn(&Self) -> T) {
            assert_eq!(self.history.len(), (seen.len() - 1, 0));
            for wanted in seen.iter().rev().skip(1) {
                self.history.undo(&mut self.stages).unwrap();
                assert!(look(self) == *wanted);
            }
            assert!(self.history.undo(&mut self.stages).is_err());
            for wanted in &seen[1..] {
                self.history.redo(&mut self.stages).unwrap();
                assert!(look(self) == *wanted);
            }
            assert!(self.history.redo(&mut self.stages).is_err());
        }
    }

    #[test]
    fn undone_and_redone_maps_are_those_that_were() {
        let mut edited = Edited::new(60, 40);
        let bridge = StampTemplate::rows(&["..", "##"]).unwrap();
        let mut maps = vec![edited.costs()];
        for step in 0..30i32 {
            if step % 5 == 4 {
                let Edited { stages, history } = &mut edited;
                let cell = Cell::new(step, 39 - step);
                let stamped = history.stamp(stages, ("bridge", &bridge), cell, Turn::Quarter);
                stamped.unwrap();
            } else {
                let brush = Brush::Cost(Cost::new([255, 1, 7][step as usize % 3]).unwrap());
                for x in [step * 2 - 3, step * 2 + 1] {
                    let area = CellRect::new(x, step, 9, 5);
                    edited.paint(step as u32, brush, area).unwrap();
                }
            }
            let rows = edited.costs();
            if maps.last() != Some(&rows) {
                maps.push(rows);
            }
        }
        edited.go_back_and_forth(&maps, Edited::costs);
    }

    #[test]
    fn discomfort_is_undone_and_redone_with_the_map() {
        let mut edited = Edited::new(30, 20);
        let map = CellRect::new(0, 0, 30, 20);
        let look = |edited: &Edited| -> (Vec<f32>, Vec<u8>) {
            let painted = &edited.stages[0].discomfort;
            let strengths = map.cells().map(|cell| painted.of(cell));
            (strengths.collect(), edited.costs())
        };
        let mut seen = vec![look(&edited)];
        for (stroke, strength) in [(1, 4.0), (2, 9.0), (3, 0.0)] {
            for part in 0..3 {
                let area = CellRect::new(stroke * 3 + part * 2 - 4, stroke, 7, 9);
                let brush = Brush::Discomfort(strength);
                edited.paint(stroke as u32, brush, area).unwrap();
            }
            seen.push(look(&edited));
        }
        let wall = Brush::Cost(Cost::WALL);
        edited.paint(9, wall, CellRect::new(0, 0, 3, 3)).unwrap();
        seen.push(look(&edited));
        assert!(seen.is_sorted_by(|one, two| one != two));
        edited.go_back_and_forth(&seen, look);
        let unknown = Brush::Discomfort(f32::NAN);
        assert!(edited.paint(5, unknown, map).is_err());
    }

    #[test]
    fn stroke_of_many_areas_is_one_change_with_one_cost() {
        let mut edited = Edited::new(90, 60);
        let wall = Brush::Cost(Cost::WALL);
        for at in 0..30 {
            let area = CellRect::new(3 + at, 5, 4, 3);
            edited.paint(7, wall, area).unwrap();
            assert!(edited.history.take_bills().is_empty(), "it goes on");
        }
        edited.history.end_stroke();
        let bills = edited.history.take_bills();
        assert_eq!(bills.len(), 1);
        assert_eq!(bills[0].cells, 33 * 3, "each cell once");
        let sectors: Vec<(i32, i32)> = bills[0].sectors.iter().copied().collect();
        assert_eq!(sectors, [(0, 0), (1, 0), (2, 0), (3, 0)]);
        assert_eq!(bills[0].edits, 30);
        assert_eq!(edited.history.len(), (1, 0));
        edited.history.end_stroke();
        let bills = edited.history.take_bills();
        assert!(bills.is_empty(), "nothing was painted");

        edited.history.undo(&mut edited.stages).unwrap();
        assert_eq!(edited.history.take_bills().len(), 1);
        assert_eq!(edited.costs(), vec![1; 90 * 60]);
        assert_eq!(edited.history.len(), (0, 1));

        // A stroke that was never ended is billed when the next one begins.
        for (stroke, at) in [(8, 0), (9, 9)] {
            let area = CellRect::new(at, at, 1, 1);
            edited.paint(stroke, wall, area).unwrap();
        }
        assert_eq!(edited.history.take_bills().len(), 1);
        assert_eq!(edited.history.len(), (2, 0));
    }

    #[test]
    fn terrain_sets_cost_and_look_and_undo_restores_both() {
        let mut edited = Edited::new(30, 20);
        let look = |edited: &Edited| {
            let stage = &edited.stages[0];
            [Cell::new(4, 4), Cell::new(8, 4)].map(|cell| {
                let cost = stage.run.world.costs().get(cell).unwrap();
                let texel = stage.ground.texel(cell, cost);
                (cost.value(), texel.map(|texel| texel.material))
            })
        };
        let mut seen = vec![look(&edited)];
        for (name, area) in [
            ("swamp", CellRect::new(2, 2, 5, 5)),
            ("wood", CellRect::new(4, 3, 6, 4)),
            ("grass", CellRect::new(4, 4, 1, 1)),
        ] {
            let kind = TERRAIN.iter().position(|known| known.0 == name).unwrap();
            let brush = Brush::Terrain(kind as u8);
            edited.paint(kind as u32, brush, area).unwrap();
            seen.push(look(&edited));
        }
        let (swamp, wood) = ((6, Some(Material::Swamp)), (255, Some(Material::Wood)));
        let (bare, grass) = ((1, None), (1, Some(Material::Grass)));
        assert_eq!(seen, [[bare; 2], [swamp, bare], [wood; 2], [grass, wood]]);
        edited.go_back_and_forth(&seen, look);
        // A painted cost has no appearance of its own.
        let cost = Brush::Cost(Cost::new(9).unwrap());
        edited.paint(50, cost, CellRect::new(8, 4, 1, 1)).unwrap();
        assert_eq!(look(&edited)[1], (9, None));
        // A wall has, while it is one.
        let wall = Brush::Cost(Cost::WALL);
        edited.paint(52, wall, CellRect::new(4, 4, 5, 1)).unwrap();
        assert_eq!(look(&edited), [(255, Some(Material::Drawn)); 2]);
        edited.paint(53, cost, CellRect::new(8, 4, 1, 1)).unwrap();
        assert_eq!(look(&edited)[1], (9, None));
        let unknown = Brush::Terrain(TERRAIN.len() as u8);
        let area = CellRect::new(0, 0, 1, 1);
        assert!(edited.paint(51, unknown, area).is_err());
    }
}
