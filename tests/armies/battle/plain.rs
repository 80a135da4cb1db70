//! The plain model of a battle: lists of units and groups, and walls looked up cell by cell.

use std::collections::{BTreeMap, BTreeSet};

use flowtiles::steer::{Army, ArmyError, GroupId, Pace, Target, Unit};
use flowtiles::{Cell, CostMap, FlowWorld, LayerId, Order};

/// A target without a claim on its order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mark {
    Flock,
    Stand,
    Hold,
    Point([f32; 2]),
    Follow(u32),
    Order(u64, LayerId),
    Pursue(u32),
    Attack(u64, LayerId),
    Flee(Option<u32>),
}

impl Mark {
    pub const fn layer(&self) -> Option<LayerId> {
        match self {
            Self::Order(_, layer) | Self::Attack(_, layer) => Some(*layer),
            _ => None,
        }
    }

    pub fn of(target: &Target) -> Self {
        match target {
            Target::Flock => Self::Flock,
            Target::Stand => Self::Stand,
            Target::Hold => Self::Hold,
            Target::Point(point) => Self::Point(*point),
            Target::Follow(unit) => Self::Follow(*unit),
            Target::Order(order) => Self::Order(order.number(), order.goal().layer()),
            Target::Pursue(unit, _) => Self::Pursue(*unit),
            Target::AttackMove(order, _) => Self::Attack(order.number(), order.goal().layer()),
            Target::Flee { from, .. } => Self::Flee(*from),
            _ => panic!("another target: {target:?}"),
        }
    }

    /// Whether a group comes to an end with it.
    pub const fn ends(self) -> bool {
        self.is_stop() || matches!(self, Self::Pursue(_) | Self::Flee(_))
    }

    /// Whether the game has given an order with it.
    pub const fn has_order(self) -> bool {
        matches!(self, Self::Order(..) | Self::Attack(..))
    }

    /// Whether a patrol can stop there.
    pub const fn is_stop(self) -> bool {
        matches!(self, Self::Point(_) | Self::Order(..) | Self::Attack(..))
    }
}

pub struct PlainUnit {
    pub group: GroupId,
    pub radius: f32,
    pub speed: f32,
    /// Whether it has arrived since it set out.
    pub has_arrived: bool,
}

#[derive(Clone)]
pub struct PlainGroup {
    pub target: Mark,
    pub queue: Vec<Mark>,
    pub patrols: bool,
    /// Whether it has arrived since it got its target.
    pub announced: bool,
    pub is_formed: bool,
    pub planes: u8,
    /// The layer of its last order, or one that was set since.
    pub layer: LayerId,
    pub pace: Pace,
}

impl PlainGroup {
    /// Returns the target that follows, and moves the queue on.
    pub fn next_target(&mut self) -> Option<Mark> {
        if self.queue.is_empty() {
            return None;
        }
        if self.patrols {
            self.queue.push(self.target);
        }
        Some(self.queue.remove(0))
    }
}

#[derive(Default)]
pub struct Plain {
    pub units: BTreeMap<u32, PlainUnit>,
    pub groups: BTreeMap<GroupId, PlainGroup>,
    /// Ids of groups that were removed.
    pub gone: BTreeSet<GroupId>,
}

impl Plain {
    pub fn add_group(&mut self, id: GroupId, target: Mark) {
        assert!(!self.gone.contains(&id), "{id} comes back");
        let group = PlainGroup {
            target: Mark::Flock,
            queue: Vec::new(),
            patrols: false,
            announced: false,
            is_formed: false,
            planes: 1,
            layer: LayerId::GROUND,
            pace: Pace::Own,
        };
        assert!(
            self.groups.insert(id, group).is_none(),
            "{id} is there twice"
        );
        self.aim(id, target);
    }

    /// Gives a group another target; its units set out.
    pub fn aim(&mut self, id: GroupId, target: Mark) {
        let group = self.groups.get_mut(&id).unwrap();
        (group.target, group.announced) = (target, target == Mark::Hold);
        if let Mark::Order(_, layer) | Mark::Attack(_, layer) = target {
            group.layer = layer;
        }
        for unit in self.units.values_mut().filter(|unit| unit.group == id) {
            unit.has_arrived = target == Mark::Hold;
        }
    }

    /// Gives a group a target for when it has reached all it has.
    pub fn queue(&mut self, id: GroupId, target: Mark) {
        let group = self.groups.get_mut(&id).unwrap();
        group.queue.push(target);
        if (!group.target.ends() || group.announced)
            && let Some(next) = group.next_target()
        {
            self.aim(id, next);
        }
    }

    /// Makes a unit set out for the target of its group.
    pub fn set_out(&mut self, id: u32) {
        let unit = self.units.get_mut(&id).unwrap();
        unit.has_arrived = self.groups[&unit.group].target == Mark::Hold;
    }

    /// Makes units groups of their own, with these ids. Returns how many groups they had.
    pub fn split(&mut self, units: &[u32], parts: &[GroupId]) -> usize {
        let former: BTreeSet<GroupId> = units.iter().map(|id| self.units[id].group).collect();
        for (&from, &part) in former.iter().zip(parts) {
            let members = self.members(from);
            if members.iter().all(|id| units.contains(id)) {
                assert_eq!(part, from, "all of a group");
                continue;
            }
            assert!(!self.gone.contains(&part), "{part} comes back");
            let group = self.groups[&from].clone();
            assert!(self.groups.insert(part, group).is_none());
            for id in members.iter().filter(|id| units.contains(id)) {
                self.units.get_mut(id).unwrap().group = part;
            }
        }
        former.len()
    }

    /// Removes the groups without units, and returns how many there were.
    pub fn remove_empty_groups(&mut self) -> usize {
        let groups: Vec<GroupId> = self.groups.keys().copied().collect();
        let empty = groups.into_iter().filter(|&id| self.members(id).is_empty());
        let empty: Vec<GroupId> = empty.collect();
        self.groups.retain(|id, _| !empty.contains(id));
        self.gone.extend(&empty);
        empty.len()
    }

    pub fn members(&self, id: GroupId) -> Vec<u32> {
        let units = self.units.iter().filter(|(_, unit)| unit.group == id);
        units.map(|(&id, _)| id).collect()
    }

    /// Holds an army equal to the model.
    pub fn check(&self, army: &Army) {
        assert!(army.groups().eq(self.groups.keys().copied()));
        for (&id, group) in &self.groups {
            assert_eq!(army.target(id).map(Mark::of), Some(group.target), "{id}");
            let (view, settings) = (army.group(id).unwrap(), army.settings(id).unwrap());
            let queue = view.queue().iter().map(Mark::of);
            assert!(queue.eq(group.queue.iter().copied()), "{id}");
            let set = (
                view.patrols(),
                settings.layer,
                settings.planes,
                view.spacing().is_some(),
                settings.pace,
            );
            let wanted = (
                group.patrols,
                group.layer,
                group.planes,
                group.is_formed,
                group.pace,
            );
            assert_eq!(set, wanted, "{id}");
            let is_on_layer = |order: &Order| order.goal().layer() == group.layer;
            assert!(view.order().is_none_or(is_on_layer), "{id}");
            let members = army.members(id).map(|unit| unit.id);
            assert!(members.eq(self.members(id)), "{id}");
        }
        assert_eq!(army.units().len(), self.units.len());
        for unit in army.units() {
            let plain = &self.units[&unit.id];
            assert_eq!(unit.group, plain.group, "{unit:?}");
            assert_eq!([unit.radius, unit.speed], [plain.radius, plain.speed]);
            assert_eq!(army.get(unit.id), Some(unit));
        }
    }

    /// Holds that an army refuses ids of groups that are gone, and changes nothing then.
    pub fn check_gone(&self, army: &mut Army) {
        let before = army.state_hash();
        for &group in self.gone.iter().rev().take(3) {
            let refused = Err(ArmyError::NoGroup { group });
            assert_eq!(army.send(group, Target::Hold), refused);
            assert_eq!(army.queue(group, Target::Stand), refused);
            assert_eq!(army.disband(group), refused);
            assert!(army.settings(group).is_none());
            assert_eq!(army.patrol(group, [Target::Point([3.0; 2])]), refused);
            assert_eq!(army.add(Unit::new(u32::MAX, group, [5.5; 2])), refused);
            assert_eq!(army.remove_group(group).map(|_| ()), refused);
            if let Some(&id) = self.units.keys().next() {
                assert_eq!(army.set_group(id, group), refused);
            }
            assert!(army.target(group).is_none() && army.group(group).is_none());
            assert_eq!(army.members(group).count(), 0);
        }
        assert_eq!(army.state_hash(), before);
    }
}

/// The ground of a layer, looked up cell by cell.
pub struct PlainGround<'w> {
    costs: &'w CostMap,
    size: u8,
}

impl<'w> PlainGround<'w> {
    pub fn of(world: &'w FlowWorld, layer: LayerId) -> Self {
        let size = world.movement(layer).map(|movement| movement.size());
        match (world.layer(layer), size) {
            (Some(view), Some(size)) => Self {
                costs: view.costs(),
                size,
            },
            _ => Self {
                costs: world.costs(),
                size: 1,
            },
        }
    }

    fn is_open(&self, [x, y]: [i32; 2]) -> bool {
        let cost = self.costs.get(Cell::new(x, y));
        cost.is_some_and(|cost| !cost.is_wall())
    }

    /// Where on the layer a position is.
    fn enter(&self, position: [f32; 2]) -> [f64; 2] {
        let shift = if self.size.is_multiple_of(2) {
            0.5
        } else {
            0.0
        };
        position.map(|at| f64::from(at) - shift)
    }

    /// Whether a unit overlaps a wall of its layer, or would if it were wider by some slack.
    pub fn is_hit(&self, unit: &Unit, slack: f64) -> bool {
        let middle = self.enter(unit.position);
        let inset = f64::from(self.size - 1) / 2.0;
        let radius = (f64::from(unit.radius) - inset).max(0.0) + slack;
        let span = radius.max(0.0);
        let [columns, rows] =
            middle.map(|at| (at - span).floor() as i32..=(at + span).floor() as i32);
        let overlaps = |[column, row]: [i32; 2]| {
            let [x, y] = [(middle[0], column), (middle[1], row)]
                .map(|(at, cell)| at - at.clamp(f64::from(cell), f64::from(cell) + 1.0));
            x.hypot(y) < radius
        };
        let mut cells = rows.flat_map(|row| columns.clone().map(move |column| [column, row]));
        self.cells_at(middle)
            .iter()
            .all(|&cell| !self.is_open(cell))
            || cells.any(|cell| !self.is_open(cell) && overlaps(cell))
    }

    /// The cells of a place: several on a border, where rounding decides.
    fn cells_at(&self, [x, y]: [f64; 2]) -> [[i32; 2]; 4] {
        const NEAR: f64 = 1e-4;
        let off = [[-NEAR, -NEAR], [NEAR, -NEAR], [-NEAR, NEAR], [NEAR, NEAR]];
        off.map(|[dx, dy]| [x + dx, y + dy].map(|at| at.floor() as i32))
    }

    /// Whether two places are joined by open cells side by side, not far around.
    pub fn joins(&self, from: [f32; 2], to: [f32; 2]) -> bool {
        let [starts, ends] = [from, to].map(|at| self.cells_at(self.enter(at)));
        let (from, to) = (starts[0], ends[0]);
        let mut next = starts.to_vec();
        next.retain(|&cell| self.is_open(cell));
        let mut seen = BTreeSet::from_iter(next.iter().copied());
        let is_near = |cell: [i32; 2]| {
            (0..2).all(|axis| {
                let (one, two) = (from[axis], to[axis]);
                (one.min(two) - 1..=one.max(two) + 2).contains(&cell[axis])
            })
        };
        while let Some([x, y]) = next.pop() {
            for cell in [[x - 1, y], [x + 1, y], [x, y - 1], [x, y + 1]] {
                if is_near(cell) && self.is_open(cell) && seen.insert(cell) {
                    next.push(cell);
                }
            }
        }
        ends.iter().any(|end| seen.contains(end))
    }
}
