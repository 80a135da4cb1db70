//! The cost of movement layers: deriving a second one, edits that several follow, and
//! congestion.

use std::hint::black_box;

use flowtiles::{Cell, Cost, FlowWorld, LayerId, Movement};

use super::effort::Effort;
use super::figures::{Figure, LayerFigures};
use super::subject::Subject;
use super::times::Times;
use crate::support::failure::Failure;
use crate::support::random::Random;

/// The classes beside the ground's: of each, what its units pay for open ground.
const CLASSES: [u8; 5] = [1, 2, 3, 4, 5];
/// The width of the bodies of the wide layer.
const WIDE: u8 = 3;

/// The units whose congestion is noted, and the side of the area that they fill.
const UNITS: usize = 20_000;
const CROWDED: i32 = 100;

/// A world with six layers, and the cells to toggle.
pub struct Layers {
    world: FlowWorld,
    cells: Vec<(Cell, Cost)>,
    second: LayerId,
    wide: LayerId,
    /// A layer that heeds congestion.
    wary: LayerId,
    bytes: f64,
    derive: Times,
    derive_wide: Times,
    edit: Times,
    note: Times,
    congest: Times,
}

fn derive(world: &mut FlowWorld, layer: LayerId) -> Result<(), Failure> {
    let derived = world.derive_layer(layer);
    derived.map_err(|error| Failure::Wrong(error.to_string()))
}

fn free(world: &mut FlowWorld, layer: LayerId) -> Result<(), Failure> {
    let freed = world.free_layer(layer);
    freed.map_err(|error| Failure::Wrong(error.to_string()))
}

impl Layers {
    /// Derives the layers, and compares them with worlds of the same costs, also after
    /// edits.
    pub fn new(subject: &Subject, effort: &Effort) -> Result<Self, Failure> {
        let mut world = FlowWorld::new(subject.costs().clone());
        let mut random = Random::new(43);
        let (width, height) = (world.costs().width(), world.costs().height());
        let cells = (0..effort.edits).map(|_| {
            let cell = Cell::new(random.below(width as i32), random.below(height as i32));
            (cell, subject.costs().get(cell).unwrap_or(Cost::WALL))
        });
        let cells: Vec<(Cell, Cost)> = cells.collect();
        let refused = |error: flowtiles::LayerError| Failure::Wrong(error.to_string());
        let mut layers = Vec::new();
        let before = world.inspect().stats();
        let mut bytes = 0.0;
        for price in CLASSES {
            let price = Cost::new(price).unwrap_or(Cost::OPEN);
            let class = Movement::new().with_cost(Cost::OPEN, price);
            let layer = world.add_layer(class).map_err(refused)?;
            derive(&mut world, layer)?;
            if layers.is_empty() {
                let now = world.inspect().stats();
                let all = |stats: flowtiles::Stats| {
                    (stats.cost_bytes + stats.graph_bytes + stats.cluster_bytes) as f64
                };
                bytes = (all(now) - all(before)) / (f64::from(width) * f64::from(height));
            }
            layers.push(layer);
        }
        let wide = Movement::new().with_size(WIDE).map_err(refused)?;
        let wide = world.add_layer(wide).map_err(refused)?;
        derive(&mut world, wide)?;
        layers.push(wide);
        let wary = Movement::new().with_congestion_costs([1, 2, 4, 8]);
        let wary = world.add_layer(wary).map_err(refused)?;
        let layered = Self {
            world,
            cells,
            second: layers[0],
            wide,
            wary,
            bytes,
            derive: Times::default(),
            derive_wide: Times::default(),
            edit: Times::default(),
            note: Times::default(),
            congest: Times::default(),
        };
        layered.check(subject, &layers)
    }

    fn check(mut self, subject: &Subject, layers: &[LayerId]) -> Result<Self, Failure> {
        let cells: Vec<(Cell, Cost)> = self.cells.iter().copied().take(100).collect();
        for &(cell, _) in &cells {
            self.world.edit(cell, Cost::WALL).ok();
        }
        let is_anew = |world: &FlowWorld, layer: LayerId| {
            let (view, inside) = (world.on(layer)?, world.inspect().on(layer)?);
            let anew = FlowWorld::new(view.costs().clone());
            (inside.portal_graph() == anew.inspect().portal_graph()).then_some(())
        };
        let all_anew = layers
            .iter()
            .all(|&layer| is_anew(&self.world, layer).is_some());
        for &(cell, cost) in cells.iter().rev() {
            self.world.edit(cell, cost).ok();
        }
        let is_back = self.world.costs() == subject.costs();
        if all_anew && is_back {
            return Ok(self);
        }
        Err(Failure::Wrong(format!(
            "{}: after edits the graph of a layer is not that of its costs",
            subject.name()
        )))
    }

    /// One round: two layers derived, and cells there and back with six layers.
    pub fn round(&mut self) -> Result<(), Failure> {
        self.derive.begin_round();
        self.derive_wide.begin_round();
        self.edit.begin_round();
        for (layer, times) in [
            (self.second, &mut self.derive),
            (self.wide, &mut self.derive_wide),
        ] {
            for _ in 0..2 {
                free(&mut self.world, layer)?;
                times.time(|| derive(&mut self.world, layer))?;
            }
        }
        free(&mut self.world, self.wide)?;
        let edit = |world: &mut FlowWorld, cell: Cell, cost: Cost| {
            black_box(world.edit(cell, cost)).ok();
        };
        for &(cell, cost) in &self.cells {
            let other = if cost.is_wall() {
                Cost::OPEN
            } else {
                Cost::WALL
            };
            self.edit.time(|| edit(&mut self.world, cell, other));
            self.edit.time(|| edit(&mut self.world, cell, cost));
        }
        self.congest()
    }

    /// Fills an area with units, and lets it empty again.
    fn congest(&mut self) -> Result<(), Failure> {
        self.note.begin_round();
        self.congest.begin_round();
        derive(&mut self.world, self.wary)?;
        let (width, height) = (self.world.costs().width(), self.world.costs().height());
        let side = |along: u32| (along as i32).min(CROWDED);
        let (across, down) = (side(width), side(height));
        let units: Vec<(Cell, u16)> = (0..UNITS as i32)
            .map(|at| (Cell::new(at % across, at / across % down), 60))
            .collect();
        // As many changes in each run, until all is as it was.
        let mut changed = 0;
        for round in 0..400 {
            let given = if round < 40 { &units[..] } else { &[] };
            let begin = std::time::Instant::now();
            let report = self.world.note_units(black_box(given));
            let time = begin.elapsed();
            let report = report.map_err(|error| Failure::Wrong(error.to_string()))?;
            changed += report.changed;
            match report.changed {
                _ if round >= 40 => {}
                0 => self.note.note(time),
                _ => self.congest.note(time),
            }
            if round >= 40 && self.world.inspect().congestion().next().is_none() {
                break;
            }
        }
        if changed == 0 {
            return Err(Failure::Wrong("no congestion was recorded".to_owned()));
        }
        free(&mut self.world, self.wary)
    }

    pub fn figures(&self) -> LayerFigures {
        LayerFigures {
            derive_ms: self.derive.median(1e3),
            derive_wide_ms: self.derive_wide.median(1e3),
            bytes_per_cell: Figure::counted(self.bytes),
            edit_six_us: self.edit.median(1e6),
            note_us: self.note.median(1e6),
            congest_us: self.congest.median(1e6),
        }
    }
}
