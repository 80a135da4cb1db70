//! Checks the structure of the command's source: no circle between files, `support`
//! names no command, and a command names no other command.
//!
//! The reader follows each path that begins with `crate`, `self`, `super`, a
//! module below or an imported name. A re-export counts for the file that defines
//! the name.

#[path = "../../../tests/words/mod.rs"]
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use words::words_of;

/// A module by the names that lead to it from the crate's root.
type Module = Vec<String>;

/// A session saved from the inspector's page is verified by playing it as the page
/// does, so the command for it names the inspector's recordings.
const EXCEPTION: (&str, &str) = ("verify", "inspect::recording");

/// The names in one file.
struct File {
    words: Vec<String>,
    /// Its imports: each name, and the path that it stands for.
    imports: BTreeMap<String, Module>,
    /// Every path in it, as written.
    paths: Vec<Module>,
}

/// Files by their modules.
struct Tree(BTreeMap<Module, File>);

impl File {
    /// Reads the file of the module `place`.
    fn read(text: &str, place: &[String]) -> Self {
        let mut file = Self {
            words: words_of(text),
            imports: BTreeMap::new(),
            paths: Vec::new(),
        };
        let mut place = place.to_vec();
        // Modules written inside the file, by the depth of their braces.
        let (mut inner, mut depth, mut at) = (Vec::new(), 0_usize, 0);
        let words = file.words.clone();
        while at < words.len() {
            match words[at].as_str() {
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
                // `use<'a>` at the end of a type imports nothing.
                "use" if words[at + 1] != "<" => {
                    at = file.import(&words, at + 1, &Module::new(), &place);
                    continue;
                }
                word if is_name(word) && words.get(at + 1).is_some_and(|next| next == "::") => {
                    let mut path = Module::new();
                    while words.get(at).is_some_and(|word| is_name(word)) {
                        path.push(words[at].clone());
                        let goes_on = words.get(at + 1).is_some_and(|next| next == "::");
                        at += if goes_on { 2 } else { 1 };
                        if !goes_on {
                            break;
                        }
                    }
                    file.paths.push(rooted(path, &place));
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
        file
    }

    /// Reads one branch of a `use` from `at` on, after the names `before`; returns
    /// its end.
    fn import(
        &mut self,
        words: &[String],
        mut at: usize,
        before: &[String],
        place: &[String],
    ) -> usize {
        let mut path = before.to_vec();
        loop {
            match words[at].as_str() {
                "::" => at += 1,
                "{" => {
                    at += 1;
                    while words[at] != "}" {
                        assert_ne!(words[at], ";", "a group of imports without an end");
                        at = self.import(words, at, &path, place);
                        at += usize::from(words[at] == ",");
                    }
                    return at + 1;
                }
                ";" | "," | "}" => break,
                "as" => {
                    self.note(&words[at + 1], path, place);
                    return at + 2;
                }
                // `{self, …}` and `*` stand for the module before them.
                "self" if !path.is_empty() => at += 1,
                "*" => at += 1,
                name => {
                    path.push(name.to_owned());
                    at += 1;
                }
            }
        }
        if let Some(name) = path.last().cloned() {
            self.note(&name, path, place);
        }
        at
    }

    fn note(&mut self, name: &str, path: Module, place: &[String]) {
        let path = rooted(path, place);
        self.imports.insert(name.to_owned(), path.clone());
        self.paths.push(path);
    }

    fn defines(&self, name: &str) -> bool {
        let items = ["struct", "enum", "trait", "type", "const", "static", "fn"];
        let mut pairs = self.words.windows(2);
        pairs.any(|pair| items.contains(&pair[0].as_str()) && pair[1] == name)
    }
}

fn is_name(word: &str) -> bool {
    word.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// Returns a path from the root, `crate` first, without `self` and `super`.
fn rooted(path: Module, place: &[String]) -> Module {
    let ups = path.iter().take_while(|name| *name == "super").count();
    let from = match path.first().map(String::as_str) {
        Some("self") => place,
        Some("super") => &place[..place.len() - ups],
        _ => return path,
    };
    let rest = path.into_iter().skip(ups.max(1));
    let root = std::iter::once("crate".to_owned());
    root.chain(from.iter().cloned()).chain(rest).collect()
}

impl Tree {
    /// Returns the files of the command.
    fn of_command() -> Self {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut files = Vec::new();
        let mut folders = vec![source.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let inside = path.strip_prefix(&source).unwrap().with_extension("");
                let names = inside.iter().map(|part| part.to_str().unwrap());
                let module = names.collect::<Vec<_>>().join("::");
                files.push((module, fs::read_to_string(path).unwrap()));
            }
        }
        Self::new(files.iter().map(|(module, text)| (&**module, &**text)))
    }

    /// Returns files by the names of their modules; `main` is the root.
    fn new<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let file = |(name, text)| {
            let module = module(name);
            (module.clone(), File::read(text, &module))
        };
        Self(files.into_iter().map(file).collect())
    }

    /// Returns the module whose file defines the target of a path in the file of
    /// `from`; `None` for another crate.
    fn target(&self, from: &[String], path: &[String]) -> Option<Module> {
        let (first, rest) = path.split_first()?;
        if first != "crate" {
            let below: Module = from.iter().chain([first]).cloned().collect();
            if self.0.contains_key(&below) {
                let root = std::iter::once("crate".to_owned());
                let path: Module = root.chain(below).chain(rest.iter().cloned()).collect();
                return self.target(from, &path);
            }
            let import = self.0[from].imports.get(first)?;
            let path: Module = import.iter().chain(rest).cloned().collect();
            // An import of a single name comes from another crate.
            return (import[0] != *first).then(|| self.target(from, &path))?;
        }
        let known = (0..=rest.len()).rev();
        let known = known.map(|length| &rest[..length]);
        let module = known.into_iter().find(|at| self.0.contains_key(*at))?;
        let Some(item) = rest.get(module.len()) else {
            return Some(module.to_vec());
        };
        let file = &self.0[module];
        let import = file.imports.get(item).filter(|_| !file.defines(item));
        let further = import.and_then(|import| self.target(module, import));
        Some(further.unwrap_or_else(|| module.to_vec()))
    }

    /// Returns for each file the files that it names.
    fn edges(&self) -> BTreeMap<Module, BTreeSet<Module>> {
        let named = |(module, file): (&Module, &File)| {
            let targets = file
                .paths
                .iter()
                .filter_map(|path| self.target(module, path));
            let others = targets.filter(|target| target != module).collect();
            (module.clone(), others)
        };
        self.0.iter().map(named).collect()
    }

    /// Returns the files that name others they may not name, by the parts of both.
    fn trespasses(&self) -> Vec<String> {
        let mut found = Vec::new();
        for (from, targets) in self.edges() {
            let own = Room::of(&from);
            for target in targets {
                let may = match (&own, &Room::of(&target)) {
                    (Room::Root, _) | (_, Room::Support(_)) => true,
                    (Room::Command(own), Room::Command(other)) => {
                        own == other || EXCEPTION == (own.as_str(), target.join("::").as_str())
                    }
                    (_, _) => false,
                };
                if !may {
                    found.push(format!("{} names {}", from.join("::"), target.join("::")));
                }
            }
        }
        found
    }
}

fn module(name: &str) -> Module {
    let names = name.split("::").filter(|name| *name != "main");
    names.map(str::to_owned).collect()
}

/// The part of the command to which a file belongs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Room {
    /// `main.rs`, `commands.rs` and `support.rs`.
    Root,
    Command(String),
    Support(String),
}

impl Room {
    fn of(module: &[String]) -> Self {
        let names: Vec<&str> = module.iter().map(String::as_str).collect();
        match names[..] {
            ["commands", name, ..] | [name @ "inspect", ..] => Self::Command(name.to_owned()),
            ["support", name, ..] => Self::Support(name.to_owned()),
            _ => Self::Root,
        }
    }
}

/// Returns the sets of nodes that all lead to each other.
fn circles<T: Ord + Clone>(edges: &BTreeMap<T, BTreeSet<T>>) -> BTreeSet<BTreeSet<T>> {
    let reached = |from: &T| {
        let mut reached = BTreeSet::new();
        let mut waiting = vec![from];
        while let Some(at) = waiting.pop() {
            let next = edges.get(at).into_iter().flatten();
            waiting.extend(next.filter(|next| reached.insert((*next).clone())));
        }
        reached
    };
    let reached: BTreeMap<&T, BTreeSet<T>> = edges.keys().map(|at| (at, reached(at))).collect();
    let circle = |at: &&T| -> BTreeSet<T> {
        let there = reached[at].iter();
        there
            .filter(|other| reached.get(other).is_some_and(|back| back.contains(*at)))
            .cloned()
            .collect()
    };
    let circles = reached.keys().map(circle);
    circles.filter(|circle| circle.len() > 1).collect()
}

#[test]
fn no_files_name_each_other_in_a_circle() {
    let tree = Tree::of_command();
    assert!(tree.0.len() > 100, "found only {} files", tree.0.len());
    assert_eq!(circles(&tree.edges()), BTreeSet::new());
}

#[test]
fn no_rooms_of_support_name_each_other_in_a_circle() {
    let mut rooms: BTreeMap<Room, BTreeSet<Room>> = BTreeMap::new();
    for (from, targets) in Tree::of_command().edges() {
        let own = Room::of(&from);
        if matches!(own, Room::Support(_)) {
            let others = targets.iter().map(|target| Room::of(target));
            let others = others.filter(|other| *other != own).collect::<Vec<_>>();
            rooms.entry(own).or_default().extend(others);
        }
    }
    assert_eq!(circles(&rooms), BTreeSet::new());
}

#[test]
fn support_names_no_command_and_a_command_no_other() {
    assert_eq!(Tree::of_command().trespasses(), Vec::<String>::new());
}

#[test]
fn every_file_says_what_it_is_for() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for module in Tree::of_command().0.keys() {
        let path = match module.is_empty() {
            true => source.join("main.rs"),
            false => source.join(module.join("/") + ".rs"),
        };
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("//! "), "{} has no `//!`", path.display());
    }
}

/// Returns a small tree in which `from` has the text under test.
fn small(from: &str, text: &str) -> Tree {
    let files = [
        ("main", "mod commands; mod support;"),
        ("commands::one", "mod part; use part::Part; pub struct One;"),
        ("commands::one::part", "pub struct Part;"),
        ("commands::two", "pub fn two() {}"),
        (
            "support::maps",
            "mod sheet; pub use sheet::Sheet; pub fn draw() {}",
        ),
        ("support::maps::sheet", "pub struct Sheet;"),
    ];
    let others = files.into_iter().filter(|(name, _)| *name != from);
    Tree::new(others.chain([(from, text)]))
}

#[test]
fn the_reader_finds_the_file_that_defines_a_name() {
    let cases = [
        ("use super::One;", "commands::one"),
        ("use super::*;", "commands::one"),
        ("use super::{self, One};", "commands::one"),
        ("fn f() { super::One; }", "commands::one"),
        ("mod tests { use super::super::One; }", "commands::one"),
        ("use crate::support::maps::draw;", "support::maps"),
        ("use crate::support::maps::{self, draw};", "support::maps"),
        ("use crate::support::maps::Sheet;", "support::maps::sheet"),
        (
            "use crate::support::{maps::Sheet as S};",
            "support::maps::sheet",
        ),
        (
            "use crate::support::maps; fn f() { maps::Sheet; }",
            "support::maps::sheet",
        ),
        ("fn f() { crate::commands::two::two() }", "commands::two"),
    ];
    let from = module("commands::one::part");
    for (text, target) in cases {
        let edges = small("commands::one::part", text).edges();
        assert!(edges[&from].contains(&module(target)), "{text}: {edges:?}");
    }
    for silent in [
        "use std::fmt; fn f() { fmt::Write }",
        "mod tests { use super::*; }",
        "// use super::One;",
        "use indicatif::ProgressBar; use ProgressBar as Bar;",
    ] {
        let edges = small("commands::one::part", silent).edges();
        assert_eq!(edges[&from], BTreeSet::new(), "{silent}");
    }
}

#[test]
fn the_reader_sees_circles_and_trespasses() {
    let tree = small("commands::one::part", "use super::One; pub struct Part;");
    let circle = ["commands::one", "commands::one::part"].map(module);
    assert_eq!(circles(&tree.edges()), BTreeSet::from([circle.into()]));
    assert_eq!(tree.trespasses(), Vec::<String>::new());
    for (from, text) in [
        ("support::maps", "use crate::commands::two::two;"),
        ("commands::two", "use crate::commands::one::One;"),
        ("commands::one::part", "fn f() { crate::inspect() }"),
    ] {
        assert_eq!(small(from, text).trespasses().len(), 1, "{from}: {text}");
    }
}
