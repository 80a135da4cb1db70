//! The scenes: maps, groups with their goals, and where each body starts. All engines get the
//! same.

use std::f32::consts::TAU;

use flowtiles::{Cell, CellRect, Cost, CostMap, FlowWorld, Order};
use flowtiles_peers::random::Random;

/// The radius of every body, in cells.
pub const RADIUS: f32 = 0.3;
/// The speed of every body, in cells a second.
pub const SPEED: f32 = 4.0;
/// How far a start may be drawn from its place in the block, along each axis. No two bodies
/// overlap at the start.
const DRAWN: f32 = 0.04;
/// The ground in the disc around a goal, in that which the bodies of its group cover.
const ROOM: f32 = 2.0;
/// The side of the small squares by which ground around a goal is measured, in cells.
const FINE: f32 = 0.125;

/// A scene.
pub struct Scene {
    pub title: &'static str,
    /// The second of its picture, if it has one.
    pub picture: Option<f32>,
    pub map: CostMap,
    pub groups: Vec<Group>,
    /// Group after group.
    pub bodies: Vec<Body>,
}

/// A group.
pub struct Group {
    /// The cell to which it goes. Without one it holds its places.
    pub goal: Option<Cell>,
    pub size: usize,
}

/// A body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    pub group: usize,
    pub start: [f32; 2],
}

/// The keys of all scenes.
pub const ALL: [&str; 11] = [
    "circle100",
    "circle250",
    "head-on",
    "corridor",
    "door",
    "streams2",
    "streams4",
    "past",
    "point",
    "gap",
    "dead-end",
];

impl Scene {
    /// Draws the scene with this key.
    pub fn new(key: &str, seed: u64) -> Option<Self> {
        let mut scene = match key {
            "circle100" => circle("circle, 100", None, 100),
            "circle250" => circle("circle, 250", Some(20.0), 250),
            "head-on" => {
                let mut scene = open("head-on, 200", 80, 40);
                scene.add(block([5.5, 14.0], 10, 10, 0.9), Some(Cell::new(70, 20)));
                scene.add(block([66.0, 16.0], 10, 10, 0.9), Some(Cell::new(9, 20)));
                scene
            }
            "corridor" => {
                let mut scene = open("corridor of 6, 200", 80, 30);
                scene.wall(20, 0, 40, 12);
                scene.wall(20, 18, 40, 12);
                scene.add(block([3.5, 10.0], 10, 10, 0.9), Some(Cell::new(70, 15)));
                scene.add(block([68.0, 10.0], 10, 10, 0.9), Some(Cell::new(9, 15)));
                scene.pictured(12.0)
            }
            "door" => {
                let mut scene = open("door of 2, 500", 90, 60);
                scene.wall(45, 0, 1, 29);
                scene.wall(45, 31, 1, 29);
                scene.add(block([5.5, 20.0], 25, 20, 0.9), Some(Cell::new(70, 30)));
                scene.pictured(16.0)
            }
            "streams2" => streams(open("two streams, 200", 80, 80), 2),
            "streams4" => streams(open("four streams, 400", 80, 80), 4).pictured(11.0),
            "past" => {
                let mut scene = open("100 past 400 that hold", 90, 60);
                scene.add(block([5.5, 25.0], 10, 10, 0.9), Some(Cell::new(75, 30)));
                scene.add(block([35.0, 20.0], 20, 20, 0.95), None);
                scene.pictured(10.0)
            }
            "point" => {
                let mut scene = open("one point, 500", 120, 120);
                scene.add(block([5.5, 52.5], 23, 22, 0.7), Some(Cell::new(80, 60)));
                scene.bodies.truncate(500);
                scene.groups[0].size = 500;
                scene
            }
            "gap" => {
                let mut scene = open("gap of 4, 1,000", 160, 120);
                scene.wall(60, 0, 2, 58);
                scene.wall(60, 62, 2, 58);
                scene.add(block([5.5, 50.0], 40, 25, 0.7), Some(Cell::new(110, 60)));
                scene.pictured(22.0)
            }
            "dead-end" => {
                let mut scene = open("dead end, 1,000", 160, 120);
                scene.wall(70, 0, 90, 52);
                scene.wall(70, 72, 90, 48);
                scene.wall(130, 0, 30, 120);
                scene.add(block([5.5, 50.0], 40, 25, 0.7), Some(Cell::new(122, 62)));
                scene
            }
            _ => return None,
        };
        let mut random = Random::new(seed);
        let mut drawn = || (random.below(2001) as f32 / 1000.0 - 1.0) * DRAWN;
        for body in &mut scene.bodies {
            body.start = body.start.map(|at| at + drawn());
        }
        Some(scene)
    }

    /// Returns the bodies that go somewhere.
    pub fn goers(&self) -> impl Iterator<Item = usize> {
        let goes = |body: &Body| self.groups[body.group].goal.is_some();
        (0..self.bodies.len()).filter(move |&at| goes(&self.bodies[at]))
    }

    /// Gives the order of a group, which is the same for all engines; `None` if the group holds.
    pub fn order(&self, world: &mut FlowWorld, group: usize) -> Option<Order> {
        let goal = self.groups[group].goal?;
        let bodies = self.bodies.iter().filter(|body| body.group == group);
        let cells: Vec<Cell> = bodies.map(|body| cell_of(body.start)).collect();
        Some(world.order(goal, &cells).expect("the goal lies open"))
    }

    /// Returns the radius of the disc around a goal that has twice as much open ground as the
    /// bodies of the group cover.
    pub fn disc(&self, group: &Group) -> f32 {
        let Some(goal) = group.goal else { return 0.0 };
        let [x, y] = goal.centre();
        let open = |at| {
            let cost = self.map.get(cell_of(at));
            cost.is_some_and(|cost| !cost.is_wall())
        };
        let area = |radius: f32| {
            let reach = (radius / FINE) as i32 + 1;
            let squares = (-reach..reach).flat_map(|row| (-reach..reach).map(move |at| [at, row]));
            let middles = squares.map(|square| square.map(|at| (at as f32 + 0.5) * FINE));
            let inside = middles.filter(|[dx, dy]| dx.hypot(*dy) < radius);
            let free = inside.filter(|[dx, dy]| open([x + dx, y + dy]));
            free.count() as f32 * FINE * FINE
        };
        let wanted = group.size as f32 * TAU / 2.0 * RADIUS * RADIUS * ROOM;
        let mut radius = (wanted * 2.0 / TAU).sqrt();
        while area(radius) < 0.99 * wanted {
            radius += 0.1;
        }
        radius
    }

    fn pictured(mut self, second: f32) -> Self {
        self.picture = Some(second);
        self
    }

    fn wall(&mut self, x: i32, y: i32, width: u32, height: u32) {
        let edited = self
            .map
            .edit(CellRect::new(x, y, width, height), Cost::WALL);
        edited.expect("it lies on the map");
    }

    fn add(&mut self, starts: Vec<[f32; 2]>, goal: Option<Cell>) {
        let group = self.groups.len();
        let size = starts.len();
        self.groups.push(Group { goal, size });
        let bodies = starts.into_iter().map(|start| Body { group, start });
        self.bodies.extend(bodies);
    }
}

/// Returns the cell under a point.
pub fn cell_of(point: [f32; 2]) -> Cell {
    let [x, y] = point.map(|at| at.floor() as i32);
    Cell::new(x, y)
}

fn open(title: &'static str, width: u32, height: u32) -> Scene {
    Scene {
        title,
        picture: None,
        map: CostMap::open(width, height).expect("maps may have this size"),
        groups: Vec::new(),
        bodies: Vec::new(),
    }
}

/// Bodies in columns and rows.
fn block(corner: [f32; 2], columns: u32, rows: u32, apart: f32) -> Vec<[f32; 2]> {
    let places = (0..columns).flat_map(|column| (0..rows).map(move |row| [column, row]));
    let place = |[column, row]: [u32; 2]| {
        [
            corner[0] + column as f32 * apart,
            corner[1] + row as f32 * apart,
        ]
    };
    places.map(place).collect()
}

/// Bodies on a circle, 1.5 cells apart, each a group of its own that goes to the opposite side.
fn circle(title: &'static str, picture: Option<f32>, count: u16) -> Scene {
    let radius = f32::from(count) * 1.5 / TAU;
    let side = 2 * radius as u32 + 13;
    let middle = side as f32 / 2.0;
    let mut scene = open(title, side, side);
    scene.picture = picture;
    for at in 0..count {
        let angle = f32::from(at) / f32::from(count) * TAU;
        let (dx, dy) = (radius * angle.cos(), radius * angle.sin());
        let goal = Cell::new((middle - dx) as i32, (middle - dy) as i32);
        scene.add(vec![[middle + dx, middle + dy]], Some(goal));
    }
    scene
}

/// Blocks of 100 that cross in the middle.
fn streams(mut scene: Scene, count: usize) -> Scene {
    let streams = [
        ([5.5, 36.0], Cell::new(70, 40)),
        ([36.0, 5.5], Cell::new(40, 70)),
        ([66.0, 36.0], Cell::new(9, 40)),
        ([36.0, 66.0], Cell::new(40, 9)),
    ];
    for (corner, goal) in streams.into_iter().take(count) {
        scene.add(block(corner, 10, 10, 0.9), Some(goal));
    }
    scene
}
