//! A buffer of pixels, and the few shapes and letters that the game needs.

use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster};

/// A colour, as 0xRRGGBB.
pub type Colour = u32;

/// A picture of the size of the window.
#[derive(Default)]
pub struct Canvas {
    pub pixels: Vec<Colour>,
    pub size: [usize; 2],
}

impl Canvas {
    /// Takes a size, and forgets what was drawn if it is another than before.
    pub fn resize(&mut self, size: [usize; 2]) {
        if self.size != size {
            self.size = size;
            self.pixels = vec![0; size[0] * size[1]];
        }
    }

    /// Fills the pixels from one corner to before the other.
    pub fn fill(&mut self, from: [i32; 2], to: [i32; 2], colour: Colour) {
        let within = |at: i32, axis: usize| at.clamp(0, self.size[axis] as i32) as usize;
        let (left, right) = (within(from[0], 0), within(to[0], 0));
        let (top, bottom) = (within(from[1], 1), within(to[1], 1));
        for y in top..bottom {
            let row = y * self.size[0];
            self.pixels[row + left..row + right.max(left)].fill(colour);
        }
    }

    /// Draws the edges of a rectangle.
    pub fn frame(&mut self, from: [i32; 2], to: [i32; 2], colour: Colour) {
        self.fill(from, [to[0] + 1, from[1] + 1], colour);
        self.fill([from[0], to[1]], [to[0] + 1, to[1] + 1], colour);
        self.fill(from, [from[0] + 1, to[1] + 1], colour);
        self.fill([to[0], from[1]], [to[0] + 1, to[1] + 1], colour);
    }

    /// Fills the ring between two radii; a disc if the inner one is 0.
    pub fn ring(&mut self, [x, y]: [f32; 2], inner: f32, outer: f32, colour: Colour) {
        for row in (y - outer).floor() as i32..=(y + outer).ceil() as i32 {
            // Half the width of the circle of a radius in the middle of this row of pixels.
            let dy = row as f32 + 0.5 - y;
            let half = |radius: f32| (radius * radius - dy * dy).max(0.0).sqrt();
            let [near, far] = [inner, outer].map(half);
            for [left, right] in [[x - far, x - near], [x + near, x + far]] {
                let [left, right] = [left, right].map(|at| at.round() as i32);
                self.fill([left, row], [right, row + 1], colour);
            }
        }
    }

    /// Draws a line, two pixels wide.
    pub fn line(&mut self, from: [f32; 2], to: [f32; 2], colour: Colour) {
        let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
        let steps = dx.abs().max(dy.abs()).ceil().min(10_000.0);
        for at in 0..=steps as u32 {
            let share = at as f32 / steps.max(1.0);
            let [x, y] = [from[0] + dx * share, from[1] + dy * share].map(|at| at as i32);
            self.fill([x, y], [x + 2, y + 2], colour);
        }
    }

    /// Writes a line in white on black, from its upper left pixel. Each letter is as wide as
    /// the others, and 16 pixels high.
    pub fn text(&mut self, mut corner: [i32; 2], text: &str) {
        for letter in text.chars() {
            let raster = get_raster(letter, FontWeight::Regular, RasterHeight::Size16);
            let Some(raster) = raster else { continue };
            for (y, row) in (corner[1]..).zip(raster.rows()) {
                for (x, &grey) in (corner[0]..).zip(row) {
                    self.fill([x, y], [x + 1, y + 1], u32::from(grey) * 0x01_01_01);
                }
            }
            corner[0] += raster.width() as i32;
        }
    }
}
