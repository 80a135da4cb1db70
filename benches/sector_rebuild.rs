//! The cost of rebuilding a sector.
//!
//! One loaded sector is settled again from the values at its border: the halo
//! is gathered, the tile is brought to its fixpoint, read out as directions,
//! and compared with its neighbours. On open ground, among walls, and on
//! weighted ground.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use flowtiles::{Budget, Cell, CostMap, FlowWorld, Sector};

const SIDE: u32 = 50;
const GOAL: Cell = Cell::new(45, 45);
const UNIT: Cell = Cell::new(5, 5);

/// Returns a map whose cells cost what `cost` returns for drawn numbers, with
/// open ground at both ends.
fn map(cost: impl Fn(u32) -> u8) -> CostMap {
    let mut state = 1_u32;
    let rows = (0..SIDE * SIDE).map(|at| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let (x, y) = ((at % SIDE) as i32, (at / SIDE) as i32);
        let near = |cell: Cell| (x - cell.x).abs() <= 1 && (y - cell.y).abs() <= 1;
        if near(GOAL) || near(UNIT) {
            1
        } else {
            cost(state >> 16)
        }
    });
    let rows: Vec<u8> = rows.collect();
    CostMap::from_rows(SIDE, SIDE, &rows).expect("no cost is 0")
}

fn sector_rebuild(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("sector rebuild");
    let grounds = [
        ("clear", map(|_| 1)),
        (
            "walls 20 %",
            map(|draw| if draw % 5 == 0 { 255 } else { 1 }),
        ),
        ("costs 1 to 20", map(|draw| 1 + (draw % 20) as u8)),
    ];
    for (name, map) in grounds {
        let mut world = FlowWorld::new(map);
        let order = world.order(GOAL, &[UNIT]).expect("the ends are joined");
        world.tick(Budget::UNLIMITED);
        let mut unit = UNIT;
        while let Some(direction) = world.sample(&order, unit).direction() {
            unit = unit.step(direction);
        }
        assert_eq!(unit, GOAL, "the way is checked before it is timed");
        let mut integration = world.inspect().integration(&order);
        // A sector with all eight neighbours, two sectors away from the goal's.
        let sector = Sector::new(3, 3);
        assert!(integration.rebuild(sector), "the sector is loaded");
        group.bench_function(name, |bencher| {
            bencher.iter(|| integration.rebuild(black_box(sector)));
        });
    }
    group.finish();
}

criterion_group!(benches, sector_rebuild);
criterion_main!(benches);
