//! The engines, one file each: setup, orders and paths.

mod flat;
mod flowtiles;
mod hierarchical;
mod jump_points;
mod northstar;
mod sector_fields;
mod whole_fields;

use crate::course::Course;
use crate::plain::{Buckets, Heap};

/// The description of an engine, for tables. What it is asked stands in docs/benchmarks.md.
pub struct Card {
    /// The name on the command line.
    pub key: &'static str,
    /// The name in tables.
    pub title: &'static str,
    /// The package whose version is stated, for engines other than flowtiles.
    pub package: Option<&'static str>,
    /// Runs the engine over the course.
    pub run: fn(&mut Course) -> Result<(), String>,
}

/// All engines: flowtiles first, and the rival with the same method second.
pub const ALL: &[Card] = &[
    Card {
        key: "flowtiles",
        title: "flowtiles",
        package: Some("flowtiles"),
        run: |course| course.run::<flowtiles::Flowtiles>(),
    },
    Card {
        key: "sector_fields",
        title: "flowfield_tiles_plugin",
        package: Some("bevy_flowfield_tiles_plugin"),
        run: |course| course.run::<sector_fields::SectorFields>(),
    },
    Card {
        key: "northstar16",
        title: "northstar/16",
        package: Some("bevy_northstar"),
        run: |course| course.run::<northstar::Northstar<16>>(),
    },
    Card {
        key: "northstar32",
        title: "northstar/32",
        package: Some("bevy_northstar"),
        run: |course| course.run::<northstar::Northstar<32>>(),
    },
    Card {
        key: "hierarchical8",
        title: "hierarchical/8",
        package: Some("hierarchical_pathfinding"),
        run: |course| course.run::<hierarchical::Hierarchical<8>>(),
    },
    Card {
        key: "hierarchical32",
        title: "hierarchical/32",
        package: Some("hierarchical_pathfinding"),
        run: |course| course.run::<hierarchical::Hierarchical<32>>(),
    },
    Card {
        key: "jump_points",
        title: "grid_pathfinding",
        package: Some("grid_pathfinding"),
        run: |course| course.run::<jump_points::JumpPoints>(),
    },
    Card {
        key: "flat",
        title: "flat A*",
        package: None,
        run: |course| course.run::<flat::Flat>(),
    },
    Card {
        key: "heap_field",
        title: "heap field",
        package: None,
        run: |course| course.run::<whole_fields::Whole<Heap>>(),
    },
    Card {
        key: "bucket_field",
        title: "bucket field",
        package: None,
        run: |course| course.run::<whole_fields::Whole<Buckets>>(),
    },
];

/// Returns the engine of this name.
pub fn find(key: &str) -> Option<&'static Card> {
    ALL.iter().find(|card| card.key == key)
}

#[cfg(test)]
mod tests {
    use ::flowtiles::Cell;

    use super::*;
    use crate::engine::Engine;
    use crate::ground::{Ground, WALL};
    use crate::plain::Queue;

    /// Checks that an engine finds a path around a wall, walks it, and finds
    /// another once the wall has grown.
    fn around_a_wall<E: Engine>() {
        let mut ground = Ground {
            width: 50,
            height: 40,
            costs: vec![1; 50 * 40],
        };
        for y in 0..30 {
            let place = ground.place(Cell::new(24, y));
            ground.costs[place] = WALL;
        }
        let (from, to) = (Cell::new(5, 5), Cell::new(44, 6));
        let (mut engine, _) = E::build(&ground).unwrap();
        for grown in 30..33 {
            let order = engine.order(from, to).expect("there is a way");
            let way = engine.walk(&order, from, to).unwrap();
            let verdict = ground.judge(&way, from, to).unwrap();
            assert!(verdict.length > 60_000_000, "{verdict:?}");
            let cell = Cell::new(24, grown);
            let place = ground.place(cell);
            ground.costs[place] = WALL;
            engine.edit(cell, WALL);
        }
    }

    fn whole<Q: Queue>() {
        around_a_wall::<whole_fields::Whole<Q>>();
    }

    #[test]
    fn all_engines_go_around_a_wall() {
        around_a_wall::<flowtiles::Flowtiles>();
        around_a_wall::<sector_fields::SectorFields>();
        around_a_wall::<northstar::Northstar<16>>();
        around_a_wall::<hierarchical::Hierarchical<8>>();
        around_a_wall::<jump_points::JumpPoints>();
        around_a_wall::<flat::Flat>();
        whole::<Heap>();
        whole::<Buckets>();
    }
}
