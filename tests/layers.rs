//! The layers of `src/`: a module names only modules below it, and each foreign crate
//! has its owners. Also compares the tables of docs/ARCHITECTURE.md with the code.
//!
//! Floats, clocks and hash maps are kept out of the engine by lints, at the top of
//! `src/lib.rs`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The layers from the bottom up. A module may name itself and any module of an
/// earlier row; modules of one row may not name each other. A new module of
/// `src/` must be added here.
const LAYERS: &[&[&str]] = &[
    &["draws"],
    &["arrays"],
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
    &["inspect", "steer"],
    &["build", "error", "graph", "interop"],
    &["doctests"],
];

/// The rooms of `src/steer/` from the bottom up. A room may name itself and those before
/// it, as `crate::steer::room`.
const STEER_ROOMS: &[&str] = &[
    "walls",
    "reading",
    "units",
    "neighbours",
    "formation",
    "groups",
    "motion",
    "army",
    "parts",
];

/// The modules that may name each foreign crate. Every dependency has a row,
/// optional ones included.
const OWNERS: &[(&str, &[&str])] = &[
    ("ahash", &["order"]),
    (
        "bytemuck",
        &["heuristic", "kernel", "lanes", "portal", "steer"],
    ),
    ("mint", &["interop"]),
    ("parking_lot", &["order", "steer", "world"]),
    ("pathfinding", &["steer"]),
    ("petgraph", &["clusters", "map", "portal"]),
    ("rayon", &["threads"]),
    ("safe_arch", &["lanes"]),
    (
        "serde",
        &["cost", "crowd", "grid", "order", "steer", "world"],
    ),
    ("tracing", &["world"]),
    ("wide", &["heuristic", "kernel", "lanes", "portal", "steer"]),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns all files under `src/`, each with its module path and its code without comments.
fn sources() -> Vec<(PathBuf, Vec<String>, String)> {
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
                let text = fs::read_to_string(&path).unwrap();
                let code = text
                    .lines()
                    .map(|line| line.split("//").next().unwrap_or(""));
                let code = code.collect::<Vec<_>>().join("\n");
                found.push((path, place, code));
            }
        }
    }
    found.sort();
    found
}

fn layer_of(module: &str) -> Option<usize> {
    LAYERS.iter().position(|row| row.contains(&module))
}

/// Returns the names that stand first in paths behind `start`, such as `crate::`: one, or
/// those of a group in braces.
fn names_behind<'a>(code: &'a str, start: &str) -> BTreeSet<&'a str> {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut names = BTreeSet::new();
    for (at, _) in code.match_indices(start) {
        if code[..at].ends_with(is_word) {
            continue;
        }
        let behind = &code[at + start.len()..];
        let Some(group) = behind.strip_prefix('{') else {
            names.extend(behind.split(|letter| !is_word(letter)).next());
            continue;
        };
        let (mut depth, mut begin) = (0, 0);
        for (at, letter) in group.char_indices() {
            match letter {
                '{' => depth += 1,
                '}' if depth > 0 => depth -= 1,
                '}' | ',' if depth == 0 => {
                    let branch = group[begin..at].trim_start();
                    names.extend(branch.split(|letter| !is_word(letter)).next());
                    begin = at + 1;
                    if letter == '}' {
                        break;
                    }
                }
                _ => {}
            }
        }
    }
    names.remove("");
    names
}

/// Returns what is wrong with the code of a file in this module.
fn faults_of(module: &str, code: &str) -> Vec<String> {
    let Some(layer) = layer_of(module) else {
        return vec![format!("`{module}` has no place in the table of layers")];
    };
    let below = |name: &str| name == module || layer_of(name).is_some_and(|other| other < layer);
    let named = names_behind(code, "crate::").into_iter();
    let mut faults: Vec<String> = named
        .filter(|name| !below(name))
        .map(|name| format!("names `{name}`, which is not below `{module}`"))
        .collect();
    for (foreign, owners) in OWNERS {
        if names_crate(code, foreign) && !owners.contains(&module) {
            faults.push(format!("names `{foreign}`, which is for {owners:?} only"));
        }
    }
    faults
}

/// Whether a path begins with this foreign crate.
fn names_crate(code: &str, foreign: &str) -> bool {
    code.match_indices(&format!("{foreign}::")).any(|(at, _)| {
        !code[..at].ends_with(|letter: char| letter.is_alphanumeric() || "_:".contains(letter))
    })
}

#[test]
fn a_module_names_only_modules_below_it() {
    let sources = sources();
    assert!(sources.len() > 10, "found only {} files", sources.len());
    let mut faults = Vec::new();
    for (path, place, code) in &sources {
        let Some(module) = place.first() else {
            continue;
        };
        for fault in faults_of(module, code) {
            let path = path.strip_prefix(root()).unwrap().display();
            faults.push(format!("{path} {fault}"));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// Returns what is wrong with the code of a file of `steer` at this module path.
fn room_faults_of(place: &[&str], code: &str) -> Vec<String> {
    let position = |name: &str| STEER_ROOMS.iter().position(|&room| room == name);
    let Some(own) = position(place[1]) else {
        return vec![format!("`{}` is no room in the table", place[1])];
    };
    let climb = "super::".repeat(place.len() - 1);
    ["crate::steer::", &climb]
        .into_iter()
        .flat_map(|start| names_behind(code, start))
        .filter(|name| position(name).is_none_or(|room| room > own))
        .map(|name| format!("names `{name}`, which is no room below `{}`", place[1]))
        .collect()
}

#[test]
fn a_room_of_steer_names_only_rooms_below_it() {
    let mut faults = Vec::new();
    let mut rooms = BTreeSet::new();
    for (path, place, code) in sources() {
        let place: Vec<&str> = place.iter().map(String::as_str).collect();
        if let ["steer", room, ..] = place[..] {
            rooms.insert(room.to_owned());
            for fault in room_faults_of(&place, &code) {
                faults.push(format!("{} {fault}", path.display()));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
    assert_eq!(
        rooms.len(),
        STEER_ROOMS.len(),
        "every room has files: {rooms:?}"
    );

    let head = ["steer", "units"];
    let file = ["steer", "units", "unit"];
    let upward = "use crate::steer::{motion::Step, reading::Field};";
    assert_eq!(room_faults_of(&file, upward).len(), 1);
    assert_eq!(room_faults_of(&file, "use crate::steer::Army;").len(), 1);
    assert_eq!(room_faults_of(&head, "use super::army::Army;").len(), 1);
    assert_eq!(
        room_faults_of(&file, "use super::super::army::Army;").len(),
        1
    );
    let fine = "use super::ids::IdSet;\nuse crate::steer::walls::is_radius;";
    assert_eq!(room_faults_of(&file, fine), Vec::<String>::new());
}

#[test]
fn what_points_upward_is_seen() {
    let upward = [
        "use crate::world::FlowWorld;",
        "use crate::{grid::Cell, world::FlowWorld};",
        "use crate::{\n    grid::{Cell, CellRect},\n    order,\n};",
        "fn f() { crate::order::claim() }",
        "use crate::Cell;",
        "use petgraph::Graph;",
    ];
    for text in upward {
        assert_eq!(faults_of("kernel", text).len(), 1, "{text}");
    }
    let fine = "use crate::grid::{Cell, CellRect};\nuse crate::{cost, lanes::{up, down}};";
    assert_eq!(faults_of("kernel", fine), Vec::<String>::new());
    assert_eq!(faults_of("queue", "use crate::grid::Cell;").len(), 1);
    assert_eq!(faults_of("gadgets", "").len(), 1);
}

#[test]
fn the_tables_name_just_what_there_is() {
    let modules: BTreeSet<String> = sources()
        .iter()
        .filter_map(|(_, place, _)| place.first().cloned())
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
        let used = sources().into_iter().any(|(_, place, code)| {
            let module = place.first().map(String::as_str);
            module.is_some_and(|module| owners.contains(&module)) && names_crate(&code, foreign)
        });
        assert!(
            used,
            "`{foreign}` is a dependency that none of {owners:?} names"
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
            let source = source.unwrap_or_else(|error| panic!("{file}: {error}"));
            let defines = |item: &str| {
                let start = format!("{item} {name}");
                let mut behind = source.split(&start).skip(1);
                behind.any(|rest| !rest.starts_with(|letter: char| letter.is_alphanumeric()))
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
    for (_, place, source) in sources() {
        for call in source.split("debug_span!(\"").skip(1) {
            let (name, _) = call.split_once('"').unwrap();
            opened.insert((name.to_owned(), format!("flowtiles::{}", place.join("::"))));
        }
    }
    let rows = table_below("Tracing").into_iter();
    let listed = rows.map(|row| (quoted(&row[0])[0].to_owned(), quoted(&row[1])[0].to_owned()));
    assert_eq!(opened, listed.collect(), "opened (left), table (right)");
}
