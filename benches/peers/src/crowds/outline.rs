//! The walls of a map as ORCA takes them: loops of corners, with the wall on the left of each
//! edge.

use std::collections::BTreeMap;

use dodgy_2d::{Obstacle, Vec2};
use flowtiles::{Cell, CostMap};

/// Returns the border between open cells on one side, and walls and the outside of the map on
/// the other.
pub fn outline(map: &CostMap) -> Vec<Obstacle> {
    let open = |x, y| map.get(Cell::new(x, y)).is_some_and(|cost| !cost.is_wall());
    // The edges of open cells that border on a wall, by where they begin.
    let mut edges: BTreeMap<[i32; 2], [i32; 2]> = BTreeMap::new();
    for y in 0..map.height() as i32 {
        for x in (0..map.width() as i32).filter(|&x| open(x, y)) {
            let corners = [[x, y], [x, y + 1], [x + 1, y + 1], [x + 1, y]];
            let beside = [[x - 1, y], [x, y + 1], [x + 1, y], [x, y - 1]];
            for (side, [x, y]) in beside.into_iter().enumerate() {
                if !open(x, y) {
                    let taken = edges.insert(corners[side], corners[(side + 1) % 4]);
                    assert_eq!(taken, None, "walls do not meet at their corners alone");
                }
            }
        }
    }
    let mut loops = Vec::new();
    while let Some((first, mut at)) = edges.pop_first() {
        let mut corners = vec![first];
        while at != first {
            corners.push(at);
            at = edges.remove(&at).expect("a border has no end");
        }
        loops.push(Obstacle::Closed {
            vertices: turns(&corners),
        });
    }
    loops
}

/// Returns the corners at which a loop turns.
fn turns(corners: &[[i32; 2]]) -> Vec<Vec2> {
    let count = corners.len();
    let step = |from: [i32; 2], to: [i32; 2]| [to[0] - from[0], to[1] - from[1]];
    let turns = (0..count).filter(|&at| {
        let [before, here] = [corners[(at + count - 1) % count], corners[at]];
        step(before, here) != step(here, corners[(at + 1) % count])
    });
    turns
        .map(|at| Vec2::new(corners[at][0] as f32, corners[at][1] as f32))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::Scene;

    #[test]
    fn a_door_is_a_bend_of_the_border() {
        let walls = outline(&Scene::new("door", 1).unwrap().map);
        let [Obstacle::Closed { vertices }] = &walls[..] else {
            panic!("one border: {walls:?}");
        };
        assert_eq!(vertices.len(), 12);
        // Clockwise, as seen with the second axis up: nobody leaves it.
        let pairs = vertices.iter().zip(vertices.iter().cycle().skip(1));
        let area: f32 = pairs.map(|(one, two)| one.perp_dot(*two)).sum();
        assert_eq!(area / 2.0, -(90.0 * 60.0 - 58.0));
    }
}
