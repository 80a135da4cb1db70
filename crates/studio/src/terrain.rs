//! The kinds of terrain that the brush paints, and how painted ground looks.

use std::collections::HashMap;

use flowtiles::{Cell, Cost};
use flowtiles_country::landscape::Ground;
use flowtiles_inspector::{Ground as Paint, Material, Texel};

use crate::country::{Country, material};

/// The kinds with their names, as the page lists them: costs are those of the
/// drawn countries.
pub const TERRAIN: [(&str, Ground); 12] = [
    ("grass", Ground::Grass),
    ("road", Ground::Road),
    ("sand", Ground::Sand),
    ("field", Ground::Field),
    ("hill", Ground::Hill),
    ("grove", Ground::Grove),
    ("swamp", Ground::Swamp),
    ("stream", Ground::Stream),
    ("wood", Ground::Wood),
    ("water", Ground::Water),
    ("rock", Ground::Rock),
    ("house", Ground::House),
];

/// The kind of a drawn wall, after those in [`TERRAIN`]: it looks like nothing else on a map.
pub const DRAWN_WALL: u8 = TERRAIN.len() as u8;

/// The ground of a stage: its drawn country, if any, and the terrain painted over
/// it.
#[derive(Default)]
pub struct Terrain {
    country: Option<Country>,
    kinds: HashMap<Cell, u8>,
}

impl Terrain {
    /// Returns the ground of a country with nothing painted.
    pub fn over(country: Country) -> Self {
        Self {
            country: Some(country),
            kinds: HashMap::new(),
        }
    }

    /// Returns the kind painted on a cell: a number in [`TERRAIN`], or [`DRAWN_WALL`].
    pub fn kind(&self, cell: Cell) -> Option<u8> {
        self.kinds.get(&cell).copied()
    }

    /// Paints a kind on a cell, or removes it.
    pub fn set(&mut self, cell: Cell, kind: Option<u8>) {
        match kind {
            Some(kind) => self.kinds.insert(cell, kind),
            None => self.kinds.remove(&cell),
        };
    }
}

impl Paint for Terrain {
    fn texel(&self, cell: Cell, cost: Cost) -> Option<Texel> {
        let kind = self.kind(cell);
        if kind == Some(DRAWN_WALL) && cost.is_wall() {
            return Some(Texel::level(Material::Drawn));
        }
        let painted = kind.and_then(|kind| Some(TERRAIN.get(usize::from(kind))?.1));
        // Ground whose cost has changed since looks like that cost.
        let painted = painted.filter(|ground| ground.cost() == cost.value());
        match (painted, &self.country) {
            (Some(ground), Some(country)) => Some(country.shaded(cell, ground, material(ground))),
            (Some(ground), None) => Some(Texel::level(material(ground))),
            (None, Some(country)) => country.texel(cell, cost),
            (None, None) => None,
        }
    }
}
