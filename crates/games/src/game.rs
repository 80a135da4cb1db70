//! A game: a world and an army, what the game itself keeps of them, and the plain model.

use std::collections::BTreeMap;
use std::time::Duration;

use flowtiles::steer::{Army, GroupId, Settings};
use flowtiles::{
    Budget, Cell, CellRect, Cost, CostMap, FlowWorld, GateId, LayerId, LinkId, Movement, Order,
    Quality, StampId,
};
use flowtiles_country::landscape::Landscape;
use flowtiles_scenes::maps;

use crate::Random;
use crate::model::Model;

/// Ticks without a limit in which all orders end.
const PATIENCE: u32 = 20_000;
/// Kinds of drawn maps; one more of large ones is a part of a drawn country.
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

/// What kind of calls are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Calls of every kind.
    Mixed,
    /// No orders, so that an army comes to rest.
    Calm,
    /// Groups read the crowd.
    Crowded,
    /// Odd numbers, stale ids and places far off, which may be refused.
    Odd,
}

/// How a game is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// What kind of calls are drawn.
    pub kind: Kind,
    /// From where to where the sides of the map are.
    pub sides: [u32; 2],
    /// How many groups there are at first.
    pub groups: u32,
    /// From where to where the units of each are.
    pub units: [u32; 2],
    /// The most units.
    pub most: u32,
    /// How many of a hundred calls are no steps.
    pub haste: u32,
}

/// A game that is played.
pub struct Game {
    /// The world.
    pub world: FlowWorld,
    /// The army.
    pub army: Army,
    /// How often each call had an effect, and what else is worth seeing was seen.
    pub seen: BTreeMap<String, u64>,
    /// The number of steps.
    pub steps: u64,
    /// How many orders waited after the last one.
    pub waiting: usize,
    /// How long the last one took, without checks.
    pub took: Duration,
    pub(crate) rules: Rules,
    pub(crate) settings: Settings,
    pub(crate) model: Model,
    pub(crate) layers: Vec<LayerId>,
    pub(crate) gates: Vec<GateId>,
    pub(crate) links: Vec<LinkId>,
    pub(crate) stamps: Vec<StampId>,
    pub(crate) blocked: Vec<Cell>,
    /// Claims of the game itself.
    pub(crate) claims: Vec<Order>,
    /// The qualities of orders, by number, where they are known.
    pub(crate) qualities: BTreeMap<u64, Quality>,
    /// The hash of the army before the call that is made.
    pub(crate) before: u64,
}

fn draw_map(sides: [u32; 2], random: &mut Random) -> CostMap {
    let [width, height] = [(); 2].map(|()| random.between(sides[0], sides[1]));
    // A country takes long to draw, and means little on a small map.
    let more = u32::from(sides[1] > 100);
    let kind = random.below(MAPS.len() as u32 + more) as usize;
    let mut map = if let Some(name) = MAPS.get(kind) {
        let sides = [width, height].map(|side| side as i32);
        let drawn = maps::draw_sized(name, sides, random.word());
        drawn.expect("a known map").expect("a size within limits")
    } else {
        let land = Landscape::draw(random.word()).ground;
        let corner = [land.width() - width as i32, land.height() - height as i32];
        let corner = corner.map(|most| random.below(most as u32) as i32);
        let cells = CellRect::new(corner[0], corner[1], width, height).cells();
        let rows: Vec<u8> = cells.map(|cell| land[cell].cost()).collect();
        CostMap::from_rows(width, height, &rows).expect("costs of a country")
    };
    if random.one_in(2) {
        let x = width as i32 / 2;
        let wall = CellRect::new(x, 0, 2.min(width - x as u32), height);
        map.edit(wall, Cost::WALL).expect("on the map");
        for _ in 0..3 {
            let y = random.below(height) as i32;
            let door = CellRect::new(x, y, wall.width, 5.min(height - y as u32));
            map.edit(door, Cost::OPEN).expect("on the map");
        }
    }
    map
}

impl Game {
    /// A game without units on a drawn map, with some layers.
    #[must_use]
    pub fn new(rules: Rules, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut world = FlowWorld::new(draw_map(rules.sides, &mut random));
        let wide = |size| Movement::new().with_size(size).expect("a size");
        let movements = [
            wide(2),
            wide(3),
            Movement::new().with_cost(Cost::WALL, Cost::OPEN),
            Movement::new().with_wall_costs([9, 4, 2, 1]),
            Movement::new(),
        ];
        let added = movements.map(|movement| world.add_layer(movement).expect("a layer"));
        let mut layers = [&[LayerId::GROUND], &added[..]].concat();
        if random.one_in(2) {
            for &layer in &layers {
                world.derive_layer(layer).expect("a layer");
            }
        }
        let of_teams = [layers[0], layers[1], layers[5]].map(|layer| layer.for_team(1));
        layers.extend(of_teams.into_iter().flatten());
        let mut settings = Settings::default();
        settings.patience = random.pick(&[0.6, 1.0, 1.01]);
        settings.cohesion = random.pick(&[0.0, 0.1]);
        settings.pushes = random.pick(&[5, 5, 1, 3]);
        let mut army = Army::new(settings).expect("good settings");
        let told = army.set_jam_costs(&mut world, added[4], [2, 4, 8, 16]);
        told.expect("a layer");
        Self {
            world,
            army,
            seen: BTreeMap::new(),
            steps: 0,
            waiting: 0,
            took: Duration::ZERO,
            rules,
            settings,
            model: Model::default(),
            layers,
            gates: Vec::new(),
            links: Vec::new(),
            stamps: Vec::new(),
            blocked: Vec::new(),
            claims: Vec::new(),
            qualities: BTreeMap::new(),
            before: 0,
        }
    }

    pub(crate) fn note(&mut self, what: &str, times: usize) {
        if times > 0 {
            *self.seen.entry(what.to_owned()).or_default() += times as u64;
        }
    }

    pub(crate) fn map(&self) -> CellRect {
        CellRect::new(
            0,
            0,
            self.world.costs().width(),
            self.world.costs().height(),
        )
    }

    /// The layer of a group.
    pub(crate) fn layer_of(&self, group: GroupId) -> LayerId {
        let group = self.model.groups.get(&group);
        group.map_or(LayerId::GROUND, |group| group.settings.layer)
    }

    pub(crate) fn size_of(&self, group: GroupId) -> u8 {
        let movement = self.world.movement(self.layer_of(group));
        movement.map_or(1, |movement| movement.size())
    }

    /// Goes on with a loaded world. The army is saved and loaded too, or bound to it.
    ///
    /// # Panics
    /// If what is loaded is not what was saved.
    pub fn load(&mut self, saves_army: bool) {
        let is_done = self.world.inspect().stats().waiting == 0;
        let bytes = self.world.save();
        let (world, held) = FlowWorld::load(&bytes).expect("a good save");
        assert!(!is_done || world.state_hash() == self.world.state_hash());
        assert!(world.save() == bytes, "saved with other bytes");
        if saves_army || self.reads_crowd() {
            let bytes = self.army.save();
            let loaded = Army::load(&bytes, &world).expect("a good save");
            assert!(loaded.save() == bytes, "saved with other bytes");
            assert!(loaded.events().is_empty());
            if !self.reads_crowd() {
                assert_eq!(loaded.state_hash(), self.army.state_hash());
            }
            let mut units = loaded.units().iter();
            assert!(units.all(|unit| self.army.get(unit.id) == Some(unit)));
            self.army = loaded;
        } else {
            self.army.bind(&world).expect("a world with its orders");
        }
        self.move_to(world);
        drop(held);
    }

    /// Whether what a crowd reads may lie between steps, which no save has.
    const fn reads_crowd(&self) -> bool {
        matches!(self.rules.kind, Kind::Crowded | Kind::Odd)
    }

    /// A fork of this game, to go on beside it.
    ///
    /// # Panics
    /// If it differs.
    #[must_use]
    pub fn fork(&self) -> Self {
        let (world, held) = self.world.fork();
        let mut army = self.army.clone();
        army.bind(&world).expect("a world with its orders");
        assert_eq!(army.state_hash(), self.army.state_hash());
        let mut fork = Self {
            army,
            seen: self.seen.clone(),
            model: self.model.clone(),
            layers: self.layers.clone(),
            gates: self.gates.clone(),
            links: self.links.clone(),
            stamps: self.stamps.clone(),
            blocked: self.blocked.clone(),
            claims: self.claims.clone(),
            qualities: self.qualities.clone(),
            world: FlowWorld::new(CostMap::open(1, 1).expect("a size")),
            ..*self
        };
        fork.move_to(world);
        drop(held);
        fork
    }

    fn move_to(&mut self, world: FlowWorld) {
        for claim in &mut self.claims {
            let claimed = world.order_with_number(claim.number());
            *claim = claimed.expect("an order is not in the other world");
        }
        self.world = world;
    }

    /// Ends the work of all orders.
    pub(crate) fn finish(&mut self) {
        let mut ticks = 0..PATIENCE;
        let is_done = ticks.any(|_| self.world.tick(Budget::UNLIMITED).is_done());
        assert!(
            is_done,
            "orders wait after {PATIENCE} ticks without a limit"
        );
    }

    /// Ends the game: without further calls all orders end, units know their way, and without
    /// orders none of their memory is left.
    ///
    /// # Panics
    /// If they do not.
    pub fn end(mut self) {
        self.end_errands();
        let mut steps = 0..PATIENCE;
        let is_done = steps.any(|_| {
            self.step(20_000, 0.05);
            self.waiting == 0
        });
        assert!(is_done, "orders wait {PATIENCE} ticks after the last call");
        self.finish();
        self.check_that_nobody_waits();
        self.claims.clear();
        self.army = Army::default();
        // Ticks free the orders of dropped claims, some hundred at a time.
        for _ in 0..100 {
            self.world.tick(Budget::UNLIMITED);
        }
        let stats = self.world.inspect().stats();
        let left = (stats.orders, stats.tiles, stats.sectors_loaded);
        assert_eq!(left, (0, 0, 0), "without claims orders are left: {stats:?}");
    }
}
