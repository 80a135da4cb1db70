//! What a call returns, and the words of the last error.

use std::any::Any;
use std::cell::Cell;
use std::ffi::c_char;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

use flowtiles::error::{
    CostMapError, FogError, GateError, LayerError, LinkError, LoadError, OffMap, OrderError,
    RowsError, SizeError, StampError, SurchargeError, TemplateError,
};
use flowtiles::steer::{ArmyError, ArmyLoadError};

/// What a call returns: `FLOWTILES_OK` or why it failed.
pub type flowtiles_status = i32;

/// The call has done its work.
pub const FLOWTILES_OK: flowtiles_status = 0;
/// A handle is 0, or a pointer that must not be `NULL` is.
pub const FLOWTILES_ERROR_NULL: flowtiles_status = 1;
/// What the handle named was freed, or its world was.
pub const FLOWTILES_ERROR_STALE: flowtiles_status = 2;
/// The handle names something else, or this library never gave it.
pub const FLOWTILES_ERROR_HANDLE: flowtiles_status = 3;
/// The order belongs to another world than the army.
pub const FLOWTILES_ERROR_FOREIGN: flowtiles_status = 4;
/// A value cannot be used.
pub const FLOWTILES_ERROR_ARGUMENT: flowtiles_status = 5;
/// A cell is off the map.
pub const FLOWTILES_ERROR_OFF_MAP: flowtiles_status = 6;
/// The goal is a wall, or cannot be reached from where the units are.
pub const FLOWTILES_ERROR_UNREACHABLE: flowtiles_status = 7;
/// There are as many of these as there may be.
pub const FLOWTILES_ERROR_FULL: flowtiles_status = 8;
/// There is no unit, group, layer, link or order with this number, or no fog of this team.
pub const FLOWTILES_ERROR_NOT_FOUND: flowtiles_status = 9;
/// More was found than fits into the caller's array; the number was written.
pub const FLOWTILES_ERROR_CAPACITY: flowtiles_status = 10;
/// The bytes are not a save that can be loaded.
pub const FLOWTILES_ERROR_SAVE: flowtiles_status = 11;
/// The library has met a fault of its own. What the call was about may only be freed.
pub const FLOWTILES_ERROR_BROKEN: flowtiles_status = 12;

/// Why a call fails: its status, and what `flowtiles_last_error` says.
#[derive(Debug)]
pub(crate) struct Fault {
    status: flowtiles_status,
    text: String,
}

impl Fault {
    pub(crate) fn new(status: flowtiles_status, text: impl Display) -> Self {
        let text = text.to_string();
        Self { status, text }
    }

    /// The engine's error, in the words of this interface.
    fn of_engine(status: flowtiles_status, error: impl Display) -> Self {
        Self::new(status, words_of_c(error.to_string()))
    }

    pub(crate) fn argument(text: impl Display) -> Self {
        Self::new(FLOWTILES_ERROR_ARGUMENT, text)
    }

    pub(crate) fn not_found(text: impl Display) -> Self {
        Self::new(FLOWTILES_ERROR_NOT_FOUND, text)
    }
}

/// What the engine's errors call otherwise than this interface does, the longest first.
const WORDS: &str = "\
`add_layer` returned, such as `add_layer(Movement::new())`=>`flowtiles_world_add_layer` gave
`add_layer` returned=>`flowtiles_world_add_layer` gave
`add_group` of this army returned=>`flowtiles_army_add_group` gave for this army
`remove_link`=>`flowtiles_world_remove_link`
`add_fog`=>`flowtiles_world_add_fog`
`remove_gate`=>`flowtiles_world_remove_gate`
remove one with `unstamp`, or raise `Limits::stamps`=>remove one with `flowtiles_world_unstamp`
, and `None` for holes=>, and 0 for holes
drop the claims on those that are done, or raise `Limits::orders`=>free those that are done
, or raise `Limits::units`=>
use `Goal::on` with the order's layer=>give one on the order's layer
make it with `Goal::on` for the group's layer=>make it for a goal on the group's layer
`FlowWorld::save`=>`flowtiles_world_save`
`Army::save`=>`flowtiles_army_save`
`FlowWorld::load_over` and a map over that source=>the Rust library, over that source
`FlowWorld::load`=>`flowtiles_world_load`
give a map made by `CostMap::from_source`=>load it with the Rust library
: call `FlowWorld::derive_layer` with it first=>: set it with `flowtiles_army_set_layer`
, or allow more with `FlowWorld::load_within`=>, or allow more cells
the one that `save` writes=>that of a save";

fn words_of_c(text: String) -> String {
    let pairs = WORDS.lines().filter_map(|line| line.split_once("=>"));
    pairs.fold(text, |text, (rust, c)| text.replace(rust, c))
}

/// The bytes for the words of the last error, a 0 at their end included.
const WORDS_MAX: usize = 1024;

thread_local! {
    // Nothing in it is freed: a pointer to it holds for as long as the thread. The last byte
    // stays 0.
    static LAST_ERROR: [Cell<u8>; WORDS_MAX] = const { [const { Cell::new(0) }; WORDS_MAX] };
}

/// Runs the body of a call. No panic gets past it.
pub(crate) fn answer(call: impl FnOnce() -> Result<(), Fault>) -> flowtiles_status {
    let fault = match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(())) => return FLOWTILES_OK,
        Ok(Err(fault)) => fault,
        Err(panic) => Fault::new(FLOWTILES_ERROR_BROKEN, words_of(panic.as_ref())),
    };
    let text = fault.text.replace('\0', " ");
    let end = (0..WORDS_MAX).rfind(|&end| text.is_char_boundary(end));
    LAST_ERROR.with(|last| {
        let bytes = text.bytes().take(end.unwrap_or(0));
        for (to, byte) in last.iter().zip(bytes.chain([0])) {
            to.set(byte);
        }
    });
    fault.status
}

fn words_of(panic: &dyn Any) -> String {
    let words = panic.downcast_ref::<&str>().copied();
    let words = words.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    let words = words.unwrap_or("no words");
    format!(
        "flowtiles has met a fault of its own: free what the call was about, and please report \
         this: {words}"
    )
}

/// Returns what was wrong with this thread's last call that failed, in UTF-8, ending with
/// a 0, of at most 1,024 bytes; empty if none has failed. The text is the library's, in a
/// place of the thread's own, which is valid until the thread ends: the thread's next call
/// that fails writes its words into it.
#[unsafe(no_mangle)]
pub extern "C" fn flowtiles_last_error() -> *const c_char {
    LAST_ERROR.with(|last| last.as_ptr().cast())
}

impl From<OffMap> for Fault {
    fn from(error: OffMap) -> Self {
        Self::of_engine(FLOWTILES_ERROR_OFF_MAP, error)
    }
}

impl From<SizeError> for Fault {
    fn from(error: SizeError) -> Self {
        Self::of_engine(FLOWTILES_ERROR_ARGUMENT, error)
    }
}

impl From<CostMapError> for Fault {
    fn from(error: CostMapError) -> Self {
        match error {
            CostMapError::OffMap(off) => off.into(),
            _ => Self::of_engine(FLOWTILES_ERROR_ARGUMENT, error),
        }
    }
}

impl From<RowsError> for Fault {
    fn from(error: RowsError) -> Self {
        match error {
            RowsError::OffMap(off) => off.into(),
            _ => Self::of_engine(FLOWTILES_ERROR_ARGUMENT, error),
        }
    }
}

impl From<LayerError> for Fault {
    fn from(error: LayerError) -> Self {
        let status = match error {
            LayerError::Full { .. } => FLOWTILES_ERROR_FULL,
            LayerError::NoLayer { .. } => FLOWTILES_ERROR_NOT_FOUND,

            _ => FLOWTILES_ERROR_ARGUMENT,
        };
        Self::of_engine(status, error)
    }
}

impl From<LinkError> for Fault {
    fn from(error: LinkError) -> Self {
        let status = match error {
            LinkError::OffMap(off) => return off.into(),
            LinkError::Full => FLOWTILES_ERROR_FULL,
            _ => FLOWTILES_ERROR_ARGUMENT,
        };
        Self::of_engine(status, error)
    }
}

impl From<SurchargeError> for Fault {
    fn from(error: SurchargeError) -> Self {
        let status = match error {
            SurchargeError::OffMap(off) => return off.into(),
            _ => FLOWTILES_ERROR_NOT_FOUND,
        };
        Self::of_engine(status, error)
    }
}

impl From<FogError> for Fault {
    fn from(error: FogError) -> Self {
        let status = match error {
            FogError::OffMap(off) => return off.into(),
            FogError::NoFog { .. } => FLOWTILES_ERROR_NOT_FOUND,
            _ => FLOWTILES_ERROR_ARGUMENT,
        };
        Self::of_engine(status, error)
    }
}

impl From<StampError> for Fault {
    fn from(error: StampError) -> Self {
        let status = match error {
            StampError::OffMap(off) => return off.into(),
            _ => FLOWTILES_ERROR_FULL,
        };
        Self::of_engine(status, error)
    }
}

impl From<TemplateError> for Fault {
    fn from(error: TemplateError) -> Self {
        Self::of_engine(FLOWTILES_ERROR_ARGUMENT, error)
    }
}

impl From<GateError> for Fault {
    fn from(error: GateError) -> Self {
        let status = match error {
            GateError::OffMap(off) => return off.into(),
            GateError::Full => FLOWTILES_ERROR_FULL,
            _ => FLOWTILES_ERROR_ARGUMENT,
        };
        Self::of_engine(status, error)
    }
}

impl From<OrderError> for Fault {
    fn from(error: OrderError) -> Self {
        let status = match error {
            OrderError::GoalOffMap { .. } | OrderError::UnitOffMap { .. } => {
                FLOWTILES_ERROR_OFF_MAP
            }
            OrderError::GoalInWall { .. } | OrderError::Unreachable { .. } => {
                FLOWTILES_ERROR_UNREACHABLE
            }
            OrderError::Full { .. } | OrderError::NoNumbers => FLOWTILES_ERROR_FULL,
            OrderError::NoLayer { .. } => FLOWTILES_ERROR_NOT_FOUND,
            _ => FLOWTILES_ERROR_ARGUMENT,
        };
        Self::of_engine(status, error)
    }
}

impl From<ArmyError> for Fault {
    fn from(error: ArmyError) -> Self {
        let status = match error {
            ArmyError::Order(error) => return error.into(),
            ArmyError::NoUnit { .. } | ArmyError::NoGroup { .. } => FLOWTILES_ERROR_NOT_FOUND,
            ArmyError::TooManyGroups => FLOWTILES_ERROR_FULL,
            _ => FLOWTILES_ERROR_ARGUMENT,
        };
        Self::of_engine(status, error)
    }
}

impl From<LoadError> for Fault {
    fn from(error: LoadError) -> Self {
        Self::of_engine(FLOWTILES_ERROR_SAVE, error)
    }
}

impl From<ArmyLoadError> for Fault {
    fn from(error: ArmyLoadError) -> Self {
        Self::of_engine(FLOWTILES_ERROR_SAVE, error)
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::CStr;
    use std::fs;

    use super::*;

    fn words() -> String {
        // SAFETY: the text is valid until the thread ends.
        let text = unsafe { CStr::from_ptr(flowtiles_last_error()) };
        text.to_str().expect("UTF-8").to_owned()
    }

    #[test]
    fn a_panic_in_a_call_becomes_a_status_and_words() {
        assert_eq!(answer(|| panic!("by {}", "design")), FLOWTILES_ERROR_BROKEN);
        assert!(words().contains("by design"), "{}", words());
    }

    #[test]
    fn last_error_stays_in_one_buffer_and_is_cut_to_fit() {
        let place = flowtiles_last_error();
        assert_eq!(words(), "");
        for (text, says) in [
            ("a\0b".to_owned(), "a b".to_owned()),
            ("\u{fc}".repeat(WORDS_MAX), "\u{fc}".repeat(511)),
            ("short again".to_owned(), "short again".to_owned()),
        ] {
            let status = answer(|| Err(Fault::argument(&text)));
            assert_eq!(status, FLOWTILES_ERROR_ARGUMENT);
            assert_eq!((flowtiles_last_error(), words()), (place, says));
        }
    }

    /// The names between backticks in the code of a file of the engine.
    fn names_in(file: &str) -> Vec<String> {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../src/");
        let source = fs::read_to_string(format!("{root}{file}")).unwrap();
        let lines = source.lines().map(str::trim_start);
        let code: Vec<&str> = lines.filter(|line| !line.starts_with("//")).collect();
        // A text goes on after a backslash at the end of a line.
        let code = code.join("\n").replace("\\\n", "");
        let code = words_of_c(code);
        let names = code.split('`').skip(1).step_by(2);
        names.map(str::to_owned).collect()
    }

    #[test]
    fn errors_name_what_this_interface_has() {
        let header = include_str!("../include/flowtiles.h");
        let mut count = 0;
        for file in [
            "bytes/reader.rs",
            "cost/layer.rs",
            "cost/map.rs",
            "cost/refusal.rs",
            "order/goal.rs",
            "steer/army/load_error.rs",
            "steer/units/error.rs",
            "world/fogging.rs",
            "world/gating.rs",
            "world/linking.rs",
            "world/rows.rs",
            "world/save.rs",
            "world/surcharging.rs",
        ] {
            for name in names_in(file) {
                let is_word = header
                    .split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'))
                    .any(|word| word == name);
                assert!(is_word || name == "{field}", "{file}: `{name}` is not in C");
                count += 1;
            }
        }
        assert!(count > 9, "{count} names are found");
    }
}
