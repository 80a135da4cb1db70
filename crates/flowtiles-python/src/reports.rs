//! What calls report: values with names.

use pyo3::prelude::*;

/// A class of values that Python may read, compare and print.
macro_rules! report {
    (
        $(#[$about:meta])* $name:ident from $engine:ty {
            $($(#[$says:meta])* $field:ident: $kind:ty),* $(,)?
        }
    ) => {
        $(#[$about])*
        #[pyclass(frozen, eq, get_all, module = "flowtiles")]
        #[derive(Clone, Copy, PartialEq)]
        pub(crate) struct $name {
            $($(#[$says])* pub(crate) $field: $kind),*
        }

        #[pymethods]
        impl $name {
            fn __repr__(&self) -> String {
                let fields = [$(format!("{}={}", stringify!($field), self.$field)),*];
                format!("{}({})", stringify!($name), fields.join(", "))
            }
        }

        impl From<$engine> for $name {
            fn from(report: $engine) -> Self {
                Self { $($field: report.$field as $kind),* }
            }
        }
    };
}

report! {
    /// What a tick did.
    Progress from flowtiles::Progress {
        /// The work done, in cells.
        cells: u64,
        /// The work by which ticks overdrew their budgets: the next gets less.
        owed: u64,
        /// The orders that still have work left; 0 when all are done.
        waiting: u64,
    }
}

report! {
    /// What an edit did.
    EditReport from flowtiles::EditReport {
        /// The cells whose cost changed.
        cells: u64,
        /// The sectors with such cells.
        sectors: u64,
        /// The sectors whose portals were derived again.
        rebuilt: u64,
        /// The orders that the next ticks plan again.
        orders: u64,
    }
}

report! {
    /// What surcharges did.
    SurchargeReport from flowtiles::SurchargeReport {
        /// The areas in which a cell had another surcharge before.
        changed: u64,
        /// The sectors whose portals were derived again.
        rebuilt: u64,
        /// The orders that the next ticks plan again.
        orders: u64,
    }
}
