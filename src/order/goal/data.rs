//! Goals as plain data, for serde.

use super::{Goal, MAX_START_COST, Quality};
use crate::cost::LayerId;
use crate::grid::Cell;

/// The form in which serde writes and reads a [`Goal`].
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct GoalData {
    /// The first cell, then the alternatives.
    cells: Vec<GoalCell>,
    #[serde(default)]
    or_nearest: bool,
    #[serde(default)]
    quality: Quality,
    #[serde(default)]
    layer: LayerId,
}

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct GoalCell {
    cell: Cell,
    #[serde(default)]
    start_cost: u64,
}

impl serde::Serialize for Goal {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Sides are looked up again with the order.
        let asked = self.clone().without_sides();
        let cells = asked.sources().map(|source| GoalCell {
            cell: source.cell,
            start_cost: source.start_cost,
        });
        let data = GoalData {
            cells: cells.collect(),
            or_nearest: !self.is_strict(),
            quality: self.quality,
            layer: self.layer,
        };
        data.serialize(serializer)
    }
}

/// The options have defaults; unusable values are refused.
impl<'de> serde::Deserialize<'de> for Goal {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let data = GoalData::deserialize(deserializer)?;
        data.goal().map_err(serde::de::Error::custom)
    }
}

impl GoalData {
    fn goal(self) -> Result<Goal, String> {
        if let Some(GoalCell { cell, start_cost }) =
            self.cells.iter().find(|at| at.start_cost > MAX_START_COST)
        {
            return Err(format!(
                "the start cost {start_cost} of {cell} exceeds the limit: give at most {MAX_START_COST}"
            ));
        }
        let mut cells = self.cells.into_iter();
        let first = cells.next().ok_or("`cells` is empty: give at least one")?;
        let goal = Goal::at(first.cell)
            .with_start_cost(first.start_cost)
            .with_quality(self.quality)
            .on(self.layer);
        let goal = cells.fold(goal, |goal, at| goal.or_at(at.cell, at.start_cost));
        Ok(if self.or_nearest {
            goal.or_nearest()
        } else {
            goal
        })
    }
}
