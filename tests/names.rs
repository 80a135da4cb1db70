//! One name a thing: no two types of `src/` share a name, and no public type has the name
//! of a type in Bevy's prelude, so that a game can import both with a glob.

mod words;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use words::words_of;

/// Names of two types, each with the reason.
const SHARED: &[&str] = &[
    // Both are public, and each is the only shape in its module: of a drawing,
    // and of a formation.
    "Shape",
];

/// Returns the types that a text defines. Types inside an `impl` or a trait do
/// not count, nor do those of a `mod tests`.
fn types_of(words: &[String]) -> Vec<String> {
    const ITEMS: [&str; 5] = ["struct", "enum", "union", "trait", "type"];
    let mut found: Vec<String> = Vec::new();
    // For each open brace, whether types inside it count.
    let mut open = vec![true];
    let mut next = true;
    for (at, word) in words.iter().enumerate() {
        match word.as_str() {
            // Only items with braces: not `impl Trait` in a signature.
            "impl" | "trait"
                if at == 0
                    || ["{", "}", ";", "]", "unsafe", ")"].contains(&words[at - 1].as_str())
                    || words[at - 1] == "pub" =>
            {
                next = false
            }
            "mod" if words.get(at + 1).is_some_and(|name| name == "tests") => next = false,
            _ => {}
        }
        if ITEMS.contains(&word.as_str()) && open.last() == Some(&true) {
            let name = words
                .get(at + 1)
                .filter(|name| name.starts_with(char::is_uppercase));
            found.extend(name.cloned());
        }
        match word.as_str() {
            "{" => {
                let inside = open.last() == Some(&true);
                open.push(inside && next);
                next = true;
            }
            "}" => {
                open.pop();
                next = true;
            }
            ";" => next = true,
            _ => {}
        }
    }
    found
}

/// Collects the types of all files in a folder, with the files that define
/// them.
fn gather(folder: &Path, types: &mut BTreeMap<String, Vec<String>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if !path.ends_with("tests") {
                gather(&path, types);
            }
            continue;
        }
        if path.ends_with("tests.rs") {
            continue;
        }
        let mut here = types_of(&words_of(&fs::read_to_string(&path).unwrap()));
        // Equal names in one file are versions for different targets.
        here.sort();
        here.dedup();
        for name in here {
            types
                .entry(name)
                .or_default()
                .push(path.display().to_string());
        }
    }
}

#[test]
fn no_two_types_share_a_name() {
    let mut types = BTreeMap::new();
    gather(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
        &mut types,
    );
    assert!(types.len() > 200, "found only {} types", types.len());
    types.retain(|_, files| files.len() > 1);
    for name in SHARED {
        assert!(types.remove(*name).is_some(), "`{name}` names one type");
    }
    assert!(types.is_empty(), "{types:#?}");
}

/// The types that Bevy's prelude holds.
fn types_of_bevy() -> Vec<&'static str> {
    include_str!("names/bevy_prelude.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .collect()
}

#[test]
fn no_public_type_has_a_name_of_bevys_prelude() {
    let bevy = types_of_bevy();
    for known in ["Rect", "State", "Transform", "World"] {
        assert!(bevy.contains(&known), "the list lacks `{known}`");
    }
    let public: Vec<&str> = include_str!("../docs/public-api.txt")
        .lines()
        .filter_map(|line| line.split_once(": ")?.0.rsplit("::").next())
        .collect();
    assert!(public.contains(&"FlowWorld") && public.contains(&"Army"));
    let mut shared: Vec<&str> = public
        .into_iter()
        .filter(|name| bevy.contains(name))
        .collect();
    shared.dedup();
    assert!(shared.is_empty(), "{shared:?}");
}

#[test]
fn the_reader_sees_types_and_passes_over_those_of_impls() {
    let text = "
        pub struct A(u8);
        impl Iterator for A { type Item = u8; fn f() { struct B; } }
        fn g(x: impl Fn() -> u8) { enum C { D } }
        pub(crate) trait E { type F; }
        type G = A;
        mod tests { struct H; }
    ";
    assert_eq!(types_of(&words_of(text)), ["A", "C", "E", "G"]);
}
