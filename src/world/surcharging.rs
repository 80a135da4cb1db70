//! Surcharges: a layer's costs are raised and lowered by the game, apart from the ground.
//!
//! A change is an input like an edit, and no part of a tick. Walls stay as they are, so
//! orders keep all their directions; their next plans load the sectors of the old field
//! too, and no unit on its way loses its direction.

use std::fmt;

use tracing::debug_span;

use super::FlowWorld;
#[cfg(feature = "steer")]
use crate::cost::Cost;
use crate::cost::{LayerId, Movement, OffMap, SetBy};
use crate::grid::{Cell, CellRect};
use crate::map::Edit;

/// The results of [`FlowWorld::surcharge`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SurchargeReport {
    /// Areas in which a cell had another surcharge before.
    pub changed: usize,
    /// Sectors whose in-sector costs were derived again, over all teams.
    pub rebuilt: usize,
    /// Orders that the next ticks will plan again.
    pub orders: usize,
}

/// Why surcharges were refused. Nothing has changed then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SurchargeError {
    /// An area reaches off the map.
    OffMap(OffMap),
    /// Surcharges lie on layers that were added, and the world has no such layer.
    NoLayer {
        /// The layer given.
        layer: LayerId,
    },
}

impl From<OffMap> for SurchargeError {
    fn from(error: OffMap) -> Self {
        Self::OffMap(error)
    }
}

impl fmt::Display for SurchargeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OffMap(error) => error.fmt(f),
            Self::NoLayer { layer } => write!(
                f,
                "no layer was added as {layer}, and the ground's own, 0, has no surcharges: give \
                 an id that `add_layer` returned, such as `add_layer(Movement::new())`"
            ),
        }
    }
}

impl std::error::Error for SurchargeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::OffMap(error) => Some(error),
            Self::NoLayer { .. } => None,
        }
    }
}

/// Surcharges: what cells of a layer cost more than their ground, such as for the range of
/// enemy guns, fog, or weather.
impl FlowWorld {
    /// Sets what the cells of areas cost more on a layer; 0 takes a surcharge away. Where areas
    /// overlap, the last one counts.
    ///
    /// On a layer as team 0 sees it, this is for all teams. On a layer
    /// [for another team](LayerId::for_team) it is for that team alone, beside what is for all:
    /// guns that it has scouted, or a district that it avoids. All that is derived for the team is
    /// its own then, the ground and each layer that it uses, and takes as much memory once more, until
    /// its last surcharge is taken away.
    ///
    /// No cost exceeds 254. Walls stay walls, and so all directions stay until the ticks that
    /// follow have planned the orders concerned again: a surcharge never leaves a unit
    /// without a direction. An order keeps its sectors then, and gains those of the paths
    /// that are cheaper now.
    ///
    /// Like an edit, this call counts to no budget, and what depends on the costs is repaired
    /// once for all areas. Call it a few times a second, with what has changed: areas that
    /// cost as much more as before take hardly any time. Plans that a change concerns begin
    /// again, so with changes in every tick none may be done.
    ///
    /// ```
    /// use flowtiles::{Budget, Cell, CellRect, CostMap, FlowWorld, Goal, Movement};
    /// let mut world = FlowWorld::new(CostMap::open(60, 40)?);
    /// let wary = world.add_layer(Movement::new())?;
    /// let (unit, goal) = (Cell::new(5, 20), Goal::at(Cell::new(55, 20)));
    /// let order = world.order(goal.on(wary), &[unit])?;
    /// world.tick(Budget::UNLIMITED);
    /// let before = world.cost_to_go(&order, unit);
    ///
    /// let guns = CellRect::new(25, 10, 10, 20); // the direct way is in their range
    /// world.surcharge(wary, &[(guns, 30)])?;
    /// world.tick(Budget::UNLIMITED);
    /// assert!(world.cost_to_go(&order, unit) > before);
    ///
    /// world.surcharge(wary, &[(guns, 0)])?; // they are silent
    /// world.tick(Budget::UNLIMITED);
    /// assert_eq!(world.cost_to_go(&order, unit), before);
    ///
    /// let wary_2 = wary.for_team(2).expect("a team");
    /// world.surcharge(wary_2, &[(guns, 30)])?; // team 2 alone knows of them
    /// assert_eq!(world.surcharge_of(wary_2, Cell::new(30, 20)), 30);
    /// assert_eq!(world.surcharge_of(wary, Cell::new(30, 20)), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the layer was not added, such as the ground's own, or if an area reaches off the
    /// map.
    pub fn surcharge(
        &mut self,
        layer: LayerId,
        areas: &[(CellRect, u8)],
    ) -> Result<SurchargeReport, SurchargeError> {
        self.set_surcharges(layer, SetBy::Game, areas)
    }

    /// Returns what a cell costs more on a layer as its team sees it: what the game has set, for all
    /// and for the team, and what armies have for their jams. It is 0 off the map, and on a layer that does not exist.
    #[must_use]
    pub fn surcharge_of(&self, layer: LayerId, cell: Cell) -> u8 {
        if self.costs().get(cell).is_some() {
            self.layers.surcharge(layer, cell)
        } else {
            0
        }
    }

    pub(crate) fn set_surcharges(
        &mut self,
        layer: LayerId,
        by: SetBy,
        areas: &[(CellRect, u8)],
    ) -> Result<SurchargeReport, SurchargeError> {
        let number = layer.number();
        if number == 0 || self.movement(layer).is_none() {
            return Err(SurchargeError::NoLayer { layer });
        }
        for &(area, _) in areas {
            self.costs().check(area)?;
        }
        let _span = debug_span!("surcharge", areas = areas.len()).entered();
        let extent = self.layers.extent();
        let surcharges = self.layers.surcharges_mut();
        let mut report = SurchargeReport::default();
        let mut changed = Vec::new();
        for &area in areas {
            let parts = surcharges.set(extent, (layer, by), area);
            report.changed += usize::from(!parts.is_empty());
            changed.extend(parts);
        }
        if changed.is_empty() {
            return Ok(report);
        }
        self.layers.part_teams();
        let reach = |other, _: &Movement| (other == number).then_some(0);
        for at in self.layers.positions().skip(1) {
            let rows = self.layers.rederive(at, &changed, reach);
            if rows.is_empty() {
                continue;
            }
            let edits = rows.iter().map(|(area, costs)| Edit::Prices(*area, costs));
            let edits: Vec<Edit<'_>> = edits.collect();
            let (change, orders) = self.edit_layer(at, &edits, None);
            report.rebuilt += change.rebuilt;
            report.orders += orders;
        }
        self.join_teams();
        Ok(report)
    }

    /// Returns the cost of a cell on the map without surcharges, which is this one with them.
    #[cfg(feature = "steer")]
    pub(crate) fn plain_cost(&self, layer: LayerId, cell: Cell, cost: Cost) -> Cost {
        self.layers.plain_cost(layer, cell, cost)
    }
}
