//! What a game asks: where units are, how deep they overlap, what a group and a unit are about,
//! and which foe is near.

use parking_lot::RwLock;

use super::Army;
use crate::cost::Teams;
use crate::grid::CellRect;
use crate::order::Order;
use crate::steer::groups::{Group, Target};
use crate::steer::motion::Foes;
use crate::steer::neighbours::Index;
use crate::steer::reading::{clearance, fine};
use crate::steer::units::{ArmyError, GroupId, MOST, Roster, Stop, Unit};
use crate::steer::walls::{GroupLayer, is_clear_on, is_radius};
use crate::vector::{Vector, cell_of, difference, distance, dot, greater, lesser, sum};
use crate::world::{FlowWorld, Waypoint};

/// Queries by place. All see the units as they are now: after the last step,
/// and after everything that was added, placed or removed since. They take the
/// time of the units around, plus that of the units added or placed since the
/// last step.
impl Army {
    /// Returns the units whose middles are within a distance of a point, by id.
    ///
    /// ```
    /// use flowtiles::steer::{Army, ArmyError, Reading, Target, Unit};
    ///
    /// let mut army = Army::default();
    /// let group = army.add_group(Target::Stand, Reading::Ahead)?;
    /// for id in 0..9 {
    ///     army.add(Unit::new(id, group, [id as f32 + 0.5, 3.5]))?;
    /// }
    /// let hit = army.units_within([4.0, 3.5], 1.5);
    /// assert!(hit.iter().map(|unit| unit.id).eq([2, 3, 4, 5]));
    /// # Ok::<(), ArmyError>(())
    /// ```
    #[must_use]
    pub fn units_within(&self, point: [f32; 2], distance: f32) -> Vec<&Unit> {
        let mut found = Vec::new();
        self.for_each_within(point, distance, |unit| found.push(unit));
        found.sort_unstable_by_key(|unit| unit.id);
        found
    }

    /// Calls `visit` with each unit whose middle is within a distance of a point, in no
    /// particular order. It allocates and sorts nothing.
    ///
    /// ```
    /// use flowtiles::steer::{Army, ArmyError, Reading, Target, Unit};
    ///
    /// let mut army = Army::default();
    /// let group = army.add_group(Target::Stand, Reading::Ahead)?;
    /// for id in 0..9 {
    ///     army.add(Unit::new(id, group, [id as f32 + 0.5, 3.5]))?;
    /// }
    /// let mut count = 0;
    /// army.for_each_within([4.0, 3.5], 1.5, |_| count += 1);
    /// assert_eq!(count, 4);
    /// # Ok::<(), ArmyError>(())
    /// ```
    pub fn for_each_within<'a>(
        &'a self,
        point: [f32; 2],
        distance: f32,
        mut visit: impl FnMut(&'a Unit),
    ) {
        let low = point.map(|at| at - distance);
        let high = point.map(|at| at + distance);
        self.finder.visit(&self.roster, low, high, |unit| {
            if distance >= 0.0 && square_to(unit, point) <= distance * distance {
                visit(unit);
            }
        });
    }

    /// Returns the units whose middles are in the rectangle between two
    /// opposite corners, by id: those that a player selects by dragging from
    /// one corner to the other.
    ///
    /// ```
    /// use flowtiles::steer::{Army, ArmyError, Reading, Target, Unit};
    ///
    /// let mut army = Army::default();
    /// let group = army.add_group(Target::Stand, Reading::Ahead)?;
    /// for id in 0..9 {
    ///     army.add(Unit::new(id, group, [id as f32 + 0.5, 3.5]))?;
    /// }
    /// let selected = army.units_in([5.0, 4.0], [2.0, 1.0]);
    /// assert!(selected.iter().map(|unit| unit.id).eq([2, 3, 4]));
    /// # Ok::<(), ArmyError>(())
    /// ```
    #[must_use]
    pub fn units_in(&self, corner: [f32; 2], opposite: [f32; 2]) -> Vec<&Unit> {
        let low = [0, 1].map(|axis| lesser(corner[axis], opposite[axis]));
        let high = [0, 1].map(|axis| greater(corner[axis], opposite[axis]));
        self.found(low, high, |unit| {
            let [x, y] = unit.position;
            x >= low[0] && y >= low[1] && x <= high[0] && y <= high[1]
        })
    }

    /// Returns the units whose bodies overlap some cells, by id: those in the way of a
    /// building. Touching is not overlapping.
    ///
    /// ```
    /// use flowtiles::steer::{Army, ArmyError, Reading, Target, Unit};
    /// use flowtiles::CellRect;
    ///
    /// let mut army = Army::default();
    /// let group = army.add_group(Target::Stand, Reading::Ahead)?;
    /// for id in 0..9 {
    ///     army.add(Unit::new(id, group, [id as f32 * 0.75, 3.5]).with_radius(0.25))?;
    /// }
    /// let bodies = army.bodies_in(CellRect::new(2, 3, 2, 1));
    /// assert!(bodies.iter().map(|unit| unit.id).eq([3, 4, 5]));
    /// # Ok::<(), ArmyError>(())
    /// ```
    #[must_use]
    pub fn bodies_in(&self, cells: impl Into<CellRect>) -> Vec<&Unit> {
        let cells = cells.into();
        let low = [cells.x, cells.y].map(|at| at as f32);
        let high = [low[0] + cells.width as f32, low[1] + cells.height as f32];
        let widest = self.finder.widest();
        let overlaps = |unit: &Unit| {
            let off = [0, 1].map(|axis| {
                let at = unit.position[axis];
                at - greater(low[axis], lesser(at, high[axis]))
            });
            dot(off, off) < unit.radius * unit.radius
        };
        let reached = [low.map(|at| at - widest), high.map(|at| at + widest)];
        self.found(reached[0], reached[1], |unit| {
            cells.width > 0 && cells.height > 0 && overlaps(unit)
        })
    }

    /// Returns up to `count` places for new units of a group, with this radius, around a
    /// position: the nearest first, where there is room on the group's layer and beside all
    /// units that it feels, as [`has_room`](Self::has_room) says, and beside each other.
    /// All can be reached from the position, if that is open ground. Fewer where there is no
    /// room within 64 rows of units to each side.
    ///
    /// ```
    /// use flowtiles::steer::{Army, Reading, Target, Unit};
    /// use flowtiles::{CostMap, FlowWorld};
    ///
    /// let world = FlowWorld::new(CostMap::open(60, 40)?);
    /// let mut army = Army::default();
    /// let recruits = army.add_group(Target::Hold, Reading::Ahead)?;
    /// let places = army.free_places(&world, recruits, [30.5, 20.5], 0.4, 20)?;
    /// for (id, place) in (0..).zip(places) {
    ///     army.add(Unit::new(id, recruits, place).with_radius(0.4))?;
    /// }
    /// assert_eq!((army.units().len(), army.deepest_overlap()), (20, 0.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such group.
    pub fn free_places(
        &self,
        world: &FlowWorld,
        group: GroupId,
        around: [f32; 2],
        radius: f32,
        count: usize,
    ) -> Result<Vec<[f32; 2]>, ArmyError> {
        const ROWS: i32 = 64;
        let layer = self.groups.get(group)?.settings.layer;
        let view = world.layer(layer);
        let layer = GroupLayer::of(world, layer);
        let start = layer.anchor(around);
        let view = view.filter(|_| !layer.ground.is_wall(start));
        let is_joined = |place| view.is_none_or(|view| view.reachable(start, layer.anchor(place)));
        let apart = 2.0 * greater(radius, 0.05) * 1.01;
        let mut places = Vec::new();
        for ring in 0..=ROWS {
            // Rings are squares: what comes later may be nearer than their corners.
            let within = ring as f32 * apart;
            let is_near = |place: &&Vector| distance(**place, around) <= within;
            if places.iter().filter(is_near).count() >= count {
                break;
            }
            for (column, row) in ring_of(ring) {
                let off = [column, row].map(|steps| steps as f32 * apart);
                let place = sum(around, off);
                if self.has_room(world, group, place, radius)? && is_joined(place) {
                    places.push(place);
                }
            }
        }
        places.sort_by(|&one, &other| distance(one, around).total_cmp(&distance(other, around)));
        places.truncate(count);
        Ok(places)
    }

    /// Returns the unit nearest to a point among those that `will_do`, by its
    /// middle. Of several at one distance it is the one with the lowest id.
    ///
    /// ```
    /// use flowtiles::steer::{Army, ArmyError, Reading, Target, Unit};
    ///
    /// let mut army = Army::default();
    /// let group = army.add_group(Target::Stand, Reading::Ahead)?;
    /// for id in 0..9 {
    ///     army.add(Unit::new(id, group, [id as f32 + 0.5, 3.5]))?;
    /// }
    /// let mine = |unit: &Unit| unit.id % 2 == 1;
    /// let near = army.nearest_unit([4.5, 9.0], mine);
    /// assert_eq!(near.map(|unit| unit.id), Some(3));
    /// # Ok::<(), ArmyError>(())
    /// ```
    #[must_use]
    pub fn nearest_unit(&self, point: [f32; 2], will_do: impl Fn(&Unit) -> bool) -> Option<&Unit> {
        if !point.iter().all(|at| at.is_finite()) {
            return None;
        }
        let mut reach = greater(self.finder.index.side(), 1.0);
        loop {
            let mut best: Option<(f32, &Unit)> = None;
            let low = point.map(|at| at - reach);
            let high = point.map(|at| at + reach);
            let saw_all = self.finder.visit(&self.roster, low, high, |unit| {
                let square = square_to(unit, point);
                let is_better = best.is_none_or(|(least, other)| {
                    square < least || square == least && unit.id < other.id
                });
                if is_better && will_do(unit) {
                    best = Some((square, unit));
                }
            });
            // Whatever was not visited is farther away.
            if saw_all || best.is_some_and(|(square, _)| square < reach * reach) {
                return best.map(|(_, unit)| unit);
            }
            reach *= 2.0;
        }
    }

    /// Whether there is room for a unit of a group at this place: on the group's movement layer,
    /// and beside all units with which it shares a [plane](crate::steer::GroupSettings::planes).
    /// Touching is not overlapping.
    ///
    /// ```
    /// use flowtiles::steer::{Army, Reading, Target, Unit};
    /// use flowtiles::{Cell, CostMap, FlowWorld, Goal, Movement};
    ///
    /// let mut world = FlowWorld::new(CostMap::open(60, 40)?);
    /// let tanks = world.add_layer(Movement::new().with_size(3)?)?;
    /// let order = world.order(Goal::at(Cell::new(40, 9)).on(tanks), &[Cell::new(9, 9)])?;
    /// let mut army = Army::default();
    /// let group = army.add_group(order, Reading::Ahead)?;
    /// world.block(Cell::new(10, 8))?;
    /// assert!(!army.has_room(&world, group, [9.5, 9.5], 0.4)?, "too narrow for a tank");
    /// assert!(army.has_room(&world, group, [29.5, 9.5], 0.4)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such group.
    pub fn has_room(
        &self,
        world: &FlowWorld,
        group: GroupId,
        position: [f32; 2],
        radius: f32,
    ) -> Result<bool, ArmyError> {
        let own = self.groups.get(group)?;
        let layer = GroupLayer::of(world, own.settings.layer);
        let is_clear = is_clear_on(layer.ground, layer.enter(position), layer.radius(radius));
        Ok(is_radius(radius)
            && is_clear
            && self
                .finder
                .is_alone(&self.roster, position, radius, |unit| {
                    self.groups.meet(unit.group, group)
                }))
    }

    /// Returns the units between two corners that `will_do`, by id.
    fn found(&self, low: Vector, high: Vector, will_do: impl Fn(&Unit) -> bool) -> Vec<&Unit> {
        let mut found = Vec::new();
        self.finder.visit(&self.roster, low, high, |unit| {
            if will_do(unit) {
                found.push(unit);
            }
        });
        found.sort_unstable_by_key(|unit| unit.id);
        found
    }
}

/// The squares of a grid on the border of a square around the first, row by row.
fn ring_of(ring: i32) -> impl Iterator<Item = (i32, i32)> {
    (-ring..=ring).flat_map(move |row| {
        let step = if row.abs() == ring {
            1
        } else {
            2 * ring.max(1)
        };
        (-ring..=ring)
            .step_by(step as usize)
            .map(move |column| (column, row))
    })
}

fn square_to(unit: &Unit, point: Vector) -> f32 {
    let way = difference(unit.position, point);
    dot(way, way)
}

impl Army {
    /// Returns the deepest overlap of two units that share a
    /// [plane](crate::steer::GroupSettings::planes), in cells; 0 if no two overlap.
    ///
    /// It is found when it is asked for, in about a fifth of the time of a step.
    ///
    /// ```
    /// use flowtiles::steer::{Army, ArmyError, Reading, Target, Unit};
    ///
    /// let mut army = Army::default();
    /// let group = army.add_group(Target::Stand, Reading::Ahead)?;
    /// for (id, x) in [3.0, 3.5, 9.0].into_iter().enumerate() {
    ///     army.add(Unit::new(id as u32, group, [x, 4.0]).with_radius(0.375))?;
    /// }
    /// assert_eq!(army.deepest_overlap(), 0.25);
    /// # Ok::<(), ArmyError>(())
    /// ```
    #[must_use]
    pub fn deepest_overlap(&self) -> f32 {
        let units = self.roster.units();
        let widest = units.iter().map(|unit| unit.radius).fold(0.0, greater);
        if widest == 0.0 {
            return 0.0;
        }
        let mut index = Index::default();
        index.build(units, |unit| unit.position, 2.0 * widest);
        let sorted: Vec<&Unit> = index
            .order()
            .iter()
            .map(|&at| &units[at as usize])
            .collect();
        let all_meet = self.groups.planes().is_empty();
        let mut deepest = 0.0;
        for (at, unit) in sorted.iter().enumerate() {
            // Each pair once: with the units after this one.
            for span in index.around(at) {
                deepest = sorted[span.start.max(at + 1).min(span.end)..span.end]
                    .iter()
                    .filter(|other| all_meet || self.groups.meet(unit.group, other.group))
                    .map(|other| depth(unit, other))
                    .fold(deepest, greater);
            }
        }
        deepest
    }
}

fn depth(one: &Unit, other: &Unit) -> f32 {
    let way = difference(one.position, other.position);
    let room = one.radius + other.radius;
    let square = dot(way, way);
    if square < room * room {
        room - square.sqrt()
    } else {
        0.0
    }
}

/// A group of an army: where it goes, and its units. Its [settings](Army::settings) are apart.
#[derive(Clone, Copy)]
pub struct GroupView<'a> {
    group: &'a Group,
    roster: &'a Roster,
}

impl Army {
    /// Returns a group, to ask where it goes; `None` if the army has no such group.
    ///
    /// ```
    /// use flowtiles::steer::{Army, ArmyError, Reading, Target};
    ///
    /// let mut army = Army::default();
    /// let guards = army.add_group(Target::Point([5.5, 5.5]), Reading::Ahead)?;
    /// army.queue(guards, Target::Hold)?;
    /// let group = army.group(guards).expect("it was added");
    /// assert_eq!(group.queue(), [Target::Hold]);
    /// assert_eq!((group.has_arrived(), group.members().count()), (false, 0));
    /// # Ok::<(), ArmyError>(())
    /// ```
    #[must_use]
    pub fn group(&self, id: GroupId) -> Option<GroupView<'_>> {
        let group = self.groups.get(id).ok()?;
        let roster = &self.roster;
        Some(GroupView { group, roster })
    }
}

impl<'a> GroupView<'a> {
    /// The target.
    #[must_use]
    pub const fn target(self) -> &'a Target {
        &self.group.target
    }

    /// The order along which its units go: that of its target, or the one that the army made
    /// for a pursuit or a flight.
    #[must_use]
    pub fn order(self) -> Option<&'a Order> {
        self.group.order()
    }

    /// The targets after the present one, the next first.
    #[must_use]
    pub fn queue(self) -> &'a [Target] {
        &self.group.queue
    }

    /// Whether it [patrols](Army::patrol): a target that it has reached comes again.
    #[must_use]
    pub const fn patrols(self) -> bool {
        self.group.patrols
    }

    /// Whether [`GroupArrived`](crate::steer::ArmyEvent::GroupArrived) was emitted for its
    /// present target.
    #[must_use]
    pub const fn has_arrived(self) -> bool {
        self.group.announced
    }

    /// Whether it is in [formation](Army::form), and how far apart its units march then.
    #[must_use]
    pub fn spacing(self) -> Option<f32> {
        self.group.march.as_ref().map(|march| march.spacing)
    }

    /// The units, by id.
    pub fn members(self) -> impl Iterator<Item = &'a Unit> {
        self.roster.of(&self.group.members)
    }
}

/// The units that are foes of others, sorted by team and place when first asked for after a
/// change. A clone is empty.
#[derive(Default)]
pub(super) struct Sightings {
    known: RwLock<Option<Known>>,
}

struct Known {
    /// The changes of the units and of the groups that are taken into account.
    changes: [u64; 2],
    foes: Foes,
}

impl Clone for Sightings {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// What a unit is about.
impl Army {
    /// Returns the order along which a unit goes: that of its group's target, or the one that
    /// the army made for a pursuit or a flight. `None` if it goes along none.
    #[must_use]
    pub fn order_of(&self, id: u32) -> Option<&Order> {
        let unit = self.roster.get(id)?;
        self.groups.all()[unit.group.index()].order()
    }

    /// Returns the way on which a unit is now, pulled tight: from its position along its
    /// [order](Self::order_of) to where it is [to stop](Self::stop_of), as far from walls as its
    /// body needs; straight there if it goes along no order. `None` if it has no such place, or
    /// where its order has no directions. What others do to it on the way is not foreseen.
    ///
    /// See [`FlowWorld::path`] for what it costs to ask.
    ///
    /// ```
    /// use flowtiles::steer::{Army, Reading, Unit};
    /// use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld};
    ///
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// world.edit(CellRect::new(50, 0, 1, 30), Cost::WALL)?;
    /// let order = world.order(Cell::new(80, 10), &[Cell::new(20, 10)])?;
    /// world.tick(Budget::UNLIMITED);
    /// let mut army = Army::default();
    /// let group = army.add_group(order, Reading::Ahead)?;
    /// army.add(Unit::new(7, group, [20.25, 10.5]).with_radius(0.25))?;
    /// let path = army.path(&world, 7).expect("it has an order");
    /// assert_eq!(path.len(), 4);
    /// assert_eq!(path[0].at, [20.25, 10.5]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If the order belongs to another world.
    #[must_use]
    #[track_caller]
    pub fn path(&self, world: &FlowWorld, id: u32) -> Option<Vec<Waypoint>> {
        let unit = self.roster.get(id)?;
        let group = &self.groups.all()[unit.group.index()];
        let stop = self.stop_of(id);
        let Some(order) = group.order() else {
            return Some([unit.position, stop?].map(Waypoint::new).to_vec());
        };
        let layer = GroupLayer::of(world, order.goal().layer());
        let at = layer.enter(unit.position);
        let has_place = unit.memory.stop == Stop::Own;
        let place = stop
            .filter(|_| has_place)
            .map(|place| layer.enter(place).map(fine));
        let clearance = clearance(layer.radius(unit.radius));
        let ends = [Some(at.map(fine)), place];
        let mut path = world.path_between(order, cell_of(at), ends, clearance)?;
        for point in &mut path {
            point.at = layer.leave(point.at);
        }
        // As exactly as the game knows them.
        path.first_mut()?.at = unit.position;
        if let Some(place) = stop.filter(|_| has_place) {
            path.last_mut()?.at = place;
        }
        Some(path)
    }
}

/// Foes: the units of the teams that a group takes for [foes](crate::steer::GroupSettings::foes).
impl Army {
    /// Returns the foe nearest to a unit within a distance, by the middles and through walls
    /// (on the whole map with `f32::INFINITY`); of several at one distance the one with the lowest
    /// id. Returns `None` if it has no such foe, or if the army has no such unit.
    ///
    /// The first question after a change of the army sorts the units that are foes of
    /// others; each further one looks only at those that are near.
    ///
    /// ```
    /// use flowtiles::steer::{Army, ArmyError, Reading, Target, Unit};
    /// use flowtiles::{CostMap, FlowWorld, Teams};
    ///
    /// let world = FlowWorld::new(CostMap::open(20, 10)?);
    /// let mut army = Army::default();
    /// for (team, x) in [(0, 5.5), (1, 9.5), (1, 7.5)].into_iter() {
    ///     let group = army.add_group(Target::Hold, Reading::Ahead)?;
    ///     let mut settings = *army.settings(group).expect("it was added");
    ///     (settings.team, settings.foes) = (team, Teams::ALL);
    ///     army.configure(group, settings, &world)?;
    ///     army.add(Unit::new(x as u32, group, [x, 5.5]))?;
    /// }
    /// assert_eq!(army.nearest_foe(5, 3.0).map(|foe| foe.id), Some(7));
    /// assert_eq!(army.nearest_foe(5, 1.0), None);
    /// assert_eq!(army.nearest_foe(9, f32::INFINITY).map(|foe| foe.id), Some(5)); // 7 is of its own team
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn nearest_foe(&self, id: u32, within: f32) -> Option<&Unit> {
        let unit = self.roster.get(id)?;
        let foes = self.groups.all()[unit.group.index()].settings.foes;
        if within.is_nan() || within < 0.0 || foes == Teams::NONE {
            return None;
        }
        // No two units are farther apart.
        let within = lesser(within, 4.0 * MOST);
        let found = self.sighted(|all| all.nearest(foes, unit.position, within, |_| true))?;
        self.roster.get(found.id)
    }

    /// Returns the foe to which a unit goes: the quarry of its group's
    /// [pursuit](Target::Pursue), or the foe for which it has left the march of an
    /// [attack](Target::AttackMove). `None` if it goes to none, or if there is no such unit.
    #[must_use]
    pub fn foe_of(&self, id: u32) -> Option<&Unit> {
        let unit = self.roster.get(id)?;
        let group = &self.groups.all()[unit.group.index()];
        let foe = match group.target {
            Target::Pursue(quarry, _) => quarry,
            Target::AttackMove(_, chase) => {
                let charge = group.errand.as_ref()?.charges.get(&id)?;
                let foe = self.roster.get(charge.foe)?;
                charge
                    .is_within(chase.leash, foe.position)
                    .then_some(foe.id)?
            }
            _ => return None,
        };
        self.roster.get(foe).filter(|foe| foe.id != id)
    }

    fn sighted<T>(&self, ask: impl FnOnce(&Foes) -> T) -> T {
        let changes = [self.roster.changes(), self.groups.changes()];
        let known = self.sightings.known.read();
        if let Some(known) = known.as_ref().filter(|known| known.changes == changes) {
            return ask(&known.foes);
        }
        drop(known);
        let mut known = self.sightings.known.write();
        let mut foes = known.take().map_or_else(Foes::default, |known| known.foes);
        foes.gather(self.groups.all(), self.roster.units(), |_| true);
        let answer = ask(&foes);
        *known = Some(Known { changes, foes });
        answer
    }
}
