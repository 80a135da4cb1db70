//! Import circles: no two files of the project import each other, directly or
//! through others.
//!
//! A path through re-exports leads to the file where they end; `mod` and `pub
//! use` alone import nothing. Unit tests are left out.

mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use words::words_of;

/// The place of a file among the modules of its crate.
type Place = Vec<String>;

/// A path from the root of the crate.
struct Import {
    path: Vec<String>,
    is_public: bool,
}

/// All files of a crate, with the imports of each.
struct Files(BTreeMap<Place, Vec<Import>>);

/// Reads the files below a folder.
fn read(folder: &Path, place: &Place, sources: &mut BTreeMap<Place, Vec<String>>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        let stem = stem.expect("a name").to_owned();
        let mut inside = place.clone();
        if !matches!(stem.as_str(), "lib" | "main") {
            inside.push(stem.clone());
        }
        if stem == "tests" {
            continue;
        } else if path.is_dir() {
            read(&path, &inside, sources);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = fs::read_to_string(&path).expect("a source file");
            sources.insert(inside, words_of(&text));
        }
    }
}

/// A reader of the words of one file.
struct Reader<'a> {
    words: &'a [String],
    /// The present module: the file's, or one inside it.
    module: Place,
    sources: &'a BTreeMap<Place, Vec<String>>,
    imports: Vec<Import>,
}

impl Reader<'_> {
    fn is(&self, at: usize, word: &str) -> bool {
        self.words.get(at).is_some_and(|other| other == word)
    }

    fn read(&mut self) {
        let mut at = 0;
        while at < self.words.len() {
            if self.is(at, "mod") && self.is(at + 1, "tests") && self.is(at + 2, "{") {
                at = self.behind_block(at + 2);
            } else if self.is(at, "use") {
                let is_public = at > 0 && (self.is(at - 1, "pub") || self.is(at - 1, ")"));
                at = self.tree(at + 1, &[], is_public);
            } else if self.is(at + 1, "::") && (at == 0 || !self.is(at - 1, "::")) {
                let mut path = vec![self.words[at].clone()];
                let mut next = at + 1;
                while self.is(next, "::") && self.words[next + 1].starts_with(char::is_alphanumeric)
                {
                    path.push(self.words[next + 1].clone());
                    next += 2;
                }
                self.note(path, false);
                at += 1;
            } else {
                at += 1;
            }
        }
    }

    /// Returns the place after the block that opens at `open`.
    fn behind_block(&self, open: usize) -> usize {
        let mut depth = 0;
        for at in open..self.words.len() {
            depth += i32::from(self.is(at, "{")) - i32::from(self.is(at, "}"));
            if depth == 0 {
                return at + 1;
            }
        }
        self.words.len()
    }

    /// Reads a tree of imports; returns the place after it.
    fn tree(&mut self, mut at: usize, before: &[String], is_public: bool) -> usize {
        let mut path = before.to_vec();
        loop {
            if self.is(at, "{") {
                at += 1;
                while !self.is(at, "}") {
                    at = self.tree(at, &path, is_public);
                    at += usize::from(self.is(at, ","));
                }
                return at + 1;
            }
            path.push(self.words[at].clone());
            at += 1;
            if self.is(at, "::") {
                at += 1;
                continue;
            }
            let renamed = self.is(at, "as");
            self.note(path, is_public);
            return at + if renamed { 2 } else { 0 };
        }
    }

    /// Adds a path, if it begins inside the crate.
    fn note(&mut self, path: Vec<String>, is_public: bool) {
        let ups = path.iter().take_while(|word| *word == "super").count();
        let mut from = self.module.clone();
        let rest = match path[0].as_str() {
            "crate" => {
                from.clear();
                &path[1..]
            }
            "self" => &path[1..],
            "super" => {
                from.truncate(from.len().saturating_sub(ups));
                &path[ups..]
            }
            child => {
                from.push(child.to_owned());
                if !self.sources.contains_key(&from) {
                    return;
                }
                &path[1..]
            }
        };
        from.extend(rest.iter().cloned());
        self.imports.push(Import {
            path: from,
            is_public,
        });
    }
}

impl Files {
    fn of(folder: &Path) -> Self {
        let mut sources = BTreeMap::new();
        read(folder, &Vec::new(), &mut sources);
        Self::read(&sources)
    }

    fn read(sources: &BTreeMap<Place, Vec<String>>) -> Self {
        let imports = |(place, words): (&Place, &Vec<String>)| {
            let mut reader = Reader {
                words,
                module: place.clone(),
                sources,
                imports: Vec::new(),
            };
            reader.read();
            (place.clone(), reader.imports)
        };
        Self(sources.iter().map(imports).collect())
    }

    /// Returns the file in which a path ends.
    fn end(&self, path: &[String], mut steps: u32) -> Place {
        let mut place = Vec::new();
        for (at, word) in path.iter().enumerate() {
            let mut inside = place.clone();
            inside.push(word.clone());
            if self.0.contains_key(&inside) {
                place = inside;
                continue;
            }
            let here = self.0.get(&place).into_iter().flatten();
            let mut public = here.filter(|import| import.is_public);
            let exported = public.find(|import| import.path.last() == Some(word));
            return match exported {
                Some(export) if steps > 0 => {
                    steps -= 1;
                    let mut on = export.path.clone();
                    on.extend_from_slice(&path[at + 1..]);
                    self.end(&on, steps)
                }
                _ => place,
            };
        }
        place
    }

    /// Returns the files that each file imports.
    fn edges(&self) -> BTreeMap<&Place, BTreeSet<Place>> {
        let edges = self.0.iter().map(|(place, imports)| {
            let imports = imports.iter().filter(|import| !import.is_public);
            let ends = imports.map(|import| self.end(&import.path, 8));
            let ends = ends.filter(|end| end != place && !end.is_empty());
            (place, ends.collect())
        });
        edges.collect()
    }

    /// Returns the files that remain after repeatedly removing each file that
    /// imports none of the others, or that none of the others imports.
    fn circles(&self) -> Vec<String> {
        let mut edges = self.edges();
        loop {
            let imported: BTreeSet<Place> = edges.values().flatten().cloned().collect();
            let left: BTreeSet<Place> = edges.keys().map(|&place| place.clone()).collect();
            let before = edges.len();
            edges.retain(|place, ends| {
                ends.retain(|end| left.contains(end));
                !ends.is_empty() && imported.contains(*place)
            });
            if edges.len() == before {
                break;
            }
        }
        let join = |place: &Place| place.join("::");
        let lines = edges.iter().map(|(place, ends)| {
            let ends: Vec<String> = ends.iter().map(join).collect();
            format!("{} imports {}", join(place), ends.join(", "))
        });
        lines.collect()
    }
}

fn circles(folder: &str) -> Vec<String> {
    let files = Files::of(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
    assert!(files.0.len() > 3, "sources in {folder}");
    files.circles()
}

#[test]
fn no_files_of_the_engine_import_each_other_in_a_circle() {
    assert_eq!(circles("src"), [""; 0]);
}

#[test]
fn no_files_of_the_other_crates_do() {
    assert_eq!(circles("crates/inspector/src"), [""; 0]);
}

/// Returns the circles of an invented crate.
fn made_up(sources: &[(&str, &str)]) -> Vec<String> {
    let places = sources.iter().map(|(place, text)| {
        let place = place.split("::").filter(|part| !part.is_empty());
        (place.map(str::to_owned).collect(), words_of(text))
    });
    Files::read(&places.collect()).circles()
}

#[test]
fn the_reader_sees_circles_and_nothing_else() {
    let root = ("", "mod a; mod b; pub use a::A; pub use b::B;");
    let one_way = ("b", "use crate::A; pub struct B(A);");
    assert_eq!(made_up(&[root, ("a", "pub struct A;"), one_way]), [""; 0]);
    for other_way in [
        "use crate::B; pub struct A(B);",
        "use super::{b::B}; pub struct A;",
        "pub struct A; fn f() { crate::b::g() }",
    ] {
        let found = made_up(&[root, ("a", other_way), one_way]);
        assert_eq!(found, ["a imports b", "b imports a"], "{other_way}");
    }
    let test = "pub struct A; mod tests { use crate::b::B; }";
    assert_eq!(made_up(&[root, ("a", test), one_way]), [""; 0]);
}
