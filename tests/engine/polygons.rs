//! Templates of buildings at any angle.

use crate::oracle::draw::Rng;
use flowtiles::error::TemplateError;
use flowtiles::{Cell, Cost, StampTemplate};

/// Whether a part of a polygon with an area lies in a rectangle: what is left after a cut
/// along each side of the rectangle.
fn is_overlapped(corners: &[[i32; 2]], low: [i32; 2], high: [i32; 2]) -> bool {
    let mut shape: Vec<[f64; 2]> = corners.iter().map(|at| at.map(f64::from)).collect();
    for axis in 0..2 {
        for (bound, sign) in [(low[axis], 1.0), (high[axis], -1.0)] {
            let depth = |at: &[f64; 2]| sign * (at[axis] - f64::from(bound));
            let next = shape.iter().cycle().skip(1);
            let mut cut = Vec::new();
            for (from, to) in shape.iter().zip(next) {
                let (here, there) = (depth(from), depth(to));
                if here >= 0.0 {
                    cut.push(*from);
                }
                if here * there < 0.0 {
                    let part = here / (here - there);
                    cut.push([0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * part));
                }
            }
            shape = cut;
        }
    }
    let next = shape.iter().cycle().skip(1);
    let pairs = shape.iter().zip(next);
    let area: f64 = pairs.map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum();
    area.abs() > 1e-7
}

fn drawn_polygon(rng: &mut Rng) -> Vec<[i32; 2]> {
    let mut number = |most: i32| rng.below(most);
    let mut corners = match number(2) {
        0 => (0..3)
            .map(|_| [number(400) - 200, number(400) - 200])
            .collect(),
        _ => {
            let [x, y, right, down] = [400, 400, 60, 60].map(|most| number(most) - most / 2);
            let [long, wide] = [1 + number(4), 1 + number(4)];
            let corner = |along: i32, aside: i32| {
                [
                    x + along * right - aside * down,
                    y + along * down + aside * right,
                ]
            };
            vec![
                corner(0, 0),
                corner(long, 0),
                corner(long, wide),
                corner(0, wide),
            ]
        }
    };
    if number(2) == 0 {
        corners.reverse();
    }
    corners
}

#[test]
fn polygon_closes_all_cells_it_covers_in_part() {
    let mut rng = Rng::new(97);
    let (mut walls, mut dear) = (0, 0);
    for _ in 0..300 {
        let corners = drawn_polygon(&mut rng);
        let wide = rng.below(40) as u32;
        let cost = Cost::new(7).unwrap();
        let made = StampTemplate::polygon(&corners, Cost::WALL, Some((wide, cost)));
        let Ok((at, template)) = made else {
            assert!(
                !is_overlapped(&corners, [-4000; 2], [4000; 2]),
                "{corners:?}"
            );
            continue;
        };
        // Also those around the template.
        for y in -2..template.height() as i32 + 2 {
            for x in -2..template.width() as i32 + 2 {
                let low = [at.x + x, at.y + y].map(|cell| cell * 16);
                let around = |wide: i32| {
                    is_overlapped(
                        &corners,
                        low.map(|at| at - wide),
                        low.map(|at| at + 16 + wide),
                    )
                };
                let wanted = match (around(0), around(wide as i32)) {
                    (true, _) => Some(Cost::WALL),
                    (_, true) => Some(cost),
                    _ => None,
                };
                let found = u32::try_from(x).ok().zip(u32::try_from(y).ok());
                let found = found.and_then(|(x, y)| template.get(x, y));
                assert_eq!(
                    found, wanted,
                    "{corners:?}, rim {wide}, {x}/{y} from {at:?}"
                );
                walls += usize::from(found == Some(Cost::WALL));
                dear += usize::from(found == Some(cost));
            }
        }
    }
    assert!(
        walls > 10_000 && dear > 5_000,
        "{walls} walls, {dear} in rims"
    );
}

#[test]
fn corners_that_make_no_convex_polygon_are_refused() {
    let no_polygon: [&[[i32; 2]]; 6] = [
        &[],
        &[[0, 0], [16, 0]],
        &[[0, 0], [16, 16], [48, 48]],
        &[[0, 0], [64, 0], [16, 16], [0, 64]],
        // A star goes around twice.
        &[[0, 38], [90, 38], [17, 90], [45, 0], [73, 90]],
        &[[0, 0], [16, 16], [16, 0], [0, 16]],
    ];
    for corners in no_polygon {
        let made = StampTemplate::polygon(corners, Cost::WALL, None);
        assert_eq!(made, Err(TemplateError::Polygon), "{corners:?}");
    }
    let far = [[i32::MIN, 0], [i32::MAX, 0], [0, i32::MAX]];
    let made = StampTemplate::polygon(&far, Cost::WALL, Some((u32::MAX, Cost::OPEN)));
    assert!(matches!(made, Err(TemplateError::Size { .. })), "{made:?}");
    // A corner on a side, or twice in a row, does no harm.
    let square = [[8, 8], [20, 8], [40, 8], [40, 40], [40, 40], [8, 40]];
    let (at, template) = StampTemplate::polygon(&square, Cost::WALL, None).unwrap();
    assert_eq!(
        (at, template.width(), template.height()),
        (Cell::new(0, 0), 3, 3)
    );
    let all = (0..9).map(|at| template.get(at % 3, at / 3));
    assert!(all.eq([Some(Cost::WALL); 9]));
}
