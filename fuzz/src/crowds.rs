//! Armies and crowds: calls of every kind with odd numbers.

use flowtiles::crowd::{Conduct, CrowdSettings, Danger, Heights};
use flowtiles::steer::parts::is_clear;
use flowtiles::steer::{
    Army, Chase, GroupId, GroupSettings, HardGround, Pace, Reading, Sending, Settings, Shape,
    Target, Turning, Unit,
};
use flowtiles::{Budget, Cell, Cost, FlowWorld, Goal, LayerId, Movement, Teams};

use crate::draws::Rng;
use crate::oracle::Map;
use crate::oracle::draw::{Look, draw};
use crate::{accepted, print_if_asked};

const SIZES: [(i32, i32); 4] = [(9, 9), (20, 20), (31, 22), (40, 30)];
/// The most calls.
const CALLS: usize = 80;
/// The most units: each one more makes a step slower.
const UNITS: usize = 40;
/// What is left of a radius after rounding.
const SLACK: f32 = 2e-3;

const ODD: [f32; 20] = [
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::MAX,
    f32::MIN,
    f32::MIN_POSITIVE,
    f32::EPSILON,
    1e-40,
    -0.0,
    0.0,
    -1.0,
    1e6,
    -1e6,
    1e9,
    1e20,
    16.0,
    1_000.0,
    0.5,
    16_777_216.0,
    2_147_483_648.0,
];

struct Play {
    rng: Rng,
    map: Map,
    world: FlowWorld,
    army: Army,
    groups: Vec<GroupId>,
    layers: Vec<LayerId>,
}

/// Makes calls, and looks at every unit after each step.
pub fn crowds(data: &[u8]) {
    let mut rng = Rng::of(data);
    let look = rng.pick(&Look::ALL);
    let (width, height) = rng.pick(&SIZES);
    let seed = rng.below(256) as u64;
    let map = draw(look, width, height, &mut Rng::new(seed));
    print_if_asked(|| format!("{look:?}, seed {seed}, {map}"));
    let mut world = FlowWorld::new(map.cost_map());
    let layer = world.add_layer(Movement::new().with_wall_costs([3, 1, 0, 0]));
    let layers = vec![LayerId::GROUND, layer.expect("a first layer")];
    let mut play = Play {
        rng,
        map,
        world,
        army: Army::default(),
        groups: Vec::new(),
        layers,
    };
    play.begin();
    for _ in 0..CALLS {
        if play.rng.is_spent() {
            break;
        }
        play.call();
    }
    for _ in 0..4 {
        play.step(0.1);
    }
    print_if_asked(|| format!("{:?}", play.army.units()));
    let (world, _claims) = FlowWorld::load(&play.world.save()).expect("a good save");
    let save = play.army.save();
    let loaded = Army::load(&save, &world).expect("a good save");
    assert!(loaded.save() == save, "the save of a load is the same");
}

impl Play {
    /// Two groups with units, one of which the crowd leads.
    fn begin(&mut self) {
        for (target, reading) in [
            (Target::Flock, Reading::Ahead),
            (self.goes(), Reading::Crowd),
        ] {
            let group = self.army.add_group(target, reading).expect("a group");
            self.groups.push(group);
            for _ in 0..4 {
                let (id, at) = (self.army.units().len() as u32, self.rng.cell(&self.map));
                let place = [at.x, at.y].map(|at| at as f32 + 0.5);
                let unit = Unit::new(id, group, place).with_radius(0.3);
                self.army.add(unit).expect("a new unit");
            }
        }
    }

    /// Draws a target to which an order leads.
    fn goes(&mut self) -> Target {
        let (goal, at) = (self.goal(), self.cell());
        accepted(self.world.order(goal, &[at])).map_or(Target::Stand, Target::Order)
    }

    /// Draws a number: small ones and odd ones.
    fn float(&mut self) -> f32 {
        match self.rng.below(8) {
            0 => self.rng.pick(&ODD),
            1 => f32::from_bits(self.rng.word() as u32),
            _ => self.rng.below(256) as f32 / 8.0,
        }
    }

    /// Draws a length or a weight: mostly less than two.
    fn small(&mut self) -> f32 {
        match self.rng.below(8) {
            0 => self.float(),
            _ => self.rng.below(32) as f32 / 16.0,
        }
    }

    fn place(&mut self) -> [f32; 2] {
        [self.float(), self.float()]
    }

    fn cell(&mut self) -> Cell {
        match self.rng.below(16) {
            0 => Cell::new(self.rng.word() as i32, self.rng.word() as i32),
            _ => self.rng.cell(&self.map),
        }
    }

    fn unit(&mut self) -> u32 {
        self.rng.below(UNITS as i32 + 2) as u32
    }

    fn group(&mut self) -> GroupId {
        match self.rng.below(16) {
            0 => GroupId::from_number(self.rng.word()),
            at => self
                .groups
                .get(at as usize % self.groups.len().max(1))
                .copied()
                .unwrap_or_default(),
        }
    }

    fn shape(&mut self) -> Shape {
        self.rng
            .pick(&[Shape::Line, Shape::Wedge, Shape::Box, Shape::Column])
    }

    fn chase(&mut self) -> Chase {
        let chase = Chase::default().with_range(self.small());
        chase.with_leash(self.float()).with_sight(self.float())
    }

    fn goal(&mut self) -> Goal {
        let goal = Goal::at(self.cell()).on(self.rng.pick(&self.layers));
        if self.rng.chance(50) {
            goal.or_nearest()
        } else {
            goal
        }
    }

    fn target(&mut self) -> Target {
        match self.rng.below(9) {
            0 => Target::Flock,
            1 => Target::Stand,
            2 => Target::Hold,
            3 => Target::Point(self.place()),
            4 => Target::Follow(self.unit()),
            5 => Target::Pursue(self.unit(), self.chase()),
            6 => Target::Flee {
                from: self.rng.chance(50).then(|| self.unit()),
                safe: self.float(),
            },
            7 => match self.goes() {
                Target::Order(order) => Target::AttackMove(order, self.chase()),
                stand => stand,
            },
            _ => self.goes(),
        }
    }

    fn reading(&mut self) -> Reading {
        use Reading::{Ahead, Bilinear, Crowd, LowestOfFour, Nearest};
        self.rng
            .pick(&[Crowd, Ahead, Crowd, Bilinear, LowestOfFour, Nearest])
    }

    fn turning(&mut self) -> Turning {
        Turning {
            rate: self.float(),
            on_the_spot: self.rng.chance(50),
        }
    }

    fn new_unit(&mut self) -> Unit {
        let (id, group) = (self.unit(), self.group());
        let at = self.rng.cell(&self.map);
        let place = if self.rng.chance(80) {
            [at.x, at.y].map(|at| at as f32 + 0.5)
        } else {
            self.place()
        };
        let mut unit = Unit::new(id, group, place).with_radius(self.small() / 2.0);
        unit.speed = self.float();
        if self.rng.chance(20) {
            unit = unit.with_weight(self.small());
            unit = unit.with_turning(self.turning());
            unit.velocity = self.place();
        }
        unit
    }

    fn settings(&mut self) -> Settings {
        let mut settings = Settings::default();
        let fields = [
            &mut settings.force,
            &mut settings.follow,
            &mut settings.separation,
            &mut settings.alignment,
            &mut settings.cohesion,
            &mut settings.avoidance,
            &mut settings.room,
            &mut settings.range,
            &mut settings.horizon,
            &mut settings.catch_up,
            &mut settings.patience,
        ];
        for field in fields {
            if self.rng.chance(25) {
                *field = self.small();
            }
        }
        settings.pushes = self.rng.below(8) as u32;
        settings.terrain = self.rng.pick(&[HardGround::Slows, HardGround::Ignored]);
        settings
    }

    fn conduct(&mut self) -> Conduct {
        let mut conduct = Conduct::default();
        let fields = [
            &mut conduct.length,
            &mut conduct.time,
            &mut conduct.discomfort,
            &mut conduct.sparse,
            &mut conduct.dense,
            &mut conduct.dearest,
            &mut conduct.foresight,
            &mut conduct.predicted,
            &mut conduct.standing,
            &mut conduct.flat,
            &mut conduct.steep,
            &mut conduct.uphill,
        ];
        for field in fields {
            if self.rng.chance(15) {
                *field = self.float();
            }
        }
        conduct
    }

    fn crowd_settings(&mut self) -> CrowdSettings {
        let mut settings = CrowdSettings::default();
        settings.crowd = self.rng.below(3) as u32;
        settings.cells_per_step = self.rng.pick(&[u64::MAX, 1, 100, 5_000, 0]);
        settings.resolution = self.rng.below(6) as u32;
        settings.exponent = self.rng.below(6) as u32;
        settings.predictions = self.rng.pick(&[0, 1, 32, 33]);
        settings.margin = self.rng.pick(&[0, 3, 64, 65]);
        settings.sectors = self.rng.pick(&[1, 4, 100, 1 << 20, 0]);
        settings.interval = self.small();
        settings.exact = self.float();
        settings
    }

    fn heights(&mut self) -> Option<Heights> {
        let (width, height) = (self.map.width as u32, self.map.height as u32);
        let cells = (width * height) as usize;
        let odd = [0; 5].map(|_| self.float());
        let width = width + u32::from(self.rng.chance(10));
        if self.rng.chance(50) {
            let levels = (0..cells).map(|at| odd[at * 7 % 5]).collect();
            Heights::from_floats(width, height, levels)
        } else {
            let levels = (0..cells).map(|at| (at * 37 % 251) as u8).collect();
            Heights::from_bytes(width, height, levels, odd[0])
        }
    }

    fn call(&mut self) {
        let call = self.rng.below(32);
        match call {
            0..4 => {
                let unit = self.new_unit();
                print_if_asked(|| format!("add {unit:?}"));
                if self.army.units().len() < UNITS {
                    accepted(self.army.add(unit));
                }
            }
            4 => {
                let (target, reading) = (self.target(), self.reading());
                print_if_asked(|| format!("group {target:?} {reading:?}"));
                self.groups
                    .extend(accepted(self.army.add_group(target, reading)));
            }
            5 | 6 => {
                let (group, target) = (self.group(), self.target());
                print_if_asked(|| format!("send {group:?} {target:?}"));
                accepted(self.army.send(group, target));
            }
            7 => {
                let (group, target) = (self.group(), self.target());
                print_if_asked(|| format!("queue {group:?} {target:?}"));
                accepted(self.army.queue(group, target));
            }
            8 => {
                let (group, targets) = (self.group(), [self.target(), self.target()]);
                print_if_asked(|| format!("patrol {group:?} {targets:?}"));
                accepted(self.army.patrol(group, targets));
            }
            9 => {
                let (group, shape, spacing) = (self.group(), self.shape(), self.small());
                print_if_asked(|| format!("form {group:?} {shape:?} {spacing:?}"));
                accepted(self.army.form(group, shape, spacing, &self.world));
            }
            10 => {
                let (group, keep) = (self.group(), self.rng.chance(70));
                print_if_asked(|| format!("keep width {group:?} {keep}"));
                self.configure(group, |settings| settings.keeps_width = keep);
            }
            11 => {
                let conduct = self.conduct();
                let group = self.group();
                print_if_asked(|| format!("{group:?} {conduct:?}"));
                self.configure(group, |settings| settings.conduct = conduct);
            }
            12 => {
                let settings = self.crowd_settings();
                print_if_asked(|| format!("{settings:?}"));
                accepted(self.army.set_crowd_settings(settings));
            }
            13 => {
                let dangers = [0; 2].map(|_| Danger {
                    position: self.place(),
                    radius: self.float(),
                    strength: self.float(),
                });
                print_if_asked(|| format!("{dangers:?}"));
                accepted(self.army.crowd_mut().set_dangers(&dangers));
            }
            14 => {
                let (area, strength) = (self.rng.area(&self.map, 12), self.float());
                print_if_asked(|| format!("paint {area:?} {strength:?}"));
                accepted(self.army.crowd_mut().paint(&self.world, area, strength));
            }
            15 => {
                if let Some(heights) = self.heights() {
                    print_if_asked(|| format!("{heights:?}"));
                    accepted(self.army.crowd_mut().set_heights(&self.world, heights));
                }
            }
            16 => {
                let settings = self.settings();
                print_if_asked(|| format!("{settings:?}"));
                if self.army.units().is_empty()
                    && let Some(army) = accepted(Army::new(settings))
                {
                    (self.army, self.groups) = (army, Vec::new());
                }
            }
            17 => self.set_of_a_unit(),
            18 => self.set_of_a_group(),
            19 => {
                let (area, cost) = (self.rng.area(&self.map, 5), self.rng.pick(&[255, 1, 9]));
                print_if_asked(|| format!("edit {area:?} {cost}"));
                let cost = Cost::new(cost).expect("not 0");
                self.world.edit(area, cost).expect("on the map");
            }
            20 => self.remove(),
            21 => self.ask(),
            22 => {
                let how = self.sending();
                let (groups, goal) = ([self.group(), self.group()], self.goal());
                print_if_asked(|| format!("send {groups:?} {goal:?} {how:?}"));
                accepted(self.army.send_all(&mut self.world, &groups, goal, how));
            }
            23 => {
                let (layer, costs) = (self.rng.pick(&self.layers), [1, 3, 9, 20]);
                accepted(self.army.set_jam_costs(&mut self.world, layer, costs));
                self.army.note_jams(&mut self.world);
            }
            _ => {
                let seconds = self.rng.pick(&[0.05, 0.1, 0.1, 0.5]);
                let seconds = if self.rng.chance(5) {
                    self.float()
                } else {
                    seconds
                };
                self.step(seconds);
            }
        }
    }

    fn sending(&mut self) -> Sending {
        let mut how = Sending::default();
        how.queued = self.rng.chance(30);
        how.together = self.rng.chance(50);
        how.attack = self.rng.chance(30).then(|| self.chase());
        how.formation = self.rng.chance(30).then(|| (self.shape(), self.small()));
        how
    }

    fn set_of_a_unit(&mut self) {
        let (what, unit, number) = (self.rng.below(6), self.unit(), self.float());
        print_if_asked(|| format!("set {what} of unit {unit} to {number:?}"));
        match what {
            0 => {
                let place = self.place();
                accepted(self.army.set_position(unit, place))
            }
            1 => accepted(self.army.set_radius(unit, number)),
            2 => accepted(self.army.set_speed(unit, number)),
            3 => accepted(self.army.set_weight(unit, number)),
            4 => {
                let turning = self.turning();
                accepted(self.army.set_turning(unit, turning))
            }
            _ => {
                let group = self.group();
                accepted(self.army.set_group(unit, group))
            }
        };
    }

    fn configure(&mut self, group: GroupId, change: impl FnOnce(&mut GroupSettings)) -> Option<()> {
        let mut settings = self.army.settings(group).copied().unwrap_or_default();
        change(&mut settings);
        accepted(self.army.configure(group, settings, &self.world))
    }

    fn set_of_a_group(&mut self) {
        let (what, group, number) = (self.rng.below(7), self.group(), self.rng.below(256) as u8);
        print_if_asked(|| format!("set {what} of {group:?} to {number}"));
        match what {
            0 => self.configure(group, |settings| {
                (settings.team, settings.foes) = (number % 10, Teams::from_bits(!number));
            }),
            1 => self.configure(group, |settings| settings.planes = number),
            2 => {
                let paces = [Pace::Own, Pace::Slowest, Pace::Shared(number.into())];
                let pace = paces[usize::from(number) % 3];
                self.configure(group, |settings| settings.pace = pace)
            }
            3 => {
                let reading = self.reading();
                self.configure(group, |settings| settings.reading = reading)
            }
            4 => {
                let layer = self.layers[usize::from(number) % self.layers.len()];
                let _ = self.world.derive_layer(layer);
                self.configure(group, |settings| settings.layer = layer)
            }
            5 => accepted(self.army.disband(group)),
            _ => accepted(self.army.split([0, 1, 2, number.into()])).map(drop),
        };
    }

    fn remove(&mut self) {
        let (what, unit, group) = (self.rng.below(4), self.unit(), self.group());
        print_if_asked(|| format!("remove {what}: {unit} or {group:?}"));
        match what {
            0 => drop(accepted(self.army.remove_group(group))),
            1 => drop(self.army.remove_empty_groups()),
            2 => drop(self.army.put_out_of_walls(&self.world)),
            _ => drop(self.army.remove(unit)),
        }
    }

    /// Asks what changes nothing.
    fn ask(&mut self) {
        let (before, place, distance) = (self.army.state_hash(), self.place(), self.float());
        let (group, other, unit) = (self.group(), self.place(), self.unit());
        print_if_asked(|| {
            format!("ask at {place:?}, {distance:?} away, {other:?}, {group:?}, {unit}")
        });
        let all = self.army.units().len();
        assert!(self.army.units_within(place, distance).len() <= all);
        assert!(self.army.units_in(place, other).len() <= all);
        let _ = self.army.nearest_unit(place, |_| true);
        let _ = self.army.nearest_foe(unit, distance);
        accepted(
            self.army
                .free_places(&self.world, group, place, distance, 5),
        );
        accepted(self.army.has_room(&self.world, group, place, distance));
        let stream = self.army.stream(group);
        if let Some(crowd) = self.army.crowd() {
            let numbers = [
                crowd.density(place),
                stream.and_then(|it| crowd.potential(it, place)),
                stream.and_then(|it| crowd.pace(&self.world, it, place)),
                stream.and_then(|it| crowd.discomfort(&self.world, it, place)),
            ];
            assert!(
                !numbers.iter().flatten().any(|number| number.is_nan()),
                "{numbers:?}"
            );
        }
        assert_eq!(self.army.state_hash(), before, "a question changes nothing");
    }

    /// Takes a step, and checks where the units are.
    fn step(&mut self, seconds: f32) {
        print_if_asked(|| format!("a step of {seconds:?} s"));
        self.world.tick(Budget::cells(3_000));
        let clear = |unit: &Unit| {
            let layer = self.army.settings(unit.group)?.layer;
            let costs = self.world.layer(layer)?.costs();
            is_clear(costs, unit.position, unit.radius).then(|| (unit.id, costs.clone()))
        };
        let before: Vec<_> = self.army.units().iter().filter_map(clear).collect();
        self.army.step(&self.world, seconds);
        for unit in self.army.units() {
            let numbers = [unit.position, unit.velocity];
            assert!(
                numbers.iter().flatten().all(|at| at.is_finite()),
                "{unit:?}"
            );
        }
        for (id, costs) in before {
            let unit = self.army.get(id).expect("a step removes none");
            let radius = (unit.radius - SLACK).max(0.0);
            assert!(
                is_clear(&costs, unit.position, radius),
                "in a wall: {unit:?}"
            );
        }
        self.army.cover_strays(&mut self.world);
    }
}
