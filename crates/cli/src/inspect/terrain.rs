//! Kinds of terrain that the brush paints, and how painted ground looks.

use std::collections::HashMap;
use std::sync::Arc;

use flowtiles::{Cell, Cost};
use flowtiles_inspector::{Ground as Paint, PlainGround, Texel};

use super::country::material;
use crate::landscape::Ground;

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

/// The ground of a stage: as it began, and the terrain painted over it.
pub struct Terrain {
    base: Arc<dyn Paint>,
    kinds: HashMap<Cell, u8>,
}

impl Default for Terrain {
    fn default() -> Self {
        Self::over(Arc::new(PlainGround))
    }
}

impl Terrain {
    /// Nothing painted over a ground.
    pub fn over(base: Arc<dyn Paint>) -> Self {
        Self {
            base,
            kinds: HashMap::new(),
        }
    }

    /// The kind painted on a cell, a number in [`TERRAIN`].
    pub fn kind(&self, cell: Cell) -> Option<u8> {
        self.kinds.get(&cell).copied()
    }

    /// Paints a kind on a cell, or takes it away.
    pub fn set(&mut self, cell: Cell, kind: Option<u8>) {
        match kind {
            Some(kind) => self.kinds.insert(cell, kind),
            None => self.kinds.remove(&cell),
        };
    }
}

impl Paint for Terrain {
    fn texel(&self, cell: Cell, cost: Cost) -> Option<Texel> {
        let painted = self.kind(cell).map(|kind| TERRAIN[usize::from(kind)].1);
        // What was stamped over it looks as its cost does.
        match painted.filter(|ground| ground.cost() == cost.value()) {
            Some(ground) => Some(Texel::level(material(ground))),
            None => self.base.texel(cell, cost),
        }
    }
}
