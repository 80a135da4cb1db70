//! The scenes by name, one file each.

use std::sync::LazyLock;

use crate::file::Entry;

/// The name and the text of each file.
macro_rules! files {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../scenes/", $name, ".toml")))),*]
    };
}

const FILES: &[(&str, &str)] = files![
    "seek" "flock" "flow-basic" "flow-corners" "physics" "soft-physics" "crossing-seek"
    "avoid-middle" "avoid-top" "avoid-small" "avoid-large" "crossing-grid" "line-of-sight"
    "sizes" "widths" "classes" "gates" "roads" "teleport" "overpass" "bridges" "hold" "stand"
    "point" "follow" "tour" "patrol" "pursue" "attack" "flee" "keep-width" "keep-pace" "planes"
    "formations" "pass" "bridge" "one-cell" "four-armies" "demo" "crowd-tunnel" "crowd-open"
    "crowd-mirror" "crowd-crossing" "crowd-pass" "crowd-pass-narrow" "crowd-evacuate"
    "crowd-swamp" "crowd-swamp-wide" "crowd-armies"
];

/// All scenes, in the order in which they are listed.
pub static SCENES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let read = |(name, text): &(&str, &str)| match Entry::read(name, text) {
        Ok(entry) => entry,
        Err(fault) => panic!("the scene {name} of this crate: {fault}"),
    };
    FILES.iter().map(read).collect()
});

/// The scenes of the set that `crowd-all` runs.
pub fn crowd_set() -> impl Iterator<Item = &'static Entry> {
    SCENES
        .iter()
        .filter(|entry| entry.said().crowd && !entry.said().large)
}
