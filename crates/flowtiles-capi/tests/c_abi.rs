//! The interface as C calls it: by handles, pointers and numbers.

#![allow(unsafe_code, reason = "a caller in C")]
#![allow(clippy::undocumented_unsafe_blocks, reason = "pointers to locals")]

use std::collections::BTreeSet;
use std::ffi::CStr;
use std::ptr::{null, null_mut};

use flowtiles::steer::{Army, Chase, Line, Reading, Sending, Sent, Shape, Target, Unit};
use flowtiles::{
    Budget, Cell, CellRect, Cost, CostMap, Direction, FlowWorld, Goal, LayerId, Link, LinkId,
    Movement, Sample, Teams,
};
use flowtiles_capi::*;

/// The battle's last hashes. The tests of the npm package read the same file.
const HASHES: &str = include_str!("battle.hashes");

/// Makes a call that must succeed, and returns what it writes.
fn get<T: Default>(call: impl FnOnce(*mut T) -> flowtiles_status) -> T {
    let mut out = T::default();
    assert_eq!(call(&mut out), FLOWTILES_OK, "{}", words());
    out
}

#[track_caller]
fn done(status: flowtiles_status) {
    assert_eq!(status, FLOWTILES_OK, "{}", words());
}

#[track_caller]
fn refused(status: flowtiles_status, expected: flowtiles_status, says: &str) {
    assert_eq!(status, expected, "{}", words());
    assert!(words().contains(says), "{}", words());
}

fn words() -> String {
    let text = unsafe { CStr::from_ptr(flowtiles_last_error()) };
    text.to_str().expect("UTF-8").to_owned()
}

fn open(width: u32, height: u32) -> flowtiles_world {
    get(|out| unsafe { flowtiles_world_open(width, height, out) })
}

fn wall(world: flowtiles_world, x: i32, y: i32, width: u32, height: u32, cost: u8) {
    done(unsafe { flowtiles_world_edit(world, x, y, width, height, cost, null_mut()) });
}

fn goal(cell: &flowtiles_cell) -> flowtiles_goal {
    flowtiles_goal {
        cells: cell,
        cells_count: 1,
        layer: 0,
        quality: FLOWTILES_QUALITY_CORRIDOR,
        or_nearest: 0,
    }
}

fn cell(x: i32, y: i32) -> flowtiles_cell {
    flowtiles_cell { x, y }
}

fn rect(x: i32, y: i32, width: u32, height: u32) -> flowtiles_rect {
    flowtiles_rect {
        x,
        y,
        width,
        height,
    }
}

fn movement() -> flowtiles_movement {
    let mut movement: flowtiles_movement = unsafe { std::mem::zeroed() };
    done(unsafe { flowtiles_movement_default(&mut movement) });
    movement
}

fn order(world: flowtiles_world, to: flowtiles_cell, from: flowtiles_cell) -> flowtiles_order {
    get(|out| unsafe { flowtiles_order_new(world, &goal(&to), &from, 1, out) })
}

fn tick(world: flowtiles_world) -> flowtiles_progress {
    get(|out| unsafe { flowtiles_world_tick(world, u64::MAX, out) })
}

fn army(world: flowtiles_world) -> flowtiles_army {
    get(|out| unsafe { flowtiles_army_new(world, null(), out) })
}

fn group(army: flowtiles_army) -> flowtiles_group {
    get(|out| unsafe { flowtiles_army_add_group(army, FLOWTILES_READING_AHEAD, out) })
}

fn add(army: flowtiles_army, group: flowtiles_group, id: u32, x: f32, y: f32) -> flowtiles_status {
    let unit = flowtiles_unit {
        group,
        id,
        x,
        y,
        radius: 0.3,
        speed: 4.0,
    };
    unsafe { flowtiles_army_add_units(army, &unit, 1) }
}

fn hashes(world: flowtiles_world, army: flowtiles_army) -> [u64; 2] {
    let world = get(|out| unsafe { flowtiles_world_hash(world, out) });
    let army = get(|out| unsafe { flowtiles_army_hash(army, out) });
    [world, army]
}

/// Asks for the number of bytes, and then for the bytes.
fn bytes(save: impl Fn(*mut u8, usize, *mut usize) -> flowtiles_status) -> Vec<u8> {
    let mut count = 0;
    assert_eq!(save(null_mut(), 0, &mut count), FLOWTILES_ERROR_CAPACITY);
    let mut bytes = vec![0; count];
    done(save(bytes.as_mut_ptr(), bytes.len(), &mut count));
    assert_eq!(count, bytes.len());
    bytes
}

fn world_bytes(world: flowtiles_world) -> Vec<u8> {
    bytes(|out, room, count| unsafe { flowtiles_world_save(world, out, room, count) })
}

fn load(bytes: &[u8], most: u64, world: *mut flowtiles_world) -> flowtiles_status {
    unsafe { flowtiles_world_load(bytes.as_ptr(), bytes.len(), most, world) }
}

/// Two groups of sixty swap sides of a wall with two gaps, of which one closes.
struct Battle {
    world: flowtiles_world,
    army: flowtiles_army,
    groups: [flowtiles_group; 2],
}

impl Battle {
    fn new() -> Self {
        let world = open(120, 80);
        wall(world, 60, 0, 1, 80, 255);
        wall(world, 60, 20, 1, 6, 1);
        wall(world, 60, 54, 1, 6, 1);
        wall(world, 70, 10, 20, 20, 4);
        let army = army(world);
        let groups = [0, 1].map(|side: u32| {
            let group = group(army);
            for at in 0..60 {
                let (x, y) = ((at % 6) as f32, (at / 6) as f32);
                let id = side * 60 + at;
                done(add(
                    army,
                    group,
                    id,
                    4.5 + 106.0 * side as f32 + x,
                    20.5 + y,
                ));
            }
            let to = cell(110 - 102 * side as i32, 40);
            done(unsafe { flowtiles_army_order(army, group, &goal(&to), null_mut()) });
            group
        });
        let world_and_army = Self {
            world,
            army,
            groups,
        };
        for (side, group) in (0..).zip(groups) {
            let (team, foes) = (side, 2 >> side);
            let reading = FLOWTILES_READING_AHEAD;
            done(flowtiles_army_set_manner(
                army, group, team, foes, reading, 0,
            ));
        }
        world_and_army
    }

    fn ticks(&self, ticks: std::ops::Range<u32>) {
        let Self {
            world,
            army,
            groups,
        } = *self;
        for tick in ticks {
            if tick == 100 {
                wall(world, 60, 20, 1, 6, 255);
            }
            if tick == 200 {
                done(flowtiles_army_form(
                    army,
                    groups[0],
                    FLOWTILES_SHAPE_BOX,
                    1.25,
                ));
            }
            done(unsafe { flowtiles_world_tick(world, 4_000, null_mut()) });
            done(flowtiles_army_step(army, 0.05));
        }
    }
}

/// The same battle through the Rust API.
fn battle_in_rust() -> Result<[u64; 2], Box<dyn std::error::Error>> {
    let mut world = FlowWorld::new(CostMap::open(120, 80)?);
    world.edit(CellRect::new(60, 0, 1, 80), Cost::WALL)?;
    world.edit(CellRect::new(60, 20, 1, 6), Cost::OPEN)?;
    world.edit(CellRect::new(60, 54, 1, 6), Cost::OPEN)?;
    world.edit(CellRect::new(70, 10, 20, 20), Cost::new(4)?)?;
    let mut army = Army::default();
    let mut groups = Vec::new();
    for side in 0..2 {
        let group = army.add_group(Target::Stand, Reading::Ahead)?;
        let mut cells = Vec::new();
        for at in 0..60 {
            let (x, y) = (at % 6, at / 6);
            cells.push(Cell::new(4 + 106 * side + x, 20 + y));
            let position = [4.5 + (106 * side + x) as f32, 20.5 + y as f32];
            army.add(Unit::new((side * 60 + at) as u32, group, position))?;
        }
        let order = world.order(Cell::new(110 - 102 * side, 40), &cells)?;
        army.send(group, order)?;
        groups.push(group);
    }
    for (team, &group) in groups.iter().enumerate() {
        let mut settings = *army.settings(group).ok_or("no such group")?;
        (settings.team, settings.foes) = (team as u8, Teams::from_bits(2 >> team));
        army.configure(group, settings, &world)?;
    }
    for tick in 0..400 {
        if tick == 100 {
            world.edit(CellRect::new(60, 20, 1, 6), Cost::WALL)?;
        }
        if tick == 200 {
            army.form(groups[0], Shape::Box, 1.25, &world)?;
        }
        world.tick(Budget::cells(4_000));
        army.step(&world, 0.05);
        army.cover_strays(&mut world);
    }
    Ok([world.state_hash(), army.state_hash()])
}

#[test]
fn battle_through_c_has_the_hashes_of_one_in_rust() {
    let battle = Battle::new();
    battle.ticks(0..400);
    let found = hashes(battle.world, battle.army);
    assert_eq!(found, battle_in_rust().unwrap());
    let written = found.map(|hash| format!("{hash:#018x}\n")).concat();
    assert_eq!(written, HASHES, "write these into tests/battle.hashes");
    done(flowtiles_army_free(battle.army));
    done(flowtiles_world_free(battle.world));
}

fn tank_layer(world: flowtiles_world) -> flowtiles_layer {
    let mut tank = movement();
    tank.size = 3;
    get(|out| unsafe { flowtiles_world_add_layer(world, &tank, out) })
}

/// Men and tanks are sent to one place and, in a wedge, on to another.
fn sent_in_rust() -> Result<[u64; 2], Box<dyn std::error::Error>> {
    let mut world = FlowWorld::new(CostMap::open(60, 40)?);
    let layer = world.add_layer(Movement::new().with_size(3)?)?;
    let mut army = Army::default();
    let groups = [0, 1].map(|_| army.add_group(Target::Stand, Reading::Ahead).unwrap());
    world.derive_layer(layer)?;
    let mut settings = *army.settings(groups[1]).ok_or("no such group")?;
    settings.layer = layer;
    army.configure(groups[1], settings, &world)?;
    for (id, y) in [(0, 10.5), (1, 20.5)] {
        army.add(Unit::new(id, groups[id as usize], [5.5, y]))?;
    }
    for _ in 0..2 {
        army.send_all(&mut world, &groups, Cell::new(20, 15), Sending::default())?;
    }
    let mut how = Sending::default();
    how.together = true;
    let chase = Chase::default().with_range(0.75);
    how.attack = Some(chase.with_leash(20.0).with_sight(8.0));
    army.send_all(&mut world, &groups, Cell::new(30, 15), how)?;
    let mut how = Sending::default();
    how.queued = true;
    how.formation = Some((Shape::Wedge, 1.5));
    army.send_all(&mut world, &groups, Cell::new(50, 15), how)?;
    for _ in 0..20 {
        world.tick(Budget::cells(4_000));
        army.step(&world, 0.05);
        army.cover_strays(&mut world);
    }
    Ok([world.state_hash(), army.state_hash()])
}

/// A fork and a clone, and what was saved and loaded, go on as the first.
#[test]
fn a_copied_battle_goes_on_as_the_first() {
    let battle = Battle::new();
    battle.ticks(0..90);
    let (world, army) = (battle.world, battle.army);
    let forked = get(|out| unsafe { flowtiles_world_fork(world, out) });
    let clone = get(|out| unsafe { flowtiles_army_fork(army, forked, out) });
    let save = world_bytes(world);
    let of_army = bytes(|out, room, count| unsafe { flowtiles_army_save(army, out, room, count) });
    let loaded = get(|out| load(&save, 120 * 80, out));
    let army =
        get(|out| unsafe { flowtiles_army_load(loaded, of_army.as_ptr(), of_army.len(), out) });
    let found = hashes(battle.world, battle.army);
    for (world, army) in [(forked, clone), (loaded, army)] {
        assert_eq!(hashes(world, army), found);
        done(flowtiles_world_drop_claims(world));
    }
    let groups = battle.groups;
    let copy = Battle {
        world: forked,
        army: clone,
        groups,
    };
    for one in [&battle, &copy] {
        one.ticks(90..210);
    }
    assert_eq!(hashes(battle.world, battle.army), hashes(forked, clone));

    let mut none = 0;
    let small = load(&save, 9_599, &mut none);
    refused(small, FLOWTILES_ERROR_SAVE, "120×80");
    let cut = load(&save[1..], u64::MAX, &mut none);
    refused(cut, FLOWTILES_ERROR_SAVE, "FLOWSAVE");
    assert_eq!(none, 0);
}

#[test]
fn null_stale_or_wrong_handle_is_an_error() {
    let world = open(40, 30);
    let claim = order(world, cell(30, 20), cell(3, 3));
    let army = army(world);
    let tick = |world| unsafe { flowtiles_world_tick(world, 1, null_mut()) };
    refused(tick(0), FLOWTILES_ERROR_NULL, "world is 0");
    let wrong = "handle of an order, not of a world";
    refused(tick(claim), FLOWTILES_ERROR_HANDLE, wrong);
    for none in [world + 7_000, u64::MAX, world + (1 << 32)] {
        refused(tick(none), FLOWTILES_ERROR_HANDLE, "is not a handle");
    }
    done(flowtiles_world_free(world));
    let stale = |status, says| refused(status, FLOWTILES_ERROR_STALE, says);
    stale(tick(world), "was freed");
    stale(flowtiles_world_free(world), "was freed");
    stale(flowtiles_army_step(army, 0.05), "the world");
    let read = unsafe { flowtiles_order_sample_many(claim, &cell(3, 3), 1, &mut 0) };
    stale(read, "the world of handle");
    done(flowtiles_army_free(army));
    done(flowtiles_order_free(claim));
    stale(flowtiles_order_free(claim), "the order of handle");
}

#[test]
fn null_pointer_or_too_small_array_is_an_error() {
    let null_out = unsafe { flowtiles_world_open(5, 5, null_mut()) };
    refused(null_out, FLOWTILES_ERROR_NULL, "`world` is NULL");
    let world = open(40, 30);
    let claim = order(world, cell(30, 20), cell(3, 3));
    let read = |cells, count, samples| unsafe {
        flowtiles_order_sample_many(claim, cells, count, samples)
    };
    let at = cell(3, 3);
    let no_cells = read(null(), 3, &mut 0);
    refused(no_cells, FLOWTILES_ERROR_NULL, "`cells` is NULL");
    let no_samples = read(&at, 1, null_mut());
    refused(no_samples, FLOWTILES_ERROR_NULL, "`samples` is NULL");
    let most = read(&at, usize::MAX, null_mut());
    refused(most, FLOWTILES_ERROR_ARGUMENT, "`cells` cannot have");
    done(read(null(), 0, null_mut()));

    let area = rect(0, 0, 3, 2);
    let (mut costs, mut count) = ([9; 6], 0);
    let mut read = |area: &flowtiles_rect, room, count: &mut usize| unsafe {
        flowtiles_world_costs(world, 0, area, costs.as_mut_ptr(), room, count)
    };
    let small = read(&area, 5, &mut count);
    refused(small, FLOWTILES_ERROR_CAPACITY, "room for 5");
    assert_eq!(count, 6);
    done(read(&area, 6, &mut count));
    assert_eq!(costs, [1; 6]);
}

/// The words are the engine's, with the names that C has; the drawn calls hold that nothing
/// changes.
#[test]
fn bad_value_is_refused_with_the_engine_s_message() {
    let (world, other) = (open(40, 30), open(40, 30));
    let edit = |x, cost| unsafe { flowtiles_world_edit(world, x, 0, 2, 2, cost, null_mut()) };
    refused(edit(39, 255), FLOWTILES_ERROR_OFF_MAP, "40×30");
    refused(edit(0, 0), FLOWTILES_ERROR_ARGUMENT, "0");
    let cells = [cell(5, 25), cell(6, 25)];
    let zero = unsafe {
        flowtiles_world_edit_cells(world, cells.as_ptr(), [9, 0].as_ptr(), 2, null_mut())
    };
    refused(zero, FLOWTILES_ERROR_ARGUMENT, "`costs` at index 1");
    let mut movement = movement();
    movement.costs[7] = 0;
    let status = unsafe { flowtiles_world_add_layer(world, &movement, &mut 0) };
    let zero = "`movement.costs` at index 7";
    refused(status, FLOWTILES_ERROR_ARGUMENT, zero);
    let link = flowtiles_world_remove_link(world, 4);
    refused(link, FLOWTILES_ERROR_NOT_FOUND, "link 4");

    wall(world, 20, 0, 1, 30, 255);
    let (to, from) = (cell(30, 20), cell(3, 3));
    let plain = goal(&to);
    let order = |goal| unsafe { flowtiles_order_new(world, &goal, &from, 1, &mut 0) };
    refused(order(plain), FLOWTILES_ERROR_UNREACHABLE, "island");
    let odd = [
        (
            flowtiles_goal { layer: 3, ..plain },
            FLOWTILES_ERROR_NOT_FOUND,
            "no layer 3: give an id that `flowtiles_world_add_layer` gave",
        ),
        (
            flowtiles_goal {
                layer: 9 << 16,
                ..plain
            },
            FLOWTILES_ERROR_NOT_FOUND,
            "team",
        ),
        (
            flowtiles_goal {
                quality: 8,
                ..plain
            },
            FLOWTILES_ERROR_ARGUMENT,
            "quality",
        ),
        (
            flowtiles_goal {
                cells_count: 0,
                ..plain
            },
            FLOWTILES_ERROR_ARGUMENT,
            "no cell",
        ),
    ];
    for (goal, status, says) in odd {
        refused(order(goal), status, says);
    }

    let army = army(world);
    let group = group(army);
    let missing = add(army, group + 1, 0, 3.0, 3.0);
    refused(missing, FLOWTILES_ERROR_NOT_FOUND, "group");
    let nowhere = add(army, group, 0, f32::NAN, 3.0);
    refused(nowhere, FLOWTILES_ERROR_ARGUMENT, "position");
    for seconds in [-0.05, 1_001.0, f32::NAN, f32::INFINITY] {
        let says = format!("`seconds` cannot be {seconds}: give 0 to 1,000");
        let status = flowtiles_army_step(army, seconds);
        refused(status, FLOWTILES_ERROR_ARGUMENT, &says);
    }
    let mut target: flowtiles_target = unsafe { std::mem::zeroed() };
    done(unsafe { flowtiles_target_default(&mut target) });
    assert_eq!((target.kind, target.range), (FLOWTILES_TARGET_STAND, 0.5));
    target.kind = FLOWTILES_TARGET_ORDER;
    target.order = self::order(other, to, from);
    let status = unsafe { flowtiles_army_send(army, group, &target) };
    refused(status, FLOWTILES_ERROR_FOREIGN, "another world");
    let mut settings: flowtiles_settings = unsafe { std::mem::zeroed() };
    done(unsafe { flowtiles_settings_default(&mut settings) });
    settings.room = -1.0;
    let status = unsafe { flowtiles_army_new(world, &settings, &mut 0) };
    refused(status, FLOWTILES_ERROR_ARGUMENT, "room");
}

#[test]
fn unit_off_the_map_does_not_stop_its_group_s_order() {
    let world = open(40, 30);
    let army = army(world);
    let group = group(army);
    done(add(army, group, 7, -3.0, 9.5));
    done(add(army, group, 8, 5.5, 9.5));
    let to = cell(20, 9);
    done(unsafe { flowtiles_army_order(army, group, &goal(&to), null_mut()) });
    for _ in 0..20 {
        tick(world);
        done(flowtiles_army_step(army, 0.05));
    }
    let mut positions = [0.0_f32; 4];
    let pairs = positions.as_mut_ptr().cast();
    let count: usize = get(|count| unsafe {
        flowtiles_army_read(army, null_mut(), pairs, null_mut(), null_mut(), 2, count)
    });
    assert_eq!(count, 2);
    assert!(positions[2] > 7.0, "{positions:?}");
}

#[test]
fn order_leads_to_its_goal_and_ends_with_its_claim() {
    let world = open(60, 40);
    let (mut unit, to) = (cell(4, 4), cell(50, 30));
    let (walls, costs) = ([cell(30, 3), cell(30, 4)], [255, 255]);
    let report: flowtiles_edit_report = get(|out| unsafe {
        flowtiles_world_edit_cells(world, walls.as_ptr(), costs.as_ptr(), 2, out)
    });
    assert_eq!((report.cells, report.sectors), (2, 1));
    let rows: Vec<u8> = (0..60).map(|x| if x % 7 == 3 { 5 } else { 1 }).collect();
    let area = rect(0, 7, 60, 1);
    done(unsafe { flowtiles_world_edit_rows(world, &area, rows.as_ptr(), 60, null_mut()) });
    let claim = order(world, to, unit);
    assert!(tick(world).waiting == 0);
    let steps = [
        (0, -1),
        (1, 0),
        (0, 1),
        (-1, 0),
        (1, -1),
        (1, 1),
        (-1, 1),
        (-1, -1),
    ];
    let (ends, mut seen) = ([unit, cell(51, 30)], [7; 2]);
    done(unsafe { flowtiles_order_see_goal(claim, ends.as_ptr(), 2, seen.as_mut_ptr()) });
    assert_eq!(seen, [0, 1]);
    let mut last = u64::MAX;
    while unit != to {
        let sample = get(|out| unsafe { flowtiles_order_sample_many(claim, &unit, 1, out) });
        assert!(sample < FLOWTILES_SAMPLE_LINK, "{sample:#x}");
        let left = get(|out| unsafe { flowtiles_order_costs_to_go(claim, &unit, 1, out) });
        assert!(left < last);
        last = left;
        let (dx, dy) = steps[usize::from(sample & 7)];
        unit = cell(unit.x + dx, unit.y + dy);
    }
    let end = get(|out| unsafe { flowtiles_order_sample_many(claim, &unit, 1, out) });
    assert_eq!(end, FLOWTILES_SAMPLE_ARRIVED);
    let stats = || get(|out| unsafe { flowtiles_world_stats(world, out) });
    let held: flowtiles_stats = stats();
    assert!(held.orders == 1 && held.tiles > 0);
    done(flowtiles_order_free(claim));
    tick(world);
    assert_eq!((stats().orders, stats().tiles), (0, 0));
}

#[test]
fn a_layer_and_a_link_are_used_by_orders_on_them() {
    let world = open(60, 40);
    wall(world, 30, 0, 2, 40, 20);
    let mut tank = movement();
    (tank.costs[20], tank.size) = (255, 3);
    let layer = get(|out| unsafe { flowtiles_world_add_layer(world, &tank, out) });
    let reach =
        || get(|out| unsafe { flowtiles_world_reachable(world, layer, 5, 20, 50, 20, out) });
    assert_eq!(reach(), 0u32);
    let area = rect(10, 20, 1, 1);
    let link = get(|out| unsafe { flowtiles_world_add_link(world, &area, 40, 20, 5, out) });
    assert_eq!(reach(), 1);
    let to = cell(50, 20);
    let on_layer = flowtiles_goal { layer, ..goal(&to) };
    let claim = get(|out| unsafe { flowtiles_order_new(world, &on_layer, &cell(5, 20), 1, out) });
    tick(world);
    let exit = get(|out| unsafe { flowtiles_order_link_exit(claim, 10, 20, out) });
    assert_eq!(exit, cell(40, 20));
    done(flowtiles_world_remove_link(world, link));
    assert_eq!(reach(), 0);
    let (areas, amounts) = ([rect(10, 20, 2, 1), area], [9, 4]);
    let surcharge = |on, count| unsafe {
        flowtiles_world_surcharge(world, on, areas.as_ptr(), amounts.as_ptr(), count)
    };
    done(surcharge(layer, 2));
    let mut costs = [0; 2];
    let count = get(|out| unsafe {
        flowtiles_world_costs(world, layer, &areas[0], costs.as_mut_ptr(), 2, out)
    });
    assert_eq!((count, costs), (2, [5, 10]));
    refused(surcharge(0, 2), FLOWTILES_ERROR_NOT_FOUND, "ground");
}

#[test]
fn samples_and_costs_of_a_rectangle_are_those_of_its_cells() {
    let world = open(60, 40);
    wall(world, 30, 0, 2, 30, 255);
    wall(world, 4, 4, 9, 9, 7);
    let claim = order(world, cell(50, 5), cell(4, 20));
    tick(world);
    let area = rect(0, 0, 60, 40);
    let (mut samples, mut costs, mut count) = (vec![9; 2400], vec![9_u32; 2400], 0);
    let mut read = |area: &flowtiles_rect, room, count: &mut usize| unsafe {
        flowtiles_order_sample_rows(claim, area, samples.as_mut_ptr(), room, count)
    };
    let small = read(&area, 2399, &mut count);
    refused(small, FLOWTILES_ERROR_CAPACITY, "room for 2399");
    assert_eq!(count, 2400);
    let off = read(&rect(0, 0, 61, 40), 2440, &mut count);
    refused(off, FLOWTILES_ERROR_OFF_MAP, "61×40 cells at (0, 0)");
    done(read(&area, 2400, &mut count));
    done(unsafe {
        flowtiles_order_cost_to_go_rows(claim, &area, costs.as_mut_ptr(), 2400, &mut count)
    });
    assert_eq!(count, 2400);
    let mut seen = BTreeSet::new();
    for (at, (&sample, &to_go)) in (0..).zip(samples.iter().zip(&costs)) {
        let here = cell(at % 60, at / 60);
        let alone = get(|out| unsafe { flowtiles_order_sample_many(claim, &here, 1, out) });
        let is_wall = (30..32).contains(&here.x) && here.y < 30;
        let wanted = if is_wall {
            FLOWTILES_SAMPLE_WALL
        } else {
            alone
        };
        assert_eq!(sample, wanted, "{here:?}");
        let cost: u64 = get(|out| unsafe { flowtiles_order_costs_to_go(claim, &here, 1, out) });
        assert_eq!(u64::from(to_go), cost.min(u32::MAX.into()), "{here:?}");
        seen.insert(sample & 0xF0);
    }
    let kinds = [
        FLOWTILES_SAMPLE_GO,
        FLOWTILES_SAMPLE_ARRIVED,
        FLOWTILES_SAMPLE_OFF_ROUTE,
        FLOWTILES_SAMPLE_WALL,
    ];
    assert!(seen.into_iter().eq(kinds));
}

/// The bytes of samples are those of Rust, by their names.
#[test]
fn numbers_of_samples_are_those_of_the_engine() {
    let numbers = [
        (Sample::Go(Direction::North), FLOWTILES_SAMPLE_GO),
        (Sample::Go(Direction::NorthWest), FLOWTILES_SAMPLE_GO | 7),
        (Sample::Link(LinkId::from_number(3)), FLOWTILES_SAMPLE_LINK),
        (Sample::Arrived, FLOWTILES_SAMPLE_ARRIVED),
        (Sample::Waiting, FLOWTILES_SAMPLE_WAITING),
        (Sample::OffRoute, FLOWTILES_SAMPLE_OFF_ROUTE),
        (Sample::Unreachable, FLOWTILES_SAMPLE_UNREACHABLE),
    ];
    for (sample, number) in numbers {
        assert_eq!(sample.byte(), number, "{sample}");
    }
    assert_eq!(Sample::BYTE_IN_WALL, FLOWTILES_SAMPLE_WALL);
}

#[test]
fn room_for_a_building_is_told_for_the_units_that_need_it() {
    let world = open(60, 40);
    wall(world, 30, 0, 20, 40, 20);
    let mut tank = movement();
    (tank.costs[20], tank.size) = (255, 3);
    let layer = get(|out| unsafe { flowtiles_world_add_layer(world, &tank, out) });
    let is_free = |layer, x| -> u32 {
        get(|out| unsafe { flowtiles_world_is_free(world, layer, &rect(x, 10, 4, 3), out) })
    };
    assert_eq!([is_free(0, 35), is_free(layer, 35)], [1, 0]);
    assert_eq!([is_free(layer, 26), is_free(layer, 58)], [1, 0]);
    let mut found = cell(0, 0);
    let mut nearest = |layer, x, size| unsafe {
        flowtiles_world_nearest_free(world, layer, x, 10, size, &mut found)
    };
    refused(
        nearest(layer, 32, 31),
        FLOWTILES_ERROR_UNREACHABLE,
        "no square of 31 cells",
    );
    refused(
        nearest(layer, -1, 1),
        FLOWTILES_ERROR_UNREACHABLE,
        "(-1, 10)",
    );
    refused(
        nearest(layer + 1, 1, 1),
        FLOWTILES_ERROR_NOT_FOUND,
        "flowtiles_world_add_layer",
    );
    done(nearest(layer, 32, 4));
    assert_eq!(found, cell(26, 10));
}

const RIVER: u8 = 255;
const BRIDGE: flowtiles_rect = flowtiles_rect {
    x: 60,
    y: 10,
    width: 2,
    height: 3,
};

/// A unit comes to a bridge that was blown up behind its back.
fn scouted_in_rust() -> Result<[u64; 2], Box<dyn std::error::Error>> {
    let mut map = CostMap::open(120, 60)?;
    map.edit(CellRect::new(60, 0, 2, 60), Cost::WALL)?;
    let (bridge, ford) = (CellRect::new(60, 10, 2, 3), CellRect::new(60, 50, 2, 3));
    map.edit(bridge, Cost::OPEN)?;
    map.edit(ford, Cost::OPEN)?;
    let mut world = FlowWorld::new(map);
    world.add_fog(1)?;
    let layer = LayerId::GROUND.for_team(1).ok_or("a team")?;
    let mut army = Army::default();
    let group = army.add_group(Target::Stand, Reading::Ahead)?;
    army.add(Unit::new(0, group, [5.5, 12.5]).with_radius(0.3))?;
    let order = world.order(Goal::at(Cell::new(100, 12)).on(layer), &[Cell::new(5, 12)])?;
    army.send(group, order)?;
    world.edit(bridge, Cost::WALL)?;
    while !army.is_settled() {
        army.look(&mut world, |_| 12);
        army.tick(&mut world, Budget::cells(4_000), 0.05);
    }
    Ok([world.state_hash(), army.state_hash()])
}

/// Shows what an army's units see: so far, and those of some groups another distance.
fn look(army: flowtiles_army, sight: u32, groups: &[flowtiles_group], of_each: u32) -> usize {
    let sights = vec![of_each; groups.len()];
    let (groups, sights, count) = (groups.as_ptr(), sights.as_ptr(), groups.len());
    get(|out| unsafe { flowtiles_army_look(army, sight, groups, sights, count, out) })
}

#[test]
fn fog_through_c_hides_and_shows_as_in_rust() {
    let world = open(120, 60);
    wall(world, 60, 0, 2, 60, RIVER);
    wall(world, 60, 10, 2, 3, 1);
    wall(world, 60, 50, 2, 3, 1);
    done(flowtiles_world_add_fog(world, 1));
    let army = army(world);
    let group = group(army);
    done(add(army, group, 0, 5.5, 12.5));
    let to = cell(100, 12);
    let mut goal = goal(&to);
    goal.layer = 1 << 16;
    done(unsafe { flowtiles_army_order(army, group, &goal, null_mut()) });
    wall(world, 60, 10, 2, 3, RIVER);
    let (mut southernmost, mut detours) = (0.0_f32, 0_usize);
    while get(|out| unsafe { flowtiles_army_is_settled(army, out) }) == 0u32 {
        detours += look(army, 12, &[], 0);
        done(unsafe { flowtiles_world_tick(world, 4_000, null_mut()) });
        done(flowtiles_army_step(army, 0.05));
        let mut place = [0.0; 2];
        let places = &mut place;
        get::<usize>(|out| unsafe {
            flowtiles_army_read(army, null_mut(), places, null_mut(), null_mut(), 1, out)
        });
        southernmost = southernmost.max(place[1]);
    }
    assert!(southernmost > 50.0 && detours > 0, "{southernmost}");
    assert_eq!(hashes(world, army), scouted_in_rust().unwrap());
}

#[test]
fn scouts_see_farther_than_others() {
    let world = open(120, 60);
    let army = army(world);
    let [scouts, others] = [30.5, 80.5].map(|x| {
        let group = group(army);
        done(flowtiles_army_set_layer(army, group, 1 << 16));
        done(add(army, group, x as u32, x, 20.5));
        group
    });
    done(flowtiles_world_add_fog(world, 1));
    wall(world, 0, 0, 120, 9, RIVER);
    let seen = || {
        let knows = |x: i32| {
            let (mut cost, mut count) = (0, 0);
            let area = rect(x, 8, 1, 1);
            done(unsafe { flowtiles_world_known_rows(world, 1, &area, &mut cost, 1, &mut count) });
            cost == RIVER
        };
        [30, 80].map(knows)
    };
    look(army, 11, &[scouts], 3);
    assert_eq!(seen(), [false; 2]);
    look(army, 11, &[others, scouts], 12);
    assert_eq!(seen(), [true; 2]);
    wall(world, 0, 0, 120, 9, 1);
    look(army, 11, &[scouts], 12);
    assert_eq!(seen(), [false, true]);
    let (other, sight) = (7, 9);
    let status = unsafe { flowtiles_army_look(army, 2, &other, &sight, 1, null_mut()) };
    refused(status, FLOWTILES_ERROR_NOT_FOUND, "group");
}

#[test]
fn buildings_and_gates_lie_over_the_ground_and_go() {
    let world = open(60, 40);
    let costs_at = |x, y| {
        let (mut costs, mut count, area) = ([0; 2], 0, rect(x, y, 2, 1));
        let room = costs.as_mut_ptr();
        done(unsafe { flowtiles_world_costs(world, 0, &area, room, 2, &mut count) });
        costs
    };
    let stamp = |costs: &[u8], turn, out| unsafe {
        flowtiles_world_stamp(world, 2, 2, costs.as_ptr(), costs.len(), 9, 9, turn, out)
    };
    let hut: u64 = get(|out| stamp(&[255, 0, 255, 7], 0, out));
    assert_eq!((costs_at(9, 9), costs_at(9, 10)), ([255, 1], [255, 7]));
    let mut none = 0;
    refused(
        stamp(&[255; 3], 0, &mut none),
        FLOWTILES_ERROR_ARGUMENT,
        "3 costs",
    );
    refused(
        stamp(&[255; 4], 4, &mut none),
        FLOWTILES_ERROR_ARGUMENT,
        "`turn` is 4",
    );
    let square = [(320, 160), (368, 208), (320, 256), (272, 208)].map(|(x, y)| cell(x, y));
    let hall: u64 = get(|out| unsafe {
        flowtiles_world_stamp_polygon(world, square.as_ptr(), 4, 255, 16, 3, out)
    });
    assert_eq!((costs_at(20, 13), costs_at(19, 9)), ([255; 2], [3, 3]));
    for id in [hut, hall] {
        done(unsafe { flowtiles_world_unstamp(world, id, null_mut()) });
        let again = unsafe { flowtiles_world_unstamp(world, id, null_mut()) };
        refused(again, FLOWTILES_ERROR_NOT_FOUND, "stamp");
    }
    assert_eq!((costs_at(9, 9), costs_at(19, 9)), ([1; 2], [1; 2]));

    wall(world, 30, 0, 1, 40, 255);
    wall(world, 30, 10, 1, 3, 1);
    let area = rect(30, 10, 1, 3);
    let gate: u64 = get(|out| unsafe { flowtiles_world_add_gate(world, &area, 0b10, out) });
    let is_open = |team: u32| -> u32 {
        get(|out| unsafe { flowtiles_world_reachable(world, team << 16, 5, 5, 50, 5, out) })
    };
    assert_eq!([is_open(0), is_open(1)], [0, 1]);
    done(unsafe { flowtiles_world_set_gate(world, gate, 1, null_mut()) });
    assert_eq!([is_open(0), is_open(1)], [1, 0]);
    done(unsafe { flowtiles_world_remove_gate(world, gate, null_mut()) });
    assert_eq!([is_open(0), is_open(1)], [1, 1]);
    let set = unsafe { flowtiles_world_set_gate(world, gate, 1, null_mut()) };
    refused(set, FLOWTILES_ERROR_NOT_FOUND, "gate");
}

#[test]
fn a_world_is_read_from_a_map_file() {
    let read = |text: &str, name: &std::ffi::CStr, out| unsafe {
        flowtiles_world_read_map(text.as_ptr(), text.len(), name.as_ptr(), out)
    };
    let map = "type octile\nheight 2\nwidth 3\nmap\n..@\n...\n";
    let world: u64 = get(|out| read(map, c"a.map", out));
    let stats: flowtiles_stats = get(|out| unsafe { flowtiles_world_stats(world, out) });
    assert_eq!((stats.width, stats.height), (3, 2));
    let mut none = 0;
    refused(
        read("..#\n..\n", c"a.txt", &mut none),
        FLOWTILES_ERROR_ARGUMENT,
        "line 2",
    );
    refused(
        read(map, c"\xff", &mut none),
        FLOWTILES_ERROR_ARGUMENT,
        "UTF-8",
    );
    let no_name = unsafe { flowtiles_world_read_map(map.as_ptr(), 1, null(), &mut none) };
    refused(no_name, FLOWTILES_ERROR_NULL, "name");
}

#[test]
fn what_a_team_knows_is_what_it_was_shown() {
    let world = open(120, 60);
    let known = |team, costs: &mut [u8; 6]| {
        let (room, mut count) = (costs.len(), 0);
        let costs = costs.as_mut_ptr();
        unsafe { flowtiles_world_known_rows(world, team, &BRIDGE, costs, room, &mut count) }
    };
    let mut costs = [9; 6];
    let says = "call `flowtiles_world_add_fog` first";
    refused(known(3, &mut costs), FLOWTILES_ERROR_NOT_FOUND, says);
    done(flowtiles_world_add_fog(world, 3));
    wall(world, 60, 10, 2, 3, RIVER);
    done(known(3, &mut costs));
    assert_eq!(costs, [1; 6]);
    // The middle row is seen, from off the map.
    let (eyes, sights) = ([cell(-5, 11), cell(61, 11)], [65, 0]);
    let seen: flowtiles_edit_report = get(|out| unsafe {
        let (eyes, sights) = (eyes.as_ptr(), sights.as_ptr());
        flowtiles_world_reveal_around(world, 3, eyes, sights, 2, out)
    });
    assert_eq!(seen.cells, 2);
    done(known(3, &mut costs));
    assert_eq!(costs, [1, 1, 255, 255, 1, 1]);
    let opaque =
        |kinds: &[u8]| unsafe { flowtiles_world_set_opaque(world, kinds.as_ptr(), kinds.len()) };
    refused(
        opaque(&[255, 0]),
        FLOWTILES_ERROR_ARGUMENT,
        "`kinds` at index 1",
    );
    done(opaque(&[255, 3]));
    let areas = [BRIDGE, rect(0, 0, 9, 9)];
    let reveal = |areas: &[flowtiles_rect], report| unsafe {
        flowtiles_world_reveal(world, 3, areas.as_ptr(), areas.len(), report)
    };
    assert_eq!(get(|out| reveal(&areas, out)).cells, 4);
    let off = [BRIDGE, rect(119, 0, 2, 1)];
    refused(reveal(&off, null_mut()), FLOWTILES_ERROR_OFF_MAP, "119");
    let forget = |cost| unsafe { flowtiles_world_forget(world, 3, &BRIDGE, 1, cost, null_mut()) };
    refused(forget(0), FLOWTILES_ERROR_ARGUMENT, "0");
    done(forget(7));
    done(known(3, &mut costs));
    assert_eq!(costs, [7; 6]);
    refused(
        flowtiles_world_add_fog(world, 3),
        FLOWTILES_ERROR_ARGUMENT,
        "already",
    );
    refused(
        flowtiles_world_add_fog(world, 0),
        FLOWTILES_ERROR_ARGUMENT,
        "1 to 7",
    );
    let remove = |out| unsafe { flowtiles_world_remove_fog(world, 3, out) };
    assert_eq!(get(remove).cells, 6);
    refused(
        remove(null_mut()),
        FLOWTILES_ERROR_NOT_FOUND,
        "team 3 has no fog",
    );
}

#[test]
fn marching_unit_is_reported_until_it_arrives() {
    let world = open(40, 30);
    let army = army(world);
    let group = group(army);
    done(add(army, group, 7, 4.5, 4.5));
    let to = cell(12, 4);
    done(unsafe { flowtiles_army_order(army, group, &goal(&to), null_mut()) });
    let mut seen = Vec::new();
    while get(|out| unsafe { flowtiles_army_is_settled(army, out) }) == 0u32 {
        tick(world);
        done(flowtiles_army_step(army, 0.05));
        let mut events = [flowtiles_event::default(); 4];
        let number = get(|out| unsafe { flowtiles_army_events(army, events.as_mut_ptr(), 4, out) });
        seen.extend_from_slice(&events[..number]);
    }
    let (mut id, mut at, mut velocity, mut state) = (0, [0.0; 2], [0.0; 2], 9);
    let count: usize = get(|out| unsafe {
        flowtiles_army_read(army, &mut id, &mut at, &mut velocity, &mut state, 1, out)
    });
    assert_eq!((id, state, count), (7, FLOWTILES_STATE_ARRIVED, 1));
    assert!(at[0] > 11.0, "{at:?}");
    let kinds: Vec<u32> = seen.iter().map(|event| event.kind).collect();
    let arrivals = [FLOWTILES_EVENT_ARRIVED, FLOWTILES_EVENT_GROUP_ARRIVED];
    assert_eq!(kinds, arrivals);
    assert_eq!((seen[0].unit, seen[1].group), (7, group));
}

#[test]
fn groups_sent_together_by_calls_of_c_go_as_in_rust() {
    let world = open(60, 40);
    let layer = tank_layer(world);
    let army = army(world);
    let groups = [0, 1].map(|_| group(army));
    done(flowtiles_army_set_layer(army, groups[1], layer));
    done(add(army, groups[0], 0, 5.5, 10.5));
    done(add(army, groups[1], 1, 5.5, 20.5));
    let mut plain: flowtiles_sending = unsafe { std::mem::zeroed() };
    done(unsafe { flowtiles_sending_default(&mut plain) });
    let send = |x, how: *const flowtiles_sending| unsafe {
        let to = cell(x, 15);
        done(flowtiles_army_send_all(
            army,
            groups.as_ptr(),
            2,
            &goal(&to),
            how,
        ));
        hashes(world, army)
    };
    assert_eq!(send(20, null()), send(20, &plain), "NULL is the defaults");
    let attack = flowtiles_sending {
        together: 1,
        attack: 1,
        range: 0.75,
        leash: 20.0,
        sight: 8.0,
        ..plain
    };
    send(30, &attack);
    let wedge = flowtiles_sending {
        queued: 1,
        formed: 1,
        shape: FLOWTILES_SHAPE_WEDGE,
        spacing: 1.5,
        ..plain
    };
    send(50, &wedge);
    for _ in 0..20 {
        done(unsafe { flowtiles_world_tick(world, 4_000, null_mut()) });
        done(flowtiles_army_step(army, 0.05));
    }
    assert_eq!(hashes(world, army), sent_in_rust().unwrap());
}

/// Hashes, ghosts and stops.
type Drawn = ([u64; 2], Vec<(u32, [f32; 2])>, Vec<Option<[f32; 2]>>);

/// Archers draw up behind men, and patrol with a chase of their own.
fn drawn_up_in_rust() -> Result<Drawn, Box<dyn std::error::Error>> {
    let mut world = FlowWorld::new(CostMap::open(60, 40)?);
    let mut army = Army::default();
    let groups = [0, 1].map(|_| army.add_group(Target::Stand, Reading::Ahead).unwrap());
    for id in 0..8 {
        army.add(Unit::new(
            id,
            groups[id as usize / 4],
            [5.5 + id as f32, 10.5],
        ))?;
    }
    let mut settings = *army.settings(groups[0]).ok_or("no such group")?;
    settings.rank = 1;
    army.configure(groups[0], settings, &world)?;
    let line = Line::new([30.5, 10.5], [30.5, 13.5]);
    let mut ghosts = army.ghosts(&world, &groups, Cell::new(20, 15), None);
    ghosts.extend(army.ghosts(&world, &groups, Cell::new(30, 12), Some(line)));
    army.draw_up(&mut world, &groups, line, Sending::default())?;
    for _ in 0..300 {
        army.tick(&mut world, Budget::UNLIMITED, 0.05);
    }
    let stops = (0..9).map(|id| army.stop_of(id)).collect();
    let archers = Chase::default().with_range(6.0).with_sight(12.0);
    let sent = [Sent::from((groups[0], archers)), groups[1].into()];
    let goals = [Cell::new(50, 5), Cell::new(50, 30)];
    army.patrol_all(&mut world, &sent, goals, Sending::default())?;
    for _ in 0..20 {
        army.tick(&mut world, Budget::UNLIMITED, 0.05);
    }
    Ok(([world.state_hash(), army.state_hash()], ghosts, stops))
}

#[test]
fn lines_ghosts_and_patrols_by_calls_of_c_are_those_of_rust() {
    let world = open(60, 40);
    let army = army(world);
    let groups = [0, 1].map(|_| group(army));
    for id in 0..8 {
        done(add(
            army,
            groups[id as usize / 4],
            id,
            5.5 + id as f32,
            10.5,
        ));
    }
    done(flowtiles_army_set_rank(army, groups[0], 1));
    let line = flowtiles_line {
        left_x: 30.5,
        left_y: 10.5,
        right_x: 30.5,
        right_y: 13.5,
    };
    let mut ghosts = Vec::new();
    // The cell is not read with a line.
    for (x, line) in [(20, null()), (-9, &raw const line)] {
        let (mut ids, mut places) = ([99; 8], [[0.0; 2]; 8]);
        let mut give = |groups: &[u64], room, count: &mut usize| unsafe {
            let (ids, places) = (ids.as_mut_ptr(), places.as_mut_ptr());
            let (groups, named) = (groups.as_ptr(), groups.len());
            flowtiles_army_ghosts(army, groups, named, x, 15, line, ids, places, room, count)
        };
        let mut count = 0;
        refused(
            give(&groups, 7, &mut count),
            FLOWTILES_ERROR_CAPACITY,
            "8 entries",
        );
        refused(
            give(&[9], 8, &mut count),
            FLOWTILES_ERROR_NOT_FOUND,
            "group",
        );
        done(give(&groups, 8, &mut count));
        ghosts.extend(ids.into_iter().zip(places));
    }
    let go = |ticks| {
        for _ in 0..ticks {
            tick(world);
            done(flowtiles_army_step(army, 0.05));
        }
    };
    done(unsafe { flowtiles_army_draw_up(army, groups.as_ptr(), 2, &line, null()) });
    go(300);
    let (ids, mut stops) = ([0, 1, 2, 3, 4, 5, 6, 7, 8], [[0.0; 2]; 9]);
    done(unsafe { flowtiles_army_stops_of(army, ids.as_ptr(), 9, stops.as_mut_ptr()) });
    let stops: Vec<_> = stops.map(|stop| (!stop[0].is_nan()).then_some(stop)).into();
    let chases = [
        flowtiles_chase {
            attack: 1,
            range: 6.0,
            leash: 24.0,
            sight: 12.0,
        },
        flowtiles_chase::default(),
    ];
    let mut how: flowtiles_sending = unsafe { std::mem::zeroed() };
    done(unsafe { flowtiles_sending_default(&mut how) });
    how.chases = chases.as_ptr();
    let cells = [cell(50, 5), cell(50, 30)];
    let goals = [0, 1].map(|at| goal(&cells[at]));
    let patrol = |goals_count| unsafe {
        flowtiles_army_patrol_all(army, groups.as_ptr(), 2, goals.as_ptr(), goals_count, &how)
    };
    refused(patrol(0), FLOWTILES_ERROR_ARGUMENT, "patrol");
    done(patrol(2));
    go(20);
    let found = (hashes(world, army), ghosts, stops);
    assert_eq!(found, drawn_up_in_rust().unwrap());
}

/// Points, and the numbers of the links that lead on from them.
type Path = Vec<([f32; 2], u32)>;

/// Paths of an order from a cell and of a unit: into a link, and behind it around a wall.
fn paths_in_rust() -> Result<[Path; 2], Box<dyn std::error::Error>> {
    let mut world = FlowWorld::new(CostMap::open(60, 40)?);
    world.edit(CellRect::new(45, 0, 1, 20), Cost::WALL)?;
    world.add_link(Link::new(Cell::new(10, 10), Cell::new(40, 10)).with_price(5))?;
    let order = world.order(Cell::new(50, 10), &[Cell::new(5, 8)])?;
    let mut army = Army::default();
    let group = army.add_group(order.clone(), Reading::Ahead)?;
    army.add(Unit::new(7, group, [5.25, 8.75]).with_radius(0.3))?;
    world.tick(Budget::UNLIMITED);
    let paths = [world.path(&order, Cell::new(5, 8)), army.path(&world, 7)];
    Ok(paths.map(|path| {
        let path = path.expect("the goal can be reached").into_iter();
        path.map(|point| (point.at, point.link.map_or(u32::MAX, LinkId::number)))
            .collect()
    }))
}

#[test]
fn paths_through_c_are_those_of_rust() {
    let world = open(60, 40);
    wall(world, 45, 0, 1, 20, 255);
    let link: u32 =
        get(|out| unsafe { flowtiles_world_add_link(world, &rect(10, 10, 1, 1), 40, 10, 5, out) });
    let army = army(world);
    let group = group(army);
    done(add(army, group, 7, 5.25, 8.75));
    let to = cell(50, 10);
    let claim = get(|out| unsafe { flowtiles_army_order(army, group, &goal(&to), out) });
    let (mut points, mut links, mut count) = ([[9.0; 2]; 8], [9; 8], 9);
    let mut of_order = |x, room, count: &mut usize| unsafe {
        let (points, links) = (points.as_mut_ptr(), links.as_mut_ptr());
        flowtiles_order_path(claim, x, 8, points, links, room, count)
    };
    done(of_order(5, 8, &mut count));
    assert_eq!(count, 0, "directions are not ready");
    tick(world);
    for x in [-1, 60, i32::MAX] {
        done(of_order(x, 8, &mut count));
        assert_eq!(count, 0, "no path begins off the map");
    }
    let [expected, expected_of_unit] = paths_in_rust().unwrap();
    let small = of_order(5, expected.len() - 1, &mut count);
    refused(small, FLOWTILES_ERROR_CAPACITY, "entries");
    assert_eq!(count, expected.len());
    let nowhere =
        unsafe { flowtiles_order_path(claim, 5, 8, null_mut(), null_mut(), 0, null_mut()) };
    refused(nowhere, FLOWTILES_ERROR_NULL, "`count` is NULL");
    done(of_order(5, 8, &mut count));
    let found: Vec<_> = points.into_iter().zip(links).take(count).collect();
    assert_eq!(found, expected);
    assert_eq!(found[1], ([10.5, 10.5], link));
    assert_eq!(points[count..], vec![[9.0; 2]; 8 - count]);

    let of_unit = |unit, points, links, room, count: &mut usize| unsafe {
        flowtiles_army_path(army, unit, points, links, room, count)
    };
    done(of_unit(7, null_mut(), null_mut(), 0, &mut count));
    assert_eq!(count, expected_of_unit.len());
    done(of_unit(7, points.as_mut_ptr(), null_mut(), 8, &mut count));
    done(of_unit(7, null_mut(), links.as_mut_ptr(), 8, &mut count));
    let found: Vec<_> = points.into_iter().zip(links).take(count).collect();
    assert_eq!(found, expected_of_unit);
    done(of_unit(8, points.as_mut_ptr(), null_mut(), 8, &mut count));
    assert_eq!(count, 0, "there is no such unit");
    let stray = of_unit(
        7,
        points.as_mut_ptr().wrapping_byte_add(1),
        null_mut(),
        8,
        &mut count,
    );
    refused(
        stray,
        FLOWTILES_ERROR_ARGUMENT,
        "`points` is not at a multiple of 4",
    );
}

#[test]
fn a_layer_decides_where_a_group_has_room() {
    let world = open(40, 30);
    wall(world, 10, 8, 1, 1, 255);
    let layer = tank_layer(world);
    let army = army(world);
    let [men, tanks] = [0, 1].map(|_| group(army));
    let at = |group, x, y| flowtiles_unit {
        group,
        id: 0,
        x,
        y,
        radius: 0.4,
        speed: 0.0,
    };
    let places = [(men, 9.5), (tanks, 9.5), (tanks, 29.5)].map(|(group, x)| at(group, x, 9.5));
    let rooms = || {
        let mut rooms = [9; 3];
        done(unsafe { flowtiles_army_has_room(army, places.as_ptr(), 3, rooms.as_mut_ptr()) });
        rooms
    };
    assert_eq!(rooms(), [1, 1, 1]);
    done(flowtiles_army_set_layer(army, tanks, layer));
    assert_eq!(rooms(), [1, 0, 1]);
    let status = flowtiles_army_set_layer(army, tanks, 7);
    let says = "flowtiles_world_add_layer";
    refused(status, FLOWTILES_ERROR_NOT_FOUND, says);
}

#[test]
fn nearest_foe_is_returned_or_the_unit_itself() {
    let world = open(40, 30);
    let army = army(world);
    for (team, foes, units) in [(0, 2, [5, 30].as_slice()), (1, 1, &[7, 9])] {
        let group = group(army);
        let reading = FLOWTILES_READING_AHEAD;
        let manner = flowtiles_army_set_manner(army, group, team, foes, reading, 0);
        done(manner);
        for &unit in units {
            done(add(army, group, unit, unit as f32 + 0.5, 5.5));
        }
    }
    let (ids, mut foes) = ([5, 30, 9, 4], [0; 4]);
    let within = |distance, foes: &mut [u32; 4]| unsafe {
        flowtiles_army_nearest_foes(army, ids.as_ptr(), 4, distance, foes.as_mut_ptr())
    };
    done(within(5.0, &mut foes));
    assert_eq!(foes, [7, 30, 5, 4]);
    done(within(1.0, &mut foes));
    assert_eq!(foes, ids);
}

#[test]
fn worlds_used_on_several_threads_stay_apart() {
    let threads: Vec<_> = (0..4)
        .map(|_| {
            std::thread::spawn(|| {
                let battle = Battle::new();
                battle.ticks(0..30);
                refused(flowtiles_world_free(0), FLOWTILES_ERROR_NULL, "is 0");
                hashes(battle.world, battle.army)
            })
        })
        .collect();
    let found: Vec<_> = threads
        .into_iter()
        .map(|thread| thread.join().unwrap())
        .collect();
    assert!(found.iter().all(|hashes| *hashes == found[0]));
}

#[test]
fn memory_of_the_library_is_given_and_taken_back() {
    assert!(flowtiles_alloc(0).is_null());
    let memory = flowtiles_alloc(100);
    assert!(!memory.is_null() && memory.addr().is_multiple_of(16));
    unsafe {
        flowtiles_dealloc(memory, 100);
        flowtiles_dealloc(null_mut(), 100);
    }
    assert_eq!(flowtiles_abi_version(), FLOWTILES_ABI_VERSION);
}
