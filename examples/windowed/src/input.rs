//! Mouse and keys, and what they mean: a frame's [`Input`], from the window or from a script,
//! becomes moves of the camera and calls of the game.

use flowtiles::Cost;
use minifb::{Key, MouseButton, MouseMode, Window};

use crate::Outcome;
use crate::camera::{Camera, Minimap, Point};
use crate::game::Game;

/// What the arrow keys move the camera by, in pixels a second.
const PAN: f32 = 800.0;

/// The line of help in the window.
pub const HELP: &str = "left drag: select | right click: send, with shift: after that | \
    W + drag: walls, E: remove them | arrows, wheel: move, zoom";

/// Mouse and keys as they are in one frame.
#[derive(Clone, Copy, Default)]
pub struct Input {
    /// The mouse, in pixels.
    pub mouse: Point,
    pub left: bool,
    pub middle: bool,
    pub right: bool,
    pub shift: bool,
    /// Turns of the wheel since the last frame; away from the player is up.
    pub wheel: f32,
    /// The arrow keys: -1, 0 or 1 along each axis.
    pub arrows: Point,
    /// What W or E builds while it is held.
    pub brush: Option<Cost>,
}

impl Input {
    /// Reads the window.
    pub fn of(window: &Window) -> Self {
        let button = |button| window.get_mouse_down(button);
        let key = |key| window.is_key_down(key);
        let axis = |less, more| f32::from(key(more)) - f32::from(key(less));
        let mouse = window.get_mouse_pos(MouseMode::Pass).unwrap_or_default();
        let brushes = [(Key::W, Cost::WALL), (Key::E, Cost::OPEN)];
        Self {
            mouse: mouse.into(),
            left: button(MouseButton::Left),
            middle: button(MouseButton::Middle),
            right: button(MouseButton::Right),
            shift: key(Key::LeftShift) || key(Key::RightShift),
            wheel: window.get_scroll_wheel().map_or(0.0, |(_, turns)| turns),
            arrows: [axis(Key::Left, Key::Right), axis(Key::Up, Key::Down)],
            brush: brushes
                .into_iter()
                .find(|&(held, _)| key(held))
                .map(|(_, cost)| cost),
        }
    }
}

/// What the left button does until it is released.
#[derive(Clone, Copy)]
enum Drag {
    /// Draws a rectangle around units, from this pixel.
    Select(Point),
    /// Builds, since the last frame from this point of the map.
    Paint(Point, Cost),
    /// Moves the camera over the minimap.
    Look,
}

/// What has to be known from frame to frame.
#[derive(Default)]
pub struct Controls {
    before: Input,
    drag: Option<Drag>,
}

impl Controls {
    /// Carries out what the player does in one frame, which lasts `seconds`.
    pub fn apply(
        &mut self,
        input: Input,
        seconds: f32,
        camera: &mut Camera,
        game: &mut Game,
    ) -> Outcome<()> {
        let before = std::mem::replace(&mut self.before, input);
        camera.pan(input.arrows.map(|key| key * PAN * seconds));
        if input.middle && before.middle {
            camera.pan([0, 1].map(|axis| before.mouse[axis] - input.mouse[axis]));
        }
        if input.wheel != 0.0 {
            camera.zoom_at(input.mouse, input.wheel);
        }
        let minimap = Minimap::of(camera).to_map(input.mouse);
        let point = camera.to_map(input.mouse);
        if input.left && !before.left {
            self.drag = Some(match (minimap, input.brush) {
                (Some(_), _) => Drag::Look,
                (None, Some(cost)) => Drag::Paint(point, cost),
                (None, None) => Drag::Select(input.mouse),
            });
        }
        match self.drag {
            Some(Drag::Look) => minimap.into_iter().for_each(|point| camera.look_at(point)),
            Some(Drag::Paint(from, cost)) if input.left => {
                game.paint(from, point, cost)?;
                self.drag = Some(Drag::Paint(point, cost));
            }
            Some(Drag::Select(from)) if !input.left => select(input, from, camera, game),
            _ => {}
        }
        if !input.left {
            self.drag = None;
        }
        if input.right && !before.right {
            game.send(minimap.unwrap_or(point), input.shift)?;
        }
        Ok(())
    }

    /// The rectangle that is being drawn around units, as two corners in pixels.
    pub fn selection(&self) -> Option<[Point; 2]> {
        match self.drag {
            Some(Drag::Select(from)) => Some([from, self.before.mouse]),
            _ => None,
        }
    }
}

/// Selects what lies between two pixels, or beside them: a click is a small rectangle.
fn select(input: Input, from: Point, camera: &Camera, game: &mut Game) {
    let near = 3.0;
    let low = [0, 1].map(|axis| from[axis].min(input.mouse[axis]) - near);
    let high = [0, 1].map(|axis| from[axis].max(input.mouse[axis]) + near);
    game.select([camera.to_map(low), camera.to_map(high)], input.shift);
}
