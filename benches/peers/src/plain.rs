//! Plain methods, without any hierarchy, implemented as well as we can: the
//! baseline that an engine must beat to be worthwhile.

mod astar;
mod field;
mod optimum;
mod queue;
mod steps;

pub use astar::Astar;
pub use field::Field;
pub use optimum::optima;
pub use queue::{Buckets, Heap, Queue};

#[cfg(test)]
mod tests {
    use flowtiles::Cell;

    use super::*;
    use crate::ground::{Ground, WALL};
    use flowtiles_peers::random::Random;

    fn drawn(seed: u64, cost: impl Fn(usize) -> u8) -> Ground {
        let mut random = Random::new(seed);
        Ground {
            width: 23,
            height: 17,
            costs: (0..23 * 17).map(|_| cost(random.below(100))).collect(),
        }
    }

    /// Returns the path along a field.
    fn follow<Q: Queue>(field: &Field<Q>, from: Cell) -> Vec<Cell> {
        let mut way = vec![from];
        while let Some((dx, dy)) = field.step(way[way.len() - 1]) {
            let here = way[way.len() - 1];
            way.push(Cell::new(here.x + dx, here.y + dy));
        }
        way
    }

    #[test]
    fn plain_methods_find_what_the_judge_finds() {
        let walls = |draw| if draw < 25 { WALL } else { 1 };
        let hills = |draw| 1 + (draw / 10) as u8;
        let mut ways = 0;
        for seed in 0..20 {
            for ground in [drawn(seed, walls), drawn(seed, hills)] {
                let mut random = Random::new(seed + 100);
                let mut cell = || ground.cell(random.below(ground.costs.len()));
                let pair = (cell(), cell());
                if !ground.is_open(pair.0) || !ground.is_open(pair.1) {
                    continue;
                }
                let best = optima(&ground, &[pair])[0];
                let mut astar = Astar::new(&ground);
                let found = astar.find(pair.0, pair.1);
                assert_eq!(found.is_some(), best != u64::MAX);
                let Some(found) = found else { continue };
                let mut heap = Field::<Heap>::new(&ground);
                let mut buckets = Field::<Buckets>::new(&ground);
                heap.lead_to(pair.1);
                buckets.lead_to(pair.1);
                for way in [found, follow(&heap, pair.0), follow(&buckets, pair.0)] {
                    let verdict = ground.judge(&way, pair.0, pair.1).unwrap();
                    assert_eq!(verdict.corners, 0);
                    // Costs of 5 and 7 stand for 1 and √2: off by at most 0.06
                    // % on open ground, and slightly more where costs differ.
                    let over = verdict.length as f64 / best as f64;
                    assert!((1.0..1.01).contains(&over), "{over}");
                    ways += 1;
                }
            }
        }
        assert!(ways > 50, "{ways}");
    }

    #[test]
    fn an_edit_is_the_same_as_a_new_map() {
        let before = drawn(1, |_| 1);
        let (from, to) = (Cell::new(2, 8), Cell::new(20, 8));
        let mut after = before.clone();
        let mut edited = Astar::new(&before);
        for y in 1..17 {
            let cell = Cell::new(11, y);
            let place = after.place(cell);
            after.costs[place] = WALL;
            edited.edit(cell, WALL);
        }
        let way = edited.find(from, to);
        assert_eq!(way, Astar::new(&after).find(from, to));
        assert!(way.unwrap().contains(&Cell::new(11, 0)));
    }
}
