//! Calls drawn for a game as it is now.

use flowtiles::crowd::{Conduct, CrowdSettings, Danger, Heights};
use flowtiles::steer::parts::anchor;
use flowtiles::steer::{
    Chase, GroupId, HardGround, Line, Pace, Reading, Sending, Settings, Shape, Turning, Unit,
};
use flowtiles::{Cell, CellRect, Cost, Goal, LayerId, Link, Quality, Teams, Turn};

use crate::{Aim, Call, Game, Kind, Mission, Nth, Random, Setting};

/// The most groups, beyond which none are added.
const GROUPS: usize = 12;
/// The most links, gates and claims of the game itself.
const MOST: usize = 6;

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

/// Draws the next call of a game: of the groups and units with which it begins, or any.
pub fn draw(game: &Game, random: &mut Random) -> Call {
    let mut drawing = Drawing { game, random };
    let times = |call: &str| game.seen.get(call).copied().unwrap_or(0);
    let groups = times("AddGroup");
    if game.steps == 0 && times("Add") < groups {
        drawing.add(Nth(groups - 1))
    } else if game.steps == 0 && groups < u64::from(game.rules.groups) {
        Call::AddGroup(drawing.aim(), drawing.reading())
    } else if drawing.random.below(100) < game.rules.haste {
        drawing.call()
    } else {
        drawing.turn()
    }
}

struct Drawing<'g> {
    game: &'g Game,
    random: &'g mut Random,
}

impl Drawing<'_> {
    fn is_odd(&self) -> bool {
        self.game.rules.kind == Kind::Odd
    }

    /// Draws a number between two bounds; in an odd game any, at times.
    fn number(&mut self, from: f32, until: f32) -> f32 {
        match self.random.below(if self.is_odd() { 16 } else { 1 }) {
            1 => self.random.pick(&ODD),
            2 => f32::from_bits(self.random.word() as u32),
            _ => self.random.float(from, until),
        }
    }

    /// Draws a place on the map or just off it.
    fn place(&mut self) -> [f32; 2] {
        let map = self.game.map();
        [map.width, map.height].map(|side| self.number(-1.0, side as f32 + 1.0))
    }

    /// Draws a place, often near a unit.
    fn place_near(&mut self) -> [f32; 2] {
        let (place, at) = (self.place(), self.random.below(100) as usize);
        match self.game.army.units().get(at) {
            Some(unit) => unit.position.map(|at| at + self.number(-8.0, 8.0)),
            None => place,
        }
    }

    /// Draws a cell of the map, often near a unit; in an odd game any, at times.
    fn cell(&mut self) -> Cell {
        if self.is_odd() && self.random.one_in(16) {
            return Cell::new(self.random.word() as i32, self.random.word() as i32);
        }
        let ([x, y], map) = (self.place_near(), self.game.map());
        let last = |side: u32| side as f32 - 1.0;
        let [x, y] = [
            x.clamp(0.0, last(map.width)),
            y.clamp(0.0, last(map.height)),
        ];
        Cell::new(x as i32, y as i32)
    }

    /// Draws an area on the map.
    fn area(&mut self, side: u32) -> CellRect {
        let corner = self.cell();
        let [width, height] = [(); 2].map(|()| 1 + self.random.below(side));
        let area = CellRect::new(corner.x, corner.y, width, height);
        if self.is_odd() {
            return area;
        }
        area.intersection(self.game.map())
    }

    fn nth(&mut self) -> Nth {
        if self.is_odd() && self.random.one_in(16) {
            return Nth(Nth::FORGED.saturating_add(self.random.word()));
        }
        Nth(self.random.below(1 << 8).into())
    }

    /// Draws the id of a unit, which may not be there.
    fn id(&mut self) -> u32 {
        let last = self.game.army.units().last().map_or(0, |unit| unit.id);
        self.random.below(last.min(2_000) + 3)
    }

    fn layer(&mut self) -> LayerId {
        self.random.pick(&self.game.layers)
    }

    fn chase(&mut self) -> Chase {
        let chase = Chase::default().with_range(self.number(0.0, 4.0));
        let chase = chase.with_leash(self.number(1.0, 40.0));
        chase.with_sight(self.number(0.0, 15.0))
    }

    fn goal(&mut self) -> Goal {
        let cell = self.cell();
        match self.random.below(5) {
            0 => Goal::at(cell),
            1 => Goal::at(cell).or_at(self.cell(), 3),
            2 => Goal::within(CellRect::new(cell.x, cell.y, 3, 2)).unwrap_or(Goal::at(cell)),
            _ => Goal::at(cell).or_nearest(),
        }
    }

    fn mission(&mut self) -> Mission {
        let layer = match self.game.model.groups.values().next() {
            Some(group) if self.random.one_in(2) => group.settings.layer,
            _ => self.layer(),
        };
        let corridor = Quality::Corridor;
        let quality = [corridor, corridor, Quality::Exact, Quality::Everywhere];
        let units = self.game.army.units().iter();
        let from = self.random.below(units.len() as u32 + 1) as usize;
        let size = self.game.world.movement(layer).map_or(1, |it| it.size());
        let cells = units.skip(from).map(|unit| anchor(size, unit.position));
        let cells = cells.filter(|cell| self.game.map().contains(*cell));
        Mission {
            units: cells.take(self.random.pick(&[0, 1, 1, 40])).collect(),
            goal: self.goal().on(layer),
            quality: self.random.pick(&quality),
            is_claimed: self.game.claims.len() < MOST && self.random.one_in(4),
        }
    }

    fn aim(&mut self) -> Aim {
        match self.random.below(if self.game.rules.kind == Kind::Calm {
            7
        } else {
            20
        }) {
            0 => Aim::Stand,
            1 => Aim::Hold,
            2 => Aim::Follow(self.id()),
            3 if self.random.one_in(2) => Aim::Flock,
            3..7 => Aim::Point(self.place_near()),
            16 => Aim::Pursue(self.id(), self.chase()),
            17 | 18 => Aim::Attack(self.mission(), self.chase()),
            19 => {
                let from = self.random.one_in(2).then(|| self.id());
                Aim::Flee(from, self.number(2.0, 30.0))
            }
            _ => Aim::Order(self.mission()),
        }
    }

    fn reading(&mut self) -> Reading {
        let reads_crowd = matches!(self.game.rules.kind, Kind::Crowded | Kind::Odd);
        if reads_crowd && self.random.one_in(2) {
            return Reading::Crowd;
        }
        let readings = [
            Reading::Ahead,
            Reading::Nearest,
            Reading::Bilinear,
            Reading::LowestOfFour,
        ];
        self.random.pick(&readings)
    }

    fn shape(&mut self) -> Shape {
        let shapes = [Shape::Line, Shape::Wedge, Shape::Box, Shape::Column];
        self.random.pick(&shapes)
    }

    fn turning(&mut self) -> Turning {
        Turning {
            rate: self.number(0.0, 5.0),
            on_the_spot: self.random.one_in(2),
        }
    }

    /// A step, or what comes between two.
    fn turn(&mut self) -> Call {
        match self.random.below(160) {
            0 => Call::Fork,
            1 => Call::Load,
            2 => Call::BuildAnew(self.random.word()),
            3 => Call::Judge(self.nth(), self.random.word()),
            4..10 => Call::Directions(self.nth()),
            10..40 => Call::Ask(self.random.word()),
            _ => {
                let seconds = self.random.pick(&[0.1, 0.1, 0.1, 0.05, 0.05, 0.0, 0.3]);
                let most = self.random.pick(&[6_000, 6_000, 20_000, 200_000]);
                let seconds = if self.is_odd() {
                    self.number(0.0, 0.2)
                } else {
                    seconds
                };
                Call::Step(300 + u64::from(self.random.below(most)), seconds)
            }
        }
    }

    fn call(&mut self) -> Call {
        match self.random.below(20) {
            0..6 => self.of_units(),
            6..15 => self.of_groups(),
            15 if self.is_odd() => self.of_crowds(),
            16 if self.random.one_in(6) => Call::Vain,
            _ => self.of_the_world(),
        }
    }

    /// Units side by side, with ids that may be taken, or scattered.
    fn add(&mut self, group: Nth) -> Call {
        let rules = self.game.rules;
        let is_first = self.game.steps == 0;
        let count = match self.game.army.units().len() as u32 {
            _ if is_first => self.random.between(rules.units[0], rules.units[1]),
            known if known > rules.most / 2 => 1,
            _ => self.random.below(9),
        };
        let (corner, next) = (self.place(), self.game.next_id());
        let is_wide = self.random.one_in(4);
        let is_slow = self.random.one_in(4);
        let unit = |at: u32| {
            let place = [at % 8, at / 8].map(|at| at as f32 * 0.7);
            let place = [0, 1].map(|axis| corner[axis] + place[axis]);
            let id = if self.random.one_in(4) {
                self.id()
            } else {
                next + at
            };
            let mut unit = Unit::new(id, GroupId::default(), place);
            unit.radius = self.number(0.1, 0.5) + if is_wide { 0.8 } else { 0.0 };
            unit.speed = self.number(if is_slow { 0.0 } else { 0.8 }, 8.0);
            if self.random.one_in(8) {
                unit = unit.with_turning(self.turning());
                unit = unit.with_weight(self.number(0.5, 5.0));
            }
            unit
        };
        Call::Add(group, (0..count).map(unit).collect())
    }

    fn of_units(&mut self) -> Call {
        let id = self.id();
        match self.random.below(15) {
            0 | 1 => {
                let group = self.nth();
                self.add(group)
            }
            2 => {
                let group = self.nth();
                let size = self.game.size_of(self.game.group(group));
                let radius = self.number(0.15, 0.49) + 0.5 * f32::from(size - 1);
                let mut unit = Unit::new(0, GroupId::default(), [0.0; 2]).with_radius(radius);
                unit.speed = self.number(0.5, 6.0);
                let count = 1 + self.random.below(9) as usize;
                Call::Reinforce(group, self.place_near(), count, unit)
            }
            3 => Call::Remove(id),
            4 => Call::RemoveAll(vec![id, id + 1, id + 1, u32::MAX]),
            5 => Call::Retain(60, self.random.below(60)),
            6 | 7 => Call::SetPosition(id, self.place()),
            8 => Call::SetRadius(id, self.number(0.0, 1.2)),
            9 => Call::SetSpeed(id, self.number(0.0, 9.0)),
            10 => Call::SetWeight(id, self.number(0.01, 20.0)),
            11 => Call::SetTurning(id, self.turning()),
            12 => {
                let members = self.game.model.members(self.game.group(Nth(id.into())));
                let is_whole = self.random.one_in(3);
                let ids = if is_whole {
                    members
                } else {
                    (id..id + 9).collect()
                };
                Call::Split(ids)
            }
            _ => Call::SetGroup((id..id + 4).collect(), self.nth()),
        }
    }

    fn of_groups(&mut self) -> Call {
        let (group, count) = (self.nth(), self.game.model.groups.len());
        match self.random.below(24) {
            0 | 1 if count < GROUPS => Call::AddGroup(self.aim(), self.reading()),
            2 if count > 1 && self.random.one_in(2) => Call::RemoveGroup(group),
            3 if self.random.one_in(5) => Call::RemoveEmptyGroups,
            4..9 => Call::Send(group, self.aim()),
            9 => {
                let mut how = Sending::default();
                how.together = self.random.one_in(2);
                how.queued = self.random.one_in(4);
                how.attack = self.random.one_in(3).then(|| self.chase());
                let formed = |drawing: &mut Self| (drawing.shape(), drawing.number(0.5, 2.0));
                how.formation = self.random.one_in(3).then(|| formed(self));
                let groups = [group, self.nth()];
                if self.random.one_in(3) {
                    if !self.is_odd() {
                        how.formation = None;
                    }
                    return Call::DrawUp(groups, Line::new(self.place(), self.place()), how);
                }
                Call::SendAll(groups, Goal::at(self.cell()).or_nearest(), how)
            }
            10 | 11 => Call::Queue(group, self.aim()),
            12 | 13 => Call::Patrol(group, [self.aim(), self.aim()]),
            14 => Call::Form(group, self.shape(), self.number(0.5, 2.0)),
            15 => Call::Disband(group),
            16 => Call::Configure(group, Setting::KeepsWidth(!self.random.one_in(3))),
            17 => {
                let team = self.random.below(if self.is_odd() { 9 } else { 3 }) as u8;
                let foes = Teams::from_bits(self.random.below(8) as u8);
                Call::Configure(group, Setting::Team(team, foes))
            }
            18 => {
                let paces = [Pace::Own, Pace::Slowest, Pace::Shared(0), Pace::Shared(3)];
                Call::Configure(group, Setting::Pace(self.random.pick(&paces)))
            }
            19 if self.random.one_in(2) => {
                let planes = self.random.pick(&[0b01, 0b10, 0b11, 0]);
                Call::Configure(group, Setting::Planes(planes))
            }
            19 if self.random.one_in(2) => {
                Call::Configure(group, Setting::Rank(self.random.below(3) as u8))
            }
            19 => Call::Configure(group, Setting::Reading(self.reading())),
            20 | 21 => Call::Configure(group, Setting::Layer(self.layer())),
            _ => Call::AimGroup(group, self.cell()),
        }
    }

    fn of_the_world(&mut self) -> Call {
        let (nth, game) = (self.nth(), self.game);
        let teams = [
            Teams::ALL,
            Teams::NONE,
            Teams::NONE.with(0),
            Teams::NONE.with(1),
        ];
        let teams = self.random.pick(&teams);
        match self.random.below(20) {
            0 | 1 => Call::Stamp(nth, self.cell(), self.random.pick(&Turn::ALL)),
            2 if !game.stamps.is_empty() => Call::Unstamp(nth),
            3 => Call::Block(self.cell()),
            4 if !game.blocked.is_empty() => Call::Unblock(nth),
            5 if game.gates.len() < MOST => Call::AddGate(self.area(6), teams),
            5 | 6 if !game.gates.is_empty() && self.random.one_in(4) => Call::RemoveGate(nth),
            5 | 6 if !game.gates.is_empty() => Call::SetGate(nth, teams),
            7 | 8 if game.links.len() < MOST => {
                let link = Link::new(self.area(3), self.cell());
                let link = link.with_price(1 + self.random.below(90));
                let layer = self.layer();
                let is_of_one = self.random.one_in(3);
                Call::AddLink(if is_of_one {
                    link.only_on([layer])
                } else {
                    link
                })
            }
            7..10 if !game.links.is_empty() => Call::RemoveLink(nth),
            10..12 => {
                let side = self.random.pick(&[3, 3, 3, 12]);
                let area = self.area(side);
                let cost = self.random.pick(&[255, 1, 1, 4, 90, 254]);
                Call::Edit(area, Cost::new(cost).expect("not 0"))
            }
            12 => Call::NoteJams,
            13 if !game.claims.is_empty() => Call::Drop(nth),
            14 if !game.claims.is_empty() => Call::Aim(nth, self.cell()),
            15 | 16 => {
                let layer = game.layers[1 + self.random.below(5) as usize];
                Call::Surcharge(layer, self.area(20), self.random.pick(&[0, 5, 40, 255]))
            }
            17 => Call::FreeLayer(self.layer()),
            _ => Call::PutOutOfWalls,
        }
    }

    fn of_crowds(&mut self) -> Call {
        match self.random.below(7) {
            0 => Call::Configure(self.nth(), Setting::Conduct(self.conduct())),
            1 => Call::SetCrowd(self.crowd_settings()),
            2 => Call::SetDangers([(); 2].map(|()| Danger {
                position: self.place(),
                radius: self.number(0.0, 30.0),
                strength: self.number(0.0, 30.0),
            })),
            3 => Call::Paint(self.area(12), self.number(0.0, 30.0)),
            4 => self.heights().map_or(Call::NoteJams, Call::SetHeights),
            5 => Call::NewArmy(self.settings()),
            _ => Call::Retain(1, 0),
        }
    }

    fn change(&mut self, chances: u32, fields: &mut [&mut f32], until: f32) {
        for field in fields {
            if self.random.one_in(chances) {
                **field = self.number(0.0, until);
            }
        }
    }

    fn settings(&mut self) -> Settings {
        let mut settings = Settings::default();
        let mut fields = [
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
        self.change(4, &mut fields, 2.0);
        settings.pushes = self.random.below(8);
        let terrain = [HardGround::Slows, HardGround::Ignored];
        settings.terrain = self.random.pick(&terrain);
        settings
    }

    fn conduct(&mut self) -> Conduct {
        let mut conduct = Conduct::default();
        let mut fields = [
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
        self.change(7, &mut fields, 32.0);
        conduct
    }

    fn crowd_settings(&mut self) -> CrowdSettings {
        let mut settings = CrowdSettings::default();
        settings.crowd = self.random.below(3);
        settings.cells_per_step = self.random.pick(&[u64::MAX, 1, 100, 5_000, 0]);
        settings.resolution = self.random.below(6);
        settings.exponent = self.random.below(6);
        settings.predictions = self.random.pick(&[0, 1, 32, 33]);
        settings.margin = self.random.pick(&[0, 3, 64, 65]);
        settings.sectors = self.random.pick(&[1, 4, 100, 1 << 20, 0]);
        settings.interval = self.number(0.0, 2.0);
        settings.exact = self.number(0.0, 32.0);
        settings
    }

    fn heights(&mut self) -> Option<Heights> {
        let map = self.game.map();
        let cells = (map.width * map.height) as usize;
        let odd = [(); 5].map(|()| self.number(0.0, 32.0));
        let width = map.width + u32::from(self.random.one_in(10));
        if self.random.one_in(2) {
            let levels = (0..cells).map(|at| odd[at * 7 % 5]).collect();
            Heights::from_floats(width, map.height, levels)
        } else {
            let levels = (0..cells).map(|at| (at * 37 % 251) as u8).collect();
            Heights::from_bytes(width, map.height, levels, odd[0])
        }
    }
}
