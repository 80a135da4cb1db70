//! Sliced builds: the same world for any slices.

use crate::oracle::draw::for_drawn;
use flowtiles::FlowWorld;

#[test]
fn a_build_in_pieces_is_the_build_at_once() {
    for_drawn(210, &[(9, 9), (25, 14), (90, 170)], 3, |map, rng| {
        let at_once = FlowWorld::new(map.cost_map());
        let mut build = FlowWorld::build(map.cost_map());
        let sectors = map.sectors().len();
        assert_eq!(build.progress().total, 4 * sectors);
        let mut done = 0;
        while !(build.progress().is_done() || done > 3 * sectors && rng.chance(10)) {
            let more = rng.between(0, 40) as usize;
            done = (done + more).min(4 * sectors);
            assert_eq!(build.advance(more).done, done);
        }
        let world = build.finish();
        assert!(
            world.inspect().portal_graph() == at_once.inspect().portal_graph(),
            "on {map}"
        );
        assert_eq!(
            world.inspect().state_parts(),
            at_once.inspect().state_parts()
        );
        assert_eq!(
            world.inspect().stats(),
            at_once.inspect().stats(),
            "on {map}"
        );
        let middle = rng.cell(map);
        for cell in map.cells() {
            let joined = world.reachable(middle, cell);
            assert_eq!(joined, at_once.reachable(middle, cell), "{cell}");
        }
    });
}
