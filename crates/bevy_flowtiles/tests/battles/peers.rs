//! The example with two peers, for longer.

use std::collections::BTreeMap;

use super::*;
use two_peers::{Colour, Peer, Soldiers, play};

#[path = "../../examples/two_peers.rs"]
#[allow(dead_code)]
mod two_peers;

#[test]
fn two_peers_over_a_bad_line_have_the_same_battle() {
    let frames = 3_000;
    let mut peers = play(frames);
    let [one, other] = &peers;
    for frame in 0..=frames {
        assert_eq!(one.sums[&frame], other.sums[&frame], "frame {frame}");
    }
    for Peer {
        rollbacks,
        returned,
        ..
    } in &peers
    {
        assert!(
            *rollbacks > 100 && *returned > 20,
            "{rollbacks}, {returned}"
        );
    }
    // Each entity looks as its unit does.
    for peer in &mut peers {
        let world = peer.app.world_mut();
        let soldiers = world.resource::<Soldiers>().0.clone();
        let mut units = world.query::<(&FlowUnit, &Colour)>();
        let known: BTreeMap<u32, u8> = units
            .iter(world)
            .map(|(unit, colour)| (unit.id(), colour.0))
            .collect();
        let expected = soldiers.iter().map(|(&id, soldier)| (id, soldier.colour));
        assert_eq!(known, expected.collect());
    }
}
