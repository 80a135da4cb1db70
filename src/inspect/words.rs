//! Explanations as text.

use std::fmt;

use super::{Answer, Exit, Explanation};
use crate::grid::Cell;

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.say_where(f)?;
        self.say_answer(f)?;
        if let Some(cost) = self.cost_to_go {
            let (steps, rest) = (cost / 5, cost % 5 * 2);
            let point = if rest > 0 {
                format!(".{rest}")
            } else {
                String::new()
            };
            write!(
                f,
                "\nCost-to-go {cost}: as far as {steps}{point} straight steps over open ground."
            )?;
        }
        if self.is_stale && self.cost.is_some() {
            write!(
                f,
                "\nAn edit concerns the order, and it is not replanned yet: tick on for its \
                 directions on the map as it is."
            )?;
        }
        Ok(())
    }
}

impl Explanation {
    fn say_where(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cell, sector, .. } = self;
        let Some(cost) = self.cost else {
            return write!(f, "Cell {cell} is off the map.");
        };
        let loaded = if self.is_loaded {
            "which the order has loaded"
        } else {
            "which the order has not loaded"
        };
        write!(f, "Cell {cell} in sector {sector}, {loaded}: ")?;
        match self.island {
            Some(island) => write!(f, "cost {}, on island {island}.", cost.value()),
            None => write!(f, "a wall."),
        }
    }

    fn say_answer(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (goal, sample) = (self.goal, self.sample);
        let way = sample
            .direction()
            .map_or(String::new(), |way| way.to_string());
        match self.answer {
            Answer::OffMap => write!(f, "\nNo path leads from there."),
            Answer::Arrived => write!(f, "\nArrived: this is a goal."),
            Answer::InSight { goal, next } => write!(
                f,
                "\nGo {way} to {next}: the goal {goal} is in sight, and the straight line to it \
                 is free."
            ),
            Answer::AlongField { next, exit, end } => {
                write!(f, "\nGo {way} to {next}: along the order's field.")?;
                self.say_way(exit, end, f)
            }
            Answer::IntoLink { link, next, end } => {
                let to = next.map_or(String::new(), |next| format!(", which leads to {next}"));
                write!(f, "\nEnter {link}{to}: along the order's field.")?;
                self.say_end(end, f)
            }
            Answer::OutOfWall { next } => write!(
                f,
                "\nGo {way} to {next}: straight through the wall to the nearest open cell from \
                 which the goal {goal} can be reached."
            ),
            Answer::Waiting => write!(
                f,
                "\nWait: the order's directions are being made (stage: {}). Tick on.",
                self.stage
            ),
            Answer::OffRoute => write!(
                f,
                "\nOff the route: the goal {goal} can be reached from here, but the order does \
                 not serve this cell. Ask for it with `FlowWorld::cover`."
            ),
            Answer::OtherIsland {
                goal: island,
                nearest,
            } => self.say_island(island, nearest, f),
            Answer::ShutIn => write!(
                f,
                "\nUnreachable: no open cell was found around from which the goal {goal} can be \
                 reached."
            ),
        }
    }

    /// Writes where a path leads.
    fn say_way(
        &self,
        exit: Option<Exit>,
        end: Option<Cell>,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        match exit {
            Some(exit) => write!(f, "\n{exit}")?,
            None => write!(f, "\nThe path stays in this sector.")?,
        }
        self.say_end(end, f)
    }

    /// Writes where a path ends.
    fn say_end(&self, end: Option<Cell>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let goal = self.goal;
        match end {
            Some(end) if end == goal => write!(f, "\nIt ends at the goal {goal}."),
            Some(end) => write!(f, "\nIt ends at {end}; the goal asked for is {goal}."),
            None => write!(f, "\nIt is incomplete beyond that."),
        }
    }

    /// Writes why no path leads to the goal.
    fn say_island(
        &self,
        island: Option<u32>,
        nearest: Option<Cell>,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        let goal = self.goal;
        write!(
            f,
            "\nUnreachable: no path leads from here to the goal {goal}, "
        )?;
        match island {
            Some(island) => write!(f, "which is on island {island}.")?,
            None => write!(f, "which is a wall.")?,
        }
        match nearest {
            Some(nearest) => {
                write!(
                    f,
                    "\nThe nearest cell to it that can be reached is {nearest}."
                )
            }
            None => Ok(()),
        }
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { from, to, into, .. } = self;
        write!(f, "The path leaves the sector at {from} ")?;
        match self.portal {
            Some(portal) => write!(f, "through portal {portal} ")?,
            None => write!(f, "over the corner of four sectors ")?,
        }
        write!(f, "to {to} in sector {into}.")
    }
}
