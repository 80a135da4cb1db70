//! Discomfort given by the game: painted areas, and dangers that move.

use std::collections::BTreeMap;

use crate::grid::{Cell, CellRect, Extent, SECTOR_CELLS, SECTOR_SIDE, Sector, SectorId};
use crate::vector::{Vector, distance};

/// A danger: discomfort around a point, which falls from its strength in the
/// middle to none at the radius.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Danger {
    /// The position of the middle, in cells.
    pub position: [f32; 2],
    /// The radius, in cells.
    pub radius: f32,
    /// The discomfort in the middle.
    pub strength: f32,
}

/// The painted values by sector, and the present dangers.
#[derive(Clone, Default)]
pub(super) struct DiscomfortPaint {
    sectors: BTreeMap<Sector, Box<[f32; SECTOR_CELLS]>>,
    dangers: Vec<Danger>,
}

impl DiscomfortPaint {
    /// Paints the cells of an area that are on the map.
    pub(super) fn fill(&mut self, extent: Extent, area: CellRect, strength: f32) {
        let map = CellRect::new(0, 0, extent.width() as u32, extent.height() as u32);
        let area = area.intersection(map);
        if area.is_empty() {
            return;
        }
        let ids: Vec<SectorId> = extent.sectors_of(area).collect();
        for id in ids {
            let sector = extent.sector(id);
            let here = extent.area_of(id).intersection(area);
            if strength == 0.0 && !self.sectors.contains_key(&sector) {
                continue;
            }
            let blank = || Box::new([0.0; SECTOR_CELLS]);
            let values = self.sectors.entry(sector).or_insert_with(blank);
            for cell in here.cells() {
                values[extent.locate(cell).1.index()] = strength;
            }
            if values.iter().all(|&value| value == 0.0) {
                self.sectors.remove(&sector);
            }
        }
    }

    /// Replaces the dangers.
    pub(super) fn set_dangers(&mut self, dangers: &[Danger]) {
        self.dangers.clear();
        self.dangers.extend_from_slice(dangers);
    }

    /// Whether a sector has any paint; dangers do not count.
    pub(super) fn covers(&self, sector: Sector) -> bool {
        self.sectors.contains_key(&sector)
    }

    /// Returns the paint and the dangers over a sector; `None` if it has
    /// neither.
    pub(super) fn over(&self, sector: Sector) -> Option<Painted<'_>> {
        let near = |danger: &&Danger| {
            let off = |at: f32, sector: i32| {
                let low = (sector * SECTOR_SIDE) as f32;
                let high = low + SECTOR_SIDE as f32;
                at + danger.radius >= low && at - danger.radius <= high
            };
            off(danger.position[0], sector.x) && off(danger.position[1], sector.y)
        };
        let values = self.sectors.get(&sector).map(|values| &**values);
        let dangers: Vec<Danger> = self.dangers.iter().filter(near).copied().collect();
        let is_blank = values.is_none() && dangers.is_empty();
        (!is_blank).then_some(Painted { values, dangers })
    }

    /// Returns the painted sectors, and the dangers.
    #[cfg(feature = "steer")]
    pub(super) fn given(&self) -> (Vec<PaintedSector>, Vec<Danger>) {
        let painted = self.sectors.iter().map(|(sector, values)| PaintedSector {
            place: [sector.x as u32, sector.y as u32],
            values: values.to_vec(),
        });
        (painted.collect(), self.dangers.clone())
    }

    /// Returns the paint of sectors. Those off the map are left out.
    #[cfg(feature = "steer")]
    pub(super) fn of(extent: Extent, painted: Vec<PaintedSector>, dangers: Vec<Danger>) -> Self {
        let mut sectors = BTreeMap::new();
        for PaintedSector { place, values } in painted {
            let [x, y] = place.map(|along| i32::try_from(along).unwrap_or(-1));
            let sector = Sector::new(x, y);
            let mut all = Box::new([0.0; SECTOR_CELLS]);
            all.iter_mut().zip(values).for_each(|(to, from)| *to = from);
            if extent.sector_id(sector).is_some() {
                sectors.insert(sector, all);
            }
        }
        Self { sectors, dangers }
    }

    /// Returns the words of the state, for a state hash.
    #[cfg(feature = "steer")]
    pub(super) fn words(&self) -> impl Iterator<Item = u32> {
        let painted = self.sectors.iter().flat_map(|(sector, values)| {
            let place = [sector.x as u32, sector.y as u32];
            place
                .into_iter()
                .chain(values.iter().map(|value| value.to_bits()))
        });
        let dangers = self.dangers.iter().flat_map(|danger| {
            let Danger {
                position: [x, y],
                radius,
                strength,
            } = *danger;
            [x, y, radius, strength].map(f32::to_bits)
        });
        painted.chain(dangers)
    }
}

/// A sector with paint, as it is saved: its column and row, and a value for
/// each cell.
#[cfg(feature = "steer")]
pub(crate) struct PaintedSector {
    pub(crate) place: [u32; 2],
    pub(crate) values: Vec<f32>,
}

#[cfg(feature = "steer")]
impl Default for PaintedSector {
    fn default() -> Self {
        Self {
            place: [0, 0],
            values: vec![0.0; SECTOR_CELLS],
        }
    }
}

/// The paint and the dangers over one sector.
pub(super) struct Painted<'a> {
    values: Option<&'a [f32; SECTOR_CELLS]>,
    dangers: Vec<Danger>,
}

impl Painted<'_> {
    /// Returns the discomfort at a position in a cell of the sector.
    pub(super) fn at(&self, cell: Cell, place: Vector) -> f32 {
        let side = SECTOR_SIDE;
        let slot = (cell.y % side * side + cell.x % side) as usize;
        let painted = self.values.map_or(0.0, |values| values[slot]);
        self.dangers.iter().fold(painted, |total, danger| {
            let part = 1.0 - distance(danger.position, place) / danger.radius;
            if part > 0.0 {
                total + danger.strength * part
            } else {
                total
            }
        })
    }
}
