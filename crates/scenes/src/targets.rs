//! A scene for each kind of target, with what shows that units do what it asks.

use flowtiles::steer::{Chase, Pace};
use flowtiles::{Cell, CellRect, Teams};

use crate::aim::{AIR, Aim};
use crate::scene::{Band, Incident, Recruit, Scene, block, walled};

const WIDTH: u32 = 100;
const HEIGHT: u32 = 60;

fn goal(x: i32, y: i32) -> Aim {
    Aim::Goal(Cell::new(x, y))
}

/// Units in a column, with this speed.
fn column(count: usize, from: [f32; 2], speed: f32) -> Vec<Recruit> {
    let mut recruits = block(1, count, from, 1.0);
    for recruit in &mut recruits {
        recruit.speed = speed;
    }
    recruits
}

/// Guards who come back to their places.
pub fn hold(_: u64) -> Scene {
    passed(Aim::Hold)
}

/// A crowd that makes room, and stays where it is then.
pub fn stand(_: u64) -> Scene {
    passed(Aim::Stand)
}

/// Units with an aim, through whom others go east, and back after 20 seconds.
fn passed(aim: Aim) -> Scene {
    let guards = Band::new(0, aim, block(8, 40, [35.5, 27.5], 0.7));
    let others = Band::new(1, goal(80, 29), block(2, 20, [12.5, 24.5], 1.0));
    let mut scene = Scene::new(walled(WIDTH, HEIGHT, &[]), vec![guards, others]);
    scene.incidents = vec![(400, Incident::Send(1, goal(8, 29)))];
    // A minute.
    scene.ticks = 1_200;
    scene.runs_on = true;
    scene
}

/// Eighty units around a point.
pub fn point(_: u64) -> Scene {
    let band = Band::new(0, Aim::Point([70.3, 30.8]), block(9, 80, [8.5, 20.5], 0.7));
    Scene::new(walled(WIDTH, HEIGHT, &[]), vec![band])
}

/// The corners of a tour.
const CORNERS: [Cell; 3] = [Cell::new(85, 10), Cell::new(85, 48), Cell::new(20, 48)];

/// A leader on a tour, and twenty units that follow it.
pub fn follow(_: u64) -> Scene {
    let leader = Band::new(0, Aim::Tour(&CORNERS), column(1, [12.5, 10.5], 3.0));
    let others = Band::new(1, Aim::Follow(0), block(5, 20, [4.5, 8.5], 1.0));
    let mut scene = Scene::new(walled(WIDTH, HEIGHT, &[]), vec![leader, others]);
    scene.ticks = 1_400;
    scene
}

/// The stops of a tour and of a patrol, on both sides of a wall.
const STOPS: [Cell; 3] = [Cell::new(22, 44), Cell::new(60, 8), Cell::new(85, 44)];

fn from_stop_to_stop(aim: Aim) -> Scene {
    let walls = [CellRect::new(40, 0, 2, 48)];
    let band = Band::new(0, aim, block(4, 24, [5.5, 5.5], 1.0));
    Scene::new(walled(WIDTH, HEIGHT, &walls), vec![band])
}

/// Three goals, one after the other.
pub fn tour(_: u64) -> Scene {
    from_stop_to_stop(Aim::Tour(&STOPS))
}

/// The same goals, again and again, for three minutes.
pub fn patrol(_: u64) -> Scene {
    let mut scene = from_stop_to_stop(Aim::Patrol(&STOPS));
    scene.ticks = 3_600;
    scene
}

/// Hunters round a wall, whose quarry gets away and is caught again; and hunters whose
/// quarry gets beyond their leash.
pub fn pursue(_: u64) -> Scene {
    let walls = [CellRect::new(40, 0, 2, 30), CellRect::new(0, 38, 100, 1)];
    let chase = Chase::default().with_range(2.0).with_leash(1_000.0);
    let short = Chase::default().with_leash(40.0);
    let bands = vec![
        Band::new(0, Aim::Pursue(1, chase), column(6, [20.5, 8.5], 4.0)),
        Band::new(1, goal(60, 10), column(1, [60.5, 10.5], 6.0)),
        Band::new(2, Aim::Pursue(3, short), column(3, [10.5, 47.5], 4.0)),
        Band::new(3, goal(95, 48), column(1, [20.5, 48.5], 6.0)),
    ];
    let mut scene = Scene::new(walled(WIDTH, HEIGHT, &walls), bands);
    scene.incidents = vec![(500, Incident::Send(1, goal(90, 32)))];
    scene.ticks = 1_000;
    scene
}

/// A raid past five foes: three in sight, one too far off, and one behind a wall.
pub fn attack(_: u64) -> Scene {
    let walls = [CellRect::new(14, 33, 12, 1)];
    let aim = Aim::Attack(Cell::new(90, 30), Chase::default());
    let mut raiders = Band::new(0, aim, column(6, [5.5, 26.5], 4.0));
    raiders.foes = Teams::NONE.with(1);
    let places = [
        [30.5, 24.5],
        [50.5, 37.5],
        [70.5, 30.5],
        [60.5, 5.5],
        [20.5, 36.5],
    ];
    let mut camp = Band::new(1, Aim::Hold, places.map(Recruit::at).into());
    camp.team = 1;
    let mut scene = Scene::new(walled(WIDTH, HEIGHT, &walls), vec![raiders, camp]);
    scene.reach = Some(1.3);
    scene
}

/// Four units that flee from a hunter who stands in the wide mouth of a pocket, out by the
/// gap in its southern wall.
pub fn flee(_: u64) -> Scene {
    let walls = [
        CellRect::new(10, 20, 1, 21),
        CellRect::new(10, 20, 30, 1),
        CellRect::new(10, 40, 12, 1),
        CellRect::new(25, 40, 15, 1),
    ];
    let chase = Chase::default().with_leash(1_000.0);
    let mut hunter = Band::new(0, Aim::Pursue(1, chase), column(1, [36.5, 30.5], 3.0));
    let mut prey = Band::new(1, Aim::Flee(25.0), column(4, [24.5, 28.5], 4.5));
    (hunter.team, prey.team) = (1, 2);
    prey.foes = Teams::NONE.with(1);
    let mut scene = Scene::new(walled(WIDTH, HEIGHT, &walls), vec![hunter, prey]);
    // Once away they stand, and the hunter comes nearer again.
    scene.ticks = 400;
    scene
}

/// Two lanes from west to east, each through a pass; by the number of the lane.
fn lanes<const BANDS: usize>(pass: u32, bands: [Band; BANDS]) -> Scene {
    let mut walls = vec![CellRect::new(0, 59, 220, 2)];
    for lane in 0..2 {
        let (top, half) = (61 * lane, (59 - pass) / 2);
        walls.push(CellRect::new(80, top, 3, half));
        walls.push(CellRect::new(
            80,
            top + (half + pass) as i32,
            3,
            59 - half - pass,
        ));
    }
    let mut scene = Scene::new(walled(220, 120, &walls), bands.into());
    scene.columns = Some([50.0, 81.0, 140.0]);
    scene
}

/// Two groups of 144, each through a pass: one keeps its width, and one does not.
pub fn keep_width(_: u64) -> Scene {
    let group = |number: usize| {
        let row = 29 + 61 * number as i32;
        let units = block(12, 144, [5.5, row as f32 - 5.5], 1.0);
        Band::new(number, goal(200, row), units)
    };
    let mut bands = [0, 1].map(group);
    bands[0].keeps_width = true;
    lanes(5, bands)
}

/// Two groups of units with different speeds: one goes as fast as its slowest.
pub fn keep_pace(_: u64) -> Scene {
    let group = |number: usize| {
        let row = 29 + 61 * number as i32;
        let mut units = block(4, 24, [5.5, row as f32 - 2.5], 1.0);
        for (at, unit) in units.iter_mut().enumerate() {
            unit.speed = 3.0 + 0.1 * (at * 7 % 24) as f32;
        }
        Band::new(number, goal(200, row), units)
    };
    let mut bands = [0, 1].map(group);
    bands[0].pace = Pace::Slowest;
    lanes(9, bands)
}

/// Two blocks that meet a block each: one flies over it, and one has to go through it.
pub fn planes(_: u64) -> Scene {
    let row = |lane: usize| 29 + 61 * lane as i32;
    let block_at = |lane: usize, x: f32| block(12, 144, [x, row(lane) as f32 - 3.5], 0.65);
    let east = |lane: usize| Band::new(lane, goal(200, row(lane)), block_at(lane, 5.5));
    let west = |lane: usize| Band::new(2 + lane, goal(20, row(lane)), block_at(lane, 203.5));
    let mut bands = [east(0), east(1), west(0), west(1)];
    bands[0].planes = AIR;
    for band in &mut bands {
        band.keeps_width = true;
    }
    lanes(57, bands)
}
