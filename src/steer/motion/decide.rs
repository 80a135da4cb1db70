//! The first half of one unit's step: what it wants, and where it moves by
//! itself.

use super::arrival::has_arrived;
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
use crate::steer::reading::{CHECK, Field, Lookahead, Reading, Turn, Viewer, own_way, sees};
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
    pub(super) tick: u32,
}

#[derive(Clone, Copy, Default)]
pub(super) struct View {
    around: Surroundings,
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
        let filter = match foreseen {
            _ if role == Role::Pushed => NeighbourFilter::Touches,
            _ if unit.state == UnitState::Arrived || own.group.target.holds() => {
                NeighbourFilter::Touches
            }
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
        let is_clear = is_clear_in_the_open(view.open, view.here.radius)
            || is_clear_on(layer.ground, view.here.position, view.here.radius);
        if !is_clear {
            self.leave_wall(unit, own, &mut view.here);
        } else if own.group.target.holds() {
            self.come_home(unit, own, view);
        } else if unit.state == UnitState::Arrived {
            unit.velocity = NONE;
        } else {
            let wish = self.wish(unit, own, view);
            if own.group.target == Target::Flock {
                let away = self.away_from_walls(own, view);
                view.around.separation = sum(view.around.separation, away);
            }
            if unit.speed == 0.0
                && unit.state == UnitState::Marching
                && own.group.target.leads_away()
                && self.patience.level(unit) == LEVEL_LAST
            {
                unit.state = UnitState::Unreachable;
            }
            if unit.state == UnitState::Marching {
                unit.memory.wish = wish.way;
                view.wish = Some(wish);
            } else {
                unit.velocity = NONE;
            }
        }
    }

    /// Returns the wish of a unit that flocks to keep room to walls, along each axis more
    /// strongly the closer one is. It turns back as fast as it came.
    fn away_from_walls(&self, own: &GroupStep<'_>, view: &View) -> Vector {
        let range = self.settings.range;
        if range <= 0.0 || is_clear_in_the_open(view.open, view.here.radius + range) {
            return NONE;
        }
        let ground = own.layer.ground;
        let ways = [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]];
        ways.into_iter().fold(NONE, |away, way| {
            let to = slide_on(
                ground,
                view.here.position,
                times(way, range),
                view.here.radius,
            );
            let missing = 1.0 - distance(view.here.position, to) / range;
            sum(away, times(way, -missing))
        })
    }

    /// Moves a unit as it has decided.
    pub(super) fn act(&self, unit: &mut Unit, view: &View) -> Decision {
        let own = &self.groups[unit.group.index()];
        let (mut to, mut speed) = (view.here.position, 0.0);
        if let Some(wish) = &view.wish {
            speed = wish.speed;
            to = self.go(unit, own, wish, view);
        }
        unit.position = own.layer.leave(to);
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

    /// Returns the direction of a unit that the crowd leads along `way`.
    #[cfg(feature = "crowd")]
    fn led(
        &self,
        unit: &Unit,
        own: &GroupStep<'_>,
        here: &OnLayer,
        way: Vector,
        sample: Sample,
    ) -> Vector {
        let position = here.position;
        let on_goal = (sample == Sample::Arrived).then(|| cell_of(position));
        let goal = unit.memory.end.or(own.goal.only).or(on_goal);
        if let Some(goal) = goal.map(Cell::centre)
            && distance(position, goal) < 1.0
        {
            return unit_toward(position, goal);
        }
        sample.direction().map_or(way, |plain| {
            let plain = plain.unit_vector();
            self.foresight.across(own.stream, position, way, plain)
        })
    }

    #[cfg(not(feature = "crowd"))]
    fn led(&self, _: &Unit, _: &GroupStep<'_>, _: &OnLayer, way: Vector, _: Sample) -> Vector {
        way
    }

    #[cfg(not(feature = "crowd"))]
    fn foreseen(&self, _: &Unit, _: &GroupStep<'_>) -> Option<Vector> {
        None
    }

    pub(super) const fn turn(&self, unit: &Unit) -> Turn {
        Turn::of(unit.id, self.tick)
    }

    pub(super) fn field<'b>(&'b self, own: &GroupStep<'b>, order: &'b Order) -> Field<'b> {
        Field {
            world: self.world,
            order,
            ground: own.layer.ground,
        }
    }

    /// Moves a unit that is in a wall or off the map toward the nearest place outside. Where
    /// there is none near, a unit that wants to go anywhere is cut off.
    fn leave_wall(&self, unit: &mut Unit, own: &GroupStep<'_>, here: &mut OnLayer) {
        unit.velocity = NONE;
        let ground = own.layer.ground;
        if let Some(place) = nearest_clear_on(ground, here.position, here.radius) {
            let way = limited(difference(place, here.position), unit.speed * self.seconds);
            here.position = sum(here.position, way);
        } else if unit.state == UnitState::Marching && own.group.target.leads_away() {
            unit.state = UnitState::Unreachable;
            unit.memory.stray = false;
        }
    }

    /// Moves a unit that holds its place back there, once no unit goes past.
    fn come_home(&self, unit: &mut Unit, own: &GroupStep<'_>, view: &mut View) {
        unit.state = UnitState::Arrived;
        unit.memory.stray = false;
        unit.velocity = NONE;
        let layer = own.layer;
        let ground = layer.ground;
        let from = view.here.position;
        let home = layer.enter(unit.memory.home);
        let far = self.speed(unit, own, view) * self.seconds;
        if from == home || far == 0.0 || view.around.touches_moving {
            return;
        }
        let way = difference(home, from);
        let to = slide_on(ground, from, limited(way, far), view.here.radius);
        let is_home = distance(to, home) < HOME && is_clear_on(ground, home, view.here.radius);
        view.here.position = if is_home { home } else { to };
        unit.velocity = times(difference(view.here.position, from), 1.0 / self.seconds);
    }

    pub(super) fn speed(&self, unit: &Unit, own: &GroupStep<'_>, view: &View) -> f32 {
        lesser(unit.speed, own.top) * self.footing(own, view)
    }

    /// Returns the wish that the unit's target gives it; marks the unit if it
    /// has arrived.
    fn wish(&self, unit: &mut Unit, own: &GroupStep<'_>, view: &View) -> Wish {
        unit.memory.stray = false;
        match &own.group.target {
            Target::Flock => Wish {
                steer: NONE,
                way: NONE,
                speed: self.speed(unit, own, view),
            },
            Target::Stand | Target::Hold => self.stand(unit, own, view),
            Target::Point(point) => self.seek_point(unit, own, view, *point),
            Target::Follow(_) => {
                unit.state = UnitState::Marching;
                match own.leader {
                    Some(leader) if leader.id != unit.id => {
                        self.follow_unit(unit, own, view, leader)
                    }
                    _ => self.stand(unit, own, view),
                }
            }
            Target::Pursue(_, chase) => match own.group.order() {
                Some(order) => self.pursue(unit, own, view, chase, order),
                None => self.stand(unit, own, view),
            },
            Target::Flee { .. } => match own.group.order() {
                Some(order) => self.follow_order(unit, own, view, order),
                None => self.stand(unit, own, view),
            },
            Target::Order(order) | Target::AttackMove(order, _) => {
                if let Target::AttackMove(_, chase) = &own.group.target
                    && let Some(wish) = self.charge(unit, own, view, chase)
                {
                    return wish;
                }
                self.obey(unit, own, view, &self.field(own, order))
            }
        }
    }

    pub(super) fn stand(&self, unit: &Unit, own: &GroupStep<'_>, view: &View) -> Wish {
        let speed = self.speed(unit, own, view);
        Wish::along(unit, NONE, speed)
    }

    /// Returns the wish to go straight to a point; marks the unit if it has
    /// arrived.
    fn seek_point(&self, unit: &mut Unit, own: &GroupStep<'_>, view: &View, point: Vector) -> Wish {
        let layer = own.layer;
        let point = layer.enter(point);
        let was_cut_off = unit.state == UnitState::Unreachable;
        let is_stuck = self.patience.level(unit) == LEVEL_LAST;
        if (was_cut_off || is_stuck && stops_at_walls(layer, &view.here, point))
            && !sees(layer.ground, view.here.position, point, view.here.radius)
        {
            unit.state = UnitState::Unreachable;
            return Wish::to_stand(NONE);
        }
        unit.state = UnitState::Marching;
        self.note_pressing(unit, view);
        if has_arrived(
            unit,
            &view.here,
            point,
            &own.tally,
            &view.around,
            self.patience,
            layer,
        ) {
            unit.state = UnitState::Arrived;
            return Wish::to_stand(NONE);
        }
        let speed = self.speed(unit, own, view);
        self.straight_to(unit, &view.here, point, speed)
    }

    /// Returns the wish to go straight to a point, and no farther. The point is on the
    /// unit's layer.
    pub(super) fn straight_to(
        &self,
        unit: &Unit,
        here: &OnLayer,
        point: Vector,
        speed: f32,
    ) -> Wish {
        let way = unit_toward(here.position, point);
        let left = distance(here.position, point);
        let part = lesser(left / greater(speed * self.seconds, left), 1.0);
        let steer = follow(unit.velocity, times(way, part), speed);
        Wish { steer, way, speed }
    }

    /// Notes how long a unit has touched units that have arrived where it goes.
    fn note_pressing(&self, unit: &mut Unit, view: &View) {
        if view.around.touches_settled {
            let pressed = &mut unit.memory.pressed;
            *pressed = pressed.saturating_add(self.patience.step);
        }
    }

    fn follow_unit(&self, unit: &Unit, own: &GroupStep<'_>, view: &View, leader: &Unit) -> Wish {
        let speed = self.speed(unit, own, view);
        let room = leader.radius + self.settings.room + own.tally.disc();
        let ahead = own.layer.enter(leader.position);
        if distance(view.here.position, ahead) > room {
            let way = unit_toward(view.here.position, ahead);
            return Wish::along(unit, way, speed);
        }
        Wish {
            steer: alignment(unit.velocity, leader.velocity, speed),
            way: NONE,
            speed,
        }
    }

    /// Returns the wish that the group's order gives the unit; marks the unit
    /// if it has arrived or is cut off.
    fn obey(&self, unit: &mut Unit, own: &GroupStep<'_>, view: &View, field: &Field<'_>) -> Wish {
        let speed = self.speed(unit, own, view);
        let sample = field.sample(cell_of(view.here.position));
        unit.state = UnitState::Marching;
        if sample == Sample::Unreachable {
            unit.state = UnitState::Unreachable;
            return Wish::to_stand(NONE);
        }
        if let Some(march) = &own.group.march {
            return self.keep_slot(unit, own, view, march, field, speed);
        }
        self.note_pressing(unit, view);
        let on_goal = sample == Sample::Arrived;
        self.find_end(unit, own, view, field, on_goal);
        let goal = if on_goal {
            cell_of(view.here.position).centre()
        } else {
            unit.memory.end.map_or(own.group.point(), Cell::centre)
        };
        let tally = self.tally(unit, own);
        if has_arrived(
            unit,
            &view.here,
            goal,
            tally,
            &view.around,
            self.patience,
            own.layer,
        ) {
            unit.state = UnitState::Arrived;
            return Wish::to_stand(NONE);
        }
        self.march(unit, own, view, field, sample)
    }

    pub(super) fn march(
        &self,
        unit: &mut Unit,
        own: &GroupStep<'_>,
        view: &View,
        field: &Field<'_>,
        sample: Sample,
    ) -> Wish {
        let speed = self.speed(unit, own, view);
        if let Some(way) = view.foreseen {
            // By the time the crowd no longer leads the unit, the old aim lies
            // behind it.
            unit.memory.aim = Lookahead::none(view.here.position);
            let way = self.led(unit, own, &view.here, way, sample);
            return Wish::along(unit, way, speed);
        }
        if let Some(point) = self.abreast(unit, own, sample) {
            // By the time the unit goes by the field again, the old aim lies behind it.
            unit.memory.aim = Lookahead::none(view.here.position);
            let way = unit_toward(view.here.position, point);
            return Wish::along(unit, way, speed);
        }
        if sample == Sample::Waiting {
            return self.wait(unit, own, view, field, speed);
        }
        if sample == Sample::OffRoute {
            return self.toward_aim(unit, own, &view.here, sample, speed);
        }
        let way = self.read(unit, own, &view.here, field, sample);
        Wish::along(unit, way, speed)
    }

    /// Returns the point to which a unit goes that keeps its group's width.
    fn abreast(&self, unit: &Unit, own: &GroupStep<'_>, sample: Sample) -> Option<Vector> {
        let GroupSettings {
            keeps_width,
            reading,
            ..
        } = own.group.settings;
        if !(keeps_width && reading.looks_ahead()) {
            return None;
        }
        let is_free = !matches!(sample, Sample::Arrived | Sample::Link(_));
        let is_calm = self.patience.level(unit) < LEVEL_RIGHT;
        (is_free && is_calm).then(|| own.group.trail.point_for(unit))?
    }

    /// Finds the goal cell to which the order leads the unit, if it has several
    /// and the unit may be about to arrive. The path is walked only then.
    fn find_end(
        &self,
        unit: &mut Unit,
        own: &GroupStep<'_>,
        view: &View,
        field: &Field<'_>,
        on_goal: bool,
    ) {
        if !own.goal.has_several_ends {
            return;
        }
        let here = cell_of(view.here.position);
        let halted = self.patience.is_halted(unit);
        if on_goal {
            unit.memory.end = Some(here);
        } else if (view.around.touches_settled || halted)
            && (unit.memory.end.is_none() || self.turn(unit).is_every(CHECK))
        {
            unit.memory.end = field.world.destination(field.order, here);
        }
    }

    fn tally<'b>(&'b self, unit: &Unit, own: &'b GroupStep<'_>) -> &'b Tally {
        const NO_UNITS: &Tally = &Tally::NONE;
        match unit.memory.end {
            Some(end) if own.group.goal() != Some(end) => {
                let key = (own.goal.key, [end.x, end.y]);
                self.ends.get(&key).unwrap_or(NO_UNITS)
            }
            _ => &own.tally,
        }
    }

    /// Returns the wish while the order has no direction yet: toward the aim, else a
    /// provisional step, else a halt.
    fn wait(
        &self,
        unit: &mut Unit,
        own: &GroupStep<'_>,
        view: &View,
        field: &Field<'_>,
        speed: f32,
    ) -> Wish {
        let aim = Lookahead::none(view.here.position);
        // Without an aim, the cell in memory is one that the unit has left.
        if unit.memory.aim.is_none() {
            unit.memory.aim = aim;
        }
        let wish = self.toward_aim(unit, own, &view.here, Sample::Waiting, speed);
        if wish.way != NONE {
            return wish;
        }
        unit.memory.aim = aim;
        let way = provisional_way(own, view, field);
        Wish::along(unit, way, speed)
    }

    /// Returns the wish where the field has no direction: toward the aim, or a
    /// halt.
    fn toward_aim(
        &self,
        unit: &mut Unit,
        own: &GroupStep<'_>,
        here: &OnLayer,
        sample: Sample,
        speed: f32,
    ) -> Wish {
        let OnLayer { position, radius } = *here;
        let (ground, turn) = (own.layer.ground, self.turn(unit));
        let aim = &mut unit.memory.aim;
        aim.keep(ground, position, radius, turn);
        let aim = aim
            .target(position)
            .filter(|_| own.group.settings.reading.looks_ahead());
        unit.memory.stray = aim.is_none() && sample == Sample::OffRoute;
        let way = aim.map_or(NONE, |aim| unit_toward(position, aim));
        Wish::along(unit, way, speed)
    }

    /// Returns the speed that the ground allows, as a part of full speed.
    fn footing(&self, own: &GroupStep<'_>, view: &View) -> f32 {
        if view.open > 0.0 || self.settings.terrain == HardGround::Ignored {
            return 1.0;
        }
        let hardness = own.layer.hardness(cell_of(view.here.position));
        1.0 / f32::from(hardness)
    }

    fn read(
        &self,
        unit: &mut Unit,
        own: &GroupStep<'_>,
        here: &OnLayer,
        field: &Field<'_>,
        sample: Sample,
    ) -> Vector {
        let OnLayer { position, radius } = *here;
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
        if self.patience.level(unit) >= LEVEL_RIGHT
            && let Some(direction) = sample.direction()
        {
            // From cell middle to cell middle, a path that never fails.
            let here = cell_of(position);
            let next = here.step(own_way(field, here, direction, unit.id));
            return unit_toward(position, next.centre());
        }
        let read = match own.group.settings.reading {
            Reading::Nearest => sample.direction().map(|direction| {
                own_way(field, cell_of(position), direction, unit.id).unit_vector()
            }),
            Reading::Bilinear => field.bilinear(position),
            Reading::LowestOfFour => field.lowest_of_four(position, unit.velocity, unit.id),
            // `Ahead`, and `Crowd` where there is no crowd.
            _ => {
                let viewer = Viewer {
                    position,
                    radius,
                    id: unit.id,
                    turn: self.turn(unit),
                };
                let aim = &mut unit.memory.aim;
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
    fn keep_slot(
        &self,
        unit: &mut Unit,
        own: &GroupStep<'_>,
        view: &View,
        march: &March,
        field: &Field<'_>,
        speed: f32,
    ) -> Wish {
        let ground = own.layer.ground;
        let slot = march.position_of(ground, unit.memory.slot, view.here.radius);
        let away = distance(slot, view.here.position);
        let still = unit.memory.idle > self.patience.whole.saturating_mul(2);
        if march.is_home() && (away < 0.06 || still) {
            unit.state = UnitState::Arrived;
            return Wish::to_stand(NONE);
        }
        let hurried = if away > march.spacing() {
            speed * self.settings.catch_up
        } else {
            speed
        };
        if sees(ground, view.here.position, slot, view.here.radius) {
            // By now the old aim lies behind the unit.
            unit.memory.aim = Lookahead::none(view.here.position);
            // Near its place on the march, a unit may stand without becoming
            // impatient. At the end it must reach its place, or become
            // impatient if it cannot.
            let way = if away > 0.5 || march.is_home() {
                unit_toward(view.here.position, slot)
            } else {
                NONE
            };
            let steer = arrive(view.here.position, unit.velocity, slot, hurried, 0.4);
            return Wish {
                steer,
                way,
                speed: hurried,
            };
        }
        let sample = field.sample(cell_of(view.here.position));
        if matches!(sample, Sample::OffRoute | Sample::Waiting) {
            return self.toward_aim(unit, own, &view.here, sample, hurried);
        }
        let way = self.read(unit, own, &view.here, field, sample);
        Wish::along(unit, way, hurried)
    }

    /// Returns the change of velocity that a wish of length 1 makes in this step.
    ///
    /// [`follow`] and [`alignment`] return the missing velocity as a part of the speed, so a
    /// slow unit in a long step would overshoot, and zigzag. At this strength it comes to the
    /// velocity at which it would settle in shorter steps.
    fn strength(&self, speed: f32) -> f32 {
        let force = self.settings.force * self.seconds;
        let gain = self.settings.follow + self.settings.alignment;
        if force * gain > speed {
            speed / gain
        } else {
            force
        }
    }

    /// Turns a unit to what it wishes, and returns where it comes.
    fn go(&self, unit: &mut Unit, own: &GroupStep<'_>, wish: &Wish, view: &View) -> Vector {
        let settings = self.settings;
        let around = &view.around;
        let mut steer = wish.steer;
        // At this level only: if it lasted, a whole army would drift to the
        // right.
        if self.patience.level(unit) == LEVEL_RIGHT {
            steer = sum(steer, times(right_of(wish.way), 0.8));
        }
        let top = lesser_nonzero(wish.speed, unit.speed);
        let (same_pace, together) = match around.means() {
            Some((velocity, middle)) => (
                alignment(unit.velocity, velocity, top),
                cohesion(view.here.position, own.layer.enter(middle), settings.range),
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
        unit.velocity = limited(sum(unit.velocity, change), top);
        let is_slow = || dot(unit.velocity, unit.velocity) < SLOW * SLOW;
        let stands = || own.group.target.stands();
        if wish.way == NONE && is_slow() && stands() {
            unit.velocity = NONE;
        }
        unit.velocity = turning::steered(unit, unit.velocity, self.seconds);
        let way = times(unit.velocity, self.seconds);
        let OnLayer { position, radius } = view.here;
        slide_in_the_open(own.layer.ground, view.open, position, way, radius)
    }
}

/// Whether walls alone keep a unit from coming nearer to a point in a straight line.
fn stops_at_walls(layer: &GroupLayer<'_>, here: &OnLayer, point: Vector) -> bool {
    let way = times(unit_toward(here.position, point), TRIAL);
    let to = slide_on(layer.ground, here.position, way, here.radius);
    distance(to, point) > distance(here.position, point) - 0.1 * TRIAL
}

/// Returns the direction of a unit whose order has none yet, by the world's provisional
/// steps: straight to the goal where the ground around is open, else to the middle of the
/// next cell. None where it has to stand.
fn provisional_way(own: &GroupStep<'_>, view: &View, field: &Field<'_>) -> Vector {
    let here = cell_of(view.here.position);
    let Some(step) = field.world.provisional(field.order, here) else {
        return NONE;
    };
    let straight = own.goal.only.filter(|_| view.open > 0.0);
    unit_toward(
        view.here.position,
        straight.unwrap_or(here.step(step)).centre(),
    )
}

fn lesser_nonzero(wished: f32, speed: f32) -> f32 {
    if wished > 0.0 { wished } else { speed }
}

fn unit_toward(from: Vector, to: Vector) -> Vector {
    unit(difference(to, from))
}
