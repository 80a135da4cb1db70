//! One battle: its world and army, drawn from its seed, and the turns by which it goes on.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use flowtiles::steer::{Army, GroupId, Reading, Settings, Target, Turning, Unit, UnitState};
use flowtiles::{
    Budget, Cell, CellRect, Cost, CostMap, FlowWorld, GateId, LayerId, LinkId, Movement, Order,
    Quality, StampId, Teams,
};
use flowtiles_country::landscape::Landscape;
use flowtiles_country::random::Random;
use flowtiles_inspector::Inspector;
use flowtiles_scenes::maps;
use rayon::ThreadPool;

use super::checks;
use super::visitor::Visitor;

const SECONDS: f32 = 0.05;
/// Ticks in which all orders end once no call follows.
const PATIENCE: u32 = 20_000;
const MAPS: [&str; 12] = [
    "open",
    "rooms",
    "rooms of 8",
    "caves",
    "maze",
    "random",
    "random 35 %",
    "terrain",
    "roads",
    "costs 1 to 20, walls",
    "patches",
    "fields and fences",
];

/// What was done so far in all battles.
#[derive(Clone, Copy, Default)]
pub struct Counts {
    pub battle: u64,
    pub battle_tick: u64,
    pub ticks: u64,
    pub orders: u64,
    pub edits: u64,
    pub links: u64,
    pub saves: u64,
    pub forks: u64,
    pub rebuilt: u64,
    pub judged: u64,
    pub visits: u64,
    pub longest: Duration,
    /// The battle and the tick of the longest tick.
    pub longest_at: [u64; 2],
}

pub struct Battle {
    pub random: Random,
    pub counts: Counts,
    pub world: FlowWorld,
    pub army: Army,
    pub layers: Vec<LayerId>,
    pub groups: Vec<GroupId>,
    /// Claims of the game itself.
    pub claims: Vec<Order>,
    /// The qualities of orders, by number, where they are known.
    pub qualities: BTreeMap<u64, Quality>,
    pub gates: Vec<GateId>,
    pub links: Vec<LinkId>,
    pub stamps: Vec<StampId>,
    pub blocked: Vec<Cell>,
    pub next_unit: u32,
    /// Whether walls may stand on units since the last tick.
    pub has_built: bool,
    pub reads_crowd: bool,
    budget: u64,
    /// How many of a hundred ticks begin with a call.
    haste: i32,
    until: u64,
    page: Option<(Inspector, Visitor)>,
    /// Two threads, for forks.
    in_two: Arc<ThreadPool>,
}

/// What is said of a call that is refused though it must succeed.
pub fn fault(error: impl std::fmt::Display) -> String {
    format!("a call that must succeed is refused: {error}")
}

/// A part of a drawn country, or a drawn map.
fn draw_map(random: &mut Random) -> Result<CostMap, String> {
    let size = [(); 2].map(|()| random.between(23, 200));
    if random.below(12) > 0 {
        let name = MAPS[random.below(MAPS.len() as i32) as usize];
        let drawn = maps::draw_sized(name, size, random.next());
        return drawn.ok_or("no such map")?.map_err(fault);
    }
    let land = Landscape::draw(random.next()).ground;
    let corner = [land.width(), land.height()];
    let corner = [0, 1].map(|axis| random.below(corner[axis] - size[axis]));
    let area = CellRect::new(0, 0, size[0] as u32, size[1] as u32).cells();
    let cell = |cell: Cell| Cell::new(cell.x + corner[0], cell.y + corner[1]);
    let rows: Vec<u8> = area.map(|at| land[cell(at)].cost()).collect();
    CostMap::from_rows(size[0] as u32, size[1] as u32, &rows).map_err(fault)
}

impl Battle {
    pub fn new(seed: u64, counts: Counts, in_two: &Arc<ThreadPool>) -> Result<Self, String> {
        let mut random = Random::new(seed);
        let mut world = FlowWorld::new(draw_map(&mut random)?);
        let mut layers = vec![LayerId::GROUND];
        let swims = Movement::new().with_cost(Cost::WALL, Cost::OPEN);
        let wary = Movement::new().with_wall_costs([9, 4, 2, 1]);
        let wide = |size| Movement::new().with_size(size);
        let movements = [
            swims,
            wary,
            wide(2).map_err(fault)?,
            wide(3).map_err(fault)?,
        ];
        for movement in movements {
            layers.push(world.add_layer(movement).map_err(fault)?);
        }
        let mut settings = Settings::default();
        settings.cohesion = 0.1 * random.below(2) as f32;
        let mut battle = Self {
            counts: Counts {
                battle_tick: 0,
                ..counts
            },
            army: Army::new(settings).map_err(fault)?,
            layers,
            groups: Vec::new(),
            claims: Vec::new(),
            qualities: BTreeMap::new(),
            gates: Vec::new(),
            links: Vec::new(),
            stamps: Vec::new(),
            blocked: Vec::new(),
            next_unit: 0,
            has_built: true,
            reads_crowd: random.below(4) == 0,
            budget: [300, 2_000, 20_000, 200_000][random.below(4) as usize],
            haste: random.between(2, 60),
            until: random.between(100, 500) as u64,
            page: None,
            in_two: Arc::clone(in_two),
            random,
            world,
        };
        let wary = battle.layers[2];
        let told = battle
            .army
            .set_jam_costs(&mut battle.world, wary, [2, 4, 8, 16]);
        told.map_err(fault)?;
        for _ in 0..battle.random.between(2, 9) {
            battle.add_group()?;
        }
        let inspector = Inspector::serve("127.0.0.1:0").map_err(fault)?;
        battle.page = Some((inspector, Visitor::default()));
        Ok(battle)
    }

    fn add_group(&mut self) -> Result<(), String> {
        let readings = [
            Reading::Nearest,
            Reading::Bilinear,
            Reading::LowestOfFour,
            Reading::Ahead,
            Reading::Ahead,
            if self.reads_crowd {
                Reading::Crowd
            } else {
                Reading::Ahead
            },
        ];
        let reading = readings[self.random.below(6) as usize];
        let group = self.army.add_group(Target::Stand, reading).map_err(fault)?;
        let layer = self.layers[self.random.below(self.layers.len() as i32) as usize];
        let team = self.random.below(4) as u8;
        let layer = layer.for_team(team).ok_or("no such team")?;
        self.world.derive_layer(layer).map_err(fault)?;
        let mut settings = *self.army.settings(group).ok_or("no such group")?;
        (settings.layer, settings.team) = (layer, team);
        settings.foes = if self.random.below(2) == 0 {
            Teams::NONE
        } else {
            Teams::ALL.without(team)
        };
        self.army
            .configure(group, settings, &self.world)
            .map_err(fault)?;
        self.groups.push(group);
        let count = self.random.between(1, 50);
        self.reinforce(group, count)
    }

    /// Adds units where there is room.
    pub fn reinforce(&mut self, group: GroupId, count: i32) -> Result<(), String> {
        let around = self.cell().centre();
        let size = self.size_of(group);
        let radius = 0.01 * self.random.between(15, 49) as f32 + 0.5 * f32::from(size - 1);
        let places = self
            .army
            .free_places(&self.world, group, around, radius, count as usize);
        for place in places.map_err(fault)? {
            let speed = 0.1 * self.random.between(5, 60) as f32;
            let mut unit = Unit::new(self.next_unit, group, place)
                .with_radius(radius)
                .with_speed(speed);
            if self.random.below(6) == 0 {
                let on_the_spot = self.random.below(2) == 0;
                unit = unit
                    .with_turning(Turning {
                        rate: 2.0,
                        on_the_spot,
                    })
                    .with_weight(3.0);
            }
            self.army.add(unit).map_err(fault)?;
            self.next_unit += 1;
        }
        Ok(())
    }

    pub fn layer_of(&self, group: GroupId) -> LayerId {
        let settings = self.army.settings(group);
        settings.map_or(LayerId::GROUND, |settings| settings.layer)
    }

    pub fn size_of(&self, group: GroupId) -> u8 {
        let movement = self.world.movement(self.layer_of(group));
        movement.map_or(1, |movement| movement.size())
    }

    /// Draws a cell of the map.
    pub fn cell(&mut self) -> Cell {
        let (width, height) = (self.world.costs().width(), self.world.costs().height());
        Cell::new(
            self.random.below(width as i32),
            self.random.below(height as i32),
        )
    }

    pub const fn is_over(&self) -> bool {
        self.counts.battle_tick >= self.until
    }

    /// Goes on by a tick, or by some ticks together with a fork that must stay equal.
    pub fn turn(&mut self) -> Result<(), String> {
        match self.random.below(120) {
            0 => self.fork_and_compare()?,
            1 => self.load()?,
            _ => self.tick()?,
        }
        let orders: Vec<(&Order, Cell)> = self
            .claims
            .iter()
            .map(|order| (order, order.goal().cell()))
            .collect();
        if let Some((inspector, visitor)) = &mut self.page {
            inspector.publish(&self.world, &orders, self.army.units());
            if self.counts.battle_tick % 128 == 1 {
                self.counts.visits += visitor.visit(inspector.address())?;
            }
        }
        Ok(())
    }

    fn tick(&mut self) -> Result<(), String> {
        if self.random.below(100) < self.haste {
            self.call()?;
        }
        self.step()?;
        if self.random.below(24) == 0 {
            checks::directions(self)?;
        }
        match self.random.below(150) {
            0 => {
                checks::built_anew(self)?;
                self.counts.rebuilt += 1;
            }
            1 => {
                self.finish()?;
                self.counts.judged += checks::cheapest(self)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Moves everything on, and looks at each unit.
    fn step(&mut self) -> Result<usize, String> {
        if std::mem::take(&mut self.has_built) {
            self.army.put_out_of_walls(&self.world);
        }
        let before: BTreeMap<u32, checks::Before> = checks::before(&self.world, &self.army);
        let begin = Instant::now();
        let progress = self.world.tick(Budget::cells(self.budget));
        self.army.step(&self.world, SECONDS);
        self.army.cover_strays(&mut self.world);
        let took = begin.elapsed();
        self.counts.ticks += 1;
        self.counts.battle_tick += 1;
        if took > self.counts.longest {
            self.counts.longest = took;
            self.counts.longest_at = [self.counts.battle, self.counts.battle_tick];
        }
        checks::units(&self.world, &self.army, &before)?;
        Ok(progress.waiting)
    }

    /// Ends the work of all orders.
    fn finish(&mut self) -> Result<(), String> {
        for _ in 0..PATIENCE {
            if self.world.tick(Budget::UNLIMITED).is_done() {
                return Ok(());
            }
        }
        Err(format!(
            "orders wait after {PATIENCE} ticks without a limit"
        ))
    }

    fn fork(&self) -> Result<Self, String> {
        let (world, held) = self.world.fork();
        let mut army = self.army.clone();
        army.bind(&world).map_err(fault)?;
        let mut fork = Self {
            random: self.random.clone(),
            claims: claimed(&self.claims, &world)?,
            world,
            army,
            layers: self.layers.clone(),
            groups: self.groups.clone(),
            qualities: self.qualities.clone(),
            gates: self.gates.clone(),
            links: self.links.clone(),
            stamps: self.stamps.clone(),
            blocked: self.blocked.clone(),
            page: None,
            in_two: Arc::clone(&self.in_two),
            ..*self
        };
        drop(held);
        fork.counts.forks += 1;
        Ok(fork)
    }

    /// Goes on for some ticks, as a fork does on two threads.
    fn fork_and_compare(&mut self) -> Result<(), String> {
        let (mut fork, in_two) = (self.fork()?, Arc::clone(&self.in_two));
        self.counts.forks += 1;
        for _ in 0..self.random.clone().between(4, 30) {
            self.tick()?;
            in_two.install(|| fork.tick())?;
            if self.army.state_hash() != fork.army.state_hash() {
                return Err("the army of a fork differs".to_owned());
            }
        }
        if self.world.state_hash() != fork.world.state_hash()
            || self.world.save() != fork.world.save()
        {
            return Err("the world of a fork differs".to_owned());
        }
        Ok(())
    }

    /// Goes on with what was saved.
    fn load(&mut self) -> Result<(), String> {
        if self.random.below(2) == 0 {
            self.finish()?;
        }
        let is_done = self.world.inspect().stats().waiting == 0;
        let bytes = [self.world.save(), self.army.save()];
        let (world, held) = FlowWorld::load(&bytes[0]).map_err(fault)?;
        let army = Army::load(&bytes[1], &world).map_err(fault)?;
        if is_done && world.state_hash() != self.world.state_hash() {
            return Err("a loaded world has another hash".to_owned());
        }
        if !self.reads_crowd && army.state_hash() != self.army.state_hash() {
            return Err("a loaded army has another hash".to_owned());
        }
        if [world.save(), army.save()] != bytes {
            return Err("what was loaded is saved with other bytes".to_owned());
        }
        self.claims = claimed(&self.claims, &world)?;
        (self.world, self.army) = (world, army);
        drop(held);
        self.counts.saves += 1;
        Ok(())
    }

    /// Ends the battle: without further calls all orders end, units know their way, and
    /// without orders none of their memory is left.
    pub fn end(&mut self) -> Result<(), String> {
        for &group in &self.groups {
            if let Some(Target::Pursue(..) | Target::Flee { .. }) = self.army.target(group) {
                self.army.send(group, Target::Stand).map_err(fault)?;
            }
        }
        let mut patience = PATIENCE;
        while self.step()? > 0 {
            patience -= 1;
            if patience == 0 {
                return Err(format!("orders wait {PATIENCE} ticks after the last call"));
            }
        }
        self.finish()?;
        checks::nobody_waits(self)?;
        self.page = None;
        self.claims.clear();
        self.army = Army::default();
        // Ticks free the orders of dropped claims, some hundred at a time.
        for _ in 0..100 {
            self.world.tick(Budget::UNLIMITED);
        }
        let stats = self.world.inspect().stats();
        if (stats.orders, stats.tiles, stats.sectors_loaded) != (0, 0, 0) {
            return Err(format!("without claims orders are left: {stats:?}"));
        }
        Ok(())
    }

    /// Whether a unit has work to wait for.
    pub fn marching(&self) -> impl Iterator<Item = &Unit> {
        let units = self.army.units().iter();
        units.filter(|unit| unit.state == UnitState::Marching)
    }
}

/// The claims on the same orders of another world.
fn claimed(claims: &[Order], world: &FlowWorld) -> Result<Vec<Order>, String> {
    let claimed = claims
        .iter()
        .map(|claim| world.order_with_number(claim.number()));
    claimed
        .collect::<Option<_>>()
        .ok_or_else(|| "an order is not in the other world".to_owned())
}
