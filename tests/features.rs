//! Whether all of the library is here to be tested.

use std::env;

/// Tests of features that are off are not built. With `FLOWTILES_FEATURES=all`, as `.ci/run` sets
/// it, none may be off.
#[test]
fn where_all_features_are_asked_for_all_are_on() {
    let on = [
        ("crowd", cfg!(feature = "crowd")),
        ("mint", cfg!(feature = "mint")),
        ("rayon", cfg!(feature = "rayon")),
        ("serde", cfg!(feature = "serde")),
        ("steer", cfg!(feature = "steer")),
    ];
    let manifest = include_str!("../Cargo.toml");
    let (_, listed) = manifest.split_once("\n[features]\n").expect("a table");
    let names = listed.lines().map_while(|line| line.split_once(" = "));
    let names = names
        .map(|(name, _)| name)
        .filter(|&name| name != "default");
    assert!(
        names.eq(on.map(|(name, _)| name)),
        "the features of Cargo.toml"
    );
    if env::var_os("FLOWTILES_FEATURES").is_some_and(|asked| asked == "all") {
        let off: Vec<_> = on.iter().filter(|(_, is_on)| !is_on).collect();
        assert!(off.is_empty(), "not tested, as they are off: {off:?}");
    }
}
