//! `flowtiles check`: its chokes on drawn maps.

#[path = "../../../../tests/draws/mod.rs"]
mod draws;

use draws::Rng;
use serde_json::{Value, json};

use crate::command::Folder;

/// Rows of `.` and `#`, with slow answers to compare with.
struct Rows(Vec<Vec<u8>>);

impl Rows {
    fn drawn(rng: &mut Rng) -> Self {
        let (width, height) = (1 + rng.below(23), 1 + rng.below(23));
        let share = 15 + rng.below(45);
        let mut cell = |_| if rng.below(100) < share { b'#' } else { b'.' };
        Self(
            (0..height)
                .map(|_| (0..width).map(&mut cell).collect())
                .collect(),
        )
    }

    fn is_open(&self, (x, y): (i32, i32)) -> bool {
        let row = usize::try_from(y).ok().and_then(|y| self.0.get(y));
        let cell = row
            .zip(usize::try_from(x).ok())
            .and_then(|(row, x)| row.get(x));
        cell == Some(&b'.')
    }

    /// Returns the open cells that can be reached from one by the step rule, among the
    /// allowed cells.
    fn reached(
        &self,
        from: (i32, i32),
        is_allowed: impl Fn((i32, i32)) -> bool,
    ) -> Vec<(i32, i32)> {
        let is_open = |cell| self.is_open(cell) && is_allowed(cell);
        let mut found = vec![from];
        let mut next = 0;
        while next < found.len() {
            let (x, y) = found[next];
            for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
                let to = (x + dx, y + dy);
                let is_free = is_open(to) && is_open((x + dx, y)) && is_open((x, y + dy));
                if is_free && !found.contains(&to) {
                    found.push(to);
                }
            }
            next += 1;
        }
        found
    }

    /// Returns how many cells closing a cell cuts off from the largest remaining part;
    /// `None` if it is no choke.
    fn cut(&self, cell: (i32, i32)) -> Option<usize> {
        let (x, y) = cell;
        let beside = [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)];
        let beside: Vec<_> = beside.into_iter().filter(|&at| self.is_open(at)).collect();
        let around = |at: (i32, i32)| at != cell && (at.0 - x).abs() <= 1 && (at.1 - y).abs() <= 1;
        let &first = beside.first()?;
        let near = self.reached(first, around);
        if beside.iter().all(|at| near.contains(at)) {
            return None;
        }
        let island = self.reached(cell, |_| true).len();
        let parts = beside
            .iter()
            .map(|&at| self.reached(at, |at| at != cell).len());
        Some(island - 1 - parts.max()?)
    }
}

#[test]
fn chokes_equal_those_found_by_closing_each_cell() {
    let folder = Folder::new("check-drawn");
    let (mut cutting, mut others) = (0, 0);
    for seed in 0..40 {
        let rows = Rows::drawn(&mut Rng::new(seed));
        let text: String = rows
            .0
            .iter()
            .map(|row| format!("{}\n", String::from_utf8_lossy(row)))
            .collect();
        folder.write("drawn.txt", text);
        let run = folder.run(&["check", "drawn.txt", "--json", "--list", "1000"]);
        let object: Value = serde_json::from_str(&run.stdout).expect("one object");
        let told = object["chokes"]["list"].as_array().expect("a list");
        // Each run is represented by its worst cell; together the runs have as
        // many cells as there are chokes.
        let number = |value: &Value| value.as_u64().expect("a number") as usize;
        let cells = told
            .iter()
            .map(|run| number(&run["side_by_side"]))
            .sum::<usize>();
        let mut found = Vec::new();
        for (y, row) in (0..).zip(&rows.0) {
            let open = (0..).zip(row).filter(|(_, cell)| **cell == b'.');
            found.extend(open.filter_map(|(x, _)| Some((rows.cut((x, y))?, [x, y]))));
        }
        assert_eq!(cells, found.len(), "seed {seed}");
        for run in told {
            let cut = number(&run["cut"]);
            let is_found =
                |&(slow, cell): &(usize, [i32; 2])| slow == cut && run["cell"] == json!(cell);
            assert!(found.iter().any(is_found), "seed {seed}: {run}");
        }
        let most = |cuts: &mut dyn Iterator<Item = usize>| cuts.max();
        assert_eq!(
            most(&mut told.iter().map(|run| number(&run["cut"]))),
            most(&mut found.iter().map(|(cut, _)| *cut)),
            "seed {seed}"
        );
        cutting += found.iter().filter(|(cut, _)| *cut > 0).count();
        others += found.iter().filter(|(cut, _)| *cut == 0).count();
    }
    assert!(cutting > 100 && others > 100, "{cutting} {others}");
}
