//! The layers of `src/`: a module names only modules below it, each foreign
//! crate has its owners, and what would break reproducibility (floats, clocks)
//! stays out of the modules that make decisions. Also compares the tables of
//! docs/ARCHITECTURE.md with the code.
//!
//! The reader is small: it drops comments and literals, divides the rest into
//! words, and follows paths that begin with `crate`, `self` or `super`,
//! including groups in braces.

mod words;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use words::words_of;

/// The layers from the bottom up. A module may name itself and any module of an
/// earlier row; modules of one row may not name each other. A new module of
/// `src/` must be added here.
const LAYERS: &[&[&str]] = &[
    &["draws"],
    &["budget", "bytes", "lanes", "queue", "threads", "grid"],
    &["cost", "vector"],
    &["kernel"],
    &["sight"],
    &["portal"],
    &["clusters"],
    &["islands"],
    &["heuristic"],
    &["map"],
    &["route"],
    &["field"],
    &["order"],
    &["world"],
    &["crowd"],
    &["format", "inspect", "steer"],
    &["interop"],
    &["doctests"],
];

/// The modules that may name each foreign crate. Every dependency has a row,
/// optional ones included.
const OWNERS: &[(&str, &[&str])] = &[
    ("ahash", &["order"]),
    ("base64", &["format"]),
    (
        "bytemuck",
        &["heuristic", "kernel", "lanes", "portal", "steer"],
    ),
    ("flate2", &["format"]),
    ("mint", &["interop"]),
    ("parking_lot", &["order", "world"]),
    ("pathfinding", &["steer"]),
    ("petgraph", &["clusters", "map", "portal"]),
    ("png", &["format"]),
    ("rayon", &["threads"]),
    ("roxmltree", &["format"]),
    ("safe_arch", &["lanes"]),
    (
        "serde",
        &["cost", "crowd", "format", "grid", "order", "steer", "world"],
    ),
    ("serde_json", &["format"]),
    ("tracing", &["world"]),
    ("wide", &["heuristic", "kernel", "lanes", "portal", "steer"]),
];

/// Words that only some modules may use.
const RESERVED: &[(&str, &[&str])] = &[
    (
        "f32",
        &[
            "grid", "format", "inspect", "interop", "crowd", "steer", "vector",
        ],
    ),
    ("f64", &["grid", "format", "crowd"]),
    ("Instant", &["world"]),
    ("SystemTime", &[]),
    // Look-ups by fixed keys, never iterated.
    ("HashMap", &["order"]),
    ("HashSet", &["order"]),
    ("RandomState", &["order"]),
];

/// The names that the words of one file use.
#[derive(Default)]
struct Names {
    /// The first segments of paths from the crate's root.
    modules: BTreeSet<String>,
    /// The first segments of all other paths.
    heads: BTreeSet<String>,
    globs: usize,
    words: BTreeSet<String>,
}

/// Collects the names in the words of the file of the module `place` (empty for
/// the crate's root).
fn names_of(words: &[String], place: &[String]) -> Names {
    let mut names = Names {
        words: words.iter().cloned().collect(),
        ..Names::default()
    };
    let mut place = place.to_vec();
    // Modules inside the file, by the depth of their braces.
    let mut inner: Vec<usize> = Vec::new();
    let mut depth = 0;
    let mut at = 0;
    while at < words.len() {
        let word = words[at].as_str();
        let starts_path = at == 0 || words[at - 1] != "::";
        match word {
            "{" => depth += 1,
            "}" => {
                depth -= 1;
                if inner.last() == Some(&depth) {
                    inner.pop();
                    place.pop();
                }
            }
            "mod" if words.get(at + 2).is_some_and(|next| next == "{") => {
                place.push(words[at + 1].clone());
                inner.push(depth);
            }
            "crate" if starts_path => names.follow(words, at + 1, Vec::new()),
            "self" | "super"
                if starts_path && words.get(at + 1).is_some_and(|next| next == "::") =>
            {
                let mut from = place.clone();
                let mut next = at;
                while words[next] == "super" && words.get(next + 1).is_some_and(|sign| sign == "::")
                {
                    from.pop();
                    next += 2;
                }
                // Back to the `::` before the first named segment.
                let sign = if word == "self" { at + 1 } else { next - 1 };
                names.follow(words, sign, from);
            }
            _ if starts_path && words.get(at + 1).is_some_and(|next| next == "::")
                || at > 0 && words[at - 1] == "use" =>
            {
                names.heads.insert(word.to_owned());
            }
            _ => {}
        }
        at += 1;
    }
    names
}

impl Names {
    /// Records where a path leads whose `::` stands at `at`, after the segments
    /// `from`.
    fn follow(&mut self, words: &[String], at: usize, from: Vec<String>) {
        if let Some(first) = from.first() {
            self.modules.insert(first.clone());
            return;
        }
        if words.get(at).is_none_or(|sign| sign != "::") {
            return;
        }
        match words[at + 1].as_str() {
            "*" => self.globs += 1,
            "{" => {
                // The first word of each branch of the group.
                let (mut depth, mut next) = (1, at + 2);
                let mut branch_starts = true;
                while depth > 0 {
                    match words[next].as_str() {
                        "{" => depth += 1,
                        "}" => depth -= 1,
                        "," => branch_starts = depth == 1,
                        "*" if branch_starts => self.globs += 1,
                        name if branch_starts => {
                            self.modules.insert(name.to_owned());
                            branch_starts = false;
                        }
                        _ => {}
                    }
                    next += 1;
                }
            }
            name => {
                self.modules.insert(name.to_owned());
            }
        }
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns all files under `src/`, each with its module path.
fn sources() -> Vec<(PathBuf, Vec<String>)> {
    let source = root().join("src");
    let mut found = Vec::new();
    let mut folders = vec![source.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                // Unit tests are not bound to the layers.
                if !path.ends_with("tests") {
                    folders.push(path);
                }
            } else {
                let inside = path.strip_prefix(&source).unwrap().with_extension("");
                let mut place: Vec<String> = inside
                    .iter()
                    .map(|part| part.to_str().unwrap().to_owned())
                    .collect();
                if matches!(place.last().map(String::as_str), Some("mod" | "lib")) {
                    place.pop();
                }
                found.push((path, place));
            }
        }
    }
    found.sort();
    found
}

fn layer_of(module: &str) -> Option<usize> {
    LAYERS.iter().position(|row| row.contains(&module))
}

/// Returns the faults of a file of the module `place` with these names.
fn faults_of(place: &[String], names: &Names) -> Vec<String> {
    let Some(module) = place.first() else {
        return Vec::new();
    };
    let Some(layer) = layer_of(module) else {
        return vec![format!("`{module}` has no place in the table of layers")];
    };
    let mut faults = Vec::new();
    for name in names.modules.iter().filter(|&name| name != module) {
        match layer_of(name) {
            None => faults.push(format!(
                "names `crate::{name}`: say from which module it comes"
            )),
            Some(other) if other >= layer => {
                faults.push(format!("names `{name}`, which is not below `{module}`"));
            }
            Some(_) => {}
        }
    }
    for (tables, said) in [(OWNERS, &names.heads), (RESERVED, &names.words)] {
        for (word, owners) in tables {
            if said.contains(*word) && !owners.contains(&module.as_str()) {
                faults.push(format!("says `{word}`, which is for {owners:?} only"));
            }
        }
    }
    if names.globs > 0 {
        faults.push("imports a glob from the crate's root".to_owned());
    }
    faults
}

#[test]
fn a_module_names_only_modules_below_it() {
    let sources = sources();
    assert!(sources.len() > 10, "found only {} files", sources.len());
    let mut faults = Vec::new();
    for (path, place) in &sources {
        let names = names_of(&words_of(&fs::read_to_string(path).unwrap()), place);
        for fault in faults_of(place, &names) {
            let path = path.strip_prefix(root()).unwrap().display();
            faults.push(format!("{path} {fault}"));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn the_tables_name_just_what_there_is() {
    let modules: BTreeSet<String> = sources()
        .iter()
        .filter_map(|(_, place)| place.first().cloned())
        .collect();
    let rows: BTreeSet<String> = LAYERS
        .concat()
        .iter()
        .map(|&name| name.to_owned())
        .collect();
    assert_eq!(
        modules, rows,
        "modules of src (left), table of layers (right)"
    );

    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    // The tables `[dependencies]` and `[target.….dependencies]`.
    let mut inside = false;
    let mut dependencies = BTreeSet::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            inside = line == "[dependencies]" || line.ends_with(".dependencies]");
        } else if let (true, Some((name, _))) = (inside, line.split_once('=')) {
            dependencies.insert(name.trim().replace('-', "_"));
        }
    }
    let owned: BTreeSet<String> = OWNERS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(
        dependencies, owned,
        "dependencies (left), table of owners (right)"
    );
}

#[test]
fn every_foreign_crate_is_used_by_an_owner() {
    for (foreign, owners) in OWNERS {
        let used = sources().into_iter().any(|(path, place)| {
            let owned = place
                .first()
                .is_some_and(|module| owners.contains(&module.as_str()));
            owned && {
                let words = words_of(&fs::read_to_string(path).unwrap());
                names_of(&words, &place).heads.contains(*foreign)
            }
        });
        assert!(
            used,
            "`{foreign}` is a dependency that none of {owners:?} names"
        );
    }
}

#[test]
fn the_root_defines_nothing() {
    let words = words_of(&fs::read_to_string(root().join("src/lib.rs")).unwrap());
    for item in [
        "fn", "struct", "enum", "trait", "impl", "const", "static", "type",
    ] {
        assert!(
            !words.iter().any(|word| word == item),
            "lib.rs defines a `{item}`"
        );
    }
    assert!(words.iter().any(|word| word == "mod"));
}

/// Returns the faults that a text would have as the file of the module `place`.
fn faults(place: &[&str], text: &str) -> Vec<String> {
    let place: Vec<String> = place.iter().map(|&part| part.to_owned()).collect();
    faults_of(&place, &names_of(&words_of(text), &place))
}

#[test]
fn the_reader_sees_what_points_upward() {
    let upward = [
        "use crate::world::FlowWorld;",
        "use crate::{grid::Cell, world::FlowWorld};",
        "use crate::{grid::{Cell, CellRect}, order};",
        "fn f() { crate::order::claim() }",
        "use super::super::route::Search;",
        "mod inner { use super::super::super::route; }",
        "use crate::Cell;",
        "use crate::*;",
        "use petgraph::Graph;",
        "fn f() -> f32 { 0.5 }",
        "fn f() { let now = std::time::Instant::now(); }",
    ];
    for text in upward {
        assert_eq!(faults(&["kernel", "tile"], text).len(), 1, "{text}");
    }
    assert_eq!(faults(&["queue"], "use crate::grid::Cell;").len(), 1);
    assert_eq!(faults(&["gadgets"], "").len(), 1);
}

#[test]
fn the_reader_is_silent_where_nothing_points_upward() {
    let fine = [
        "use crate::grid::{Cell, CellRect}; use crate::cost::CostMap;",
        "use crate::{grid::{Cell, CellRect}, cost};",
        "use crate::kernel::price; use super::other; use self::deeper::Thing;",
        "// use crate::world::FlowWorld;\n/* crate::order */ /// [`order`](crate::order)\n",
        r#"fn f() -> &'static str { "crate::world \" crate::order" }"#,
        "fn f<'a>(c: &'a char) -> bool { *c == '\"' || *c == '\\'' } // crate::world",
        "mod tests { use super::*; } fn f() { super::g() }",
        "pub(crate) const A: u8 = 1; pub(in crate::kernel) const B: u8 = 2;",
    ];
    for text in fine {
        assert_eq!(
            faults(&["kernel", "tile"], text),
            Vec::<String>::new(),
            "{text}"
        );
    }
}

/// Returns the rows of the table below a heading of ARCHITECTURE.md, by column.
fn table_below(heading: &str) -> Vec<Vec<String>> {
    let page = fs::read_to_string(root().join("docs/ARCHITECTURE.md")).unwrap();
    let (_, section) = page.split_once(&format!("\n## {heading}\n")).unwrap();
    let lines = section.lines().skip_while(|line| !line.starts_with('|'));
    let rows = lines.take_while(|line| line.starts_with('|')).skip(2);
    rows.map(|row| {
        let columns = row.trim_matches('|').split('|');
        columns.map(|column| column.trim().to_owned()).collect()
    })
    .collect()
}

/// Returns the words between backticks.
fn quoted(column: &str) -> Vec<&str> {
    column.split('`').skip(1).step_by(2).collect()
}

/// Holds that each file of a table defines the names beside it.
fn assert_defined(rows: &[Vec<String>], names: usize, files: usize) {
    for row in rows {
        let (names, files) = (quoted(&row[names]), quoted(&row[files]));
        assert_eq!(names.len(), files.len(), "{}", row[0]);
        for (name, file) in names.into_iter().zip(files) {
            let source = fs::read_to_string(root().join(file));
            let words = words_of(&source.unwrap_or_else(|error| panic!("{file}: {error}")));
            let defines = |item: &str| {
                let mut pairs = words.windows(2);
                pairs.any(|pair| pair[0] == item && pair[1] == name)
            };
            assert!(
                ["struct", "enum", "type", "fn"].into_iter().any(defines),
                "{file} defines no `{name}`"
            );
        }
    }
}

#[test]
fn the_glossary_names_types_where_they_are() {
    let rows = table_below("Glossary");
    assert!(rows.len() > 20, "found only {} words", rows.len());
    assert_defined(&rows, 2, 3);
}

#[test]
fn what_happens_is_where_the_table_says() {
    let rows = table_below("Where it happens");
    assert!(rows.len() > 10, "found only {} rows", rows.len());
    assert_defined(&rows, 1, 2);
}

#[test]
fn the_code_map_has_the_layers_and_the_owners() {
    let mut modules = Vec::new();
    let mut owned = BTreeSet::new();
    for row in table_below("Code map") {
        for module in quoted(&row[0]) {
            modules.push(module.to_owned());
            let foreign = quoted(&row[2]).into_iter();
            owned.extend(foreign.map(|name| (name.to_owned(), module.to_owned())));
        }
    }
    let in_house: Vec<usize> = modules
        .iter()
        .filter(|module| !["draws", "doctests"].contains(&module.as_str()))
        .map(|module| layer_of(module).unwrap_or_else(|| panic!("no module `{module}`")))
        .collect();
    assert!(
        in_house.is_sorted_by(|above, below| above >= below),
        "the code map goes from the top down: {modules:?}"
    );
    modules.sort();
    let mut rows = LAYERS.concat();
    rows.sort_unstable();
    assert_eq!(modules, rows, "code map (left), table of layers (right)");

    let owners = OWNERS.iter().flat_map(|(name, owners)| {
        let owners = owners.iter();
        owners.map(|owner| ((*name).to_owned(), (*owner).to_owned()))
    });
    assert_eq!(
        owned,
        owners.collect(),
        "code map (left), table of owners (right)"
    );
}

#[test]
fn the_table_of_spans_has_those_that_are_opened() {
    let mut opened = BTreeSet::new();
    for (path, place) in sources() {
        let source = fs::read_to_string(path).unwrap();
        for call in source.split("debug_span!(\"").skip(1) {
            let (name, _) = call.split_once('"').unwrap();
            opened.insert((name.to_owned(), format!("flowtiles::{}", place.join("::"))));
        }
    }
    let rows = table_below("Tracing").into_iter();
    let listed = rows.map(|row| (quoted(&row[0])[0].to_owned(), quoted(&row[1])[0].to_owned()));
    assert_eq!(opened, listed.collect(), "opened (left), table (right)");
}
