//! Groups that keep their width on the march.
//!
//! A field leads all units along the cheapest path, so a wide group becomes a thin column
//! at the first corner and stays one. A group that keeps its width goes *abreast*: the
//! unit nearest to the goal is its *leader* and leaves marks on its path, the *trail*.
//! Every other unit has a *lane*, its distance to the right of the leader's path when it
//! set out, and goes to a point ahead on the trail, moved sideways to its lane:
//!
//! ```text
//!      u ─ ─ ─ ─ ─ ─ ─ ▷ p             p is in sight from u and from the trail. Where it
//!                        ┆             is not, three quarters, a half or a quarter of
//!   •────•────•────•─────┼────L┄┄┄▷    the lane are tried, and then none. Where no point
//!      the trail         ahead  aim    is in sight, u goes by the field itself.
//! ```
//!
//! So the group folds at a pass and unfolds behind it, and no unit waits. Near the goal the
//! lanes lead together, so that the units settle around it.

use crate::kernel::STRAIGHT;
use crate::sight::{FINE, Sight, SightGround};
use crate::steer::reading::{Clock, Field, LOOK, Lookahead, fine};
use crate::steer::units::{IdSet, Roster, Unit, UnitState};
use crate::steer::walls::{GroupLayer, LayerGround};
use crate::vector::{
    Vector, cell_of, difference, distance, dot, greater, lesser, right_of, sum, times, unit,
};

/// How far ahead on the trail a unit aims, in cells, and how far apart the marks are.
const AHEAD: f32 = 12.0;
const APART: f32 = 4.0;
/// The most marks, the last of the group that still finds one.
pub(crate) const MARKS: usize = 64;
/// The widest lane to either side, in cells: units that set out farther apart come together.
pub(crate) const WIDEST: f32 = 24.0;
/// The parts of a lane that are tried, the widest first.
const PARTS: [f32; 5] = [1.0, 0.75, 0.5, 0.25, 0.0];
/// Turns between two looks for a leader.
const LEADER: u32 = 64;
/// Followers beyond twice the group's units before all take a lane anew.
const SPARE: usize = 64;
/// How much nearer to the goal another unit must be to become the leader, in cells.
const NEARER: u64 = 8;
const CELL_PRICE: u64 = STRAIGHT as u64;

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Trail {
    pub(crate) leader: Option<u32>,
    /// Where leaders went, the oldest first.
    pub(crate) marks: Vec<Mark>,
    /// The units that took a lane, each at the place that it remembers as its slot.
    pub(crate) followers: Vec<Follower>,
}

/// A place on the path of a leader, and that leader's lane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Mark {
    pub(crate) position: Vector,
    pub(crate) lane: f32,
}

/// What a group knows of a unit that goes abreast.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Follower {
    pub(crate) id: u32,
    pub(crate) lane: f32,
    /// The point to which it goes; none where it goes by the field.
    pub(crate) point: Option<Vector>,
}

impl Trail {
    /// Returns the point to which a unit goes to keep its lane.
    pub(crate) fn point_for(&self, unit: &Unit) -> Option<Vector> {
        self.follower(unit)?.point
    }

    fn follower(&self, unit: &Unit) -> Option<&Follower> {
        let follower = self.followers.get(unit.memory.slot as usize);
        follower.filter(|follower| follower.id == unit.id)
    }

    /// Brings the trail up to date, and the aims of the units whose turn it is. Returns
    /// the slots of those that take a lane.
    pub(crate) fn step(&mut self, band: &Band<'_>, clock: Clock) -> Vec<(u32, u32)> {
        self.leader = self.leader.filter(|&id| band.marching(id).is_some());
        if self.leader.is_none() || clock.turn(0).is_every(LEADER) {
            self.choose_leader(band);
        }
        let leader = self.leader.and_then(|id| band.marching(id));
        let led = leader.and_then(|leader| {
            let here = band.layer.enter(leader.position);
            Some((
                leader,
                here,
                band.leader_point(leader, here, !self.followers.is_empty())?,
            ))
        });
        let Some((leader, here, end)) = led else {
            self.followers.iter_mut().for_each(|one| one.point = None);
            return Vec::new();
        };
        if self.followers.len() > 2 * band.members.len() + SPARE {
            // Most have left the group.
            self.followers.clear();
        }
        let lane = self.follower(leader).map_or(0.0, |one| one.lane);
        let front = Mark {
            position: here,
            lane,
        };
        let path = Path::new(&self.marks, front, end);
        let mut taken = Vec::new();
        let all_take_lanes = self.followers.is_empty();
        for id in band.members.iter() {
            let is_turn = clock.turn(id).is_every(LOOK);
            if !all_take_lanes && !is_turn {
                continue;
            }
            let Some(unit) = band.marching(id) else {
                continue;
            };
            let known = self.follower(unit).map(|one| one.lane);
            let lane = known.unwrap_or_else(|| path.lane(band.layer.enter(unit.position)));
            let is_led = is_turn && id != leader.id;
            let point = is_led.then(|| path.point_for(band, unit, lane)).flatten();
            let follower = Follower { id, lane, point };
            if known.is_some() {
                self.followers[unit.memory.slot as usize] = follower;
            } else {
                taken.push((id, self.followers.len() as u32));
                self.followers.push(follower);
            }
        }
        self.leave_mark(front);
        taken
    }

    /// Makes the unit that is nearest to the goal the leader, unless the present one is
    /// nearly as near.
    fn choose_leader(&mut self, band: &Band<'_>) {
        let far = |unit: &Unit| band.cost_to_go(band.layer.enter(unit.position));
        let nearest = band
            .members
            .iter()
            .filter_map(|id| band.marching(id))
            .filter_map(|unit| Some((far(unit)?, unit.id)))
            .min();
        let Some((least, id)) = nearest else {
            return;
        };
        let present = self.leader.and_then(|id| far(band.marching(id)?));
        if present.is_some_and(|present| present <= least + NEARER * CELL_PRICE) {
            return;
        }
        self.leader = Some(id);
        if let Some(leader) = band.marching(id) {
            self.cut_at(band.layer.enter(leader.position));
        }
    }

    /// Forgets the marks ahead of a place, and all if it is far from them.
    fn cut_at(&mut self, position: Vector) {
        let far = |mark: &Mark| distance(mark.position, position);
        let kept = self
            .marks
            .iter()
            .enumerate()
            .min_by(|(_, one), (_, two)| far(one).total_cmp(&far(two)))
            .filter(|(_, mark)| far(mark) <= WIDEST);
        self.marks.truncate(kept.map_or(0, |(at, _)| at));
    }

    fn leave_mark(&mut self, mark: Mark) {
        let last = self.marks.last();
        if last.is_none_or(|last| distance(last.position, mark.position) >= APART) {
            self.marks.push(mark);
            let spare = self.marks.len().saturating_sub(MARKS);
            self.marks.drain(..spare);
        }
    }
}

/// The marks, the leader's position, and the point to which it goes.
struct Path {
    marks: Vec<Mark>,
}

impl Path {
    fn new(trail: &[Mark], leader: Mark, end: Vector) -> Self {
        let mut marks = trail.to_vec();
        let end = Mark {
            position: end,
            ..leader
        };
        marks.extend([leader, end]);
        Self { marks }
    }

    /// Returns the lane of a unit that joins here.
    fn lane(&self, position: Vector) -> f32 {
        let [beside, ahead] = self.ahead(position);
        let right = right_of(direction(beside.position, ahead.position));
        let off = dot(difference(position, beside.position), right);
        greater(lesser(beside.lane + off, WIDEST), -WIDEST)
    }

    /// Returns the point to which a unit goes to keep its lane.
    fn point_for(&self, band: &Band<'_>, unit: &Unit, lane: f32) -> Option<Vector> {
        let position = band.layer.enter(unit.position);
        let [beside, ahead] = self.ahead(position);
        let left = band.cost_to_go(ahead.position)?;
        if band.cost_to_go(position).is_some_and(|here| here <= left) {
            return None;
        }
        // The lanes lead together over the last cells before the goal.
        let most = (left / CELL_PRICE) as f32 / 2.0;
        let off = greater(lesser(lane - ahead.lane, most), -most);
        let right = right_of(direction(beside.position, ahead.position));
        let points = PARTS.map(|part| sum(ahead.position, times(right, off * part)));
        let sight = LaneSight::of(band.layer, unit, ahead.position)?;
        points
            .into_iter()
            .find(|&point| sight.sees(position, point) && sight.sees(ahead.position, point))
    }

    /// Returns the point of the path that is nearest to a place, and the one that lies
    /// [`AHEAD`] of it.
    fn ahead(&self, position: Vector) -> [Mark; 2] {
        let pairs = || self.marks.windows(2).map(|pair| (pair[0], pair[1]));
        let mut least = f32::INFINITY;
        let mut nearest = (0, self.marks[0]);
        for (at, (one, two)) in pairs().enumerate() {
            let way = difference(two.position, one.position);
            let off = difference(position, one.position);
            let part = dot(off, way) / greater(dot(way, way), 1e-6);
            let beside = between(one, two, lesser(greater(part, 0.0), 1.0));
            let miss = difference(position, beside.position);
            if dot(miss, miss) <= least {
                least = dot(miss, miss);
                nearest = (at, beside);
            }
        }
        let (at, beside) = nearest;
        let mut from = beside;
        let mut far = AHEAD;
        for &mark in &self.marks[at + 1..] {
            let long = distance(from.position, mark.position);
            if far < long {
                return [beside, between(from, mark, far / long)];
            }
            from = mark;
            far -= long;
        }
        [beside, from]
    }
}

/// Returns the point between two marks, after this part of the way.
fn between(one: Mark, two: Mark, part: f32) -> Mark {
    let way = difference(two.position, one.position);
    Mark {
        position: sum(one.position, times(way, part)),
        lane: one.lane + (two.lane - one.lane) * part,
    }
}

/// The sight of a unit: over ground that costs no more than that of the trail, so that
/// none goes beside a road.
struct LaneSight<'w> {
    ground: LayerGround<'w>,
    sight: Sight,
}

impl<'w> LaneSight<'w> {
    fn of(layer: &GroupLayer<'w>, unit: &Unit, trail: Vector) -> Option<Self> {
        let ground = layer.ground;
        let highest = ground.cost(cell_of(trail))?;
        let clearance = fine(layer.radius(unit.radius)) + FINE / 16;
        let sight = Sight { clearance, highest };
        Some(Self { ground, sight })
    }

    fn sees(&self, from: Vector, to: Vector) -> bool {
        let cost = self.ground.cost(cell_of(to));
        cost.is_some_and(|cost| cost <= self.sight.highest)
            && self.sight.over(&self.ground, from.map(fine), to.map(fine))
    }
}

fn direction(from: Vector, to: Vector) -> Vector {
    unit(difference(to, from))
}

/// A group on its way, and what it asks.
pub(crate) struct Band<'a> {
    pub(crate) field: Field<'a>,
    pub(crate) layer: &'a GroupLayer<'a>,
    pub(crate) roster: &'a Roster,
    pub(crate) members: &'a IdSet,
}

impl Band<'_> {
    fn marching(&self, id: u32) -> Option<&Unit> {
        let is_here = self.members.contains(id);
        let unit = self.roster.get(id).filter(|_| is_here)?;
        (unit.state == UnitState::Marching).then_some(unit)
    }

    fn cost_to_go(&self, position: Vector) -> Option<u64> {
        let Field { world, order, .. } = self.field;
        world.cost_to_go(order, cell_of(position))
    }

    /// Returns the point to which the leader goes; before there are lanes, once it has
    /// looked far ahead.
    fn leader_point(&self, leader: &Unit, here: Vector, has_lanes: bool) -> Option<Vector> {
        let Lookahead { stuck, .. } = leader.memory.aim;
        let aim = leader
            .memory
            .aim
            .target(here)
            .or_else(|| Some(sum(here, self.field.bilinear(here)?)))?;
        (has_lanes || stuck || distance(here, aim) >= WIDEST).then_some(aim)
    }
}
