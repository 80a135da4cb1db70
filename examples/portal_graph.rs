//! The portal graph of a small map: as a picture, as text, as components, and
//! as Dot for Graphviz.
//!
//! The graph is read with petgraph's own algorithms. Nothing here is special to
//! this map: the code can be copied into a test.

use flowtiles::graph::PortalGraph;
use flowtiles::petgraph::algo::{dijkstra, kosaraju_scc};
use flowtiles::petgraph::dot::Dot;
use flowtiles::petgraph::visit::EdgeRef;
use flowtiles::{Cell, CellRect, Cost, CostMap, FlowWorld};

/// A valley in the west, a plateau in the east, a swampy pass between them, and
/// a walled courtyard in a corner. `#` is wall, and `~` is swamp, at cost 3.
const MAP: &str = "\
.........##.........
.........##.........
.........##.........
.........##.........
...###...##.........
...###...##.........
.........##.........
.........##.........
.........##.........
.........##.........
.........##.........
.........##.........
.........##.........
.........~~.........
.........~~.........
.........##.........
.........##...######
.........##...#.....
.........##...#.....
.........##...#.....
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let costs = MAP.lines().flat_map(str::bytes).map(|letter| match letter {
        b'#' => 255,
        b'~' => 3,
        _ => 1,
    });
    let costs: Vec<u8> = costs.collect();
    let mut world = FlowWorld::new(CostMap::from_rows(20, 20, &costs)?);
    draw(&world);
    list(world.inspect().portal_graph());
    if let Some(first) = world.inspect().portal_graph().portals().next() {
        let prices = dijkstra(world.inspect().portal_graph(), first.id, None, |edge| {
            edge.weight().cost
        });
        println!("\nWalking from {} to", first.id);
        for portal in world.inspect().portal_graph().portals() {
            match prices.get(&portal.id) {
                Some(price) => println!("    {} costs {price}", portal.id),
                None => println!("    {} is impossible", portal.id),
            }
        }
    }

    println!(
        "\nFor Graphviz:\n{}",
        Dot::new(world.inspect().portal_graph())
    );

    count("with the pass open", &world);
    world.edit(CellRect::new(9, 13, 2, 2), Cost::WALL)?;
    count("with the pass closed", &world);
    Ok(())
}

/// Prints the map, each crossing cell as `o` and the rest of its window as `+`.
fn draw(world: &FlowWorld) {
    let costs = world.costs();
    for y in 0..costs.height() as i32 {
        let symbols = (0..costs.width() as i32).map(|x| symbol(world, Cell::new(x, y)));
        println!("{}", symbols.collect::<String>());
    }
}

fn symbol(world: &FlowWorld, cell: Cell) -> char {
    let portals = || world.inspect().portal_graph().portals();
    if world.costs().get(cell) == Some(Cost::WALL) {
        '#'
    } else if portals().any(|portal| portal.crossing.contains(&cell)) {
        'o'
    } else if portals().any(|portal| portal.contains(cell)) {
        '+'
    } else if world.costs().get(cell) == Some(Cost::OPEN) {
        '.'
    } else {
        '~'
    }
}

/// Prints one line for each portal, with its edges below it, always in the same
/// order.
fn list(graph: &PortalGraph) {
    let (portals, edges) = (graph.portal_count(), graph.edge_count());
    println!("\n{portals} portals, {edges} edges");
    for portal in graph.portals() {
        println!("{portal}");
        for (to, edge) in graph.edges(portal.id) {
            println!("    to {to}: {edge}");
        }
    }
}

/// Prints the numbers of components and islands. The courtyard has no way out
/// and so no portal: it is an island of cells, but no component of portals.
fn count(when: &str, world: &FlowWorld) {
    println!(
        "{when}: components of portals: {}, islands of cells: {}",
        kosaraju_scc(world.inspect().portal_graph()).len(),
        world.inspect().stats().islands
    );
}
