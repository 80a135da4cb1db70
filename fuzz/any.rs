//! The target that the environment variable `TARGET` names, for libFuzzer.

#![no_main]

use std::env;
use std::sync::LazyLock;

use flowtiles_fuzz::{TARGETS, Target};

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = env::var("TARGET").unwrap_or_default();
    let target = TARGETS.into_iter().find(|target| target.0 == name);
    target.unwrap_or_else(|| panic!("TARGET={name} is none of those that flowtiles-fuzz lists"))
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| (TARGET.1)(data));
