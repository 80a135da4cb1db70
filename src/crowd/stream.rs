//! One stream: all units with one destination and one conduct, and the solve
//! that leads them.
//!
//! ```text
//!   Costs ──▶ Rim ──▶ Wave ──▶ Ways ──▶ Rest
//!   what it    what the order   the        the directions
//!   costs to   says at the rim  potential  that units read
//!   leave a    and at the goal
//!   cell
//! ```
//!
//! A solve may be interrupted anywhere and goes on in the next step. Until its
//! last stage the directions of the solve before serve.

use crate::grid::{Cell, SECTOR_SIDE, Sector};
use crate::order::Order;
use crate::vector::{NONE, Vector, difference, distance, dot, length, middle_of, sum, times, unit};
use crate::world::{FlowWorld, Sample};

use super::conduct::Conduct;
use super::eikonal::{Front, Sides, UNREACHED, WALL, way};
use super::fields::Share;
use super::ground::{CLOSED, Ground};
use super::pricing::{Pricing, Round};
use super::quota::{Paused, Quota};
use super::rim::Rim;

/// Of goals with more cells than this no exact distances are seeded.
const FEW_GOALS: usize = 4;
/// The width of a bucket, in steps over free ground.
const BUCKET: f32 = 0.5;
/// Work of looking through a page, for each cell of it, is this part of one.
const LIGHT_WORK: u64 = 4;

/// The stages of a solve; see [`Crowd::solve_stage`](super::Crowd::solve_stage).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SolveStage {
    /// What each field cell costs to leave, towards each side.
    Costs,
    /// What the order says at the rim of the solved sectors and at the goal.
    Rim,
    /// The potential.
    Wave,
    /// The directions.
    Ways,
}

/// How far a solve has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Costs are made, from this page of the domain on.
    Costs(usize),
    /// Seeds are found, from this page and border cell of it on.
    Rim(usize, usize),
    /// The wave runs.
    Wave,
    /// Directions are made, from this page on.
    Ways(usize),
    /// The solve is done.
    Rest,
}

/// A seed that the order gives: a cell of the map, what the way on costs, in
/// fifths, and where it leads.
#[derive(Clone, Copy)]
struct Outlet {
    cell: Cell,
    cost: u64,
    way: Vector,
}

/// A destination, who goes there and how.
pub(super) struct Stream {
    pub(super) order: Order,
    /// Tells it from those that had its place before.
    pub(super) number: u32,
    pub(super) conduct: Conduct,
    /// The fastest unit's speed on open ground.
    pub(super) speed: f32,
    /// Whether anybody has asked for it since the last step.
    pub(super) is_wanted: bool,
    pub(super) share: Share,
    /// The pages that are solved, in order. The stream has a page of its own for
    /// each, after one of walls: the first is its page 1. Others that it leads in
    /// follow. `share.slots` finds them.
    domain: Vec<u32>,
    /// The neighbours of the stream's own cells, a wall beyond the domain, and
    /// what the way to each costs.
    sides: Vec<Sides>,
    potential: Vec<f32>,
    ways: Vec<Vector>,
    /// Whether a page's directions may be read.
    is_led: Vec<bool>,
    /// Pages whose walls have changed since the round began.
    doubtful: Vec<bool>,
    rim: Rim,
    outlets: Vec<Outlet>,
    /// The cost-to-go that the potential counts from.
    base: u64,
    front: Front,
    stage: Stage,
    /// Field cells that the last solve has settled, and work so far.
    pub(super) work: u64,
}

impl Stream {
    pub(super) fn new(world: &FlowWorld, order: Order, conduct: Conduct) -> Self {
        Self {
            rim: Rim::new(world, &order),
            order,
            number: 0,
            conduct,
            speed: 0.0,
            is_wanted: true,
            share: Share::default(),
            domain: Vec::new(),
            sides: Vec::new(),
            potential: Vec::new(),
            ways: Vec::new(),
            is_led: Vec::new(),
            doubtful: Vec::new(),
            outlets: Vec::new(),
            base: 0,
            front: Front::default(),
            stage: Stage::Rest,
            work: 0,
        }
    }

    /// Forgets all solves.
    pub(super) fn restart(&mut self, world: &FlowWorld) {
        let (number, speed, is_wanted) = (self.number, self.speed, self.is_wanted);
        *self = Self::new(world, self.order.clone(), self.conduct);
        (self.number, self.speed, self.is_wanted) = (number, speed, is_wanted);
    }

    pub(super) const fn is_done(&self) -> bool {
        matches!(self.stage, Stage::Rest)
    }

    /// The sectors whose directions may be read.
    pub(super) fn led(&self, ground: &Ground) -> impl Iterator<Item = Sector> {
        let pages = (0..).zip(&self.is_led);
        let led = pages.filter_map(|(page, &led): (u32, _)| led.then_some(page));
        led.filter_map(|page| ground.sector(page))
    }

    /// Lays out pages of its own for these sectors, all in use, and for those in
    /// which its directions may still be read.
    pub(super) fn lay_out(&mut self, ground: &Ground, sectors: &[Sector]) {
        let page_cells = ground.page_cells();
        let before = std::mem::take(&mut self.share.slots);
        self.is_led.resize(ground.page_count(), false);
        self.domain.clear();
        let pages = sectors.iter().map(|&sector| ground.page(sector));
        self.domain.extend(pages);
        let slots = &mut self.share.slots;
        slots.resize(ground.page_count(), 0);
        for (slot, &page) in (1..).zip(&self.domain) {
            slots[page as usize] = slot;
        }
        let mut last = self.domain.len() as u32;
        for (slot, &led) in slots.iter_mut().zip(&self.is_led) {
            if led && *slot == 0 {
                last += 1;
                *slot = last;
            }
        }
        let mut ways = vec![NONE; (last as usize + 1) * page_cells];
        for (page, &led) in self.is_led.iter().enumerate() {
            let from = before.get(page).copied().unwrap_or(0) as usize * page_cells;
            let to = self.share.slots[page] as usize * page_cells;
            if led && from != 0 {
                ways[to..to + page_cells].copy_from_slice(&self.ways[from..from + page_cells]);
            }
        }
        self.ways = ways;
        let pages = self.domain.len() + 1;
        self.share.restart(pages, page_cells);
        self.potential.clear();
        self.potential.resize(pages * page_cells, WALL);
        self.sides.clear();
        self.sides.resize(pages * page_cells, Sides::default());
        for at in 0..self.domain.len() {
            self.link(ground, self.domain[at]);
        }
    }

    /// Begins a solve over the sectors that it was laid out for.
    pub(super) fn begin(&mut self, round: &Round<'_>) {
        self.rim.refresh(round.world, &self.order);
        self.doubtful.clear();
        self.doubtful.resize(round.ground.page_count(), false);
        self.outlets.clear();
        self.front.restart(BUCKET * self.free(round.ground));
        self.stage = Stage::Costs(0);
        if self.domain.is_empty() {
            self.is_led.fill(false);
            self.stage = Stage::Rest;
        }
    }

    /// Finds the neighbours of the cells of a page of the domain.
    fn link(&mut self, ground: &Ground, page: u32) {
        let own = self.own(ground, page);
        let range = ground.range(page);
        for (place, cell) in own.clone().zip(range.clone()) {
            self.sides[place].links = ground.links[cell].map(|next| {
                let next = next as usize;
                let place = if range.contains(&next) {
                    own.start + (next - range.start)
                } else {
                    self.place(ground, next)
                };
                place as u32
            });
        }
    }

    /// The stream's own cells of a page of the domain.
    fn own(&self, ground: &Ground, page: u32) -> std::ops::Range<usize> {
        let first = self.share.slots[page as usize] as usize * ground.page_cells();
        first..first + ground.page_cells()
    }

    /// Whether a page is solved.
    fn solves(&self, page: usize) -> bool {
        let slot = self.share.slots.get(page).copied().unwrap_or(0);
        (1..=self.domain.len() as u32).contains(&slot)
    }

    /// A field cell's place among those that are solved; a wall of page 0 for one
    /// that is not.
    fn place(&self, ground: &Ground, cell: usize) -> usize {
        let page = cell / ground.page_cells();
        if self.solves(page) {
            self.share.slots[page] as usize * ground.page_cells() + cell % ground.page_cells()
        } else {
            0
        }
    }

    /// What a step to the next field cell costs on free ground of cost 1.
    fn free(&self, ground: &Ground) -> f32 {
        ground.length() * self.unit_price()
    }

    /// What a step of length 1 costs on free ground of cost 1.
    fn unit_price(&self) -> f32 {
        self.conduct.length + self.conduct.time
    }

    /// Takes back the directions in pages whose walls have changed and in those
    /// around them.
    pub(super) fn doubt(&mut self, ground: &Ground, changed: &[u32]) {
        for &page in changed {
            let Some(sector) = ground.sector(page) else {
                continue;
            };
            for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
                let beside = ground.page(Sector::new(sector.x + dx, sector.y + dy)) as usize;
                if let Some(led) = self.is_led.get_mut(beside) {
                    *led = false;
                }
                if let Some(doubtful) = self.doubtful.get_mut(beside) {
                    *doubtful = true;
                }
            }
            // A wave under way meets the walls as they are.
            if self.solves(page as usize) {
                let free = self.free(ground);
                for (place, cell) in self.own(ground, page).zip(ground.range(page)) {
                    let potential = &mut self.potential[place];
                    if ground.costs[cell] == CLOSED {
                        *potential = WALL;
                    } else if *potential == WALL {
                        *potential = UNREACHED;
                        self.sides[place].costs = [free * ground.costs[cell]; 4];
                    }
                }
                let beside = (0..4).map(|side| ground.beside(page, side));
                for page in beside.chain([page]) {
                    if self.solves(page as usize) {
                        self.link(ground, page);
                    }
                }
            }
        }
    }

    /// Goes on with the solve.
    pub(super) fn work(&mut self, round: &Round<'_>, cells: u64) {
        let mut quota = Quota::of(cells);
        // Paused or done: either way the rest is for later.
        let _ = self.advance(round, &mut quota);
        self.work += quota.done();
    }

    /// Goes on with the solve to the end of the stage that it is in, and returns
    /// which that was; `None` if the solve is done.
    pub(super) fn work_stage(&mut self, round: &Round<'_>) -> Option<SolveStage> {
        let stage = match self.stage {
            Stage::Costs(_) => SolveStage::Costs,
            Stage::Rim(..) => SolveStage::Rim,
            Stage::Wave => SolveStage::Wave,
            Stage::Ways(_) => SolveStage::Ways,
            Stage::Rest => return None,
        };
        let mut quota = Quota::of_one_stage();
        let _ = self.advance(round, &mut quota);
        self.work += quota.done();
        Some(stage)
    }

    /// The pages that a solve goes over.
    pub(super) const fn pages(&self) -> usize {
        self.domain.len()
    }

    fn advance(&mut self, round: &Round<'_>, quota: &mut Quota) -> Result<(), Paused> {
        loop {
            match self.stage {
                Stage::Costs(at) => {
                    for at in at..self.domain.len() {
                        self.stage = Stage::Costs(at);
                        quota.check()?;
                        self.find_costs(round, self.domain[at]);
                        quota.count(round.ground.page_cells() as u64 / LIGHT_WORK);
                    }
                    self.stage = Stage::Rim(0, 0);
                }
                Stage::Rim(page, cell) => {
                    self.find_outlets(round, page, cell, quota)?;
                    self.seed(round);
                    self.stage = Stage::Wave;
                }
                Stage::Wave => {
                    self.front.run(&self.sides, &mut self.potential, quota)?;
                    self.stage = Stage::Ways(0);
                }
                Stage::Ways(at) => {
                    for at in at..self.domain.len() {
                        self.stage = Stage::Ways(at);
                        quota.check()?;
                        self.find_ways(round, self.domain[at]);
                        quota.count(round.ground.page_cells() as u64 / LIGHT_WORK);
                    }
                    for page in 0..self.is_led.len() {
                        self.is_led[page] &= self.solves(page);
                    }
                    self.stage = Stage::Rest;
                }
                Stage::Rest => return Ok(()),
            }
            quota.end_stage()?;
        }
    }

    /// What it costs to leave the cells of a page, for each side.
    fn find_costs(&mut self, round: &Round<'_>, page: u32) {
        let ground = round.ground;
        let free = self.free(ground);
        let (own, range) = (self.own(ground, page), ground.range(page));
        let closed = |&cost: &f32| if cost == CLOSED { WALL } else { UNREACHED };
        let open = ground.costs[range.clone()].iter().map(closed);
        for (potential, open) in self.potential[own.clone()].iter_mut().zip(open) {
            *potential = open;
        }
        if round.fields.is_free(ground, page) && ground.heights.is_empty() {
            if ground.plain[page as usize] {
                for place in own {
                    self.sides[place].costs = [free; 4];
                }
                return;
            }
            for (place, cell) in own.zip(range) {
                self.sides[place].costs = [free * ground.costs[cell]; 4];
            }
            return;
        }
        let pricing = Pricing::new(round, self.conduct, self.speed);
        for (place, cell) in own.zip(range) {
            let Sides { links, costs } = &mut self.sides[place];
            *costs = pricing.leave(&self.share, cell, links);
        }
    }

    /// Looks along the rim of the domain for cells from which the order leads
    /// out of it, and through the domain for cells of the goal.
    fn find_outlets(
        &mut self,
        round: &Round<'_>,
        first: usize,
        mut cell: usize,
        quota: &mut Quota,
    ) -> Result<(), Paused> {
        for at in first..self.domain.len() {
            self.stage = Stage::Rim(at, cell);
            let Some(sector) = round.ground.sector(self.domain[at]) else {
                continue;
            };
            self.rim.look_for_goals(round.world, &self.order, sector);
            if !self.is_surrounded(round.ground, sector) {
                while cell < BORDER {
                    self.stage = Stage::Rim(at, cell);
                    self.look_out(round, border_cell(sector, cell), quota)?;
                    cell += 1;
                }
            }
            cell = 0;
        }
        Ok(())
    }

    /// Whether a sector is in the domain.
    fn holds(&self, ground: &Ground, sector: Sector) -> bool {
        self.solves(ground.page(sector) as usize)
    }

    fn is_surrounded(&self, ground: &Ground, sector: Sector) -> bool {
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
        if let Some(Sample::Go(way) | Sample::InSight(way)) = sample {
            let next = cell.step(way);
            let beyond = Sector::new(
                next.x.div_euclid(SECTOR_SIDE),
                next.y.div_euclid(SECTOR_SIDE),
            );
            if !self.holds(round.ground, beyond) {
                let cost = self.rim.cost_to_go(round.world, &self.order, cell, quota)?;
                let way = way.unit_vector();
                self.outlets
                    .extend(cost.map(|cost| Outlet { cell, cost, way }));
            }
        }
        Ok(())
    }

    /// Gives the wave its seeds.
    fn seed(&mut self, round: &Round<'_>) {
        let ground = round.ground;
        let in_domain = |&&cell: &&Cell| {
            let sector = Sector::new(cell.x / SECTOR_SIDE, cell.y / SECTOR_SIDE);
            self.holds(ground, sector)
        };
        let goals = self.rim.goals().iter().filter(in_domain);
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
                    // Nearer to where the way leads it is cheaper.
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

    /// Seeds the field cells of a cell of the map by how far each lies off its
    /// middle.
    fn each_field_cell(
        &mut self,
        ground: &Ground,
        cell: Cell,
        away: impl Fn(Vector) -> f32,
        price: f32,
    ) {
        let resolution = ground.resolution();
        for y in cell.y * resolution..(cell.y + 1) * resolution {
            for x in cell.x * resolution..(cell.x + 1) * resolution {
                let off = difference(ground.middle(x, y), middle_of(cell));
                let away = away(off) * price;
                let away = if away > 0.0 { away } else { 0.0 };
                let at = self.place(ground, ground.cell(x, y)) as u32;
                self.front.seed(&mut self.potential, at, away);
            }
        }
    }

    /// Seeds a disc around a goal with exact distances, where the straight way
    /// is over free ground.
    fn seed_disc(&mut self, round: &Round<'_>, goal: Cell, away: f32) {
        let ground = round.ground;
        let price = self.unit_price();
        self.each_field_cell(ground, goal, |off| away + length(off), price);
        let (middle, resolution) = (middle_of(goal), ground.resolution());
        let reach = (round.settings.exact * resolution as f32) as i32;
        let (left, top) = (goal.x * resolution, goal.y * resolution);
        for y in top - reach..=top + reach {
            for x in left - reach..=left + reach {
                let place = ground.middle(x, y);
                let far = distance(place, middle);
                if far <= round.settings.exact && self.is_free_way(ground, place, middle) {
                    let at = self.place(ground, ground.cell(x, y)) as u32;
                    self.front
                        .seed(&mut self.potential, at, (away + far) * price);
                }
            }
        }
    }

    /// Whether the straight way between two places is over free ground of cost
    /// 1 in the domain; where it runs along a border or through a corner, that
    /// goes for all cells there.
    fn is_free_way(&self, ground: &Ground, from: Vector, to: Vector) -> bool {
        let free = self.free(ground);
        let way = difference(to, from);
        let fine = 2.0 * ground.resolution() as f32;
        let steps = (length(way) * fine) as u32 + 1;
        (0..=steps).all(|step| {
            let place = sum(from, times(way, step as f32 / steps as f32));
            let mut cells = ground.touched(place).into_iter();
            cells.all(|cell| {
                let place = self.place(ground, cell);
                self.potential[place] != WALL && self.sides[place].costs == [free; 4]
            })
        })
    }

    /// The directions of a page's cells.
    fn find_ways(&mut self, round: &Round<'_>, page: u32) {
        for place in self.own(round.ground, page) {
            self.ways[place] = way(&self.sides, &self.potential, place).unwrap_or(NONE);
        }
        self.is_led[page as usize] = !self.doubtful[page as usize];
    }

    /// Where the stream goes from a position, of length 1: blended between the
    /// four field cells around. `None` where the solve knows no way.
    pub(super) fn way(&self, ground: &Ground, position: Vector) -> Option<Vector> {
        let (cells, [x, y]) = ground.around(position);
        let weights = [(1.0 - x) * (1.0 - y), x * (1.0 - y), x * y, (1.0 - x) * y];
        let under = self.led_way(ground, ground.under(position))?;
        let part = |at: usize| {
            let way = self.led_way(ground, cells[at]);
            way.map_or(NONE, |way| times(way, weights[at]))
        };
        // Diagonal pairs: a mirrored crowd comes to mirrored bits.
        let blend = sum(sum(part(0), part(2)), sum(part(1), part(3)));
        // Where ways part, they would cancel each other.
        let parts = dot(blend, blend) < 0.01;
        let way = if parts { under } else { unit(blend) };
        (way != NONE).then_some(way)
    }

    /// The direction of a field cell, where it may be read.
    fn led_way(&self, ground: &Ground, cell: usize) -> Option<Vector> {
        let page = cell / ground.page_cells();
        if cell == 0 || self.is_led.get(page) != Some(&true) {
            return None;
        }
        let slot = self.share.slots[page] as usize;
        Some(self.ways[slot * ground.page_cells() + cell % ground.page_cells()])
    }

    /// The potential of a field cell over the lowest of the domain, in steps of
    /// length 1 over free ground.
    pub(super) fn potential(&self, ground: &Ground, cell: usize) -> Option<f32> {
        let potential = *self.potential.get(self.place(ground, cell))?;
        let known = potential != WALL && potential != UNREACHED;
        known.then(|| potential / self.unit_price())
    }

    /// The cost-to-go at which the potential is 0, in fifths.
    pub(super) const fn base(&self) -> u64 {
        self.base
    }

    /// The fastest pace towards any side of a field cell.
    pub(super) fn pace(&self, round: &Round<'_>, cell: usize) -> f32 {
        let pricing = Pricing::new(round, self.conduct, self.speed);
        let links = &round.ground.links[cell];
        (0..4).fold(0.0, |best, side| {
            let pace = pricing.pace(cell, links[side] as usize, side);
            if pace > best && links[side] != 0 {
                pace
            } else {
                best
            }
        })
    }

    /// The discomfort of a field cell.
    pub(super) fn discomfort(&self, round: &Round<'_>, cell: usize) -> f32 {
        let place = self.place(round.ground, cell);
        round.fields.painted[cell]
            + Pricing::new(round, self.conduct, self.speed).others(&self.share, cell, place)
    }

    /// What is predicted of its own units in a field cell; `None` where it is not
    /// solved.
    pub(super) fn own_predicted(&self, ground: &Ground, cell: usize) -> Option<f32> {
        let place = self.place(ground, cell);
        (place != 0).then(|| self.share.predicted[place])
    }

    /// What a state hash takes in.
    pub(super) fn words(&self) -> impl Iterator<Item = u32> {
        let stage = match self.stage {
            Stage::Costs(at) => [0, at as u32, 0],
            Stage::Rim(page, cell) => [1, page as u32, cell as u32],
            Stage::Wave => [2, 0, 0],
            Stage::Ways(at) => [3, at as u32, 0],
            Stage::Rest => [4, 0, 0],
        };
        let pages = self.is_led.iter().map(|&led| u32::from(led));
        let ways = self.ways.iter().flatten().map(|along| along.to_bits());
        let potential = self.potential.iter().map(|value| value.to_bits());
        stage.into_iter().chain(pages).chain(ways).chain(potential)
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.sides.capacity() * size_of::<Sides>()
            + self.ways.capacity() * size_of::<Vector>()
            + self.potential.capacity() * size_of::<f32>()
            + 2 * self.share.predicted.capacity() * size_of::<f32>()
    }
}

/// Cells on the border of a sector.
const BORDER: usize = 4 * (SECTOR_SIDE as usize - 1);

/// The cells on a sector's border, one after the other, round from its
/// north-west.
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
