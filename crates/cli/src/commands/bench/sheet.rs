//! The figures of a run: as tables in Markdown, or as one JSON object.

use std::fmt;

use serde::Serialize;

use super::quality::QualityFigures;
use super::walks::{self, TollFigures, WalkFigures, Walks};

/// What the names of the figures mean.
const LEGEND: &str = "\
×: how many times as fast as. Textbook kernel: with a binary heap. petgraph: A* on the
portal graph. Dijkstra: over the whole map, with buckets. Times of many different jobs
are medians.";

/// One run on one machine.
#[derive(Serialize)]
pub struct Run {
    pub machine: String,
    pub rustc: String,
    pub revision: String,
    /// A column for each kind of ground.
    pub sectors: Vec<Column>,
    /// A column for each map.
    pub maps: Vec<Column>,
    /// A row for each kind of ground.
    pub quality: Vec<QualityFigures>,
    pub walks: Walks,
}

/// The figures on one map.
#[derive(Serialize)]
pub struct Column {
    pub name: String,
    pub figures: Vec<Figure>,
}

/// A figure, its name with its unit.
#[derive(Serialize)]
pub struct Figure {
    pub name: &'static str,
    pub value: f64,
}

impl Column {
    pub fn new(name: &str) -> Self {
        let name = name.strip_suffix(".map").unwrap_or(name).to_owned();
        let figures = Vec::new();
        Self { name, figures }
    }

    pub fn put(&mut self, name: &'static str, value: f64) {
        self.figures.push(Figure { name, value });
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        columns(f, "a sector", &self.sectors)?;
        columns(f, "a map", &self.maps)?;
        if !self.quality.is_empty() {
            let head = "price of a path over the best|orders|mean|p95|worst|over 5 %|\
                        sectors loaded|bytes a cell|order, µs";
            headed(f, head, self.quality.iter().map(QualityFigures::row))?;
        }
        if !self.walks.level.is_empty() {
            let rows = self.walks.level.iter().map(WalkFigures::row);
            headed(f, walks::HEAD, rows)?;
        }
        if !self.walks.dear.is_empty() {
            let rows = self.walks.dear.iter().map(TollFigures::row);
            headed(f, walks::TOLL_HEAD, rows)?;
        }
        if !self.maps.is_empty() {
            writeln!(f, "{LEGEND}\n")?;
        }
        let Self {
            machine,
            rustc,
            revision,
            ..
        } = self;
        writeln!(f, "{machine}; {rustc}; revision {revision}")
    }
}

/// Writes a table with a row for each figure, which all columns have.
fn columns(f: &mut fmt::Formatter<'_>, corner: &str, columns: &[Column]) -> fmt::Result {
    let Some(first) = columns.first() else {
        return Ok(());
    };
    let mut rows = vec![vec![corner.to_owned()]];
    rows[0].extend(columns.iter().map(|column| column.name.clone()));
    for (row, figure) in first.figures.iter().enumerate() {
        let values = columns
            .iter()
            .map(|column| number(column.figures[row].value));
        rows.push(
            std::iter::once(figure.name.to_owned())
                .chain(values)
                .collect(),
        );
    }
    table(f, &rows)
}

/// Writes a table with these rows under a head, whose cells are separated by `|`.
fn headed(
    f: &mut fmt::Formatter<'_>,
    head: &str,
    rows: impl Iterator<Item = Vec<String>>,
) -> fmt::Result {
    let head = head.split('|').map(str::to_owned).collect();
    table(f, &std::iter::once(head).chain(rows).collect::<Vec<_>>())
}

/// Writes a table in Markdown, the first row as its head, in columns of equal width.
fn table(f: &mut fmt::Formatter<'_>, rows: &[Vec<String>]) -> fmt::Result {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.max().unwrap_or(0)
    };
    for (number, row) in rows.iter().enumerate() {
        write!(f, "| {:<1$} |", row[0], width(0))?;
        for (column, cell) in row.iter().enumerate().skip(1) {
            write!(f, " {cell:>0$} |", width(column).max(3))?;
        }
        writeln!(f)?;
        if number == 0 {
            writeln!(f, "| --- |{}", " --: |".repeat(row.len() - 1))?;
        }
    }
    writeln!(f)
}

/// Three digits or so.
fn number(value: f64) -> String {
    match value {
        ..10.0 => format!("{value:.2}"),
        10.0..100.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}
