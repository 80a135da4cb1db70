//! ORCA, of the crate `dodgy_2d`, led by the flow fields of flowtiles.
//!
//! The crate computes one velocity from those of the neighbours, the walls and the velocity that
//! a body prefers; all else is the game's, and here this file's.

use std::borrow::Cow;
use std::time::Duration;

use dodgy_2d::{Agent, AvoidanceOptions, Obstacle, Vec2};
use flowtiles::steer::parts::{FINE, Sight};
use flowtiles::{Budget, Cell, FlowWorld, Order, Sample};
use flowtiles_peers::clock;
use flowtiles_peers::random::Random;

use super::buckets::{Buckets, distance};
use super::engine::{Engine, STEP};
use super::outline::outline;
use super::scenes::{Body, Group, RADIUS, SPEED, Scene, cell_of};

/// How many cells down the field a body looks.
const AHEAD: usize = 48;
/// Steps between two looks of a body that stays in its cell.
const LOOK: usize = 10;
/// The distances within which neighbours are looked for, one after the other until there are
/// enough.
const RANGES: [f32; 4] = [1.5, 3.0, 6.0, 12.0];
/// By how much a preferred velocity is drawn off its direction, in cells a second, as in the
/// examples of RVO2: in perfect symmetry nobody could give way.
const DRAWN: f32 = 1e-3;
const FREE: Sight = Sight {
    // A body beside a wall still sees along it.
    clearance: (RADIUS * FINE as f32) as i32 - 1,
    ..Sight::OF_A_POINT
};

/// What a game chooses.
#[derive(Clone, Copy, Debug)]
pub struct Parameters {
    /// How far ahead collisions with bodies are avoided, in seconds.
    pub horizon: f32,
    /// The same with walls.
    pub wall_horizon: f32,
    /// How many neighbours count, the nearest ones.
    pub neighbours: usize,
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            horizon: 0.5,
            wall_horizon: 0.25,
            neighbours: 10,
        }
    }
}

/// Bodies that move by ORCA.
pub struct Orca {
    parameters: Parameters,
    world: FlowWorld,
    /// Of each group its order, its goal and the radius of the disc around the goal.
    orders: Vec<Option<Order>>,
    goals: Vec<Option<[f32; 2]>>,
    discs: Vec<f32>,
    walls: Vec<Obstacle>,
    bodies: Vec<Body>,
    agents: Vec<Agent>,
    aims: Vec<Aim>,
    there: Vec<bool>,
    buckets: Buckets,
    positions: Vec<[f32; 2]>,
    random: Random,
    steps: usize,
}

/// Where a body goes now.
struct Aim {
    /// The cell in which it last looked.
    from: Option<Cell>,
    point: [f32; 2],
    /// Whether it is to stop there.
    is_last: bool,
}

impl Orca {
    pub fn new(scene: &Scene, parameters: Parameters) -> Self {
        let mut world = FlowWorld::new(scene.map.clone());
        let groups = 0..scene.groups.len();
        let orders = groups.map(|group| scene.order(&mut world, group));
        let orders = orders.collect();
        let goal = |group: &Group| group.goal.map(Cell::centre);
        let agent = |body: &Body| Agent {
            position: body.start.into(),
            velocity: Vec2::ZERO,
            radius: RADIUS,
            avoidance_responsibility: 1.0,
        };
        let aim = |body: &Body| Aim {
            from: None,
            point: body.start,
            is_last: true,
        };
        let [columns, rows] = [scene.map.width(), scene.map.height()];
        Self {
            parameters,
            world,
            orders,
            goals: scene.groups.iter().map(goal).collect(),
            discs: scene.groups.iter().map(|group| scene.disc(group)).collect(),
            walls: outline(&scene.map),
            bodies: scene.bodies.clone(),
            agents: scene.bodies.iter().map(agent).collect(),
            aims: scene.bodies.iter().map(aim).collect(),
            there: vec![false; scene.bodies.len()],
            buckets: Buckets::new(columns as usize, rows as usize),
            positions: Vec::new(),
            random: Random::new(1),
            steps: 0,
        }
    }

    /// Lets each body look where it goes, if it has come to another cell or has not looked for
    /// a while.
    fn look(&mut self) {
        self.steps += 1;
        for (at, body) in self.bodies.iter().enumerate() {
            let position = self.agents[at].position.into();
            let here = cell_of(position);
            let aim = &mut self.aims[at];
            let due = (self.steps + at).is_multiple_of(LOOK);
            let Some(order) = &self.orders[body.group] else {
                continue;
            };
            if aim.from == Some(here) && !due {
                continue;
            }
            aim.from = Some(here);
            match self.world.sample(order, here) {
                Sample::Go(_) | Sample::Arrived => {
                    (aim.point, aim.is_last) = ahead(&self.world, order, position);
                }
                // It keeps its aim.
                _ => _ = self.world.cover(order, here),
            }
        }
    }

    /// Returns the velocity that each body prefers.
    fn preferred(&mut self) -> Vec<Vec2> {
        let mut preferred = Vec::new();
        for (agent, aim) in self.agents.iter().zip(&self.aims) {
            let way = Vec2::from(aim.point) - agent.position;
            // Slower over the last cell.
            let pace = if aim.is_last {
                way.length().min(1.0)
            } else {
                1.0
            };
            let mut drawn = || (self.random.below(2001) as f32 / 1000.0 - 1.0) * DRAWN;
            preferred.push(way.normalize_or_zero() * SPEED * pace + Vec2::new(drawn(), drawn()));
        }
        preferred
    }

    /// Moves all bodies.
    fn advance(&mut self, preferred: &[Vec2]) {
        let Parameters {
            horizon,
            wall_horizon,
            neighbours: most,
        } = self.parameters;
        let options = AvoidanceOptions {
            obstacle_margin: RADIUS,
            time_horizon: horizon,
            obstacle_time_horizon: wall_horizon,
        };
        self.positions.clear();
        let positions = self
            .agents
            .iter()
            .map(|agent| <[f32; 2]>::from(agent.position));
        self.positions.extend(positions);
        self.buckets.fill(&self.positions);
        let mut near: Vec<(f32, usize)> = Vec::new();
        let mut neighbours: Vec<Cow<'_, Agent>> = Vec::new();
        let mut walls: Vec<Cow<'_, Obstacle>> = Vec::new();
        let mut velocities = Vec::with_capacity(self.agents.len());
        for (at, agent) in self.agents.iter().enumerate() {
            let here = self.positions[at];
            for range in RANGES {
                near.clear();
                self.buckets.visit(here, range, |other| {
                    let far = distance(here, self.positions[other]);
                    if other != at && far < range {
                        near.push((far, other));
                    }
                });
                if near.len() >= most {
                    near.select_nth_unstable_by(most - 1, |one, other| one.0.total_cmp(&other.0));
                    near.truncate(most);
                    break;
                }
            }
            neighbours.clear();
            let others = near.iter().map(|near| Cow::Borrowed(&self.agents[near.1]));
            neighbours.extend(others);
            walls.clear();
            let reach = SPEED * wall_horizon + RADIUS;
            let close = self.walls.iter().filter(|wall| is_near(wall, here, reach));
            walls.extend(close.map(Cow::Borrowed));
            velocities.push(agent.compute_avoiding_velocity(
                &neighbours,
                &walls,
                preferred[at],
                SPEED,
                STEP,
                &options,
            ));
        }
        for (agent, velocity) in self.agents.iter_mut().zip(velocities) {
            agent.velocity = velocity;
            agent.position += velocity * STEP;
        }
    }

    /// Notes which units are in the disc around their goal.
    fn note(&mut self) {
        for (at, body) in self.bodies.iter().enumerate() {
            if let Some(goal) = self.goals[body.group] {
                let disc = self.discs[body.group];
                self.there[at] |= distance(self.agents[at].position.into(), goal) < disc;
            }
        }
    }
}

impl Engine for Orca {
    fn step(&mut self) -> Duration {
        self.world.tick(Budget::UNLIMITED);
        // Not in the time: how a field is read is the game's business.
        self.look();
        let preferred = self.preferred();
        let ((), time) = clock::on_thread(|| self.advance(&preferred));
        self.note();
        time
    }

    fn positions(&self, positions: &mut Vec<[f32; 2]>) {
        positions.clear();
        positions.extend(
            self.agents
                .iter()
                .map(|agent| <[f32; 2]>::from(agent.position)),
        );
    }

    fn there(&self) -> &[bool] {
        &self.there
    }
}

/// Returns where to go from a position: straight to the goal where nothing is gained by another
/// way, else to the last cell down the field that is in sight; and whether it is the goal.
fn ahead(world: &FlowWorld, order: &Order, position: [f32; 2]) -> ([f32; 2], bool) {
    let sees = |cell: Cell| {
        let [from, to] =
            [position, cell.centre()].map(|point| point.map(|at| (at * FINE as f32) as i32));
        FREE.along(world.costs(), from, to)
    };
    let here = cell_of(position);
    if let Some(goal) = world.sees_goal(order, here).filter(|&goal| sees(goal)) {
        return (goal.centre(), true);
    }
    let mut last = here;
    for step in 0..AHEAD {
        let Some(direction) = world.sample(order, last).direction() else {
            // A cell without a direction is the goal, or ends what is loaded.
            return (last.centre(), world.sample(order, last) == Sample::Arrived);
        };
        let next = last.step(direction);
        // The first step is always free.
        if step > 0 && !sees(next) {
            break;
        }
        last = next;
    }
    (last.centre(), false)
}

/// Whether an edge of a wall is within reach.
fn is_near(wall: &Obstacle, point: [f32; 2], reach: f32) -> bool {
    let (Obstacle::Closed { vertices } | Obstacle::Open { vertices }) = wall;
    let ends = vertices.iter().zip(vertices.iter().cycle().skip(1));
    // Edges run along the axes.
    ends.into_iter().any(|(one, other)| {
        let (low, high) = (one.min(*other), one.max(*other));
        let point = Vec2::from(point);
        point.distance(point.clamp(low, high)) < reach
    })
}
