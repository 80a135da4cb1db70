//! Questions to an army, the answers to which are held to a scan of all units.

use flowtiles::steer::parts::is_clear;
use flowtiles::steer::{GroupId, GroupSettings, Line, Target, Unit, UnitState};
use flowtiles::{Cell, CellRect, LayerId};
use flowtiles_scenes::walls::cell_of;

use crate::{Game, Kind, Nth, Random};

fn square(unit: &Unit, point: [f32; 2]) -> f32 {
    let [x, y] = [0, 1].map(|axis| unit.position[axis] - point[axis]);
    x * x + y * y
}

impl Game {
    /// Asks what changes nothing; whether much was found.
    pub(crate) fn ask(&mut self, seed: u64) -> bool {
        let mut random = Random::new(seed);
        let odd = [f32::NAN, f32::INFINITY, -1.0, 1e20, f32::MIN, 1e-40];
        let is_odd = self.rules.kind == Kind::Odd && random.one_in(2);
        let number = |random: &mut Random, until: f32| match random.below(4) {
            0 if is_odd => random.pick(&odd),
            _ => random.float(-1.0, until),
        };
        let sides = [self.map().width, self.map().height].map(|side| side as f32 + 1.0);
        let [point, corner] = [(); 2].map(|()| sides.map(|side| number(&mut random, side)));
        let farthest = random.pick(&[0.5, 3.0, 12.0, 90.0]);
        let reach = number(&mut random, farthest);
        let radius = number(&mut random, 1.5);
        let group = self.group(Nth(random.below(256).into()));
        let found = if is_odd {
            self.ask_oddly(point, reach);
            let _ = self.army.free_places(&self.world, group, point, radius, 5);
            0
        } else {
            self.ask_for_foes(reach);
            self.ask_for_bodies(self.cell(&mut random), random.below(6));
            let other = self.group(Nth(random.below(256).into()));
            if group != other {
                let line = random.one_in(2).then(|| Line::new(point, corner));
                self.ask_for_stops([group, other], self.cell(&mut random), line);
            }
            self.ask_for_places(group, point, radius.max(0.1), random.below(30) as usize);
            let found = self.ask_for_units(point, corner, reach.max(0.0), random.below(5));
            found + self.ask_for_room(point, radius.max(0.0))
        };
        if random.one_in(8) {
            self.check_overlap();
        }
        assert_eq!(self.army.state_hash(), self.before, "a question changes it");
        found > 0
    }

    fn ask_for_units(&self, point: [f32; 2], corner: [f32; 2], reach: f32, rest: u32) -> usize {
        let army = &self.army;
        let mut units: Vec<&Unit> = army.units().iter().collect();
        units.sort_by_key(|unit| unit.id);
        let ids = |units: Vec<&Unit>| units.iter().map(|unit| unit.id).collect::<Vec<_>>();
        let scan = |is_in: &dyn Fn(&Unit) -> bool| {
            ids(units.iter().copied().filter(|unit| is_in(unit)).collect())
        };
        let within = scan(&|unit| square(unit, point) <= reach * reach);
        assert_eq!(ids(army.units_within(point, reach)), within);
        let inside = scan(&|unit| {
            (0..2).all(|axis| {
                let (one, two) = (point[axis], corner[axis]);
                (one.min(two)..=one.max(two)).contains(&unit.position[axis])
            })
        });
        assert_eq!(ids(army.units_in(corner, point)), inside);
        let will_do = |unit: &Unit| unit.id % 5 == rest;
        // The first of those at one distance has the lowest id.
        let some = units.iter().copied().filter(|unit| will_do(unit));
        let nearest = some.min_by(|one, two| square(one, point).total_cmp(&square(two, point)));
        let found = army.nearest_unit(point, will_do);
        assert_eq!(found.map(|unit| unit.id), nearest.map(|unit| unit.id));
        let stands = |unit: &Unit| {
            unit.velocity == [0.0, 0.0] && army.target(unit.group) == Some(&Target::Stand)
        };
        let is_settled = units
            .iter()
            .all(|unit| unit.state != UnitState::Marching || stands(unit));
        assert_eq!(army.is_settled(), is_settled);
        within.len() + inside.len()
    }

    fn ask_for_room(&self, point: [f32; 2], radius: f32) -> usize {
        let mut found = 0;
        for (&group, plain) in &self.model.groups {
            let overlaps = self.army.units().iter().any(|unit| {
                let room = radius + unit.radius;
                let planes = self.model.groups[&unit.group].settings.planes;
                planes & plain.settings.planes != 0 && square(unit, point) < room * room
            });
            let is_free = self.army.has_room(&self.world, group, point, radius);
            assert!(!overlaps || is_free == Ok(false), "{group}");
            if plain.settings.layer == LayerId::GROUND {
                let is_clear = is_clear(self.world.costs(), point, radius);
                assert_eq!(is_free, Ok(is_clear && !overlaps), "{group}");
                found += usize::from(is_clear && !overlaps);
            }
        }
        found
    }

    /// Looks for the foe nearest to each of some units.
    fn ask_for_foes(&self, reach: f32) {
        let units = self.army.units();
        for unit in units.iter().step_by(1 + units.len() / 30) {
            let foes = self.model.groups[&unit.group].settings.foes;
            let far = |other: &Unit| square(other, unit.position).sqrt();
            let near = units.iter().filter(|other| {
                foes.has(self.model.groups[&other.group].settings.team) && far(other) <= reach
            });
            let wanted = near.min_by(|one, two| {
                let nearer = far(one).total_cmp(&far(two));
                nearer.then(one.id.cmp(&two.id))
            });
            let found = self.army.nearest_foe(unit.id, reach);
            assert_eq!(found, wanted, "the foe of {unit:?}");
        }
    }

    /// Looks for the units that overlap an area.
    fn ask_for_bodies(&self, corner: Cell, side: u32) {
        let cells = CellRect::new(corner.x - 2, corner.y - 2, side, side + 1);
        let is_hit = |unit: &&Unit| {
            cells.cells().any(|cell| {
                let [x, y] = [(0, cell.x), (1, cell.y)].map(|(axis, low)| {
                    let at = unit.position[axis];
                    at - at.clamp(low as f32, low as f32 + 1.0)
                });
                x * x + y * y < unit.radius * unit.radius
            })
        };
        let mut wanted: Vec<&Unit> = self.army.units().iter().filter(is_hit).collect();
        wanted.sort_by_key(|unit| unit.id);
        assert_eq!(self.army.bodies_in(cells), wanted, "in {cells}");
    }

    /// Asks for places for units of a group: they are free, apart, reached, and the nearest first.
    fn ask_for_places(&self, group: GroupId, around: [f32; 2], radius: f32, count: usize) {
        let places = self
            .army
            .free_places(&self.world, group, around, radius, count);
        let Some(known) = self.model.groups.get(&group) else {
            assert!(places.is_err(), "places for no group");
            return;
        };
        let places = places.expect("a group");
        assert!(places.len() <= count);
        let far = |[x, y]: [f32; 2], [ox, oy]: [f32; 2]| (x - ox).hypot(y - oy);
        let start = cell_of(around);
        for (at, &place) in places.iter().enumerate() {
            let room = self.army.has_room(&self.world, group, place, radius);
            assert_eq!(room, Ok(true), "at {place:?}");
            let mut others = places[..at].iter();
            assert!(
                known.settings.planes == 0
                    || others.all(|&other| far(place, other) >= 2.0 * radius)
            );
            if known.settings.layer == LayerId::GROUND {
                let nearer = at.checked_sub(1).map_or(around, |at| places[at]);
                assert!(far(nearer, around) <= far(place, around) + 1e-4);
                let is_open = self.world.inspect().island(start).is_some();
                assert!(!is_open || self.world.reachable(start, cell_of(place)));
            }
        }
    }

    /// Asks where the units of two groups would stop: each at one place, which is free, and apart.
    fn ask_for_stops(&self, groups: [GroupId; 2], goal: Cell, line: Option<Line>) {
        let places = self.army.ghosts(&self.world, &groups, goal, line);
        let unit = |id: u32| &self.model.units[&id];
        let far = |[x, y]: [f32; 2], [ox, oy]: [f32; 2]| (x - ox).hypot(y - oy);
        for (at, &(id, place)) in places.iter().enumerate() {
            let one = unit(id);
            assert!(groups.contains(&one.group));
            assert!(places[..at].iter().all(|other| other.0 != id), "{id} twice");
            let settings = self.model.groups[&one.group].settings;
            let radius = one.radius;
            let size = self
                .world
                .movement(settings.layer)
                .map_or(1, |it| it.size());
            if size == 1 && self.world.layer(settings.layer).is_some() {
                let costs = self.world.layer(settings.layer).expect("derived").costs();
                assert!(is_clear(costs, place, radius.min(0.3)), "{id} in a wall");
            }
            for &(other, its) in &places[..at] {
                let its_settings = self.model.groups[&unit(other).group].settings;
                let kind = |it: GroupSettings| (it.rank, it.layer, it.planes);
                // Places for units of several sizes begin on a grid of the mean one.
                let part = if kind(settings) == kind(its_settings) {
                    1.5
                } else {
                    1.9
                };
                let room = part * radius.min(unit(other).radius);
                assert!(
                    far(place, its) >= room,
                    "{id} and {other} at {place:?}, {its:?}"
                );
            }
        }
    }

    /// Asks with numbers that mean nothing, and asks the crowd.
    fn ask_oddly(&self, point: [f32; 2], reach: f32) {
        let army = &self.army;
        let all = army.units().len();
        assert!(army.units_within(point, reach).len() <= all);
        assert!(army.units_in(point, [reach; 2]).len() <= all);
        let _ = army.nearest_unit(point, |_| true);
        for (at, group) in army.groups().enumerate() {
            let _ = army.nearest_foe(at as u32, reach);
            let _ = army.has_room(&self.world, group, point, reach);
            let stream = army.stream(group);
            let Some(crowd) = army.crowd() else {
                continue;
            };
            let numbers = [
                crowd.density(point),
                stream.and_then(|it| crowd.potential(it, point)),
                stream.and_then(|it| crowd.pace(&self.world, it, point)),
                stream.and_then(|it| crowd.discomfort(&self.world, it, point)),
            ];
            let mut known = numbers.iter().flatten();
            assert!(!known.any(|number| number.is_nan()), "{numbers:?}");
        }
    }

    /// Looks for the deepest overlap of all pairs.
    fn check_overlap(&self) {
        let units = self.army.units();
        let mut deepest = 0.0_f32;
        for (at, one) in units.iter().enumerate() {
            for two in &units[at + 1..] {
                let planes = [one, two].map(|unit| self.model.groups[&unit.group].settings.planes);
                if planes[0] & planes[1] != 0 {
                    let away = square(one, two.position).sqrt();
                    deepest = deepest.max(one.radius + two.radius - away);
                }
            }
        }
        assert!((self.army.deepest_overlap() - deepest).abs() < 1e-4);
    }
}
