//! The figures as text.

use std::fmt;

use super::figures::{BigFigures, Journey};
use super::journey::BUDGET;
use flowtiles_studio::numbers::{grouped, size, time};

impl fmt::Display for BigFigures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "flowtiles big: {side}×{side} cells, {} of them, in {} sectors (seed {})",
            grouped(self.cells as usize),
            grouped(self.sectors),
            self.seed,
            side = self.side,
        )?;
        let peak = self.peak_bytes;
        let peak = peak.map_or_else(|| "the system does not tell".into(), size);
        let lines = [
            (
                "reading the costs",
                format!(
                    "{}, {}",
                    time(self.read_ms * 1e3),
                    match self.costs {
                        "kept" => "all kept in memory",
                        "mapped" => "written to a file and mapped",
                        _ => "drawn whenever they are needed",
                    }
                ),
            ),
            (
                "building",
                format!(
                    "{}: {} portals, {} islands",
                    time(self.build_ms * 1e3),
                    grouped(self.portals),
                    grouped(self.islands)
                ),
            ),
            (
                "costs and graph",
                format!(
                    "{} + {}, {:.2} bytes a cell",
                    size(self.cost_bytes),
                    size(self.graph_bytes),
                    self.bytes_per_cell
                ),
            ),
            ("an order over 500 cells", self.near.told()),
            ("an order over the whole map", self.far.told()),
            (
                "a unit's path across the map",
                format!(
                    "{} steps, {:.0} ns a read",
                    grouped(self.far.steps),
                    self.far.sample_ns
                ),
            ),
            (
                "one-cell edits",
                format!(
                    "median {}, p99 {}, longest {} of {}",
                    time(self.edits.median_us),
                    time(self.edits.p99_us),
                    time(self.edits.longest_us),
                    grouped(self.edits.count)
                ),
            ),
            (
                "a wall across the long path",
                format!(
                    "{} for the edit, {} in {} ticks to lead around it, the longest {}",
                    time(self.replan.edit_us),
                    time(self.replan.ms * 1e3),
                    grouped(self.replan.ticks as usize),
                    time(self.replan.longest_tick_ms * 1e3)
                ),
            ),
            (
                "a save",
                format!("{} in {}", size(self.save_bytes), time(self.save_ms * 1e3)),
            ),
            ("peak memory of the process", peak),
        ];
        for (what, told) in lines {
            writeln!(f, "  {what:<32} {told}")?;
        }
        writeln!(
            f,
            "ticks of {} cells; {}; {}",
            grouped(BUDGET as usize),
            self.machine,
            self.rustc
        )
    }
}

impl Journey {
    fn told(&self) -> String {
        format!(
            "{} in {} ticks, the longest {}; {} sectors, {}",
            time(self.ms * 1e3),
            grouped(self.ticks as usize),
            time(self.longest_tick_ms * 1e3),
            grouped(self.sectors_loaded),
            size(self.bytes)
        )
    }
}
