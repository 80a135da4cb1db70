//! A unit alone: it goes as if there were no crowd.

use flowtiles::crowd::{Conduct, Crowd};
use flowtiles::{Cell, CostMap};

use super::scene::{all_at_once, far, long, walk, whole_map, world_to};

/// Returns the greatest distance of a trail from the straight line between two
/// places.
fn astray(trail: &[[f32; 2]], from: [f32; 2], to: [f32; 2]) -> f32 {
    let [x, y] = [to[0] - from[0], to[1] - from[1]];
    let off = |at: &[f32; 2]| ((at[0] - from[0]) * y - (at[1] - from[1]) * x).abs();
    trail.iter().map(off).fold(0.0, f32::max) / x.hypot(y)
}

const STARTS: [[f32; 2]; 4] = [[6.5, 30.5], [8.5, 8.5], [12.3, 55.9], [100.2, 52.0]];
const GOAL: Cell = Cell::new(90, 30);

#[test]
fn a_lone_walker_goes_straight_whatever_it_foresees() {
    let (world, order) = world_to(CostMap::open(110, 60).unwrap(), GOAL);
    for from in STARTS {
        // Solves that reach the goal, and solves whose rim leads to it.
        for (mut settings, most) in [(whole_map(), [1.003, 0.75]), (all_at_once(), [1.03, 8.0])] {
            settings.interval = 0.3;
            let trail = |conduct: &Conduct| {
                let mut crowd = Crowd::new(settings).unwrap();
                let ends = [from, GOAL.centre()];
                let nobody = |_: &mut Crowd, _, _| Vec::new();
                walk(&world, &mut crowd, &order, conduct, ends, nobody)
            };
            let foresees = trail(&Conduct::default());
            let mut blind = Conduct::default();
            blind.predicted = 0.0;
            let blind = trail(&blind);
            assert_eq!(foresees, blind, "it shuns its own shadow");
            let straight = far(from, foresees[foresees.len() - 1]);
            let over = long(&foresees) / straight;
            let off = astray(&foresees, from, GOAL.centre());
            println!(
                "margin {}: {over:.4} times as long, {off:.2} off",
                settings.margin
            );
            assert!(
                over < most[0] && off < most[1],
                "{over}, {off} from {from:?}"
            );
            // At full speed all the time.
            let steps = foresees.windows(2).map(|pair| far(pair[0], pair[1]));
            assert!(steps.fold(1.0, f32::min) > 0.199);
        }
    }
}
