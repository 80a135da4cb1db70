//! Saves of worlds and armies with any content, under digests that fit it.
//!
//! ```text
//!   bytes: the number of bytes of the world's content (2), that content, the army's content
//! ```

use flowtiles::steer::{Army, Reading};
use flowtiles::{Budget, Cell, CellRect, Cost, FlowWorld, Order, StampTemplate, Turn};

use crate::oracle::Map;
use crate::oracle::follow::{assert_legal, finish};
use crate::{accepted, files, print_if_asked};

/// The most cells of a world.
const CELLS: u64 = 1 << 14;
/// The part of a save that is read and no longer written: congestion.
const CONGESTION: u8 = 4;

/// Returns the bytes for these saves.
pub fn bytes_of(world: &FlowWorld, army: &Army) -> Vec<u8> {
    let [world, army] = [world.save(), army.save()].map(|save| files::content(&save).to_vec());
    [&(world.len() as u16).to_le_bytes()[..], &world, &army].concat()
}

/// Returns the saves of a world and of an army that bytes stand for.
#[must_use]
pub fn saves_of(data: &[u8]) -> Option<[Vec<u8>; 2]> {
    let (length, rest) = data.split_first_chunk()?;
    let length = usize::from(u16::from_le_bytes(*length));
    let (world, army) = rest.split_at(length.min(rest.len()));
    Some([
        files::sealed(b"FLOWSAVE", 1, world),
        files::sealed(b"FLOWARMY", 2, army),
    ])
}

/// Loads saves, and uses what was loaded.
pub fn saves(data: &[u8]) {
    accepted(FlowWorld::load_within(data, CELLS).map(drop));
    let Some([bytes, of_army]) = saves_of(data) else {
        return;
    };
    let Some((world, orders)) = accepted(FlowWorld::load_within(&bytes, CELLS)) else {
        return;
    };
    print_if_asked(|| format!("{world:?}, {} orders", orders.len()));
    if bytes[files::HEAD] & CONGESTION == 0 {
        assert!(world.save() == bytes, "a world is written in one way");
    }
    let army = accepted(Army::load(&of_army, &world));
    if let Some(army) = &army {
        print_if_asked(|| format!("{army:?}"));
        assert!(army.save() == of_army, "an army is written in one way");
    }
    live(world, &orders, army.unwrap_or_default());
}

/// Orders, edits and ticks, and another save.
fn live(mut world: FlowWorld, orders: &[Order], mut army: Army) {
    let (width, height) = (world.costs().width() as i32, world.costs().height() as i32);
    let middle = Cell::new(width / 2, height / 2);
    let finite = |army: &Army| {
        for unit in army.units() {
            let numbers = [unit.position, unit.velocity];
            assert!(
                numbers.iter().flatten().all(|at| at.is_finite()),
                "{unit:?}"
            );
        }
    };
    let tick = |world: &mut FlowWorld, army: &mut Army| {
        for _ in 0..3 {
            army.tick(world, Budget::cells(2_000), 0.1);
            finite(army);
        }
    };
    tick(&mut world, &mut army);
    let area = CellRect::new(middle.x, 0, 1, height as u32);
    world.edit(area, Cost::WALL).expect("on the map");
    accepted(world.block(Cell::new(0, 0)));
    let hut = StampTemplate::rows(&["#"]).expect("a template");
    accepted(world.stamp(&hut, Cell::new(width - 1, 0), Turn::None));
    let given = accepted(world.order(Cell::new(0, height - 1), &[middle]));
    let first = army.groups().next();
    if let Some(group) = first {
        given.clone().map(|order| accepted(army.send(group, order)));
    }
    tick(&mut world, &mut army);
    world.edit(area, Cost::OPEN).expect("on the map");
    army.put_out_of_walls(&world);
    tick(&mut world, &mut army);
    finish(&mut world);
    for order in orders.iter().chain(&given) {
        let layer = world
            .layer(order.goal().layer())
            .expect("an order has derived it");
        assert_legal(&world, order, &Map::of_costs(layer.costs()));
    }
    let bytes = world.save();
    let (again, _claims) = FlowWorld::load(&bytes).expect("a good save");
    assert_eq!(again.inspect().state_parts(), world.inspect().state_parts());
    assert!(again.save() == bytes, "the save of a load is the same");
    let bytes = army.save();
    let loaded = Army::load(&bytes, &again).expect("a good save");
    assert!(loaded.save() == bytes, "the save of a load is the same");
    let crowded = |group| {
        army.settings(group)
            .is_some_and(|it| it.reading == Reading::Crowd)
    };
    if !army.groups().any(crowded) {
        assert_eq!(loaded.state_hash(), army.state_hash());
    }
}
