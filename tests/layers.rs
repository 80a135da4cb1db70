//! The code map of docs/ARCHITECTURE.md is the order of `src/` from the top down: a module names
//! only modules of rows below its own, and only its owners name a foreign crate. Also compares the
//! page's other tables with the code.
//!
//! Floats, clocks and hash maps are kept out of the engine by lints, at the top of
//! `src/lib.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

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

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns all files under `src/`, each with its module path and its code without comments.
fn sources() -> Vec<(PathBuf, Vec<String>, String)> {
    let source = root().join("src");
    let (mut found, mut folders) = (Vec::new(), vec![source.clone()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            // Unit tests are not bound to the layers.
            if path.is_dir() && !path.ends_with("tests") {
                folders.push(path);
            } else if path.is_file() {
                let inside = path.strip_prefix(&source).unwrap().with_extension("");
                let place = inside.iter().map(|part| part.to_str().unwrap().to_owned());
                let text = fs::read_to_string(&path).unwrap();
                let code = text.lines().map(|line| line.split("//").next().unwrap());
                let code = code.collect::<Vec<_>>().join("\n");
                found.push((path, place.collect(), code));
            }
        }
    }
    found.sort();
    found
}

fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Returns the names that stand first in paths behind `start`, such as `crate::`.
fn names_behind<'a>(code: &'a str, start: &str) -> BTreeSet<&'a str> {
    assert!(
        !code.contains(&format!("{start}{{")),
        "a path for each module"
    );
    let all = code.match_indices(start);
    let all = all.filter(|&(at, _)| !code[..at].ends_with(is_letter));
    let names = all.map(|(at, _)| code[at + start.len()..].split(|letter| !is_letter(letter)));
    names.filter_map(|mut names| names.next()).collect()
}

/// Whether a path begins with this foreign crate.
fn names_crate(code: &str, foreign: &str) -> bool {
    let is_inside = |letter| is_letter(letter) || letter == ':';
    let paths = code.split(&format!("{foreign}::")).collect::<Vec<_>>();
    let (_, before) = paths.split_last().expect("one at least");
    before.iter().any(|before| !before.ends_with(is_inside))
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

/// The dependencies of the manifest, those of some targets too.
fn dependencies() -> BTreeSet<String> {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let tables = manifest.split("\n[").filter(|table| {
        let (name, _) = table.split_once(']').unwrap_or_default();
        name == "dependencies" || name.ends_with(".dependencies")
    });
    let lines = tables.flat_map(|table| table.lines().skip(1));
    let names = lines.filter_map(|line| line.split_once('='));
    names
        .map(|(name, _)| name.trim().replace('-', "_"))
        .collect()
}

#[test]
fn a_module_names_only_modules_below_it() {
    let map = table_below("Code map");
    let rows = map.iter().enumerate();
    let rows: BTreeMap<&str, usize> = rows
        .flat_map(|(row, columns)| quoted(&columns[0]).into_iter().map(move |name| (name, row)))
        .collect();
    let dependencies = dependencies();
    let (mut faults, mut modules, mut owned) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    for (path, place, code) in sources().iter().filter(|(_, place, _)| place[0] != "lib") {
        let module = place[0].as_str();
        let path = path.strip_prefix(root()).unwrap().display();
        modules.insert(module.to_owned());
        let Some(&row) = rows.get(module) else {
            continue;
        };
        for name in names_behind(code, "crate::") {
            if name != module && rows.get(name).is_none_or(|&other| other <= row) {
                faults.push(format!(
                    "{path} names `{name}`, which is not below `{module}`"
                ));
            }
        }
        for foreign in dependencies
            .iter()
            .filter(|foreign| names_crate(code, foreign))
        {
            owned.insert(foreign.clone());
            if !quoted(&map[row][2]).contains(&foreign.as_str()) {
                faults.push(format!(
                    "{path} names `{foreign}`, which `{module}` does not own"
                ));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
    let listed: BTreeSet<String> = rows.keys().map(|&name| name.to_owned()).collect();
    assert_eq!(modules, listed, "modules of src (left), code map (right)");
    assert_eq!(
        owned, dependencies,
        "crates in src (left), dependencies (right)"
    );
    let named: BTreeSet<String> = map
        .iter()
        .flat_map(|columns| quoted(&columns[2]))
        .map(str::to_owned)
        .collect();
    assert_eq!(named, dependencies, "code map (left), dependencies (right)");
}

#[test]
fn a_room_of_steer_names_only_rooms_below_it() {
    let position = |name: &str| STEER_ROOMS.iter().position(|&room| room == name);
    let (mut faults, mut rooms) = (Vec::new(), BTreeSet::new());
    for (path, place, code) in sources() {
        if place[0] != "steer" || place.len() == 1 {
            continue;
        }
        let own = position(&place[1]);
        rooms.extend(own);
        let climb = "super::".repeat(place.len() - 1);
        for start in ["crate::steer::", &climb] {
            let names = names_behind(&code, start).into_iter();
            for name in names.filter(|name| position(name).is_none() || position(name) > own) {
                let path = path.display();
                faults.push(format!(
                    "{path} names `{name}`, which is no room below its own"
                ));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
    assert_eq!(rooms.len(), STEER_ROOMS.len(), "every room has files");
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
