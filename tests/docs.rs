//! Each link in the pages of the project leads to a file that is there, and each anchor to
//! a heading. The index of the docs has every page.

use std::fs;
use std::path::{Path, PathBuf};

fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [
        "",
        "docs",
        "benches/peers",
        "crates/cli",
        "crates/inspector",
        "crates/scenes",
        "crates/studio",
        "examples/windowed",
        "npm/flowtiles",
    ];
    let files = folders
        .iter()
        .filter_map(|folder| fs::read_dir(root.join(folder)).ok());
    let paths = files.flatten().map(|entry| entry.unwrap().path());
    paths
        .filter(|path| path.extension().is_some_and(|end| end == "md"))
        .collect()
}

/// Returns the text outside blocks of code.
fn prose(page: &str) -> String {
    let parts = page.split("\n```").step_by(2);
    parts.collect::<Vec<_>>().join("\n")
}

/// Returns the anchors of a page's headings, as GitHub makes them.
fn anchors(page: &str) -> Vec<String> {
    let page = prose(page);
    let headings = page.lines().filter(|line| line.starts_with('#'));
    let letters = headings.map(|line| line.trim_start_matches('#').trim().to_lowercase());
    letters
        .map(|heading| {
            let kept = |letter: &char| letter.is_alphanumeric() || "-_ ".contains(*letter);
            heading
                .chars()
                .filter(kept)
                .collect::<String>()
                .replace(' ', "-")
        })
        .collect()
}

#[test]
fn links_between_pages_lead_somewhere() {
    let (mut faults, mut links) = (Vec::new(), 0);
    for path in pages() {
        let text = prose(&fs::read_to_string(&path).unwrap());
        for link in text.split("](").skip(1) {
            let link = link.split(')').next().unwrap_or_default();
            if link.is_empty() || link.contains("://") || link.contains(' ') {
                continue;
            }
            links += 1;
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => path.clone(),
                file => path.parent().unwrap().join(file),
            };
            let there = match fs::read_to_string(&target) {
                Ok(page) => anchor.is_empty() || anchors(&page).iter().any(|own| own == anchor),
                Err(_) => anchor.is_empty() && target.exists(),
            };
            if !there {
                faults.push(format!("{}: {link}", path.display()));
            }
        }
    }
    assert!(links > 50, "found only {links} links");
    assert!(faults.is_empty(), "lead nowhere:\n{}", faults.join("\n"));
}

#[test]
fn the_index_of_the_docs_has_every_page() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let index = fs::read_to_string(docs.join("README.md")).unwrap();
    let entries = fs::read_dir(docs).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let pages = names.filter(|name| name.ends_with(".md") && name != "README.md");
    let missing: Vec<_> = pages
        .filter(|name| !index.contains(&format!("]({name}")))
        .collect();
    assert!(missing.is_empty(), "docs/README.md lacks {missing:?}");
}
