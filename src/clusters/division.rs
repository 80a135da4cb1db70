//! The division of a map into clusters.

use crate::bytes::Digest;
use crate::grid::{Extent, Sector};
use crate::portal::{PortalGraph, Side};

/// The clusters of a map: squares of sectors, the last of a row or column cut
/// off at the map's edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Division {
    /// The number of sectors along each side of the map.
    columns: i32,
    rows: i32,
    /// The number of sectors along a side of a cluster is 2 to this power.
    shift: u32,
}

/// A cluster, by its column and row among the clusters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cluster {
    pub(crate) x: i32,
    pub(crate) y: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SectorRect {
    pub(crate) first: Sector,
    pub(crate) columns: i32,
    pub(crate) rows: i32,
}

impl Division {
    /// The size of clusters depends on the map's extent alone. Larger ones make
    /// long paths cheaper to find, and short paths and edits more expensive.
    pub(crate) fn of(extent: Extent) -> Self {
        let shift = match extent.columns().max(extent.rows()) {
            ..=200 => 2,
            201..400 => 3,
            _ => 4,
        };
        Self::with_shift(extent, shift)
    }

    /// Divides the map into clusters of 2 to the power `shift` sectors a side.
    pub(crate) const fn with_shift(extent: Extent, shift: u32) -> Self {
        Self {
            columns: extent.columns(),
            rows: extent.rows(),
            shift,
        }
    }

    /// Returns the greatest number of sectors along a side of a cluster.
    pub(crate) const fn side(self) -> i32 {
        1 << self.shift
    }

    const fn cluster_columns(self) -> i32 {
        ((self.columns - 1) >> self.shift) + 1
    }

    /// Returns the number of clusters.
    pub(crate) const fn count(self) -> usize {
        self.cluster_columns() as usize * (((self.rows - 1) >> self.shift) + 1) as usize
    }

    #[inline]
    pub(crate) const fn cluster_of(self, sector: Sector) -> Cluster {
        Cluster {
            x: sector.x >> self.shift,
            y: sector.y >> self.shift,
        }
    }

    /// Returns the number of a cluster, row by row.
    #[inline]
    pub(super) const fn index(self, cluster: Cluster) -> usize {
        cluster.y as usize * self.cluster_columns() as usize + cluster.x as usize
    }

    pub(super) const fn cluster(self, index: usize) -> Cluster {
        let columns = self.cluster_columns() as usize;
        Cluster {
            x: (index % columns) as i32,
            y: (index / columns) as i32,
        }
    }

    pub(crate) fn sectors(self, Cluster { x, y }: Cluster) -> SectorRect {
        let first = Sector::new(x << self.shift, y << self.shift);
        SectorRect {
            first,
            columns: (self.columns - first.x).min(self.side()),
            rows: (self.rows - first.y).min(self.side()),
        }
    }
}

impl Cluster {
    /// Returns the cluster's coordinates as a sector's, so that pages by sector can
    /// hold clusters.
    #[inline]
    pub(crate) const fn page(self) -> Sector {
        Sector::new(self.x, self.y)
    }
}

impl SectorRect {
    pub(crate) const fn one(sector: Sector) -> Self {
        Self {
            first: sector,
            columns: 1,
            rows: 1,
        }
    }

    pub(crate) const fn last(self) -> Sector {
        let Sector { x, y } = self.first;
        Sector::new(x + self.columns - 1, y + self.rows - 1)
    }

    pub(crate) const fn contains(self, sector: Sector) -> bool {
        let (x, y) = (sector.x - self.first.x, sector.y - self.first.y);
        0 <= x && x < self.columns && 0 <= y && y < self.rows
    }

    pub(crate) const fn count(self) -> usize {
        (self.columns * self.rows) as usize
    }

    /// Whether other sectors have the same in-sector costs, one by one.
    pub(super) fn is_like(self, other: Self, graph: &PortalGraph) -> bool {
        let mut pairs = self.iter().zip(other.iter());
        (self.columns, self.rows) == (other.columns, other.rows)
            && pairs.all(|(one, other)| graph.sector_walks(one) == graph.sector_walks(other))
    }

    /// Returns a hash of a part of what distinguishes the in-sector costs of these sectors from
    /// others.
    pub(super) fn sample(self, graph: &PortalGraph) -> u64 {
        let mut digest = Digest::new();
        for sector in self.iter() {
            graph.sector_walks(sector).sample(&mut digest);
        }
        digest.finish()
    }

    /// Counted row by row.
    pub(crate) const fn number(self, sector: Sector) -> usize {
        let (x, y) = (sector.x - self.first.x, sector.y - self.first.y);
        (y * self.columns + x) as usize
    }

    pub(crate) const fn sector(self, number: usize) -> Sector {
        let (x, y) = (number as i32 % self.columns, number as i32 / self.columns);
        Sector::new(self.first.x + x, self.first.y + y)
    }

    /// Returns all sectors, row by row.
    pub(crate) fn iter(self) -> impl Iterator<Item = Sector> {
        (0..self.count()).map(move |number| self.sector(number))
    }

    /// Returns the sectors along a side, from west to east or from north to south.
    pub(crate) fn along(self, side: Side) -> impl Iterator<Item = Sector> {
        let Sector { x, y } = self.first;
        let (first, step, count) = match side {
            Side::North => (Sector::new(x, y), (1, 0), self.columns),
            Side::West => (Sector::new(x, y), (0, 1), self.rows),
            Side::East => (Sector::new(x + self.columns - 1, y), (0, 1), self.rows),
            Side::South => (Sector::new(x, y + self.rows - 1), (1, 0), self.columns),
        };
        (0..count).map(move |at| Sector::new(first.x + at * step.0, first.y + at * step.1))
    }
}
