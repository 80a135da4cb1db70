//! The figures of one engine on one map, and their sums.

use flowtiles_peers::numbers::percentile;

use crate::task::UNITS;

/// The figures of one engine on one map, as printed by its process. Times are
/// in microseconds, those of look-ups in nanoseconds.
#[derive(Default)]
pub struct Figures {
    pub builds: Vec<f64>,
    pub bytes: Option<f64>,
    pub orders: Vec<f64>,
    pub ways: Vec<Way>,
    /// The reasons for which orders failed.
    pub failures: Vec<String>,
    pub edits: Vec<f64>,
    pub rebuilds: Vec<f64>,
    pub look_ups: Vec<f64>,
    pub position_look_ups: Vec<f64>,
    pub groups: Vec<Group>,
    /// Panics, mainly those that ended the process.
    pub panics: Vec<String>,
    /// Why the engine does not run on this map.
    pub refused: Option<String>,
    /// Whether the process was ended because it took too long.
    pub cut_off: bool,
    /// Whether the engine reached the end of the course.
    pub done: bool,
}

/// The path of one pair.
pub struct Way {
    pub pair: usize,
    /// The length, in millionths.
    pub length: u64,
    pub corners: usize,
}

/// A group of units with one goal.
pub struct Group {
    /// The time for all of them, estimated from those that were tried.
    pub micros: f64,
    pub tried: usize,
    /// The units that got no answer, of those that were tried.
    pub missed: usize,
}

impl Figures {
    /// Takes in a line.
    pub fn take(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let numbers: Vec<f64> = rest
            .split(' ')
            .map_while(|word| word.parse().ok())
            .collect();
        match (word, &numbers[..]) {
            ("build", [micros]) => self.builds.push(*micros),
            ("memory", [bytes]) => self.bytes = Some(*bytes),
            ("order", [_, micros]) => self.orders.push(*micros),
            ("edit", [micros]) => self.edits.push(*micros),
            ("rebuild", [micros]) => self.rebuilds.push(*micros),
            ("lookup", [nanos]) => self.look_ups.push(*nanos),
            ("lookup_position", [nanos]) => self.position_look_ups.push(*nanos),
            ("way", [pair, length, corners]) => self.ways.push(Way {
                pair: *pair as usize,
                length: *length as u64,
                corners: *corners as usize,
            }),
            ("group", [micros, tried, missed]) => self.groups.push(Group {
                micros: *micros,
                tried: *tried as usize,
                missed: *missed as usize,
            }),
            ("failed", _) => {
                let reason = rest.split_once(' ').map_or(rest, |(_, reason)| reason);
                self.failures.push(reason.into());
            }
            ("panic", _) => self.panics.push(rest.into()),
            ("refused", _) => self.refused = Some(rest.into()),
            ("done", _) => self.done = true,
            _ => {}
        }
    }

    /// Takes in the times of another run over the same course. Its paths are
    /// the same.
    pub fn pool(&mut self, other: Self) {
        self.builds.extend(other.builds);
        self.orders.extend(other.orders);
        self.edits.extend(other.edits);
        self.rebuilds.extend(other.rebuilds);
        self.look_ups.extend(other.look_ups);
        self.position_look_ups.extend(other.position_look_ups);
        self.groups.extend(other.groups);
        self.panics.extend(other.panics);
        self.done &= other.done;
    }

    /// Returns the number of orders that were walked, or failed.
    pub fn asked(&self) -> usize {
        self.ways.len() + self.failures.len()
    }

    /// Returns the lengths divided by the optimum.
    pub fn stretch(&self, optima: &[u64]) -> Vec<f64> {
        let ratio = |way: &Way| way.length as f64 / optima[way.pair] as f64;
        self.ways.iter().map(ratio).collect()
    }

    /// Returns the number of paths with at least one diagonal step past a wall.
    pub fn corner_cutters(&self) -> usize {
        self.ways.iter().filter(|way| way.corners > 0).count()
    }

    /// Returns the median time of a group in microseconds. Groups in which a
    /// unit got no answer do not count; nor do incomplete ones if there is a
    /// complete one.
    pub fn group(&self) -> Option<f64> {
        let whole = !self.group_is_estimated();
        let served = self.groups.iter();
        let served = served.filter(|group| group.missed == 0);
        let served = served.filter(|group| !whole || group.tried == UNITS);
        percentile(&served.map(|group| group.micros).collect::<Vec<_>>(), 50)
    }

    /// Whether the group's time is an estimate.
    pub fn group_is_estimated(&self) -> bool {
        !self.groups.iter().any(|group| group.tried == UNITS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_taken_in() {
        let mut figures = Figures::default();
        figures.take("way 1 3000000 2");
        figures.take("failed 4 left its route");
        assert_eq!(figures.stretch(&[0, 2_000_000]), [1.5]);
        assert_eq!(figures.corner_cutters(), 1);
        assert_eq!(figures.failures, ["left its route"]);
    }
}
