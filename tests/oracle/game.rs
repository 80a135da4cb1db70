//! Drawn games: inputs to a world, and a plain model of their effects.

use std::collections::BTreeMap;

use flowtiles::{
    Budget, Cell, CellRect, Cost, FlowWorld, Goal, Order, Quality, StampId, StampTemplate, Turn,
};

use super::draw::Rng;
use super::follow::{finish, world_of};
use super::{Map, WALL, islands, shrink};

/// An input of a game to its world.
#[derive(Clone, Debug)]
pub enum Input {
    Edit(CellRect, u8),
    Image(CellRect, Vec<u8>),
    Stamp(Picture, Cell, Turn),
    Unstamp(usize),
    Block(Cell),
    Unblock(usize),
    Order(Goal, Vec<Cell>),
    /// Several goals, one after the other.
    Tour(Vec<Goal>, Vec<Cell>),
    /// Drops every claim on an order, and gives its goal again.
    Again(usize, Vec<Cell>),
    Cover(usize, Cell),
    /// Gives an order another goal, and other units.
    Aim(usize, Goal, Vec<Cell>),
    Drop(usize),
    /// A budget; the world may slice it in any way.
    Tick(u64),
    Finish,
}

/// A template as a test draws it: rows of costs.
pub type Picture = Vec<Vec<Option<u8>>>;

pub fn template_of(picture: &Picture) -> StampTemplate {
    let cost = |cost: Option<u8>| cost.map(|cost| Cost::new(cost).expect("not 0"));
    let costs: Vec<Option<Cost>> = picture.iter().flatten().copied().map(cost).collect();
    let (width, height) = (picture[0].len() as u32, picture.len() as u32);
    StampTemplate::new(width, height, &costs).expect("a drawn template is a good one")
}

/// Turns a picture clockwise once: its columns from the left become the rows,
/// each read from the bottom up.
fn turned_once(picture: &Picture) -> Picture {
    let column = |x: usize| picture.iter().rev().map(|row| row[x]).collect();
    (0..picture[0].len()).map(column).collect()
}

pub fn turned(picture: &Picture, turn: Turn) -> Picture {
    let times = Turn::ALL.iter().position(|&other| other == turn);
    (0..times.expect("one of all")).fold(picture.clone(), |picture, _| turned_once(&picture))
}

/// The ground and what stands on it, as plainly as possible: the cost of a cell
/// is found by going through everything.
#[derive(Clone)]
pub struct Model {
    pub ground: Map,
    pub stamps: Vec<(StampId, Picture, Cell)>,
    pub blockers: BTreeMap<Cell, u32>,
}

impl Model {
    fn cost(&self, cell: Cell) -> u8 {
        if self.blockers.contains_key(&cell) {
            return WALL;
        }
        let over = |(_, picture, at): &(StampId, Picture, Cell)| {
            let row = picture.get(usize::try_from(cell.y - at.y).ok()?)?;
            *row.get(usize::try_from(cell.x - at.x).ok()?)?
        };
        let newest = self.stamps.iter().rev().find_map(over);
        newest.unwrap_or_else(|| self.ground.cost(cell))
    }

    /// Returns the map as units meet it.
    pub fn map(&self) -> Map {
        let mut map = self.ground.clone();
        for cell in self.ground.cells() {
            map.set(cell, self.cost(cell));
        }
        map
    }
}

/// A living order, and the input with which it was given.
#[derive(Clone)]
pub struct Taken {
    pub order: Order,
    pub goal: Goal,
    /// The units for which it was given.
    pub units: Vec<Cell>,
    /// Whether it was aimed elsewhere: until all work is done, it may still
    /// lead to the previous goal.
    pub aimed: bool,
}

impl Taken {
    const fn new(order: Order, goal: Goal, units: Vec<Cell>) -> Self {
        Self {
            order,
            goal,
            units,
            aimed: false,
        }
    }
}

/// A world with the inputs that it got.
pub struct Game {
    pub world: FlowWorld,
    pub model: Model,
    pub taken: Vec<Taken>,
    /// The stamps that were removed.
    pub dead: Vec<StampId>,
    /// The greatest slice of a budget; larger ticks are divided.
    pub slice: u64,
}

impl Game {
    pub fn new(map: &Map) -> Self {
        Self {
            world: world_of(map),
            model: Model {
                ground: map.clone(),
                stamps: Vec::new(),
                blockers: BTreeMap::new(),
            },
            taken: Vec::new(),
            dead: Vec::new(),
            slice: u64::MAX,
        }
    }

    /// Passes an input to the world and to the model.
    pub fn apply(&mut self, input: &Input) {
        shrink::note(input);
        match input {
            Input::Edit(area, cost) => {
                self.model.ground.fill(*area, *cost);
                let cost = Cost::new(*cost).expect("not 0");
                self.world.edit(*area, cost).expect("on the map");
            }
            Input::Image(area, costs) => {
                for (cell, &cost) in area.cells().zip(costs) {
                    self.model.ground.set(cell, cost);
                }
                self.world.edit_rows(*area, costs).expect("a good image");
            }
            Input::Stamp(picture, at, turn) => self.stamp(picture, *at, *turn),
            Input::Unstamp(which) => self.unstamp(*which),
            Input::Block(cell) => {
                *self.model.blockers.entry(*cell).or_default() += 1;
                self.world.block(*cell).expect("on the map");
            }
            Input::Unblock(which) => self.unblock(*which),
            Input::Order(goal, units) => self.order(goal.clone(), units),
            Input::Tour(goals, units) => self.tour(goals, units),
            Input::Again(which, units) => self.again(*which, units),
            Input::Cover(which, unit) => {
                if let Some(at) = self.which(*which) {
                    let order = &self.taken[at].order;
                    self.world.cover(order, *unit).expect("on the map");
                }
            }
            Input::Aim(which, goal, units) => self.aim(*which, goal, units),
            Input::Drop(which) => {
                if let Some(at) = self.which(*which) {
                    self.taken.remove(at);
                }
            }
            Input::Tick(cells) => self.tick(*cells),
            Input::Finish => finish(&mut self.world),
        }
    }

    fn which(&self, which: usize) -> Option<usize> {
        (!self.taken.is_empty()).then(|| which % self.taken.len())
    }

    fn stamp(&mut self, picture: &Picture, at: Cell, turn: Turn) {
        let template = template_of(picture);
        let (id, _) = self.world.stamp(&template, at, turn).expect("on the map");
        let area = template.area(at, turn);
        assert_eq!(self.world.inspect().stamp_area(id), Some(area));
        self.model.stamps.push((id, turned(picture, turn), at));
    }

    fn unstamp(&mut self, which: usize) {
        for &dead in &self.dead {
            assert_eq!(self.world.unstamp(dead), None, "the dead stay dead");
        }
        if !self.model.stamps.is_empty() {
            let at = which % self.model.stamps.len();
            let (id, ..) = self.model.stamps.remove(at);
            assert!(self.world.unstamp(id).is_some());
            self.dead.push(id);
        }
    }

    fn unblock(&mut self, which: usize) {
        let count = self.model.blockers.len().max(1);
        let Some(&cell) = self.model.blockers.keys().nth(which % count) else {
            return;
        };
        self.world.unblock(cell).expect("there is a blocker");
        let blockers = self.model.blockers.get_mut(&cell).expect("just found");
        *blockers -= 1;
        if *blockers == 0 {
            self.model.blockers.remove(&cell);
            assert!(self.world.unblock(cell).is_err(), "{cell} has no blocker");
        }
    }

    fn order(&mut self, goal: Goal, units: &[Cell]) {
        if let Ok(order) = self.world.order(goal.clone(), units) {
            let units = units.to_vec();
            self.taken.push(Taken::new(order, goal, units));
        }
    }

    /// Aims an order elsewhere, for all claims on it.
    fn aim(&mut self, which: usize, goal: &Goal, units: &[Cell]) {
        let Some(at) = self.which(which) else {
            return;
        };
        let taken = &mut self.taken[at];
        if self
            .world
            .aim(&mut taken.order, goal.clone(), units)
            .is_ok()
        {
            (taken.goal, taken.units) = (goal.clone(), units.to_vec());
            taken.aimed = true;
        }
    }

    fn again(&mut self, which: usize, units: &[Cell]) {
        if let Some(at) = self.which(which) {
            finish(&mut self.world);
            let Taken { order, goal, .. } = self.taken[at].clone();
            self.taken.retain(|taken| taken.order != order);
            drop(order);
            self.order(goal, units);
        }
    }

    /// Gives an order to each goal, from the goal before it.
    fn tour(&mut self, goals: &[Goal], units: &[Cell]) {
        let mut units = units.to_vec();
        for goal in goals {
            self.order(goal.clone(), &units);
            units = vec![goal.cell()];
            let cost = self.world.costs().get(goal.cell());
            if cost.is_none_or(Cost::is_wall) {
                units.clear();
            }
        }
    }

    fn tick(&mut self, cells: u64) {
        let mut left = cells;
        while left > 0 {
            let slice = left.min(self.slice);
            self.world.tick(Budget::cells(slice));
            left -= slice;
        }
    }

    /// Continues with the world loaded from a save of this one.
    pub fn reload(&mut self) {
        let (world, orders) = FlowWorld::load(&self.world.save()).expect("a good save");
        assert_eq!(
            world.inspect().state_parts(),
            self.world.inspect().state_parts()
        );
        self.adopt(world, &orders);
    }

    /// Continues with a world that has the same orders.
    pub fn adopt(&mut self, world: FlowWorld, orders: &[Order]) {
        self.world = world;
        let numbers: Vec<u64> = orders.iter().map(Order::number).collect();
        for taken in &mut self.taken {
            let number = taken.order.number();
            assert!(numbers.contains(&number));
            let order = self.world.order_with_number(number);
            taken.order = order.expect("orders keep their numbers");
        }
        let known = |number: &u64| self.taken.iter().any(|t| t.order.number() == *number);
        assert!(numbers.iter().all(known));
    }

    /// Checks the costs against the model, and everything derived against a new
    /// build.
    pub fn assert_map(&self) -> Map {
        let map = self.model.map();
        assert!(self.world.costs().to_rows() == map.costs, "{map}");
        for cell in map.cells() {
            let ground = self.world.inspect().ground(cell).map(Cost::value);
            assert_eq!(ground, Some(self.model.ground.cost(cell)));
            let blockers = self.model.blockers.get(&cell).copied();
            assert_eq!(self.world.inspect().blockers(cell), blockers.unwrap_or(0));
        }
        let built = world_of(&map);
        assert!(
            self.world.inspect().portal_graph() == built.inspect().portal_graph(),
            "another graph than one built anew, on {map}"
        );
        let islands = islands(&map);
        let first = map.cells().find(|&cell| map.is_open(cell));
        for (cell, first) in map.cells().zip(first.iter().cycle()) {
            let one =
                islands[map.id(cell)].is_some() && islands[map.id(cell)] == islands[map.id(*first)];
            assert_eq!(
                self.world.reachable(cell, *first),
                one,
                "{cell}, {first} on {map}"
            );
        }
        assert_eq!(
            self.world.inspect().stats().islands,
            built.inspect().stats().islands
        );
        map
    }
}

/// Draws an input for a map of this size.
pub fn draw_input(map: &Map, rng: &mut Rng) -> Input {
    let which = rng.below(1000) as usize;
    match rng.below(30) {
        // First, since draws that are made short end in zeros.
        0..=6 => Input::Tick(rng.pick(&[30, 150, 333, 700, 5000])),
        7..=9 => {
            let side = rng.pick(&[1, 1, 4, 14]);
            Input::Edit(rng.area(map, side), draw_cost(rng))
        }
        10 => {
            let area = rng.area(map, 5);
            Input::Image(area, area.cells().map(|_| draw_cost(rng)).collect())
        }
        11..=14 => draw_stamp(map, rng),
        15..=17 => Input::Unstamp(which),
        18 | 19 => Input::Block(rng.cell(map)),
        20 => Input::Unblock(which),
        21 if rng.chance(50) => Input::Again(which, draw_order(map, rng).1),
        22 if rng.chance(50) => {
            let (goal, units) = draw_order(map, rng);
            Input::Aim(which, goal, units)
        }
        21..=23 => {
            let (goal, units) = draw_order(map, rng);
            Input::Order(goal, units)
        }
        24 => {
            let goals = (0..rng.between(1, 4)).map(|_| draw_order(map, rng).0);
            Input::Tour(goals.collect(), draw_order(map, rng).1)
        }
        25..=27 => Input::Cover(which, rng.cell(map)),
        28 => Input::Drop(which),
        _ => Input::Finish,
    }
}

fn draw_cost(rng: &mut Rng) -> u8 {
    let drawn = rng.between(2, 254) as u8;
    rng.pick(&[WALL, WALL, 1, 1, drawn])
}

/// Draws a stamp for a map of this size.
pub fn draw_stamp(map: &Map, rng: &mut Rng) -> Input {
    let area = rng.area(map, 6);
    let turn = rng.pick(&Turn::ALL);
    let (mut width, mut height) = (area.width, area.height);
    if matches!(turn, Turn::Quarter | Turn::ThreeQuarters) {
        (width, height) = (height, width);
    }
    let holes = rng.pick(&[0, 0, 20, 60]);
    let row = |rng: &mut Rng| {
        let cell = |rng: &mut Rng| (!rng.chance(holes)).then(|| draw_cost(rng));
        (0..width).map(|_| cell(rng)).collect()
    };
    let picture = (0..height).map(|_| row(rng)).collect();
    Input::Stamp(picture, Cell::new(area.x, area.y), turn)
}

/// Draws a goal and units.
fn draw_order(map: &Map, rng: &mut Rng) -> (Goal, Vec<Cell>) {
    let goal = Goal::at(rng.cell(map)).with_start_cost(rng.pick(&[0, 0, 60_000, 1 << 40]));
    let quality = rng.pick(&[
        Quality::Corridor,
        Quality::Corridor,
        Quality::Exact,
        Quality::Everywhere,
    ]);
    let goal = goal.with_quality(quality);
    let goal = if rng.chance(50) {
        goal.or_nearest()
    } else {
        goal
    };
    let units = (0..rng.below(4)).map(|_| rng.cell(map)).collect();
    (goal, units)
}
