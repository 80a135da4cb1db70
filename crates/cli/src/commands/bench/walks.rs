//! The walks of units that look ahead, beside the shortest ways that there are.
//!
//! A unit walks alone between random cells of a map, then a group of units does. How long a walk
//! may be at best is known exactly: [`AnyAngle`] finds the shortest way of a point. On dear
//! ground it is not known, so there the toll of a walk, the sum of the costs it has walked over,
//! is compared with that of the path by cells.
//!
//! There are no times in these figures: they are the same on every machine.

use std::collections::HashSet;

use flowtiles::steer::{Army, Reading, Unit, UnitState};
use flowtiles::{Budget, Cell, Cost, CostMap, Direction};
use flowtiles_country::any_angle::AnyAngle;
use flowtiles_country::referee::{Referee, Verdict};
use flowtiles_country::walk::{self, End};
use flowtiles_scenes::maps;
use serde::Serialize;

use super::ground::{Effort, Ground, free, order, refused};
use crate::support::failure::Failure;
use crate::support::numbers::rank;

/// The kinds of ground of the generated maps on which all open cells cost the same.
const LEVEL: [&str; 6] = [
    "open",
    "random",
    "random 35 %",
    "rooms",
    "rooms of 8",
    "caves",
];
/// And of those on which they do not.
const DEAR: [&str; 5] = [
    "terrain",
    "costs 1 to 20",
    "costs 1 to 20, walls",
    "roads",
    "patches",
];

/// The least distance in cells between the ends of a walk.
const FAR: i32 = 50;
/// A walk that takes this many times as long as it may at best is ended.
const LATE: f64 = 5.0;
/// The angle in degrees from which on a turn between two steps is sharp.
const SHARP: f64 = 10.0;
/// Steps shorter than this, in cells, have no direction that counts.
const SHORT: f64 = 0.02;
/// Units in a group.
const CROWD: usize = 50;
/// Steps a second, in all walks and in those over dear ground again.
const PACE: u16 = 20;
const FINE_PACE: u16 = 60;

/// Walks over ground of one cost, in percent over the shortest way.
#[derive(Serialize)]
pub struct WalkFigures {
    pub ground: String,
    pub walks: usize,
    /// The mean of the paths by cells, and of those as lines.
    pub cells: f64,
    pub line: f64,
    pub mean: f64,
    pub p95: f64,
    pub worst: f64,
    /// The ends of the worst walk.
    pub worst_walk: String,
    /// Sharp turns in a hundred cells.
    pub sharp_turns: f64,
    /// The mean of units in groups.
    pub group: f64,
    /// Units that did not arrive, alone and in groups.
    pub lost: usize,
}

/// Walks over dear ground: their tolls divided by those of the paths by cells.
#[derive(Serialize)]
pub struct TollFigures {
    pub ground: String,
    pub walks: usize,
    /// The mean of the paths as lines.
    pub line: f64,
    pub mean: f64,
    pub worst: f64,
    /// The same with more steps a second.
    pub fine_mean: f64,
    pub fine_worst: f64,
    /// The ends of the worst walk.
    pub worst_walk: String,
    pub lost: usize,
}

/// All walks.
#[derive(Default, Serialize)]
pub struct Walks {
    pub level: Vec<WalkFigures>,
    pub dear: Vec<TollFigures>,
}

/// The heads of the two tables.
pub const HEAD: &str = "walks, % over the shortest|walks|path by cells|as a line|mean|p95|worst|\
                        sharp turns in 100 cells|groups|not arrived|worst walk";
pub const TOLL_HEAD: &str = "tolls over that of the path|walks|path as a line|mean|worst|mean, 60 a second|\
                             worst, 60 a second|not arrived|worst walk";

impl WalkFigures {
    /// Returns the cells of its row in a table.
    pub fn row(&self) -> Vec<String> {
        let percent = |number: f64| format!("{number:.2}");
        vec![
            self.ground.clone(),
            self.walks.to_string(),
            percent(self.cells),
            percent(self.line),
            percent(self.mean),
            percent(self.p95),
            percent(self.worst),
            percent(self.sharp_turns),
            percent(self.group),
            self.lost.to_string(),
            self.worst_walk.clone(),
        ]
    }
}

impl TollFigures {
    /// Returns the cells of its row in a table.
    pub fn row(&self) -> Vec<String> {
        let ratio = |number: f64| format!("{number:.4}");
        vec![
            self.ground.clone(),
            self.walks.to_string(),
            ratio(self.line),
            ratio(self.mean),
            ratio(self.worst),
            ratio(self.fine_mean),
            ratio(self.fine_worst),
            self.lost.to_string(),
            self.worst_walk.clone(),
        ]
    }
}

/// Measures on all kinds of ground, and on these maps from files.
pub fn measure(effort: Effort, files: &[(String, CostMap)]) -> Result<Walks, Failure> {
    let mut walks = Walks::default();
    let side = effort.pick(300, 100) as i32;
    let drawn = LEVEL.into_iter().chain(DEAR).filter_map(|name| {
        let costs = maps::draw_sized(name, [side, side], 40)?;
        let costs = costs.map_err(|error| Failure::Input(error.to_string()));
        Some(costs.map(|costs| (name.to_owned(), costs)))
    });
    let drawn: Vec<_> = drawn.collect::<Result<_, Failure>>()?;
    for (name, costs) in drawn.into_iter().chain(files.iter().cloned()) {
        let mut field = Field::new(Ground::new(name, costs, effort)?);
        if field.is_level() {
            walks.level.push(field.level()?);
        } else {
            walks.dear.push(field.dear()?);
        }
    }
    Ok(walks)
}

/// A map on which units walk, and the ends of their walks.
struct Field {
    ground: Ground,
    referee: Referee,
    pairs: Vec<[Cell; 2]>,
}

/// What is known of a unit's walk.
#[derive(Clone, Default)]
struct Track {
    points: Vec<[f64; 2]>,
    length: f64,
    toll: f64,
    sharp_turns: usize,
    /// The last step that had a direction.
    last: Option<[f64; 2]>,
}

/// One walk in four lines, from middle to middle: of points in cells.
pub struct Lines {
    pub cells: Vec<[f64; 2]>,
    pub line: Vec<[f64; 2]>,
    pub unit: Vec<[f64; 2]>,
    pub shortest: Vec<[f64; 2]>,
}

/// Walks between two cells.
pub fn lines(ground: Ground, ends: [Cell; 2]) -> Result<Lines, Failure> {
    let ways = AnyAngle::new(&ground.costs);
    let mut field = Field {
        referee: Referee::new(&ground.costs),
        pairs: Vec::new(),
        ground,
    };
    let middle = |cell: Cell| cell.centre().map(f64::from);
    let (path, line) = field.path(ends)?;
    let mut units = field.walk(&ends[..1], ends[1], PACE, path.length().max(1.0))?;
    let unit = units.pop().filter(|(_, rest, _)| rest.is_some());
    let unit = unit.map(|(track, ..)| track.points.into_iter().chain([middle(ends[1])]));
    let [from, to] = ends;
    let shortest = ways.way(from, to, path.length());
    let (Some(unit), Some(shortest)) = (unit, shortest) else {
        let fault = format!("the unit from {from} to {to} is late, or no way leads there");
        return Err(field.ground.wrong(fault));
    };
    Ok(Lines {
        cells: path.cells.into_iter().map(middle).collect(),
        line: line.points,
        unit: unit.collect(),
        shortest,
    })
}

impl Field {
    fn new(ground: Ground) -> Self {
        let wanted = ground.effort.pick(300, 6);
        let drawn = ground.pairs(300, 100 * wanted).into_iter();
        let is_far =
            |&[from, to]: &[Cell; 2]| (from.x - to.x).pow(2) + (from.y - to.y).pow(2) >= FAR * FAR;
        let pairs = drawn
            .map(|(from, to)| [from, to])
            .filter(is_far)
            .take(wanted);
        Self {
            referee: Referee::new(&ground.costs),
            pairs: pairs.collect(),
            ground,
        }
    }

    /// Whether all open cells cost the same.
    fn is_level(&self) -> bool {
        let rows = self.ground.costs.to_rows();
        let is_plain = |cost: &u8| [Cost::OPEN.value(), Cost::WALL.value()].contains(cost);
        rows.iter().all(is_plain)
    }

    /// Compares walks with the shortest ways.
    fn level(&mut self) -> Result<WalkFigures, Failure> {
        let ways = AnyAngle::new(&self.ground.costs);
        let [mut cells, mut lines, mut walked] = [const { Vec::new() }; 3];
        let (mut turns, mut length, mut lost) = (0, 0.0, 0);
        let mut worst = Worst::default();
        for ends in self.pairs.clone() {
            let (path, line) = self.path(ends)?;
            let by_cells = path.length();
            let best = self.shortest(&ways, ends, by_cells)?;
            cells.push(over(by_cells, best));
            lines.push(over(line.length, best));
            let units = self.walk(&ends[..1], ends[1], PACE, best)?;
            let [(track, Some(rest), _)] = &units[..] else {
                lost += 1;
                continue;
            };
            turns += track.sharp_turns;
            length += track.length;
            walked.push(over(track.length + rest, best));
            worst.note(over(track.length + rest, best), ends);
        }
        let mut groups = Vec::new();
        let in_groups = self.ground.effort.pick(20, 2);
        for ends in self.pairs.clone().into_iter().take(in_groups) {
            lost += self.group(&ways, ends, &mut groups)?;
        }
        Ok(WalkFigures {
            ground: self.ground.name.clone(),
            walks: walked.len(),
            cells: mean(&cells),
            line: mean(&lines),
            mean: mean(&walked),
            p95: rank(&mut walked, 95).unwrap_or(0.0),
            worst: rank(&mut walked, 100).unwrap_or(0.0),
            worst_walk: worst.to_string(),
            sharp_turns: 100.0 * turns as f64 / f64::max(length, 1.0),
            group: mean(&groups),
            lost,
        })
    }

    /// Lets a group walk, notes by how much its units' walks are longer than their own shortest
    /// ways to where they stand, and returns how many did not arrive.
    fn group(
        &mut self,
        ways: &AnyAngle,
        ends: [Cell; 2],
        groups: &mut Vec<f64>,
    ) -> Result<usize, Failure> {
        let starts = self.around(ends[0]);
        let best = self.shortest(ways, ends, f64::INFINITY)?;
        let units = self.walk(&starts, ends[1], PACE, best)?;
        let (mut walked, mut shortest, mut lost) = (0.0, 0.0, 0);
        for (start, (track, rest, stop)) in starts.iter().zip(units) {
            if rest.is_none() {
                lost += 1;
                continue;
            }
            walked += track.length;
            shortest += self.shortest(ways, [*start, stop], f64::INFINITY)?;
        }
        if shortest > 0.0 {
            groups.push(over(walked, shortest));
        }
        Ok(lost)
    }

    /// Compares the tolls of walks with those of the paths by cells.
    fn dear(&mut self) -> Result<TollFigures, Failure> {
        let mut ratios = [Vec::new(), Vec::new()];
        let (mut lines, mut lost) = (Vec::new(), 0);
        let mut worst = Worst::default();
        for ends in self.pairs.clone() {
            let (path, line) = self.path(ends)?;
            let toll = self.toll_by_cells(&path.cells);
            lines.push(line.toll / toll);
            for (ratios, pace) in ratios.iter_mut().zip([PACE, FINE_PACE]) {
                let units = self.walk(&ends[..1], ends[1], pace, toll)?;
                let [(track, Some(rest), _)] = &units[..] else {
                    lost += 1;
                    continue;
                };
                let rest = rest * f64::from(self.referee.cost(ends[1]));
                ratios.push((track.toll + rest) / toll);
                worst.note((track.toll + rest) / toll, ends);
            }
        }
        let [coarse, fine] = &mut ratios;
        Ok(TollFigures {
            ground: self.ground.name.clone(),
            walks: coarse.len(),
            line: mean(&lines),
            mean: mean(coarse),
            worst: rank(coarse, 100).unwrap_or(0.0),
            fine_mean: mean(fine),
            fine_worst: rank(fine, 100).unwrap_or(0.0),
            worst_walk: worst.to_string(),
            lost,
        })
    }

    /// The path by cells along an order's directions, and the same as a line.
    fn path(&mut self, [start, goal]: [Cell; 2]) -> Result<(walk::Walk, Track), Failure> {
        let order = order(&mut self.ground.world, goal, &[start])?;
        let path = walk::walk(&mut self.ground.world, &self.referee, &order, start);
        let points = self.ground.world.path(&order, start).unwrap_or_default();
        free(&mut self.ground.world, order);
        let mut line = Track::default();
        for ends in points.windows(2) {
            let [from, to] = [ends[0].at, ends[1].at].map(|at| at.map(f64::from));
            line.step(&self.referee, from, to);
        }
        if path.end == End::Arrived {
            return Ok((path, line));
        }
        let fault = format!("the order from {start} to {goal} does not lead there");
        Err(self.ground.wrong(fault))
    }

    fn shortest(
        &self,
        ways: &AnyAngle,
        [start, goal]: [Cell; 2],
        bound: f64,
    ) -> Result<f64, Failure> {
        let fault = || format!("no way of {bound} from {start} to {goal}");
        ways.length(start, goal, bound)
            .ok_or_else(|| self.ground.wrong(fault()))
    }

    /// The toll of a path from middle to middle: half of a step is in each cell.
    fn toll_by_cells(&self, cells: &[Cell]) -> f64 {
        let step = |ends: &[Cell]| {
            let far = f64::from(ends[1].x - ends[0].x).hypot(f64::from(ends[1].y - ends[0].y));
            let [one, other] = [ends[0], ends[1]].map(|cell| f64::from(self.referee.cost(cell)));
            far * (one + other) / 2.0
        };
        cells.windows(2).map(step).sum()
    }

    /// The cells around a cell, as near as steps lead, one for each unit of a group.
    fn around(&self, start: Cell) -> Vec<Cell> {
        let mut cells = vec![start];
        let mut known = HashSet::from([start]);
        let mut next = 0;
        while next < cells.len() && cells.len() < CROWD {
            let here = cells[next];
            next += 1;
            for direction in Direction::ALL {
                let is_legal = self.referee.judge(here, direction) == Verdict::Legal;
                if is_legal && known.insert(here.step(direction)) {
                    cells.push(here.step(direction));
                }
            }
        }
        cells.truncate(CROWD);
        cells
    }

    /// Lets units walk together to a goal, and returns of each its walk, how far from the goal it
    /// has arrived, and the cell in which it stands; `best` is the least time in which one at
    /// a speed of 1 could.
    fn walk(
        &mut self,
        starts: &[Cell],
        goal: Cell,
        pace: u16,
        best: f64,
    ) -> Result<Vec<(Track, Option<f64>, Cell)>, Failure> {
        let order = order(&mut self.ground.world, goal, starts)?;
        let mut army = Army::default();
        let group = army.add_group(order, Reading::Ahead).map_err(refused)?;
        for (id, start) in (0..).zip(starts) {
            let unit = Unit::new(id, group, start.centre());
            army.add(unit).map_err(refused)?;
        }
        let speed = army
            .units()
            .first()
            .map_or(1.0, |unit| f64::from(unit.speed));
        let limit = (LATE * best / speed * f64::from(pace)) as usize + 100;
        let mut tracks = vec![Track::default(); starts.len()];
        for _ in 0..limit {
            let before: Vec<_> = army.units().iter().map(place).collect();
            army.tick(
                &mut self.ground.world,
                Budget::UNLIMITED,
                1.0 / f32::from(pace),
            );
            for ((track, from), unit) in tracks.iter_mut().zip(before).zip(army.units()) {
                track.step(&self.referee, from, place(unit));
            }
            if army.is_settled() {
                break;
            }
        }
        let end = |(track, unit): (Track, &Unit)| {
            let at = place(unit);
            let rest = length(minus(goal.centre().map(f64::from), at));
            let rest = (unit.state == UnitState::Arrived).then_some(rest);
            (track, rest, cell_at(at))
        };
        let ends = tracks.into_iter().zip(army.units()).map(end).collect();
        drop(army);
        self.ground.world.tick(Budget::cells(1));
        Ok(ends)
    }
}

impl Track {
    /// Notes a step.
    fn step(&mut self, referee: &Referee, from: [f64; 2], to: [f64; 2]) {
        const PART: f64 = 0.05;
        let way = minus(to, from);
        let far = length(way);
        if self.points.is_empty() {
            self.points.push(from);
        }
        self.points.push(to);
        self.length += far;
        let parts = (far / PART).ceil().max(4.0);
        for part in 0..parts as u32 {
            let share = (f64::from(part) + 0.5) / parts;
            let at = [from[0] + way[0] * share, from[1] + way[1] * share];
            let cost = f64::from(referee.cost(cell_at(at)));
            self.toll += cost * far / parts;
        }
        if far < SHORT {
            return;
        }
        if let Some([x, y]) = self.last.replace(way) {
            let angle = (x * way[1] - y * way[0]).atan2(x * way[0] + y * way[1]);
            self.sharp_turns += usize::from(angle.abs().to_degrees() > SHARP);
        }
    }
}

/// The worst of some walks.
#[derive(Default)]
struct Worst {
    most: f64,
    ends: Option<[Cell; 2]>,
}

impl Worst {
    fn note(&mut self, value: f64, ends: [Cell; 2]) {
        if self.ends.is_none() || value > self.most {
            self.most = value;
            self.ends = Some(ends);
        }
    }
}

impl std::fmt::Display for Worst {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Some([from, to]) = self.ends else {
            return write!(f, "-");
        };
        write!(f, "{},{}:{},{}", from.x, from.y, to.x, to.y)
    }
}

/// By how many percent a length is over another.
fn over(length: f64, least: f64) -> f64 {
    100.0 * (length / least - 1.0)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

fn place(unit: &Unit) -> [f64; 2] {
    unit.position.map(f64::from)
}

fn cell_at(at: [f64; 2]) -> Cell {
    let [x, y] = at.map(|at| at.floor() as i32);
    Cell::new(x, y)
}

fn minus(one: [f64; 2], other: [f64; 2]) -> [f64; 2] {
    [one[0] - other[0], one[1] - other[1]]
}

fn length([x, y]: [f64; 2]) -> f64 {
    x.hypot(y)
}
