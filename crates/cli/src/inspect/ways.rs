//! Ways, walked along the directions without moving anyone.

use flowtiles::{Cell, FlowWorld, Order};
use flowtiles_inspector::Way;

use super::stage::Stage;

/// Ways drawn of a band.
const BAND_WAYS: usize = 8;
/// Ways drawn of what is looked for.
const LOOK_WAYS: usize = 60;
/// Steps of all ways together.
const STEPS_MAX: usize = 120_000;

/// The ways of some units of each band and of those who ask.
pub fn all(stage: &Stage) -> Vec<Way> {
    let mut ways = Vec::new();
    let mut steps = STEPS_MAX;
    for (number, band) in stage.bands.iter().enumerate() {
        let Some(errand) = &band.errand else { continue };
        let cells = stage.cells_of(number);
        let every = (cells.len() / BAND_WAYS).max(1);
        for &cell in cells.iter().step_by(every).take(BAND_WAYS) {
            ways.extend(walked(
                &stage.world,
                &errand.order,
                cell,
                band.banner,
                &mut steps,
            ));
        }
    }
    if let Some(errand) = stage.look.errand() {
        for &cell in stage.look.sources().iter().rev().take(LOOK_WAYS) {
            ways.extend(walked(&stage.world, &errand.order, cell, 4, &mut steps));
        }
    }
    ways
}

/// A unit's way, the cells where it turns; `None` where it has none.
fn walked(
    world: &FlowWorld,
    order: &Order,
    from: Cell,
    banner: u8,
    steps: &mut usize,
) -> Option<Way> {
    let mut cells = vec![from];
    let (mut cell, mut last) = (from, None);
    while let Some(direction) = world.sample(order, cell).direction() {
        if *steps == 0 {
            break;
        }
        *steps -= 1;
        if last.is_some_and(|last| last != direction) {
            cells.push(cell);
        }
        last = Some(direction);
        cell = cell.step(direction);
    }
    cells.push(cell);
    (cell != from).then_some(Way { banner, cells })
}
