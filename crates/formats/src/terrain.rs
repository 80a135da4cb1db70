//! The costs of the letters of a map.

use std::fmt;

use flowtiles::Cost;

/// The cost of each letter of a map.
///
/// There are three predefined tables. Any letter of them can get another cost,
/// and a table can be built from an empty one:
///
/// ```
/// use flowtiles::Cost;
/// use flowtiles_formats::Terrain;
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
/// # Ok::<(), flowtiles::error::ZeroCost>(())
/// ```
///
/// A letter without a cost is an error when it occurs in a map: there is no
/// silent default.
#[derive(Clone, PartialEq, Eq)]
pub struct Terrain {
    costs: [Option<Cost>; 256],
}

impl Terrain {
    /// The kind of swamp, letter `S`: 3, in the table for games its cost too.
    pub const SWAMP: Cost = kind(3);
    /// The kind of water, letter `W`, in the table of [`kinds`](Self::kinds): 253.
    pub const WATER: Cost = kind(253);
    /// The kind of trees, letter `T`, in the table of [`kinds`](Self::kinds): 254.
    pub const TREES: Cost = kind(254);

    /// Returns a table in which no letter has a cost.
    #[must_use]
    pub const fn empty() -> Self {
        Self { costs: [None; 256] }
    }

    /// Returns the table for games: `.` and `G` cost 1, swamp `S` costs 3, and
    /// the others are walls: water `W`, trees `T`, and `@` and `O`, which lie
    /// out of bounds.
    ///
    /// Water is a wall because ground units do not swim. For a map on which ships sail too,
    /// take [`kinds`](Self::kinds).
    #[must_use]
    pub const fn game() -> Self {
        Self::empty()
            .with(b'.', Cost::OPEN)
            .with(b'G', Cost::OPEN)
            .with(b'S', Self::SWAMP)
            .with(b'W', Cost::WALL)
            .with(b'T', Cost::WALL)
            .with(b'@', Cost::WALL)
            .with(b'O', Cost::WALL)
    }

    /// Returns the table for maps with movement layers: each kind of ground has a number of
    /// its own, and each layer says what it costs. `.` and `G` are open ground (1), `S` is
    /// [`SWAMP`](Self::SWAMP), `W` [`WATER`](Self::WATER), `T` [`TREES`](Self::TREES), and
    /// `@` and `O`, which lie out of bounds, are walls.
    ///
    /// ```
    /// use flowtiles::{Cell, Cost, FlowWorld, Movement};
    /// use flowtiles_formats::{Terrain, read_movingai};
    ///
    /// let text = b"type octile\nheight 1\nwidth 5\nmap\n..WW.\n";
    /// let mut world = FlowWorld::new(read_movingai(text, &Terrain::kinds())?);
    /// let hover = world.add_layer(Movement::new().with_cost(Terrain::WATER, Cost::OPEN))?;
    /// world.derive_layer(hover)?;
    /// let hover = world.layer(hover).expect("it is derived");
    /// let cost = hover.travel_cost(Cell::new(0, 0), Cell::new(4, 0));
    /// assert_eq!(cost, Some(4 * 5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// To the ground's own layer a number is a cost, so there water and trees are open, at
    /// the highest costs. A map that is written with this table has the letters `.` and `@`
    /// where `G` and `O` were read; all others come back.
    #[must_use]
    pub const fn kinds() -> Self {
        Self::game().with(b'W', Self::WATER).with(b'T', Self::TREES)
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
    pub(crate) fn letters(&self) -> [Option<u8>; 256] {
        let mut letters = [None; 256];
        for letter in b".@SWGOT".iter().copied().chain(b'!'..=b'~') {
            if let Some(cost) = self.cost(letter) {
                letters[usize::from(cost.value())].get_or_insert(letter);
            }
        }
        letters
    }
}

const fn kind(number: u8) -> Cost {
    match Cost::new(number) {
        Ok(kind) => kind,
        Err(_) => Cost::WALL,
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
