//! How orderly crowds move, from positions and velocities alone: lane order
//! and stripes.
//!
//! ```text
//!   → → → →            → ← → ←
//!   ← ← ← ←            ← → ← →
//!   → → → →            → ← → ←
//!   order near 1       order near 0
//!   3 stripes          rows of no clear owner
//! ```

use std::ops::Range;

/// Neighbours within this distance count for the order, in cells.
const NEIGHBOURS: f32 = 1.5;
/// Below this speed a unit has no direction, in cells a second.
const STANDS: f32 = 0.1;
/// The height of a row of a window, in cells: about a unit.
pub const ROW: f32 = 0.5;

/// A unit on its way.
#[derive(Clone, Copy, Debug)]
pub struct Walker {
    pub group: usize,
    pub position: [f32; 2],
    pub velocity: [f32; 2],
}

/// Values whose mean is wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mean {
    sum: f64,
    count: u64,
}

impl Mean {
    /// Adds a value.
    pub fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
    }

    /// Returns the mean; `None` without values.
    pub fn get(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }
}

/// The direction of a velocity as a unit vector; [0, 0] for a standing unit.
fn direction([x, y]: [f32; 2]) -> [f32; 2] {
    let speed = (x * x + y * y).sqrt();
    if speed < STANDS {
        [0.0, 0.0]
    } else {
        [x / speed, y / speed]
    }
}

/// Adds, for each walker that counts and has neighbours, the mean dot product
/// of its direction with theirs. A standing neighbour counts 0.
pub fn note_order(walkers: &[Walker], counts: impl Fn(&Walker) -> bool, mean: &mut Mean) {
    let ways: Vec<[f32; 2]> = walkers.iter().map(|w| direction(w.velocity)).collect();
    let buckets = Buckets::of(walkers);
    for (at, walker) in walkers.iter().enumerate() {
        if !counts(walker) {
            continue;
        }
        let (mut sum, mut count) = (0.0, 0u32);
        buckets.each_near(walker.position, |other| {
            let [x, y] = walkers[other].position;
            let (dx, dy) = (x - walker.position[0], y - walker.position[1]);
            if other != at && dx * dx + dy * dy <= NEIGHBOURS * NEIGHBOURS {
                sum += ways[at][0] * ways[other][0] + ways[at][1] * ways[other][1];
                count += 1;
            }
        });
        if count > 0 {
            mean.add(f64::from(sum) / f64::from(count));
        }
    }
}

/// Walkers by squares as wide as a neighbourhood, sorted row by row.
struct Buckets {
    /// The square, and the walker in it.
    sorted: Vec<([i32; 2], usize)>,
}

impl Buckets {
    fn of(walkers: &[Walker]) -> Self {
        let places = walkers.iter().map(|walker| square(walker.position));
        let mut sorted: Vec<_> = places.zip(0..).collect();
        sorted.sort_unstable();
        Self { sorted }
    }

    /// Calls `take` with each walker in the nine squares around a position.
    fn each_near(&self, position: [f32; 2], mut take: impl FnMut(usize)) {
        let [row, column] = square(position);
        for row in row - 1..=row + 1 {
            let from = self
                .sorted
                .partition_point(|&(place, _)| place < [row, column - 1]);
            for &(place, walker) in &self.sorted[from..] {
                if place > [row, column + 1] {
                    break;
                }
                take(walker);
            }
        }
    }
}

/// Row and column of the square under a position.
fn square([x, y]: [f32; 2]) -> [i32; 2] {
    [y, x].map(|along| (along / NEIGHBOURS).floor() as i32)
}

/// Returns the number of stripes, each of one group, across a flow. `places` are
/// the positions across the flow of the units in a window. The window is cut into
/// rows, and each row belongs to the group with the most units in it. Rows without
/// an owner are left out. `None` if fewer than two groups are in the window.
pub fn stripes(places: &[(usize, f32)], across: Range<f32>, groups: usize) -> Option<u32> {
    let rows = ((across.end - across.start) / ROW).ceil() as usize;
    let mut counts = vec![0u32; rows * groups];
    let mut present = vec![false; groups];
    for &(group, place) in places {
        let row = ((place - across.start) / ROW) as usize;
        counts[row.min(rows - 1) * groups + group] += 1;
        present[group] = true;
    }
    if present.iter().filter(|&&there| there).count() < 2 {
        return None;
    }
    let mut owners: Vec<usize> = counts.chunks(groups).filter_map(owner).collect();
    owners.dedup();
    Some(owners.len() as u32)
}

/// The group with the most units in a row; `None` for no units or a tie.
fn owner(counts: &[u32]) -> Option<usize> {
    let most = *counts.iter().max()?;
    let mut with_most = (0..counts.len()).filter(|&group| counts[group] == most);
    let first = with_most.next();
    (most > 0 && with_most.next().is_none()).then_some(first?)
}

/// Returns the median: of an even number of values, the upper of the middle two.
pub fn median<T: Copy + PartialOrd>(values: &[T]) -> Option<T> {
    let mut sorted = values.to_vec();
    sorted.sort_by(|one, two| one.partial_cmp(two).unwrap_or(std::cmp::Ordering::Equal));
    sorted.get(sorted.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowtiles_scenes::random::Random;

    const fn walker(group: usize, position: [f32; 2], velocity: [f32; 2]) -> Walker {
        Walker {
            group,
            position,
            velocity,
        }
    }

    fn order(walkers: &[Walker]) -> Option<f64> {
        let mut mean = Mean::default();
        note_order(walkers, |_| true, &mut mean);
        mean.get()
    }

    #[test]
    fn order_by_hand() {
        let (east, west) = ([4.0, 0.0], [-2.0, 0.0]);
        assert_eq!(order(&[walker(0, [1.0, 1.0], east)]), None, "no neighbour");
        let two = |way| order(&[walker(0, [1.0, 1.0], east), walker(1, [2.0, 2.0], way)]);
        assert_eq!(two(east), Some(1.0));
        assert_eq!(two(west), Some(-1.0));
        assert_eq!(two([0.0, 3.0]), Some(0.0));
        assert_eq!(two([0.0, 0.05]), Some(0.0), "one who stands");
        let far = [walker(0, [1.0, 1.0], east), walker(0, [2.6, 1.0], west)];
        assert_eq!(order(&far), None, "too far off");
        // The middle row has a neighbour on either side, the outer rows have one.
        let three = [
            walker(0, [1.0, 1.0], east),
            walker(0, [2.0, 1.0], east),
            walker(1, [3.0, 1.0], west),
        ];
        assert_eq!(order(&three), Some((1.0 + 0.0 - 1.0) / 3.0));
        let mut mean = Mean::default();
        note_order(&three, |walker| walker.group == 0, &mut mean);
        assert_eq!(mean.get(), Some(0.5), "only those that count");
    }

    #[test]
    fn buckets_miss_nobody() {
        let mut random = Random::new(5);
        let mut draw = |until: i32| random.between(-until, until) as f32 / 1000.0;
        let walkers: Vec<Walker> = (0..300)
            .map(|_| walker(0, [draw(9_000), draw(6_000)], [draw(3_000), draw(3_000)]))
            .collect();
        let (mut sum, mut count) = (0.0, 0);
        for (at, one) in walkers.iter().enumerate() {
            let others = walkers[..at].iter().chain(&walkers[at + 1..]);
            let near = others.filter(|two| {
                let off = [0, 1].map(|i| (one.position[i] - two.position[i]).powi(2));
                off[0] + off[1] <= NEIGHBOURS * NEIGHBOURS
            });
            let dots: Vec<f64> = near
                .map(|two| {
                    let (a, b) = (direction(one.velocity), direction(two.velocity));
                    f64::from(a[0] * b[0] + a[1] * b[1])
                })
                .collect();
            if !dots.is_empty() {
                sum += dots.iter().sum::<f64>() / dots.len() as f64;
                count += 1;
            }
        }
        let found = order(&walkers).expect("neighbours");
        assert!((found - sum / f64::from(count)).abs() < 1e-5, "{found}");
    }

    #[test]
    fn stripes_by_hand() {
        let stripes = |places: &[(usize, f32)]| stripes(places, 5.0..9.0, 2);
        assert_eq!(stripes(&[]), None);
        assert_eq!(stripes(&[(0, 5.1), (0, 8.0)]), None, "one group alone");
        assert_eq!(stripes(&[(0, 5.1), (1, 8.0)]), Some(2));
        let lanes = [(0, 5.1), (0, 5.7), (1, 6.2), (1, 7.4), (0, 8.9)];
        assert_eq!(stripes(&lanes), Some(3), "the empty rows join");
        let majority = [(0, 5.1), (0, 5.2), (1, 5.3), (1, 8.0)];
        assert_eq!(stripes(&majority), Some(2));
        let tie = [(0, 5.1), (1, 5.2), (0, 6.1), (1, 7.1)];
        assert_eq!(stripes(&tie), Some(2), "a row of no clear owner");
    }

    #[test]
    fn medians() {
        assert_eq!(median::<u32>(&[]), None);
        assert_eq!(median(&[3, 1, 2]), Some(2));
        assert_eq!(median(&[4.0, f64::INFINITY, 1.0]), Some(4.0));
    }
}
