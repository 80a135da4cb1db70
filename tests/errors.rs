//! Every error type can be sent to another thread, boxed and walked to its cause.

use std::collections::BTreeSet;
use std::error::Error;

use flowtiles::crowd::{Conduct, Crowd, CrowdError, CrowdSettings};
use flowtiles::error::{
    BlockError, CostMapError, FogError, GateError, LayerError, LinkError, LoadError, OffMap,
    OrderError, RowsError, SizeError, StampError, SurchargeError, TemplateError, ZeroCost,
};
use flowtiles::inspect::UnknownOverlay;
use flowtiles::steer::parts::{by_turns, nearest};
use flowtiles::steer::{Army, ArmyError, ArmyLoadError, Reading, Shape, Unit};
use flowtiles::{Cell, Cost, CostMap, FlowWorld, StampTemplate, Turn};

use crate::draws::tries::fault_of;

/// Names the types, each of which must fit.
macro_rules! errors {
    ($($name:ident),* $(,)?) => {{
        fn fits<T: Error + Send + Sync + 'static>() {}
        $(fits::<$name>();)*
        BTreeSet::from([$(stringify!($name).to_owned()),*])
    }};
}

#[test]
fn all_errors_are_send_sync_and_static() {
    let held = errors!(
        ArmyError,
        ArmyLoadError,
        BlockError,
        CostMapError,
        CrowdError,
        FogError,
        GateError,
        LayerError,
        LinkError,
        LoadError,
        OffMap,
        OrderError,
        RowsError,
        SizeError,
        StampError,
        SurchargeError,
        TemplateError,
        UnknownOverlay,
        ZeroCost,
    );
    let list = include_str!("../docs/public-api.txt").lines();
    let names = list.filter_map(|line| line.split_once("Error for "));
    let found = names.map(|(_, name)| name.to_owned()).collect();
    assert_eq!(held, found);
}

#[test]
fn what_wraps_an_error_has_it_as_its_source() {
    fn source_of<E: Error>(error: &E) -> String {
        let source = error.source().expect("it wraps an error");
        source.to_string()
    }
    let map = CostMap::open(20, 20).unwrap();
    let off = map.clone().edit(Cell::new(20, 0), Cost::WALL).unwrap_err();
    let mut world = FlowWorld::new(map);
    let hut = StampTemplate::rows(&["##"]).unwrap();
    let stamped = world.stamp(&hut, Cell::new(19, 0), Turn::None).unwrap_err();
    assert!(source_of(&stamped).contains("off the map"));
    assert_eq!(
        source_of(&world.block(Cell::new(20, 0)).unwrap_err()),
        off.to_string()
    );
    let rows = world.edit_rows(Cell::new(20, 0).into(), &[1]).unwrap_err();
    assert_eq!(source_of(&rows), off.to_string());
    let order = world.order(Cell::new(5, 5), &[]).unwrap();
    let read = world.sample_rows(&order, Cell::new(20, 0).into(), &mut [1]);
    assert_eq!(source_of(&read.unwrap_err()), off.to_string());
    let empty = CostMap::from_rows(0, 3, &[]).unwrap_err();
    assert_eq!(
        source_of(&empty),
        CostMap::open(0, 3).unwrap_err().to_string()
    );
    assert!(
        world
            .unblock(Cell::new(0, 0))
            .unwrap_err()
            .source()
            .is_none()
    );
}

#[test]
fn order_of_another_world_panics_with_number_and_line() {
    let mut worlds = [(); 2].map(|()| FlowWorld::new(CostMap::open(20, 20).unwrap()));
    let [own, world] = &mut worlds;
    let unit = Cell::new(1, 1);
    let orders = [5, 6, 7, 9].map(|x| own.order(Cell::new(x, 9), &[]).unwrap());
    let order = orders[3].clone();
    let mut own_order = order.clone();
    let mut army = Army::default();
    let group = army.add_group(order.clone(), Reading::Ahead).unwrap();
    army.add(Unit::new(0, group, [1.5, 1.5])).unwrap();
    let mut formed = army.clone();
    let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
    crowd.join(own, &order, &Conduct::default(), 1.0).unwrap();
    let calls: [&mut dyn FnMut(&mut FlowWorld); 15] = [
        &mut |world| _ = world.sample(&order, unit),
        &mut |world| world.sample_many(&order, &[unit], &mut Vec::new()),
        &mut |world| _ = world.cost_to_go(&order, unit),
        &mut |world| _ = world.sample_rows(&order, unit.into(), &mut [0]),
        &mut |world| _ = world.cost_to_go_rows(&order, unit.into(), &mut [0]),
        &mut |world| _ = world.destination(&order, unit),
        &mut |world| _ = world.provisional(&order, unit),
        &mut |world| _ = world.cover(&order, unit),
        &mut |world| _ = world.aim(&mut own_order, Cell::new(8, 8), &[]),
        &mut |world| _ = world.inspect().integration(&order),
        &mut |world| _ = nearest(world, &order, unit.centre()),
        &mut |world| _ = by_turns(world, &order, unit, 7),
        &mut |world| army.step(world, 0.05),
        &mut |world| _ = formed.form(group, Shape::Box, 1.0, world),
        &mut |world| crowd.step(world, &[], 0.05),
    ];
    let mut last = 0;
    for call in calls {
        let fault = fault_of(false, || call(world)).expect("it panics");
        let mut place = fault.place.split(':');
        let (file, line) = (place.next(), place.next());
        let line: u32 = line.and_then(|line| line.parse().ok()).expect("a line");
        assert!(file == Some(file!()) && line > last, "{}", fault.place);
        last = line;
        let text = fault.words();
        assert!(
            text.starts_with("order 3 was given by another world"),
            "{text}"
        );
    }
}
