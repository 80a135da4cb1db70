//! A map under measurement, and the turns in which it is measured.

use flowtiles::{Cell, CostMap, FlowWorld, Stats};

use super::crowd::Crowd;
use super::dijkstra::Plain;
use super::edits::Edits;
use super::fields::Fields;
use super::figures::{Aside, Figure, MapFigures};
use super::lookups::Lookups;
use super::mainland::mainland;
use super::orders::Orders;
use super::routes::Routes;
use super::saves::Saves;
use super::sectors::Sectors;
use super::storm::Storm;
use super::surveyed::Surveyed;
use super::times::Times;
use crate::failure::Failure;
use crate::random::Random;

/// The shortest side of a map that there is something to measure on.
pub const MIN_SIDE: u32 = 20;

/// How much is done of each thing.
pub struct Effort {
    /// Turns in which everything is done once more.
    pub rounds: usize,
    /// Cells toggled, and buildings placed, a round.
    pub edits: usize,
    pub buildings: usize,
    /// Sweeps over the sectors of each kind of ground, a round.
    pub sweeps: usize,
    /// Ways looked for, a round.
    pub searches: usize,
    /// Goals, and starts for each.
    pub goals: usize,
    pub starts: usize,
    /// Goals of a thousand units.
    pub marches: usize,
    /// Turns of reading directions, a round.
    pub reads: usize,
    /// Ticks of a storm of edits.
    pub storm_ticks: usize,
}

impl Effort {
    /// What the figures are printed for.
    pub const FULL: Self = Self {
        rounds: 5,
        edits: 1000,
        buildings: 200,
        sweeps: 60,
        searches: 10,
        goals: 40,
        starts: 5,
        marches: 3,
        reads: 32,
        storm_ticks: 20,
    };

    /// Whether everything works: the figures mean little.
    pub const QUICK: Self = Self {
        rounds: 2,
        edits: 20,
        buildings: 5,
        sweeps: 2,
        searches: 2,
        goals: 3,
        starts: 3,
        marches: 1,
        reads: 2,
        storm_ticks: 4,
    };
}

/// A map by its name, and its cells that can reach each other.
pub struct Subject {
    name: String,
    costs: CostMap,
    mainland: Vec<Cell>,
}

impl Subject {
    pub const fn new(name: String, costs: CostMap) -> Self {
        Self {
            name,
            costs,
            mainland: Vec::new(),
        }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub const fn costs(&self) -> &CostMap {
        &self.costs
    }

    /// A cell of the mainland.
    pub fn draw(&self, random: &mut Random) -> Cell {
        self.mainland[random.below(self.mainland.len() as i32) as usize]
    }

    /// Why the map cannot be measured.
    pub fn refused(&self, fault: &str) -> Failure {
        Failure::Input(format!(
            "{}: {fault}: give a map with more open ground",
            self.name
        ))
    }

    /// Draws the work and checks every answer; nothing is timed yet.
    pub fn prepare(mut self, effort: &Effort) -> Result<Prepared, Failure> {
        if self.costs.width().min(self.costs.height()) < MIN_SIDE {
            return Err(self.refused(&format!("it has a side of less than {MIN_SIDE} cells")));
        }
        let mut world = FlowWorld::new(self.costs.clone());
        self.mainland = mainland(&world);
        if self.mainland.len() < 100 {
            return Err(self.refused("fewer than 100 of its cells can reach each other"));
        }
        let mut plain = Plain::new(&self.costs)
            .ok_or_else(|| self.refused("the price of a way on it may not fit 32 bits"))?;
        let stats = world.stats();
        let routes = Routes::new(&self, &mut world, effort)?;
        let orders = Orders::new(&self, &mut world, &mut plain, effort)?;
        let asked = (routes.pairs(), orders.pairs());
        Ok(Prepared {
            stats,
            build: Times::default(),
            edits: Edits::new(&self, &mut world, effort)?,
            sectors: Sectors::new(effort)?,
            routes,
            fields: Fields::new(&self, &mut world, &mut plain)?,
            orders,
            surveyed: Surveyed::new(&self, &mut world, asked.0, asked.1)?,
            lookups: Lookups::new(&self, effort)?,
            storm: Storm::new(&self, effort)?,
            crowd: Crowd::new(&self, &mut world)?,
            saves: Saves::new(&self, &mut world)?,
            subject: self,
            world,
            plain,
        })
    }
}

/// A map with all that is to be done on it.
pub struct Prepared {
    subject: Subject,
    world: FlowWorld,
    plain: Plain,
    stats: Stats,
    build: Times,
    edits: Edits,
    sectors: Sectors,
    routes: Routes,
    fields: Fields,
    orders: Orders,
    surveyed: Surveyed,
    lookups: Lookups,
    storm: Storm,
    crowd: Crowd,
    saves: Saves,
}

impl Prepared {
    /// Every engine does its part once more, rivals within a few moments of
    /// each other: whatever else a shared machine does then slows all of them
    /// alike.
    pub fn round(&mut self) -> Result<(), Failure> {
        let (world, plain) = (&mut self.world, &mut self.plain);
        self.build.begin_round();
        for _ in 0..2 {
            let costs = self.subject.costs.clone();
            drop(self.build.time(|| FlowWorld::new(costs)));
        }
        self.edits.round(world);
        self.sectors.round();
        self.routes.round(world);
        self.orders.round(world)?;
        self.surveyed.round()?;
        self.fields.round(world, plain)?;
        self.lookups.round();
        self.storm.round(&self.subject)?;
        self.crowd.round(world)?;
        self.saves.round(world)?;
        Ok(())
    }

    /// What the rounds gave.
    pub fn figures(&self) -> MapFigures {
        let costs = &self.subject.costs;
        let cells = f64::from(costs.width()) * f64::from(costs.height());
        let [cost_bytes, bytes] = [0, self.stats.graph_bytes]
            .map(|graph_bytes| (self.stats.cost_bytes + graph_bytes) as f64 / cells);
        let route = self.routes.figures();
        let (order, exact) = self.orders.figures();
        let (lookup, lookup_scattered) = self.lookups.figures();
        let (save, load) = self.saves.figures();
        MapFigures {
            map: self.subject.name.clone(),
            width: costs.width(),
            height: costs.height(),
            build_ms: self.build.median(1e3),
            bytes_per_cell: Figure::counted(bytes),
            edit_us: self.edits.one_cell(),
            building_us: self.edits.building(),
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
            surveyed: self.surveyed.figures(),
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
