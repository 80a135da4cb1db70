//! The judge's own Dijkstra: the shortest lengths with steps of 1 and √2, in
//! millionths. It shares no code with the measured methods.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use flowtiles::Cell;

use crate::ground::{Ground, NEIGHBOURS};

/// Returns the length of the shortest path of each pair.
pub fn optima(ground: &Ground, pairs: &[(Cell, Cell)]) -> Vec<u64> {
    let mut by_goal: BTreeMap<Cell, Vec<usize>> = BTreeMap::new();
    for (index, (_, goal)) in pairs.iter().enumerate() {
        by_goal.entry(*goal).or_default().push(index);
    }
    let mut lengths = vec![u64::MAX; pairs.len()];
    for (goal, mut wanted) in by_goal {
        let mut best = vec![u64::MAX; ground.costs.len()];
        let mut queue = BinaryHeap::from([Reverse((0, ground.place(goal)))]);
        best[ground.place(goal)] = 0;
        while let Some(Reverse((length, place))) = queue.pop() {
            if length > best[place] {
                continue;
            }
            let here = ground.cell(place);
            wanted.retain(|&index| {
                if pairs[index].0 == here {
                    lengths[index] = length;
                }
                pairs[index].0 != here
            });
            if wanted.is_empty() {
                break;
            }
            for (dx, dy) in NEIGHBOURS {
                let from = Cell::new(here.x - dx, here.y - dy);
                if !ground.allows(from, (dx, dy)) {
                    continue;
                }
                let reached = length + ground.price(from, (dx, dy));
                let behind = ground.place(from);
                if reached < best[behind] {
                    best[behind] = reached;
                    queue.push(Reverse((reached, behind)));
                }
            }
        }
    }
    lengths
}
