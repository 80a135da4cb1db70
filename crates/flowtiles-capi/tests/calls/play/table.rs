//! Every function of the header, and how its arguments are drawn.

use std::ptr::{null, null_mut};

use flowtiles_capi::*;

use super::drawn::{Drawn, Kind};

pub struct Call {
    pub name: &'static str,
    /// Whether it changes no world and no army.
    pub reads: bool,
    pub never_fails: bool,
    pub make: fn(&mut Drawn) -> flowtiles_status,
}

/// A call with its arguments. What is drawn for several of them stands before, in braces.
macro_rules! call {
    ($reads:expr, $name:ident, |$d:ident| $({$($first:tt)*})? ($($argument:expr),* $(,)?)) => {
        Call {
            name: stringify!($name),
            reads: $reads,
            never_fails: false,
            make: |$d| {
                $($($first)*)?
                #[allow(unused_unsafe, reason = "some of them take no pointer")]
                unsafe { $name($($argument),*) }
            },
        }
    };
}

macro_rules! changes {
    ($($call:tt)*) => { call!(false, $($call)*) };
}

macro_rules! reads {
    ($($call:tt)*) => { call!(true, $($call)*) };
}

const fn infallible(name: &'static str, make: fn(&mut Drawn) -> flowtiles_status) -> Call {
    Call {
        name,
        reads: true,
        never_fails: true,
        make,
    }
}

pub const CALLS: &[Call] = &[
    infallible("flowtiles_abi_version", |_| {
        assert_eq!(flowtiles_abi_version(), FLOWTILES_ABI_VERSION);
        FLOWTILES_OK
    }),
    infallible("flowtiles_last_error", |_| {
        assert!(!flowtiles_last_error().is_null());
        FLOWTILES_OK
    }),
    infallible("flowtiles_alloc", |d| {
        let bytes = d.of(&[0, 1, 7, 4_096, isize::MAX as usize, usize::MAX]);
        let memory = flowtiles_alloc(bytes);
        assert_eq!(memory.is_null(), bytes == 0 || bytes > 4_096);
        unsafe { flowtiles_dealloc(memory, bytes) };
        FLOWTILES_OK
    }),
    infallible("flowtiles_dealloc", |d| {
        unsafe { flowtiles_dealloc(null_mut(), d.below(9)) };
        FLOWTILES_OK
    }),
    // Worlds.
    changes!(flowtiles_world_open, |d| (
        d.map_side(),
        d.map_side(),
        d.out_handle(Kind::World)
    )),
    changes!(flowtiles_world_from_costs, |d| {
        let (width, height) = (d.map_side(), d.map_side());
        let costs = d.costs_of(width, height);
    }(
        width,
        height,
        costs,
        d.count(),
        d.out_handle(Kind::World)
    )),
    changes!(flowtiles_world_read_map, |d| (
        d.file(),
        d.count(),
        d.file_name(),
        d.out_handle(Kind::World)
    )),
    changes!(flowtiles_world_free, |d| (d.freed(Kind::World))),
    changes!(flowtiles_world_fork, |d| (
        d.world(),
        d.out_handle(Kind::World)
    )),
    reads!(flowtiles_world_stats, |d| (d.world(), d.out())),
    changes!(flowtiles_world_tick, |d| (d.world(), d.work(), d.out())),
    changes!(flowtiles_world_edit, |d| (
        d.world(),
        d.at(),
        d.at(),
        d.side(),
        d.side(),
        d.cost(),
        d.out()
    )),
    changes!(flowtiles_world_edit_rows, |d| {
        let (area, costs) = d.area_and_costs();
    }(
        d.world(),
        area,
        costs,
        d.count(),
        d.out()
    )),
    changes!(flowtiles_world_edit_cells, |d| (
        d.world(),
        d.cells(),
        d.costs_beside(),
        d.count(),
        d.out()
    )),
    reads!(flowtiles_world_costs, |d| (
        d.world(),
        d.layer(),
        d.area(),
        d.room_for(64),
        d.count(),
        d.out_count()
    )),
    changes!(flowtiles_world_stamp, |d| {
        let (width, height) = (d.side(), d.side());
        let costs = d.costs_of(width, height);
    }(
        d.world(),
        width,
        height,
        costs,
        d.count(),
        d.at(),
        d.at(),
        d.of(&[0, 1, 3, 4]),
        d.out()
    )),
    changes!(flowtiles_world_stamp_polygon, |d| (
        d.world(),
        d.corners(),
        d.count(),
        d.cost(),
        d.of(&[0, 9, 32, u32::MAX]),
        d.cost(),
        d.out()
    )),
    changes!(flowtiles_world_unstamp, |d| (
        d.world(),
        d.of(&[0, 1, 2, u64::MAX]),
        d.out()
    )),
    changes!(flowtiles_world_add_gate, |d| (
        d.world(),
        d.area(),
        d.of(&[0, 1, 6, 255]),
        d.out()
    )),
    changes!(flowtiles_world_set_gate, |d| (
        d.world(),
        d.of(&[0, 1, 2, u64::MAX]),
        d.of(&[0, 1, 6, 255]),
        d.out()
    )),
    changes!(flowtiles_world_remove_gate, |d| (
        d.world(),
        d.of(&[0, 1, 2, u64::MAX]),
        d.out()
    )),
    changes!(flowtiles_world_add_fog, |d| (d.world(), d.team())),
    changes!(flowtiles_world_remove_fog, |d| (
        d.world(),
        d.team(),
        d.out()
    )),
    changes!(flowtiles_world_reveal, |d| (
        d.world(),
        d.team(),
        d.areas(),
        d.count(),
        d.out()
    )),
    changes!(flowtiles_world_reveal_around, |d| (
        d.world(),
        d.team(),
        d.cells(),
        d.sights_beside(),
        d.count(),
        d.out()
    )),
    changes!(flowtiles_world_forget, |d| (
        d.world(),
        d.team(),
        d.areas(),
        d.count(),
        d.cost(),
        d.out()
    )),
    changes!(flowtiles_world_set_opaque, |d| {
        let world = d.world();
        d.cells();
    }(
        world,
        d.costs_beside(),
        d.count()
    )),
    reads!(flowtiles_world_known_rows, |d| (
        d.world(),
        d.team(),
        d.area(),
        d.room_for(64),
        d.count(),
        d.out_count()
    )),
    reads!(flowtiles_movement_default, |d| (d.out())),
    changes!(flowtiles_world_add_layer, |d| (
        d.world(),
        d.movement(),
        d.out_layer()
    )),
    changes!(flowtiles_world_surcharge, |d| (
        d.world(),
        d.layer(),
        d.areas(),
        d.costs_beside(),
        d.count()
    )),
    changes!(flowtiles_world_add_link, |d| (
        d.world(),
        d.link_area(),
        d.at(),
        d.at(),
        d.side(),
        d.out_link()
    )),
    changes!(flowtiles_world_remove_link, |d| (d.world(), d.link())),
    reads!(flowtiles_world_reachable, |d| (
        d.world(),
        d.layer(),
        d.at(),
        d.at(),
        d.at(),
        d.at(),
        d.out()
    )),
    reads!(flowtiles_world_travel_cost, |d| (
        d.world(),
        d.layer(),
        d.at(),
        d.at(),
        d.at(),
        d.at(),
        d.out()
    )),
    reads!(flowtiles_world_nearest_reachable, |d| (
        d.world(),
        d.layer(),
        d.at(),
        d.at(),
        d.at(),
        d.at(),
        d.out()
    )),
    reads!(flowtiles_world_is_free, |d| (
        d.world(),
        d.layer(),
        d.area(),
        d.out()
    )),
    reads!(flowtiles_world_nearest_free, |d| (
        d.world(),
        d.layer(),
        d.at(),
        d.at(),
        d.side(),
        d.out()
    )),
    reads!(flowtiles_world_save, |d| {
        let (bytes, capacity, count) = d.out_save();
    }(
        d.world(),
        bytes,
        capacity,
        count
    )),
    changes!(flowtiles_world_load, |d| (
        d.save(),
        d.count(),
        d.of(&[100, 9_600, u64::MAX]),
        d.out_handle(Kind::World)
    )),
    changes!(flowtiles_world_drop_claims, |d| (d.world())),
    reads!(flowtiles_world_hash, |d| (d.world(), d.out())),
    // Orders.
    changes!(flowtiles_order_new, |d| (
        d.world(),
        d.goal(),
        d.cells(),
        d.count(),
        d.out_handle(Kind::Order)
    )),
    changes!(flowtiles_order_free, |d| (d.freed(Kind::Order))),
    changes!(flowtiles_order_aim, |d| (
        d.order(),
        d.goal(),
        d.cells(),
        d.count()
    )),
    reads!(flowtiles_order_sample_many, |d| (
        d.order(),
        d.cells(),
        d.count(),
        d.outs()
    )),
    reads!(flowtiles_order_costs_to_go, |d| (
        d.order(),
        d.cells(),
        d.count(),
        d.outs()
    )),
    reads!(flowtiles_order_sample_rows, |d| (
        d.order(),
        d.area(),
        d.room_for(24),
        d.count(),
        d.out_count()
    )),
    reads!(flowtiles_order_cost_to_go_rows, |d| (
        d.order(),
        d.area(),
        d.room_for(24),
        d.count(),
        d.out_count()
    )),
    reads!(flowtiles_order_see_goal, |d| (
        d.order(),
        d.cells(),
        d.count(),
        d.outs()
    )),
    reads!(flowtiles_order_path, |d| (
        d.order(),
        d.at(),
        d.at(),
        d.room_for(24),
        d.outs(),
        d.count(),
        d.out_count()
    )),
    reads!(flowtiles_order_link_exit, |d| {
        let order = d.order();
        let (x, y) = d.entry();
    }(order, x, y, d.out())),
    changes!(flowtiles_order_cover, |d| (d.order(), d.cells(), d.count())),
    reads!(flowtiles_order_number, |d| (d.order(), d.out())),
    changes!(flowtiles_order_by_number, |d| (
        d.world(),
        d.below(9) as u64,
        d.out_handle(Kind::Order)
    )),
    // Armies.
    reads!(flowtiles_settings_default, |d| (d.out())),
    reads!(flowtiles_target_default, |d| (d.out())),
    reads!(flowtiles_sending_default, |d| (d.out())),
    changes!(flowtiles_army_new, |d| (
        d.world(),
        d.settings(),
        d.out_handle(Kind::Army)
    )),
    changes!(flowtiles_army_free, |d| (d.freed(Kind::Army))),
    changes!(flowtiles_army_fork, |d| (
        d.army(),
        d.world(),
        d.out_handle(Kind::Army)
    )),
    changes!(flowtiles_army_put_out_of_walls, |d| (d.army(), d.out())),
    reads!(flowtiles_army_groups, |d| (
        d.army(),
        d.room_for(8),
        d.count(),
        d.out_count()
    )),
    changes!(flowtiles_army_add_group, |d| (
        d.army(),
        d.choice(5),
        d.out_group()
    )),
    changes!(flowtiles_army_remove_group, |d| (d.army(), d.group())),
    changes!(flowtiles_army_add_units, |d| (
        d.army(),
        d.units(),
        d.count()
    )),
    changes!(flowtiles_army_remove_units, |d| (
        d.army(),
        d.ids(),
        d.count(),
        d.out()
    )),
    changes!(flowtiles_army_set_position, |d| (
        d.army(),
        d.unit(),
        d.float(),
        d.float()
    )),
    changes!(flowtiles_army_set_group, |d| (
        d.army(),
        d.unit(),
        d.group()
    )),
    changes!(flowtiles_army_set_team, |d| (d.army(), d.group(), d.team())),
    changes!(flowtiles_army_set_layer, |d| (
        d.army(),
        d.group(),
        d.layer()
    )),
    changes!(flowtiles_army_send, |d| (d.army(), d.group(), d.target())),
    changes!(flowtiles_army_queue, |d| (d.army(), d.group(), d.target())),
    changes!(flowtiles_army_send_all, |d| {
        let (army, groups, count) = (d.army(), d.groups(), d.count());
        let how = d.sending();
    }(
        army,
        groups,
        count,
        d.goal(),
        how
    )),
    changes!(flowtiles_army_patrol_all, |d| {
        let (army, groups, count) = (d.army(), d.groups(), d.count());
        let how = d.sending();
    }(
        army,
        groups,
        count,
        d.goals(),
        d.count(),
        how
    )),
    changes!(flowtiles_army_draw_up, |d| {
        let (army, groups, count) = (d.army(), d.groups(), d.count());
    }(
        army,
        groups,
        count,
        d.line(),
        d.sending()
    )),
    changes!(flowtiles_army_set_rank, |d| (
        d.army(),
        d.group(),
        d.choice(4) as u8
    )),
    changes!(flowtiles_army_order, |d| (
        d.army(),
        d.group(),
        d.goal(),
        d.out_handle(Kind::Order)
    )),
    changes!(flowtiles_army_form, |d| (
        d.army(),
        d.group(),
        d.choice(4),
        d.small()
    )),
    changes!(flowtiles_army_disband, |d| (d.army(), d.group())),
    changes!(flowtiles_army_set_manner, |d| (
        d.army(),
        d.group(),
        d.choice(8) as u8,
        d.cost(),
        d.choice(5),
        d.choice(2)
    )),
    changes!(flowtiles_army_step, |d| (d.army(), d.small())),
    changes!(flowtiles_army_look, |d| {
        let (army, groups, sights) = (d.army(), d.groups(), d.sights_beside());
    }(
        army,
        d.side(),
        groups,
        sights,
        d.count(),
        d.out()
    )),
    changes!(flowtiles_army_set_jam_costs, |d| (
        d.army(),
        d.layer(),
        d.jam_costs()
    )),
    changes!(flowtiles_army_note_jams, |d| (d.army())),
    reads!(flowtiles_army_has_room, |d| (
        d.army(),
        d.units(),
        d.count(),
        d.outs()
    )),
    reads!(flowtiles_army_nearest_foes, |d| {
        let (ids, count) = (d.ids(), d.count());
    }(
        d.army(),
        ids,
        count,
        d.float(),
        d.outs()
    )),
    reads!(flowtiles_army_ghosts, |d| {
        let (army, groups, groups_count) = (d.army(), d.groups(), d.count());
        let line = if d.one_in(2) { null() } else { d.line() };
    }(
        army,
        groups,
        groups_count,
        d.at(),
        d.at(),
        line,
        d.room_for(24),
        d.outs(),
        d.count(),
        d.out_count()
    )),
    reads!(flowtiles_army_stops_of, |d| (
        d.army(),
        d.ids(),
        d.count(),
        d.outs()
    )),
    reads!(flowtiles_army_path, |d| (
        d.army(),
        d.unit(),
        d.room_for(24),
        d.outs(),
        d.count(),
        d.out_count()
    )),
    reads!(flowtiles_army_read, |d| (
        d.army(),
        d.room_for(24),
        d.outs(),
        d.outs(),
        d.outs(),
        d.count(),
        d.out_count()
    )),
    reads!(flowtiles_army_events, |d| (
        d.army(),
        d.room_for(48),
        d.count(),
        d.out_count()
    )),
    reads!(flowtiles_army_is_settled, |d| (d.army(), d.out())),
    reads!(flowtiles_army_save, |d| {
        let (bytes, capacity, count) = d.out_save();
    }(
        d.army(), bytes, capacity, count
    )),
    changes!(flowtiles_army_load, |d| (
        d.world(),
        d.save(),
        d.count(),
        d.out_handle(Kind::Army)
    )),
    reads!(flowtiles_army_hash, |d| (d.army(), d.out())),
];
