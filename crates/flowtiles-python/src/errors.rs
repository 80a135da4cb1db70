//! What Python raises: three kinds, each with the engine's words.

use std::fmt::Display;

use flowtiles::crowd::CrowdError;
use flowtiles::error::{
    BlockError, CostMapError, FogError, GateError, LayerError, LinkError, LoadError, OffMap,
    OrderError, RowsError, SizeError, StampError, SurchargeError, TemplateError, ZeroCost,
};
use flowtiles::steer::{ArmyError, ArmyLoadError};
use flowtiles_formats::ReadError;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::{PyErr, create_exception};

create_exception!(
    flowtiles,
    ArgumentError,
    PyValueError,
    "A value cannot be used: it is out of its range, has the wrong shape, or lies off the map."
);
create_exception!(
    flowtiles,
    MapError,
    PyValueError,
    "A map cannot be made: of these costs, of this file, or of these bytes of a save."
);
create_exception!(
    flowtiles,
    StateError,
    PyRuntimeError,
    "The call does not fit what the world or the army is now: a goal cannot be reached, there is \
     no such unit, or there is no room for more."
);

/// Why a call fails.
#[derive(Debug)]
pub(crate) enum Fault {
    Argument(String),
    Map(String),
    State(String),
    /// What Python itself has raised.
    Python(PyErr),
}

impl Fault {
    pub(crate) fn argument(text: impl Display) -> Self {
        Self::Argument(text.to_string())
    }

    /// Of what makes no map: whatever is wrong with the costs is said of the map.
    pub(crate) fn of_map(self) -> Self {
        match self {
            Self::Argument(text) => Self::Map(text),
            other => other,
        }
    }

    pub(crate) fn state(text: impl Display) -> Self {
        Self::State(text.to_string())
    }
}

/// What the engine's errors call otherwise than this package does, the longest first.
const WORDS: &str = "\
`add_layer` returned, such as `add_layer(Movement::new())`=>`add_layer` returned
drop the claims on those that are done, or raise `Limits::orders`=>let go of those that are done, or raise `orders` with `set_limits`
, or raise `Limits::units`=>, or raise `units` with `set_limits`
, or raise `Limits::stamps`=>, or raise `stamps` with `set_limits`
, or raise `Limits::blocked`=>, or raise `blocked` with `set_limits`
use `Goal::on` with the order's layer=>give a `Goal` with the order's `layer`
make it with `Goal::on` for the group's layer=>give a `Goal` with the group's `layer` (a team's is that of `layer_for_team`), or call `send_all`, which takes it by itself
use `or_nearest`=>give a `Goal` with `or_nearest=True`
`FlowWorld::save`=>`World.save`
`Army::save`=>`Army.save`
load it with `FlowWorld::load_over` and a map over that source=>load it with the library in Rust, over that source
load it with `FlowWorld::load`=>load it with `World.load`
give a map made by `CostMap::from_source`=>load it with the library in Rust
, or allow more with `FlowWorld::load_within`=>, or allow more with `cells_max`
: call `FlowWorld::derive_layer` with it first=>: set it with `set_layer`
the one that `save` writes=>that of a save";

fn in_words_of_python(error: impl Display) -> String {
    let pairs = WORDS.lines().filter_map(|line| line.split_once("=>"));
    pairs.fold(error.to_string(), |text, (rust, python)| {
        text.replace(rust, python)
    })
}

impl From<Fault> for PyErr {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Argument(text) => ArgumentError::new_err(in_words_of_python(text)),
            Fault::Map(text) => MapError::new_err(in_words_of_python(text)),
            Fault::State(text) => StateError::new_err(in_words_of_python(text)),
            Fault::Python(error) => error,
        }
    }
}

impl From<PyErr> for Fault {
    fn from(error: PyErr) -> Self {
        Self::Python(error)
    }
}

/// Errors that are all of one kind.
macro_rules! all_of_kind {
    ($kind:ident: $($error:ty),*) => {
        $(impl From<$error> for Fault {
            fn from(error: $error) -> Self {
                Self::$kind(error.to_string())
            }
        })*
    };
}
all_of_kind!(Argument: CrowdError, OffMap, RowsError, TemplateError, ZeroCost);
all_of_kind!(Map: ArmyLoadError, LoadError, ReadError, SizeError);

/// Errors of which some say that the world or the army is not as the call needs it.
macro_rules! by_state {
    ($($error:ident: $($state:pat_param)|+,)*) => {
        $(impl From<$error> for Fault {
            fn from(error: $error) -> Self {
                match error {
                    $($state)|+ => Self::State(error.to_string()),
                    _ => Self::Argument(error.to_string()),
                }
            }
        })*
    };
}
by_state! {
    BlockError: BlockError::Full { .. } | BlockError::NotBlocked { .. },
    FogError: FogError::HasFog { .. } | FogError::NoFog { .. },
    GateError: GateError::Full,
    LayerError: LayerError::Full { .. } | LayerError::InUse { .. } | LayerError::NoLayer { .. },
    LinkError: LinkError::Full | LinkError::NoLayer { .. },
    OrderError: OrderError::GoalInWall { .. } | OrderError::Unreachable { .. }
        | OrderError::Full { .. } | OrderError::NoNumbers | OrderError::NoLayer { .. },
    StampError: StampError::Full { .. } | StampError::NoNumbers,
    SurchargeError: SurchargeError::NoLayer { .. },
}

impl From<ArmyError> for Fault {
    fn from(error: ArmyError) -> Self {
        match error {
            ArmyError::Order(order) => order.into(),
            ArmyError::NoUnit { .. }
            | ArmyError::NoGroup { .. }
            | ArmyError::TooManyGroups
            | ArmyError::UnitExists { .. }
            | ArmyError::GroundOrder { .. }
            | ArmyError::OtherLayer { .. }
            | ArmyError::NotDerived { .. } => Self::State(error.to_string()),
            _ => Self::Argument(error.to_string()),
        }
    }
}

impl From<CostMapError> for Fault {
    fn from(error: CostMapError) -> Self {
        match error {
            CostMapError::OffMap(off) => off.into(),
            _ => Self::Map(error.to_string()),
        }
    }
}
