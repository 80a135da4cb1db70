//! Groups of target cells, by where they lie.
//!
//! The search estimates by the rectangle around all targets. If they lie at two ends
//! of the map, that rectangle is the whole map, and the search would go
//! everywhere. So they are divided at the widest gap along either axis,
//! repeatedly, into a few groups with a rectangle each:
//!
//! ```text
//!   ·············          ┌··┐      ┌···┐
//!   · ▪▪     ▪▪ ·          ·▪▪·      ·▪▪ ·
//!   · ▪       ▪ ·    ──►   └··┘      · ▪ ·
//!   ·           ·          ┌·┐       └···┘
//!   · ▪         ·          ·▪·
//!   ·············          └·┘
//! ```

use crate::grid::Sector;

pub(crate) const GROUPS: usize = 4;

/// The least width of a gap at which a group is divided, in sectors. If the
/// search stops short of a narrower gap, that saves little.
const GAP: i32 = 6;

/// The number of a group, below [`GROUPS`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SearchGroup(pub(super) u8);

impl SearchGroup {
    /// Returns a group for one of several cells that are not divided by where they lie:
    /// each of the first gets one of its own.
    pub(crate) fn some(number: usize) -> Self {
        Self(number.min(GROUPS - 1) as u8)
    }

    pub(crate) const fn index(self) -> usize {
        self.0 as usize % GROUPS
    }
}

/// A gap between sectors: the `width` columns, or rows, after `after` are
/// empty.
#[derive(Clone, Copy)]
struct Gap {
    axis: Axis,
    after: i32,
    width: i32,
}

#[derive(Clone, Copy)]
enum Axis {
    X,
    Y,
}

impl Axis {
    const fn of(self, sector: Sector) -> i32 {
        match self {
            Self::X => sector.x,
            Self::Y => sector.y,
        }
    }
}

pub(crate) fn groups(sectors: &[Sector]) -> Vec<SearchGroup> {
    let mut groups = vec![SearchGroup::default(); sectors.len()];
    let mut gaps = [None; GROUPS];
    gaps[0] = widest_gap(sectors, &groups, SearchGroup(0));
    for new in 1..GROUPS {
        // The widest gap of any group; among equals that of the first group.
        let wide = gaps
            .iter()
            .enumerate()
            .rev()
            .filter_map(|(group, gap)| gap.map(|gap: Gap| (group, gap)));
        let Some((group, gap)) = wide.max_by_key(|(_, gap)| gap.width) else {
            break;
        };
        let (old, new_group) = (SearchGroup(group as u8), SearchGroup(new as u8));
        for (own, &sector) in groups.iter_mut().zip(sectors) {
            if *own == old && gap.axis.of(sector) > gap.after {
                *own = new_group;
            }
        }
        gaps[group] = widest_gap(sectors, &groups, old);
        gaps[new] = widest_gap(sectors, &groups, new_group);
    }
    groups
}

/// Returns the widest gap inside a group, if it is wide enough to divide it.
fn widest_gap(sectors: &[Sector], groups: &[SearchGroup], group: SearchGroup) -> Option<Gap> {
    let members = || {
        sectors
            .iter()
            .zip(groups)
            .filter(move |&(_, &own)| own == group)
            .map(|(&sector, _)| sector)
    };
    let gaps = [Axis::X, Axis::Y].into_iter().filter_map(|axis| {
        let positions = || members().map(|sector| axis.of(sector));
        let (first, last) = (positions().min()?, positions().max()?);
        // The positions in bins of `step`, one bit for each bin that is not
        // empty.
        let step = (last - first) / 64 + 1;
        let bits = positions().fold(0_u64, |bits, position| {
            bits | 1 << ((position - first) / step)
        });
        let (at, steps) = longest_gap(bits);
        let gap = Gap {
            axis,
            after: first + (at + 1) * step - 1,
            width: steps * step,
        };
        (gap.width >= GAP).then_some(gap)
    });
    // Among equals the first.
    gaps.reduce(|a, b| if b.width > a.width { b } else { a })
}

/// Returns the last bit before the longest run of zeros between two bits, and
/// the length of that run; among equals the first.
fn longest_gap(bits: u64) -> (i32, i32) {
    let mut longest = (0, 0);
    let mut left = bits;
    while left != 0 {
        let at = left.trailing_zeros() as i32;
        left &= left - 1;
        if left != 0 {
            let run = left.trailing_zeros() as i32 - at - 1;
            if run > longest.1 {
                longest = (at, run);
            }
        }
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parted(positions: &[(i32, i32)]) -> Vec<u8> {
        let sectors: Vec<Sector> = positions.iter().map(|&(x, y)| Sector::new(x, y)).collect();
        groups(&sectors).into_iter().map(|group| group.0).collect()
    }

    #[test]
    fn sectors_are_grouped_at_the_widest_gaps() {
        assert_eq!(parted(&[]), [0_u8; 0]);
        assert_eq!(parted(&[(3, 4)]), [0]);
        assert_eq!(parted(&[(3, 4), (9, 9)]), [0, 0], "too near");
        assert_eq!(parted(&[(3, 4), (10, 9)]), [0, 1]);
        // The widest first: rows 0 to 300, then columns 0 to 100 in the north.
        let positions = [(0, 0), (100, 2), (1, 300), (2, 0), (7, 301)];
        assert_eq!(parted(&positions), [0, 2, 1, 0, 1]);
        // No more than the maximum.
        let line: Vec<(i32, i32)> = (0..9).map(|at| (at * 20, 0)).collect();
        let groups = parted(&line);
        assert!(groups.iter().all(|&group| usize::from(group) < GROUPS));
        assert_eq!((0..4).filter(|group| groups.contains(group)).count(), 4);
    }

    #[test]
    fn sectors_of_different_groups_lie_beyond_a_gap() {
        let mut draw = crate::draws::draws(5);
        for _ in 0..300 {
            let side = 1 + draw(6000) as i32;
            let count = draw(40);
            let position = |draw: &mut dyn FnMut(u32) -> u32| draw(side as u32) as i32;
            let positions: Vec<(i32, i32)> = (0..count)
                .map(|_| (position(&mut draw), position(&mut draw)))
                .collect();
            let groups = parted(&positions);
            for (&(ax, ay), a) in positions.iter().zip(&groups) {
                for (&(bx, by), b) in positions.iter().zip(&groups) {
                    let apart = (ax - bx).abs().max((ay - by).abs());
                    assert!(a == b || apart > GAP, "{ax}, {ay} and {bx}, {by}");
                }
            }
        }
    }
}
