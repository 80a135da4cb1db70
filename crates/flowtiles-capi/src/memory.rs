//! The caller's memory: the only place where pointers are followed.

use std::alloc::{Layout, alloc, dealloc};
#[cfg(feature = "maps")]
use std::ffi::{CStr, c_char};
use std::mem::align_of;
use std::ptr;
use std::slice;

use crate::status::{
    FLOWTILES_ERROR_CAPACITY, FLOWTILES_ERROR_NULL, Fault, answer, flowtiles_status,
};

/// Enough for every type of this interface.
const ALIGN: usize = 16;

fn null(what: &str) -> Fault {
    Fault::new(
        FLOWTILES_ERROR_NULL,
        format!("the pointer `{what}` is NULL"),
    )
}

/// Returns a caller's array.
///
/// # Safety
/// As the head of the crate says.
pub(crate) unsafe fn array<'a, T>(
    start: *const T,
    count: usize,
    what: &str,
) -> Result<&'a [T], Fault> {
    if count == 0 {
        return Ok(&[]);
    }
    check(start, what)?;
    if count > isize::MAX as usize / size_of::<T>() {
        return Err(Fault::argument(format!(
            "`{what}` cannot have {count} entries"
        )));
    }
    // SAFETY: not NULL, aligned, no longer than memory, and the caller's word for the rest.
    Ok(unsafe { slice::from_raw_parts(start, count) })
}

/// Returns a caller's struct.
///
/// # Safety
/// As the head of the crate says.
pub(crate) unsafe fn one<'a, T>(start: *const T, what: &str) -> Result<&'a T, Fault> {
    check(start, what)?;
    // SAFETY: not NULL, aligned, and the caller's word for the rest.
    Ok(unsafe { &*start })
}

/// Returns a caller's text, which ends with a 0.
///
/// # Safety
/// As the head of the crate says.
#[cfg(feature = "maps")]
pub(crate) unsafe fn text<'a>(start: *const c_char, what: &str) -> Result<&'a str, Fault> {
    check(start, what)?;
    // SAFETY: not NULL, and the caller's word for the rest.
    let text = unsafe { CStr::from_ptr(start) };
    let no_text = |_| Fault::argument(format!("`{what}` is not in UTF-8"));
    text.to_str().map_err(no_text)
}

fn check<T>(start: *const T, what: &str) -> Result<(), Fault> {
    if start.is_null() {
        return Err(null(what));
    }
    if !start.is_aligned() {
        let align = align_of::<T>();
        return Err(Fault::argument(format!(
            "`{what}` is not at a multiple of {align} bytes"
        )));
    }
    Ok(())
}

/// Checks an array that may be `NULL`.
pub(crate) fn check_or_null<T>(start: *const T, what: &str) -> Result<(), Fault> {
    if start.is_null() {
        return Ok(());
    }
    check(start, what)
}

/// A place of the caller's for one value, or none where the call allows `NULL`.
pub(crate) struct Out<T>(*mut T);

impl<T> Out<T> {
    /// # Safety
    /// As the head of the crate says.
    pub(crate) unsafe fn new(place: *mut T, what: &str) -> Result<Self, Fault> {
        check(place, what)?;
        Ok(Self(place))
    }

    /// Takes `NULL` too; then nothing is written.
    ///
    /// # Safety
    /// As the head of the crate says.
    pub(crate) unsafe fn maybe(place: *mut T, what: &str) -> Result<Self, Fault> {
        check_or_null(place, what)?;
        Ok(Self(place))
    }

    pub(crate) fn set(self, value: T) {
        if !self.0.is_null() {
            // SAFETY: the place is for one value, not NULL and aligned, as was checked.
            unsafe { self.0.write(value) }
        }
    }
}

/// Runs the body of a call that finds one thing, and writes that.
pub(crate) fn answer_into<T>(
    out: Result<Out<T>, Fault>,
    call: impl FnOnce() -> Result<T, Fault>,
) -> flowtiles_status {
    answer(|| {
        let out = out?;
        out.set(call()?);
        Ok(())
    })
}

/// Whether this many entries fit; writes their number in any case.
///
/// # Safety
/// As the head of the crate says.
pub(crate) unsafe fn count_into(
    found: usize,
    capacity: usize,
    count: *mut usize,
) -> Result<(), Fault> {
    // SAFETY: as for this function.
    unsafe { Out::new(count, "count") }?.set(found);
    if found > capacity {
        let text = format!("there are {found} entries, but room for {capacity}: give more room");
        return Err(Fault::new(FLOWTILES_ERROR_CAPACITY, text));
    }
    Ok(())
}

/// Writes entries.
///
/// # Safety
/// As the head of the crate says, with room for all entries.
pub(crate) unsafe fn fill<T>(
    out: *mut T,
    entries: impl IntoIterator<Item = T>,
    what: &str,
) -> Result<(), Fault> {
    let mut entries = entries.into_iter().peekable();
    if entries.peek().is_some() {
        check(out, what)?;
    }
    // SAFETY: as for this function; the array is not NULL and aligned.
    unsafe { fill_or_skip(out, entries) };
    Ok(())
}

/// Writes entries into an array that was checked, or nothing if it is `NULL`.
///
/// # Safety
/// As the head of the crate says, with room for all entries.
pub(crate) unsafe fn fill_or_skip<T>(out: *mut T, entries: impl IntoIterator<Item = T>) {
    for (at, entry) in entries.into_iter().enumerate().filter(|_| !out.is_null()) {
        // SAFETY: not NULL, aligned, and the caller has room for all entries.
        unsafe { out.add(at).write(entry) }
    }
}

/// Writes the number of all entries, and the entries if there is room for them; nothing if the
/// array is not right.
///
/// # Safety
/// As the head of the crate says; `found` is the number of `entries`.
pub(crate) unsafe fn give_all<T>(
    entries: impl IntoIterator<Item = T>,
    found: usize,
    out: *mut T,
    capacity: usize,
    count: *mut usize,
    what: &str,
) -> Result<(), Fault> {
    if (1..=capacity).contains(&found) {
        check(out, what)?;
    }
    // SAFETY: as for this function; there is room for all of them.
    unsafe {
        count_into(found, capacity, count)?;
        fill(out, entries, what)
    }
}

/// Writes the number of all pairs, and each half of them into an array of its own if there is room
/// for them. An array that is `NULL` is left out; without both, only the number is written.
///
/// # Safety
/// As the head of the crate says.
pub(crate) unsafe fn give_pairs<A: Copy, B: Copy>(
    pairs: &[(A, B)],
    (firsts, what): (*mut A, &str),
    (seconds, what_else): (*mut B, &str),
    capacity: usize,
    count: *mut usize,
) -> Result<(), Fault> {
    let nothing = firsts.is_null() && seconds.is_null();
    let room = if nothing { pairs.len() } else { capacity };
    // Both arrays are right before one is written.
    if (1..=room).contains(&pairs.len()) {
        check_or_null(firsts, what)?;
        check_or_null(seconds, what_else)?;
    }
    // SAFETY: as for this function; there is room for all of them.
    unsafe {
        count_into(pairs.len(), room, count)?;
        fill_or_skip(firsts, pairs.iter().map(|pair| pair.0));
        fill_or_skip(seconds, pairs.iter().map(|pair| pair.1));
    }
    Ok(())
}

/// Returns memory of this many bytes, at a multiple of 16, or `NULL` if there is none or
/// `bytes` is 0. For callers without an allocator of their own in this library's memory,
/// as JavaScript is. The caller owns it, and gives it back with
/// `flowtiles_dealloc` and the same `bytes`.
#[unsafe(no_mangle)]
pub extern "C" fn flowtiles_alloc(bytes: usize) -> *mut u8 {
    match Layout::from_size_align(bytes, ALIGN) {
        // SAFETY: the size is not 0.
        Ok(layout) if bytes > 0 => unsafe { alloc(layout) },
        _ => ptr::null_mut(),
    }
}

/// Gives back memory of `flowtiles_alloc`, of the same number of bytes. `NULL` is let
/// pass.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_dealloc(memory: *mut u8, bytes: usize) {
    if let Ok(layout) = Layout::from_size_align(bytes, ALIGN)
        && !memory.is_null()
    {
        // SAFETY: the caller's word that `flowtiles_alloc` returned it for as many bytes.
        unsafe { dealloc(memory, layout) }
    }
}
