//! The cells of a map that can reach each other, as needed for measuring.

use flowtiles::{Cell, CellRect, FlowWorld};

use flowtiles_country::random::Random;

/// The cells of the island with most of the map, row by row. It is found by
/// drawing a few dozen cells and taking the island drawn most often.
pub fn mainland(world: &FlowWorld) -> Vec<Cell> {
    let (width, height) = (world.costs().width(), world.costs().height());
    let open: Vec<Cell> = CellRect::new(0, 0, width, height)
        .cells()
        .filter(|&cell| world.costs().get(cell).is_some_and(|cost| !cost.is_wall()))
        .collect();
    let mut random = Random::new(11);
    let drawn: Vec<Cell> = (0..48)
        .filter_map(|_| open.get(random.below(open.len() as i32) as usize).copied())
        .collect();
    let joined = |cell: &Cell| {
        let others = drawn.iter();
        others
            .filter(|&&other| world.reachable(*cell, other))
            .count()
    };
    let Some(&home) = drawn.iter().max_by_key(|cell| joined(cell)) else {
        return Vec::new();
    };
    open.into_iter()
        .filter(|&cell| world.reachable(cell, home))
        .collect()
}
