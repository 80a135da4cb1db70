//! Parts of a test that are tried again and again, to find the least that makes it fail.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, Once, PoisonError};
use std::thread;

/// How and where a test panics.
pub struct Fault {
    pub place: String,
    pub panic: Box<dyn Any + Send>,
}

impl Fault {
    pub fn words(&self) -> &str {
        let words = self.panic.downcast_ref::<String>().map(String::as_str);
        words
            .or_else(|| self.panic.downcast_ref().copied())
            .unwrap_or("without words")
    }
}

/// By the name of a test, which its threads have too: whether its panics are printed, and the
/// place of the last one.
static TESTS: Mutex<BTreeMap<String, (bool, String)>> = Mutex::new(BTreeMap::new());

/// Does something with the entry of the test that this thread belongs to.
fn with_test<T>(work: impl FnOnce(&mut (bool, String)) -> T) -> T {
    let name = thread::current().name().unwrap_or_default().to_owned();
    let mut tests = TESTS.lock().unwrap_or_else(PoisonError::into_inner);
    work(tests.entry(name).or_insert((true, String::new())))
}

/// Does work that may panic, and returns its panic, if any, which is printed or not.
pub fn fault_of(is_printed: bool, work: impl FnOnce()) -> Option<Fault> {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let print = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let place = panic.location().map(ToString::to_string);
            let is_printed = with_test(|(is_printed, last)| {
                *last = place.unwrap_or_default();
                *is_printed
            });
            if is_printed {
                print(panic);
            }
        }));
    });
    with_test(|test| test.0 = is_printed);
    let run = catch_unwind(AssertUnwindSafe(work));
    let place = with_test(|test| {
        test.0 = true;
        std::mem::take(&mut test.1)
    });
    run.err().map(|panic| Fault { place, panic })
}
