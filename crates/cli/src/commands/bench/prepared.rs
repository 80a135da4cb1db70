//! A map with all that is measured on it, and the rounds of measuring.

use std::hint::black_box;

use flowtiles::inspect::clearance;
use flowtiles::{CellRect, FlowWorld, Stats};

use super::crowd::Crowd;
use super::dijkstra::Plain;
use super::edits::Edits;
use super::effort::Effort;
use super::fields::Fields;
use super::figures::{Aside, Figure, MapFigures};
use super::layers::Layers;
use super::links::Links;
use super::lookups::Lookups;
use super::orders::Orders;
use super::routes::Routes;
use super::saves::Saves;
use super::sectors::Sectors;
use super::storm::Storm;
use super::subject::Subject;
use super::times::Times;
use crate::support::failure::Failure;
use crate::support::threads::on_threads;

/// A map with everything that is measured on it.
pub struct Prepared {
    subject: Subject,
    world: FlowWorld,
    plain: Plain,
    stats: Stats,
    build: Times,
    build_in_two: Times,
    edits: Edits,
    layers: Layers,
    clearance: Times,
    links: Links,
    sectors: Sectors,
    routes: Routes,
    fields: Fields,
    orders: Orders,
    lookups: Lookups,
    storm: Storm,
    crowd: Crowd,
    saves: Saves,
}

impl Prepared {
    /// Draws the work and checks every answer; nothing is timed yet.
    pub fn new(mut subject: Subject, effort: &Effort) -> Result<Self, Failure> {
        subject.check_side()?;
        let mut world = FlowWorld::new(subject.costs().clone());
        subject.find_mainland(&world)?;
        let mut plain = Plain::new(subject.costs())
            .ok_or_else(|| subject.refused("the price of a path on it may not fit 32 bits"))?;
        let stats = world.inspect().stats();
        let routes = Routes::new(&subject, &mut world, effort)?;
        let orders = Orders::new(&subject, &mut world, &mut plain, effort)?;
        Ok(Self {
            stats,
            build: Times::default(),
            build_in_two: Times::default(),
            edits: Edits::new(&subject, &mut world, effort)?,
            layers: Layers::new(&subject, effort)?,
            clearance: Times::default(),
            links: Links::new(&subject, effort)?,
            sectors: Sectors::new(effort)?,
            routes,
            fields: Fields::new(&subject, &mut world, &mut plain)?,
            orders,
            lookups: Lookups::new(&subject, effort)?,
            storm: Storm::new(&subject, effort)?,
            crowd: Crowd::new(&subject, &mut world)?,
            saves: Saves::new(&subject, &mut world)?,
            subject,
            world,
            plain,
        })
    }

    /// Repeats every measurement. Rivals run shortly after each other, so that other
    /// load on the machine slows them alike.
    pub fn round(&mut self) -> Result<(), Failure> {
        let (world, plain) = (&mut self.world, &mut self.plain);
        self.build.begin_round();
        self.build_in_two.begin_round();
        let build = |times: &mut Times| {
            let costs = self.subject.costs().clone();
            drop(times.time(|| FlowWorld::new(costs)));
        };
        for _ in 0..2 {
            build(&mut self.build);
            on_threads(2, || build(&mut self.build_in_two))?;
        }
        self.edits.round(world);
        self.layers.round()?;
        self.clearance.begin_round();
        let costs = self.subject.costs();
        let all = CellRect::new(0, 0, costs.width(), costs.height());
        let whole = self.clearance.time(|| clearance(costs, black_box(all)));
        drop(black_box(whole));
        self.links.round(world)?;
        self.sectors.round();
        self.routes.round(world);
        self.orders.round(world)?;
        self.fields.round(world, plain)?;
        self.lookups.round();
        self.storm.round(&self.subject)?;
        self.crowd.round(world)?;
        self.saves.round(world)?;
        Ok(())
    }

    /// The figures of all rounds.
    pub fn figures(&self) -> MapFigures {
        let costs = self.subject.costs();
        let cells = f64::from(costs.width()) * f64::from(costs.height());
        let derived = self.stats.graph_bytes + self.stats.cluster_bytes;
        let [cost_bytes, bytes] =
            [0, derived].map(|derived| (self.stats.cost_bytes + derived) as f64 / cells);
        let route = self.routes.figures();
        let (order, exact) = self.orders.figures();
        let (lookup, lookup_scattered) = self.lookups.figures();
        let (save, load) = self.saves.figures();
        MapFigures {
            map: self.subject.name().to_owned(),
            width: costs.width(),
            height: costs.height(),
            build_ms: self.build.median(1e3),
            build_2_threads_ms: self.build_in_two.median(1e3),
            bytes_per_cell: Figure::counted(bytes),
            edit_us: self.edits.one_cell(),
            building_us: self.edits.building(),
            layers: self.layers.figures(),
            clearance_ms: self.clearance.median(1e3),
            links_200: self.links.figures(),
            sector_ns: self.sectors.figures(),
            route_us: route.engine,
            petgraph_astar_us: route.petgraph,
            pathfinding_astar_us: route.pathfinding,
            order_us: order,
            exact_us: exact,
            field_ms: self.fields.engine(),
            dijkstra_heap_ms: self.fields.heap(),
            dijkstra_bucket_ms: self.fields.buckets(),
            thousand_units_ms: self.orders.thousand(),
            lookup_ns: lookup,
            lookup_scattered_ns: lookup_scattered,
            edit_storm: self.storm.figures(),
            orders_500: self.crowd.figures(),
            save_mb_s: save,
            load_mb_s: load,
            aside: Aside {
                cost_bytes_per_cell: cost_bytes,
                order_ratio: self.orders.ratio_mean(),
                order_ratio_worst: self.orders.ratio_worst(),
            },
        }
    }
}
