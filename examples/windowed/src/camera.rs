//! Which part of the map the window shows, and the way from pixels to cells and back.

/// A point in pixels of the window, or in cells of the map.
pub type Point = [f32; 2];

/// The least and the greatest number of pixels for each cell.
const ZOOM: [f32; 2] = [2.0, 40.0];

/// The part of the map that is shown.
pub struct Camera {
    /// The point of the map in the middle of the window, in cells.
    pub middle: Point,
    /// Pixels for each cell.
    pub zoom: f32,
    /// The size of the window, in pixels.
    pub window: [usize; 2],
    /// The size of the map, in cells.
    map: [u32; 2],
}

impl Camera {
    /// Looks at a point of a map.
    pub fn new(middle: Point, map: [u32; 2], window: [usize; 2]) -> Self {
        let zoom = 8.0;
        Self {
            middle,
            zoom,
            window,
            map,
        }
    }

    /// The point of the map below a pixel.
    pub fn to_map(&self, pixel: Point) -> Point {
        [0, 1].map(|axis| self.middle[axis] + (pixel[axis] - self.half(axis)) / self.zoom)
    }

    /// The pixel above a point of the map.
    pub fn to_window(&self, point: Point) -> Point {
        [0, 1].map(|axis| (point[axis] - self.middle[axis]) * self.zoom + self.half(axis))
    }

    /// Looks at another point, or at the nearest point of the map.
    pub fn look_at(&mut self, point: Point) {
        self.middle = [0, 1].map(|axis| point[axis].clamp(0.0, self.map[axis] as f32));
    }

    /// Moves what is shown by some pixels.
    pub fn pan(&mut self, pixels: Point) {
        self.look_at([0, 1].map(|axis| self.middle[axis] + pixels[axis] / self.zoom));
    }

    /// Zooms by turns of the wheel. The point below the mouse stays there.
    pub fn zoom_at(&mut self, mouse: Point, turns: f32) {
        let before = self.to_map(mouse);
        self.zoom = (self.zoom * 1.25_f32.powf(turns)).clamp(ZOOM[0], ZOOM[1]);
        let after = self.to_map(mouse);
        self.look_at([0, 1].map(|axis| self.middle[axis] + before[axis] - after[axis]));
    }

    fn half(&self, axis: usize) -> f32 {
        self.window[axis] as f32 / 2.0
    }
}

/// The small picture of the whole map in the lower right corner: a pixel for 2×2 cells.
#[derive(Clone, Copy)]
pub struct Minimap {
    /// Its upper left pixel.
    pub corner: [i32; 2],
    /// Its size, in pixels.
    pub size: [i32; 2],
}

impl Minimap {
    /// Cells for each pixel, along each axis.
    pub const CELLS: i32 = 2;

    /// Its place in the window of a camera.
    pub fn of(camera: &Camera) -> Self {
        let size = camera.map.map(|cells| cells as i32 / Self::CELLS);
        let corner = [0, 1].map(|axis| camera.window[axis] as i32 - size[axis] - 8);
        Self { corner, size }
    }

    /// The point of the map below a pixel of the window; `None` beside the minimap.
    pub fn to_map(self, pixel: Point) -> Option<Point> {
        let inside = [0, 1].map(|axis| pixel[axis] - self.corner[axis] as f32);
        let is_inside = |axis: usize| (0.0..self.size[axis] as f32).contains(&inside[axis]);
        (is_inside(0) && is_inside(1)).then(|| inside.map(|at| (at + 0.5) * Self::CELLS as f32))
    }

    /// The pixel of the window above a point of the map.
    pub fn to_window(self, point: Point) -> [i32; 2] {
        [0, 1].map(|axis| self.corner[axis] + point[axis] as i32 / Self::CELLS)
    }
}
