//! Goals as plain data, for serde.

use super::{Goal, MAX_START_COST, Quality};
use crate::grid::Cell;

/// The form in which serde writes and reads a [`Goal`].
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GoalData {
    /// At least one cell.
    cells: Vec<GoalCell>,
    #[serde(default)]
    or_nearest: bool,
    #[serde(default)]
    quality: Quality,
}

/// A cell of a goal.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct GoalCell {
    cell: Cell,
    #[serde(default)]
    start_cost: u64,
}

impl From<Goal> for GoalData {
    fn from(goal: Goal) -> Self {
        let cells = goal.sources().map(|source| GoalCell {
            cell: source.cell,
            start_cost: source.start_cost,
        });
        Self {
            cells: cells.collect(),
            or_nearest: !goal.is_strict(),
            quality: goal.quality,
        }
    }
}

impl TryFrom<GoalData> for Goal {
    type Error = String;

    fn try_from(data: GoalData) -> Result<Self, String> {
        let over = |at: &GoalCell| at.start_cost > MAX_START_COST;
        if let Some(GoalCell { cell, start_cost }) = data.cells.iter().find(|at| over(at)) {
            return Err(format!(
                "the start cost {start_cost} of {cell} exceeds the limit: give at most {MAX_START_COST}"
            ));
        }
        let mut cells = data.cells.into_iter();
        let first = cells.next().ok_or("`cells` is empty: give at least one")?;
        let goal = Self::at(first.cell)
            .with_start_cost(first.start_cost)
            .with_quality(data.quality);
        let goal = cells.fold(goal, |goal, at| goal.or_at(at.cell, at.start_cost));
        Ok(match data.or_nearest {
            true => goal.or_nearest(),
            false => goal,
        })
    }
}
