//! The memory of a world on fixed maps: bytes are counted and not measured, so
//! they are the same in every run.

use super::scenarios::{map_of_letters, open_or_wall};
use crate::oracle::Map;
use crate::oracle::draw::{Look, Rng, draw};
use crate::oracle::follow::finish;
use flowtiles::build::SectorCosts;
use flowtiles::inspect::Stats;
use flowtiles::{Budget, Cell, CostMap, FlowWorld, Goal, Quality};

/// Hundredths of a byte for each cell, for the costs and for portals with
/// islands, on maps of 600×600 cells: the counted values plus three per cent.
const MOST: [(Look, usize, usize); 6] = [
    (Look::Open, 7, 91),
    (Look::Walls(20), 135, 497),
    (Look::Rooms, 135, 405),
    (Look::Caves, 130, 298),
    (Look::Maze, 135, 518),
    (Look::Terrain, 135, 342),
];

/// Returns hundredths of a byte for each cell.
fn a_cell(bytes: usize, costs: &CostMap) -> usize {
    bytes * 100 / (costs.width() as usize * costs.height() as usize)
}

#[test]
fn costs_and_graph_take_no_more_bytes_than_they_did() {
    for (look, costs_most, graph_most) in MOST {
        let map = draw(look, 600, 600, &mut Rng::new(3));
        let world = FlowWorld::new(map.cost_map());
        let Stats {
            cost_bytes,
            graph_bytes,
            ..
        } = world.inspect().stats();
        let [costs, graph] = [cost_bytes, graph_bytes].map(|bytes| a_cell(bytes, world.costs()));
        assert!(
            costs <= costs_most && graph <= graph_most,
            "{look:?}: {costs} and {graph} hundredths of a byte a cell"
        );
    }
}

#[test]
fn a_starcraft_map_takes_six_bytes_a_cell_at_most() {
    for name in ["TheFrozenSea", "JungleSiege"] {
        let Some(map) = map_of_letters(name, open_or_wall) else {
            continue;
        };
        let world = FlowWorld::new(map.cost_map());
        let stats = world.inspect().stats();
        let all = a_cell(stats.cost_bytes + stats.graph_bytes, world.costs());
        assert!(all <= 300, "{name}: {all} hundredths of a byte a cell");
    }
}

#[test]
fn a_live_tile_takes_320_bytes_at_most() {
    for (look, ..) in MOST {
        let map = draw(look, 600, 600, &mut Rng::new(3));
        let mut world = FlowWorld::new(map.cost_map());
        let open = map.open_cells();
        let ends = [open[open.len() / 50], open[open.len() - open.len() / 50]];
        for quality in [Quality::Corridor, Quality::Everywhere] {
            let goal = Goal::at(ends[1]).or_nearest().with_quality(quality);
            let _order = world.order(goal, &ends[..1]).unwrap();
            finish(&mut world);
            let stats = world.inspect().stats();
            assert!(stats.tiles > 50, "{look:?}");
            let tile = stats.tile_bytes as f64 / stats.tiles as f64;
            assert!(tile <= 320.0, "{look:?} {quality:?}: {tile}");
            assert!(stats.tile_bytes <= stats.order_bytes);
        }
    }
}

/// Returns open ground of any size, with one wall.
fn plain(side: u32) -> FlowWorld {
    let wall = |sector: flowtiles::Sector| match (sector.x, sector.y) {
        (20, 3..30) => SectorCosts::WALLS,
        _ => SectorCosts::OPEN,
    };
    FlowWorld::new(CostMap::from_sectors(side, side, wall).unwrap())
}

#[test]
fn memory_of_an_order_does_not_grow_with_the_map() {
    let tiles_on = |side: u32| {
        let mut world = plain(side);
        let goal = Cell::new(370, 210);
        let _order = world.order(goal, &[Cell::new(35, 140)]).unwrap();
        finish(&mut world);
        let stats = world.inspect().stats();
        (stats.tiles, [stats.tile_bytes, stats.order_bytes])
    };
    let ((few, small), (many, large)) = (tiles_on(400), tiles_on(3990));
    assert_eq!(few, many, "the same sectors");
    for (small, large) in small.into_iter().zip(large) {
        // The search reads more where the map continues, in larger clusters.
        assert!(large < small + small / 8, "{small} and {large} bytes");
    }
}

#[test]
fn open_ground_takes_less_than_a_byte_a_cell() {
    let world = plain(4000);
    let stats = world.inspect().stats();
    let sector = (stats.cost_bytes + stats.graph_bytes) / stats.sectors;
    assert!(sector <= 90, "{sector} bytes for a sector");
    let map = Map::open(50, 50);
    assert!(map.cost_map().bytes() < 3000);
}

#[test]
fn order_of_everywhere_takes_memory_as_it_grows() {
    let mut world = FlowWorld::new(CostMap::open(3000, 3000).unwrap());
    let goal = Goal::at(Cell::new(5, 5)).with_quality(Quality::Everywhere);
    let _order = world.order(goal, &[]).unwrap();
    let mut before = 0;
    for _ in 0..20 {
        let progress = world.tick(Budget::cells(10_000));
        assert!(progress.cells <= 10_100, "{progress:?}");
        let bytes = world.inspect().stats().order_bytes;
        // At most a hundred tiles in a tick, plus the memory kept for some
        // thousand.
        assert!(
            bytes <= before.max(1_500_000) + 60_000,
            "{bytes}, {before} before"
        );
        before = bytes;
    }
    finish(&mut world);
    assert_eq!(world.inspect().stats().tiles, 90_000);
}
