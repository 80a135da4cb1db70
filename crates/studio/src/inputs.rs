//! The inputs of a session as lines of a replay.

use std::fmt;

use flowtiles::{Cell, CellRect, LayerId};
use flowtiles_inspector::Request;

use crate::replay::{Parts, Words};

/// An event of a session.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// A page has changed something.
    Told(Request),
    /// This many ticks were done.
    Ticks(u32),
    /// The hashes at this point.
    Check(Parts),
}

impl Input {
    /// Reads a line; `None` if it is no input.
    pub fn read(line: &str) -> Option<Self> {
        let mut words = Words::of(line);
        let words = &mut words;
        let input = match words.word()? {
            "ticks" => Self::Ticks(words.number()?),
            "check" => Self::Check(Parts::read(words)?),
            name => Self::Told(told(name, words)?),
        };
        words.are_over().then_some(input)
    }
}

fn told(name: &str, words: &mut Words<'_>) -> Option<Request> {
    Some(match name {
        "goal" => Request::Goal(words.cell()?),
        "source" => Request::Source(words.cell()?),
        "own-layer" => {
            let layer = LayerId::from_number(words.number()?);
            Request::OwnLayer(layer.for_team(words.number()?)?)
        }
        "clear" => Request::Clear,
        "select" => {
            let mut side = || words.number();
            Request::Select([side()?, side()?, side()?, side()?])
        }
        "send" => Request::Send(words.cell()?),
        "click" => Request::Click(words.cell()?),
        "place" => Request::Place {
            cell: words.cell()?,
            count: words.number()?,
        },
        "read" => Request::Read(words.number()?),
        "replan" => Request::Replan,
        "budget" => Request::Budget(words.number()?),
        "paint" => Request::Paint {
            stroke: words.number()?,
            cost: words.number()?,
            area: words.area()?,
        },
        "terrain" => Request::Terrain {
            stroke: words.number()?,
            kind: words.number()?,
            area: words.area()?,
        },
        "discomfort" => Request::Discomfort {
            stroke: words.number()?,
            strength: words.number()?,
            area: words.area()?,
        },
        "stamp" => Request::Stamp {
            template: words.number()?,
            turns: words.number()?,
            cell: words.cell()?,
        },
        "stroke-end" => Request::StrokeEnd,
        "undo" => Request::Undo,
        "redo" => Request::Redo,
        _ => return None,
    })
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Told(request) => write_told(request, f),
            Self::Ticks(count) => write!(f, "ticks {count}"),
            Self::Check(parts) => write!(f, "check {parts}"),
        }
    }
}

fn write_told(request: &Request, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let cell = |f: &mut fmt::Formatter<'_>, name, Cell { x, y }: Cell| write!(f, "{name} {x} {y}");
    let area = |f: &mut fmt::Formatter<'_>, name, stroke: u32, what: u8, area: CellRect| {
        let CellRect {
            x,
            y,
            width,
            height,
        } = area;
        write!(f, "{name} {stroke} {what} {x} {y} {width} {height}")
    };
    match *request {
        Request::Goal(goal) => cell(f, "goal", goal),
        Request::Source(source) => cell(f, "source", source),
        Request::OwnLayer(layer) => {
            write!(f, "own-layer {} {}", layer.number(), layer.team())
        }
        Request::Clear => f.write_str("clear"),
        Request::Select([left, top, right, bottom]) => {
            write!(f, "select {left} {top} {right} {bottom}")
        }
        Request::Send(goal) => cell(f, "send", goal),
        Request::Click(goal) => cell(f, "click", goal),
        Request::Place { cell: at, count } => {
            cell(f, "place", at)?;
            write!(f, " {count}")
        }
        Request::Read(number) => write!(f, "read {number}"),
        Request::Replan => f.write_str("replan"),
        Request::Budget(cells) => write!(f, "budget {cells}"),
        Request::Paint {
            stroke,
            cost,
            area: at,
        } => area(f, "paint", stroke, cost, at),
        Request::Terrain {
            stroke,
            kind,
            area: at,
        } => area(f, "terrain", stroke, kind, at),
        Request::Discomfort {
            stroke,
            strength,
            area: at,
        } => area(f, "discomfort", stroke, strength, at),
        Request::Stamp {
            template,
            turns,
            cell: Cell { x, y },
        } => write!(f, "stamp {template} {turns} {x} {y}"),
        Request::StrokeEnd => f.write_str("stroke-end"),
        Request::Undo => f.write_str("undo"),
        Request::Redo => f.write_str("redo"),
        // These requests change nothing in the session, so they are never
        // among its inputs.
        Request::Why { .. }
        | Request::Life(_)
        | Request::Time(_)
        | Request::New(_)
        | Request::Scene(_) => Err(fmt::Error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_input_is_read_as_it_was_written() {
        let (cell, area) = (Cell::new(-3, 700), CellRect::new(-5, 6, 20, 1));
        let stroke = u32::MAX;
        let told = [
            Request::Goal(cell),
            Request::Source(cell),
            Request::OwnLayer(LayerId::from_number(300).for_team(7).unwrap()),
            Request::Clear,
            Request::Select([-9.0, 0.1, 1e-7, f32::MAX]),
            Request::Send(cell),
            Request::Click(cell),
            Request::Place {
                cell,
                count: 20_000,
            },
            Request::Read(4),
            Request::Replan,
            Request::Budget(100),
            Request::Paint {
                stroke,
                cost: 255,
                area,
            },
            Request::Terrain {
                stroke,
                kind: 3,
                area,
            },
            Request::Discomfort {
                stroke,
                strength: 0,
                area,
            },
            Request::Stamp {
                template: 3,
                turns: 2,
                cell,
            },
            Request::StrokeEnd,
            Request::Undo,
            Request::Redo,
        ];
        let parts = Parts {
            costs: 1,
            stamps: u64::MAX,
            orders: 0,
            units: 77,
        };
        let others = [Input::Ticks(u32::MAX), Input::Check(parts)];
        for input in told.map(Input::Told).into_iter().chain(others) {
            let line = input.to_string();
            assert_eq!(Input::read(&line), Some(input), "{line}");
            assert_eq!(Input::read(&format!("{line} 1")), None, "{line}");
            if let Some((short, _)) = line.rsplit_once(' ') {
                assert_eq!(Input::read(short), None, "{short}");
            }
        }
        for line in [
            "",
            "walk",
            "goal 1",
            "goal 1 x",
            "goal 1  2",
            "place 1 2 -3",
            "own-layer 1 8",
        ] {
            assert_eq!(Input::read(line), None, "{line}");
        }
    }
}
