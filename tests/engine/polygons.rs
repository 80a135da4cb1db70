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
    let mut corners = match number(4) {
        0 => (0..3)
            .map(|_| [number(400) - 200, number(400) - 200])
            .collect(),
        1 => star(&mut number),
        2 => court(&mut number),
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

/// A shape with bays and spikes: a corner at some distance in each of twelve directions.
fn star(number: &mut impl FnMut(i32) -> i32) -> Vec<[i32; 2]> {
    let quarter = [[4, 0], [3, 2], [2, 3]];
    let turned = (0..4).scan(quarter, |way, _| {
        let now = *way;
        *way = way.map(|[x, y]| [-y, x]);
        Some(now)
    });
    let [x, y] = [number(300) - 150, number(300) - 150];
    let ways: Vec<[i32; 2]> = turned.flatten().collect();
    let corner = |[right, down]: [i32; 2]| {
        let far = 1 + number(30);
        [x + far * right, y + far * down]
    };
    ways.into_iter().map(corner).collect()
}

/// Three wings around a court, at an angle.
fn court(number: &mut impl FnMut(i32) -> i32) -> Vec<[i32; 2]> {
    let [x, y, right, down] = [400, 400, 30, 30].map(|most| number(most) - most / 2);
    let [wing, gap, long, deep] = [1 + number(4), 1 + number(4), 2 + number(5), 1 + number(3)];
    let (open, wide) = (deep.min(long - 1), 2 * wing + gap);
    let plan = [
        [0, 0],
        [wing, 0],
        [wing, open],
        [wing + gap, open],
        [wing + gap, 0],
        [wide, 0],
        [wide, long],
        [0, long],
    ];
    let corner = |[along, aside]: [i32; 2]| {
        [
            x + along * right - aside * down,
            y + along * down + aside * right,
        ]
    };
    plan.map(corner).to_vec()
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
fn corners_that_make_no_polygon_are_refused() {
    let no_polygon: [&[[i32; 2]]; 8] = [
        &[],
        &[[0, 0], [16, 0]],
        &[[0, 0], [16, 16], [48, 48]],
        // A spike without an area, and a corner that touches a side.
        &[[0, 0], [64, 0], [32, 0], [32, 32]],
        &[[0, 0], [64, 0], [64, 64], [32, 0], [0, 64]],
        // Back to a corner it has been at.
        &[[0, 0], [32, 32], [64, 0], [64, 64], [32, 32], [0, 64]],
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
    let arrow = [[0, 0], [64, 0], [16, 16], [0, 64]];
    assert!(StampTemplate::polygon(&arrow, Cost::WALL, None).is_ok());
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

/// Whether two sides have a point in common, by the point where their lines meet.
fn meet(one: [[i32; 2]; 2], other: [[i32; 2]; 2]) -> bool {
    let [[a, b], [c, d]] = [one, other].map(|side| side.map(|at| at.map(f64::from)));
    let ways = [[b[0] - a[0], b[1] - a[1]], [d[0] - c[0], d[1] - c[1]]];
    let across = |v: [f64; 2], w: [f64; 2]| v[0] * w[1] - v[1] * w[0];
    let (turn, between) = (across(ways[0], ways[1]), [c[0] - a[0], c[1] - a[1]]);
    if turn != 0.0 {
        let part = |way| across(between, way) / turn;
        return [part(ways[1]), part(ways[0])]
            .iter()
            .all(|at| (0.0..=1.0).contains(at));
    }
    let within = |axis: usize| {
        let [low, high] = [a[axis].min(b[axis]), a[axis].max(b[axis])];
        low <= c[axis].max(d[axis]) && c[axis].min(d[axis]) <= high
    };
    across(between, ways[0]) == 0.0 && within(0) && within(1)
}

#[test]
fn exactly_corners_whose_sides_meet_are_refused() {
    let mut rng = Rng::new(98);
    let mut seen = [0, 0];
    for _ in 0..3000 {
        let count = rng.between(4, 6) as usize;
        let side = rng.pick(&[8, 300]);
        let corners: Vec<[i32; 2]> = (0..count)
            .map(|_| [rng.below(side), rng.below(side)])
            .collect();
        let sides: Vec<_> = (0..count)
            .map(|at| [corners[at], corners[(at + 1) % count]])
            .collect();
        // Neighbours meet at their corner: they must not elsewhere, nor have no length.
        let folds = |at: usize| {
            let [[from, mid], [_, to]] = [sides[at], sides[(at + 1) % count]];
            let [before, after] = [[from, mid], [mid, to]].map(|[a, b]| [b[0] - a[0], b[1] - a[1]]);
            let turn = before[0] * after[1] - before[1] * after[0];
            turn == 0 && before[0] * after[0] + before[1] * after[1] < 0
        };
        if sides.iter().any(|[from, to]| from == to) {
            continue;
        }
        let is_apart = |at: usize, other: usize| {
            let is_beside = other == at + 1 || (at, other) == (0, count - 1);
            is_beside || !meet(sides[at], sides[other])
        };
        let is_simple =
            (0..count).all(|at| !folds(at) && (at + 1..count).all(|other| is_apart(at, other)));
        let made = StampTemplate::polygon(&corners, Cost::WALL, None);
        assert_eq!(made.is_ok(), is_simple, "{corners:?}");
        seen[usize::from(is_simple)] += 1;
    }
    assert!(seen.iter().all(|&seen| seen > 300), "{seen:?}");
}
