//! The cliques of all clusters of a map.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::asked::Asked;
use super::clique::Clique;
use super::division::{Cluster, Division, SectorRect};
use super::known_parts::KnownParts;
use super::open_paths::{OpenPaths, OpenPathsTo, SideOfSector};
use super::rim::Rim;
use crate::cost::Cost;
use crate::grid::{Extent, Sector};
use crate::portal::PortalGraph;
use crate::threads;

/// The clusters of a map with their cliques. A clique is made when it is first
/// asked for; all are made when a map is built.
///
/// Making a clique is work that counts. Which of several searches on different
/// threads makes it depends on chance, so each search that asks for it in the
/// round in which an order first did has that work counted.
#[derive(Clone, Debug)]
pub(crate) struct Clusters {
    division: Division,
    cliques: Vec<OnceLock<Kept>>,
    /// By cost: the clique of all whole clusters of open ground.
    open: Box<[OnceLock<Box<Clique>>]>,
    /// The paths through these.
    open_paths: OpenPaths,
    /// By a hash of a part of their in-sector costs: clusters with a clique that others
    /// may share, each with the hash and its number.
    like: Box<[OnceLock<(u64, usize)>]>,
    round: u64,
}

#[derive(Clone, Debug)]
struct Kept {
    rim: Rim,
    clique: KeptClique,
    /// The work of making it.
    work: u32,
    asked: Asked,
}

#[derive(Clone, Debug)]
enum KeptClique {
    /// That of open ground of this cost.
    Open(Cost),
    /// Its own, or that of clusters with the same in-sector costs.
    Own(Arc<Clique>),
}

/// The number of cliques that may be shared.
const LIKE: usize = 256;

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
            open_paths: OpenPaths::new(division.side()),
            open: (0..=Cost::WALL.value()).map(|_| OnceLock::new()).collect(),
            like: (0..LIKE).map(|_| OnceLock::new()).collect(),
            round: 0,
        }
    }

    pub(crate) const fn division(&self) -> Division {
        self.division
    }

    /// Makes the cliques of clusters, by number. Nothing is counted for them later.
    pub(crate) fn make(&self, graph: &PortalGraph, clusters: Range<usize>) {
        let first = clusters.start;
        let make = |known: &mut KnownParts<i16>, number: usize| {
            self.kept(graph, first + number, known).asked.in_no_round();
        };
        threads::collect_few(clusters.len(), KnownParts::many, make);
    }

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

    /// Returns what is kept of a cluster, which is made if it is not there.
    #[inline]
    fn asked_kept(&self, graph: &PortalGraph, index: usize) -> &Kept {
        match self.cliques[index].get() {
            Some(kept) => kept,
            None => self.kept(graph, index, &mut KnownParts::few()),
        }
    }

    fn kept(&self, graph: &PortalGraph, index: usize, known: &mut KnownParts<i16>) -> &Kept {
        self.cliques[index].get_or_init(|| {
            let sectors = self.division.sectors(self.division.cluster(index));
            let clique = match self.open_cost(graph, sectors) {
                Some(cost) => {
                    self.open(cost)
                        .get_or_init(|| Box::new(Clique::new(graph, sectors, known)));
                    KeptClique::Open(cost)
                }
                None => KeptClique::Own(self.clique_of(graph, index, sectors, known)),
            };
            let rim = Rim::new(graph, sectors);
            let pairs = rim.portals().len().pow(2);
            Kept {
                clique,
                work: (sectors.count() * SECTOR_WORK + pairs * PAIR_WORK) as u32,
                asked: Asked::never(),
                rim,
            }
        })
    }

    /// Returns the cost of a whole cluster of open ground.
    fn open_cost(&self, graph: &PortalGraph, sectors: SectorRect) -> Option<Cost> {
        let side = self.division.side();
        let cost = graph.sector_walks(sectors.first).open_cost()?;
        let mut all = sectors
            .iter()
            .map(|sector| graph.sector_walks(sector).open_cost());
        let is_whole = sectors.columns == side && sectors.rows == side;
        (is_whole && all.all(|other| other == Some(cost))).then_some(cost)
    }

    /// Returns the paths through a cluster that end at one of its rim portals, and the cost of
    /// the ground; `None` if the cluster is not whole or not open.
    pub(crate) fn open_paths(
        &self,
        graph: &PortalGraph,
        sectors: SectorRect,
        end: SideOfSector,
    ) -> Option<(&OpenPathsTo, Cost)> {
        let index = self.division.index(self.division.cluster_of(sectors.first));
        let cost = match self.cliques[index].get().map(|kept| &kept.clique) {
            Some(KeptClique::Open(cost)) => *cost,
            Some(KeptClique::Own(_)) => return None,
            None => self.open_cost(graph, sectors)?,
        };
        Some((self.open_paths.to(sectors, end)?, cost))
    }

    /// Returns the clique of a cluster of any ground: that of a cluster with the same
    /// in-sector costs, if one is known, or a new one.
    fn clique_of(
        &self,
        graph: &PortalGraph,
        index: usize,
        sectors: SectorRect,
        known: &mut KnownParts<i16>,
    ) -> Arc<Clique> {
        let hash = sectors.sample(graph);
        let bucket = &self.like[hash as usize % LIKE];
        let shared = bucket
            .get()
            .filter(|(other_hash, _)| *other_hash == hash)
            .and_then(|&(_, other)| self.shared(graph, other, sectors));
        shared.unwrap_or_else(|| {
            // If the bucket is taken, this clique is not shared.
            let _ = bucket.set((hash, index));
            Arc::new(Clique::new(graph, sectors, known))
        })
    }

    /// Returns the clique of another cluster, if it is present and its in-sector costs
    /// are those of these sectors. A cluster whose costs change loses its clique.
    fn shared(
        &self,
        graph: &PortalGraph,
        other: usize,
        sectors: SectorRect,
    ) -> Option<Arc<Clique>> {
        let others = self.division.sectors(self.division.cluster(other));
        let is_like = sectors.is_like(others, graph);
        match &self.cliques[other].get().filter(|_| is_like)?.clique {
            KeptClique::Own(clique) => Some(Arc::clone(clique)),
            KeptClique::Open(_) => None,
        }
    }

    pub(crate) fn rim(&self, graph: &PortalGraph, cluster: Cluster) -> &Rim {
        &self.asked_kept(graph, self.division.index(cluster)).rim
    }

    #[inline]
    pub(crate) fn clique(&self, graph: &PortalGraph, cluster: Cluster) -> &Clique {
        self.of_kept(self.asked_kept(graph, self.division.index(cluster)))
    }

    fn of_kept<'a>(&'a self, kept: &'a Kept) -> &'a Clique {
        match &kept.clique {
            KeptClique::Own(clique) => clique,
            KeptClique::Open(cost) => {
                let made = self.open(*cost).get();
                made.unwrap_or_else(|| unreachable!("the clique of open ground is made first"))
            }
        }
    }

    fn open(&self, cost: Cost) -> &OnceLock<Box<Clique>> {
        &self.open[usize::from(cost.value())]
    }

    /// Returns the clique of a cluster, and the work to be counted to the order
    /// that asks for it.
    #[inline]
    pub(crate) fn asked(&self, graph: &PortalGraph, cluster: Cluster) -> (&Clique, u64) {
        let kept = self.asked_kept(graph, self.division.index(cluster));
        let is_due = kept.asked.is_due(self.round);
        (
            self.of_kept(kept),
            if is_due { kept.work.into() } else { 0 },
        )
    }

    pub(crate) fn bytes(&self) -> usize {
        let of_clique = |clique: Option<&Box<Clique>>| {
            clique.map_or(0, |clique| size_of::<Clique>() + clique.bytes())
        };
        let kept = self.cliques.iter().filter_map(OnceLock::get);
        let bytes = kept.map(|kept| {
            let own = match &kept.clique {
                KeptClique::Own(own) => size_of::<Clique>() + own.bytes() / Arc::strong_count(own),
                KeptClique::Open(_) => 0,
            };
            kept.rim.bytes() + own
        });
        let open = self.open.iter();
        self.cliques.capacity() * size_of::<OnceLock<Kept>>()
            + bytes.sum::<usize>()
            + self.open_paths.bytes()
            + size_of_val(&*self.like)
            + open
                .map(|open| size_of_val(open) + of_clique(open.get()))
                .sum::<usize>()
    }
}
