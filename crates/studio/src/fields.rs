//! The fields of a crowd, for the layers of the page: density, speed,
//! discomfort, potential.

use std::cell::RefCell;
use std::collections::HashMap;

use flowtiles::Cell;
use flowtiles::crowd::{Crowd, StreamId};
use flowtiles::steer::Reading;
use flowtiles_country::numbers::rounded_up;
use flowtiles_inspector::{Fields, Overlay};

use crate::stage::{Band, Stage};
use flowtiles_scenes::Actor;

/// Units on a cell that get the darkest colour of the density.
const FULL_DENSITY: f32 = 3.0;
/// The discomfort with the darkest colour.
const FULL_DISCOMFORT: f32 = 8.0;

/// The highest potential seen in each order's stream, which gets the darkest
/// colour. All blocks of one picture and of later ones share it.
#[derive(Default)]
pub struct Farthest(RefCell<HashMap<u64, f32>>);

impl Farthest {
    fn of(&self, order: u64) -> f32 {
        self.0.borrow().get(&order).copied().unwrap_or(0.0)
    }

    fn saw(&self, order: u64, potential: f32) {
        if potential.is_finite() && potential > self.of(order) {
            self.0.borrow_mut().insert(order, rounded_up(potential));
        }
    }
}

/// The fields of a stage's crowd, by the stream of each order.
pub struct CrowdFields<'a> {
    stage: &'a Stage,
    farthest: &'a Farthest,
    /// Streams by the numbers of the orders that their units follow.
    streams: Vec<(u64, StreamId)>,
}

impl<'a> CrowdFields<'a> {
    /// Returns the fields of a stage.
    pub fn of(stage: &'a Stage, farthest: &'a Farthest) -> Self {
        let stream = |(band, actor): (&Band, &Actor)| {
            let order = band.timed.as_ref()?.order.number();
            Some((order, stage.run.army.stream(actor.group)?))
        };
        let bands = stage.bands.iter().zip(&stage.run.bands);
        Self {
            stage,
            farthest,
            streams: bands.filter_map(stream).collect(),
        }
    }

    fn stream(&self, order: Option<u64>) -> Option<StreamId> {
        let mut streams = self.streams.iter();
        let found = streams.find(|(number, _)| Some(*number) == order);
        found.map(|&(_, stream)| stream)
    }

    /// Returns the sum of a value over the field cells of a cell, and the number of
    /// field cells that have one.
    fn sum(&self, cell: Cell, value: impl Fn(&Crowd, [f32; 2]) -> Option<f32>) -> (f32, u32) {
        let Some(crowd) = self.stage.run.army.crowd() else {
            return (0.0, 0);
        };
        let fine = crowd.settings().resolution;
        let part = |number: u32| (number as f32 + 0.5) / fine as f32;
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
        stream: StreamId,
        cell: Cell,
        value: impl Fn(&Crowd, StreamId, [f32; 2]) -> Option<f32>,
    ) -> Option<f32> {
        let (sum, count) = self.sum(cell, |crowd, at| value(crowd, stream, at));
        (count > 0).then(|| sum / count as f32)
    }
}

impl Fields for CrowdFields<'_> {
    fn value(&self, layer: Overlay, order: Option<u64>, cell: Cell) -> Option<f32> {
        let world = &self.stage.run.world;
        match layer {
            Overlay::Density => {
                let (sum, _) = self.sum(cell, Crowd::density);
                (sum > 0.0).then_some(sum)
            }
            Overlay::Speed => self.mean(self.stream(order)?, cell, |crowd, stream, at| {
                crowd.pace(world, stream, at)
            }),
            Overlay::Discomfort => {
                let felt = |stream| {
                    self.mean(stream, cell, |crowd, stream, at| {
                        crowd.discomfort(world, stream, at)
                    })
                };
                let felt = self.stream(order).and_then(felt);
                let painted = self.stage.discomfort.of(cell);
                Some(felt.map_or(painted, |felt| felt.max(painted))).filter(|value| *value > 0.0)
            }
            Overlay::Potential => {
                let potential = self.mean(self.stream(order)?, cell, Crowd::potential)?;
                self.farthest.saw(order?, potential);
                Some(potential)
            }
            _ => None,
        }
    }

    fn full(&self, layer: Overlay, order: Option<u64>) -> f32 {
        match layer {
            Overlay::Density => FULL_DENSITY,
            Overlay::Discomfort => FULL_DISCOMFORT,
            Overlay::Potential => order.map_or(0.0, |order| self.farthest.of(order)),
            _ => 1.0,
        }
    }

    fn has(&self, layer: Overlay) -> bool {
        let run = &self.stage.run;
        match layer {
            // Without a stream the crowd counts no units.
            Overlay::Density => !self.streams.is_empty(),
            Overlay::Discomfort => true,
            Overlay::Speed | Overlay::Potential => {
                (0..run.bands.len()).any(|band| run.settings(band).reading == Reading::Crowd)
            }
            _ => false,
        }
    }

    fn has_stream(&self, order: u64) -> bool {
        self.stream(Some(order)).is_some()
    }

    fn revision(&self) -> u64 {
        self.stage.discomfort.revision()
    }
}

#[cfg(test)]
mod tests {
    use flowtiles::CellRect;

    use super::*;
    use crate::begin;

    /// The crowd scenes with their numbers, except the one that is too large for a
    /// test.
    fn crowd_scenes() -> impl Iterator<Item = (u8, &'static str)> {
        let named = (0..).zip(flowtiles_scenes::all().map(|(name, _)| name));
        named.filter(|(_, name)| name.starts_with("crowd-") && *name != "crowd-armies")
    }

    #[test]
    fn click_sends_blue_there_and_red_to_the_mirror_cell() {
        for (number, name) in crowd_scenes() {
            for reading in [3, 4] {
                let mut stage = begin::scene(number, Some(reading), 1).unwrap();
                let first = stage.bands[0].timed.as_ref().unwrap().goal;
                let clicked = Cell::new(first.x, first.y - 1);
                stage.click(clicked).unwrap();
                let mirrored = Cell::new(stage.size().0 - 1 - clicked.x, clicked.y);
                for (number, band) in stage.bands.iter().enumerate() {
                    let wanted = [clicked, mirrored][number % 2];
                    assert_eq!(band.banner, [0, 1, 2, 3][number], "{name}: blue, then red");
                    assert_eq!(band.timed.as_ref().unwrap().goal, wanted, "{name}");
                    let reading_of = stage.run.settings(number).reading;
                    assert_eq!(reading_of, begin::READINGS[usize::from(reading)].1);
                }
            }
        }
    }

    /// Every crowd scene uses the crowd, and its layers show something for each
    /// order.
    #[test]
    fn crowd_scenes_fill_the_layers() {
        for (number, name) in crowd_scenes() {
            let mut stage = begin::scene(number, None, 1).unwrap();
            for _ in 0..30 {
                stage.step(20_000);
            }
            let farthest = Farthest::default();
            let fields = CrowdFields::of(&stage, &farthest);
            let (width, height) = stage.size();
            let cells: Vec<Cell> = CellRect::new(0, 0, width as u32, height as u32)
                .cells()
                .collect();
            let values = |layer, order| -> Vec<f32> {
                let values = cells.iter();
                let values = values.filter_map(|&cell| fields.value(layer, order, cell));
                values.collect()
            };
            let units = stage.run.army.units().len() as f32;
            let counted: f32 = values(Overlay::Density, None).iter().sum();
            assert!(
                (0.5..2.0).contains(&(counted / units)),
                "{name}: {counted} of {units}"
            );
            for shown in stage.orders() {
                let order = Some(shown.order.number());
                assert!(fields.has_stream(shown.order.number()), "{name}");
                let speeds = values(Overlay::Speed, order);
                assert!(speeds.iter().any(|&speed| speed > 0.5), "{name}");
                assert!(
                    speeds.iter().all(|speed| (0.0..=1.01).contains(speed)),
                    "{name}"
                );
                let potentials = values(Overlay::Potential, order);
                let most = potentials.iter().copied().fold(0.0, f32::max);
                assert!(
                    most > 10.0 && fields.full(Overlay::Potential, order) >= most,
                    "{name}: {most}"
                );
            }
            assert!(values(Overlay::Speed, None).is_empty(), "{name}: no order");
            if name == "crowd-swamp" {
                assert!(fields.value(Overlay::Discomfort, None, Cell::new(24, 30)) >= Some(4.0));
                assert_eq!(stage.discomfort.of(Cell::new(10, 30)), 0.0);
            }
        }
    }

    /// The potential is that of the requested order: lowest at its own goal.
    #[test]
    fn each_order_has_the_potential_of_its_own_stream() {
        let (number, _) = crowd_scenes()
            .find(|scene| scene.1 == "crowd-open")
            .unwrap();
        let mut stage = begin::scene(number, None, 1).unwrap();
        for _ in 0..30 {
            stage.step(20_000);
        }
        let farthest = Farthest::default();
        let fields = CrowdFields::of(&stage, &farthest);
        let orders = stage.orders();
        assert_eq!(orders.len(), 2);
        let potential = |order: usize, other: usize| {
            let number = orders[order].order.number();
            let value = fields.value(Overlay::Potential, Some(number), orders[other].goal);
            value.filter(|value| value.is_finite())
        };
        for (own, other) in [(0, 1), (1, 0)] {
            let near = potential(own, own).expect("a potential at the goal");
            assert!(potential(own, other).is_none_or(|far| far > near + 5.0));
        }
    }
}
