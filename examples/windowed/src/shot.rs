//! A run without a player: scripted input for a number of frames, and a picture of the last
//! as a PNG. The window is real, and so is everything behind [`Input`].

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

/// Writes a picture as a PNG without compression.
pub fn write_png(canvas: &Canvas, path: &str) -> io::Result<()> {
    let [width, height] = canvas.size.map(|size| size as u32);
    let mut rows = Vec::new();
    for row in canvas.pixels.chunks(canvas.size[0]) {
        rows.push(0); // no filter
        rows.extend(
            row.iter()
                .flat_map(|pixel| pixel.to_be_bytes().into_iter().skip(1)),
        );
    }
    let mut header = [width.to_be_bytes(), height.to_be_bytes()].concat();
    header.extend([8, 2, 0, 0, 0]); // eight bits each of red, green and blue
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, data) in [
        (b"IHDR", header),
        (b"IDAT", stored(&rows)),
        (b"IEND", Vec::new()),
    ] {
        let body = [kind.as_slice(), &data].concat();
        file.extend((data.len() as u32).to_be_bytes());
        file.extend(&body);
        file.extend(crc32(&body).to_be_bytes());
    }
    fs::write(path, file)
}

/// A zlib stream of stored blocks.
fn stored(bytes: &[u8]) -> Vec<u8> {
    let mut stream = vec![0x78, 0x01];
    let blocks = bytes.chunks(0xffff);
    let last = blocks.len().saturating_sub(1);
    for (number, block) in blocks.enumerate() {
        let length = block.len() as u16;
        stream.push(u8::from(number == last));
        stream.extend(length.to_le_bytes());
        stream.extend((!length).to_le_bytes());
        stream.extend(block);
    }
    let (mut low, mut high) = (1_u32, 0_u32);
    for &byte in bytes {
        low = (low + u32::from(byte)) % 65_521;
        high = (high + low) % 65_521;
    }
    stream.extend((high << 16 | low).to_be_bytes());
    stream
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            (crc >> 1) ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 }
        })
    })
}
