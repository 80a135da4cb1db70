//! What the ground looks like: material, light and tone of each cell.

use flowtiles::{Cell, Cost};

/// What a cell is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Material {
    /// Off the map.
    Outside = 0,
    /// Ground of which only the cost is known.
    Plain = 1,
    /// A wall of which nothing more is known.
    Wall = 2,
    /// Open grass.
    Grass = 3,
    /// A beach.
    Sand = 4,
    /// Crops.
    Field = 5,
    /// Paved or trodden.
    Road = 6,
    /// High, stony ground.
    Hill = 7,
    /// Trees with room between them.
    Grove = 8,
    /// Trees without.
    Wood = 9,
    /// Wet ground.
    Swamp = 10,
    /// A stream that can be waded.
    Stream = 11,
    /// A river or a lake.
    Water = 12,
    /// Planks over water.
    Bridge = 13,
    /// Rock faces.
    Rock = 14,
    /// Masonry.
    Masonry = 15,
    /// Houses.
    House = 16,
}

/// How a cell looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Texel {
    /// What it is made of.
    pub material: Material,
    /// How much light its slope catches: 128 is level ground, more faces the
    /// sun.
    pub light: u8,
    /// How high land lies, or how deep water is.
    pub tone: u8,
}

impl Texel {
    /// Level ground of a material.
    #[must_use]
    pub const fn level(material: Material) -> Self {
        Self {
            material,
            light: 128,
            tone: 128,
        }
    }
}

/// How a map looks. The costs are the truth; this is the paint.
pub trait Ground: Send + Sync {
    /// How a cell of this cost looks; `None` where the paint has no more to say
    /// than the cost does.
    fn texel(&self, cell: Cell, cost: Cost) -> Option<Texel>;
}

/// Ground of which nothing is known but its costs.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlainGround;

impl Ground for PlainGround {
    fn texel(&self, _: Cell, _: Cost) -> Option<Texel> {
        None
    }
}

/// How a cell looks that is known by its cost alone.
pub(crate) const fn plain(cost: Cost) -> Texel {
    Texel::level(if cost.is_wall() {
        Material::Wall
    } else {
        Material::Plain
    })
}
