//! The interface as C calls it: by handles, pointers and numbers.

#![allow(unsafe_code, reason = "a caller in C")]
#![allow(clippy::undocumented_unsafe_blocks, reason = "pointers to locals")]

use std::ffi::CStr;
use std::ptr::{null, null_mut};

use flowtiles::steer::{Army, Chase, Reading, Sending, Shape, Target, Unit};
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Movement, Teams};
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

fn saved_and_loaded(world: flowtiles_world, army: flowtiles_army) -> [u64; 2] {
    let world = world_bytes(world);
    let army = bytes(|out, room, count| unsafe { flowtiles_army_save(army, out, room, count) });
    let world = get(|out| load(&world, 120 * 80, out));
    let army = get(|out| unsafe { flowtiles_army_load(world, army.as_ptr(), army.len(), out) });
    [world, army]
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

#[test]
fn a_copied_battle_goes_on_as_the_first() {
    let battle = Battle::new();
    battle.ticks(0..90);
    let world = get(|out| unsafe { flowtiles_world_fork(battle.world, out) });
    let army = get(|out| unsafe { flowtiles_army_fork(battle.army, world, out) });
    done(flowtiles_world_drop_claims(world));
    let copy = Battle {
        world,
        army,
        groups: battle.groups,
    };
    for one in [&battle, &copy] {
        one.ticks(90..210);
    }
    assert_eq!(hashes(battle.world, battle.army), hashes(world, army));
}

#[test]
fn a_loaded_battle_has_the_hashes_of_the_saved_one() {
    let battle = Battle::new();
    battle.ticks(0..50);
    let [world, army] = saved_and_loaded(battle.world, battle.army);
    assert_eq!(hashes(world, army), hashes(battle.world, battle.army));

    let (world_bytes, mut none) = (world_bytes(world), 0);
    refused(
        load(&world_bytes, 9_599, &mut none),
        FLOWTILES_ERROR_SAVE,
        "120×80",
    );
    refused(
        load(&world_bytes[1..], u64::MAX, &mut none),
        FLOWTILES_ERROR_SAVE,
        "FLOWSAVE",
    );
    assert_eq!(none, 0);
}

#[test]
fn null_stale_or_wrong_handle_is_an_error() {
    let world = open(40, 30);
    let claim = order(world, cell(30, 20), cell(3, 3));
    let progress = null_mut();
    let tick = |world| unsafe { flowtiles_world_tick(world, 1, progress) };
    refused(tick(0), FLOWTILES_ERROR_NULL, "world is 0");
    refused(
        tick(claim),
        FLOWTILES_ERROR_HANDLE,
        "handle of an order, not of a world",
    );
    refused(
        tick(world + 7_000),
        FLOWTILES_ERROR_HANDLE,
        "is not a handle",
    );
    refused(tick(u64::MAX), FLOWTILES_ERROR_HANDLE, "is not a handle");
    refused(
        tick(world + (1 << 32)),
        FLOWTILES_ERROR_HANDLE,
        "is not a handle",
    );
    refused(
        flowtiles_order_free(world),
        FLOWTILES_ERROR_HANDLE,
        "of a world",
    );

    done(flowtiles_world_free(world));
    refused(tick(world), FLOWTILES_ERROR_STALE, "was freed");
    refused(
        flowtiles_world_free(world),
        FLOWTILES_ERROR_STALE,
        "was freed",
    );
    let mut sample = 0;
    let read = unsafe { flowtiles_order_sample_many(claim, &cell(3, 3), 1, &mut sample) };
    refused(read, FLOWTILES_ERROR_STALE, "the world of handle");
    done(flowtiles_order_free(claim));
    refused(
        flowtiles_order_free(claim),
        FLOWTILES_ERROR_STALE,
        "the order of handle",
    );
}

#[test]
fn army_of_a_freed_world_answers_stale() {
    let world = open(40, 30);
    let army = army(world);
    done(flowtiles_world_free(world));
    refused(
        flowtiles_army_step(army, 0.05),
        FLOWTILES_ERROR_STALE,
        "the world",
    );
    let status = unsafe { flowtiles_army_add_group(army, 0, &mut 0) };
    refused(status, FLOWTILES_ERROR_STALE, "the world");
    done(flowtiles_army_free(army));
}

#[test]
fn an_order_of_another_world_is_refused_as_a_target() {
    let [world, other] = [open(40, 30), open(40, 30)];
    let army = army(world);
    let group = group(army);
    let mut target = flowtiles_target {
        order: order(other, cell(30, 20), cell(3, 3)),
        kind: FLOWTILES_TARGET_ORDER,
        unit: 0,
        x: 0.0,
        y: 0.0,
        range: 0.5,
        leash: 24.0,
        sight: 10.0,
        safe: 10.0,
    };
    let status = unsafe { flowtiles_army_send(army, group, &target) };
    refused(status, FLOWTILES_ERROR_FOREIGN, "another world");
    target.order = order(world, cell(30, 20), cell(3, 3));
    done(unsafe { flowtiles_army_send(army, group, &target) });
    done(flowtiles_army_step(army, 0.05));
    target.kind = 99;
    let status = unsafe { flowtiles_army_queue(army, group, &target) };
    refused(status, FLOWTILES_ERROR_ARGUMENT, "target.kind");
}

#[test]
fn null_pointer_or_too_small_array_is_an_error() {
    refused(
        unsafe { flowtiles_world_open(5, 5, null_mut()) },
        FLOWTILES_ERROR_NULL,
        "`world` is NULL",
    );
    let world = open(40, 30);
    let claim = order(world, cell(30, 20), cell(3, 3));
    let status = unsafe { flowtiles_order_sample_many(claim, null(), 3, &mut 0) };
    refused(status, FLOWTILES_ERROR_NULL, "`cells` is NULL");
    let status = unsafe { flowtiles_order_sample_many(claim, &cell(3, 3), 1, null_mut()) };
    refused(status, FLOWTILES_ERROR_NULL, "`samples` is NULL");
    let status = unsafe { flowtiles_order_sample_many(claim, &cell(3, 3), usize::MAX, null_mut()) };
    refused(status, FLOWTILES_ERROR_ARGUMENT, "`cells` cannot have");
    done(unsafe { flowtiles_order_sample_many(claim, null(), 0, null_mut()) });

    let area = flowtiles_rect {
        x: 0,
        y: 0,
        width: 3,
        height: 2,
    };
    let (mut costs, mut count) = ([9; 6], 0);
    let mut read = |area: &flowtiles_rect, room, count: &mut usize| unsafe {
        flowtiles_world_costs(world, 0, area, costs.as_mut_ptr(), room, count)
    };
    refused(
        read(&area, 5, &mut count),
        FLOWTILES_ERROR_CAPACITY,
        "room for 5",
    );
    assert_eq!(count, 6);
    let off = flowtiles_rect { x: 38, ..area };
    refused(read(&off, 6, &mut count), FLOWTILES_ERROR_OFF_MAP, "40×30");
    done(read(&area, 6, &mut count));
    assert_eq!(costs, [1; 6]);
}

#[test]
fn bad_value_is_refused_with_the_engine_s_message() {
    let mut none = 0;
    let status = unsafe { flowtiles_world_open(0, 9, &mut none) };
    refused(status, FLOWTILES_ERROR_ARGUMENT, "0");
    let world = open(40, 30);
    let edit = |x, cost| unsafe { flowtiles_world_edit(world, x, 0, 2, 2, cost, null_mut()) };
    refused(edit(39, 255), FLOWTILES_ERROR_OFF_MAP, "40×30");
    refused(edit(0, 0), FLOWTILES_ERROR_ARGUMENT, "0");

    wall(world, 20, 0, 1, 30, 255);
    let (to, from) = (cell(30, 20), cell(3, 3));
    let mut far = goal(&to);
    let mut order =
        |goal: &flowtiles_goal| unsafe { flowtiles_order_new(world, goal, &from, 1, &mut none) };
    refused(order(&far), FLOWTILES_ERROR_UNREACHABLE, "island");
    far.layer = 3;
    refused(
        order(&far),
        FLOWTILES_ERROR_NOT_FOUND,
        "the world has no layer 3: give an id that `flowtiles_world_add_layer` gave",
    );
    far.layer = 9 << 16;
    refused(order(&far), FLOWTILES_ERROR_NOT_FOUND, "team");
    far.layer = 0;
    far.quality = 8;
    refused(order(&far), FLOWTILES_ERROR_ARGUMENT, "quality");
    far.quality = 0;
    far.cells_count = 0;
    refused(order(&far), FLOWTILES_ERROR_ARGUMENT, "no cell");
    far.cells_count = 1;
    far.or_nearest = 1;
    done(order(&far));

    let army = army(world);
    let group = group(army);
    refused(
        add(army, group + 1, 0, 3.0, 3.0),
        FLOWTILES_ERROR_NOT_FOUND,
        "group",
    );
    refused(
        add(army, group, 0, f32::NAN, 3.0),
        FLOWTILES_ERROR_ARGUMENT,
        "position",
    );
    refused(
        flowtiles_army_set_position(army, 5, 1.0, 1.0),
        FLOWTILES_ERROR_NOT_FOUND,
        "5",
    );
    refused(
        flowtiles_world_remove_link(world, 4),
        FLOWTILES_ERROR_NOT_FOUND,
        "link 4",
    );
    for seconds in [-0.05, 1_001.0, f32::NAN, f32::INFINITY] {
        let says = format!("`seconds` cannot be {seconds}: give 0 to 1,000");
        let status = flowtiles_army_step(army, seconds);
        refused(status, FLOWTILES_ERROR_ARGUMENT, &says);
    }
    done(flowtiles_army_step(army, 0.0));
    // An id, which is 0 as those of other things may be.
    assert_eq!(group, 0);
}

#[test]
fn unit_off_the_map_does_not_stop_its_group_s_order() {
    let world = open(40, 30);
    let army = army(world);
    let group = group(army);
    done(add(army, group, 7, -3.0, 9.5));
    done(add(army, group, 8, 5.5, 9.5));
    let order = |x| {
        let to = cell(x, 9);
        unsafe { flowtiles_army_order(army, group, &goal(&to), null_mut()) }
    };
    done(order(20));
    refused(order(40), FLOWTILES_ERROR_OFF_MAP, "goal");
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
fn one_bad_cell_refuses_all_and_the_error_names_it() {
    let world = open(40, 30);
    let claim = order(world, cell(30, 20), cell(3, 3));
    tick(world);
    let before = world_bytes(world);
    let mut cells = [cell(5, 25), cell(-1, 0)];
    let cover = |claim, cells: &[flowtiles_cell]| unsafe {
        flowtiles_order_cover(claim, cells.as_ptr(), cells.len())
    };
    let off = "unit 1 at (-1, 0)";
    refused(cover(claim, &cells), FLOWTILES_ERROR_OFF_MAP, off);
    let edit = |cells: &[flowtiles_cell; 2], costs: [u8; 2]| unsafe {
        flowtiles_world_edit_cells(world, cells.as_ptr(), costs.as_ptr(), 2, null_mut())
    };
    refused(edit(&cells, [9, 9]), FLOWTILES_ERROR_OFF_MAP, "(-1, 0)");
    cells[1] = cell(6, 25);
    let zero = "`costs` at index 1";
    refused(edit(&cells, [9, 0]), FLOWTILES_ERROR_ARGUMENT, zero);
    let mut movement: flowtiles_movement = unsafe { std::mem::zeroed() };
    done(unsafe { flowtiles_movement_default(&mut movement) });
    movement.costs[7] = 0;
    let status = unsafe { flowtiles_world_add_layer(world, &movement, &mut 0) };
    let zero = "`movement.costs` at index 7";
    refused(status, FLOWTILES_ERROR_ARGUMENT, zero);
    assert_eq!(world_bytes(world), before);

    // An order that has two units, and may have three.
    let mut full = FlowWorld::new(CostMap::open(300, 30).unwrap());
    let mut limits = full.limits();
    limits.units = 3;
    full.set_limits(limits);
    let at = [Cell::new(3, 3), Cell::new(4, 3)];
    let _claim = full.order(Cell::new(30, 3), &at).unwrap();
    full.tick(Budget::UNLIMITED);
    let full = full.save();
    let full = get(|out| load(&full, u64::MAX, out));
    let claim = get(|out| unsafe { flowtiles_order_by_number(full, 0, out) });
    let before = world_bytes(full);
    let far = [cell(290, 25), cell(3, 3), cell(250, 25)];
    refused(cover(claim, &far), FLOWTILES_ERROR_ARGUMENT, "4 units");
    assert_eq!(world_bytes(full), before);
    done(cover(claim, &far[..2]));
    assert_ne!(world_bytes(full), before);
}

#[test]
fn batch_with_one_refused_unit_adds_none() {
    let world = open(40, 30);
    let army = army(world);
    let group = group(army);
    let unit = flowtiles_unit {
        group,
        id: 1,
        x: 3.5,
        y: 3.5,
        radius: 0.3,
        speed: 4.0,
    };
    let units = [unit, flowtiles_unit { id: 2, ..unit }, unit];
    let status = unsafe { flowtiles_army_add_units(army, units.as_ptr(), 3) };
    refused(status, FLOWTILES_ERROR_ARGUMENT, "1");
    let count = |army| {
        let out = |count| unsafe {
            flowtiles_army_read(
                army,
                null_mut(),
                null_mut(),
                null_mut(),
                null_mut(),
                0,
                count,
            )
        };
        get(out)
    };
    assert_eq!(count(army), 0usize);
    done(unsafe { flowtiles_army_add_units(army, units.as_ptr(), 2) });
    let removed = get(|out| unsafe { flowtiles_army_remove_units(army, [2, 9].as_ptr(), 2, out) });
    assert_eq!((removed, count(army)), (1, 1));
    done(flowtiles_army_remove_group(army, group));
    assert_eq!(count(army), 0);
}

#[test]
fn order_leads_to_its_goal_and_ends_with_its_claim() {
    let world = open(60, 40);
    let rows: Vec<u8> = (0..60).map(|x| if x % 7 == 3 { 5 } else { 1 }).collect();
    let area = flowtiles_rect {
        x: 0,
        y: 7,
        width: 60,
        height: 1,
    };
    done(unsafe { flowtiles_world_edit_rows(world, &area, rows.as_ptr(), 60, null_mut()) });
    let report: flowtiles_edit_report = get(|out| unsafe {
        flowtiles_world_edit_cells(
            world,
            [cell(30, 3), cell(30, 4)].as_ptr(),
            [255, 255].as_ptr(),
            2,
            out,
        )
    });
    assert_eq!((report.cells, report.sectors), (2, 1));
    let (mut unit, to) = (cell(4, 4), cell(50, 30));
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
    let cost = get(|out| unsafe { flowtiles_world_travel_cost(world, 0, 4, 4, 50, 30, out) });
    assert!(cost >= 5 * 20 + 7 * 26);
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
    let mut tank: flowtiles_movement = unsafe { std::mem::zeroed() };
    done(unsafe { flowtiles_movement_default(&mut tank) });
    tank.costs[20] = 255;
    tank.size = 3;
    let layer = get(|out| unsafe { flowtiles_world_add_layer(world, &tank, out) });
    let reach =
        || get(|out| unsafe { flowtiles_world_reachable(world, layer, 5, 20, 50, 20, out) });
    assert_eq!(reach(), 0u32);
    let nearest =
        get(|out| unsafe { flowtiles_world_nearest_reachable(world, layer, 5, 20, 50, 20, out) });
    assert_eq!(nearest, cell(28, 20));
    let area = flowtiles_rect {
        x: 10,
        y: 20,
        width: 1,
        height: 1,
    };
    let link = get(|out| unsafe { flowtiles_world_add_link(world, &area, 40, 20, 5, out) });
    assert_eq!(reach(), 1);
    let to = cell(50, 20);
    let on_layer = flowtiles_goal { layer, ..goal(&to) };
    let claim = get(|out| unsafe { flowtiles_order_new(world, &on_layer, &cell(5, 20), 1, out) });
    tick(world);
    let exit = get(|out| unsafe { flowtiles_order_link_exit(claim, 10, 20, out) });
    assert_eq!(exit, cell(40, 20));
    let status = unsafe { flowtiles_order_link_exit(claim, 9, 20, &mut cell(0, 0)) };
    refused(status, FLOWTILES_ERROR_NOT_FOUND, "no link");
    done(flowtiles_world_remove_link(world, link));
    assert_eq!(reach(), 0);
    let (areas, amounts) = ([flowtiles_rect { width: 2, ..area }, area], [9, 4]);
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
    refused(surcharge(9, 1), FLOWTILES_ERROR_NOT_FOUND, "add_layer");
}

#[test]
fn marching_unit_is_reported_until_it_arrives() {
    let world = open(40, 30);
    let army = army(world);
    let group = group(army);
    done(add(army, group, 7, 4.5, 4.5));
    let claim: flowtiles_order =
        get(|out| unsafe { flowtiles_army_order(army, group, &goal(&cell(12, 4)), out) });
    assert_eq!(
        get(|out| unsafe { flowtiles_order_number(claim, out) }),
        0u64
    );
    let again: flowtiles_order = get(|out| unsafe { flowtiles_order_by_number(world, 0, out) });
    assert_ne!(again, claim);
    let (mut id, mut at, mut velocity, mut state, mut count) = (0, [0.0; 2], [0.0; 2], 9, 0);
    let mut seen = Vec::new();
    while get(|out| unsafe { flowtiles_army_is_settled(army, out) }) == 0u32 {
        tick(world);
        done(flowtiles_army_step(army, 0.05));
        done(unsafe {
            flowtiles_army_read(
                army,
                &mut id,
                &mut at,
                &mut velocity,
                &mut state,
                1,
                &mut count,
            )
        });
        let mut events = [flowtiles_event::default(); 4];
        let number = get(|out| unsafe { flowtiles_army_events(army, events.as_mut_ptr(), 4, out) });
        seen.extend_from_slice(&events[..number]);
    }
    assert_eq!((id, state, count), (7, FLOWTILES_STATE_ARRIVED, 1));
    assert!(at[0] > 11.0, "{at:?}");
    let kinds: Vec<u32> = seen.iter().map(|event| event.kind).collect();
    assert_eq!(
        kinds,
        [FLOWTILES_EVENT_ARRIVED, FLOWTILES_EVENT_GROUP_ARRIVED]
    );
    assert_eq!((seen[0].unit, seen[1].group), (7, group));
    let mut movement: flowtiles_movement = unsafe { std::mem::zeroed() };
    done(unsafe { flowtiles_movement_default(&mut movement) });
    let layer = get(|out| unsafe { flowtiles_world_add_layer(world, &movement, out) });
    let jam_costs = [1, 2, 4, 8];
    done(unsafe { flowtiles_army_set_jam_costs(army, layer, jam_costs.as_ptr()) });
    let status = unsafe { flowtiles_army_set_jam_costs(army, 0, jam_costs.as_ptr()) };
    refused(
        status,
        FLOWTILES_ERROR_NOT_FOUND,
        "flowtiles_world_add_layer",
    );
    done(flowtiles_army_note_jams(army));
    done(flowtiles_army_disband(army, group));
}

fn tank_layer(world: flowtiles_world) -> flowtiles_layer {
    let mut tank: flowtiles_movement = unsafe { std::mem::zeroed() };
    done(unsafe { flowtiles_movement_default(&mut tank) });
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
    let send = |groups: &[flowtiles_group], x, how: &flowtiles_sending| unsafe {
        let to = cell(x, 15);
        flowtiles_army_send_all(army, groups.as_ptr(), groups.len(), &goal(&to), how)
    };
    let attack = flowtiles_sending {
        together: 1,
        attack: 1,
        range: 0.75,
        leash: 20.0,
        sight: 8.0,
        ..plain
    };
    done(send(&groups, 30, &attack));
    let wedge = flowtiles_sending {
        queued: 1,
        formed: 1,
        shape: FLOWTILES_SHAPE_WEDGE,
        spacing: 1.5,
        ..plain
    };
    done(send(&groups, 50, &wedge));

    let before = hashes(world, army);
    let invalid = |status, says| refused(status, FLOWTILES_ERROR_ARGUMENT, says);
    invalid(send(&[], 50, &plain), "group");
    invalid(send(&[groups[0]; 2], 50, &plain), "twice");
    let shape = flowtiles_sending { shape: 9, ..wedge };
    invalid(send(&groups, 50, &shape), "shape");
    let spacing = flowtiles_sending {
        spacing: -1.0,
        ..wedge
    };
    invalid(send(&groups, 50, &spacing), "spacing");
    let queued = flowtiles_sending { queued: 2, ..plain };
    invalid(send(&groups, 50, &queued), "how.queued");
    let off = send(&groups, 60, &plain);
    refused(off, FLOWTILES_ERROR_OFF_MAP, "60×40");
    let (to, mut none) = (goal(&cell(50, 15)), 0);
    let ground = unsafe { flowtiles_army_order(army, groups[1], &to, &mut none) };
    invalid(ground, "make it for a goal on the group's layer");
    assert_eq!(none, 0);
    assert_eq!(hashes(world, army), before);

    for _ in 0..20 {
        done(unsafe { flowtiles_world_tick(world, 4_000, null_mut()) });
        done(flowtiles_army_step(army, 0.05));
    }
    assert_eq!(hashes(world, army), sent_in_rust().unwrap());
}

#[test]
fn null_sending_options_mean_the_defaults() {
    let [with, without] = [true, false].map(|given| {
        let world = open(40, 30);
        let army = army(world);
        let groups = [0, 1].map(|_| group(army));
        done(add(army, groups[0], 0, 5.5, 10.5));
        let mut plain: flowtiles_sending = unsafe { std::mem::zeroed() };
        done(unsafe { flowtiles_sending_default(&mut plain) });
        let how = if given { &plain } else { null() };
        let to = cell(30, 15);
        done(unsafe { flowtiles_army_send_all(army, groups.as_ptr(), 2, &goal(&to), how) });
        hashes(world, army)
    });
    assert_eq!(with, without);
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
    let places = [
        at(men, 9.5, 9.5),
        at(tanks, 9.5, 9.5),
        at(tanks, 29.5, 9.5),
        at(tanks, 20.5, 20.5),
        at(men, 10.5, 8.5),
    ];
    let rooms = |army| {
        let mut rooms = [9; 5];
        done(unsafe { flowtiles_army_has_room(army, places.as_ptr(), 5, rooms.as_mut_ptr()) });
        rooms
    };
    assert_eq!(rooms(army), [1, 1, 1, 1, 0]);
    done(flowtiles_army_set_layer(army, tanks, layer));
    done(add(army, men, 0, 20.5, 20.9));
    assert_eq!(rooms(army), [1, 0, 1, 0, 0]);
    let [_, loaded] = saved_and_loaded(world, army);
    assert_eq!(rooms(loaded), [1, 0, 1, 0, 0]);

    let mut room = 9;
    let other = at(tanks + 1, 5.5, 5.5);
    let status =
        unsafe { flowtiles_army_has_room(army, [places[0], other].as_ptr(), 2, &mut room) };
    refused(status, FLOWTILES_ERROR_NOT_FOUND, "group");
    assert_eq!(room, 9);
    let status = flowtiles_army_set_layer(army, tanks, 7);
    refused(
        status,
        FLOWTILES_ERROR_NOT_FOUND,
        "flowtiles_world_add_layer",
    );
    let wide = flowtiles_unit {
        id: 1,
        radius: 1.2,
        ..at(tanks, 5.5, 5.5)
    };
    done(unsafe { flowtiles_army_add_units(army, &wide, 1) });
    let status = flowtiles_army_set_layer(army, tanks, 0);
    refused(status, FLOWTILES_ERROR_ARGUMENT, "radius");
}

#[test]
fn nearest_foe_is_returned_or_the_unit_itself() {
    let world = open(40, 30);
    let army = army(world);
    for (team, foes, units) in [(0, 2, [5, 30].as_slice()), (1, 1, &[7, 9])] {
        let group = group(army);
        let reading = FLOWTILES_READING_AHEAD;
        done(flowtiles_army_set_manner(
            army, group, team, foes, reading, 0,
        ));
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
fn army_settings_have_defaults_and_are_checked() {
    let world = open(40, 30);
    let mut settings: flowtiles_settings = unsafe { std::mem::zeroed() };
    done(unsafe { flowtiles_settings_default(&mut settings) });
    get(|out| unsafe { flowtiles_army_new(world, &settings, out) });
    settings.room = -1.0;
    let status = unsafe { flowtiles_army_new(world, &settings, &mut 0) };
    refused(status, FLOWTILES_ERROR_ARGUMENT, "room");
    let mut target: flowtiles_target = unsafe { std::mem::zeroed() };
    done(unsafe { flowtiles_target_default(&mut target) });
    assert_eq!((target.kind, target.range), (FLOWTILES_TARGET_STAND, 0.5));
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
