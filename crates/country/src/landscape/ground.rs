//! The kinds of ground, and the ground before anything is built.

use flowtiles::{Cell, Cost};

use super::noise::Noise;

/// The kind of ground of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// River, which is a wall.
    Water,
    /// Planks over a river.
    Bridge,
    /// A stream that can be waded.
    Stream,
    /// Open ground.
    Grass,
    /// Beach along a river.
    Sand,
    /// Crops around a town.
    Field,
    /// Paved or trodden.
    Road,
    /// Trees with room between them.
    Grove,
    /// Trees without.
    Wood,
    /// Wet ground.
    Swamp,
    /// High, stony ground.
    Hill,
    /// Rock faces.
    Rock,
    /// Walls around a town.
    Wall,
    /// Houses.
    House,
}

impl Ground {
    /// The cost of a step out of it.
    pub const fn cost(self) -> u8 {
        match self {
            Self::Grass | Self::Road | Self::Bridge => 1,
            Self::Sand | Self::Field | Self::Hill => 2,
            Self::Grove => 3,
            Self::Swamp => 6,
            Self::Stream => 9,
            Self::Water | Self::Wood | Self::Rock | Self::Wall | Self::House => Cost::WALL.value(),
        }
    }

    /// Whether it is tall and throws a shadow.
    pub const fn is_tall(self) -> bool {
        matches!(
            self,
            Self::Grove | Self::Wood | Self::Rock | Self::Wall | Self::House
        )
    }
}

/// The ground of a cell before anything is built: by height, by the distance to the
/// nearest shore (in sixteenths of a cell), by moisture and woods.
pub fn natural(noise: &Noise, cell: Cell, height: i32, shore: i32, stream: bool) -> Ground {
    if shore <= 0 {
        return Ground::Water;
    }
    if height > 42_500 {
        return Ground::Rock;
    }
    if stream {
        return Ground::Stream;
    }
    // Noise is only drawn where it may decide.
    let near = 60 * 16 - shore;
    if near > 0 {
        let wet = noise.moisture(cell) + (noise.grain(cell) - 32_768) / 30;
        if wet + near * 14 > 48_000 && wet > 36_500 {
            return Ground::Swamp;
        }
    }
    if shore > 3 * 16 {
        let wood = noise.wood(cell) + (noise.grain(cell) - 32_768) / 24;
        if shore > 5 * 16 && wood > 39_500 {
            return Ground::Wood;
        }
        if wood > 38_000 {
            return Ground::Grove;
        }
    }
    if height > 40_300 {
        return Ground::Hill;
    }
    if shore < 2 * 16 {
        return Ground::Sand;
    }
    Ground::Grass
}
