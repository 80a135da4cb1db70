//! Shared code of the steering tests: drawn numbers, drawn maps, a check of
//! walls, and a march.

use std::ops::Range;
use std::thread;

use flowtiles::steer::{Army, ArmyError, GroupId, GroupSettings, Unit, UnitState};
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, LayerId};

/// Drawn numbers, the same on every machine.
#[derive(Clone)]
pub struct Draw(u32);

impl Draw {
    /// Returns the numbers of a seed.
    pub const fn new(seed: u32) -> Self {
        Self(seed.wrapping_mul(2_654_435_761).wrapping_add(12_345))
    }

    /// Draws a number below a bound.
    pub const fn below(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) % end
    }

    /// Draws a number between two bounds.
    pub fn float(&mut self, from: f32, until: f32) -> f32 {
        from + (until - from) * (self.below(1 << 20) as f32 / (1 << 20) as f32)
    }
}

/// Changes what is set of a group; of one that is gone it sets what a new one has.
pub fn configure(
    army: &mut Army,
    world: &FlowWorld,
    group: GroupId,
    change: impl FnOnce(&mut GroupSettings),
) -> Result<(), ArmyError> {
    let mut settings = army.settings(group).copied().unwrap_or_default();
    change(&mut settings);
    army.configure(group, settings, world)
}

/// Puts a group on a layer, which is derived for it.
pub fn set_layer(
    army: &mut Army,
    world: &mut FlowWorld,
    group: GroupId,
    layer: LayerId,
) -> Result<(), ArmyError> {
    let set = configure(army, world, group, |it| it.layer = layer);
    if set != Err(ArmyError::NotDerived { layer }) {
        return set;
    }
    world.derive_layer(layer).expect("a layer of the world");
    configure(army, world, group, |it| it.layer = layer)
}

/// Does work in a rayon pool of this many threads, which have the name of the test. The engine
/// uses them with its feature `rayon`; without it there is one thread.
pub fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let name = thread::current().name().unwrap_or_default().to_owned();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(move |_| name.clone());
    pool.build().expect("a few threads").install(work)
}

/// Returns a map on which this percentage of the cells are walls.
pub fn drawn_map(draw: &mut Draw, width: u32, height: u32, percent: u32) -> CostMap {
    let mut map = CostMap::open(width, height).expect("within the limits");
    for cell in CellRect::new(0, 0, width, height).cells() {
        if draw.below(100) < percent {
            map.edit(cell, Cost::WALL).expect("on the map");
        }
    }
    map
}

/// Whether a circle overlaps a wall by more than the rounding of its position.
pub fn in_wall(map: &CostMap, [x, y]: [f32; 2], radius: f32) -> bool {
    let (x, y, radius) = (f64::from(x), f64::from(y), f64::from(radius) - 1e-4);
    let span = |at: f64| (at - 1.0).floor() as i32..=(at + 1.0).floor() as i32;
    span(y).any(|row| {
        span(x).any(|column| {
            let cost = map.get(Cell::new(column, row)).unwrap_or(Cost::WALL);
            let dx = x - x.clamp(f64::from(column), f64::from(column) + 1.0);
            let dy = y - y.clamp(f64::from(row), f64::from(row) + 1.0);
            cost.is_wall() && dx * dx + dy * dy < radius * radius
        })
    })
}

/// Adds units of a group in rows of this many, from a corner on, this far apart.
pub fn add_rows(
    army: &mut Army,
    group: GroupId,
    ids: Range<u32>,
    columns: u32,
    corner: [f32; 2],
    apart: f32,
) {
    for (at, id) in (0..).zip(ids) {
        let place = [at % columns, at / columns].map(|at| apart * at as f32);
        let place = [corner[0] + place[0], corner[1] + place[1]];
        army.add(Unit::new(id, group, place)).expect("a new unit");
    }
}

/// Marches until all units have settled; returns the length that each has
/// walked.
///
/// # Panics
/// If not all have settled after this many steps.
pub fn march(world: &mut FlowWorld, army: &mut Army, seconds: f32, steps: u32) -> Vec<f64> {
    let mut walked = vec![0.0; army.units().len()];
    for _ in 0..steps {
        let before: Vec<[f32; 2]> = army.units().iter().map(|unit| unit.position).collect();
        let progress = world.tick(Budget::UNLIMITED);
        army.step(world, seconds);
        if progress.waiting == 0 {
            army.cover_strays(world);
        }
        for (at, unit) in army.units().iter().enumerate() {
            let off = |axis: usize| f64::from(unit.position[axis] - before[at][axis]);
            walked[at] += off(0).hypot(off(1));
        }
        if army
            .units()
            .iter()
            .all(|unit| unit.state != UnitState::Marching)
        {
            return walked;
        }
    }
    panic!("still on the way after {steps} steps: {:?}", army.units());
}
