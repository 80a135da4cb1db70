//! The first half of one unit's step: what it wants, and where it moves by
//! itself.

use crate::grid::Cell;
use crate::world::{FlowWorld, Sample};

use super::ahead::{Lookahead, Viewer};
use super::arrival::has_arrived;
use super::behaviour::{alignment, arrive, blend, cohesion, follow, seek};
use super::group::{Group, Target};
use super::index::Index;
use super::march::{March, sees};
use super::patience::{LEVEL_RIGHT, level};
use super::reading::{Field, Reading, bilinear, lowest_of_four};
use super::settings::{Body, HardGround, Settings, contact_margin};
use super::surroundings::{Contacts, Heed, Surroundings};
use super::ties::own_way;
use super::unit::{State, Unit};
use super::walls::{is_clear, nearest_clear, slide};
use crate::vector::{
    NONE, Vector, cell_of, difference, distance, limited, middle_of, right_of, sum, times, unit,
};

/// The lowest speed on hard ground, as a part of full speed.
const SLOWEST: f32 = 1.0 / 16.0;

/// The inputs of a step: the previous state.
pub(super) struct PreviousState<'a> {
    pub(super) world: &'a FlowWorld,
    pub(super) settings: &'a Settings,
    pub(super) units: &'a [Unit],
    pub(super) groups: &'a [Group],
    pub(super) index: &'a Index,
    #[cfg(feature = "crowd")]
    pub(super) foresight: &'a super::foresight::Foresight,
    pub(super) bodies: &'a [Body],
    pub(super) seconds: f32,
    pub(super) fastest: f32,
    pub(super) tick: u32,
}

/// The result for one unit.
#[derive(Clone, Copy)]
pub(super) struct Decision {
    pub(super) unit: Unit,
    pub(super) contacts: Contacts,
    /// Whether it touches units that have arrived elsewhere.
    pub(super) hemmed_in: bool,
    /// Its speed here if nothing were in its way.
    pub(super) speed: f32,
}

/// The move that a unit wants.
struct Wish {
    /// The behaviour's change of velocity.
    steer: Vector,
    /// The wanted direction, of length 1, or none.
    way: Vector,
    speed: f32,
}

impl Wish {
    const fn to_stand(steer: Vector) -> Self {
        Self {
            steer,
            way: NONE,
            speed: 0.0,
        }
    }
}

impl PreviousState<'_> {
    /// Decides for the sorted unit `at`.
    pub(super) fn decide(&self, at: usize) -> Decision {
        let mut unit = self.units[self.index.order()[at] as usize];
        let margin = contact_margin(self.fastest, self.seconds);
        let spans = self.index.around(at);
        let group = &self.groups[unit.group.index()];
        let foreseen = self.foreseen(&unit, group);
        let heed = match foreseen {
            Some(_) => Heed::Contacts,
            None => Heed::All,
        };
        let around = Surroundings::of(at, self.bodies, spans, self.settings, margin, heed);
        let costs = self.world.costs();
        let mut speed = 0.0;
        if !is_clear(costs, unit.position, unit.radius) {
            self.leave_wall(&mut unit);
        } else if unit.state == State::Arrived {
            unit.velocity = NONE;
        } else {
            let wish = self.wish(&mut unit, group, &around, foreseen);
            if unit.state == State::Marching {
                unit.memory.wish = wish.way;
                speed = wish.speed;
                self.go(&mut unit, &wish, &around);
            } else {
                unit.velocity = NONE;
            }
        }
        Decision {
            unit,
            hemmed_in: around.touches_foreign,
            contacts: around.contacts,
            speed,
        }
    }

    /// Returns the direction in which the crowd leads a unit, if it does.
    #[cfg(feature = "crowd")]
    fn foreseen(&self, unit: &Unit, group: &Group) -> Option<Vector> {
        let is_led = unit.state == State::Marching && group.reading == Reading::Crowd;
        is_led.then(|| self.foresight.direction(group, unit.position))?
    }

    /// Returns the direction of a unit that the crowd leads along `way`.
    #[cfg(feature = "crowd")]
    fn led(&self, unit: &Unit, group: &Group, way: Vector, goal: Cell, sample: Sample) -> Vector {
        let position = unit.position;
        if distance(position, middle_of(goal)) < 1.0 {
            return unit_toward(position, middle_of(goal));
        }
        sample.direction().map_or(way, |plain| {
            let plain = plain.unit_vector();
            self.foresight.across(group, position, way, plain)
        })
    }

    #[cfg(not(feature = "crowd"))]
    fn led(&self, _: &Unit, _: &Group, way: Vector, _: Cell, _: Sample) -> Vector {
        way
    }

    #[cfg(not(feature = "crowd"))]
    fn foreseen(&self, _: &Unit, _: &Group) -> Option<Vector> {
        None
    }

    /// Moves straight through the wall to the nearest place outside.
    fn leave_wall(&self, unit: &mut Unit) {
        let Some(place) = nearest_clear(self.world.costs(), unit.position, unit.radius) else {
            unit.velocity = NONE;
            return;
        };
        let way = limited(difference(place, unit.position), unit.speed * self.seconds);
        unit.position = sum(unit.position, way);
        unit.velocity = NONE;
    }

    /// Returns the wish that the unit's target gives it; marks the unit if it
    /// has arrived.
    fn wish(
        &self,
        unit: &mut Unit,
        group: &Group,
        around: &Surroundings,
        foreseen: Option<Vector>,
    ) -> Wish {
        unit.memory.stray = false;
        let speed = |unit: &Unit| unit.speed * self.footing(unit);
        match &group.target {
            Target::Nowhere => Wish {
                steer: NONE,
                way: NONE,
                speed: speed(unit),
            },
            Target::Stand => Wish {
                steer: follow(unit.velocity, NONE, speed(unit)),
                way: NONE,
                speed: speed(unit),
            },
            Target::Point(point) => Wish {
                steer: seek(unit.position, unit.velocity, *point, speed(unit)),
                way: NONE,
                speed: speed(unit),
            },
            Target::Order { order, goal } => {
                let field = Field {
                    world: self.world,
                    order,
                };
                self.obey(unit, group, around, &field, *goal, foreseen)
            }
        }
    }

    /// Returns the wish that the group's order gives the unit; marks the unit
    /// if it has arrived or is cut off.
    fn obey(
        &self,
        unit: &mut Unit,
        group: &Group,
        around: &Surroundings,
        field: &Field<'_>,
        goal: Cell,
        foreseen: Option<Vector>,
    ) -> Wish {
        let speed = unit.speed * self.footing(unit);
        let sample = field.sample(cell_of(unit.position));
        unit.state = State::Marching;
        if sample == Sample::Unreachable {
            unit.state = State::Unreachable;
            return Wish::to_stand(NONE);
        }
        if let Some(march) = &group.march {
            return self.keep_place(unit, group, march, field, speed);
        }
        unit.memory.pressed += u32::from(around.touches_settled);
        let on_goal = sample == Sample::Arrived;
        if has_arrived(
            unit,
            group,
            around,
            on_goal,
            self.settings,
            self.world.costs(),
        ) {
            unit.state = State::Arrived;
            return Wish::to_stand(NONE);
        }
        if let Some(way) = foreseen {
            // By the time the crowd no longer leads the unit, the old aim lies
            // behind it.
            unit.memory.aim = Lookahead::none(unit.position);
            let way = self.led(unit, group, way, goal, sample);
            let steer = follow(unit.velocity, way, speed);
            return Wish { steer, way, speed };
        }
        if matches!(sample, Sample::OffRoute | Sample::Waiting) {
            return self.hold(unit, group, sample, speed);
        }
        let way = self.read(unit, group, field, goal, sample);
        let steer = follow(unit.velocity, way, speed);
        Wish { steer, way, speed }
    }

    /// Returns the wish where the field has no direction: toward the aim, or a
    /// halt.
    fn hold(&self, unit: &mut Unit, group: &Group, sample: Sample, speed: f32) -> Wish {
        let turn = self.tick.wrapping_add(unit.id);
        let (position, radius) = (unit.position, unit.radius);
        let aim = &mut unit.memory.aim;
        aim.hold(self.world.costs(), position, radius, turn);
        let aimed = aim.target(position).filter(|_| group.reading.looks_ahead());
        let way = aimed.map(|aim| unit_toward(position, aim));
        unit.memory.stray = way.is_none() && sample == Sample::OffRoute;
        let way = way.unwrap_or(NONE);
        let steer = follow(unit.velocity, way, speed);
        Wish { steer, way, speed }
    }

    /// Returns the speed that the ground allows, as a part of full speed.
    fn footing(&self, unit: &Unit) -> f32 {
        if self.settings.terrain == HardGround::Ignored {
            return 1.0;
        }
        let cost = self.world.costs().get(cell_of(unit.position));
        let part = 1.0 / cost.map_or(1.0, |cost| f32::from(cost.value()));
        if part < SLOWEST { SLOWEST } else { part }
    }

    /// Returns the direction of the field, as the group reads it.
    fn read(
        &self,
        unit: &mut Unit,
        group: &Group,
        field: &Field<'_>,
        goal: Cell,
        sample: Sample,
    ) -> Vector {
        let (world, order, position) = (field.world, field.order, unit.position);
        if sample == Sample::Arrived {
            return unit_toward(position, middle_of(cell_of(position)));
        }
        if level(unit.memory.idle, self.settings.patience) >= LEVEL_RIGHT
            && let Some(direction) = sample.direction()
        {
            // From cell middle to cell middle, a path that never fails.
            let here = cell_of(position);
            let next = here.step(own_way(field, here, direction, unit.id));
            return unit_toward(position, middle_of(next));
        }
        let read = match group.reading {
            Reading::Nearest => sample.direction().map(|direction| {
                own_way(field, cell_of(position), direction, unit.id).unit_vector()
            }),
            Reading::Bilinear => bilinear(world, order, position),
            Reading::LowestOfFour => lowest_of_four(world, order, position, unit.velocity, unit.id),
            // `Ahead`, and `Crowd` where there is no crowd.
            _ => {
                let viewer = Viewer {
                    position,
                    radius: unit.radius,
                    id: unit.id,
                    turn: self.tick.wrapping_add(unit.id),
                };
                let aim = &mut unit.memory.aim;
                aim.look(field, sample, &viewer, goal);
                match aim.target(position) {
                    Some(target) => Some(unit_toward(position, target)),
                    None => bilinear(world, order, position),
                }
            }
        };
        read.unwrap_or(NONE)
    }

    /// Returns the wish of a unit in a marching formation: toward its place,
    /// straight if the place is in sight, else along the field; faster if it
    /// lags behind.
    fn keep_place(
        &self,
        unit: &mut Unit,
        group: &Group,
        march: &March,
        field: &Field<'_>,
        speed: f32,
    ) -> Wish {
        let costs = self.world.costs();
        let place = march.place(costs, unit.memory.slot, unit.radius);
        let away = distance(place, unit.position);
        let still = unit.memory.idle > self.settings.patience.saturating_mul(2);
        if march.is_home() && (away < 0.06 || still) {
            unit.state = State::Arrived;
            return Wish::to_stand(NONE);
        }
        let hurried = if away > march.spacing() {
            speed * self.settings.catch_up
        } else {
            speed
        };
        if sees(costs, unit.position, place, unit.radius) {
            // By now the old aim lies behind the unit.
            unit.memory.aim = Lookahead::none(unit.position);
            let way = unit_toward(unit.position, place);
            // Near its place on the march, a unit may stand without becoming
            // impatient. At the end it must reach its place, or become
            // impatient if it cannot.
            let way = if away > 0.5 || march.is_home() {
                way
            } else {
                NONE
            };
            let steer = arrive(unit.position, unit.velocity, place, hurried, 0.4);
            return Wish {
                steer,
                way,
                speed: hurried,
            };
        }
        let goal = group.goal().unwrap_or_default();
        let sample = field.sample(cell_of(unit.position));
        if matches!(sample, Sample::OffRoute | Sample::Waiting) {
            return self.hold(unit, group, sample, hurried);
        }
        let way = self.read(unit, group, field, goal, sample);
        Wish {
            steer: follow(unit.velocity, way, hurried),
            way,
            speed: hurried,
        }
    }

    /// Adds up all wishes, and moves the unit as far as walls allow.
    fn go(&self, unit: &mut Unit, wish: &Wish, around: &Surroundings) {
        let settings = self.settings;
        let mut steer = wish.steer;
        // At this level only: if it lasted, a whole army would drift to the
        // right.
        if level(unit.memory.idle, settings.patience) == LEVEL_RIGHT {
            steer = sum(steer, times(right_of(wish.way), 0.8));
        }
        let top = lesser_nonzero(wish.speed, unit.speed);
        let (same_pace, together) = match around.means() {
            Some((velocity, middle)) => (
                alignment(unit.velocity, velocity, top),
                cohesion(unit.position, middle, settings.range),
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
        let change = times(total, settings.force * self.seconds);
        unit.velocity = limited(sum(unit.velocity, change), top);
        let way = times(unit.velocity, self.seconds);
        let from = unit.position;
        unit.position = slide(self.world.costs(), from, way, unit.radius);
    }
}

/// Returns the wished speed, or the unit's own if it wishes for none.
fn lesser_nonzero(wished: f32, speed: f32) -> f32 {
    if wished > 0.0 { wished } else { speed }
}

fn unit_toward(from: Vector, to: Vector) -> Vector {
    unit(difference(to, from))
}
