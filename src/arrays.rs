//! Arrays made and mapped by plain loops.
//!
//! The standard library's `array::map` and `array::from_fn` are several functions deep, which are
//! inlined only where the compiler sees the whole crate at once (link-time optimisation, or one
//! codegen unit): not in debug builds, nor wherever a game's profile turns it off. Kernels for
//! vectors would then make a call for each lane, and take up to four times as long.

/// Returns the array of what a function makes of 0, 1, 2 …
#[inline(always)]
pub(crate) fn array_of<T: Copy, const N: usize>(mut make: impl FnMut(usize) -> T) -> [T; N] {
    let mut all = [make(0); N];
    let mut at = 1;
    while at < N {
        all[at] = make(at);
        at += 1;
    }
    all
}

/// Writes an array to the front of a slice, which must have room for it.
#[inline(always)]
pub(crate) fn put<T: Copy, const N: usize>(to: &mut [T], values: [T; N]) {
    *to.first_chunk_mut().expect("room for the array") = values;
}

/// `map` for arrays of few and small values.
pub(crate) trait Mapped<T, const N: usize> {
    /// Returns what a function makes of each.
    fn mapped<U: Copy>(self, make: impl FnMut(T) -> U) -> [U; N];
}

impl<T: Copy, const N: usize> Mapped<T, N> for [T; N] {
    #[inline(always)]
    fn mapped<U: Copy>(self, mut make: impl FnMut(T) -> U) -> [U; N] {
        array_of(|at| make(self[at]))
    }
}
