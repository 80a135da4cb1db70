//! The scenes of links: teleporters, and a bridge over a road.

use flowtiles::{Cell, CellRect, Cost, Link};

use crate::aim::Aim;
use crate::scene::{Band, Scene, block, walled};
use crate::usage::Passage;

/// A wall with one gap far in the south, and two pads in the north that lead to its other
/// side: units near the pads take one, and units far from them go round.
pub fn teleport(_: u64) -> Scene {
    let mut costs = walled(90, 60, &[CellRect::new(44, 0, 2, 60)]);
    let gap = CellRect::new(44, 54, 2, 4);
    costs.edit(gap, Cost::OPEN).expect("a gap on the map");
    let goal = |y| Aim::Goal(Cell::new(80, y));
    let bands = vec![
        Band::new(0, goal(12), block(6, 48, [6.5, 8.5], 1.1)),
        Band::new(1, goal(50), block(6, 48, [6.5, 44.5], 1.1)),
    ];
    let mut scene = Scene::new(costs, bands);
    scene.links = [(8, 14), (18, 4)]
        .map(|(from, to)| {
            Link::new(CellRect::new(30, from, 2, 2), Cell::new(56, to)).with_price(25)
        })
        .into();
    scene.passages = vec![
        Passage::link("north pad", 0),
        Passage::link("south pad", 1),
        Passage::area("gap in the wall", gap),
    ];
    scene
}

/// How far east of the road the deck of the bridge lies on the map.
const DECK: i32 = 55;

/// A bridge over a road: its deck is a strip of cells at the eastern edge of the map, with a
/// link at each end and for each way. One column passes below, two above, at the same time.
pub fn overpass(_: u64) -> Scene {
    let (road, deck) = (
        CellRect::new(0, 26, 90, 8),
        CellRect::new(40 + DECK, 23, 6, 14),
    );
    let mut costs = walled(
        103,
        60,
        &[CellRect::new(0, 24, 103, 12), CellRect::new(90, 0, 13, 60)],
    );
    for open in [road, deck] {
        costs.edit(open, Cost::OPEN).expect("a strip on the map");
    }
    let bands = vec![
        Band::new(
            0,
            Aim::Goal(Cell::new(80, 30)),
            block(12, 48, [4.5, 28.0], 1.1),
        ),
        Band::new(
            1,
            Aim::Goal(Cell::new(42, 8)),
            block(6, 36, [40.0, 50.0], 1.1),
        ),
        Band::new(
            2,
            Aim::Goal(Cell::new(46, 52)),
            block(6, 36, [40.0, 3.0], 1.1),
        ),
    ];
    let mut scene = Scene::new(costs, bands);
    // Links 0 and 2 lead onto the deck.
    scene.passages = vec![
        Passage::area("road under bridge", CellRect::new(40, 26, 6, 8)),
        Passage::link("bridge, northward", 2),
        Passage::link("bridge, southward", 0),
    ];
    for row in [23, 36] {
        let (ground, deck) = (
            CellRect::new(40, row, 6, 1),
            CellRect::new(40 + DECK, row, 6, 1),
        );
        let onto = Link::new(ground, Cell::new(deck.x, row));
        let off = Link::new(deck, Cell::new(ground.x, row));
        scene
            .links
            .extend([onto, off].map(|link| link.with_price(1)));
    }
    scene
}
