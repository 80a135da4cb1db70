//! Editions: whether costs are still those that were seen.

use std::sync::Arc;

/// A mark that a map's copies share until one of them is edited; that one then
/// gets a mark of its own. So what is derived from costs is kept with their
/// edition, which shows at once whether it still holds.
///
/// A mark that is kept nowhere else is not replaced: without readers an edit costs
/// nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Edition(Arc<()>);

impl Edition {
    /// Whether both are of the same costs.
    #[cfg(feature = "steer")]
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    pub(super) fn change(&mut self) {
        if Arc::get_mut(&mut self.0).is_none() {
            *self = Self::default();
        }
    }
}

#[cfg(all(test, feature = "steer"))]
mod tests {
    use crate::cost::{Cost, CostMap};
    use crate::grid::Cell;

    #[test]
    fn copies_share_an_edition_until_one_is_edited() {
        let mut map = CostMap::open(30, 20).unwrap();
        let first = map.edition().clone();
        let copy = map.clone();
        map.edit(Cell::new(3, 3), Cost::OPEN).unwrap();
        assert!(map.edition().is(&first), "nothing has changed");
        map.edit(Cell::new(3, 3), Cost::WALL).unwrap();
        assert!(!map.edition().is(&first));
        assert!(copy.edition().is(&first));
        let second = map.edition().clone();
        map.edit(Cell::new(3, 3), Cost::OPEN).unwrap();
        assert!(!map.edition().is(&second) && !map.edition().is(&first));
    }
}
