//! A field of the crowd, laid over a picture as translucent colours with a legend.
//!
//! The colours go from light to dark, so that they differ by lightness alone.

use flowtiles::inspect::Ramp;
use flowtiles::{Cell, CellRect};
use flowtiles_country::Colour;
use flowtiles_country::numbers::rounded_up;
use flowtiles_country::picture::Picture;
use flowtiles_country::raster::Raster;
use flowtiles_scenes::Scene;
use flowtiles_scenes::walls::cell_of;

use super::run::Run;
use crate::support::drawing::Surface;
use crate::support::drawing::colours::{INK, PAPER, on_ramp};
use crate::support::font::{self, Size};

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

/// The opacity of the lowest and the highest value, of 255.
const OPACITIES: [f32; 2] = [110.0, 225.0];
/// Below this part of the highest value, colours fade into the ground.
const FAINT: f32 = 0.08;
const MARGIN: i32 = 6;

/// A layer being drawn, frame by frame.
pub struct CrowdDrawing {
    layer: CrowdLayer,
    group: usize,
    /// The value at the end of the scale: the highest seen so far, rounded up.
    highest: f32,
}

impl CrowdDrawing {
    /// Creates an overlay of the values of a group, by its number among the scene's bands.
    pub const fn new(layer: CrowdLayer, group: usize) -> Self {
        Self {
            layer,
            group,
            highest: 0.0,
        }
    }

    /// The value of a run at a position; `None` where the crowd has none, and in walls.
    fn value(&self, run: &Run<'_>, at: [f32; 2]) -> Option<f32> {
        if run.world.costs().get(cell_of(at))?.is_wall() {
            return None;
        }
        let crowd = run.army.crowd()?;
        let stream = run.army.stream(run.groups[self.group]);
        let value = match self.layer {
            CrowdLayer::Density => crowd.density(at),
            CrowdLayer::Speed => crowd.pace(&run.world, stream?, at),
            CrowdLayer::Potential => crowd.potential(stream?, at),
            CrowdLayer::Discomfort => {
                let felt = stream.and_then(|stream| crowd.discomfort(&run.world, stream, at));
                let painted = run.scene.painted.iter();
                let here = painted.filter(|(area, _)| area.contains(cell_of(at)));
                felt.or_else(|| Some(here.map(|(_, discomfort)| discomfort).sum()))
            }
        };
        value.filter(|value| value.is_finite())
    }

    /// Whose values it shows, and their unit.
    fn words(&self, scene: &Scene) -> [String; 2] {
        let resolution = scene.tuning.settings.resolution;
        let (name, unit) = match self.layer {
            CrowdLayer::Density => {
                let unit = format!(
                    "units per field cell ({resolution}x{resolution} field cells per cell)"
                );
                return ["density of all units".to_owned(), unit];
            }
            CrowdLayer::Speed => ("speed", "1 is as fast as the ground allows"),
            CrowdLayer::Discomfort => ("discomfort", "1 adds the cost of open ground"),
            CrowdLayer::Potential => ("potential", "cells of open ground to the goal"),
        };
        [format!("{name} for group {}", self.group), unit.to_owned()]
    }

    /// Draws the values of a run over a picture of a part of the map with `scale` pixels a cell, a square for each
    /// field cell. Where there is no value, the picture stays as it is.
    pub fn draw(&mut self, picture: &mut Picture, view: CellRect, scale: i32, run: &Run<'_>) {
        let side = (scale / run.scene.tuning.settings.resolution as i32).max(1);
        let (across, down) = (picture.colours.width(), picture.colours.height());
        let (columns, rows) = ((across + side - 1) / side, (down + side - 1) / side);
        let middle = |along: i32| (along as f32 + 0.5) * side as f32 / scale as f32;
        let value = |Cell { x, y }| {
            let at = [view.x as f32 + middle(x), view.y as f32 + middle(y)];
            self.value(run, at)
        };
        let values = Raster::from_cells(columns, rows, value);
        let highest = values.iter().flatten().copied().fold(0.0, f32::max);
        if highest > self.highest {
            self.highest = rounded_up(highest);
        }
        for cell in values.cells() {
            let darkness = values[cell].map_or(0.0, |value| self.darkness(value));
            if darkness > 0.0 {
                let opacity = OPACITIES[0] + (OPACITIES[1] - OPACITIES[0]) * darkness;
                let opacity = ((darkness / FAINT).min(1.0) * opacity) as u8;
                let corner = [cell.x * side, cell.y * side];
                fill(picture, corner, [side, side], |_| {
                    (colour(darkness), opacity)
                });
            }
        }
    }

    /// Where the colour of a value lies, from light at 0 to dark at 1: what slows a group is
    /// dark, also where nothing of the crowd can move.
    fn darkness(&self, value: f32) -> f32 {
        let fraction = if self.highest > 0.0 {
            value / self.highest
        } else {
            0.0
        };
        if self.layer == CrowdLayer::Speed {
            1.0 - fraction
        } else {
            fraction
        }
    }

    /// Draws the legend into the lower left corner: whose values, their unit, and those at the
    /// ends of the scale.
    pub fn legend(&self, picture: &mut Picture, scene: &Scene) {
        let mut ends = ["0".to_owned(), self.highest.to_string()];
        if self.layer == CrowdLayer::Speed {
            ends.reverse();
        }
        let [whose, unit] = self.words(scene);
        let words = [whose, format!("{unit}, {} to {}", ends[0], ends[1])];
        let line = Size::Small.height() as i32 + MARGIN;
        let widths = words
            .iter()
            .map(|text| font::width(text, Size::Small) as i32);
        let size = [widths.max().unwrap_or(0) + 2 * MARGIN, 3 * line + MARGIN];
        let top = picture.colours.height() - size[1] - MARGIN;
        fill(picture, [MARGIN, top], size, |_| (PAPER, 235));
        let (left, top) = (2 * MARGIN, top + MARGIN);
        let bar = [size[0] - 2 * MARGIN, line - MARGIN];
        let scale = |x: i32| (colour(x as f32 / bar[0] as f32), 255);
        fill(picture, [left, top + 2 * line], bar, scale);
        for (row, text) in (0..).zip(&words) {
            picture.write_text(Cell::new(left, top + row * line), text, Size::Small, INK);
        }
    }
}

/// Fills a rectangle; `colour_at` gives the colour and the opacity of each column.
fn fill(
    picture: &mut Picture,
    [left, top]: [i32; 2],
    [wide, high]: [i32; 2],
    colour_at: impl Fn(i32) -> (Colour, u8),
) {
    let area = CellRect::new(left, top, wide as u32, high as u32);
    for pixel in area.cells() {
        let (colour, opacity) = colour_at(pixel.x - left);
        picture.lay(pixel, colour, opacity);
    }
}

/// The colour at a darkness from 0 to 1.
fn colour(darkness: f32) -> Colour {
    on_ramp(Ramp::Integration, (darkness.clamp(0.0, 1.0) * 255.0) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocked_crowd_is_dark_in_the_speed_overlay_only() {
        let darkness = |layer, highest, value| {
            let mut overlay = CrowdDrawing::new(layer, 0);
            overlay.highest = highest;
            overlay.darkness(value)
        };
        assert_eq!(darkness(CrowdLayer::Speed, 0.0, 0.0), 1.0);
        assert_eq!(darkness(CrowdLayer::Density, 0.0, 0.0), 0.0);
        assert_eq!(darkness(CrowdLayer::Speed, 4.0, 1.0), 0.75);
        assert_eq!(darkness(CrowdLayer::Density, 4.0, 1.0), 0.25);
    }
}
