//! What must hold of a world and its orders, by code not shared with the engine.

use flowtiles::graph::PortalGraph;
use flowtiles::steer::UnitState;
use flowtiles::steer::parts::anchor;
use flowtiles::{Cell, FlowWorld, LayerId, Order, Quality, Sample};
use flowtiles_country::referee::{NEVER, Referee, Verdict};

use crate::{Game, Nth, Random};

/// Cells that are compared.
const SAMPLED: usize = 60;

impl Game {
    /// The orders of the army and of the game, each once.
    fn orders(&self) -> Vec<Order> {
        let groups = self.model.groups.keys();
        let of_groups = groups.filter_map(|&group| self.army.group(group)?.order());
        let mut orders: Vec<Order> = of_groups.chain(&self.claims).cloned().collect();
        orders.sort_by_key(Order::number);
        orders.dedup();
        orders
    }

    pub(crate) fn cell(&self, random: &mut Random) -> Cell {
        let map = self.map();
        let [x, y] = [map.width, map.height].map(|side| random.below(side) as i32);
        Cell::new(x, y)
    }

    /// Checks the directions of an order in all cells: no step into a wall or past a corner.
    pub(crate) fn check_directions(&self, nth: Nth) -> bool {
        let orders = self.orders();
        let Some(order) = nth.of(orders.len()).map(|at| &orders[at]) else {
            return false;
        };
        let costs = self.ground(order.goal().layer()).costs;
        let referee = Referee::new(costs);
        for cell in costs.area().cells() {
            if referee.cost(cell) == 255 {
                continue;
            }
            if let Sample::Go(direction) = self.world.sample(order, cell) {
                let verdict = referee.judge(cell, direction);
                let is_legal = verdict == Verdict::Legal;
                assert!(is_legal, "{verdict:?}: {direction} at {cell} for {order:?}");
            }
        }
        true
    }

    /// Checks that derived data is what it would be if it were built anew.
    pub(crate) fn check_built_anew(&mut self, seed: u64) -> bool {
        let world = &self.world;
        for &layer in &self.layers {
            if let (Some(view), Some(inspection)) =
                (world.layer(layer), world.inspect().layer(layer))
            {
                let is_same = *inspection.portal_graph() == PortalGraph::new(view.costs());
                assert!(is_same, "the portal graph of {layer} is not of its costs");
            }
        }
        let fresh = FlowWorld::new(world.costs().clone());
        let [old, new] = [world, &fresh].map(|world| {
            let stats = world.inspect().stats();
            [stats.portals, stats.edges, stats.islands]
        });
        assert_eq!(old, new, "a world built anew has other parts");
        let mut random = Random::new(seed);
        for _ in 0..SAMPLED {
            let pair = [(); 2].map(|()| self.cell(&mut random));
            let [old, new] = [world, &fresh].map(|world| {
                let [one, two] = pair.map(|cell| world.inspect().island(cell));
                (one.is_some(), two.is_some(), one == two)
            });
            assert_eq!(old, new, "islands differ in a world built anew: {pair:?}");
        }
        true
    }

    /// Compares an order with a Dijkstra over the whole map.
    pub(crate) fn judge(&mut self, nth: Nth, seed: u64) -> bool {
        self.finish();
        let mut orders = self.orders();
        orders.retain(|order| order.goal().cells().count() == 1);
        let Some(order) = nth.of(orders.len()).map(|at| &orders[at]) else {
            return false;
        };
        let layer = order.goal().layer();
        let mut referee = Referee::new(self.ground(layer).costs);
        let of_layer = LayerId::from_number(layer.number());
        for (_, link) in self.world.inspect().links() {
            if link
                .layers()
                .is_none_or(|layers| layers.contains(&of_layer))
            {
                referee.add_link(link);
            }
        }
        let best = referee.costs_to_go(order.goal().cell());
        let mut random = Random::new(seed);
        let drawn: Vec<Cell> = (0..SAMPLED).map(|_| self.cell(&mut random)).collect();
        let drawn = drawn.iter().map(|&cell| (cell, false));
        let ordered = self.world.inspect().units(order).to_vec();
        let mut judged = 0;
        for (cell, is_ordered) in drawn.chain(ordered.iter().map(|&cell| (cell, true))) {
            let best = referee.look_up(&best, cell);
            // From other islands it leads to another goal.
            let (Some(found), true) = (self.world.cost_to_go(order, cell), best != NEVER) else {
                continue;
            };
            judged += 1;
            let is_best = match self.qualities.get(&order.number()) {
                Some(Quality::Everywhere) => true,
                Some(Quality::Exact) => is_ordered,
                _ => false,
            };
            assert!(
                found == best || found > best && !is_best,
                "the way from {cell} costs {found} and the cheapest {best}: {order:?}"
            );
        }
        self.note("judged", judged);
        true
    }

    /// Checks that every unit under an order has an answer once all orders are done.
    pub(crate) fn check_that_nobody_waits(&self) {
        let units = self.army.units().iter();
        for unit in units.filter(|unit| unit.state == UnitState::Marching) {
            if let Some(order) = self.army.order_of(unit.id) {
                let cell = anchor(self.size_of(unit.group), unit.position);
                let waits = self.world.sample(order, cell) == Sample::Waiting;
                assert!(!waits, "a unit waits, though no order does: {unit:?}");
            }
        }
    }
}
