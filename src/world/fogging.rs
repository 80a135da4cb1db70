//! Fog of war: teams plan over what they know.

use std::cell::OnceCell;
use std::fmt;

use tracing::debug_span;

use super::{EditReport, FlowWorld};
use crate::cost::{Cost, CostMap, MAX_TEAMS, OffMap, Opaque, SectorChange};
use crate::grid::{Cell, CellRect};
use crate::map::{Layers, merge};
use crate::sight::View;
#[cfg(feature = "steer")]
use crate::sight::Views;

/// Something that sees the ground around it for its team.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Eye {
    pub cell: Cell,
    /// How far it sees, in cells.
    pub sight: u32,
    /// How far it knows the ground in any case, in cells.
    pub felt: u32,
}

/// Fog of war: teams plan over what they know of the ground, and not over what it is.
///
/// A team with fog has a map of its own: of each cell the last that it has seen. Its orders, that
/// is those on [layers for the team](crate::LayerId::for_team), know nothing else. An edit, a
/// building or a gate reaches them when the game [reveals](Self::reveal) it to the team.
///
/// A game reveals in each tick, or a few times a second, what the team's units and buildings see,
/// for example with [`Army::look`](crate::steer::Army::look). To reveal what is as known costs
/// next to nothing, and no order is planned again.
///
/// What a team knows is saved, forked and hashed with the world. It takes the memory of a map of
/// costs, and each layer that the team uses that of a world.
///
/// ```
/// use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Goal, LayerId};
/// let mut map = CostMap::open(60, 40)?;
/// map.edit(CellRect::new(30, 0, 1, 39), Cost::WALL)?; // with a gap in the south
/// let mut world = FlowWorld::new(map);
/// world.add_fog(1)?;
/// world.forget(1, &[CellRect::new(0, 0, 60, 40)], Cost::OPEN)?; // team 1 has seen nothing
///
/// let (unit, goal) = (Cell::new(5, 5), Goal::at(Cell::new(55, 5)));
/// let order = world.order(goal.on(LayerId::GROUND.for_team(1).expect("a team")), &[unit])?;
/// world.tick(Budget::UNLIMITED);
/// assert_eq!(world.cost_to_go(&order, unit), Some(50 * 5), "straight on");
///
/// world.reveal(1, &[CellRect::new(20, 0, 20, 40)])?; // it comes near, and sees the wall
/// world.tick(Budget::UNLIMITED);
/// assert!(world.cost_to_go(&order, unit) > Some(80 * 5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl FlowWorld {
    /// Lays fog for a team. It knows everything as it is now; what it has not explored,
    /// [`forget`](Self::forget). What is derived for it with other teams is copied: do this before
    /// the first order.
    ///
    /// # Errors
    /// If there is no such team, if it has fog, and for team 0, which sees the world as it is.
    pub fn add_fog(&mut self, team: u8) -> Result<(), FogError> {
        if team == 0 || team >= MAX_TEAMS {
            return Err(FogError::NoTeam { team });
        }
        if self.known(team).is_some() {
            return Err(FogError::HasFog { team });
        }
        self.layers.add_fog(team);
        Ok(())
    }

    /// Takes the fog of a team away: it sees the world as it is. Its orders are planned again
    /// where it did not know that.
    ///
    /// # Errors
    /// If the team has no fog.
    pub fn remove_fog(&mut self, team: u8) -> Result<EditReport, FogError> {
        let report = self.reveal(team, &[self.costs().area()])?;
        self.layers.remove_fog(team);
        self.join_teams();
        Ok(report)
    }

    /// Shows a team areas of the map as they are, gates as they are open to it.
    ///
    /// Like an edit, the call counts to no budget; what depends on it is repaired once for all
    /// areas. The report tells of cells that were not as the team knew them.
    ///
    /// # Errors
    /// If the team has no fog, or if an area reaches off the map. Then nothing has changed.
    pub fn reveal(&mut self, team: u8, areas: &[CellRect]) -> Result<EditReport, FogError> {
        self.check_areas(areas)?;
        self.change_fog(team, areas, |layers, &area| {
            layers.reveal(team, area, |_, _| true)
        })
    }

    /// Shows a team what units and buildings see: the cells whose middles are within this many
    /// cells of the middle of theirs, and not behind [opaque](Self::set_opaque) ground. Eyes may be
    /// off the map.
    ///
    /// [`Army::look`](crate::steer::Army::look) does it for the units of an army.
    ///
    /// # Errors
    /// If the team has no fog.
    pub fn reveal_around(
        &mut self,
        team: u8,
        eyes: &[(Cell, u32)],
    ) -> Result<EditReport, FogError> {
        let eye = |&(cell, sight): &(Cell, u32)| Eye {
            cell,
            sight,
            felt: 0,
        };
        let eyes: Vec<Eye> = eyes.iter().map(eye).collect();
        self.reveal_to(team, &eyes)
    }

    pub(crate) fn reveal_to(&mut self, team: u8, eyes: &[Eye]) -> Result<EditReport, FogError> {
        let (width, height) = (self.costs().width(), self.costs().height());
        let opaque = self.layers.opaque();
        self.change_fog(team, eyes, |layers, &eye| {
            let Eye {
                cell: eye,
                sight,
                felt,
            } = eye;
            // The part of a side of the map that lies within sight.
            let reach = sight.max(felt);
            let part = |at: i32, side: u32| {
                let [at, reach, side] = [i64::from(at), reach.into(), side.into()];
                let [from, end] = [at - reach, at + reach + 1].map(|at| at.clamp(0, side));
                (from as i32, (end - from) as u32)
            };
            let ((x, width), (y, height)) = (part(eye.x, width), part(eye.y, height));
            let area = CellRect::new(x, y, width, height);
            // What is known as it is, is not asked for: most looks need no shadows.
            let view = OnceCell::new();
            layers.reveal(team, area, |costs, cell| {
                let far = |one: i32, other: i32| u64::from(one.abs_diff(other)).pow(2);
                let square = far(cell.x, eye.x) + far(cell.y, eye.y);
                let is_within = |reach: u32| square <= u64::from(reach).pow(2);
                let is_lit = |opaque: Opaque| {
                    let is_opaque = |cell| costs.get(cell).is_some_and(|kind| opaque.has(kind));
                    let view = view.get_or_init(|| View::new(eye, sight, area, is_opaque));
                    view.has(cell)
                };
                is_within(felt) || is_within(sight) && opaque.is_none_or(is_lit)
            })
        })
    }

    /// Sets the kinds of ground that are opaque: nobody sees or shoots through them. They replace
    /// those set before.
    ///
    /// Until a game has set some, shots and views of foes end at walls, kind 255, and nothing limits
    /// what is [revealed](Self::reveal_around) around an eye but the distance. A building has the kind
    /// of its costs; a blocker and a gate closed to team 0 are walls.
    ///
    /// An opaque cell itself is seen where those before it do not hide all of it (the inner corner of
    /// two walls is), and hides what lies behind it. Whoever stands in one sees out of it, and is seen.
    ///
    /// ```
    /// use flowtiles::{Cell, CellRect, Cost, CostMap, FlowWorld};
    /// const FOREST: Cost = match Cost::new(3) { Ok(kind) => kind, Err(_) => Cost::WALL };
    ///
    /// let mut map = CostMap::open(60, 40)?;
    /// map.edit(CellRect::new(30, 0, 5, 40), FOREST)?;
    /// let mut world = FlowWorld::new(map);
    /// world.set_opaque(&[FOREST, Cost::WALL]);
    /// world.add_fog(1)?;
    /// world.forget(1, &[CellRect::new(0, 0, 60, 40)], Cost::OPEN)?;
    ///
    /// let report = world.reveal_around(1, &[(Cell::new(20, 20), 20)])?;
    /// assert_eq!(report.cells, 35, "of the forest its edge alone");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_opaque(&mut self, kinds: &[Cost]) {
        self.layers.set_opaque(Opaque::of(kinds));
    }

    /// Whether a kind of ground is [opaque](Self::set_opaque) to shots, and to eyes if the game has
    /// set some kinds.
    #[must_use]
    pub fn is_opaque(&self, kind: Cost) -> bool {
        let opaque = self.layers.opaque();
        opaque.unwrap_or(Opaque::WALLS).has(kind)
    }

    /// Returns the ground that sights and shots between two cells cross.
    #[cfg(feature = "steer")]
    pub(crate) fn views(&self, ends: [Cell; 2]) -> Views<'_> {
        let set = self.layers.opaque();
        Views {
            costs: self.costs(),
            opaque: set.unwrap_or(Opaque::WALLS),
            ends: set.map(|_| ends),
        }
    }

    /// Makes a team believe that all cells of areas are of this kind: what it has not seen yet is
    /// mostly taken for open ground.
    ///
    /// # Errors
    /// If the team has no fog, or if an area reaches off the map. Then nothing has changed.
    pub fn forget(
        &mut self,
        team: u8,
        areas: &[CellRect],
        kind: Cost,
    ) -> Result<EditReport, FogError> {
        self.check_areas(areas)?;
        self.change_fog(team, areas, |layers, &area| layers.forget(team, area, kind))
    }

    /// Returns what a team with fog knows: of each cell the kind that it saw last. `None` for a
    /// team without fog, which sees the world as it is.
    #[must_use]
    pub fn known(&self, team: u8) -> Option<&CostMap> {
        self.layers.fog().known(team)
    }

    fn check_areas(&self, areas: &[CellRect]) -> Result<(), OffMap> {
        areas.iter().try_for_each(|&area| self.costs().check(area))
    }

    /// Changes what a team knows of some places, and lets its layers and orders follow.
    fn change_fog<T>(
        &mut self,
        team: u8,
        places: &[T],
        change: impl Fn(&mut Layers, &T) -> Vec<SectorChange>,
    ) -> Result<EditReport, FogError> {
        if self.known(team).is_none() {
            return Err(FogError::NoFog { team });
        }
        let _span = debug_span!("fog", places = places.len()).entered();
        let mut changed = Vec::new();
        for place in places {
            changed.extend(change(&mut self.layers, place));
        }
        merge(&mut changed);
        let mut report = EditReport {
            cells: changed.iter().map(|change| u64::from(change.cells)).sum(),
            sectors: changed.len(),
            ..EditReport::default()
        };
        let changed: Vec<CellRect> = changed.iter().map(|change| change.area).collect();
        self.derive_again(Some(team), &changed, None, &mut report);
        Ok(report)
    }
}

/// Why a call about the fog of a team was refused. Nothing has changed then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FogError {
    /// An area reaches off the map.
    OffMap(OffMap),
    /// There is no such team, or it is team 0, which sees the world as it is.
    NoTeam {
        /// The team given.
        team: u8,
    },
    /// The team has fog already.
    HasFog {
        /// The team given.
        team: u8,
    },
    /// The team has no fog.
    NoFog {
        /// The team given.
        team: u8,
    },
}

impl From<OffMap> for FogError {
    fn from(error: OffMap) -> Self {
        Self::OffMap(error)
    }
}

impl fmt::Display for FogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = MAX_TEAMS - 1;
        match self {
            Self::OffMap(error) => error.fmt(f),
            Self::NoTeam { team: 0 } => write!(
                f,
                "team 0 sees the world as it is: give players with fog the teams 1 to {last}"
            ),
            Self::NoTeam { team } => {
                write!(f, "there is no team {team}: give one from 1 to {last}")
            }
            Self::HasFog { team } => write!(f, "team {team} has fog already"),
            Self::NoFog { team } => write!(
                f,
                "team {team} has no fog, so it knows the world as it is: call `add_fog` first"
            ),
        }
    }
}

impl std::error::Error for FogError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::OffMap(error) => Some(error),
            _ => None,
        }
    }
}
