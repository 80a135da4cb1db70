//! The scenes by name, one file each.

use std::sync::LazyLock;

use crate::file::Entry;

/// The group, the name and the text of each file.
macro_rules! files {
    ($($group:literal: $($name:literal)*;)*) => {
        &[$($(($group, $name, include_str!(concat!("../scenes/", $name, ".toml")))),*),*]
    };
}

const FILES: &[(&str, &str, &str)] = files![
    "First steps":
        "seek" "flock" "flow-basic" "flow-corners" "physics" "soft-physics";
    "Groups that meet":
        "crossing-seek" "avoid-middle" "avoid-top" "avoid-small" "avoid-large" "crossing-grid";
    "Ground and bodies":
        "line-of-sight" "sizes" "widths" "classes" "gates" "fog" "roads" "teleport" "overpass" "bridges";
    "Orders":
        "hold" "stand" "point" "follow" "tour" "patrol" "pursue" "attack" "flee";
    "In formation":
        "keep-width" "keep-pace" "planes" "formations";
    "Armies":
        "pass" "bridge" "one-cell" "four-armies" "demo";
    "Crowds":
        "crowd-tunnel" "crowd-open" "crowd-mirror" "crowd-crossing" "crowd-pass"
        "crowd-pass-narrow" "crowd-evacuate" "crowd-swamp" "crowd-swamp-wide" "crowd-armies";
];

/// The picture of each scene: its length in two bytes, the lower first, then what
/// [`picture`](crate::picture::picture) draws. A test writes the file.
const PICTURES: &[u8] = include_bytes!("pictures.bin");

/// The group in which each scene is listed.
pub fn groups() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(group, ..)| *group)
}

/// The picture of each scene.
pub fn pictures() -> impl Iterator<Item = &'static [u8]> {
    let mut rest = PICTURES;
    std::iter::from_fn(move || {
        let (length, after) = rest.split_first_chunk()?;
        let (picture, after) = after.split_at_checked(u16::from_le_bytes(*length).into())?;
        rest = after;
        Some(picture)
    })
}

/// All scenes, in the order in which they are listed.
pub static SCENES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let read = |(_, name, text): &(&str, &str, &str)| match Entry::read(name, text) {
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
