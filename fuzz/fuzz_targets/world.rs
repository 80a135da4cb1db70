//! The program of libFuzzer for the target of this name.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| flowtiles_fuzz::world(data));
