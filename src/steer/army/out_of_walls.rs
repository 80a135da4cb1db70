//! Units on which a wall is built are put beside it.

use super::Army;
use crate::cost::CostMap;
use crate::grid::{Cell, SECTOR_SIDE, Sector, SectorPages};
use crate::steer::units::Unit;
use crate::steer::walls::{is_clear_on, nearest_clear_on, nearest_place};
use crate::vector::{NONE, Vector, cell_of, distance};
use crate::world::FlowWorld;

impl Army {
    /// Moves every unit that overlaps a wall to a free place beside it at once,
    /// and returns the number of moved units. For the moment when a wall is
    /// built on units; without this call they walk out at their own speed.
    pub fn put_out_of_walls(&mut self, world: &FlowWorld) -> usize {
        let mut moved = 0;
        // Of all units, once one must go.
        let mut squares: Option<Squares> = None;
        self.wake_on_new_ground(world);
        self.roster.sort();
        let layers = self.grounds.layers(world, self.groups.layers());
        for at in 0..self.roster.units().len() {
            let unit = self.roster.units()[at];
            let layer = &layers[unit.group.index()];
            let here = layer.enter(unit.position);
            let slim = layer.radius(unit.radius);
            if is_clear_on(layer.ground, here, slim) {
                continue;
            }
            let units = self.roster.units();
            let squares = squares.get_or_insert_with(|| Squares::of(units, world.costs()));
            let reach = unit.radius + self.finder.widest();
            let has_room = |place| {
                let place = layer.leave(place);
                !squares.any_near(place, reach, |other| {
                    let Unit {
                        position, radius, ..
                    } = units[other];
                    other != at && distance(position, place) < radius + unit.radius
                })
            };
            let place = nearest_place(layer.ground, here, slim, has_room)
                .or_else(|| nearest_clear_on(layer.ground, here, slim));
            let Some(place) = place.map(|place| layer.leave(place)) else {
                continue;
            };
            if let Some(moving) = self.roster.get_mut(unit.id) {
                moving.position = place;
                moving.velocity = NONE;
                self.finder.loosen(moving);
                squares.remove(at, unit.position);
                squares.insert(at, place);
                moved += 1;
            }
        }
        moved
    }
}

/// The side of a square, in cells.
const SIDE: i32 = 2;
const IN_SECTOR: i32 = SECTOR_SIDE / SIDE;
const NONE_THERE: u32 = u32::MAX;

/// The units in each square of the map, as lists of their indices: each has the first of them, and
/// each unit the next one. A unit off the map is in the square nearest to it.
struct Squares {
    /// The column and the row of the last cell of the map.
    last: [i32; 2],
    firsts: SectorPages<[u32; (IN_SECTOR * IN_SECTOR) as usize]>,
    nexts: Vec<u32>,
}

impl Squares {
    fn of(units: &[Unit], costs: &CostMap) -> Self {
        let blank = [NONE_THERE; (IN_SECTOR * IN_SECTOR) as usize];
        let mut squares = Self {
            last: [costs.width(), costs.height()].map(|side| side as i32 - 1),
            firsts: SectorPages::new(costs.extent(), blank),
            nexts: vec![NONE_THERE; units.len()],
        };
        for (at, unit) in units.iter().enumerate() {
            squares.insert(at, unit.position);
        }
        squares
    }

    /// Returns the column and the row of the square of a position.
    fn square(&self, position: Vector) -> [i32; 2] {
        let Cell { x, y } = cell_of(position);
        let [right, bottom] = self.last;
        [x.clamp(0, right) / SIDE, y.clamp(0, bottom) / SIDE]
    }

    /// Returns the sector of a square, and its number in there.
    const fn place([x, y]: [i32; 2]) -> (Sector, usize) {
        let sector = Sector::new(x / IN_SECTOR, y / IN_SECTOR);
        (sector, (y % IN_SECTOR * IN_SECTOR + x % IN_SECTOR) as usize)
    }

    fn first_mut(&mut self, position: Vector) -> &mut u32 {
        let (sector, number) = Self::place(self.square(position));
        &mut self.firsts.get_mut(sector)[number]
    }

    fn insert(&mut self, at: usize, position: Vector) {
        self.nexts[at] = std::mem::replace(self.first_mut(position), at as u32);
    }

    /// Takes out a unit that was put in at this position.
    fn remove(&mut self, at: usize, position: Vector) {
        let next = self.nexts[at];
        let first = self.first_mut(position);
        if *first == at as u32 {
            *first = next;
            return;
        }
        let mut before = *first as usize;
        while self.nexts[before] != at as u32 {
            before = self.nexts[before] as usize;
        }
        self.nexts[before] = next;
    }

    /// Whether `is_it` of the index of any unit within `far` of a place along both axes, or of some
    /// a little farther.
    fn any_near(&self, place: Vector, far: f32, is_it: impl Fn(usize) -> bool) -> bool {
        let corner = |far: f32| self.square(place.map(|at| at + far));
        let ([left, top], [right, bottom]) = (corner(-far), corner(far));
        (top..=bottom).any(|y| {
            (left..=right).any(|x| {
                let (sector, number) = Self::place([x, y]);
                let first = self.firsts.get(sector)[number];
                let mut units =
                    std::iter::successors(Some(first), |&at| self.nexts.get(at as usize).copied());
                units.any(|at| at != NONE_THERE && is_it(at as usize))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::Cost;
    use crate::draws::draws;
    use crate::grid::CellRect;
    use crate::steer::groups::Target;
    use crate::steer::reading::Reading;

    /// The same, with a look at all units for each place.
    fn put_out_plainly(army: &mut Army, world: &FlowWorld) {
        let widest = army.finder.widest();
        let layers = army.grounds.layers(world, army.groups.layers());
        for at in 0..army.roster.units().len() {
            let unit = army.roster.units()[at];
            let ground = layers[unit.group.index()].ground;
            let units = army.roster.units();
            let has_room = |place: Vector| {
                let mut others = units.iter().filter(|other| other.id != unit.id);
                others.all(|other| distance(other.position, place) >= other.radius + unit.radius)
            };
            if is_clear_on(ground, unit.position, unit.radius) {
                continue;
            }
            let place = nearest_place(ground, unit.position, unit.radius, has_room)
                .or_else(|| nearest_clear_on(ground, unit.position, unit.radius));
            if let (Some(place), Some(moving)) = (place, army.roster.get_mut(unit.id)) {
                assert!(unit.radius <= widest);
                moving.position = place;
            }
        }
    }

    #[test]
    fn places_are_those_of_a_look_at_all_units() {
        let mut below = draws(8);
        let mut costs = CostMap::open(47, 33).unwrap();
        for _ in 0..40 {
            let corner = [47, 33].map(|side| below(side) as i32 - 2);
            let wall = CellRect::new(corner[0], corner[1], 1 + below(4), 1 + below(6));
            let wall = wall.intersection(CellRect::new(0, 0, 47, 33));
            costs.edit(wall, Cost::WALL).unwrap();
        }
        let world = FlowWorld::new(costs);
        let mut army = Army::default();
        let group = army.add_group(Target::Stand, Reading::Ahead).unwrap();
        for id in 0..600 {
            let place = [47, 33].map(|side| below(8 * (side + 4)) as f32 / 8.0 - 2.0);
            let radius = if id % 50 == 0 {
                1.5
            } else {
                0.1 + below(3) as f32 * 0.1
            };
            let unit = Unit::new(id, group, place).with_radius(radius);
            army.add(unit).unwrap();
        }
        let mut plain = army.clone();
        let moved = army.put_out_of_walls(&world);
        put_out_plainly(&mut plain, &world);
        assert!(moved > 100, "{moved}");
        for (unit, other) in army.units().iter().zip(plain.units()) {
            assert_eq!(unit.position, other.position, "{}", unit.id);
        }
    }
}
