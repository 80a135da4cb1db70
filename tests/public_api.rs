//! The public interface as a list, docs/public-api.txt: a change of any public
//! signature shows in the list, and so in review.
//!
//!     PUBLIC_API=write cargo test -p flowtiles --test library public_api      # rewrites the list
//!
//! The reader follows `pub use` from `src/lib.rs` and from the public modules, and
//! lists the items that they export, with public fields, variants, methods and the
//! traits that are implemented. Items of all features are listed. Lifetimes appear
//! without their quote; what a macro makes is not seen.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::words::words_of;

/// Exported names with the modules that export them.
type Exports = BTreeMap<String, BTreeSet<String>>;

/// One item of a file: its attributes' words and its own.
struct Item<'a> {
    attributes: Vec<&'a [String]>,
    words: &'a [String],
}

/// Returns the index after the bracket that closes the one at `open`.
fn behind(words: &[String], open: usize) -> usize {
    let mut depth = 0;
    for (at, word) in words.iter().enumerate().skip(open) {
        match word.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    words.len()
}

/// Returns the end of an item that begins here: after its `;` or its block.
fn end_of(words: &[String], mut at: usize) -> usize {
    let has_block = words[at..]
        .iter()
        .take(6)
        .all(|word| !["use", "type", "static"].contains(&word.as_str()));
    while at < words.len() {
        match words[at].as_str() {
            ";" => return at + 1,
            "{" if has_block => return behind(words, at),
            "(" | "[" | "{" => at = behind(words, at),
            _ => at += 1,
        }
    }
    at
}

/// Returns the items of a file, or of a block without its braces.
fn items(words: &[String]) -> Vec<Item<'_>> {
    let (mut found, mut attributes, mut at) = (Vec::new(), Vec::new(), 0);
    while at < words.len() {
        if words[at] == "#" {
            let open = at + 1 + usize::from(words[at + 1] == "!");
            let end = behind(words, open);
            attributes.push(&words[open + 1..end - 1]);
            at = end;
            continue;
        }
        let end = end_of(words, at);
        found.push(Item {
            attributes: std::mem::take(&mut attributes),
            words: &words[at..end],
        });
        at = end;
    }
    found
}

/// Returns words as a line, without commas before closing brackets.
fn line(words: &[String]) -> String {
    let mut text = String::new();
    let closes = |word: &String| [")", "]", "}"].contains(&word.as_str());
    for (at, word) in words.iter().enumerate() {
        if word == "," && words.get(at + 1).is_some_and(closes) {
            continue;
        }
        let before = at.checked_sub(1).map_or("", |at| words[at].as_str());
        let tight = ["", "(", "[", "::", "&", "#", "!", ".", "<"].contains(&before)
            || [",", ";", ":", ")", "]", "::", ".", "?", "(", "<", "!"].contains(&word.as_str())
            || word == ">" && before != "="
            || word == "[" && before == "#";
        let arrow = before == "-" && word == ">";
        let after_arrow = before == ">" && words[at - 2] == "-";
        let spaced = word == "-" || after_arrow || [",", ":", "=", "|"].contains(&before);
        if (!tight || spaced) && !arrow && !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
    }
    text
}

fn is_public(words: &[String]) -> bool {
    words.first().is_some_and(|word| word == "pub") && words.get(1).is_some_and(|word| word != "(")
}

/// Returns the kind of an item, and its name.
fn named(words: &[String]) -> Option<(&str, &str)> {
    const KINDS: [&str; 7] = ["fn", "struct", "enum", "trait", "type", "const", "static"];
    let at = words
        .iter()
        .position(|word| KINDS.contains(&word.as_str()))?;
    let at = at + usize::from(words[at] == "const" && words[at + 1] == "fn");
    Some((words[at].as_str(), words.get(at + 1)?.as_str()))
}

/// Returns the parts of a list, split at its commas.
fn parts(words: &[String]) -> Vec<&[String]> {
    let (mut found, mut depth, mut from) = (Vec::new(), 0, 0);
    for (at, word) in words.iter().enumerate() {
        match word.as_str() {
            "(" | "[" | "{" | "<" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            ">" if words[at - 1] != "-" => depth -= 1,
            "," if depth == 0 => {
                found.push(&words[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    found.push(&words[from..]);
    found.retain(|part| !part.is_empty());
    found
}

/// Removes the attributes before an item.
fn bare(mut words: &[String]) -> &[String] {
    while words.first().is_some_and(|word| word == "#") {
        words = &words[behind(words, 1)..];
    }
    words
}

/// Collects the names at the ends of an import tree.
fn leaves(words: &[String], found: &mut Vec<String>) {
    for part in parts(words) {
        match part.iter().position(|word| word == "{") {
            Some(open) => leaves(&part[open + 1..part.len() - 1], found),
            None => found.extend(part.last().cloned()),
        }
    }
}

/// Collects what a module exports; follows public modules inside it.
fn exports(source: &Path, module: &str, found: &mut Exports) {
    let file = match module.split_once("::") {
        Some((_, inside)) => source.join(inside.replace("::", "/") + ".rs"),
        None => source.join("lib.rs"),
    };
    let words = words_of(&fs::read_to_string(file).unwrap());
    for item in items(&words) {
        if !is_public(item.words) {
            continue;
        }
        if item.words[1] == "mod" {
            exports(source, &format!("{module}::{}", item.words[2]), found);
        } else if item.words[1] == "use" {
            let mut names = Vec::new();
            leaves(&item.words[2..item.words.len() - 1], &mut names);
            for name in names {
                found.entry(name).or_default().insert(module.to_owned());
            }
        }
    }
}

/// The lines collected from the files of a crate.
struct Listing {
    source: PathBuf,
    exports: Exports,
    lines: BTreeSet<String>,
}

impl Listing {
    fn of(source: PathBuf) -> Self {
        let mut found = Exports::new();
        exports(&source, "flowtiles", &mut found);
        let mut listing = Self {
            source: source.clone(),
            exports: found,
            lines: BTreeSet::new(),
        };
        listing.read(&source);
        listing
    }

    fn read(&mut self, folder: &Path) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                self.read(&path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                let words = words_of(&fs::read_to_string(&path).unwrap());
                self.take_in(&path, &words);
            }
        }
    }

    fn take_in(&mut self, path: &Path, words: &[String]) {
        for item in items(words) {
            if item.words[0] == "impl" {
                self.implementation(path, item.words);
            } else if let (true, Some((kind, name))) = (is_public(item.words), named(item.words))
                && let Some(place) = self.place(path, name)
            {
                self.definition(&place, kind, &item);
            }
        }
    }

    /// Returns the path under which a name of a file is exported.
    fn place(&self, path: &Path, name: &str) -> Option<String> {
        let modules = self.exports.get(name)?;
        let inside = path.strip_prefix(&self.source).ok()?;
        let first = inside.components().next()?.as_os_str().to_str()?;
        let own = format!("flowtiles::{}", first.trim_end_matches(".rs"));
        let module = modules.get(&own).or_else(|| modules.first())?;
        Some(format!("{module}::{name}"))
    }

    fn note(&mut self, place: &str, text: &str) {
        self.lines.insert(format!("{place}: {text}"));
    }

    fn definition(&mut self, place: &str, kind: &str, item: &Item<'_>) {
        for attribute in &item.attributes {
            if ["derive", "non_exhaustive"].contains(&attribute[0].as_str()) {
                self.note(place, &format!("#[{}]", line(attribute)));
            }
        }
        let open = item.words.iter().position(|word| word == "{");
        let head = &item.words[..open.unwrap_or(item.words.len())];
        let Some(open) = open.filter(|_| kind != "fn" && kind != "const") else {
            return self.note(place, &line(head));
        };
        self.note(place, &line(head));
        let body = &item.words[open + 1..item.words.len() - 1];
        match kind {
            "trait" => {
                for inside in items(body) {
                    self.signature(place, inside.words);
                }
            }
            _ => {
                for part in parts(body) {
                    let part = bare(part);
                    if kind == "enum" || is_public(part) {
                        self.note(place, &line(part));
                    }
                }
            }
        }
    }

    /// Adds an item without its body.
    fn signature(&mut self, place: &str, words: &[String]) {
        let open = words.iter().position(|word| word == "{");
        self.note(place, &line(&words[..open.unwrap_or(words.len())]));
    }

    fn implementation(&mut self, path: &Path, words: &[String]) {
        let open = words.iter().position(|word| word == "{").unwrap();
        let head = &words[..open];
        let of_trait = head.iter().position(|word| word == "for");
        let of_type = of_trait.map_or(1, |at| at + 1);
        let places = head[of_type..].iter();
        let mut places = places.filter_map(|word| self.place(path, word));
        let Some(place) = places.next() else {
            return;
        };
        if of_trait.is_some() {
            return self.note(&place, &line(head));
        }
        for inside in items(&words[open + 1..words.len() - 1]) {
            if is_public(inside.words) {
                self.signature(&place, inside.words);
            }
        }
    }

    fn text(&self) -> String {
        let lines: Vec<&str> = self.lines.iter().map(String::as_str).collect();
        lines.join("\n") + "\n"
    }
}

#[test]
fn the_public_interface_is_the_listed_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let found = Listing::of(root.join("src")).text();
    let list = root.join("docs/public-api.txt");
    if env::var_os("PUBLIC_API").is_some_and(|value| value == "write") {
        fs::write(&list, &found).unwrap();
    }
    let listed = fs::read_to_string(&list).unwrap_or_default();
    let [found, listed]: [BTreeSet<&str>; 2] = [&found, &listed].map(|text| text.lines().collect());
    let gone: Vec<_> = listed.difference(&found).collect();
    let new: Vec<_> = found.difference(&listed).collect();
    assert!(
        gone.is_empty() && new.is_empty(),
        "the public interface is not that of docs/public-api.txt: if that is meant, write the \
         list anew with `PUBLIC_API=write cargo test -p flowtiles --test library public_api`\n\
         only in the list: {gone:#?}\nonly in src: {new:#?}"
    );
    // What stands on the front page, `flowtiles::Name`, must be readable at a glance.
    let kinds = ["pub struct ", "pub enum ", "pub trait "];
    let is_type = |line: &&&str| kinds.iter().any(|kind| line.contains(kind));
    let in_front = |line: &&&str| {
        line.split(": ")
            .next()
            .is_some_and(|name| name.matches("::").count() == 1)
    };
    let front = listed.iter().filter(is_type).filter(in_front).count();
    assert!((20..=40).contains(&front), "{front} types");
}

#[test]
fn the_reader_sees_what_is_public() {
    let folder = env::temp_dir().join(format!("flowtiles-public-api-{}", std::process::id()));
    fs::create_dir_all(folder.join("a")).unwrap();
    let lib = "mod a; pub mod b; pub use a::{inner::A, f};";
    let a = "
        #[derive(Clone)] #[non_exhaustive]
        pub struct A { pub x: u8, pub(crate) y: u8, z: [u8; 2] }
        impl A { pub const fn g(&self, t: (u8, u8)) -> Option<u8> { None } fn h() {} }
        impl From<u8> for A { fn from(x: u8) -> Self { todo() } }
        pub struct Hidden { pub x: u8 }
        pub fn f<T: Into<u8>>(t: T) -> u8 { t.into() }
        mod tests { pub fn f() {} }
    ";
    let b = "pub use crate::a::E; pub enum F { G } pub use c::F;";
    let e = "pub enum E { /** a doc */ P, Q { r: u8 } } pub trait T { fn t(); }";
    for (name, text) in [("lib", lib), ("a", a), ("b", b), ("a/e", e)] {
        fs::write(folder.join(name).with_extension("rs"), text).unwrap();
    }
    let listing = Listing::of(folder.clone());
    fs::remove_dir_all(&folder).unwrap();
    let expected = [
        "flowtiles::A: #[derive(Clone)]",
        "flowtiles::A: #[non_exhaustive]",
        "flowtiles::A: impl From<u8> for A",
        "flowtiles::A: pub const fn g(&self, t: (u8, u8)) -> Option<u8>",
        "flowtiles::A: pub struct A",
        "flowtiles::A: pub x: u8",
        "flowtiles::b::E: P",
        "flowtiles::b::E: Q { r: u8 }",
        "flowtiles::b::E: pub enum E",
        "flowtiles::b::F: G",
        "flowtiles::b::F: pub enum F",
        "flowtiles::f: pub fn f<T: Into<u8>>(t: T) -> u8",
    ];
    let found: Vec<&str> = listing.lines.iter().map(String::as_str).collect();
    assert_eq!(found, expected);
}
