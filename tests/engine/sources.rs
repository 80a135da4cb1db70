//! Costs read from a source: the world is the same as with the costs in memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::oracle::draw::for_drawn;
use crate::oracle::follow::finish;
use crate::oracle::game::{Game, draw_input};
use crate::oracle::{Map, WALL};
use flowtiles::build::{CostSource, SectorCosts};
use flowtiles::error::{CostMapError, LoadError};
use flowtiles::{Cell, CellRect, Cost, CostMap, FlowWorld, Sector};

/// A map of the oracle as a source that counts its reads.
#[derive(Clone)]
struct Rows {
    map: Map,
    reads: Arc<AtomicU64>,
}

impl Rows {
    fn of(map: &Map) -> Self {
        Self {
            map: map.clone(),
            reads: Arc::default(),
        }
    }

    fn reads(&self) -> u64 {
        self.reads.load(Ordering::Relaxed)
    }
}

impl CostSource for Rows {
    fn size(&self) -> (u32, u32) {
        (self.map.width as u32, self.map.height as u32)
    }

    fn sector(&self, sector: Sector) -> SectorCosts {
        self.reads.fetch_add(1, Ordering::Relaxed);
        sector_costs(&self.map, sector)
    }
}

/// Returns a sector's costs, with invalid ones off the map.
fn sector_costs(map: &Map, sector: Sector) -> SectorCosts {
    let mut costs = [77; 100];
    for cell in map.cells_of(sector) {
        costs[(cell.y % 10 * 10 + cell.x % 10) as usize] = map.cost(cell);
    }
    match costs {
        [first, ..] if costs == [first; 100] => SectorCosts::Even(Cost::new(first).unwrap()),
        costs => SectorCosts::Cells(costs),
    }
}

#[test]
fn a_map_made_by_sectors_is_that_of_its_rows() {
    for_drawn(201, &[(10, 10), (25, 14), (40, 58)], 4, |map, _| {
        let (width, height) = (map.width as u32, map.height as u32);
        let rows = map.cost_map();
        let sectors =
            CostMap::from_sectors(width, height, |sector| sector_costs(map, sector)).unwrap();
        let sourced = CostMap::from_source(Rows::of(map)).unwrap();
        assert!(rows == sectors && rows == sourced, "on {map}");
        assert_eq!(sourced.to_rows(), map.costs);
        assert_eq!(sectors.source_digest(), None);
    });
}

#[test]
fn game_over_a_source_equals_one_with_costs_in_memory() {
    for_drawn(202, &[(11, 21), (33, 58)], 4, |map, rng| {
        let (mut kept, mut read) = (Game::new(map), Game::new(map));
        let under = || CostMap::from_source(Rows::of(map)).unwrap();
        read.world = FlowWorld::new(under());
        assert!(kept.world.inspect().portal_graph() == read.world.inspect().portal_graph());
        for world in [&mut kept.world, &mut read.world] {
            world.add_fog(1).expect("it has none");
        }
        for turn in 0..60 {
            let input = draw_input(map, rng);
            kept.apply(&input);
            read.apply(&input);
            let (seen, lost) = (rng.area(map, 12), rng.area(map, 12));
            for world in [&mut kept.world, &mut read.world] {
                world.reveal(1, &[seen]).expect("it has fog");
                world.forget(1, &[lost], Cost::OPEN).expect("it has fog");
            }
            assert_eq!(
                kept.world.inspect().state_parts(),
                read.world.inspect().state_parts(),
                "{turn}: {input:?} on {map}"
            );
            assert!(kept.world.inspect().portal_graph() == read.world.inspect().portal_graph());
            if turn % 20 == 19 {
                let bytes = read.world.save();
                let (world, orders) = FlowWorld::load_over(&bytes, under()).expect("a good save");
                read.adopt(world, &orders);
                assert!(read.world.save() == bytes, "the save of a load is the same");
                kept.reload();
            }
        }
        finish(&mut kept.world);
        finish(&mut read.world);
        assert_eq!(
            kept.world.inspect().state_parts(),
            read.world.inspect().state_parts()
        );
        read.assert_map();
    });
}

#[test]
fn unedited_ground_of_a_source_is_not_stored() {
    // Every sector has a wall in its middle.
    let mut map = Map::open(600, 600);
    for cell in map
        .cells()
        .filter(|cell| cell.x % 10 == 5 && cell.y % 10 == 5)
    {
        map.set(cell, WALL);
    }
    let source = Rows::of(&map);
    let costs = CostMap::from_source(source.clone()).unwrap();
    assert_eq!(source.reads(), 3600, "each sector once");
    let fresh = costs.bytes();
    assert!(fresh < 4 * 3600 + 3000, "{fresh}");
    assert!(map.cost_map().bytes() > 126 * 3600);

    let mut world = FlowWorld::new(costs);
    let built = source.reads();
    assert!(built <= 8 * 3600, "{built}");
    let unit = Cell::new(3, 3);
    let order = world.order(Cell::new(590, 3), &[unit]).unwrap();
    finish(&mut world);
    let loaded = world.inspect().loaded(&order).len() as u64;
    let for_order = source.reads() - built;
    assert!((loaded..60 * loaded).contains(&for_order), "{for_order}");
    for _ in 0..100 {
        assert!(world.sample(&order, unit).direction().is_some());
    }
    assert_eq!(source.reads() - built, for_order, "directions are kept");
    assert_eq!(world.costs().bytes(), fresh);

    // An edit copies the sectors that it touches, and frees them when the
    // ground is restored.
    world
        .edit(CellRect::new(100, 100, 20, 10), Cost::new(9).unwrap())
        .unwrap();
    world.edit(Cell::new(305, 5), Cost::OPEN).unwrap();
    let touched = world.costs().bytes();
    world
        .edit(Cell::new(306, 6), Cost::new(3).unwrap())
        .unwrap();
    assert!(world.costs().bytes() > fresh && touched < fresh + 2000);
    let home = CostMap::from_source(source).unwrap();
    for cell in [Cell::new(305, 5), Cell::new(306, 6)] {
        world.edit(cell, home.get(cell).unwrap()).unwrap();
    }
    for cell in CellRect::new(100, 100, 20, 10).cells() {
        world.edit(cell, home.get(cell).unwrap()).unwrap();
    }
    assert!(*world.costs() == home);
    finish(&mut world);
    let mut never = FlowWorld::new(home);
    let _order = never.order(Cell::new(590, 3), &[unit]).unwrap();
    finish(&mut never);
    assert_eq!(world.save(), never.save());
}

#[test]
fn save_over_a_source_loads_with_that_source_alone() {
    let mut map = Map::open(50, 40);
    map.fill(CellRect::new(20, 3, 3, 30), 9);
    let under = |map: &Map| CostMap::from_source(Rows::of(map)).unwrap();
    let mut world = FlowWorld::new(under(&map));
    world.edit(CellRect::new(0, 0, 25, 25), Cost::WALL).unwrap();
    let bytes = world.save();
    assert!(bytes.len() < 250, "{}: only what was changed", bytes.len());
    let (loaded, _) = FlowWorld::load_over(&bytes, under(&map)).unwrap();
    assert_eq!(loaded.state_hash(), world.state_hash());
    // A map that was edited after it was made is accepted too.
    let mut edited = under(&map);
    edited
        .edit(CellRect::new(15, 10, 30, 30), Cost::new(4).unwrap())
        .unwrap();
    let (loaded, _) = FlowWorld::load_over(&bytes, edited).unwrap();
    assert_eq!(loaded.state_hash(), world.state_hash());

    assert!(matches!(
        FlowWorld::load(&bytes),
        Err(LoadError::OverSource)
    ));
    let refused = |bytes: &[u8], under| {
        let error = FlowWorld::load_over(bytes, under).expect_err("refused");
        assert!(matches!(error, LoadError::OtherSource { .. }), "{error:?}");
        error.to_string()
    };
    map.set(Cell::new(21, 5), 8);
    assert!(refused(&bytes, under(&map)).contains("with which it was saved"));
    assert!(refused(&bytes, map.cost_map()).contains("from_source"));
    let plain = FlowWorld::new(map.cost_map()).save();
    assert!(refused(&plain, under(&map)).contains("`FlowWorld::load`"));
}

#[test]
fn source_with_a_zero_cost_is_refused_with_the_cell() {
    let mut map = Map::open(33, 27);
    map.costs[20 * 33 + 31] = 0;
    let zero = CostMapError::Zero {
        cell: Cell::new(31, 20),
    };
    assert_eq!(CostMap::from_source(Rows::of(&map)), Err(zero));
    let sectors = CostMap::from_sectors(33, 27, |sector| sector_costs(&map, sector));
    assert_eq!(sectors, Err(zero));
    let nothing = CostMap::from_sectors(0, 27, |_| SectorCosts::OPEN);
    assert!(matches!(nothing, Err(CostMapError::Size(_))));
}

/// A source whose walls move after it has been read completely.
struct Shifty(AtomicU64);

impl CostSource for Shifty {
    fn size(&self) -> (u32, u32) {
        (20, 20)
    }

    fn sector(&self, _: Sector) -> SectorCosts {
        let mut costs = [1; 100];
        let reads = self.0.fetch_add(1, Ordering::Relaxed);
        costs[if reads < 4 { 50 } else { 51 }] = WALL;
        SectorCosts::Cells(costs)
    }
}

#[test]
#[should_panic(expected = "the costs of a `CostSource` must not change")]
fn source_that_returns_other_costs_panics() {
    let costs = CostMap::from_source(Shifty(AtomicU64::new(0))).unwrap();
    let _ = FlowWorld::new(costs);
}
