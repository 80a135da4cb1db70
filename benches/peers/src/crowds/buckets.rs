//! Which bodies are near a point: the bodies of each cell, one cell after the other.

/// Bodies by cell.
#[derive(Default)]
pub struct Buckets {
    columns: usize,
    rows: usize,
    /// Where the bodies of each cell begin in `bodies`, and the end.
    starts: Vec<usize>,
    bodies: Vec<u32>,
}

impl Buckets {
    /// Returns buckets for a map of this size.
    pub fn new(columns: usize, rows: usize) -> Self {
        Self {
            columns,
            rows,
            ..Self::default()
        }
    }

    /// Takes in where all bodies are.
    pub fn fill(&mut self, positions: &[[f32; 2]]) {
        self.starts.clear();
        self.starts.resize(self.columns * self.rows + 1, 0);
        self.bodies.resize(positions.len(), 0);
        let [columns, rows] = [self.columns, self.rows];
        let cell = |at: [f32; 2]| inside(at[1], rows) * columns + inside(at[0], columns);
        for &position in positions {
            self.starts[cell(position)] += 1;
        }
        let mut end = 0;
        for start in &mut self.starts {
            end += *start;
            *start = end;
        }
        for (body, &position) in positions.iter().enumerate().rev() {
            let start = &mut self.starts[cell(position)];
            *start -= 1;
            self.bodies[*start] = body as u32;
        }
    }

    /// Visits all bodies of the cells that lie within `range` of a point along both axes.
    pub fn visit(&self, point: [f32; 2], range: f32, mut visit: impl FnMut(usize)) {
        let [left, top] = point.map(|at| at - range);
        let [right, bottom] = point.map(|at| at + range);
        for row in inside(top, self.rows)..=inside(bottom, self.rows) {
            let first = row * self.columns;
            let from = self.starts[first + inside(left, self.columns)];
            let to = self.starts[first + inside(right, self.columns) + 1];
            for &body in &self.bodies[from..to] {
                visit(body as usize);
            }
        }
    }
}

fn inside(at: f32, count: usize) -> usize {
    // A negative number becomes 0.
    (at as usize).min(count - 1)
}

/// Returns the distance between two points.
pub fn distance(one: [f32; 2], other: [f32; 2]) -> f32 {
    (one[0] - other[0]).hypot(one[1] - other[1])
}

/// Returns how deep the deepest two bodies overlap, in cells.
pub fn deepest_overlap(buckets: &mut Buckets, positions: &[[f32; 2]], radius: f32) -> f32 {
    buckets.fill(positions);
    let mut deepest = 0.0_f32;
    for (at, &position) in positions.iter().enumerate() {
        buckets.visit(position, 2.0 * radius, |other| {
            if other > at {
                deepest = deepest.max(2.0 * radius - distance(position, positions[other]));
            }
        });
    }
    deepest
}
