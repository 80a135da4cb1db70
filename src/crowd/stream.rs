//! One stream: the units with one destination and one conduct, and the solve
//! that leads them.
//!
//! ```text
//!   Costs ──▶ Rim ──▶ Wave ──▶ Directions ──▶ Rest
//!   cost to   the order's   the        the directions
//!   leave     costs at the  potential  that units read
//!   each      rim and at
//!   cell      the goal
//! ```
//!
//! A solve may pause at any point and continue in the next step. Units read the
//! directions of the previous solve until the last stage replaces them.

use crate::arrays::array_of;
use crate::budget::Paused;
use crate::grid::{Cell, SECTOR_SIDE, Sector};
use crate::order::Order;
use crate::vector::{NONE, Vector, difference, distance, dot, greater, length, sum, times, unit};
use crate::world::{FlowWorld, Sample};

use super::conduct::Conduct;
use super::eikonal::{Front, Sides, UNREACHED, WALL, direction};
use super::fields::Share;
use super::goals::Goals;
use super::ground::{CLOSED, CrowdGround, NO_PAGE};
use super::layout::Layout;
use super::numbering::fit;
use super::pricing::{Pricing, Round};
use super::quota::Quota;

/// If an order has more goal cells than this, no exact distances are seeded.
const FEW_GOALS: usize = 4;
/// The width of a bucket, in steps over free ground.
const BUCKET: f32 = 0.5;
/// The number of cells that count as one unit of work in stages that only visit
/// each cell.
const LIGHT_WORK: u64 = 4;

/// The stages of a solve; see [`Crowd::solve_stage`](super::Crowd::solve_stage).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SolveStage {
    /// Computes the cost of leaving each field cell, towards each side.
    Costs,
    /// Collects the order's costs at the rim of the solved sectors and at the
    /// goal.
    Rim,
    /// Solves for the potential.
    Wave,
    /// Derives the directions from the potential.
    Directions,
}

/// The progress of a solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SolveState {
    /// The index of the next page of the domain. The stage passes over the
    /// domain twice: below the domain's length, the index stands for a page
    /// whose entry prices are computed; from there on, for a page whose leaving
    /// costs are computed.
    Costs(usize),
    /// The index of the page and of its border cell from which the search for
    /// seeds continues.
    Rim(usize, usize),
    /// The potential is being solved.
    Wave,
    /// The index of the next page whose directions are derived.
    Directions(usize),
    /// No solve is under way.
    Rest,
}

/// A seed that the order gives: a cell of the map, the cost-to-go from it in
/// fifths, and the direction in which the order leads from it.
#[derive(Clone, Copy)]
struct Outlet {
    cell: Cell,
    cost: u64,
    way: Vector,
}

/// The units with one destination and one conduct, and the solve that leads
/// them.
#[derive(Clone)]
pub(super) struct Stream {
    pub(super) order: Order,
    /// Distinguishes this stream from earlier ones at the same place.
    pub(super) number: u32,
    pub(super) conduct: Conduct,
    /// The fastest unit's speed on open ground.
    pub(super) speed: f32,
    /// Whether a caller has joined the stream since the last step.
    pub(super) is_wanted: bool,
    share: Share,
    layout: Layout,
    /// The pages to solve, in order.
    domain: Vec<u32>,
    /// The price of entering each of the stream's own cells, towards each side,
    /// on level ground of cost 1.
    prices: Vec<[f32; 4]>,
    /// The neighbours of the stream's own cells, a wall in place of those
    /// beyond the domain, and the costs of the steps to them.
    sides: Vec<Sides>,
    potential: Vec<f32>,
    directions: Vec<Vector>,
    /// Whether each page's directions may be read.
    is_led: Vec<bool>,
    /// Whether each page's walls have changed since the round began.
    invalidated: Vec<bool>,
    goals: Goals,
    outlets: Vec<Outlet>,
    /// The cost-to-go from which the potential counts.
    base: u64,
    front: Front,
    stage: SolveState,
    /// Work done so far, in field cells.
    pub(super) work: u64,
}

impl Stream {
    pub(super) fn new(world: &FlowWorld, order: Order, conduct: Conduct) -> Self {
        Self {
            goals: Goals::new(world, &order),
            order,
            number: 0,
            conduct,
            speed: 0.0,
            is_wanted: true,
            share: Share::default(),
            layout: Layout::default(),
            domain: Vec::new(),
            prices: Vec::new(),
            sides: Vec::new(),
            potential: Vec::new(),
            directions: Vec::new(),
            is_led: Vec::new(),
            invalidated: Vec::new(),
            outlets: Vec::new(),
            base: 0,
            front: Front::default(),
            stage: SolveState::Rest,
            work: 0,
        }
    }

    /// Discards all solves.
    pub(super) fn restart(&mut self, world: &FlowWorld) {
        let (number, speed, is_wanted) = (self.number, self.speed, self.is_wanted);
        *self = Self::new(world, self.order.clone(), self.conduct);
        (self.number, self.speed, self.is_wanted) = (number, speed, is_wanted);
    }

    pub(super) const fn is_done(&self) -> bool {
        matches!(self.stage, SolveState::Rest)
    }

    /// Returns the sectors whose directions may be read.
    pub(super) fn led(&self, ground: &CrowdGround) -> impl Iterator<Item = Sector> {
        let pages = (0..).zip(&self.is_led);
        let led = pages.filter_map(|(page, &led): (u32, _)| led.then_some(page));
        led.filter_map(|page| ground.sector(page))
    }

    /// Gives the stream its own pages: for these sectors, all of which are in
    /// use, and for the sectors whose directions may still be read.
    pub(super) fn lay_out(&mut self, ground: &CrowdGround, sectors: &[Sector]) {
        fit(&mut self.is_led, ground.page_count(), false);
        self.domain.clear();
        let pages = sectors.iter().map(|&sector| ground.page(sector));
        self.domain.extend(pages);
        self.layout.arrange(ground, &self.domain, &self.is_led);
        self.share.restart(ground, self.layout.count());
        let cells = self.layout.count() * ground.page_cells();
        fit(&mut self.prices, cells, [0.0; 4]);
        fit(&mut self.sides, cells, Sides::default());
        self.potential.fill(WALL);
        fit(&mut self.potential, cells, WALL);
        fit(&mut self.directions, cells, NONE);
        let price = self.unit_price();
        self.prices[ground.range(NO_PAGE)].fill([price; 4]);
        self.layout.link(ground, &self.domain, &mut self.sides);
    }

    /// Returns the stream's layout, and the share that its units contribute.
    pub(super) const fn share(&mut self) -> (&Layout, &mut Share) {
        (&self.layout, &mut self.share)
    }

    /// Begins a solve over the sectors of the last [`lay_out`](Self::lay_out).
    pub(super) fn begin(&mut self, round: &Round<'_>) {
        self.goals.refresh(round.world, &self.order);
        self.invalidated.clear();
        self.invalidated.resize(round.ground.page_count(), false);
        self.outlets.clear();
        self.front.restart(BUCKET * self.free(round.ground));
        self.stage = SolveState::Costs(0);
        if self.domain.is_empty() {
            self.is_led.fill(false);
            self.stage = SolveState::Rest;
        }
    }

    /// Returns the cost of a step to the next field cell on free ground of cost
    /// 1.
    fn free(&self, ground: &CrowdGround) -> f32 {
        ground.length() * self.unit_price()
    }

    /// Returns the cost of a step of length 1 on free ground of cost 1.
    fn unit_price(&self) -> f32 {
        self.conduct.length + self.conduct.time
    }

    /// Invalidates the directions in pages whose walls have changed and in the
    /// pages around them.
    pub(super) fn invalidate(&mut self, ground: &CrowdGround, changed: &[u32]) {
        for &page in changed {
            let Some(sector) = ground.sector(page) else {
                continue;
            };
            for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
                let beside = ground.page(Sector::new(sector.x + dx, sector.y + dy)) as usize;
                if let Some(led) = self.is_led.get_mut(beside) {
                    *led = false;
                }
                if let Some(invalidated) = self.invalidated.get_mut(beside) {
                    *invalidated = true;
                }
            }
            // A solve under way must see the present walls.
            if self.layout.solves(page as usize) {
                let free = self.free(ground);
                let own = self.layout.own(ground, page);
                for (place, cell) in own.zip(ground.range(page)) {
                    let potential = &mut self.potential[place];
                    if ground.costs[cell] == CLOSED {
                        *potential = WALL;
                    } else if *potential == WALL {
                        *potential = UNREACHED;
                        self.sides[place].costs = [free * ground.costs[cell]; 4];
                    }
                }
            }
        }
        self.layout.link(ground, &self.domain, &mut self.sides);
    }

    /// Continues the solve by at most this much work.
    pub(super) fn work(&mut self, round: &Round<'_>, cells: u64) {
        let mut quota = Quota::of(cells);
        // Whether the solve paused or ended, the next call continues from its
        // stage.
        let _ = self.advance(round, &mut quota);
        self.work += quota.done();
    }

    /// Continues the solve to the end of its present stage and returns that
    /// stage; `None` if no solve is under way.
    pub(super) fn work_stage(&mut self, round: &Round<'_>) -> Option<SolveStage> {
        let stage = match self.stage {
            SolveState::Costs(_) => SolveStage::Costs,
            SolveState::Rim(..) => SolveStage::Rim,
            SolveState::Wave => SolveStage::Wave,
            SolveState::Directions(_) => SolveStage::Directions,
            SolveState::Rest => return None,
        };
        let mut quota = Quota::of_one_stage();
        let _ = self.advance(round, &mut quota);
        self.work += quota.done();
        Some(stage)
    }

    /// Returns the number of pages in the domain.
    pub(super) const fn pages(&self) -> usize {
        self.domain.len()
    }

    fn advance(&mut self, round: &Round<'_>, quota: &mut Quota) -> Result<(), Paused> {
        loop {
            match self.stage {
                SolveState::Costs(at) => {
                    let pages = self.domain.len();
                    for at in at..2 * pages {
                        self.stage = SolveState::Costs(at);
                        quota.check()?;
                        if at < pages {
                            self.find_prices(round, self.domain[at]);
                        } else {
                            self.find_costs(round, self.domain[at - pages]);
                        }
                        quota.count(round.ground.page_cells() as u64 / LIGHT_WORK / 2);
                    }
                    self.stage = SolveState::Rim(0, 0);
                }
                SolveState::Rim(page, cell) => {
                    self.find_outlets(round, page, cell, quota)?;
                    self.seed(round);
                    self.stage = SolveState::Wave;
                }
                SolveState::Wave => {
                    self.front.run(&self.sides, &mut self.potential, quota)?;
                    self.stage = SolveState::Directions(0);
                }
                SolveState::Directions(at) => {
                    for at in at..self.domain.len() {
                        self.stage = SolveState::Directions(at);
                        quota.check()?;
                        self.find_ways(round, self.domain[at]);
                        quota.count(round.ground.page_cells() as u64 / LIGHT_WORK);
                    }
                    for page in 0..self.is_led.len() {
                        self.is_led[page] &= self.layout.solves(page);
                    }
                    self.stage = SolveState::Rest;
                }
                SolveState::Rest => return Ok(()),
            }
            quota.check_stage()?;
        }
    }

    /// Computes the prices of entering the cells of a page, towards each side.
    fn find_prices(&mut self, round: &Round<'_>, page: u32) {
        // With slopes the price also depends on the cell that is left.
        if round.ground.heights.is_empty() {
            let own = self.layout.own(round.ground, page);
            let prices = &mut self.prices[own.clone()];
            Pricing::new(round, self.conduct, self.speed).enter(&self.share, page, own, prices);
        }
    }

    /// Computes the costs of leaving the cells of a page, towards each side.
    fn find_costs(&mut self, round: &Round<'_>, page: u32) {
        let ground = round.ground;
        let (own, range) = (self.layout.own(ground, page), ground.range(page));
        let costs = &ground.costs[range.clone()];
        let potential = &mut self.potential[own.clone()];
        for (potential, &cost) in potential.iter_mut().zip(costs) {
            *potential = if cost == CLOSED { WALL } else { UNREACHED };
        }
        let (length, unit_price) = (ground.length(), self.unit_price());
        let cells = self.sides[own].iter_mut().zip(costs);
        if ground.heights.is_empty() {
            let beside = (0..4).map(|side| ground.beside(page, side));
            if beside.chain([page]).all(|page| round.fields.is_quiet(page)) {
                let free = length * unit_price;
                for (sides, cost) in cells {
                    sides.costs = [cost * free; 4];
                }
                return;
            }
            for (Sides { links, costs }, cost) in cells {
                let price = |side: usize| self.prices[links[side] as usize][side];
                *costs = array_of(|side| cost * (length * price(side)));
            }
            return;
        }
        let pricing = Pricing::new(round, self.conduct, self.speed);
        for ((Sides { links, costs }, cost), cell) in cells.zip(range) {
            *costs = array_of(|side| {
                if links[side] == 0 {
                    return cost * (length * unit_price);
                }
                let next = ground.neighbour(cell, side);
                let own = self.share.at(&self.layout, ground, next);
                cost * (length * pricing.price(own, [cell, next], side))
            });
        }
    }

    /// Finds the seeds: cells at the rim of the domain from which the order
    /// leads out of it, and the goal's cells in the domain.
    fn find_outlets(
        &mut self,
        round: &Round<'_>,
        first: usize,
        mut cell: usize,
        quota: &mut Quota,
    ) -> Result<(), Paused> {
        for at in first..self.domain.len() {
            self.stage = SolveState::Rim(at, cell);
            let Some(sector) = round.ground.sector(self.domain[at]) else {
                continue;
            };
            self.goals.look_through(round.world, &self.order, sector);
            if !self.is_surrounded(round.ground, sector) {
                while cell < BORDER {
                    self.stage = SolveState::Rim(at, cell);
                    self.look_out(round, border_cell(sector, cell), quota)?;
                    cell += 1;
                }
            }
            cell = 0;
        }
        Ok(())
    }

    /// Whether a sector is in the domain.
    fn holds(&self, ground: &CrowdGround, sector: Sector) -> bool {
        self.layout.solves(ground.page(sector) as usize)
    }

    fn is_surrounded(&self, ground: &CrowdGround, sector: Sector) -> bool {
        (-1..=1).all(|dy| {
            (-1..=1).all(|dx| self.holds(ground, Sector::new(sector.x + dx, sector.y + dy)))
        })
    }

    fn look_out(&mut self, round: &Round<'_>, cell: Cell, quota: &mut Quota) -> Result<(), Paused> {
        quota.check()?;
        let open = round
            .world
            .costs()
            .get(cell)
            .is_some_and(|cost| !cost.is_wall());
        let sample = open.then(|| round.world.sample(&self.order, cell));
        if let Some(Sample::Go(way)) = sample {
            let next = cell.step(way);
            let beyond = Sector::new(
                next.x.div_euclid(SECTOR_SIDE),
                next.y.div_euclid(SECTOR_SIDE),
            );
            if !self.holds(round.ground, beyond) {
                quota.count(1);
                let cost = round.world.cost_to_go(&self.order, cell);
                let way = way.unit_vector();
                self.outlets
                    .extend(cost.map(|cost| Outlet { cell, cost, way }));
            }
        }
        Ok(())
    }

    /// Seeds the potential from the outlets and the goals.
    fn seed(&mut self, round: &Round<'_>) {
        let ground = round.ground;
        let in_domain = |&&cell: &&Cell| {
            let sector = Sector::new(cell.x / SECTOR_SIDE, cell.y / SECTOR_SIDE);
            self.holds(ground, sector)
        };
        let goals = self.goals.cells().iter().filter(in_domain);
        let goals: Vec<(Cell, u64)> = goals
            .filter_map(|&cell| Some((cell, round.world.cost_to_go(&self.order, cell)?)))
            .collect();
        let costs = self.outlets.iter().map(|outlet| outlet.cost);
        let lowest = costs.chain(goals.iter().map(|&(_, cost)| cost)).min();
        self.base = lowest.unwrap_or(0);
        let price = self.unit_price();
        for outlet in std::mem::take(&mut self.outlets) {
            let away = (outlet.cost - self.base) as f32 / 5.0;
            let ground_cost = round
                .world
                .costs()
                .get(outlet.cell)
                .map_or(1, |cost| cost.value());
            self.each_field_cell(
                ground,
                outlet.cell,
                |off| {
                    // Field cells closer to where the order leads are cheaper.
                    away - dot(off, outlet.way) * f32::from(ground_cost)
                },
                price,
            );
        }
        for &(cell, cost) in &goals {
            let away = (cost - self.base) as f32 / 5.0;
            if goals.len() > FEW_GOALS {
                self.each_field_cell(ground, cell, |_| away, price);
            } else {
                self.seed_disc(round, cell, away);
            }
        }
    }

    /// Seeds the field cells of one cell of the map, each by its offset from
    /// that cell's middle.
    fn each_field_cell(
        &mut self,
        ground: &CrowdGround,
        cell: Cell,
        away: impl Fn(Vector) -> f32,
        price: f32,
    ) {
        let resolution = ground.resolution();
        for y in cell.y * resolution..(cell.y + 1) * resolution {
            for x in cell.x * resolution..(cell.x + 1) * resolution {
                let off = difference(ground.middle(x, y), cell.centre());
                let away = away(off) * price;
                let away = if away > 0.0 { away } else { 0.0 };
                let at = self.layout.solved_place(ground, ground.cell(x, y)) as u32;
                self.front.seed(&mut self.potential, at, away);
            }
        }
    }

    /// Seeds a disc around a goal with exact distances, wherever the straight
    /// line to the goal crosses only free ground.
    fn seed_disc(&mut self, round: &Round<'_>, goal: Cell, away: f32) {
        let ground = round.ground;
        let price = self.unit_price();
        self.each_field_cell(ground, goal, |off| away + length(off), price);
        let (middle, resolution) = (goal.centre(), ground.resolution());
        let reach = (round.settings.exact * resolution as f32) as i32;
        let (left, top) = (goal.x * resolution, goal.y * resolution);
        for y in top - reach..=top + reach {
            for x in left - reach..=left + reach {
                let place = ground.middle(x, y);
                let far = distance(place, middle);
                if far <= round.settings.exact && self.is_free_way(ground, place, middle) {
                    let at = self.layout.solved_place(ground, ground.cell(x, y)) as u32;
                    self.front
                        .seed(&mut self.potential, at, (away + far) * price);
                }
            }
        }
    }

    /// Whether the straight line between two positions crosses only free ground
    /// of cost 1 in the domain. Where the line runs along a border or through a
    /// corner, all cells that touch it there count.
    fn is_free_way(&self, ground: &CrowdGround, from: Vector, to: Vector) -> bool {
        let free = self.free(ground);
        let way = difference(to, from);
        let fine = 2.0 * ground.resolution() as f32;
        let steps = (length(way) * fine) as u32 + 1;
        (0..=steps).all(|step| {
            let place = sum(from, times(way, step as f32 / steps as f32));
            let mut cells = ground.touched(place).into_iter();
            cells.all(|cell| {
                let place = self.layout.solved_place(ground, cell);
                self.potential[place] != WALL && self.sides[place].costs == [free; 4]
            })
        })
    }

    /// Derives the directions of a page's cells.
    fn find_ways(&mut self, round: &Round<'_>, page: u32) {
        for place in self.layout.own(round.ground, page) {
            self.directions[place] = direction(&self.sides, &self.potential, place).unwrap_or(NONE);
        }
        self.is_led[page as usize] = !self.invalidated[page as usize];
    }

    /// Returns the direction of the stream at a position, of length 1, blended
    /// from the four field cells around it; `None` if the solve has no
    /// direction there.
    pub(super) fn direction(&self, ground: &CrowdGround, position: Vector) -> Option<Vector> {
        let around = ground.around(position);
        let [x, y] = around.off;
        let weights = [(1.0 - x) * (1.0 - y), x * (1.0 - y), x * y, (1.0 - x) * y];
        let led = |at: usize| self.led_way(ground, around.pages[at], around.cells[at]);
        let under = led(around.under())?;
        let part = |at: usize| led(at).map_or(NONE, |way| times(way, weights[at]));
        // Sums diagonal pairs, so that a mirrored crowd gets mirrored bits.
        let blend = sum(sum(part(0), part(2)), sum(part(1), part(3)));
        // Where the directions diverge, a blend would cancel them out.
        let parts = dot(blend, blend) < 0.01;
        let way = if parts { under } else { unit(blend) };
        (way != NONE).then_some(way)
    }

    /// Returns the direction of a field cell, if it may be read.
    fn led_way(&self, ground: &CrowdGround, page: usize, cell: usize) -> Option<Vector> {
        let led = cell != 0 && self.is_led.get(page) == Some(&true);
        led.then(|| self.directions[self.layout.place(ground, page, cell)])
    }

    /// Returns the potential of a field cell above the lowest of the domain, in
    /// steps of length 1 over free ground.
    pub(super) fn potential(&self, ground: &CrowdGround, cell: usize) -> Option<f32> {
        let potential = *self.potential.get(self.layout.solved_place(ground, cell))?;
        let known = potential != WALL && potential != UNREACHED;
        known.then(|| potential / self.unit_price())
    }

    /// Returns the cost-to-go at which the potential is 0, in fifths.
    pub(super) const fn base(&self) -> u64 {
        self.base
    }

    /// Returns the fastest pace towards any side of a field cell.
    pub(super) fn pace(&self, round: &Round<'_>, cell: usize) -> f32 {
        let pricing = Pricing::new(round, self.conduct, self.speed);
        (0..4).fold(0.0, |best, side| {
            let next = round.ground.neighbour(cell, side);
            match round.ground.costs[next] {
                CLOSED => best,
                _ => greater(best, pricing.pace([cell, next], side)),
            }
        })
    }

    /// Returns the discomfort of a field cell.
    pub(super) fn discomfort(&self, round: &Round<'_>, cell: usize) -> f32 {
        let own = self.share.at(&self.layout, round.ground, cell);
        round.fields.painted[cell] + Pricing::new(round, self.conduct, self.speed).others(own, cell)
    }

    /// Returns the predicted density of the stream's own units in a field cell.
    #[cfg(feature = "steer")]
    pub(super) fn own_predicted(&self, ground: &CrowdGround, cell: usize) -> f32 {
        self.share.at(&self.layout, ground, cell)[0]
    }

    /// Returns the words of the stream's state, for a state hash.
    #[cfg(feature = "steer")]
    pub(super) fn words(&self, ground: &CrowdGround) -> impl Iterator<Item = u32> {
        let stage = match self.stage {
            SolveState::Costs(at) => [0, at as u32, 0],
            SolveState::Rim(page, cell) => [1, page as u32, cell as u32],
            SolveState::Wave => [2, 0, 0],
            SolveState::Directions(at) => [3, at as u32, 0],
            SolveState::Rest => [4, 0, 0],
        };
        let led = (0..).zip(&self.is_led).filter(|(_, led)| **led);
        let ways = led.flat_map(|(page, _)| {
            let ways = &self.directions[self.layout.own(ground, page)];
            let ways = ways.iter().flatten().map(|along| along.to_bits());
            [page].into_iter().chain(ways)
        });
        let under_way = if self.is_done() {
            &[]
        } else {
            &self.domain[..]
        };
        let potential = under_way.iter().flat_map(|&page| {
            let values = &self.potential[self.layout.own(ground, page)];
            [page]
                .into_iter()
                .chain(values.iter().map(|value| value.to_bits()))
        });
        stage.into_iter().chain(ways).chain(potential)
    }

    /// Returns the bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.sides.capacity() * size_of::<Sides>()
            + self.prices.capacity() * size_of::<[f32; 4]>()
            + self.directions.capacity() * size_of::<Vector>()
            + self.potential.capacity() * size_of::<f32>()
            + 2 * self.share.predicted.capacity() * size_of::<f32>()
    }
}

/// The number of cells on the border of a sector.
const BORDER: usize = 4 * (SECTOR_SIDE as usize - 1);

/// Returns a cell of a sector's border by its number, clockwise from the
/// north-west corner.
const fn border_cell(sector: Sector, number: usize) -> Cell {
    let last = SECTOR_SIDE - 1;
    let (side, along) = (number as i32 / last, number as i32 % last);
    let (x, y) = match side {
        0 => (along, 0),
        1 => (last, along),
        2 => (last - along, last),
        _ => (0, last - along),
    };
    Cell::new(sector.x * SECTOR_SIDE + x, sector.y * SECTOR_SIDE + y)
}
