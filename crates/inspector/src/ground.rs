//! The look of the ground: material, light and tone of each cell.

use flowtiles::{Cell, Cost};

/// The material of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Material {
    /// Off the map.
    Outside = 0,
    /// Ground with a known cost only.
    Plain = 1,
    /// A wall without a known material.
    Wall = 2,
    /// Open grass.
    Grass = 3,
    /// A beach.
    Sand = 4,
    /// Crops.
    Field = 5,
    /// Paved or trodden ground.
    Road = 6,
    /// High, stony ground.
    Hill = 7,
    /// Trees with gaps between them.
    Grove = 8,
    /// Trees without gaps.
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
    /// A wall that somebody has drawn on the page.
    Drawn = 17,
}

/// The look of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Texel {
    /// The material.
    pub material: Material,
    /// The light on the cell's slope: 128 is level ground, more faces the sun.
    pub light: u8,
    /// The height of land, or the depth of water.
    pub tone: u8,
}

impl Texel {
    /// Returns level ground of a material.
    #[must_use]
    pub const fn level(material: Material) -> Self {
        Self {
            material,
            light: 128,
            tone: 128,
        }
    }
}

/// The look of a map. The costs decide; this is only paint.
pub trait Ground: Send + Sync {
    /// Returns the look of a cell with this cost; `None` if the paint adds
    /// nothing to the cost.
    fn texel(&self, cell: Cell, cost: Cost) -> Option<Texel>;
}

/// Ground with known costs only.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlainGround;

impl Ground for PlainGround {
    fn texel(&self, _: Cell, _: Cost) -> Option<Texel> {
        None
    }
}

/// Returns the look of a cell of which only the cost is known.
pub(crate) const fn plain(cost: Cost) -> Texel {
    Texel::level(if cost.is_wall() {
        Material::Wall
    } else {
        Material::Plain
    })
}
