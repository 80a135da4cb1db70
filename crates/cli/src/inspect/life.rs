//! The life of an order: planned once more on the map as it is, in small
//! slices, with a note after each.

use flowtiles::{Budget, Cell, FlowWorld, Goal};
use flowtiles_inspector::LifeSlice;

use super::stage::Stage;

/// Slices that a life is cut into, about.
const SLICES: u64 = 160;
/// Cells of work of the smallest slice.
const SMALLEST: u64 = 100;

/// The life of the order with a number, as if it were given now.
///
/// # Errors
/// If there is no such order any more.
pub fn life(stage: &Stage, number: u64) -> Result<Vec<LifeSlice>, String> {
    let (goal, units) = asked(stage, number).ok_or("this order has ended")?;
    // A world of its own: looking at an order changes nothing.
    let mut world = FlowWorld::new(stage.world.costs().clone());
    let goal = Goal::at(goal).or_nearest();
    let first = world
        .order(goal.clone(), &units)
        .map_err(|error| error.to_string())?;
    let mut work = 0;
    loop {
        let progress = world.tick(Budget::UNLIMITED);
        work += progress.cells;
        if progress.waiting == 0 {
            break;
        }
    }
    drop(first);
    world.tick(Budget::cells(1));
    let order = world
        .order(goal, &units)
        .map_err(|error| error.to_string())?;
    let slice = (work / SLICES).max(SMALLEST);
    let mut slices = vec![LifeSlice::default()];
    let mut known = std::collections::BTreeSet::new();
    let mut cells = 0;
    loop {
        let progress = world.tick(Budget::cells(slice));
        cells += progress.cells;
        let sectors = world.loaded(&order).into_iter();
        let sectors = sectors.map(|sector| (sector.x as u16, sector.y as u16));
        let fresh = sectors.filter(|sector| known.insert(*sector)).collect();
        slices.push(LifeSlice {
            cells,
            stage: match (progress.searching, progress.waiting) {
                (_, 0) => 2,
                (0, _) => 1,
                _ => 0,
            },
            portals: world.route(&order).len() as u32,
            loaded: fresh,
        });
        if progress.waiting == 0 {
            return Ok(slices);
        }
    }
}

/// The goal of an order and the cells of those who follow it.
fn asked(stage: &Stage, number: u64) -> Option<(Cell, Vec<Cell>)> {
    for (at, band) in stage.bands.iter().enumerate() {
        if let Some(errand) = &band.errand
            && errand.order.number() == number
        {
            return Some((errand.goal, stage.cells_of(at)));
        }
    }
    let errand = stage.look.errand()?;
    (errand.order.number() == number).then(|| (errand.goal, stage.look.sources().to_vec()))
}

#[cfg(test)]
mod tests {
    use flowtiles::{Cost, CostMap, Rect};

    use super::*;

    #[test]
    fn a_life_ends_with_the_sectors_that_the_order_has() {
        let mut map = CostMap::open(300, 200).unwrap();
        map.fill(Rect::new(150, 0, 2, 180), Cost::WALL).unwrap();
        let mut stage = Stage::of_map(map, String::new());
        let goal = Cell::new(280, 10);
        stage.look.ask(&mut stage.world, Cell::new(5, 5)).unwrap();
        stage.look.aim(&mut stage.world, 0, goal).unwrap();
        while stage.world.tick(Budget::UNLIMITED).waiting > 0 {}
        let order = &stage.look.errand().unwrap().order;
        let slices = life(&stage, order.number()).unwrap();
        let mut loaded: Vec<(u16, u16)> = slices
            .iter()
            .flat_map(|slice| slice.loaded.clone())
            .collect();
        loaded.sort_unstable_by_key(|&(x, y)| (y, x));
        let wanted: Vec<(u16, u16)> = stage
            .world
            .loaded(order)
            .into_iter()
            .map(|sector| (sector.x as u16, sector.y as u16))
            .collect();
        assert_eq!(loaded, wanted);
        assert!(slices.len() > 20);
        assert!(slices.windows(2).all(|two| two[0].cells <= two[1].cells));
        let stages: Vec<u8> = slices.iter().map(|slice| slice.stage).collect();
        assert!(
            stages[1..].is_sorted() && stages.ends_with(&[2]),
            "{stages:?}"
        );
        assert!(life(&stage, 99).is_err());
    }
}
