//! Costs from the slopes of a height map.

use flowtiles::{Cost, CostMap};
use png::{BitDepth, ColorType, Transformations};

use super::Picture;
use crate::ReadError;
use crate::rows::map_from_rows;

/// How the greys of a height map become costs: by the slope at each cell, and by water.
///
/// The slope is that of the central differences: half of what the heights to the east and
/// to the west differ by, and half of what those to the south and to the north do, each over
/// the side of a cell; at the border of the map, the whole difference to the one neighbour.
/// Of the steepest slope that can be walked, `s` is the share at a cell. Up to 1 the cost is
/// 1 + (d − 1) · s², rounded, from 1 on the flat to d, the dearest; above 1 it is a wall.
///
/// The same file gives the same costs on every machine: there is nothing in it but integers
/// and the products and quotients of IEEE 754.
///
/// ```
/// use flowtiles_formats::Heights;
///
/// // Cells of two metres, and a grey step of a quarter of a metre.
/// let heights = Heights::new(2.0, 0.25).with_steepest(0.5).with_water(10.0);
/// // A rise of four steps in two cells is half of the steepest slope: 1 + 7 / 4, rounded.
/// assert_eq!(heights.cost(100, [98, 102], [100, 100]).value(), 3);
/// assert_eq!(heights.cost(100, [95, 105], [100, 100]).value(), 255); // too steep
/// assert_eq!(heights.cost(39, [39, 39], [39, 39]).value(), 255); // in the water
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heights {
    cell: f64,
    step: f64,
    steepest: f64,
    dearest: Cost,
    water: f64,
}

impl Heights {
    /// Returns the rule for cells whose sides have `cell` metres and for grey steps of `step`
    /// metres. The steepest slope is 0.7 (70 %, 35 degrees), the dearest cost 8, and there is
    /// no water.
    ///
    /// # Panics
    /// If a number is not finite and over 0.
    #[must_use]
    pub fn new(cell: f64, step: f64) -> Self {
        let dearest = Cost::new(8).unwrap_or(Cost::OPEN);
        Self {
            cell: checked(cell),
            step: checked(step),
            steepest: 0.7,
            dearest,
            water: 0.0,
        }
    }

    /// Returns the rule with another steepest slope: metres of height over metres of way.
    ///
    /// # Panics
    /// If the number is not finite and over 0.
    #[must_use]
    pub fn with_steepest(mut self, slope: f64) -> Self {
        self.steepest = checked(slope);
        self
    }

    /// Returns the rule with another cost of the steepest slope.
    #[must_use]
    pub const fn with_dearest(mut self, cost: Cost) -> Self {
        self.dearest = cost;
        self
    }

    /// Returns the rule with walls where the ground lies lower than so many metres above
    /// grey 0.
    ///
    /// # Panics
    /// If the number is not finite and over 0.
    #[must_use]
    pub fn with_water(mut self, level: f64) -> Self {
        self.water = checked(level);
        self
    }

    /// Returns the cost of a cell with this grey, between the greys to its west and east and
    /// those to its north and south. Off the map a grey goes on as steeply as inside.
    #[must_use]
    pub fn cost(&self, grey: i32, across: [i32; 2], down: [i32; 2]) -> Cost {
        if f64::from(grey) * self.step < self.water {
            return Cost::WALL;
        }
        let rise = |[low, high]: [i32; 2]| u128::from(high.abs_diff(low)).pow(2);
        let rise = (rise(across) + rise(down)) as f64;
        // The rise in grey steps over two cells that is the steepest.
        let steepest = 2.0 * self.cell * self.steepest / self.step;
        if rise == 0.0 {
            return Cost::OPEN;
        }
        if rise > steepest * steepest {
            return Cost::WALL;
        }
        let more = f64::from(self.dearest.value() - 1) * rise / (steepest * steepest);
        Cost::new(1 + (more + 0.5) as u8).unwrap_or(Cost::WALL)
    }

    /// Writes the costs of a row of greys between the rows to its north and south.
    fn costs(&self, [north, row, south]: [&[i32]; 3], costs: &mut [u8]) {
        for (x, cost) in costs.iter_mut().enumerate() {
            let at = |x: Option<usize>| x.and_then(|x| row.get(x)).copied();
            let across = ends(row[x], at(x.checked_sub(1)), at(Some(x + 1)));
            let down = ends(row[x], north.get(x).copied(), south.get(x).copied());
            *cost = self.cost(row[x], across, down).value();
        }
    }
}

fn checked(number: f64) -> f64 {
    assert!(
        number.is_finite() && number > 0.0,
        "metres and slopes are numbers over 0, and this is {number}"
    );
    number
}

/// Returns the greys beside a cell; one that is off the map is as far from the cell's as the
/// other.
const fn ends(grey: i32, low: Option<i32>, high: Option<i32>) -> [i32; 2] {
    match (low, high) {
        (Some(low), Some(high)) => [low, high],
        (Some(low), None) => [low, 2 * grey - low],
        (None, Some(high)) => [2 * grey - high, high],
        (None, None) => [grey, grey],
    }
}

/// Reads a height map of at most `cells_max` pixels: a grey picture with 8 or 16 bits a
/// pixel, without opacity.
///
/// # Errors
/// If the bytes are no picture of this kind, if the size is over the limit, and for pixel
/// data after the last row.
pub fn read_heights(bytes: &[u8], heights: &Heights, cells_max: u64) -> Result<CostMap, ReadError> {
    let mut picture = Picture::open(bytes, cells_max, |kind, depth| match (kind, depth) {
        (ColorType::Grayscale, BitDepth::Eight | BitDepth::Sixteen) => {
            Ok(Transformations::IDENTITY)
        }
        _ => Err("is not grey with 8 or 16 bits a pixel: save the heights so, without opacity"),
    })?;
    let (width, height) = picture.size;
    let mut rows: [Vec<i32>; 3] = [Vec::new(), Vec::new(), Vec::new()];
    let map = map_from_rows(width, height, |y, costs| {
        if y == 0 {
            picture.greys(0, &mut rows[2])?;
        }
        // The rows around y: the one to the south is read now.
        rows.rotate_left(1);
        rows[2].clear();
        if y + 1 < height {
            picture.greys(y + 1, &mut rows[2])?;
        }
        heights.costs(rows.each_ref().map(Vec::as_slice), costs);
        Ok(())
    })?;
    picture.end()?;
    Ok(map)
}

impl Picture<'_> {
    /// Reads a row of greys.
    fn greys(&mut self, y: u32, greys: &mut Vec<i32>) -> Result<(), ReadError> {
        let is_wide = self.reader.output_color_type().1 == BitDepth::Sixteen;
        let bytes = self.row(y)?;
        greys.clear();
        if is_wide {
            let pairs = bytes.as_chunks().0.iter();
            greys.extend(pairs.map(|&pair| i32::from(u16::from_be_bytes(pair))));
        } else {
            greys.extend(bytes.iter().map(|&grey| i32::from(grey)));
        }
        Ok(())
    }
}
