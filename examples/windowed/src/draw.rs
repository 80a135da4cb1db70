//! What the window shows: ground, goals, units, the minimap, the counter and a line of help.

use flowtiles::steer::UnitState;
use flowtiles::{Cell, Cost};

use crate::camera::{Camera, Minimap, Point};
use crate::canvas::{Canvas, Colour};
use crate::game::{Game, MAP, team_of};
use crate::input::HELP;

const VOID: Colour = 0x10_12_14;
/// Open ground; sectors take turns, so that the eye sees a camera move.
const GROUND: [Colour; 2] = [0x2c_3a_30, 0x2f_3e_33];
const ROUGH: Colour = 0x5a_4a_30;
const WALL: Colour = 0x9a_9f_a8;
/// The colours of the teams.
const UNITS: [Colour; 2] = [0xff_c8_3d, 0x4f_b3_ff];
const SELECTED: Colour = 0xff_ff_ff;
const GOAL: Colour = 0xff_5c_f0;
const FRAME: Colour = 0xc0_c4_c8;

/// Draws a frame, `share` of the way from the step before the last to the last.
pub fn frame(
    canvas: &mut Canvas,
    camera: &Camera,
    game: &Game,
    share: f32,
    selection: Option<[Point; 2]>,
) {
    canvas.resize(camera.window);
    ground(canvas, camera, game);
    goals(canvas, camera, game);
    for (unit, place) in game.drawn(share) {
        let (middle, radius) = (camera.to_window(place), unit.radius * camera.zoom);
        // A unit that is cut off from its goal is hollow.
        let hole = f32::from(unit.state == UnitState::Unreachable) * 0.6 * radius;
        canvas.ring(middle, hole, radius.max(1.5), UNITS[team_of(unit)]);
        if game.selected.contains(&unit.id) {
            canvas.ring(middle, radius, radius + 1.5, SELECTED);
        }
    }
    if let Some([from, to]) = selection {
        let low = [0, 1].map(|axis| from[axis].min(to[axis]) as i32);
        let high = [0, 1].map(|axis| from[axis].max(to[axis]) as i32);
        canvas.frame(low, high, SELECTED);
    }
    minimap(canvas, camera, game, share);
    canvas.fill([0, 0], [camera.window[0] as i32, 44], 0);
    canvas.text([8, 4], &game.summary());
    canvas.text([8, 24], HELP);
}

/// Fills each cell that is in sight.
fn ground(canvas: &mut Canvas, camera: &Camera, game: &Game) {
    canvas.pixels.fill(VOID);
    let corner = camera.to_map([0.0, 0.0]);
    let opposite = camera.to_map(camera.window.map(|pixels| pixels as f32));
    let [across, down] = [0, 1].map(|axis| {
        let first = (corner[axis].floor() as i32).max(0);
        first..(opposite[axis].ceil() as i32).min(MAP[axis] as i32)
    });
    let pixel = |x, y| {
        camera
            .to_window([x as f32, y as f32])
            .map(|at| at.round() as i32)
    };
    for y in down {
        for x in across.clone() {
            let colour = ground_colour(game, Cell::new(x, y));
            canvas.fill(pixel(x, y), pixel(x + 1, y + 1), colour);
        }
    }
}

fn ground_colour(game: &Game, cell: Cell) -> Colour {
    match game.world.costs().get(cell) {
        None => VOID,
        Some(cost) if cost.is_wall() => WALL,
        Some(Cost::OPEN) => GROUND[((cell.x / 10 + cell.y / 10) & 1) as usize],
        Some(_) => ROUGH,
    }
}

/// Draws where the selected units go, and the legs after it.
fn goals(canvas: &mut Canvas, camera: &Camera, game: &Game) {
    for group in game.selected_groups() {
        let middle = |cell: Cell| camera.to_window(cell.centre());
        let places: Vec<Point> = game.goals(group).map(middle).collect();
        for leg in places.windows(2) {
            canvas.line(leg[0], leg[1], GOAL);
        }
        for &place in &places {
            canvas.ring(place, 6.0, 9.0, GOAL);
            canvas.ring(place, 0.0, 2.5, GOAL);
        }
    }
}

/// Draws the whole map, a pixel for 2×2 cells, and what the camera shows of it.
fn minimap(canvas: &mut Canvas, camera: &Camera, game: &Game, share: f32) {
    let map = Minimap::of(camera);
    let mut dot = |[x, y]: [i32; 2], size: i32, colour| {
        canvas.fill([x, y], [x + size, y + size], colour);
    };
    let cells = Minimap::CELLS;
    for y in 0..map.size[1] {
        for x in 0..map.size[0] {
            // A wall of one cell must not disappear.
            let four = [(0, 0), (1, 0), (0, 1), (1, 1)];
            let four = four.map(|(dx, dy)| Cell::new(x * cells + dx, y * cells + dy));
            let colours = four.map(|cell| ground_colour(game, cell));
            let colour = if colours.contains(&WALL) {
                WALL
            } else {
                colours[0]
            };
            dot([map.corner[0] + x, map.corner[1] + y], 1, colour);
        }
    }
    for group in game.selected_groups() {
        for cell in game.goals(group) {
            let [x, y] = map.to_window([cell.x as f32, cell.y as f32]);
            dot([x - 1, y - 1], 3, GOAL);
        }
    }
    for (unit, place) in game.drawn(share) {
        dot(map.to_window(place), 1, UNITS[team_of(unit)]);
    }
    let [left, top] = map.corner;
    let opposite = [left + map.size[0], top + map.size[1]];
    let view = [[0.0; 2], camera.window.map(|pixels| pixels as f32)];
    let [from, to] = view.map(|pixel| {
        let [x, y] = map.to_window(camera.to_map(pixel));
        [x.clamp(left, opposite[0]), y.clamp(top, opposite[1])]
    });
    canvas.frame(from, to, SELECTED);
    canvas.frame([left - 1, top - 1], opposite, FRAME);
}
