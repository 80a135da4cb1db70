//! Which unit of a march gets which place.
//!
//! Units and places are matched by halves: of both, the front half along the axis on which the
//! units are spread the most goes together, and so on. So a unit in front gets a place at the far
//! side, and none has to pass others. On the way pairs swap their places where that shortens
//! their ways.

use super::places::square;
use crate::vector::Vector;

/// Matches units with as many places: returns for each unit the number of its place.
pub(crate) fn matched(units: &[Vector], places: &[Vector]) -> Vec<usize> {
    let (mut mine, mut theirs): (Vec<usize>, Vec<usize>) =
        (0..units.len()).map(|at| (at, at)).unzip();
    halve([units, places], [&mut mine, &mut theirs]);
    let mut matched = vec![0; units.len()];
    for (unit, place) in mine.into_iter().zip(theirs) {
        matched[unit] = place;
    }
    matched
}

fn halve(of: [&[Vector]; 2], [mine, theirs]: [&mut [usize]; 2]) {
    if mine.len() < 2 {
        return;
    }
    let spread = |axis: usize| {
        let along = mine.iter().map(|&at| of[0][at][axis]);
        let low = along.clone().fold(f32::INFINITY, f32::min);
        along.fold(f32::NEG_INFINITY, f32::max) - low
    };
    let axis = usize::from(spread(1) > spread(0));
    let half = mine.len() / 2;
    let part = |of: &[Vector], numbers: &mut [usize]| {
        let key = |at: usize| [of[at][axis], of[at][1 - axis]];
        numbers.select_nth_unstable_by(half, |&one, &two| {
            let ([a, b], [c, d]) = (key(one), key(two));
            a.total_cmp(&c).then(b.total_cmp(&d)).then(one.cmp(&two))
        });
    };
    part(of[0], mine);
    part(of[1], theirs);
    let ((one, two), (three, four)) = (mine.split_at_mut(half), theirs.split_at_mut(half));
    halve(of, [one, three]);
    halve(of, [two, four]);
}

/// In a round of swaps a unit is compared with this many that follow it along each axis.
const PAIRS: usize = 12;
/// How much a swap must save, of the sum of the squared ways, and in squared cells.
const SAVED: [f32; 2] = [0.02, 0.01];

/// Swaps the places of pairs of units where that makes the sum of their squared ways smaller.
pub(crate) fn swap(units: &[Vector], places: &mut [Vector]) {
    for axis in 0..2 {
        let mut sorted: Vec<usize> = (0..units.len()).collect();
        sorted.sort_by(|&one, &two| units[one][axis].total_cmp(&units[two][axis]));
        for (at, &one) in sorted.iter().enumerate() {
            for &two in sorted[at + 1..].iter().take(PAIRS) {
                let now = square(units[one], places[one]) + square(units[two], places[two]);
                let swapped = square(units[one], places[two]) + square(units[two], places[one]);
                if swapped < now * (1.0 - SAVED[0]) - SAVED[1] {
                    places.swap(one, two);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draws::draws;

    #[test]
    fn matched_and_swapped_places_are_the_same_ones() {
        let mut below = draws(12);
        for count in 0..60 {
            let mut at = || [below(400), below(400)].map(|along| along as f32 * 0.1);
            let units: Vec<Vector> = (0..count).map(|_| at()).collect();
            let places: Vec<Vector> = (0..count).map(|_| at()).collect();
            let ways = |places: &[Vector]| -> f32 {
                units
                    .iter()
                    .zip(places)
                    .map(|(&unit, &place)| square(unit, place))
                    .sum()
            };
            let numbers = matched(&units, &places);
            let mut given: Vec<Vector> = numbers.iter().map(|&at| places[at]).collect();
            let long = ways(&given);
            swap(&units, &mut given);
            assert!(ways(&given) <= long);
            let sorted = |places: &[Vector]| {
                let mut places = places.to_vec();
                places
                    .sort_by(|one, two| one[0].total_cmp(&two[0]).then(one[1].total_cmp(&two[1])));
                places
            };
            assert_eq!(sorted(&given), sorted(&places));
        }
    }
}
