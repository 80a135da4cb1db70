//! The public interface as a list, docs/public-api.txt: a change of any public
//! signature shows in the list, and so in review.
//!
//!     PUBLIC_API=write cargo test -p flowtiles --test library public_api      # rewrites the list
//!
//! The reader takes the sources as rustfmt lays them out: items stand at the margin, and what is
//! in them one step in. It follows `pub use` from `src/lib.rs` and from the public modules, and
//! lists what they export, with public fields, variants, methods and the traits that are
//! implemented, of all features. What a macro makes is not seen.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{env, fs};

/// Exported names with the modules that export them.
type Exports = BTreeMap<String, BTreeSet<String>>;

const KINDS: [&str; 7] = ["fn", "struct", "enum", "trait", "type", "const", "static"];

/// One item, or a part of one: its text up to its body, and the lines inside it.
struct Item {
    head: String,
    inside: Vec<String>,
}

/// Returns the code of a file, without comments and blank lines.
fn code(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap_or_default();
    let lines = text.lines().map(|line| match line.find("//") {
        Some(at) if line[..at].trim().is_empty() => "",
        Some(at) if line[..at].ends_with(' ') => line[..at].trim_end(),
        _ => line,
    });
    let lines = lines.filter(|line| !line.is_empty());
    lines.map(str::to_owned).collect()
}

/// Returns the items that begin at the margin of these lines. One ends with its last line
/// there, or with the one before the next.
fn items(lines: &[String]) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    let mut is_open = false;
    for line in lines {
        let at_margin = !line.starts_with([' ', '}', ')', ']']);
        match items.last_mut() {
            Some(item) if !at_margin && is_open => {
                item.head += " ";
                item.head += line.trim();
            }
            Some(item) if !at_margin => {
                item.inside
                    .extend(line.strip_prefix("    ").map(str::to_owned));
                continue;
            }
            _ => items.push(Item {
                head: line.clone(),
                inside: Vec::new(),
            }),
        }
        // Lists in brackets belong to the head.
        let head = &items[items.len() - 1].head;
        let depth =
            |open: char, close: char| head.matches(open).count().cmp(&head.matches(close).count());
        let in_brackets = depth('(', ')').is_gt() || depth('[', ']').is_gt();
        let is_list = head.starts_with("pub use")
            || head.starts_with("pub const") && !head.starts_with("pub const fn");
        is_open = in_brackets
            || is_list && !head.ends_with(';')
            || !head.ends_with(['{', ';', '}', ',', ']', ')']);
    }
    items
}

/// Returns the text of an item on one line, without its body.
fn line(head: &str) -> String {
    let head = head
        .trim_end_matches("{}")
        .trim_end_matches([' ', '{', ',']);
    let head = head.replace("( ", "(").replace("[ ", "[");
    head.replace(", )", ")")
        .replace(" )", ")")
        .replace(", ]", "]")
}

/// Returns the kind and the name of a public item.
fn named(head: &str) -> Option<(&str, &str)> {
    let head = head.strip_prefix("pub ")?;
    let mut words = head.split(' ').skip_while(|word| !KINDS.contains(word));
    let kind = words.next()?;
    let name = match words.next()? {
        "fn" => words.next()?,
        name => name,
    };
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    name.split(|letter| !is_letter(letter))
        .next()
        .map(|name| (kind, name))
}

/// Collects what a module exports; follows public modules inside it.
fn exports(source: &Path, module: &str, found: &mut Exports) {
    let file = match module.split_once("::") {
        Some((_, inside)) => inside.replace("::", "/") + ".rs",
        None => "lib.rs".to_owned(),
    };
    for Item { head, .. } in items(&code(&source.join(file))) {
        let names: Vec<&str> = if let Some(inside) = head.strip_prefix("pub mod ") {
            exports(
                source,
                &format!("{module}::{}", inside.trim_end_matches(';')),
                found,
            );
            continue;
        } else if let Some(tree) = head.strip_prefix("pub use ") {
            let leaves = tree.split(['{', '}', ',', ';']).map(str::trim);
            let leaves = leaves.filter(|leaf| !leaf.is_empty() && !leaf.ends_with("::"));
            leaves.filter_map(|leaf| leaf.rsplit("::").next()).collect()
        } else {
            named(&head).map(|(_, name)| name).into_iter().collect()
        };
        for name in names {
            let modules = found.entry(name.to_owned()).or_default();
            modules.insert(module.to_owned());
        }
    }
}

struct Listing<'a> {
    source: &'a Path,
    exports: Exports,
    lines: BTreeSet<String>,
}

impl Listing<'_> {
    fn read(&mut self, folder: &Path) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                self.read(&path);
            } else {
                self.take_in(&path);
            }
        }
    }

    fn take_in(&mut self, path: &Path) {
        let mut attributes = Vec::new();
        for Item { head, inside } in items(&code(path)) {
            if head.starts_with("#[") {
                attributes.push(head);
            } else if head.starts_with("impl") {
                self.implementation(path, &head, &inside);
            } else if let Some((kind, name)) = named(&head)
                && let Some(place) = self.place(path, name)
            {
                let shown = |text: &&String| {
                    ["#[derive", "#[non_exhaustive"]
                        .iter()
                        .any(|start| text.starts_with(start))
                };
                attributes
                    .iter()
                    .filter(shown)
                    .for_each(|text| self.note(&place, text));
                self.note(&place, &head);
                let is_shown = |head: &str| match kind {
                    "struct" => head.starts_with("pub ") && !head.starts_with("pub("),
                    _ => !head.starts_with("#["),
                };
                if kind != "fn" {
                    self.parts(&place, &inside, is_shown);
                }
                attributes.clear();
            } else {
                attributes.clear();
            }
        }
    }

    fn implementation(&mut self, path: &Path, head: &str, inside: &[String]) {
        let (of_trait, of_type) = head.split_once(" for ").unwrap_or(("", head));
        let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
        let mut words = of_type.split(|letter| !is_letter(letter));
        let Some(place) = words.find_map(|word| self.place(path, word)) else {
            return;
        };
        if of_trait.is_empty() {
            self.parts(&place, inside, |head| named(head).is_some());
        } else {
            self.note(&place, head);
        }
    }

    /// Notes the items inside another that are shown.
    fn parts(&mut self, place: &str, inside: &[String], is_shown: impl Fn(&str) -> bool) {
        for Item { head, inside } in items(inside) {
            if is_shown(&head) {
                // Of a variant, its fields.
                let fields = inside.join(" ");
                match head.strip_suffix('{') {
                    Some(variant) if named(&head).is_none() && !head.contains("fn ") => {
                        self.note(
                            place,
                            &format!("{variant}{{ {} }}", fields.trim_end_matches(',')),
                        );
                    }
                    _ => self.note(place, &head),
                }
            }
        }
    }

    /// Returns the path under which a name of a file is exported.
    fn place(&self, path: &Path, name: &str) -> Option<String> {
        let modules = self.exports.get(name)?;
        let inside = path.strip_prefix(self.source).ok()?;
        let first = inside.components().next()?.as_os_str().to_str()?;
        let own = format!("flowtiles::{}", first.trim_end_matches(".rs"));
        let module = modules.get(&own).or_else(|| modules.first())?;
        Some(format!("{module}::{name}"))
    }

    fn note(&mut self, place: &str, text: &str) {
        self.lines.insert(format!("{place}: {}", line(text)));
    }
}

#[test]
fn the_public_interface_is_the_listed_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let source = &root.join("src");
    let (mut exported, lines) = (Exports::new(), BTreeSet::new());
    exports(source, "flowtiles", &mut exported);
    let mut listing = Listing {
        source,
        exports: exported,
        lines,
    };
    listing.read(source);
    let found = listing.lines;
    let list = root.join("docs/public-api.txt");
    if env::var_os("PUBLIC_API").is_some_and(|value| value == "write") {
        let lines: Vec<&str> = found.iter().map(String::as_str).collect();
        fs::write(&list, lines.join("\n") + "\n").unwrap();
    }
    let listed = fs::read_to_string(&list).unwrap_or_default();
    let listed: BTreeSet<String> = listed.lines().map(str::to_owned).collect();
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
    let is_type = |line: &&String| kinds.iter().any(|kind| line.contains(kind));
    let in_front = |line: &&String| {
        let place = line.split(": ").next();
        place.is_some_and(|name| name.matches("::").count() == 1)
    };
    let front = listed.iter().filter(is_type).filter(in_front).count();
    assert!((20..=40).contains(&front), "{front} types");
}
