//! A field of the crowd, laid over a picture as translucent colours with a
//! legend.
//!
//! The colours go from light to dark, so that they can be told apart by
//! lightness alone.

use flowtiles::Cell;

use crate::support::font;
use crate::support::picture::{Colour, Picture, mixed};
use flowtiles_scenes::raster::Raster;
use flowtiles_studio::numbers::rounded_up;

/// What can be laid over a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum CrowdLayer {
    /// How crowded the ground is
    Density,
    /// How fast a group may walk
    Speed,
    /// What a group would rather avoid
    Discomfort,
    /// The cost of the rest of a group's path
    Potential,
}

impl CrowdLayer {
    /// Returns the name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Density => "density",
            Self::Speed => "speed",
            Self::Discomfort => "discomfort",
            Self::Potential => "potential",
        }
    }

    /// Whether it differs between groups.
    const fn is_of_a_group(self) -> bool {
        !matches!(self, Self::Density)
    }
}

/// The layer laid over a picture, and the group whose values it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CrowdView {
    pub layer: CrowdLayer,
    /// The group whose speed, discomfort and potential are shown, in the order
    /// of the scene's bands.
    pub group: usize,
}

/// The colours from 0 to the highest value.
const STOPS: [Colour; 5] = [
    [250, 230, 90],
    [120, 200, 100],
    [40, 145, 140],
    [55, 90, 140],
    [68, 10, 88],
];
/// The opacity of the lowest and the highest value, of 255.
const OPAQUE: [f32; 2] = [110.0, 225.0];
/// Below this part of the highest value, colours fade into the ground.
const FAINT: f32 = 0.08;
/// The most level lines of a potential.
const LEVELS: f32 = 60.0;
/// The opacity of the ground between level lines and of the lines, of 255.
const BAND: u8 = 110;
const LINE: u8 = 190;
/// Pixels of the legend's bar.
const BAR: [i32; 2] = [121, 10];
/// Pixels beside the legend's text for the colour of a group.
const SWATCH: i32 = 14;
const MARGIN: i32 = 6;

const INK: Colour = [28, 30, 36];
const PAPER: Colour = [250, 248, 242];

/// A layer being drawn, frame by frame.
pub struct Overlay {
    view: CrowdView,
    /// Values along a cell of the map.
    fineness: i32,
    /// The value at the end of the scale: the highest seen so far, rounded
    /// up.
    most: f32,
}

impl Overlay {
    /// Returns an overlay of fields with `fineness` values along a cell.
    pub const fn new(view: CrowdView, fineness: i32) -> Self {
        Self {
            view,
            fineness,
            most: 0.0,
        }
    }

    /// Returns the view.
    pub const fn view(&self) -> CrowdView {
        self.view
    }

    /// Draws the values over a picture with `scale` pixels a cell, blended between
    /// the field cells. Positions without a value stay as they are.
    pub fn draw(
        &mut self,
        picture: &mut Picture,
        scale: i32,
        value: impl Fn([f32; 2]) -> Option<f32>,
    ) {
        let (across, down) = (picture.colours.width(), picture.colours.height());
        let side = (scale / self.fineness).max(1);
        let middle = |along: i32| (along as f32 + 0.5) * side as f32 / scale as f32;
        let known = |value: &f32| value.is_finite();
        let samples = Raster::from_cells(
            (across + side - 1) / side,
            (down + side - 1) / side,
            |Cell { x, y }| value([middle(x), middle(y)]).filter(known),
        );
        let most = samples.iter().flatten().copied().fold(0.0, f32::max);
        if most > self.most {
            self.most = rounded_up(most);
        }
        let values = Raster::from_cells(across, down, |pixel| blended(&samples, side, pixel));
        for (x, y) in (0..down).flat_map(|y| (0..across).map(move |x| (x, y))) {
            if let Some((colour, strength)) = self.shade(&values, Cell::new(x, y)) {
                picture.lay(Cell::new(x, y), colour, strength);
            }
        }
    }

    /// Returns the colour of a pixel and its opacity.
    fn shade(&self, values: &Raster<Option<f32>>, pixel: Cell) -> Option<(Colour, u8)> {
        let value = values[pixel]?;
        if self.view.layer == CrowdLayer::Potential {
            let step = rounded_up(self.most / LEVELS);
            let level = |value: f32| (value / step).floor();
            let beside = |dx, dy| *values.get(Cell::new(pixel.x + dx, pixel.y + dy))?;
            let differs = |other: Option<f32>| other.is_some_and(|v| level(v) != level(value));
            let is_line = differs(beside(1, 0)) || differs(beside(0, 1));
            return Some(if is_line {
                (INK, LINE)
            } else {
                (colour(self.part(value)), BAND)
            });
        }
        let part = self.part(value);
        // Low values fade, so that the ground keeps its own colour there.
        let fading = (part / FAINT).min(1.0);
        let strength = fading * (OPAQUE[0] + (OPAQUE[1] - OPAQUE[0]) * part);
        (part > 0.0).then(|| (colour(part), strength as u8))
    }

    /// Returns the position of a value on the scale: what slows a group is dark.
    fn part(&self, value: f32) -> f32 {
        let part = value / self.most;
        if self.view.layer == CrowdLayer::Speed {
            1.0 - part
        } else {
            part
        }
    }

    /// Draws the legend into the lower left corner: the layer, the group (with its
    /// colour), the unit, and the values at the ends of the scale.
    pub fn legend(&self, picture: &mut Picture, colour_of_group: Colour) {
        let words = self.words();
        let line = font::HEIGHT as i32 + MARGIN;
        let high = words.len() as i32 * line + BAR[1] + line + 2 * MARGIN;
        let across = words.iter().map(|text| font::width(text) as i32);
        let wide = across.max().unwrap_or(0).max(BAR[0]) + 2 * MARGIN + SWATCH;
        let (left, top) = (MARGIN, picture.colours.height() - MARGIN - high);
        for (x, y) in (0..high).flat_map(|y| (0..wide).map(move |x| (x, y))) {
            picture.lay(Cell::new(left + x, top + y), PAPER, 235);
        }
        let (left, mut y) = (left + MARGIN, top + MARGIN);
        for text in &words {
            picture.write_text(Cell::new(left, y), text, 1, INK);
            y += line;
        }
        if self.view.layer.is_of_a_group() {
            let beside = left + font::width(&words[0]) as i32 + SWATCH / 2 + 2;
            picture.disc(
                Cell::new(beside, top + MARGIN + 3),
                4,
                colour_of_group,
                u8::MAX,
            );
        }
        for (x, dy) in (0..BAR[1]).flat_map(|dy| (0..BAR[0]).map(move |x| (x, dy))) {
            let part = x as f32 / (BAR[0] - 1) as f32;
            picture.lay(Cell::new(left + x, y + dy), colour(part), 255);
        }
        let below = y + BAR[1] + MARGIN;
        let most = self.most.to_string();
        let ends = match self.view.layer {
            CrowdLayer::Speed => [most.as_str(), "0"],
            _ => ["0", most.as_str()],
        };
        let right = left + BAR[0] - font::width(ends[1]) as i32;
        picture.write_text(Cell::new(left, below), ends[0], 1, INK);
        picture.write_text(Cell::new(right, below), ends[1], 1, INK);
    }

    /// Returns the layer, the group and the unit in words.
    fn words(&self) -> [String; 2] {
        let CrowdView { layer, group } = self.view;
        let name = layer.name();
        let whose = match layer.is_of_a_group() {
            true => format!("{name} for group {group}"),
            false => format!("{name} of all units"),
        };
        let unit = match layer {
            CrowdLayer::Density => format!("units a field cell ({0}x{0} a cell)", self.fineness),
            CrowdLayer::Speed => "1 is as fast as the ground allows".to_owned(),
            CrowdLayer::Discomfort => "1 adds the cost of open ground".to_owned(),
            CrowdLayer::Potential => "cells of open ground to the goal".to_owned(),
        };
        [whose, unit]
    }
}

/// The value at a pixel, blended between the samples whose middles are nearest,
/// each `side` pixels long; `None` where the sample under it has none.
fn blended(samples: &Raster<Option<f32>>, side: i32, pixel: Cell) -> Option<f32> {
    samples[Cell::new(pixel.x / side, pixel.y / side)]?;
    let along = |at: i32| (at as f32 + 0.5) / side as f32 - 0.5;
    let (x, y) = (along(pixel.x), along(pixel.y));
    let (left, top) = (x.floor(), y.floor());
    let (dx, dy) = (x - left, y - top);
    let (mut total, mut weights) = (0.0, 0.0);
    for (column, row, weight) in [
        (0, 0, (1.0 - dx) * (1.0 - dy)),
        (1, 0, dx * (1.0 - dy)),
        (0, 1, (1.0 - dx) * dy),
        (1, 1, dx * dy),
    ] {
        let cell = Cell::new(left as i32 + column, top as i32 + row);
        if let Some(Some(value)) = samples.get(cell) {
            total += value * weight;
            weights += weight;
        }
    }
    (weights > 0.0).then(|| total / weights)
}

/// Returns the colour of a value, as a part of the highest.
fn colour(part: f32) -> Colour {
    let along = part.clamp(0.0, 1.0) * (STOPS.len() - 1) as f32;
    let stop = (along as usize).min(STOPS.len() - 2);
    let share = (along - stop as f32) * 255.0;
    mixed(STOPS[stop], STOPS[stop + 1], share as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn of(layer: CrowdLayer) -> Overlay {
        Overlay::new(CrowdView { layer, group: 0 }, 2)
    }

    fn blank() -> Picture {
        Picture {
            colours: Raster::filled(200, 100, [240; 3]),
        }
    }

    /// Returns the lightness from 0 to 255, as the eye sees it.
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
        let mut overlay = of(CrowdLayer::Density);
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
        let mut overlay = of(CrowdLayer::Density);
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
    }

    #[test]
    fn what_slows_down_is_dark() {
        let mut picture = blank();
        of(CrowdLayer::Speed).draw(&mut picture, 10, |[x, _]| Some((x / 15.0).min(1.0)));
        let shade = |x| lightness(picture.colours[Cell::new(x, 50)]);
        assert!(shade(10) < shade(100), "slow on the left");
        assert_eq!(shade(199), 240, "full speed leaves the ground as it is");
    }

    #[test]
    fn a_potential_has_level_lines() {
        let mut picture = blank();
        of(CrowdLayer::Potential).draw(&mut picture, 10, |[x, _]| Some(x));
        let shade = |x| lightness(picture.colours[Cell::new(x, 50)]);
        let dark = (1..198).filter(|&x| shade(x) + 40 < shade(x - 1).min(shade(x + 1)));
        // 20 cells in steps of 0.5.
        assert_eq!(dark.count(), 39);
    }

    #[test]
    fn the_legend_shows_all_colours() {
        let mut picture = blank();
        of(CrowdLayer::Potential).legend(&mut picture, [200, 30, 30]);
        for stop in STOPS {
            assert!(
                picture.colours.iter().any(|colour| *colour == stop),
                "{stop:?}"
            );
        }
        assert!(picture.colours.iter().any(|colour| *colour == INK));
        let group = |colour: &&Colour| **colour == [200, 30, 30];
        assert!(picture.colours.iter().filter(group).count() > 20);
    }

    #[test]
    fn the_legend_says_whose_values_and_in_which_unit() {
        for (layer, whose, unit) in [
            (CrowdLayer::Density, "density of all units", "2x2 a cell"),
            (CrowdLayer::Speed, "speed for group 0", "ground allows"),
            (CrowdLayer::Discomfort, "discomfort for group 0", "cost"),
            (CrowdLayer::Potential, "potential for group 0", "cells"),
        ] {
            let words = of(layer).words();
            assert!(words[0] == whose && words[1].contains(unit), "{words:?}");
        }
    }
}
