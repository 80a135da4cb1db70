//! What a crowd knows, for the layers of the page: density, speed, discomfort,
//! potential; and the discomfort that was painted on the page.

use std::cell::Cell as Memo;
use std::collections::HashMap;

use flowtiles::crowd::{Crowd, StreamId};
use flowtiles::steer::Reading;
use flowtiles::{Cell, FlowWorld, Rect};
use flowtiles_inspector::{Fields, Layer};

use super::stage::Stage;
use crate::support::numbers::rounded_up;

/// Units on a cell that make the darkest density.
const FULL_DENSITY: f32 = 3.0;
/// The darkest discomfort.
const FULL_DISCOMFORT: f32 = 8.0;

/// Discomfort that was painted, and what the page's colours keep in mind.
#[derive(Default)]
pub struct Discomfort {
    strengths: HashMap<Cell, f32>,
    /// Changes with each stroke.
    revision: u64,
    /// The largest potential seen.
    farthest: Memo<f32>,
}

impl Discomfort {
    /// The discomfort painted on a cell.
    pub fn of(&self, cell: Cell) -> f32 {
        self.strengths.get(&cell).copied().unwrap_or(0.0)
    }

    /// Notes that an area was painted.
    pub fn note(&mut self, area: Rect, strength: f32) {
        self.revision += 1;
        for cell in area.cells() {
            if strength > 0.0 {
                self.strengths.insert(cell, strength);
            } else {
                self.strengths.remove(&cell);
            }
        }
    }
}

/// The fields of a stage's crowd, as one of its streams has them.
pub struct CrowdFields<'a> {
    world: &'a FlowWorld,
    crowd: Option<&'a Crowd>,
    stream: Option<StreamId>,
    discomfort: &'a Discomfort,
    /// Whether a band reads the crowd.
    is_read: bool,
}

impl<'a> CrowdFields<'a> {
    /// Those of a stage, for the stream of a band, or of the first band that has
    /// one.
    pub fn of(stage: &'a Stage, band: Option<usize>) -> Self {
        let stream = |at: usize| stage.army.stream(stage.bands[at].group);
        let first = || (0..stage.bands.len()).find_map(stream);
        Self {
            world: &stage.world,
            crowd: stage.army.crowd(),
            stream: band.and_then(stream).or_else(first),
            discomfort: &stage.discomfort,
            is_read: stage
                .bands
                .iter()
                .any(|band| band.reading == Reading::Crowd),
        }
    }

    /// The sum of a value over the field cells of a cell, and how many have one.
    fn sum(&self, cell: Cell, value: impl Fn(&Crowd, [f32; 2]) -> Option<f32>) -> (f32, u32) {
        let Some(crowd) = self.crowd else {
            return (0.0, 0);
        };
        let fine = crowd.settings().resolution;
        let part = |at: u32| (at as f32 + 0.5) / fine as f32;
        let places = (0..fine).flat_map(|down| (0..fine).map(move |across| [across, down]));
        let values = places.filter_map(|[across, down]| {
            value(
                crowd,
                [cell.x as f32 + part(across), cell.y as f32 + part(down)],
            )
        });
        values.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1))
    }

    fn mean(
        &self,
        cell: Cell,
        value: impl Fn(&Crowd, StreamId, [f32; 2]) -> Option<f32>,
    ) -> Option<f32> {
        let stream = self.stream?;
        let (sum, count) = self.sum(cell, |crowd, at| value(crowd, stream, at));
        (count > 0).then(|| sum / count as f32)
    }
}

impl Fields for CrowdFields<'_> {
    fn value(&self, layer: Layer, cell: Cell) -> Option<f32> {
        match layer {
            Layer::Density => {
                let (sum, _) = self.sum(cell, Crowd::density);
                (sum > 0.0).then_some(sum)
            }
            Layer::Speed => self.mean(cell, |crowd, stream, at| crowd.pace(self.world, stream, at)),
            Layer::Discomfort => {
                let felt = self.mean(cell, |crowd, stream, at| {
                    crowd.discomfort(self.world, stream, at)
                });
                let painted = self.discomfort.of(cell);
                Some(felt.map_or(painted, |felt| felt.max(painted))).filter(|value| *value > 0.0)
            }
            Layer::Potential => {
                let potential = self.mean(cell, Crowd::potential)?;
                let farthest = &self.discomfort.farthest;
                if potential.is_finite() && potential > farthest.get() {
                    farthest.set(rounded_up(potential));
                }
                Some(potential)
            }
            _ => None,
        }
    }

    fn full(&self, layer: Layer) -> f32 {
        match layer {
            Layer::Density => FULL_DENSITY,
            Layer::Discomfort => FULL_DISCOMFORT,
            Layer::Potential => self.discomfort.farthest.get(),
            _ => 1.0,
        }
    }

    fn has(&self, layer: Layer) -> bool {
        match layer {
            // Without a stream the crowd counts nobody.
            Layer::Density => self.stream.is_some(),
            Layer::Discomfort => true,
            Layer::Speed | Layer::Potential => self.is_read,
            _ => false,
        }
    }

    fn revision(&self) -> u64 {
        self.discomfort.revision
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inspect::begin;
    use crate::support::scenes;

    /// The crowd scenes with their numbers, but the one that is too large for a
    /// test.
    fn crowd_scenes() -> impl Iterator<Item = (u8, &'static str)> {
        let named = (0..).zip(scenes::all().map(|(name, _)| name));
        named.filter(|(_, name)| name.starts_with("crowd-") && *name != "crowd-armies")
    }

    #[test]
    fn a_click_sends_blue_there_and_red_to_the_mirrored_place() {
        for (number, name) in crowd_scenes() {
            for reading in [3, 4] {
                let mut stage = begin::scene(number, Some(reading), 1).unwrap();
                let first = stage.bands[0].errand.as_ref().unwrap().goal;
                let clicked = Cell::new(first.x, first.y - 1);
                stage.click(clicked).unwrap();
                let mirrored = Cell::new(stage.size().0 - 1 - clicked.x, clicked.y);
                for (at, band) in stage.bands.iter().enumerate() {
                    let wanted = [clicked, mirrored][at % 2];
                    assert_eq!(band.banner, [0, 1, 2, 3][at], "{name}: blue, then red");
                    assert_eq!(band.errand.as_ref().unwrap().goal, wanted, "{name}");
                    assert_eq!(band.reading, begin::READINGS[usize::from(reading)].1);
                }
            }
        }
    }

    /// Every crowd scene plays by the crowd, and its layers show something.
    #[test]
    fn crowd_scenes_fill_the_layers() {
        for (number, name) in crowd_scenes() {
            let mut stage = begin::scene(number, None, 1).unwrap();
            for _ in 0..30 {
                stage.step(20_000);
            }
            let fields = CrowdFields::of(&stage, None);
            let (width, height) = stage.size();
            let cells: Vec<Cell> = Rect::new(0, 0, width as u32, height as u32)
                .cells()
                .collect();
            let values = |layer| -> Vec<f32> {
                let values = cells.iter().filter_map(|&cell| fields.value(layer, cell));
                values.collect()
            };
            let units = stage.army.units().len() as f32;
            let counted: f32 = values(Layer::Density).iter().sum();
            assert!(
                (0.5..2.0).contains(&(counted / units)),
                "{name}: {counted} of {units}"
            );
            let speeds = values(Layer::Speed);
            assert!(speeds.iter().any(|&speed| speed > 0.5), "{name}");
            assert!(
                speeds.iter().all(|speed| (0.0..=1.01).contains(speed)),
                "{name}"
            );
            let potentials = values(Layer::Potential);
            let most = potentials.iter().copied().fold(0.0, f32::max);
            assert!(
                most > 10.0 && fields.full(Layer::Potential) >= most,
                "{name}: {most}"
            );
            if name == "crowd-swamp" {
                assert!(fields.value(Layer::Discomfort, Cell::new(24, 30)) >= Some(4.0));
                assert_eq!(stage.discomfort.of(Cell::new(10, 30)), 0.0);
            }
        }
    }
}
