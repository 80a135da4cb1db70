//! The first half of one unit's step: what it wants, and where it moves by
//! itself.

use super::part::Role;
use super::patience::{LEVEL_LAST, LEVEL_RIGHT, StepPatience};
use super::survey::{EndTallies, GroupStep, Tally};
use super::turning;
use crate::grid::Cell;
use crate::order::Order;
use crate::steer::formation::March;
use crate::steer::groups::{GroupSettings, Target};
use crate::steer::neighbours::{
    Contacts, Index, Look, NeighbourFilter, Surroundings, alignment, arrive, blend, cohesion,
    follow,
};
use crate::steer::reading::{CHECK, Clock, Field, Lookahead, Reading, Turn, Viewer, own_way, sees};
use crate::steer::units::{HardGround, Roster, Settings, Unit, UnitState};
use crate::steer::walls::{
    GroupLayer, is_clear_in_the_open, is_clear_on, nearest_clear_on, slide_in_the_open, slide_on,
};
use crate::vector::{
    NONE, Vector, cell_of, difference, distance, dot, greater, lesser, limited, right_of, sum,
    times, unit,
};
use crate::world::{FlowWorld, Sample};

/// How far a unit tries to come nearer to a point, in cells.
const TRIAL: f32 = 0.25;

/// The distance from its place at which a unit that holds it is there.
const HOME: f32 = 1e-3;
/// The speed below which a unit that stands where it is does not make room any more, in
/// cells a second.
const SLOW: f32 = 0.1;

pub(super) struct StepContext<'a> {
    pub(super) world: &'a FlowWorld,
    pub(super) settings: &'a Settings,
    pub(super) roster: &'a Roster,
    pub(super) groups: &'a [GroupStep<'a>],
    pub(super) ends: &'a EndTallies,
    pub(super) index: &'a Index,
    /// What the step does with each unit; empty if it visits every unit.
    pub(super) roles: &'a [Role],
    #[cfg(feature = "crowd")]
    pub(super) foresight: &'a super::foresight::Foresight,
    pub(super) seconds: f32,
    pub(super) patience: StepPatience,
    pub(super) clock: Clock,
}

/// A unit in its turn, with its group and what it has seen.
pub(super) struct Actor<'a> {
    pub(super) step: &'a StepContext<'a>,
    pub(super) unit: &'a mut Unit,
    pub(super) own: &'a GroupStep<'a>,
    pub(super) view: &'a View,
    pub(super) here: OnLayer,
}

#[derive(Clone, Copy, Default)]
pub(super) struct View {
    pub(super) around: Surroundings,
    foreseen: Option<Vector>,
    /// The distance within which the ground is known to be open.
    pub(super) open: f32,
    pub(super) here: OnLayer,
    wish: Option<Wish>,
}

/// A unit on its layer.
#[derive(Clone, Copy, Default)]
pub(super) struct OnLayer {
    pub(super) position: Vector,
    pub(super) radius: f32,
}

impl OnLayer {
    fn of(unit: &Unit, layer: &GroupLayer<'_>) -> Self {
        Self {
            position: layer.enter(unit.position),
            radius: layer.radius(unit.radius),
        }
    }
}

/// The result for one unit, beside its new state.
#[derive(Clone, Copy, Default)]
pub(super) struct Decision {
    /// Whether it touches units that have arrived elsewhere.
    pub(super) hemmed_in: bool,
    /// Its speed here if nothing were in its way.
    pub(super) speed: f32,
}

#[derive(Clone, Copy)]
pub(super) struct Wish {
    /// The behaviour's change of velocity.
    pub(super) steer: Vector,
    /// The wanted direction, of length 1, or none.
    pub(super) way: Vector,
    pub(super) speed: f32,
}

impl Wish {
    /// Returns the wish to go in a direction at this speed.
    pub(super) fn along(unit: &Unit, way: Vector, speed: f32) -> Self {
        Self {
            steer: follow(unit.velocity, way, speed),
            way,
            speed,
        }
    }

    pub(super) const fn to_stand(steer: Vector) -> Self {
        Self {
            steer,
            way: NONE,
            speed: 0.0,
        }
    }
}

impl Decision {
    /// The decision of a unit that sleeps on, unless it is pushed.
    pub(super) const fn of_sleeper(view: &View) -> Self {
        Self {
            hemmed_in: view.around.touches_foreign,
            speed: 0.0,
        }
    }
}

impl StepContext<'_> {
    #[inline]
    pub(super) fn role(&self, at: usize) -> Role {
        self.roles.get(at).copied().unwrap_or(Role::Decides)
    }

    pub(super) fn look(&self, look: &mut Look<'_>, at: usize, unit: &Unit) -> (View, Contacts) {
        let role = self.role(at);
        if role == Role::Seen {
            return (View::default(), Contacts::none(at));
        }
        let own = &self.groups[unit.group.index()];
        let foreseen = self.foreseen(unit, own);
        let stands = matches!(unit.state, UnitState::Arrived | UnitState::Engaged);
        let filter = match foreseen {
            _ if role == Role::Pushed => NeighbourFilter::Touches,
            _ if stands || own.group.target.holds() => NeighbourFilter::Touches,
            Some(_) => NeighbourFilter::Contacts,
            None => NeighbourFilter::All,
        };
        let (around, contacts) = look.around(at, self.index.around(at), filter);
        let layer = own.layer;
        let view = View {
            around,
            foreseen,
            open: layer.ground.open_around(layer.enter(unit.position)),
            ..View::default()
        };
        (view, contacts)
    }

    /// Decides what a unit wants, and stores it in the view.
    pub(super) fn decide(&self, unit: &mut Unit, view: &mut View) {
        let own = &self.groups[unit.group.index()];
        let layer = own.layer;
        view.here = OnLayer::of(unit, layer);
        let OnLayer { position, radius } = view.here;
        let is_clear =
            is_clear_in_the_open(view.open, radius) || is_clear_on(layer.ground, position, radius);
        let mut actor = self.actor(unit, view);
        if !is_clear {
            actor.leave_wall();
            view.here = actor.here;
        } else if own.group.target.holds() {
            actor.come_home();
            view.here = actor.here;
        } else if actor.unit.state == UnitState::Arrived {
            unit.velocity = NONE;
        } else {
            let wish = actor.wish();
            if own.group.target == Target::Flock {
                let away = actor.away_from_walls();
                view.around.separation = sum(view.around.separation, away);
            }
            if unit.speed == 0.0
                && unit.state == UnitState::Marching
                && own.group.target.leads_away()
                && self.patience.level(unit) == LEVEL_LAST
            {
                unit.state = UnitState::Unreachable;
            }
            if unit.state.may_go() {
                unit.memory.wish = wish.way;
                view.wish = Some(wish);
            } else {
                unit.velocity = NONE;
            }
        }
    }

    fn actor<'b>(&'b self, unit: &'b mut Unit, view: &'b View) -> Actor<'b> {
        let own = &self.groups[unit.group.index()];
        Actor {
            step: self,
            unit,
            own,
            view,
            here: view.here,
        }
    }

    /// Moves a unit as it has decided.
    pub(super) fn act(&self, unit: &mut Unit, view: &View) -> Decision {
        let (mut to, mut speed) = (view.here.position, 0.0);
        if let Some(wish) = &view.wish {
            speed = wish.speed;
            to = self.actor(unit, view).go(wish);
        }
        unit.position = self.groups[unit.group.index()].layer.leave(to);
        Decision {
            hemmed_in: view.around.touches_foreign,
            speed,
        }
    }

    #[cfg(feature = "crowd")]
    fn foreseen(&self, unit: &Unit, own: &GroupStep<'_>) -> Option<Vector> {
        let is_led =
            unit.state == UnitState::Marching && own.group.settings.reading == Reading::Crowd;
        is_led.then(|| self.foresight.direction(own.stream, unit.position))?
    }

    #[cfg(not(feature = "crowd"))]
    fn foreseen(&self, _: &Unit, _: &GroupStep<'_>) -> Option<Vector> {
        None
    }
}

impl<'a> Actor<'a> {
    /// Returns the wish of a unit that flocks to keep room to walls, along each axis more
    /// strongly the closer one is. It turns back as fast as it came.
    fn away_from_walls(&self) -> Vector {
        let range = self.step.settings.range;
        if range <= 0.0 || is_clear_in_the_open(self.view.open, self.here.radius + range) {
            return NONE;
        }
        let ground = self.own.layer.ground;
        let ways = [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]];
        ways.into_iter().fold(NONE, |away, way| {
            let to = slide_on(
                ground,
                self.here.position,
                times(way, range),
                self.here.radius,
            );
            let missing = 1.0 - distance(self.here.position, to) / range;
            sum(away, times(way, -missing))
        })
    }

    /// Returns the direction of a unit that the crowd leads along `way`.
    #[cfg(feature = "crowd")]
    fn led(&self, way: Vector, sample: Sample) -> Vector {
        let position = self.here.position;
        let on_goal = (sample == Sample::Arrived).then(|| cell_of(position));
        let goal = self.unit.memory.end.or(self.own.goal.only).or(on_goal);
        if let Some(goal) = goal.map(Cell::centre)
            && distance(position, goal) < 1.0
        {
            return unit_toward(position, goal);
        }
        sample.direction().map_or(way, |plain| {
            let plain = plain.unit_vector();
            self.step
                .foresight
                .across(self.own.stream, position, way, plain)
        })
    }

    #[cfg(not(feature = "crowd"))]
    fn led(&self, way: Vector, _: Sample) -> Vector {
        way
    }

    pub(super) const fn turn(&self) -> Turn {
        self.step.clock.turn(self.unit.id)
    }

    pub(super) fn field(&self, order: &'a Order) -> Field<'a> {
        Field::on(self.step.world, order, self.own.layer.ground)
    }

    /// Moves a unit that is in a wall or off the map toward the nearest place outside. Where
    /// there is none near, a unit that wants to go anywhere is cut off.
    fn leave_wall(&mut self) {
        self.unit.velocity = NONE;
        let ground = self.own.layer.ground;
        if let Some(place) = nearest_clear_on(ground, self.here.position, self.here.radius) {
            let way = limited(
                difference(place, self.here.position),
                self.unit.speed * self.step.seconds,
            );
            self.here.position = sum(self.here.position, way);
        } else if self.unit.state == UnitState::Marching && self.own.group.target.leads_away() {
            self.unit.state = UnitState::Unreachable;
            self.unit.memory.stray = false;
        }
    }

    /// Moves a unit that holds its place back there, once no unit goes past.
    fn come_home(&mut self) {
        self.unit.state = UnitState::Arrived;
        self.unit.memory.stray = false;
        self.unit.velocity = NONE;
        let layer = self.own.layer;
        let ground = layer.ground;
        let from = self.here.position;
        let home = layer.enter(self.unit.memory.place);
        let far = self.speed() * self.step.seconds;
        if from == home || far == 0.0 || self.view.around.touches_moving {
            return;
        }
        let way = difference(home, from);
        let to = slide_on(ground, from, limited(way, far), self.here.radius);
        let is_home = distance(to, home) < HOME && is_clear_on(ground, home, self.here.radius);
        self.here.position = if is_home { home } else { to };
        self.unit.velocity = times(
            difference(self.here.position, from),
            1.0 / self.step.seconds,
        );
    }

    pub(super) fn speed(&self) -> f32 {
        lesser(self.unit.speed, self.own.top) * self.footing()
    }

    /// Returns the wish that the unit's target gives it; marks the unit if it
    /// has arrived.
    fn wish(&mut self) -> Wish {
        self.unit.memory.stray = false;
        match &self.own.group.target {
            Target::Flock => Wish {
                steer: NONE,
                way: NONE,
                speed: self.speed(),
            },
            Target::Stand | Target::Hold => self.stand(),
            Target::Point(point) => self.seek_point(*point),
            Target::Follow(_) => {
                self.unit.state = UnitState::Marching;
                match self.own.leader {
                    Some(leader) if leader.id != self.unit.id => self.follow_unit(leader),
                    _ => self.stand(),
                }
            }
            Target::Pursue(_, chase) => match self.own.group.order() {
                Some(order) => self.pursue(chase, order),
                None => self.stand(),
            },
            Target::Flee { .. } => match self.own.group.order() {
                Some(order) => self.follow_order(order),
                None => self.stand(),
            },
            Target::Order(order) | Target::AttackMove(order, _) => {
                if let Target::AttackMove(_, chase) = &self.own.group.target
                    && let Some(wish) = self.charge(chase)
                {
                    return wish;
                }
                let field = self.field(order);
                self.obey(&field)
            }
        }
    }

    pub(super) fn stand(&self) -> Wish {
        let speed = self.speed();
        Wish::along(self.unit, NONE, speed)
    }

    /// Returns the wish to go straight to a point; marks the unit if it has
    /// arrived.
    fn seek_point(&mut self, point: Vector) -> Wish {
        let layer = self.own.layer;
        let point = layer.enter(point);
        let was_cut_off = self.unit.state == UnitState::Unreachable;
        let is_stuck = self.step.patience.level(self.unit) == LEVEL_LAST;
        if (was_cut_off || is_stuck && self.stops_at_walls(point))
            && !sees(layer.ground, self.here.position, point, self.here.radius)
        {
            self.unit.state = UnitState::Unreachable;
            return Wish::to_stand(NONE);
        }
        self.unit.state = UnitState::Marching;
        self.note_pressing();
        let speed = self.speed();
        let stop = self.stop(point, self.own.tally, speed);
        stop.unwrap_or_else(|| self.straight_to(point, speed))
    }

    /// Returns the wish to go straight to a point, and no farther. The point is on the
    /// unit's layer.
    pub(super) fn straight_to(&self, point: Vector, speed: f32) -> Wish {
        let way = unit_toward(self.here.position, point);
        let left = distance(self.here.position, point);
        let part = lesser(left / greater(speed * self.step.seconds, left), 1.0);
        let steer = follow(self.unit.velocity, times(way, part), speed);
        Wish { steer, way, speed }
    }

    /// Notes how long a unit has touched units that have arrived where it goes.
    fn note_pressing(&mut self) {
        if self.view.around.touches_settled {
            let pressed = &mut self.unit.memory.pressed;
            *pressed = pressed.saturating_add(self.step.patience.step);
        }
    }

    fn follow_unit(&self, leader: &Unit) -> Wish {
        let speed = self.speed();
        let room = leader.radius + self.step.settings.room + self.own.tally.disc();
        let ahead = self.own.layer.enter(leader.position);
        if distance(self.here.position, ahead) > room {
            let way = unit_toward(self.here.position, ahead);
            return Wish::along(self.unit, way, speed);
        }
        Wish {
            steer: alignment(self.unit.velocity, leader.velocity, speed),
            way: NONE,
            speed,
        }
    }

    /// Returns the wish that the group's order gives the unit; marks the unit
    /// if it has arrived or is cut off.
    fn obey(&mut self, field: &Field<'_>) -> Wish {
        let speed = self.speed();
        let sample = field.sample(cell_of(self.here.position));
        self.unit.state = UnitState::Marching;
        if sample == Sample::Unreachable {
            self.unit.state = UnitState::Unreachable;
            return Wish::to_stand(NONE);
        }
        if let Some(march) = &self.own.group.march {
            return self.keep_slot(march, field, speed);
        }
        self.note_pressing();
        let on_goal = sample == Sample::Arrived;
        self.find_end(field, on_goal);
        let goal = if on_goal {
            cell_of(self.here.position).centre()
        } else {
            self.unit
                .memory
                .end
                .map_or(self.own.group.point(), Cell::centre)
        };
        let stop = self.stop(goal, *self.tally(), speed);
        stop.unwrap_or_else(|| self.march(field, sample))
    }

    pub(super) fn march(&mut self, field: &Field<'_>, sample: Sample) -> Wish {
        let speed = self.speed();
        if let Some(way) = self.view.foreseen {
            // By the time the crowd no longer leads the unit, the old aim lies
            // behind it.
            self.unit.memory.aim = Lookahead::none(self.here.position);
            let way = self.led(way, sample);
            return Wish::along(self.unit, way, speed);
        }
        if let Some(point) = self.abreast(sample) {
            // By the time the unit goes by the field again, the old aim lies behind it.
            self.unit.memory.aim = Lookahead::none(self.here.position);
            let way = unit_toward(self.here.position, point);
            return Wish::along(self.unit, way, speed);
        }
        if sample == Sample::Waiting {
            return self.wait(field, speed);
        }
        if sample == Sample::OffRoute {
            return self.toward_aim(sample, speed);
        }
        let way = self.read(field, sample);
        Wish::along(self.unit, way, speed)
    }

    /// Returns the point to which a unit goes that keeps its group's width.
    fn abreast(&self, sample: Sample) -> Option<Vector> {
        let GroupSettings {
            keeps_width,
            reading,
            ..
        } = self.own.group.settings;
        if !(keeps_width && reading.looks_ahead()) {
            return None;
        }
        let is_free = !matches!(sample, Sample::Arrived | Sample::Link(_));
        let is_calm = self.step.patience.level(self.unit) < LEVEL_RIGHT;
        (is_free && is_calm).then(|| self.own.group.trail.point_for(self.unit))?
    }

    /// Finds the goal cell to which the order leads the unit, if it has several
    /// and the unit may be about to arrive. The path is walked only then.
    fn find_end(&mut self, field: &Field<'_>, on_goal: bool) {
        if !self.own.goal.has_several_ends {
            return;
        }
        let here = cell_of(self.here.position);
        let halted = self.step.patience.is_halted(self.unit);
        if on_goal {
            self.unit.memory.end = Some(here);
        } else if (self.view.around.touches_settled || halted)
            && (self.unit.memory.end.is_none() || self.turn().is_every(CHECK))
        {
            self.unit.memory.end = field.world.destination(field.order, here);
        }
    }

    fn tally(&self) -> &Tally {
        const NO_UNITS: &Tally = &Tally::NONE;
        match self.unit.memory.end {
            Some(end) if self.own.group.goal() != Some(end) => {
                let key = (self.own.goal.key, [end.x, end.y]);
                self.step.ends.get(&key).unwrap_or(NO_UNITS)
            }
            _ => &self.own.tally,
        }
    }

    /// Returns the wish while the order has no direction yet: toward the aim, else a
    /// provisional step, else a halt.
    fn wait(&mut self, field: &Field<'_>, speed: f32) -> Wish {
        let aim = Lookahead::none(self.here.position);
        // Without an aim, the cell in memory is one that the unit has left.
        if self.unit.memory.aim.is_none() {
            self.unit.memory.aim = aim;
        }
        let wish = self.toward_aim(Sample::Waiting, speed);
        if wish.way != NONE {
            return wish;
        }
        self.unit.memory.aim = aim;
        let way = self.provisional_way(field);
        Wish::along(self.unit, way, speed)
    }

    /// Returns the wish where the field has no direction: toward the aim, or a
    /// halt.
    fn toward_aim(&mut self, sample: Sample, speed: f32) -> Wish {
        let OnLayer { position, radius } = self.here;
        let (ground, turn) = (self.own.layer.ground, self.turn());
        let aim = &mut self.unit.memory.aim;
        aim.keep(ground, position, radius, turn);
        let aim = aim
            .target(position)
            .filter(|_| self.own.group.settings.reading.looks_ahead());
        self.unit.memory.stray = aim.is_none() && sample == Sample::OffRoute;
        let way = aim.map_or(NONE, |aim| unit_toward(position, aim));
        Wish::along(self.unit, way, speed)
    }

    /// Returns the speed that the ground allows, as a part of full speed.
    fn footing(&self) -> f32 {
        if self.view.open > 0.0 || self.step.settings.terrain == HardGround::Ignored {
            return 1.0;
        }
        let hardness = self.own.layer.hardness(cell_of(self.here.position));
        1.0 / f32::from(hardness)
    }

    fn read(&mut self, field: &Field<'_>, sample: Sample) -> Vector {
        let OnLayer { position, radius } = self.here;
        if matches!(sample, Sample::Arrived | Sample::Link(_)) {
            let here = cell_of(position);
            return match (unit_toward(position, here.centre()), sample) {
                // A unit that waits at the middle of a link's entry steers toward its exit.
                (NONE, Sample::Link(link)) => {
                    let link = field.world.link(link);
                    let end = link.and_then(|link| link.end_of(here));
                    end.map_or(NONE, |end| unit_toward(position, end.centre()))
                }
                (way, _) => way,
            };
        }
        if self.step.patience.level(self.unit) >= LEVEL_RIGHT
            && let Some(direction) = sample.direction()
        {
            // From cell middle to cell middle, a path that never fails.
            let here = cell_of(position);
            let next = here.step(own_way(field, here, direction, self.unit.id));
            return unit_toward(position, next.centre());
        }
        let read = match self.own.group.settings.reading {
            Reading::Nearest => sample.direction().map(|direction| {
                own_way(field, cell_of(position), direction, self.unit.id).unit_vector()
            }),
            Reading::Bilinear => field.bilinear(position),
            Reading::LowestOfFour => {
                field.lowest_of_four(position, self.unit.velocity, self.unit.id)
            }
            // `Ahead`, and `Crowd` where there is no crowd.
            _ => {
                let viewer = Viewer {
                    position,
                    radius,
                    id: self.unit.id,
                    turn: self.turn(),
                    is_alone: self.view.around.means().is_none(),
                };
                let aim = &mut self.unit.memory.aim;
                aim.look(field, &viewer);
                match aim.target(position) {
                    Some(target) => Some(unit_toward(position, target)),
                    None => field.bilinear(position),
                }
            }
        };
        read.unwrap_or(NONE)
    }

    /// Returns the wish of a unit in a marching formation: toward its place,
    /// straight if the place is in sight, else along the field; faster if it
    /// lags behind.
    fn keep_slot(&mut self, march: &March, field: &Field<'_>, speed: f32) -> Wish {
        let ground = self.own.layer.ground;
        let slot = march.position_of(ground, self.unit.memory.slot, self.here.radius);
        let away = distance(slot, self.here.position);
        let still = self.unit.memory.idle > self.step.patience.whole.saturating_mul(2);
        if march.is_home() && (away < 0.06 || still) {
            self.unit.state = UnitState::Arrived;
            return Wish::to_stand(NONE);
        }
        let hurried = if away > march.spacing() {
            speed * self.step.settings.catch_up
        } else {
            speed
        };
        if sees(ground, self.here.position, slot, self.here.radius) {
            // By now the old aim lies behind the unit.
            self.unit.memory.aim = Lookahead::none(self.here.position);
            // Near its place on the march, a unit may stand without becoming
            // impatient. At the end it must reach its place, or become
            // impatient if it cannot.
            let way = if away > 0.5 || march.is_home() {
                unit_toward(self.here.position, slot)
            } else {
                NONE
            };
            let steer = arrive(self.here.position, self.unit.velocity, slot, hurried, 0.4);
            return Wish {
                steer,
                way,
                speed: hurried,
            };
        }
        let sample = field.sample(cell_of(self.here.position));
        if matches!(sample, Sample::OffRoute | Sample::Waiting) {
            return self.toward_aim(sample, hurried);
        }
        let way = self.read(field, sample);
        Wish::along(self.unit, way, hurried)
    }

    /// Returns the change of velocity that a wish of length 1 makes in this step.
    ///
    /// [`follow`] and [`alignment`] return the missing velocity as a part of the speed, so a
    /// slow unit in a long step would overshoot, and zigzag. At this strength it comes to the
    /// velocity at which it would settle in shorter steps.
    fn strength(&self, speed: f32) -> f32 {
        let force = self.step.settings.force * self.step.seconds;
        let gain = self.step.settings.follow + self.step.settings.alignment;
        if force * gain > speed {
            speed / gain
        } else {
            force
        }
    }

    /// Turns a unit to what it wishes, and returns where it comes.
    fn go(&mut self, wish: &Wish) -> Vector {
        let settings = self.step.settings;
        let around = &self.view.around;
        let mut steer = wish.steer;
        // At this level only: if it lasted, a whole army would drift to the
        // right.
        if self.step.patience.level(self.unit) == LEVEL_RIGHT {
            steer = sum(steer, times(right_of(wish.way), 0.8));
        }
        let top = lesser_nonzero(wish.speed, self.unit.speed);
        let (same_pace, together) = match around.means() {
            Some((velocity, middle)) => (
                alignment(self.unit.velocity, velocity, top),
                cohesion(
                    self.here.position,
                    self.own.layer.enter(middle),
                    settings.range,
                ),
            ),
            None => (NONE, NONE),
        };
        let total = blend(&[
            (steer, settings.follow),
            (around.separation, settings.separation),
            (same_pace, settings.alignment),
            (together, settings.cohesion),
            (around.avoidance, settings.avoidance),
        ]);
        let change = times(total, self.strength(top));
        self.unit.velocity = limited(sum(self.unit.velocity, change), top);
        let is_slow = || dot(self.unit.velocity, self.unit.velocity) < SLOW * SLOW;
        let stands = || self.own.group.target.stands() || self.unit.state == UnitState::Engaged;
        if wish.way == NONE && is_slow() && stands() {
            self.unit.velocity = NONE;
        }
        let wanted = self.unit.velocity;
        self.unit.velocity = turning::steered(self.unit, wanted, self.step.seconds);
        let way = times(self.unit.velocity, self.step.seconds);
        let OnLayer { position, radius } = self.here;
        slide_in_the_open(self.own.layer.ground, self.view.open, position, way, radius)
    }

    /// Whether walls alone keep a unit from coming nearer to a point in a straight line.
    fn stops_at_walls(&self, point: Vector) -> bool {
        let OnLayer { position, radius } = self.here;
        let way = times(unit_toward(position, point), TRIAL);
        let to = slide_on(self.own.layer.ground, position, way, radius);
        distance(to, point) > distance(position, point) - 0.1 * TRIAL
    }

    /// Returns the direction of a unit whose order has none yet, by the world's provisional
    /// steps: straight to the goal where the ground around is open, else to the middle of the
    /// next cell. None where it has to stand.
    fn provisional_way(&self, field: &Field<'_>) -> Vector {
        let here = cell_of(self.here.position);
        let Some(step) = field.world.provisional(field.order, here) else {
            return NONE;
        };
        let straight = self.own.goal.only.filter(|_| self.view.open > 0.0);
        let to = straight.unwrap_or(here.step(step)).centre();
        unit_toward(self.here.position, to)
    }
}

fn lesser_nonzero(wished: f32, speed: f32) -> f32 {
    if wished > 0.0 { wished } else { speed }
}

pub(super) fn unit_toward(from: Vector, to: Vector) -> Vector {
    unit(difference(to, from))
}
