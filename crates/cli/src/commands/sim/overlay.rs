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
use crate::support::drawing::colours::{INK, PAPER, on_ramp};
use crate::support::drawing::{Form, Surface};
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
const MARGIN: f32 = 6.0;

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
        if run.play.world.costs().get(cell_of(at))?.is_wall() {
            return None;
        }
        let crowd = run.play.army.crowd()?;
        let stream = run.play.army.stream(run.play.bands[self.group].group);
        let value = match self.layer {
            CrowdLayer::Density => crowd.density(at),
            CrowdLayer::Speed => crowd.pace(&run.play.world, stream?, at),
            CrowdLayer::Potential => crowd.potential(stream?, at),
            CrowdLayer::Discomfort => {
                let felt = stream.and_then(|stream| crowd.discomfort(&run.play.world, stream, at));
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
                let corner = [cell.x * side, cell.y * side].map(|at| at as f32);
                let square = Form::Rect(corner, [side as f32; 2]);
                picture.put(square, (colour(darkness), opacity));
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
        let line = Size::Small.height() as f32 + MARGIN;
        let widths = words.iter().map(|text| font::width(text, Size::Small));
        let bar = [widths.max().unwrap_or(0) as f32, line - MARGIN];
        let size = [bar[0] + 2.0 * MARGIN, 3.0 * line + MARGIN];
        let [left, mut top] = [MARGIN, picture.colours.height() as f32 - size[1] - MARGIN];
        picture.put(Form::Rect([left, top], size), (PAPER, 235));
        let left = left + MARGIN;
        top += MARGIN;
        for text in &words {
            let form = Form::Text([left, top], Size::Small, text);
            picture.put(form, (INK, u8::MAX));
            top += line;
        }
        for x in 0..bar[0] as i32 {
            let form = Form::Rect([left + x as f32, top], [1.0, bar[1]]);
            picture.put(form, (colour(x as f32 / bar[0]), u8::MAX));
        }
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
