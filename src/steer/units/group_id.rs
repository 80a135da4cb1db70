//! The ids of groups.

use std::fmt;

/// A group of an army, as returned by
/// [`Army::add_group`](crate::steer::Army::add_group). The default is the id of an
/// army's first group.
///
/// The id of a removed group stays invalid, even if a later group gets its
/// [index](Self::index).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupId {
    pub(crate) index: u32,
    /// How many groups had this index before.
    pub(crate) generation: u32,
}

impl GroupId {
    /// Returns the group's index, for tables of groups: 0 for the first of an
    /// army. The index of a removed group is given to a later one.
    #[must_use]
    pub const fn index(self) -> usize {
        self.index as usize
    }
}

impl fmt::Display for GroupId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.generation {
            0 => write!(f, "{}", self.index),
            generation => write!(f, "{}.{generation}", self.index),
        }
    }
}
