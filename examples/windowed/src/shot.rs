//! A run without a player: scripted input for a number of frames, and a picture of the last
//! as a PPM. The window is real, and so is everything behind [`Input`].

use std::fs;
use std::io;

use flowtiles::Cost;

use crate::camera::Point;
use crate::canvas::Canvas;
use crate::input::Input;

/// The input of a frame, for a window of 960×640 pixels: the player's units, but for the last
/// four rows, are selected, sent to a place and on to the middle of the map, a wall is built
/// across their way and shortened again, and the camera jumps after them on the minimap.
pub fn input(frame: u32) -> Input {
    let still = |mouse| Input {
        mouse,
        ..Input::default()
    };
    let drag = |mouse, brush| Input {
        left: true,
        brush,
        ..still(mouse)
    };
    let click = |mouse, shift| Input {
        right: true,
        shift,
        ..still(mouse)
    };
    let middle = [802.0 + 75.0, 532.0 + 50.0]; // on the minimap
    match frame {
        1..=3 => drag(between([300.0, 130.0], [430.0, 450.0], frame - 1, 2), None),
        4 => still([430.0, 450.0]),
        6 => click([700.0, 280.0], false),
        8 => click(middle, true),
        12..=30 => drag(
            between([500.0, 160.0], [500.0, 480.0], frame - 12, 18),
            Some(Cost::WALL),
        ),
        32..=40 => drag(
            between([500.0, 420.0], [500.0, 480.0], frame - 32, 8),
            Some(Cost::OPEN),
        ),
        50 => Input {
            wheel: 2.0,
            ..still([400.0, 300.0])
        },
        60 => drag(middle, None),
        _ => still([480.0, 320.0]),
    }
}

fn between(from: Point, to: Point, at: u32, steps: u32) -> Point {
    [0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * at as f32 / steps as f32)
}

/// Writes a picture as a PPM: a line of text, then red, green and blue of each pixel.
pub fn write_ppm(canvas: &Canvas, path: &str) -> io::Result<()> {
    let [width, height] = canvas.size;
    let mut file = format!("P6 {width} {height} 255\n").into_bytes();
    let colours = canvas.pixels.iter().map(|pixel| pixel.to_be_bytes());
    file.extend(colours.flat_map(|[_, red, green, blue]| [red, green, blue]));
    fs::write(path, file)
}
