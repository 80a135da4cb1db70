//! `flowtiles graph diff`: the differences between the portal graphs of two maps.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::PathBuf;

use flowtiles::{FlowWorld, Portal, PortalId, Sector};
use serde::Serialize;

use super::window::run_text;
use crate::support::failure::Failure;
use crate::support::map_file::MapOptions;

/// Compare the portal graphs of two maps: exit code 0 if they are the same, 1 if
/// they differ
#[derive(clap::Args)]
pub struct Arguments {
    /// The map before
    before: PathBuf,
    /// The map after
    after: PathBuf,
    #[command(flatten)]
    options: MapOptions,
    /// Print one object
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let Arguments { before, after, .. } = arguments;
    let maps = arguments.options.read_two([before, after])?;
    let [one, other] = maps.map(FlowWorld::new);
    let difference = Difference::between(&one, &other);
    if arguments.json {
        serde_json::to_writer(&mut *out, &difference).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        difference.write_text(out)?;
    }
    if difference.is_none() {
        return Ok(());
    }
    out.flush()?;
    Err(Failure::Differs(format!(
        "the portal graphs of {} and {} differ",
        before.display(),
        after.display()
    )))
}

/// A portal by its id and the cells of its window on the near side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct PortalPlace {
    id: String,
    window: String,
    crossing: [i32; 2],
}

impl PortalPlace {
    fn of(portal: &Portal) -> Self {
        Self {
            id: portal.id.to_string(),
            window: run_text(portal.windows[0]),
            crossing: [portal.crossing[0].x, portal.crossing[0].y],
        }
    }
}

/// A portal whose window or crossing has moved along its border.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Moved {
    before: PortalPlace,
    after: PortalPlace,
}

/// An edge between portals that both maps have. The cost is `None` for a map
/// without the edge.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct Edge {
    from: String,
    to: String,
    through: [i32; 2],
    before: Option<u32>,
    after: Option<u32>,
}

/// The differences.
#[derive(Debug, Serialize)]
struct Difference {
    sizes: [[u32; 2]; 2],
    portals: [usize; 2],
    added: Vec<PortalPlace>,
    removed: Vec<PortalPlace>,
    moved: Vec<Moved>,
    edges: Vec<Edge>,
    /// Edges of portals that only one of the maps has.
    edges_of_added: usize,
    edges_of_removed: usize,
}

impl Difference {
    fn between(one: &FlowWorld, other: &FlowWorld) -> Self {
        let (before, after) = (one.inspect().portal_graph(), other.inspect().portal_graph());
        let size = |world: &FlowWorld| [world.costs().width(), world.costs().height()];
        let matched = Matched::new(before.portals(), after.portals());
        let mut found = Self {
            sizes: [size(one), size(other)],
            portals: [before.portal_count(), after.portal_count()],
            added: matched.added.iter().map(PortalPlace::of).collect(),
            removed: matched.removed.iter().map(PortalPlace::of).collect(),
            moved: Vec::new(),
            edges: Vec::new(),
            edges_of_added: 0,
            edges_of_removed: 0,
        };
        for (one, other) in &matched.pairs {
            if (one.id, one.windows, one.crossing) != (other.id, other.windows, other.crossing) {
                let (before, after) = (PortalPlace::of(one), PortalPlace::of(other));
                found.moved.push(Moved { before, after });
            }
        }
        found.compare_edges(one, other, &matched);
        found
    }

    /// Compares the edges between portals of both maps; the others are counted.
    fn compare_edges(&mut self, one: &FlowWorld, other: &FlowWorld, matched: &Matched) {
        let pairs = || matched.pairs.iter().map(|(one, other)| (one.id, other.id));
        let forward: BTreeMap<PortalId, PortalId> = pairs().collect();
        let known: BTreeSet<PortalId> = pairs().map(|(_, after)| after).collect();
        let (before, after) = (one.inspect().portal_graph(), other.inspect().portal_graph());
        let mut costs: BTreeMap<(PortalId, PortalId, Sector), [Option<u32>; 2]> = BTreeMap::new();
        for from in before.portals() {
            for (to, edge) in before.edges(from.id) {
                match (forward.get(&from.id), forward.get(&to)) {
                    (Some(&from), Some(&to)) => {
                        costs.entry((from, to, edge.through)).or_default()[0] = Some(edge.cost);
                    }
                    _ => self.edges_of_removed += 1,
                }
            }
        }
        for from in after.portals() {
            for (to, edge) in after.edges(from.id) {
                if known.contains(&from.id) && known.contains(&to) {
                    costs.entry((from.id, to, edge.through)).or_default()[1] = Some(edge.cost);
                } else {
                    self.edges_of_added += 1;
                }
            }
        }
        for ((from, to, through), [before, after]) in costs {
            if before != after {
                self.edges.push(Edge {
                    from: from.to_string(),
                    to: to.to_string(),
                    through: [through.x, through.y],
                    before,
                    after,
                });
            }
        }
    }

    /// Whether nothing differs.
    fn is_none(&self) -> bool {
        self.sizes[0] == self.sizes[1]
            && self.added.is_empty()
            && self.removed.is_empty()
            && self.moved.is_empty()
            && self.edges.is_empty()
    }

    fn write_text(&self, out: &mut impl Write) -> std::io::Result<()> {
        let [[width, height], [other_width, other_height]] = self.sizes;
        let [before, after] = self.portals;
        if self.is_none() {
            return writeln!(out, "the same portal graph: {before} portals");
        }
        if self.sizes[0] != self.sizes[1] {
            writeln!(
                out,
                "size: {width}×{height} cells before, {other_width}×{other_height} after"
            )?;
        }
        writeln!(
            out,
            "portals: {before} before, {after} after; {} added, {} removed, {} moved; \
             {} edges differ between portals of both",
            self.added.len(),
            self.removed.len(),
            self.moved.len(),
            self.edges.len()
        )?;
        for (sign, places) in [("-", &self.removed), ("+", &self.added)] {
            for place in places {
                let [x, y] = place.crossing;
                writeln!(
                    out,
                    "{sign} {}: {}, crossing ({x}, {y})",
                    place.id, place.window
                )?;
            }
        }
        for Moved { before, after } in &self.moved {
            let crossing =
                |place: &PortalPlace| format!("({}, {})", place.crossing[0], place.crossing[1]);
            writeln!(
                out,
                "~ {} -> {}: {} -> {}, crossing {} -> {}",
                before.id,
                after.id,
                before.window,
                after.window,
                crossing(before),
                crossing(after)
            )?;
        }
        let cost = |cost: Option<u32>| cost.map_or("none".to_owned(), |cost| cost.to_string());
        for edge in &self.edges {
            let [x, y] = edge.through;
            writeln!(
                out,
                "  {} -> {} through [{x}, {y}]: {} -> {}",
                edge.from,
                edge.to,
                cost(edge.before),
                cost(edge.after)
            )?;
        }
        Ok(())
    }
}

/// The portals of two maps, matched where they are the same one.
struct Matched {
    pairs: Vec<(Portal, Portal)>,
    removed: Vec<Portal>,
    added: Vec<Portal>,
}

impl Matched {
    /// Matches portals with the same id first; then, on each border, those whose
    /// windows have a cell in common.
    fn new(before: impl Iterator<Item = Portal>, after: impl Iterator<Item = Portal>) -> Self {
        let mut later: BTreeMap<PortalId, Portal> =
            after.map(|portal| (portal.id, portal)).collect();
        let mut pairs = Vec::new();
        let mut left = Vec::new();
        for portal in before {
            match later.remove(&portal.id) {
                Some(same) => pairs.push((portal, same)),
                None => left.push(portal),
            }
        }
        let mut by_border: BTreeMap<[Sector; 2], Vec<Portal>> = BTreeMap::new();
        for portal in later.into_values() {
            by_border.entry(portal.sectors).or_default().push(portal);
        }
        let mut removed = Vec::new();
        for portal in left {
            let beside = by_border.get_mut(&portal.sectors);
            let found = beside.and_then(|others| {
                let shares =
                    |other: &Portal| !portal.windows[0].intersection(other.windows[0]).is_empty();
                let at = others.iter().position(shares)?;
                Some(others.remove(at))
            });
            match found {
                Some(other) => pairs.push((portal, other)),
                None => removed.push(portal),
            }
        }
        let mut added: Vec<Portal> = by_border.into_values().flatten().collect();
        added.sort_unstable_by_key(|portal| portal.id);
        Self {
            pairs,
            removed,
            added,
        }
    }
}
