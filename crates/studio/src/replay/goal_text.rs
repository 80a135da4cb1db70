//! Goals in the text of a replay.
//!
//! ```text
//!   strict corridor cells 2 14 3 0 90 7 25    a cell at start cost 0, or one at 25
//!   nearest exact area 5 60 8 2               the nearest of 8×2 cells
//! ```

use std::fmt;

use flowtiles::{Cell, CellRect, Goal, Quality};

use super::words::Words;

/// A goal, in parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoalText {
    pub place: GoalCells,
    pub nearest: bool,
    pub quality: Quality,
}

/// The cells of a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GoalCells {
    /// Any of these cells, each with its start cost.
    Cells(Vec<(Cell, u64)>),
    /// Any cell of an area.
    Area(CellRect),
}

const QUALITIES: [(&str, Quality); 3] = [
    ("corridor", Quality::Corridor),
    ("exact", Quality::Exact),
    ("everywhere", Quality::Everywhere),
];

impl GoalText {
    /// Returns the goal.
    ///
    /// # Errors
    /// If there is no cell, or if there are too many.
    pub fn goal(&self) -> Result<Goal, String> {
        let goal = match &self.place {
            GoalCells::Area(area) => Goal::within(*area),
            GoalCells::Cells(cells) => cells.iter().fold(None, |goal, &(cell, cost)| {
                Some(match goal {
                    None => Goal::at(cell).with_start_cost(cost),
                    Some(goal) => Goal::or_at(goal, cell, cost),
                })
            }),
        };
        let goal = goal
            .ok_or("a goal has no cell, or more than a goal may have")?
            .with_quality(self.quality);
        Ok(if self.nearest {
            goal.or_nearest()
        } else {
            goal
        })
    }

    /// Reads a goal; `None` if the words are not one.
    pub fn read(words: &mut Words<'_>) -> Option<Self> {
        let nearest = match words.word()? {
            "nearest" => true,
            "strict" => false,
            _ => return None,
        };
        let quality = words.word()?;
        let (_, quality) = *QUALITIES.iter().find(|(name, _)| *name == quality)?;
        let place = match words.word()? {
            "cells" => {
                let count: u32 = words.number()?;
                let cell = |_| Some((words.cell()?, words.number()?));
                GoalCells::Cells((0..count).map(cell).collect::<Option<_>>()?)
            }
            "area" => GoalCells::Area(words.area()?),
            _ => return None,
        };
        Some(Self {
            place,
            nearest,
            quality,
        })
    }
}

impl fmt::Display for GoalText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let policy = if self.nearest { "nearest" } else { "strict" };
        let mut qualities = QUALITIES.iter();
        let quality = qualities.find(|(_, quality)| *quality == self.quality);
        let quality = quality.map_or("corridor", |(name, _)| name);
        write!(f, "{policy} {quality} ")?;
        match &self.place {
            GoalCells::Area(CellRect {
                x,
                y,
                width,
                height,
            }) => write!(f, "area {x} {y} {width} {height}"),
            GoalCells::Cells(cells) => {
                write!(f, "cells {}", cells.len())?;
                cells
                    .iter()
                    .try_for_each(|(Cell { x, y }, cost)| write!(f, " {x} {y} {cost}"))
            }
        }
    }
}
