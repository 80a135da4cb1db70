//! The eikonal solver beside the fast marching of scikit-fmm, as `eikonal.py` has recorded it.

use flowtiles::Cell;
use flowtiles::crowd::FastMarching;

const WIDTH: i32 = 60;
const HEIGHT: i32 = 40;
/// The rounding of 32-bit potentials, as a part of them.
const ROUNDING: f32 = 2e-5;

/// The cost of a cell of a drawn field; `None` for a wall.
fn cost(field: i32, Cell { x, y }: Cell) -> Option<f32> {
    let mixed = (x * 73 + y * 151 + x * y * 31 + field * 997) % 1009;
    let slow = match field {
        0 | 1 => mixed % 8,
        _ => (x / 7 + y / 5 + field) % 3 * 4,
    };
    let is_wall = mixed % 9 == 0 && x > 0;
    (!is_wall).then_some(1.0 + slow as f32 / 2.0)
}

#[test]
fn potentials_are_those_of_scikit_fmm() {
    let mut recorded = include_str!("eikonal.txt").lines();
    let mut compared = 0;
    for field in 0..4 {
        let sides = |cell| cost(field, cell).map(|cost| [cost; 4]);
        let mut marching = FastMarching::new(WIDTH as u32, HEIGHT as u32, sides).unwrap();
        let seeds: Vec<(Cell, f32)> = (0..HEIGHT).map(|y| (Cell::new(0, y), 0.0)).collect();
        marching.solve(&seeds);
        for y in (3..HEIGHT).step_by(6) {
            let values = recorded.next().unwrap().split(' ');
            for (x, value) in (5..WIDTH).step_by(6).zip(values) {
                let wanted: f32 = value.parse().unwrap();
                let found = marching.potential(Cell::new(x, y)).unwrap_or(-1.0);
                let off = (found - wanted).abs();
                assert!(
                    off <= ROUNDING * wanted.abs(),
                    "{found} for {wanted} at {x}, {y}"
                );
                compared += 1;
            }
        }
    }
    assert_eq!((compared, recorded.next()), (280, None));
}
