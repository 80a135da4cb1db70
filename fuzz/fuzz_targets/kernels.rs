#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| flowtiles_fuzz::kernels(data));
