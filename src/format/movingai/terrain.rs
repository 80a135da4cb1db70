//! The costs of the letters of a map.

use std::fmt;

use crate::cost::Cost;

/// The cost of each letter of a map.
///
/// There are two predefined tables. Any letter of them can get another cost,
/// and a table can be built from an empty one:
///
/// ```
/// use flowtiles::{Cost, format::Terrain};
///
/// // Swamp twice as hard as in the preset, and a new letter.
/// let table = Terrain::game()
///     .with(b'S', Cost::new(6)?)
///     .with(b'L', Cost::new(40)?);
/// assert_eq!(table.cost(b'L'), Some(Cost::new(40)?));
/// assert_eq!(table.cost(b'Q'), None);
///
/// // A map whose letters A to P are sixteen kinds of ground.
/// let mut weighted = Terrain::empty();
/// for letter in b'A'..=b'P' {
///     weighted = weighted.with(letter, Cost::new(letter - b'A' + 5)?);
/// }
/// assert_eq!(weighted.cost(b'G'), Some(Cost::new(11)?));
/// # Ok::<(), flowtiles::ZeroCost>(())
/// ```
///
/// A letter without a cost is an error when it occurs in a map: there is no
/// silent default.
#[derive(Clone, PartialEq, Eq)]
pub struct Terrain {
    costs: [Option<Cost>; 256],
}

impl Terrain {
    /// Returns a table in which no letter has a cost.
    #[must_use]
    pub const fn empty() -> Self {
        Self { costs: [None; 256] }
    }

    /// Returns the table for games: `.` and `G` cost 1, swamp `S` costs 3, and
    /// the others are walls: water `W`, trees `T`, and `@` and `O`, which lie
    /// out of bounds.
    ///
    /// Water is a wall because ground units do not swim. For ships, give `W`
    /// a cost and the ground letters [`Cost::WALL`].
    #[must_use]
    pub const fn game() -> Self {
        let mut terrain = Self::empty().with(b'.', Cost::OPEN).with(b'G', Cost::OPEN);
        if let Ok(swamp) = Cost::new(3) {
            terrain = terrain.with(b'S', swamp);
        }
        terrain
            .with(b'W', Cost::WALL)
            .with(b'T', Cost::WALL)
            .with(b'@', Cost::WALL)
            .with(b'O', Cost::WALL)
    }

    /// Returns the convention of the scenario files, with which all their
    /// published lengths agree: `.`, `G` and `S` cost 1, and every other
    /// printable letter is a wall.
    #[must_use]
    pub const fn benchmark() -> Self {
        let mut terrain = Self::empty();
        let mut letter = b'!';
        while letter <= b'~' {
            terrain = terrain.with(letter, Cost::WALL);
            letter += 1;
        }
        terrain
            .with(b'.', Cost::OPEN)
            .with(b'G', Cost::OPEN)
            .with(b'S', Cost::OPEN)
    }

    /// Returns the table with one letter changed or added.
    ///
    /// A line feed never reaches the table, since it ends the row.
    #[must_use]
    pub const fn with(mut self, letter: u8, cost: Cost) -> Self {
        self.costs[letter as usize] = Some(cost);
        self
    }

    /// Returns the cost of a letter, if it has one.
    #[must_use]
    pub const fn cost(&self, letter: u8) -> Option<Cost> {
        self.costs[letter as usize]
    }

    /// Returns the letter to write for each cost, by value: of several letters
    /// with the same cost, the usual ones come first.
    pub(in crate::format) fn letters(&self) -> [Option<u8>; 256] {
        let mut letters = [None; 256];
        for letter in b".@SWGOT".iter().copied().chain(b'!'..=b'~') {
            if let Some(cost) = self.cost(letter) {
                letters[usize::from(cost.value())].get_or_insert(letter);
            }
        }
        letters
    }
}

impl fmt::Debug for Terrain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = (0..=u8::MAX).filter_map(|letter| Some((letter, self.cost(letter)?)));
        f.debug_map()
            .entries(known.map(|(letter, cost)| (char::from(letter), cost.value())))
            .finish()
    }
}
