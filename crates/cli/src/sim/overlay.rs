//! A field of the crowd, laid over a picture as translucent colours with a
//! legend.
//!
//! The colours go from light to dark, so that they can be told apart by
//! lightness alone.

use flowtiles::Cell;

use crate::picture::lettering;
use crate::picture::{Colour, Picture, mixed};

/// What can be laid over a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Layer {
    /// How crowded the ground is
    Density,
    /// How fast a group may walk
    Speed,
    /// What a group would rather avoid
    Discomfort,
    /// What the rest of a group's way costs
    Potential,
}

impl Layer {
    /// As the command line calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Density => "density",
            Self::Speed => "speed",
            Self::Discomfort => "discomfort",
            Self::Potential => "potential",
        }
    }
}

/// The colours from 0 to the most.
const STOPS: [Colour; 5] = [
    [250, 230, 90],
    [120, 200, 100],
    [40, 145, 140],
    [55, 90, 140],
    [68, 10, 88],
];
/// How opaque the least and the most are, of 255.
const OPAQUE: [f32; 2] = [70.0, 210.0];
/// Samples along a cell.
const SAMPLES: i32 = 4;
/// Pixels of the legend's bar.
const BAR: [i32; 2] = [121, 10];
/// How much the legend's letters are enlarged.
const LETTERS: i32 = 2;
const MARGIN: i32 = 6;

const INK: Colour = [28, 30, 36];
const PAPER: Colour = [250, 248, 242];

/// A layer being drawn, frame by frame.
pub struct Overlay {
    layer: Layer,
    /// Which value has the darkest colour: all that were seen so far, rounded
    /// up.
    most: f32,
}

impl Overlay {
    /// Of a layer.
    pub const fn new(layer: Layer) -> Self {
        Self { layer, most: 0.0 }
    }

    /// Which layer it is.
    pub const fn layer(&self) -> Layer {
        self.layer
    }

    /// Lays the values at positions of the map over a picture with `scale`
    /// pixels a cell. Where there is no value, or 0, nothing is laid.
    pub fn draw(
        &mut self,
        picture: &mut Picture,
        scale: i32,
        value: impl Fn([f32; 2]) -> Option<f32>,
    ) {
        let side = (scale / SAMPLES).max(1);
        let (across, down) = (picture.colours.width(), picture.colours.height());
        let corners = (0..down)
            .step_by(side as usize)
            .flat_map(|y| (0..across).step_by(side as usize).map(move |x| [x, y]));
        let at = |along: i32| (along as f32 + side as f32 / 2.0) / scale as f32;
        let samples: Vec<([i32; 2], f32)> = corners
            .filter_map(|corner| Some((corner, value(corner.map(at))?)))
            .filter(|(_, value)| *value > 0.0 && value.is_finite())
            .collect();
        let most = samples.iter().map(|&(_, value)| value).fold(0.0, f32::max);
        if most > self.most {
            self.most = rounded_up(most);
        }
        for ([x, y], value) in samples {
            let part = value / self.most;
            let strength = OPAQUE[0] + (OPAQUE[1] - OPAQUE[0]) * part;
            for (dx, dy) in (0..side).flat_map(|dy| (0..side).map(move |dx| (dx, dy))) {
                picture.lay(Cell::new(x + dx, y + dy), colour(part), strength as u8);
            }
        }
    }

    /// Draws the legend into the lower left corner: the layer's name, its
    /// colours, 0 and the most.
    pub fn legend(&self, picture: &mut Picture) {
        let line = lettering::HIGH * LETTERS;
        let high = 2 * line + BAR[1] + 4 * MARGIN;
        let (left, top) = (MARGIN, picture.colours.height() - MARGIN - high);
        let wide = BAR[0] + 2 * MARGIN;
        for (x, y) in (0..high).flat_map(|y| (0..wide).map(move |x| (x, y))) {
            picture.lay(Cell::new(left + x, top + y), PAPER, 225);
        }
        let left = left + MARGIN;
        let name = Cell::new(left, top + MARGIN);
        lettering::write(picture, name, self.layer.name(), LETTERS, INK);
        let bar = top + line + 2 * MARGIN;
        for (x, y) in (0..BAR[1]).flat_map(|y| (0..BAR[0]).map(move |x| (x, y))) {
            let part = x as f32 / (BAR[0] - 1) as f32;
            picture.lay(Cell::new(left + x, bar + y), colour(part), 255);
        }
        let below = bar + BAR[1] + MARGIN;
        let most = self.most.to_string();
        let right = left + BAR[0] - lettering::width(&most, LETTERS);
        lettering::write(picture, Cell::new(left, below), "0", LETTERS, INK);
        lettering::write(picture, Cell::new(right, below), &most, LETTERS, INK);
    }
}

/// The colour of a value, as a part of the most.
fn colour(part: f32) -> Colour {
    let along = part.clamp(0.0, 1.0) * (STOPS.len() - 1) as f32;
    let stop = (along as usize).min(STOPS.len() - 2);
    let share = (along - stop as f32) * 255.0;
    mixed(STOPS[stop], STOPS[stop + 1], share as u8)
}

/// The next of 1, 2, 5, 10, 20, 50 …, or of 0.5, 0.2, 0.1 ….
pub fn rounded_up(value: f32) -> f32 {
    let steps = [1.0, 2.0, 5.0];
    let powers = (-3..9).map(|power| 10.0_f32.powi(power));
    let mut round = powers.flat_map(|power| steps.map(|step| step * power));
    round.find(|round| *round >= value).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::Raster;

    fn blank() -> Picture {
        Picture {
            colours: Raster::filled(200, 100, [240; 3]),
        }
    }

    /// Of 255, as the eye weighs the bands.
    fn lightness([red, green, blue]: Colour) -> i32 {
        (i32::from(red) * 299 + i32::from(green) * 587 + i32::from(blue) * 114) / 1000
    }

    #[test]
    fn more_is_darker() {
        let shades: Vec<i32> = (0..=20)
            .map(|at| lightness(colour(at as f32 / 20.0)))
            .collect();
        assert!(shades.is_sorted_by(|one, two| one > two), "{shades:?}");
        let mut picture = blank();
        let mut overlay = Overlay::new(Layer::Density);
        overlay.draw(&mut picture, 10, |[x, _]| (x < 10.0).then_some(x / 10.0));
        let shade = |x| lightness(picture.colours[Cell::new(x, 50)]);
        assert!(
            shade(20) > shade(50) && shade(50) > shade(95),
            "left to right"
        );
        assert_eq!(shade(150), 240, "no value, no colour");
    }

    #[test]
    fn what_is_drawn_keeps_its_scale() {
        let mut overlay = Overlay::new(Layer::Speed);
        let mut drawn = |value: f32| {
            let mut picture = blank();
            overlay.draw(&mut picture, 10, |_| Some(value));
            picture.colours[Cell::new(100, 50)]
        };
        let four = drawn(4.0);
        assert_ne!(drawn(1.0), four);
        assert_eq!(drawn(4.0), four, "the most seen stays the most");
        assert_eq!(drawn(0.0), [240; 3]);
        assert_eq!(drawn(f32::INFINITY), [240; 3]);
        assert_eq!(overlay.most, 5.0);
        assert_eq!(
            [0.3, 1.0, 1.1, 340.0].map(rounded_up),
            [0.5, 1.0, 2.0, 500.0]
        );
    }

    #[test]
    fn the_legend_shows_all_colours() {
        let mut picture = blank();
        Overlay::new(Layer::Potential).legend(&mut picture);
        for stop in STOPS {
            assert!(
                picture.colours.iter().any(|colour| *colour == stop),
                "{stop:?}"
            );
        }
        assert!(picture.colours.iter().any(|colour| *colour == INK));
    }
}
