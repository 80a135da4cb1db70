//! Groups that keep their width on the march.

use flowtiles::steer::parts::is_clear;
use flowtiles::steer::{Army, GroupId, Reading, Unit, UnitState};
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld};

use crate::crowd::{Draw, configure, drawn_map, on_threads};
use crate::draws::draws;

struct Game {
    world: FlowWorld,
    army: Army,
    group: GroupId,
}

impl Game {
    /// A block of units, 12 by 12, on its way east.
    fn new(map: CostMap, goal: Cell, keeps: bool) -> Self {
        let units: Vec<Cell> = (0..144)
            .map(|at| Cell::new(4 + at % 12, 30 + at / 12))
            .collect();
        Self::of(map, goal, &units, keeps)
    }

    fn of(map: CostMap, goal: Cell, units: &[Cell], keeps: bool) -> Self {
        let mut world = FlowWorld::new(map);
        let order = world.order(goal, units).unwrap();
        let mut army = Army::default();
        let group = army.add_group(order, Reading::Ahead).unwrap();
        configure(&mut army, &world, group, |it| it.keeps_width = keeps).unwrap();
        for (id, cell) in (0..).zip(units) {
            let place = cell.centre();
            army.add(Unit::new(id, group, place)).unwrap();
        }
        Self { world, army, group }
    }

    fn tick(&mut self) {
        self.army.tick(&mut self.world, Budget::cells(10_000), 0.1);
        for unit in self.army.units() {
            assert!(is_clear(self.world.costs(), unit.position, unit.radius));
        }
    }

    fn middle(&self) -> [f32; 2] {
        let count = self.army.units().len() as f32;
        let units = self.army.units().iter();
        units.fold([0.0; 2], |middle, unit| {
            [0, 1].map(|axis| middle[axis] + unit.position[axis] / count)
        })
    }

    /// The mean distance of the units from the path of their middle.
    fn across(&self) -> f32 {
        let (middle, units) = (self.middle(), self.army.units());
        let [x, y] = units.iter().fold([0.0; 2], |sum, unit| {
            [0, 1].map(|axis| sum[axis] + unit.velocity[axis])
        });
        let off = |unit: &Unit| {
            let [along, across] = [0, 1].map(|axis| unit.position[axis] - middle[axis]);
            ((across * x - along * y) / x.hypot(y)).abs()
        };
        units.iter().map(off).sum::<f32>() / units.len() as f32
    }

    /// Marches until the middle is past a column; returns the width there.
    fn across_at(&mut self, column: f32) -> f32 {
        for _ in 0..3_000 {
            if self.middle()[0] > column {
                return self.across();
            }
            self.tick();
        }
        panic!("the group stands at {:?}", self.middle());
    }

    /// Marches until all have arrived; returns the ticks.
    fn ticks_to_arrive(&mut self) -> u32 {
        for tick in 0..6_000 {
            if self
                .army
                .units()
                .iter()
                .all(|u| u.state == UnitState::Arrived)
            {
                return tick;
            }
            self.tick();
        }
        let late = |unit: &&Unit| unit.state != UnitState::Arrived;
        panic!("{:?}", self.army.units().iter().find(late));
    }
}

fn walls(areas: &[CellRect]) -> CostMap {
    let mut map = CostMap::open(260, 100).unwrap();
    for &area in areas {
        map.edit(area, Cost::WALL).unwrap();
    }
    map
}

/// A corner, a door of eight cells, and rocks.
fn grounds() -> [CostMap; 3] {
    let mut draw = Draw::new(3);
    let rocks = [(); 40].map(|()| {
        let [x, y] = [draw.below(190), draw.below(97)].map(|at| at as i32);
        CellRect::new(40 + x, y, 3, 3)
    });
    [
        walls(&[CellRect::new(100, 0, 5, 65)]),
        walls(&[CellRect::new(100, 0, 3, 46), CellRect::new(100, 54, 3, 46)]),
        walls(&rocks),
    ]
}

#[test]
fn group_behind_a_pass_is_as_wide_and_no_later() {
    for map in grounds() {
        let goal = Cell::new(240, 40);
        let [mut wide, mut thin] = [true, false].map(|keeps| Game::new(map.clone(), goal, keeps));
        let start = 3.0; // the mean of a block of 12 rows
        let (kept, lost) = (wide.across_at(170.0), thin.across_at(170.0));
        assert!(kept > 0.75 * start, "{kept}");
        assert!(lost < 0.6 * start, "{lost}");
        let (slow, quick) = (wide.ticks_to_arrive(), thin.ticks_to_arrive());
        assert!(slow * 8 <= quick * 9, "{slow} and {quick} ticks");
    }
}

#[test]
fn a_group_keeps_its_width_when_its_leaders_fall() {
    let [corner, ..] = grounds();
    let mut game = Game::new(corner, Cell::new(240, 40), true);
    for _ in 0..12 {
        for _ in 0..30 {
            game.tick();
        }
        // The front falls.
        let [x, _] = game.middle();
        let front = |unit: &Unit| unit.position[0] > x + 4.0 && unit.id.is_multiple_of(3);
        game.army.retain(|unit| !front(unit));
    }
    assert!(game.across_at(170.0) > 2.0);
    game.ticks_to_arrive();
}

#[test]
fn all_arrive_on_any_ground_and_any_thread_count() {
    for seed in 0..4 * draws() as u32 {
        let mut draw = Draw::new(seed);
        let map = drawn_map(&mut draw, 90, 60, 8);
        let open = |world: &FlowWorld, cell| world.costs().get(cell) != Some(Cost::WALL);
        let world = FlowWorld::new(map.clone());
        let cells = (0..90 * 60).map(|at| Cell::new(at % 90, at / 90));
        let cells: Vec<Cell> = cells.filter(|&cell| open(&world, cell)).collect();
        let goal = cells[draw.below(cells.len() as u32) as usize];
        let reaches = |cell: &&Cell| world.reachable(**cell, goal);
        let mut units: Vec<Cell> = cells.iter().filter(reaches).copied().collect();
        let first = draw.below(units.len().saturating_sub(80).max(1) as u32) as usize;
        units = units.into_iter().skip(first).take(80).collect();
        let hashes = [1, 2, 8].map(|threads| {
            let mut game = Game::of(map.clone(), goal, &units, true);
            on_threads(threads, || {
                for tick in 0..40 {
                    game.tick();
                    if tick == 20 {
                        // What a save holds is all that the march depends on.
                        let bytes = game.army.save();
                        game.army = Army::load(&bytes, &game.world).unwrap();
                    }
                }
            });
            (game.army.state_hash(), game.ticks_to_arrive())
        });
        assert!(hashes.iter().all(|hash| *hash == hashes[0]), "seed {seed}");
    }
}

#[test]
fn formation_overrides_the_width_of_its_group_only() {
    let [corner, ..] = grounds();
    let mut game = Game::new(corner, Cell::new(240, 40), false);
    let before = game.army.state_hash();
    configure(&mut game.army, &game.world, game.group, |it| {
        it.keeps_width = true
    })
    .unwrap();
    assert_ne!(game.army.state_hash(), before);
    configure(&mut game.army, &game.world, game.group, |it| {
        it.keeps_width = false
    })
    .unwrap();
    assert_eq!(game.army.state_hash(), before);
    let gone = game
        .army
        .add_group(flowtiles::steer::Target::Stand, Reading::Ahead)
        .unwrap();
    game.army.remove_group(gone).unwrap();
    assert!(
        configure(&mut game.army, &game.world, gone, |it| it.keeps_width =
            true)
        .is_err()
    );
}

#[test]
fn nobody_goes_beside_a_road() {
    let mut map = walls(&[]);
    map.edit(CellRect::new(0, 0, 260, 100), Cost::new(4).unwrap())
        .unwrap();
    map.edit(CellRect::new(0, 34, 260, 3), Cost::OPEN).unwrap();
    let goal = Cell::new(240, 35);
    let ticks = [true, false].map(|keeps| Game::new(map.clone(), goal, keeps).ticks_to_arrive());
    assert!(ticks[0] * 10 <= ticks[1] * 11, "{ticks:?}");
}
