//! The core of a real-time strategy game without a window: a map is built, units are
//! selected with a rectangle and ordered, a patrol walks, a gate is shut, a building goes up
//! and comes down, units die and are trained, and the game is saved, loaded and rolled back,
//! with hashes that show that nothing was lost.
//!
//! `cargo run --release -p flowtiles --example rts`

use std::error::Error;

use flowtiles::steer::{Army, GroupId, GroupSettings, Reading, Sending, Target, Unit, UnitState};
use flowtiles::{
    Budget, Cell, CellRect, Cost, CostMap, FlowWorld, GateId, Goal, LayerId, Movement, StampId,
    StampTemplate, Teams, Turn,
};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Ticks a second, and the work of the world in a tick, in cells.
const RATE: f32 = 20.0;
const WORK: u64 = 4_000;

/// A kind of ground.
const WATER: u8 = 20;

/// The kinds of units: what they move on, and how large and fast they are.
#[derive(Clone, Copy)]
struct Class {
    layer: LayerId,
    radius: f32,
    speed: f32,
}

/// Everything that is saved: the world, the army, and what the game itself knows.
struct Game {
    world: FlowWorld,
    army: Army,
    infantry: Class,
    tanks: Class,
    gate: GateId,
    barracks: Option<StampId>,
    next_id: u32,
    tick: u32,
    log: Vec<String>,
}

/// A country with a lake, and a wall with a gate and a gap far to the south.
fn map() -> Outcome<CostMap> {
    let mut map = CostMap::open(160, 120)?;
    map.edit(CellRect::new(30, 60, 40, 30), Cost::new(WATER)?)?;
    map.edit(CellRect::new(90, 0, 2, 120), Cost::WALL)?;
    map.edit(CellRect::new(90, 30, 2, 6), Cost::OPEN)?;
    map.edit(CellRect::new(90, 100, 2, 8), Cost::OPEN)?;
    Ok(map)
}

impl Game {
    fn new() -> Outcome<Self> {
        let mut world = FlowWorld::new(map()?);
        let land = Movement::new().with_cost(Cost::new(WATER)?, Cost::WALL);
        let infantry = world.add_layer(land.clone())?;
        let tanks = world.add_layer(land.with_size(2)?)?;
        let (gate, _) = world.add_gate(CellRect::new(90, 30, 2, 6), Teams::ALL)?;
        Ok(Self {
            world,
            army: Army::default(),
            infantry: Class {
                layer: infantry,
                radius: 0.35,
                speed: 4.0,
            },
            tanks: Class {
                layer: tanks,
                radius: 0.9,
                speed: 3.0,
            },
            gate,
            barracks: None,
            next_id: 0,
            tick: 0,
            log: Vec::new(),
        })
    }

    /// Trains units of a class in rows, in a group of their own.
    fn train(&mut self, class: Class, count: u32, corner: [f32; 2]) -> Outcome<GroupId> {
        let group = self.army.add_group(Target::Hold, Reading::Ahead)?;
        let apart = 2.0 * class.radius + 0.4;
        for at in 0..count {
            let place = [at % 6, at / 6].map(|step| step as f32 * apart);
            let place = [corner[0] + place[0], corner[1] + place[1]];
            let unit = Unit::new(self.next_id, group, place);
            let unit = unit.with_radius(class.radius).with_speed(class.speed);
            self.army.add(unit)?;
            self.next_id += 1;
        }
        self.world.derive_layer(class.layer)?;
        let mut settings = GroupSettings::default();
        settings.layer = class.layer;
        self.army.configure(group, settings, &self.world)?;
        Ok(group)
    }

    /// Drag-select and click: the units in a rectangle leave their groups, one new group for
    /// each class, and all go to a goal together. They keep everything else.
    fn select_and_send(&mut self, corners: [[f32; 2]; 2], goal: Cell) -> Outcome<Vec<GroupId>> {
        let selected = self.army.units_in(corners[0], corners[1]);
        let ids: Vec<u32> = selected.iter().map(|unit| unit.id).collect();
        let groups = self.army.split(ids.iter().copied())?;
        let mut how = Sending::default();
        how.together = true;
        self.send(&groups, goal, how)?;
        self.say(format!("{} selected and sent to {goal}", ids.len()));
        Ok(groups)
    }

    fn send(&mut self, groups: &[GroupId], goal: Cell, how: Sending) -> Outcome<()> {
        let goal = Goal::at(goal).or_nearest();
        Ok(self.army.send_all(&mut self.world, groups, goal, how)?)
    }

    /// Places a building where it fits best, and moves units out of its walls.
    fn build(&mut self, near: Cell) -> Outcome<()> {
        let hut = StampTemplate::rows(&["#####", "#...#", "#...#", "##.##"])?;
        let place = self
            .world
            .nearest_free_for(self.infantry.layer, near, 5)?
            .ok_or("no room for a building")?;
        let (stamp, report) = self.world.stamp(&hut, place, Turn::None)?;
        let moved = self.army.put_out_of_walls(&self.world);
        self.barracks = Some(stamp);
        let orders = report.orders;
        self.say(format!(
            "barracks at {place}: {orders} orders concerned, {moved} units moved"
        ));
        Ok(())
    }

    fn say(&mut self, what: String) {
        self.log.push(format!("{:4}  {what}", self.tick));
    }

    /// What the players and the script do in this tick.
    fn command(&mut self) -> Outcome<()> {
        let (infantry, tanks) = (self.infantry, self.tanks);
        match self.tick {
            0 => {
                self.train(infantry, 60, [6.5, 10.5])?;
                self.train(tanks, 12, [8.0, 30.0])?;
                // A patrol between two posts, for as long as it lives.
                let patrol = self.train(infantry, 6, [12.5, 50.5])?;
                let posts = [Cell::new(20, 52), Cell::new(60, 52)];
                let order = |post| self.world.order(Goal::at(post).on(infantry.layer), &posts);
                let [first, second] = posts.map(order);
                self.army.patrol(patrol, [first?, second?])?;
            }
            10 => {
                let all = [[0.0, 0.0], [40.0, 45.0]];
                let groups = self.select_and_send(all, Cell::new(120, 20))?;
                // Shift-click: from there on to a second place.
                let mut how = Sending::default();
                (how.queued, how.together) = (true, true);
                self.send(&groups, Cell::new(140, 60), how)?;
            }
            100 => self.build(Cell::new(40, 30))?,
            160 => {
                self.world.set_gate(self.gate, Teams::NONE);
                self.army.put_out_of_walls(&self.world);
                self.say("the gate is shut: the rest goes round by the south".to_owned());
            }
            300 => {
                // A bomb hits the unit nearest to the gate, and kills all units around it.
                let target = self.army.nearest_unit([84.0, 33.0], |_| true);
                let target = target.map_or([84.0, 33.0], |unit| unit.position);
                let near = self.army.units_within(target, 3.0);
                let dead: Vec<u32> = near.iter().map(|unit| unit.id).collect();
                let count = self.army.remove_all(dead);
                self.say(format!("{count} units die under a bomb"));
            }
            400 => {
                let barracks = self.barracks.take().and_then(|id| self.world.unstamp(id));
                self.say(format!("barracks razed: {}", barracks.is_some()));
                self.world.set_gate(self.gate, Teams::ALL);
                self.train(infantry, 18, [20.5, 20.5])?;
                let all = [[15.0, 15.0], [35.0, 30.0]];
                self.select_and_send(all, Cell::new(140, 60))?;
            }
            _ => {}
        }
        Ok(())
    }

    /// A tick of the game: commands, the world's work, the army's step.
    fn advance(&mut self) -> Outcome<()> {
        self.command()?;
        self.army
            .tick(&mut self.world, Budget::cells(WORK), 1.0 / RATE);
        self.tick += 1;
        Ok(())
    }

    /// A hash of everything that decides how the game goes on.
    fn hash(&self) -> [u64; 2] {
        [self.world.state_hash(), self.army.state_hash()]
    }

    /// The game as it is loaded from its saves. What it knows itself is a few numbers.
    fn reloaded(&self) -> Outcome<Self> {
        let (world, claims) = FlowWorld::load(&self.world.save())?;
        let army = Army::load(&self.army.save(), &world)?;
        drop(claims); // the army has claims of its own now
        Ok(self.with(world, army))
    }

    /// A copy for rollback: the same moment, work in hand included.
    fn forked(&self) -> Outcome<Self> {
        let (world, army) = self.army.fork(&self.world)?;
        Ok(self.with(world, army))
    }

    fn with(&self, world: FlowWorld, army: Army) -> Self {
        Self {
            world,
            army,
            log: Vec::new(),
            ..*self
        }
    }
}

fn main() -> Outcome<()> {
    let mut game = Game::new()?;
    for _ in 0..200 {
        game.advance()?;
    }
    // A player joins, or the game is continued tomorrow: all load the same save. And a
    // rollback: a fork goes on as the game itself does.
    let mut loaded = [game.reloaded()?, game.reloaded()?];
    let mut fork = game.forked()?;
    assert_eq!(loaded[0].hash(), game.hash());
    assert_eq!(fork.hash(), game.hash());
    for _ in 0..1400 {
        game.advance()?;
        fork.advance()?;
        assert_eq!(fork.hash(), game.hash(), "the fork at tick {}", game.tick);
        for copy in &mut loaded {
            copy.advance()?;
        }
        assert_eq!(
            loaded[0].hash(),
            loaded[1].hash(),
            "tick {}",
            loaded[0].tick
        );
    }
    game.log.iter().for_each(|line| println!("{line}"));
    let east = |game: &Game| {
        let units = game.army.units().iter();
        units.filter(|unit| unit.position[0] > 95.0).count()
    };
    let units = game.army.units().iter();
    let arrived = units.filter(|unit| unit.state == UnitState::Arrived);
    println!(
        "{:4}  {} units, {} east of the wall, {} at their goal",
        game.tick,
        game.army.units().len(),
        east(&game),
        arrived.count()
    );
    println!(
        "      fork and game agree: {:016x}",
        game.hash()[0] ^ game.hash()[1]
    );
    println!(
        "      both loaded games agree, with {} east of the wall",
        east(&loaded[0])
    );
    assert!(east(&game) > 50 && east(&loaded[0]) > 50);
    Ok(())
}
