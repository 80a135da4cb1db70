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

/// What is known of a running test's panics.
#[derive(Default)]
struct Panics {
    are_silent: bool,
    /// The place of the last one.
    place: String,
}

/// By the name of a test, which its threads have too.
static TESTS: Mutex<BTreeMap<String, Panics>> = Mutex::new(BTreeMap::new());

/// Does something with the panics of the test that this thread belongs to.
fn with_test<T>(work: impl FnOnce(&mut Panics) -> T) -> T {
    let name = thread::current().name().unwrap_or_default().to_owned();
    let mut tests = TESTS.lock().unwrap_or_else(PoisonError::into_inner);
    work(tests.entry(name).or_default())
}

/// Does work that may panic, and returns its panic, if any, which is printed or not.
pub fn fault_of(is_printed: bool, work: impl FnOnce()) -> Option<Fault> {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let print = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let place = panic.location().map(ToString::to_string);
            let are_silent = with_test(|panics| {
                panics.place = place.unwrap_or_default();
                panics.are_silent
            });
            if !are_silent {
                print(panic);
            }
        }));
    });
    with_test(|panics| panics.are_silent = !is_printed);
    let run = catch_unwind(AssertUnwindSafe(work));
    let place = with_test(std::mem::take).place;
    run.err().map(|panic| Fault { place, panic })
}

/// Leaves parts of a list out, first half of it and at last one by one, as long as what is left
/// `fails`. Returns what is left.
pub fn fewest<T: Clone>(mut list: Vec<T>, mut fails: impl FnMut(&[T]) -> bool) -> Vec<T> {
    let mut part = list.len().div_ceil(2);
    while part > 0 {
        let before = list.len();
        // From the end: what came last is most often not needed.
        let mut end = before;
        while end > 0 {
            let start = end.saturating_sub(part);
            let mut fewer = list.clone();
            fewer.drain(start..end);
            if fails(&fewer) {
                list = fewer;
            }
            end = start;
        }
        // Once some are gone, others may not be needed either.
        if part > 1 || list.len() == before {
            part /= 2;
        }
    }
    list
}

/// Leaves parts of a list of numbers out and makes others 0, as long as what is left `fails`.
/// Returns what is left.
pub fn plainest<T>(list: Vec<T>, mut fails: impl FnMut(&[T]) -> bool) -> Vec<T>
where
    T: Copy + Default + PartialEq,
{
    let list = fewest(list, &mut fails);
    let plain = |kept: &[usize]| {
        let mut plain = vec![T::default(); list.len()];
        kept.iter().for_each(|&at| plain[at] = list[at]);
        plain
    };
    let others = (0..list.len()).filter(|&at| list[at] != T::default());
    let kept = fewest(others.collect(), |kept| fails(&plain(kept)));
    plain(&kept)
}
