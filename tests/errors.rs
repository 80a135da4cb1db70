//! Every error type can be sent to another thread, boxed and walked to its cause.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::Path;

use flowtiles::crowd::CrowdError;
use flowtiles::inspect::UnknownLayer;
use flowtiles::steer::{ArmyError, ArmyLoadError};
use flowtiles::{
    BlockError, Cell, Cost, CostMap, CostMapError, FlowWorld, GateError, LayerError, LinkError,
    LoadError, OffMap, OrderError, SizeError, StampError, StampTemplate, SurchargeError,
    TemplateError, Turn, ZeroCost,
};

/// Names the types, each of which must fit.
macro_rules! errors {
    ($($name:ident),* $(,)?) => {{
        fn fits<T: Error + Send + Sync + 'static>() {}
        $(fits::<$name>();)*
        BTreeSet::from([$(stringify!($name).to_owned()),*])
    }};
}

/// The types in a folder for which `Error` is implemented.
fn gather(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            gather(&path, found);
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        for name in text.split("Error for ").skip(1) {
            let name = name.split(|letter: char| !letter.is_alphanumeric()).next();
            found.extend(name.map(str::to_owned));
        }
    }
}

#[test]
fn all_errors_are_send_sync_and_static() {
    let held = errors!(
        ArmyError,
        ArmyLoadError,
        BlockError,
        CostMapError,
        CrowdError,
        GateError,
        LayerError,
        LinkError,
        LoadError,
        OffMap,
        OrderError,
        SizeError,
        StampError,
        SurchargeError,
        TemplateError,
        UnknownLayer,
        ZeroCost,
    );
    let mut found = BTreeSet::new();
    gather(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
        &mut found,
    );
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
