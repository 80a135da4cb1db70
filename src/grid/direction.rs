//! The eight directions of a step.

use std::fmt;

/// One of the eight directions out of a cell.
///
/// The order is the order of preference among equally good directions: straight
/// before diagonal, each group clockwise from north.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Direction {
    /// Toward smaller `y`.
    North = 0,
    /// Toward larger `x`.
    East = 1,
    /// Toward larger `y`.
    South = 2,
    /// Toward smaller `x`.
    West = 3,
    /// Between north and east.
    NorthEast = 4,
    /// Between south and east.
    SouthEast = 5,
    /// Between south and west.
    SouthWest = 6,
    /// Between north and west.
    NorthWest = 7,
}

impl Direction {
    /// All eight directions, in order of preference.
    pub const ALL: [Self; 8] = [
        Self::North,
        Self::East,
        Self::South,
        Self::West,
        Self::NorthEast,
        Self::SouthEast,
        Self::SouthWest,
        Self::NorthWest,
    ];

    /// Returns the column and row difference of one step, each −1, 0 or 1.
    #[must_use]
    pub const fn offset(self) -> (i32, i32) {
        match self {
            Self::North => (0, -1),
            Self::East => (1, 0),
            Self::South => (0, 1),
            Self::West => (-1, 0),
            Self::NorthEast => (1, -1),
            Self::SouthEast => (1, 1),
            Self::SouthWest => (-1, 1),
            Self::NorthWest => (-1, -1),
        }
    }

    /// Whether the step changes both the column and the row.
    #[must_use]
    pub const fn is_diagonal(self) -> bool {
        self as u8 >= Self::NorthEast as u8
    }

    /// Returns a vector of length 1 along the step, so that a unit walks
    /// diagonally no faster than straight.
    ///
    /// ```
    /// use flowtiles::Direction;
    /// let [x, y] = Direction::SouthWest.unit_vector();
    /// assert!((x * x + y * y - 1.0).abs() < 1e-6);
    /// ```
    #[must_use]
    pub const fn unit_vector(self) -> [f32; 2] {
        let (dx, dy) = self.offset();
        let length = if self.is_diagonal() {
            std::f32::consts::FRAC_1_SQRT_2
        } else {
            1.0
        };
        [dx as f32 * length, dy as f32 * length]
    }

    /// Returns the direction of a step from the signs of `dx` and `dy`; `None`
    /// if both are 0.
    #[must_use]
    pub const fn toward(dx: i32, dy: i32) -> Option<Self> {
        Some(match (dx.signum(), dy.signum()) {
            (0, -1) => Self::North,
            (1, 0) => Self::East,
            (0, 1) => Self::South,
            (-1, 0) => Self::West,
            (1, -1) => Self::NorthEast,
            (1, 1) => Self::SouthEast,
            (-1, 1) => Self::SouthWest,
            (-1, -1) => Self::NorthWest,
            _ => return None,
        })
    }

    /// Returns the direction with this index in [`Direction::ALL`].
    pub(crate) const fn from_index(index: u8) -> Option<Self> {
        if index < 8 {
            Some(Self::ALL[index as usize])
        } else {
            None
        }
    }

    /// Returns an arrow, for pictures in text.
    #[must_use]
    pub const fn arrow(self) -> char {
        match self {
            Self::North => '↑',
            Self::East => '→',
            Self::South => '↓',
            Self::West => '←',
            Self::NorthEast => '↗',
            Self::SouthEast => '↘',
            Self::SouthWest => '↙',
            Self::NorthWest => '↖',
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::North => "north",
            Self::East => "east",
            Self::South => "south",
            Self::West => "west",
            Self::NorthEast => "north-east",
            Self::SouthEast => "south-east",
            Self::SouthWest => "south-west",
            Self::NorthWest => "north-west",
        })
    }
}
