//! Movement layers: what the ground is to one class of units, of one size and team.

use std::fmt;

use super::Cost;
use crate::grid::{Cell, CellRect};

/// The most cells that a body may be wide.
pub const MAX_SIZE: u8 = 8;

/// The greatest distance from walls, in cells, for which a layer may add costs.
pub(super) const WALL_REACH: usize = 4;

/// The number of teams.
pub const MAX_TEAMS: u8 = 8;

/// The id of a movement layer, as one team sees it: returned by
/// [`FlowWorld::add_layer`](crate::FlowWorld::add_layer), and given to
/// [`Goal::on`](crate::Goal::on).
///
/// [`LayerId::GROUND`] is the ground itself: its bytes are costs, and bodies are one
/// cell wide. Every world has it, and everything is on it where nothing else is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "LayerData", into = "LayerData"))]
pub struct LayerId {
    number: u16,
    team: u8,
}

impl LayerId {
    /// The ground itself, as team 0 sees it.
    pub const GROUND: Self = Self { number: 0, team: 0 };

    /// Returns the id with this number, of team 0. Whether there is such a layer,
    /// only the world knows.
    #[must_use]
    pub const fn from_number(number: u16) -> Self {
        Self { number, team: 0 }
    }

    /// Returns the number: 0 for the ground, 1 for the first layer added.
    #[must_use]
    pub const fn number(self) -> u16 {
        self.number
    }

    /// Returns the same layer as another team sees it: with the gates that are open
    /// to this team, in its fog, and with surcharges of its own. `None` if there is no such
    /// team: 0 to 7 are.
    #[must_use]
    pub const fn for_team(self, team: u8) -> Option<Self> {
        if team >= MAX_TEAMS {
            return None;
        }
        Some(Self { team, ..self })
    }

    /// Returns the team, 0 to 7.
    #[must_use]
    pub const fn team(self) -> u8 {
        self.team
    }
}

impl fmt::Display for LayerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "layer {}", self.number)?;
        match self.team {
            0 => Ok(()),
            team => write!(f, " of team {team}"),
        }
    }
}

/// The form in which serde writes and reads a [`LayerId`].
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct LayerData {
    number: u16,
    #[serde(default)]
    team: u8,
}

#[cfg(feature = "serde")]
impl From<LayerId> for LayerData {
    fn from(LayerId { number, team }: LayerId) -> Self {
        Self { number, team }
    }
}

#[cfg(feature = "serde")]
impl TryFrom<LayerData> for LayerId {
    type Error = String;

    fn try_from(LayerData { number, team }: LayerData) -> Result<Self, String> {
        Self::from_number(number)
            .for_team(team)
            .ok_or_else(|| format!("there is no team {team}: give 0 to 7"))
    }
}

/// Some of the eight teams.
///
/// ```
/// use flowtiles::Teams;
/// let allies = Teams::NONE.with(2).with(5);
/// assert!(allies.has(5) && !allies.has(0));
/// assert_eq!(Teams::ALL.without(2).without(5), allies.others());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Teams(u8);

impl Teams {
    /// All teams.
    pub const ALL: Self = Self(u8::MAX);
    /// No team.
    pub const NONE: Self = Self(0);

    /// Returns the teams whose bits are set: bit 0 for team 0.
    #[must_use]
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits)
    }

    /// Returns a bit for each team: bit 0 for team 0.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Returns these teams and one more.
    ///
    /// # Panics
    /// If there is no such team: 0 to 7 are.
    #[must_use]
    pub const fn with(self, team: u8) -> Self {
        Self(self.0 | Self::bit(team))
    }

    /// Returns these teams without one of them.
    ///
    /// # Panics
    /// If there is no such team: 0 to 7 are.
    #[must_use]
    pub const fn without(self, team: u8) -> Self {
        Self(self.0 & !Self::bit(team))
    }

    /// Returns all other teams.
    #[must_use]
    pub const fn others(self) -> Self {
        Self(!self.0)
    }

    /// Whether a team is among them; false if there is no such team.
    #[must_use]
    pub const fn has(self, team: u8) -> bool {
        team < MAX_TEAMS && self.0 & Self::bit(team) != 0
    }

    const fn bit(team: u8) -> u8 {
        assert!(team < MAX_TEAMS, "there is no such team: give 0 to 7");
        1 << team
    }

    /// Returns the teams that are among both.
    pub(crate) const fn shared(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns their numbers.
    pub(crate) fn members(self) -> impl Iterator<Item = u8> {
        (0..MAX_TEAMS).filter(move |&team| self.has(team))
    }

    /// Parts a team from those that see the same as it: by team, who does.
    pub(super) fn part(alike: &mut [Self; MAX_TEAMS as usize], team: u8) {
        for teams in alike.iter_mut() {
            *teams = teams.without(team);
        }
        alike[usize::from(team)] = Self::NONE.with(team);
    }

    pub(crate) const fn first(self) -> u8 {
        self.0.trailing_zeros() as u8
    }
}

/// How a class of units moves: what each kind of ground costs them, and how wide they
/// are. Each movement that a world knows has a layer.
///
/// The byte of a cell is the kind of its ground. To the ground's own layer it is also
/// the cost; other layers look the cost up in a table. A new movement has the table of
/// the ground: kind 7 costs 7, and kind 255 is a wall.
///
/// ```
/// use flowtiles::{Cell, CellRect, Cost, CostMap, FlowWorld, Goal, Movement};
/// const WATER: Cost = match Cost::new(20) { Ok(kind) => kind, Err(_) => Cost::WALL };
///
/// let mut map = CostMap::open(100, 60)?;
/// map.edit(CellRect::new(40, 0, 20, 60), WATER)?;
/// let mut world = FlowWorld::new(map);
/// let tank = world.add_layer(Movement::new().with_cost(WATER, Cost::WALL).with_size(3)?)?;
/// let hover = world.add_layer(Movement::new().with_cost(WATER, Cost::OPEN))?;
///
/// let (west, east) = (Cell::new(5, 30), Cell::new(95, 30));
/// assert!(world.order(Goal::at(east).on(tank), &[west]).is_err(), "a lake is between");
/// assert!(world.order(Goal::at(east).on(hover), &[west]).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Wide bodies
///
/// The position of a body is its *anchor*: the cell of its middle, or for an even width
/// the cell to the north-west of the middle.
///
/// ```text
///   width 1    2      3        4          5
///     [A]    [A]·   · · ·   · · · ·   · · · · ·
///            · ·    ·[A]·   ·[A]· ·   · · · · ·
///                   · · ·   · · · ·   · ·[A]· ·
///                           · · · ·   · · · · ·
///                                     · · · · ·
/// ```
///
/// A cell is a wall of the layer if a body with its anchor there would cover a wall or
/// leave the map; otherwise it costs what the ground of the anchor costs. So goals,
/// units and samples of the layer are anchors. A body that goes from anchor to anchor
/// along the directions of an order covers no wall at any moment, and wherever a body can
/// go by such steps, an order leads it.
#[derive(Clone, PartialEq, Eq)]
pub struct Movement {
    /// By kind, the cost; kind 0 does not occur.
    costs: Box<[u8; 256]>,
    size: u8,
    /// Added to the costs of cells at a distance of 1, 2, 3 and 4 cells from a wall.
    beside_walls: [u8; WALL_REACH],
}

impl Default for Movement {
    fn default() -> Self {
        Self::new()
    }
}

impl Movement {
    /// Returns the movement of the ground's own layer: the kind is the cost, and bodies are one cell
    /// wide.
    #[must_use]
    pub fn new() -> Self {
        let mut costs = Box::new([0; 256]);
        for (kind, cost) in (0..=u8::MAX).zip(costs.iter_mut()) {
            *cost = kind;
        }
        Self {
            costs,
            size: 1,
            beside_walls: [0; WALL_REACH],
        }
    }

    /// Sets the cost of a kind of ground. Kind 255, which blockers and closed gates
    /// have too, may be opened, for units that fly.
    #[must_use]
    pub fn with_cost(mut self, kind: Cost, cost: Cost) -> Self {
        self.costs[usize::from(kind.value())] = cost.value();
        self
    }

    /// Sets the costs of all kinds.
    ///
    /// ```
    /// use flowtiles::{Cost, Movement};
    /// let ship = Movement::new().with_costs(|kind| match kind.value() {
    ///     20 => Cost::OPEN,
    ///     _ => Cost::WALL,
    /// });
    /// assert_eq!(ship.cost(Cost::OPEN), Cost::WALL);
    /// ```
    #[must_use]
    pub fn with_costs(mut self, cost_of: impl Fn(Cost) -> Cost) -> Self {
        for (kind, cost) in (1..=u8::MAX).zip(&mut self.costs[1..]) {
            *cost = cost_of(Cost::stored(kind)).value();
        }
        self
    }

    /// Sets the width of bodies, in cells.
    ///
    /// A circle of radius r that stands anywhere in its anchor cell needs a width of
    /// 2 r + 1, rounded up. One that keeps to the middle of its anchors where it is narrow, as
    /// units of an army do, needs 2 r.
    ///
    /// # Errors
    /// For a width of 0 or over [`MAX_SIZE`].
    pub fn with_size(mut self, cells: u8) -> Result<Self, LayerError> {
        if cells == 0 || cells > MAX_SIZE {
            return Err(LayerError::Size { found: cells });
        }
        self.size = cells;
        Ok(self)
    }

    /// Adds to the costs of cells near walls: the first number to cells beside a wall,
    /// straight or diagonally, the second to those at a distance of two cells, and so
    /// on. No cost exceeds 254. The walls are those of the layer, wide bodies included.
    ///
    /// These are costs like the ground's own: units of an army are slower there, too, unless
    /// its [`terrain`](crate::steer::Settings::terrain) is ignored.
    #[must_use]
    pub const fn with_wall_costs(mut self, costs: [u8; 4]) -> Self {
        self.beside_walls = costs;
        self
    }

    /// Returns the cost of a kind of ground, without the costs of walls near.
    #[must_use]
    pub fn cost(&self, kind: Cost) -> Cost {
        Cost::stored(self.costs[usize::from(kind.value())])
    }

    /// Returns the width of bodies, in cells.
    #[must_use]
    pub const fn size(&self) -> u8 {
        self.size
    }

    /// Returns the costs that are added near walls, by distance.
    #[must_use]
    pub const fn wall_costs(&self) -> [u8; 4] {
        self.beside_walls
    }

    /// Returns the cells that a body covers if its anchor is here.
    #[must_use]
    pub const fn body(&self, anchor: Cell) -> CellRect {
        let (before, size) = (self.before() as i32, self.size as u32);
        CellRect::new(anchor.x - before, anchor.y - before, size, size)
    }

    /// How many cells of a body are west, and north, of its anchor's.
    pub(super) const fn before(&self) -> usize {
        (self.size as usize - 1) / 2
    }

    /// How many cells of a body are east, and south, of its anchor's.
    pub(super) const fn after(&self) -> usize {
        self.size as usize / 2
    }

    /// The costs to add beside walls, by distance, as far as any is added.
    pub(super) fn beside_walls(&self) -> &[u8] {
        let count = self
            .beside_walls
            .iter()
            .rposition(|&cost| cost > 0)
            .map_or(0, |last| last + 1);
        &self.beside_walls[..count]
    }

    /// Whether exactly the walls of the ground are walls, bodies and gates aside.
    pub(super) fn has_walls_of_ground(&self) -> bool {
        let open = &self.costs[1..usize::from(u8::MAX)];
        self.costs[usize::from(u8::MAX)] == u8::MAX && !open.contains(&u8::MAX)
    }

    /// Replaces each kind by its cost.
    pub(super) fn translate(&self, kinds: &mut [u8]) {
        for kind in kinds {
            *kind = self.costs[usize::from(*kind)];
        }
    }

    /// Returns the cost of each kind, by kind.
    pub(super) fn table(&self) -> &[u8; 256] {
        &self.costs
    }

    /// Whether a cell's cost depends on the ground of that cell alone.
    pub(super) fn is_flat(&self) -> bool {
        self.size == 1 && self.beside_walls == [0; WALL_REACH]
    }

    /// How far from a cell its ground may change the layer, in cells.
    pub(crate) fn reach(&self) -> u32 {
        (self.beside_walls().len() + self.after()) as u32
    }
}

impl fmt::Debug for Movement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = (1..=u8::MAX).map(Cost::stored);
        let costs: Vec<(u8, u8)> = kinds
            .filter(|&kind| self.cost(kind) != kind)
            .map(|kind| (kind.value(), self.cost(kind).value()))
            .collect();
        f.debug_struct("Movement")
            .field("costs", &costs)
            .field("size", &self.size)
            .field("beside_walls", &self.beside_walls)
            .finish()
    }
}

/// Why a layer was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LayerError {
    /// Bodies cannot have this width.
    Size {
        /// The width given, in cells.
        found: u8,
    },
    /// The world has as many layers as it can have.
    Full {
        /// The limit.
        limit: u16,
    },
    /// The world has no such layer.
    NoLayer {
        /// The layer given.
        layer: LayerId,
    },
    /// Living orders use the layer.
    InUse {
        /// The layer.
        layer: LayerId,
        /// The number of orders.
        orders: usize,
    },
}

impl fmt::Display for LayerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { found } => write!(
                f,
                "bodies cannot be {found} cells wide: give a width of 1 to {MAX_SIZE}"
            ),
            Self::Full { limit } => write!(
                f,
                "the world has {limit} layers, which is the limit: \
                 use one layer for units that move alike"
            ),
            Self::NoLayer { layer } => write!(
                f,
                "the world has no {layer}: give an id that `add_layer` returned"
            ),
            Self::InUse { layer, orders } => write!(
                f,
                "{orders} orders use {layer}: drop their claims and tick once before"
            ),
        }
    }
}

impl std::error::Error for LayerError {}
