//! The cliques of all clusters of a map.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use super::clique::Clique;
use super::division::{Cluster, Division};
use super::rim::Rim;
use crate::grid::{Extent, Sector};
use crate::portal::PortalGraph;
use crate::threads;

/// The clusters of a map with their cliques. A clique is made when it is first
/// asked for; all are made when a map is built.
///
/// Making a clique is work that counts. Which of several searches on different
/// threads makes it depends on chance, so each search that asks for it in the
/// round in which an order first did has that work counted.
#[derive(Debug)]
pub(crate) struct Clusters {
    division: Division,
    cliques: Vec<OnceLock<Kept>>,
    /// The clique of all whole clusters of open ground.
    open: OnceLock<Clique>,
    round: u64,
}

#[derive(Debug)]
struct Kept {
    rim: Rim,
    /// `None` for open ground.
    clique: Option<Box<Clique>>,
    /// The work of making it.
    work: u32,
    /// The round in which an order first asked for it; [`UNASKED`] before.
    asked: AtomicU64,
}

const UNASKED: u64 = u64::MAX;

/// The work of making a clique, in cells: a part for each sector, and a part for
/// each pair of rim portals.
const SECTOR_WORK: usize = 40;
const PAIR_WORK: usize = 1;

impl Clusters {
    pub(crate) fn begin(extent: Extent) -> Self {
        Self::with(Division::of(extent))
    }

    /// Makes clusters without cliques.
    pub(crate) fn with(division: Division) -> Self {
        let mut cliques = Vec::new();
        cliques.resize_with(division.count(), OnceLock::new);
        Self {
            division,
            cliques,
            open: OnceLock::new(),
            round: 0,
        }
    }

    pub(crate) const fn division(&self) -> Division {
        self.division
    }

    /// Makes the cliques of clusters, by number. Nothing is counted for them later.
    pub(crate) fn make(&self, graph: &PortalGraph, clusters: Range<usize>) {
        let first = clusters.start;
        let make = |number: usize| {
            let index = first + number;
            let kept = self.kept(graph, index);
            kept.asked.store(0, Ordering::Relaxed);
        };
        threads::collect_few(clusters.len(), make);
    }

    /// Begins a round of orders' work.
    pub(crate) const fn begin_round(&mut self, round: u64) {
        self.round = round + 1;
    }

    /// Drops the cliques of clusters that hold one of these sectors.
    pub(crate) fn drop_at(&mut self, sectors: impl Iterator<Item = Sector>) {
        for sector in sectors {
            let index = self.division.index(self.division.cluster_of(sector));
            self.cliques[index].take();
        }
    }

    fn kept(&self, graph: &PortalGraph, index: usize) -> &Kept {
        self.cliques[index].get_or_init(|| {
            let sectors = self.division.sectors(self.division.cluster(index));
            let side = self.division.side();
            let is_whole = sectors.columns == side && sectors.rows == side;
            let is_open = is_whole && sectors.iter().all(|sector| graph.links(sector).is_open());
            if is_open {
                self.open.get_or_init(|| Clique::new(graph, sectors));
            }
            let rim = Rim::new(graph, sectors);
            let pairs = rim.portals().len().pow(2);
            Kept {
                clique: (!is_open).then(|| Box::new(Clique::new(graph, sectors))),
                work: (sectors.count() * SECTOR_WORK + pairs * PAIR_WORK) as u32,
                asked: AtomicU64::new(UNASKED),
                rim,
            }
        })
    }

    /// Returns the rim of a cluster.
    pub(crate) fn rim(&self, graph: &PortalGraph, cluster: Cluster) -> &Rim {
        &self.kept(graph, self.division.index(cluster)).rim
    }

    /// Returns the clique of a cluster.
    #[inline]
    pub(crate) fn clique(&self, graph: &PortalGraph, cluster: Cluster) -> &Clique {
        self.of_kept(self.kept(graph, self.division.index(cluster)))
    }

    fn of_kept<'a>(&'a self, kept: &'a Kept) -> &'a Clique {
        match (kept.clique.as_deref(), self.open.get()) {
            (Some(clique), _) | (None, Some(clique)) => clique,
            (None, None) => unreachable!("the clique of open ground is made first"),
        }
    }

    /// Returns the clique of a cluster, and the work to be counted to the order
    /// that asks for it.
    #[inline]
    pub(crate) fn asked(&self, graph: &PortalGraph, cluster: Cluster) -> (&Clique, u64) {
        let kept = self.kept(graph, self.division.index(cluster));
        // Threads that come here at the same time store the same round.
        let mut asked = kept.asked.load(Ordering::Relaxed);
        if asked == UNASKED {
            kept.asked.store(self.round, Ordering::Relaxed);
            asked = self.round;
        }
        let due = if asked == self.round && asked > 0 {
            kept.work.into()
        } else {
            0
        };
        (self.of_kept(kept), due)
    }

    /// Returns the bytes that the cliques hold.
    pub(crate) fn bytes(&self) -> usize {
        let kept = self.cliques.iter().filter_map(OnceLock::get);
        let bytes = kept.map(|kept| {
            let clique = kept.clique.as_deref();
            kept.rim.bytes() + clique.map_or(0, |own| size_of::<Clique>() + own.bytes())
        });
        self.cliques.capacity() * size_of::<OnceLock<Kept>>()
            + bytes.sum::<usize>()
            + self.open.get().map_or(0, Clique::bytes)
    }
}
