//! The figures as text: questions and answers.

use std::fmt;

use flowtiles_country::numbers::{grouped, size, time};

use crate::figures::{Bridge, DemoFigures, Twins};

/// What to try after the demo, besides another seed.
const NEXT: [(&str, &str); 3] = [
    ("scen MAP SCEN", "a Moving AI benchmark, every entry walked"),
    (
        "show MAP --from X,Y --goal X,Y",
        "one order's directions as text",
    ),
    ("graph MAP", "the portal graph, fit for a snapshot test"),
];

/// A user's question and the run's answer; further lines of an answer have no question.
type Line = (&'static str, String);

impl fmt::Display for DemoFigures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "flowtiles demo: {} units of {} armies march home over {}×{} cells (seed {})",
            grouped(self.orders.units),
            self.orders.count,
            self.width,
            self.height,
            self.seed,
        )?;
        let mut lines = self.costs().to_vec();
        lines.extend(self.bridge.iter().flat_map(Bridge::lines));
        lines.extend(self.deeds());
        lines.extend(self.twins.iter().flat_map(Twins::lines));
        for (question, line) in lines {
            writeln!(f, "  {question:<37} {line}")?;
        }
        match &self.picture {
            Some(path) => writeln!(f, "All of it took {:.1} s; picture: {path}", self.seconds)?,
            None => writeln!(f, "All of it took {:.1} s", self.seconds)?,
        }
        let another = format!(
            "cargo run --release -- --seed {}",
            self.seed.wrapping_add(1)
        );
        writeln!(f, "Try next:\n  {another:<48} another country")?;
        NEXT.iter()
            .try_for_each(|(command, what)| writeln!(f, "  cargo flowtiles {command:<32} {what}"))
    }
}

impl DemoFigures {
    /// The cost to a game.
    fn costs(&self) -> [Line; 6] {
        let (orders, march) = (&self.orders, &self.march);
        let longest = orders.longest_tick_us.max(march.longest_tick_us);
        let load = format!(
            "{} for {} sectors, {} portals, {} edges",
            time(self.build_ms * 1e3),
            grouped(self.sectors),
            grouped(self.portals),
            grouped(self.edges)
        );
        let ready = format!(
            "all {} after {} ticks, {} of work; each call at most {}",
            orders.count,
            orders.ticks,
            time(orders.ready_us),
            time(orders.call_us)
        );
        let tick = format!(
            "{} of {} ticks, each with a budget of {} cells",
            time(longest),
            grouped((orders.ticks + march.ticks) as usize),
            grouped(self.budget_cells as usize)
        );
        let direction = format!(
            "{:.0} ns, the mean of {} reads",
            march.sample_ns,
            grouped(march.samples as usize)
        );
        let loaded = format!(
            "{} of {} sectors ({:.1} %)",
            grouped(self.sectors_loaded),
            grouped(self.sectors),
            self.sectors_loaded as f64 * 100.0 / self.sectors as f64
        );
        let memory = format!(
            "costs {}, graph {}, orders {}; once they are dropped {}",
            size(self.memory.cost_bytes),
            size(self.memory.graph_bytes),
            size(self.memory.order_bytes),
            size(self.memory.order_bytes_after)
        );
        [
            ("How long does a map take to load?", load),
            ("When does an order give directions?", ready),
            ("How long is the longest tick?", tick),
            ("What does a unit's direction cost?", direction),
            ("How much of the map is loaded?", loaded),
            ("What does it hold in memory?", memory),
        ]
    }

    /// The benefits for a game.
    fn deeds(&self) -> [Line; 2] {
        let (ways, march) = (&self.ways, &self.march);
        let paths = format!(
            "{:.2} % over a whole-map Dijkstra in the mean, {:.2} % at worst, of {} paths",
            ways.mean_percent,
            ways.max_percent,
            grouped(ways.compared)
        );
        let home = format!(
            "{} of {} after {} ticks; {} cut off, {} steps against the rule",
            grouped(march.arrived),
            grouped(self.orders.units),
            grouped(march.ticks as usize),
            grouped(march.cut_off),
            grouped(march.illegal_steps)
        );
        [
            ("Are the paths good?", paths),
            ("Does everyone come home?", home),
        ]
    }
}

impl Bridge {
    fn lines(&self) -> [Line; 3] {
        let edit = format!(
            "{} for the edit: {} cells, {} sectors rebuilt",
            time(self.edit_us),
            self.cells,
            self.sectors_rebuilt
        );
        let orders = format!(
            "{} of work in {} ticks for {} replanned orders, the longest tick {}",
            time(self.replan_us),
            self.replan_ticks,
            self.orders_replanned,
            time(self.longest_tick_us)
        );
        let units = format!(
            "{} units were still on their way, {} of them on the bridge",
            grouped(self.units_out),
            self.units_on_it
        );
        [("What if a bridge falls?", edit), ("", orders), ("", units)]
    }
}

impl Twins {
    fn lines(&self) -> [Line; 2] {
        let played = format!(
            "played again: {} on 1 thread, {} on 2 threads,",
            self.one_thread, self.two_threads
        );
        let saved = format!("{} from a save of {}", self.loaded, size(self.save_bytes));
        [("Is it the same world everywhere?", played), ("", saved)]
    }
}
