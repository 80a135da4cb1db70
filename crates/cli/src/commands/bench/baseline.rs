//! Files of figures: written after a run and compared with a later one.

use std::fmt;
use std::path::{Path, PathBuf};

use super::figures::{Figure, MapFigures, Run};
use crate::support::failure::Failure;
use crate::support::map_file::read_bytes;
use crate::support::whole_file::write_whole;

/// Smaller differences, as a share of a figure, are never reported.
const SLIGHT: f64 = 0.1;

/// The differences between two runs.
pub struct Comparison {
    path: PathBuf,
    machines: Option<[String; 2]>,
    moves: Vec<Move>,
    compared: usize,
    missing: Vec<String>,
    /// Maps on which the rivals moved, and how far.
    restless: Vec<(String, f64)>,
}

/// A figure that has changed.
struct Move {
    map: String,
    name: &'static str,
    unit: &'static str,
    before: f64,
    now: f64,
}

/// Reads the figures of an earlier run.
pub fn read(path: &Path) -> Result<Run, Failure> {
    serde_json::from_slice(&read_bytes(path)?).map_err(|error| {
        let text = error.to_string();
        // The path comes first, as in every other message.
        let fault = text
            .rsplit_once(" at line ")
            .map_or(&*text, |(fault, _)| fault);
        Failure::in_file(
            path,
            format_args!(
                "line {}, column {}: {fault}: give a file that `flowtiles bench --save` wrote",
                error.line(),
                error.column()
            ),
        )
    })
}

/// Writes the figures to a temporary file and renames it, so that a reader finds
/// either the old file or the new one.
pub fn save(path: &Path, run: &Run) -> Result<(), Failure> {
    let mut text = serde_json::to_vec_pretty(run).map_err(std::io::Error::from)?;
    text.push(b'\n');
    write_whole(path, &text).map_err(|error| {
        Failure::in_file(
            path,
            format_args!("the figures cannot be written ({error}): name another file"),
        )
    })
}

/// Checks before all the work that the figures can be written to this path.
pub fn check_place(path: &Path) -> Result<(), Failure> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let fault = if path.is_dir() {
        "it is a folder"
    } else if folder.is_some_and(|folder| !folder.is_dir()) {
        "its folder is not there"
    } else {
        return Ok(());
    };
    Err(Failure::in_file(
        path,
        format_args!("the figures cannot be written ({fault}): name another file"),
    ))
}

/// The engine does not affect these figures: where they moved, the machine did.
const RIVALS: [&str; 4] = [
    "petgraph_astar_us",
    "pathfinding_astar_us",
    "dijkstra_heap_ms",
    "dijkstra_bucket_ms",
];

/// Whether a figure moved farther than noise on its map: [`SLIGHT`], or as far as
/// a rival moved there, or twice as far as the rounds of this run differ. (A file
/// does not hold the spread of its own rounds; the same spread is assumed for it,
/// hence twice.)
fn moved(before: f64, now: Figure, rivals: f64) -> bool {
    let noise = (2.0 * now.spread()).max(SLIGHT).max(rivals);
    share_moved(before, now.value()) > noise
}

/// Whether a figure moved for the better: higher for rates, lower for all
/// others.
fn is_better(name: &str, before: f64, now: f64) -> bool {
    (now < before) != name.ends_with("_mb_s")
}

/// Returns the difference of two values, as a share of the smaller.
fn share_moved(before: f64, now: f64) -> f64 {
    let smaller = before.min(now);
    if smaller > 0.0 {
        (now - before).abs() / smaller
    } else if before == now {
        0.0
    } else {
        f64::INFINITY
    }
}

/// Returns how far the rival moved that moved farthest.
fn rivals_moved(before: &MapFigures, now: &MapFigures) -> f64 {
    let pairs = before.all().into_iter().zip(now.all());
    pairs
        .filter(|((name, ..), _)| RIVALS.contains(name))
        .map(|((.., before), (.., now))| share_moved(before.value(), now.value()))
        .fold(0.0, f64::max)
}

impl Comparison {
    /// Compares a run with an earlier one, for each map of the same name and
    /// size.
    pub fn new(path: &Path, before: &Run, now: &Run) -> Self {
        let mut comparison = Self {
            path: path.to_owned(),
            machines: (before.machine != now.machine)
                .then(|| [before.machine.clone(), now.machine.clone()]),
            moves: Vec::new(),
            compared: 0,
            missing: Vec::new(),
            restless: Vec::new(),
        };
        for map in &now.maps {
            let same = |other: &&MapFigures| {
                (&other.map, other.width, other.height) == (&map.map, map.width, map.height)
            };
            let Some(earlier) = before.maps.iter().find(same) else {
                comparison.missing.push(map.map.clone());
                continue;
            };
            let rivals = rivals_moved(earlier, map);
            if rivals > SLIGHT {
                comparison.restless.push((map.map.clone(), rivals));
            }
            for ((name, unit, now), (.., before)) in map.all().into_iter().zip(earlier.all()) {
                comparison.compared += 1;
                if moved(before.value(), now, rivals) {
                    comparison.moves.push(Move {
                        map: map.map.clone(),
                        name,
                        unit,
                        before: before.value(),
                        now: now.value(),
                    });
                }
            }
        }
        if let (Some(crowd), Some(earlier)) = (&now.crowd, &before.crowd) {
            comparison.compare_crowd(&earlier.all(), &crowd.all());
        }
        comparison
    }

    /// Compares the figures of crowds, which have no rivals.
    fn compare_crowd(
        &mut self,
        before: &[(&'static str, &'static str, Figure)],
        now: &[(&'static str, &'static str, Figure)],
    ) {
        for (&(name, unit, now), &(.., before)) in now.iter().zip(before) {
            self.compared += 1;
            if moved(before.value(), now, 0.0) {
                self.moves.push(Move {
                    map: "crowd".to_owned(),
                    name,
                    unit,
                    before: before.value(),
                    now: now.value(),
                });
            }
        }
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "Since {}: {} of {} figures moved (by more than {:.0} %, twice as far as the rounds of \
             this run lie apart, and farther than the A* and Dijkstra rivals did on the same map)",
            self.path.display(),
            self.moves.len(),
            self.compared,
            SLIGHT * 100.0
        )?;
        for Move {
            map,
            name,
            unit,
            before,
            now,
        } in &self.moves
        {
            let mark = if is_better(name, *before, *now) {
                "better"
            } else {
                "worse"
            };
            let percent = (now - before) / before * 100.0;
            writeln!(
                f,
                "  {mark:<6}  {map:<12}  {name:<24}  {before} → {now} {unit} ({percent:+.0} %)"
            )?;
        }
        for (map, share) in &self.restless {
            let percent = share * 100.0;
            writeln!(
                f,
                "  the machine was another on {map}: rivals moved by up to {percent:.0} %"
            )?;
        }
        for map in &self.missing {
            writeln!(f, "  {map} is not in that file, or has another size there")?;
        }
        match &self.machines {
            Some([before, now]) => writeln!(f, "  it was another machine: {before}, not {now}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_better_the_higher_they_are() {
        assert!(is_better("edit_storm.longest_ms", 2.0, 1.0));
        assert!(!is_better("edit_storm.longest_ms", 1.0, 2.0));
        assert!(is_better("load_mb_s", 1.0, 2.0) && !is_better("save_mb_s", 2.0, 1.0));
    }

    #[test]
    fn noise_is_no_move() {
        assert!(!moved(100.0, Figure::new(109.0, 0.0), 0.0));
        assert!(moved(100.0, Figure::new(120.0, 0.01), 0.0));
        assert!(moved(120.0, Figure::new(100.0, 0.01), 0.0));
        assert!(!moved(100.0, Figure::new(120.0, 0.15), 0.0));
        assert!(!moved(100.0, Figure::new(120.0, 0.01), 0.25));
        assert!(!moved(0.0, Figure::new(0.0, 0.0), 0.0));
        assert!(moved(0.0, Figure::new(1.0, 0.0), 0.5));
    }
}
