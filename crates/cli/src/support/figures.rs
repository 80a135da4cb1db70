//! Measured figures: one type for all of them, written as JSON, as lines of a name, a
//! value and a unit, or as the rows of a table.

use std::borrow::Borrow;
use std::fmt;
use std::io::{self, Write};

use flowtiles_country::numbers::{size, thousandths, time};
use serde::{Serialize, Serializer};

use crate::support::output::write_json;

/// Figures by name, in the order in which they are written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures(Vec<Figure>);

#[derive(Clone, Debug, PartialEq)]
struct Figure {
    name: &'static str,
    value: Value,
    unit: &'static str,
}

/// The value of a figure.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// It was not there to be measured, or never came.
    None,
    Count(u64),
    /// Rounded to thousandths.
    Number(f64),
    Text(String),
    List(Vec<Self>),
    Group(Figures),
}

impl Value {
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Count(count) => Some(*count as f64),
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    pub fn list(&self) -> &[Self] {
        match self {
            Self::List(list) => list,
            _ => &[],
        }
    }

    pub const fn group(&self) -> Option<&Figures> {
        match self {
            Self::Group(figures) => Some(figures),
            _ => None,
        }
    }

    /// A cell of a table: a number with this many digits after the point; for a group, its
    /// first figure.
    pub fn cell(&self, digits: usize) -> String {
        match self {
            Self::Number(number) => format!("{number:.digits$}"),
            Self::Group(Figures(group)) if !group.is_empty() => group[0].value.cell(digits),
            other => other.to_string(),
        }
    }
}

macro_rules! values {
    ($($from:ty: $value:ident => $into:expr;)*) => {
        $(impl From<$from> for Value {
            fn from($value: $from) -> Self {
                $into
            }
        })*
    };
}

values! {
    u32: count => Self::Count(count.into());
    u64: count => Self::Count(count);
    usize: count => Self::Count(count as u64);
    f32: number => f64::from(number).into();
    f64: number => Self::Number(thousandths(number));
    &str: text => Self::Text(text.to_owned());
    String: text => Self::Text(text);
    Figures: figures => Self::Group(figures);
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::None, T::into)
    }
}

impl<T: Into<Self>> From<Vec<T>> for Value {
    fn from(values: Vec<T>) -> Self {
        Self::List(values.into_iter().map(T::into).collect())
    }
}

impl Figures {
    /// The value of a figure; [`Value::None`] if there is none of this name.
    pub fn get(&self, name: &str) -> &Value {
        let found = self.0.iter().find(|figure| figure.name == name);
        found.map_or(&Value::None, |figure| &figure.value)
    }

    pub fn group(&self, name: &str) -> Option<&Self> {
        self.get(name).group()
    }

    /// The groups of a list.
    pub fn groups(&self, name: &str) -> impl Iterator<Item = &Self> {
        self.get(name).list().iter().filter_map(Value::group)
    }

    /// Sets a figure; a new one comes last.
    pub fn set(&mut self, name: &'static str, value: impl Into<Value>, unit: &'static str) {
        let value = value.into();
        match self.0.iter_mut().find(|figure| figure.name == name) {
            Some(figure) => figure.value = value,
            None => self.0.push(Figure { name, value, unit }),
        }
    }

    /// These figures and one more.
    pub fn with(mut self, name: &'static str, value: impl Into<Value>, unit: &'static str) -> Self {
        self.set(name, value, unit);
        self
    }

    /// Keeps the highest value of a figure.
    pub fn raise(&mut self, name: &'static str, value: f64, unit: &'static str) {
        let most = self.get(name).number();
        self.set(name, most.map_or(value, |most| most.max(value)), unit);
    }

    /// Adds a value at the end of a list.
    pub fn append(&mut self, name: &'static str, value: impl Into<Value>, unit: &'static str) {
        let mut values = self.get(name).list().to_vec();
        values.push(value.into());
        self.set(name, values, unit);
    }

    /// Adds all of other figures at the end.
    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// The figures with these names.
    pub fn only(&self, names: &[&str]) -> Self {
        let named = self.0.iter().filter(|figure| names.contains(&figure.name));
        Self(named.cloned().collect())
    }

    /// The figures without those with these names.
    pub fn without(&self, names: &[&str]) -> Self {
        let others = self.0.iter().filter(|figure| !names.contains(&figure.name));
        Self(others.cloned().collect())
    }

    /// Several runs as one: `place` picks among the values of a figure, which are sorted, by
    /// its name and their number. No value comes after all others.
    pub fn merged<F: Borrow<Self>>(runs: &[F], place: fn(&str, usize) -> usize) -> Self {
        let first = runs.first().map_or(&[][..], |run| &run.borrow().0);
        let merge = |figure: &Figure| {
            let values = runs.iter().map(|run| run.borrow().get(figure.name));
            let value = merged(figure.name, values.collect(), place);
            Figure { value, ..*figure }
        };
        Self(first.iter().map(merge).collect())
    }

    /// Writes them as an object in one line, or as lines.
    pub fn write(&self, is_json: bool, out: &mut impl Write) -> io::Result<()> {
        if is_json {
            return write_json(self, out);
        }
        write!(out, "{}", self.lines())
    }

    /// A line for each figure, and for each group of a list or of a group.
    pub fn lines(&self) -> String {
        let mut lines = String::new();
        for Figure { name, value, unit } in &self.0 {
            match value {
                Value::List(list) if list.iter().any(|value| value.group().is_some()) => {
                    for Self(group) in list.iter().filter_map(Value::group) {
                        let rest = Value::Group(Self(group[1..].to_vec()));
                        lines += &line(&group[0].value.to_string(), &rest, "");
                    }
                }
                Value::Group(Self(group))
                    if group.iter().any(|one| one.value.group().is_some()) =>
                {
                    for one in group {
                        lines += &line(&format!("{name} {}", one.name), &one.value, one.unit);
                    }
                }
                _ => lines += &line(name, value, unit),
            }
        }
        lines
    }
}

fn merged(name: &str, mut values: Vec<&Value>, place: fn(&str, usize) -> usize) -> Value {
    match values[0] {
        Value::Group(_) => {
            let groups: Vec<&Figures> = values.into_iter().filter_map(Value::group).collect();
            Figures::merged(&groups, place).into()
        }
        Value::List(first) => {
            let each = (0..first.len()).map(|number| {
                let values = values.iter().filter_map(|value| value.list().get(number));
                merged(name, values.collect(), place)
            });
            Value::List(each.collect())
        }
        Value::Text(_) if values.iter().any(|value| *value != values[0]) => Value::None,
        _ => {
            let rank = |value: &&Value| value.number().unwrap_or(f64::INFINITY);
            values.sort_by(|one, two| rank(one).total_cmp(&rank(two)));
            values[place(name, values.len())].clone()
        }
    }
}

/// A name without the unit at its end.
fn words(name: &str) -> String {
    let mut units = ["_us", "_ms", "_ns"].iter();
    let stem = units.find_map(|unit| name.strip_suffix(unit));
    if name == "ms" {
        return "time".to_owned();
    }
    stem.unwrap_or(name).replace('_', " ")
}

/// A value with its unit: times and bytes in a suitable one.
fn text_of(value: &Value, unit: &str) -> String {
    match (value.number(), unit) {
        (Some(micros), "µs") => time(micros),
        (Some(millis), "ms") => time(millis * 1e3),
        (Some(bytes), "B") => size(bytes as usize),
        _ => format!("{value} {unit}").trim_end().to_owned(),
    }
}

fn line(name: &str, value: &Value, unit: &str) -> String {
    // The names step back, on a terminal only.
    let name = console::style(format!("{:<21} ", words(name))).dim();
    format!("  {name}{}\n", text_of(value, unit))
}

/// A table whose first two columns are text; columns without a value are left out. All rows
/// are of one length.
pub fn table(rows: &[Vec<String>]) -> String {
    let mut lines = vec![String::new(); rows.len()];
    for column in 0..rows[0].len() {
        let cells: Vec<&String> = rows.iter().map(|row| &row[column]).collect();
        let widths = cells.iter().map(|cell| cell.chars().count());
        let wide = widths.max().unwrap_or(0);
        let is_empty = cells[1..].iter().all(|cell| *cell == "-");
        if is_empty {
            continue;
        }
        for (line, cell) in lines.iter_mut().zip(cells) {
            *line += &match column {
                0 | 1 => format!("{cell:<wide$}  "),
                _ => format!("{cell:>wide$}  "),
            };
        }
    }
    let lines = lines.iter().map(|line| line.trim_end().to_owned() + "\n");
    lines.collect()
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("-"),
            Self::Count(count) => count.fmt(f),
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
            Self::List(list) => {
                let list: Vec<String> = list.iter().map(Self::to_string).collect();
                f.write_str(&list.join(", "))
            }
            Self::Group(Figures(group)) => {
                let text = |figure: &Figure| {
                    let value = text_of(&figure.value, figure.unit);
                    format!("{} {value}", words(figure.name))
                };
                let texts: Vec<String> = group.iter().map(text).collect();
                f.write_str(&texts.join("; "))
            }
        }
    }
}

impl Serialize for Figures {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let figures = self.0.iter().map(|figure| (figure.name, &figure.value));
        serializer.collect_map(figures)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(speed: f64, all: Option<u32>) -> Figures {
        let band = Figures::default()
            .with("name", "red", "")
            .with("units", 3_u32, "");
        Figures::default()
            .with("speed", speed, "cells a second")
            .with("doors", vec![3_u32, 4], "")
            .with("times", Figures::default().with("all_us", all, "µs"), "")
            .with("bands", vec![band], "")
    }

    #[test]
    fn figures_are_written_as_json_and_as_lines() {
        let figures = run(0.123_456, None);
        let json = r#"{"speed":0.123,"doors":[3,4],"times":{"all_us":null},"bands":[{"name":"red","units":3}]}"#;
        assert_eq!(serde_json::to_string(&figures).unwrap(), json);
        let lines = "  speed                 0.123 cells a second\n  doors                 3, 4\n  \
                     times                 all - µs\n  red                   units 3\n";
        console::set_colors_enabled(false);
        assert_eq!(figures.lines(), lines);
    }

    #[test]
    fn the_median_of_runs_puts_what_never_came_last() {
        let runs = [run(1.0, None), run(3.0, Some(7)), run(2.0, Some(9))];
        let median = Figures::merged(&runs, |_, number| number / 2);
        assert_eq!(median, run(2.0, Some(9)));
        let last = Figures::merged(&runs, |_, number| number - 1);
        assert_eq!(last, run(3.0, None));
    }
}
