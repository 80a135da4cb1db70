//! Each link in the pages of the project leads to a file that is there, and each anchor to
//! a heading. The guide's summary and index have every page. `.ci/guide` also asks this of the
//! book that it has built.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the files of a folder with this extension, by name.
fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join(folder)).into_iter().flatten();
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|end| end == extension))
        .collect();
    files.sort();
    files
}

fn pages() -> Vec<PathBuf> {
    let folders = [
        "",
        "docs",
        "docs/guide",
        "benches/peers",
        "crates/bevy_flowtiles",
        "crates/cli",
        "crates/flowtiles-capi",
        "crates/flowtiles-python",
        "crates/inspector",
        "crates/scenes",
        "crates/studio",
        "examples/bevy",
        "examples/python",
        "examples/windowed",
        "npm/flowtiles",
    ];
    let pages = folders.iter().flat_map(|folder| files(folder, "md"));
    pages.collect()
}

/// Returns the text outside blocks of code.
fn prose(page: &str) -> String {
    let parts = page.split("\n```").step_by(2);
    parts.collect::<Vec<_>>().join("\n")
}

/// Returns what a text links to in Markdown, without addresses of other sites.
fn links(page: &str) -> Vec<String> {
    let prose = prose(page);
    let links = prose.split("](").skip(1);
    let links = links.map(|rest| rest.split(')').next().unwrap_or_default());
    links
        .filter(|link| !link.is_empty() && !link.contains("://") && !link.contains(' '))
        .map(str::to_owned)
        .collect()
}

/// Returns the anchors of a page's headings, as GitHub and mdBook make them.
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

/// Returns the values of the attributes `name` in a page of HTML.
fn attributes(page: &str, name: &str) -> Vec<String> {
    let begin = format!(" {name}=\"");
    let values = page.split(&begin).skip(1);
    let values = values.map(|rest| rest.split('"').next().unwrap_or_default());
    values.map(|value| value.replace("&amp;", "&")).collect()
}

/// Whether a link in the page at `path` leads to a file that is there, and its anchor to one
/// of the file's.
fn leads_somewhere(path: &Path, link: &str) -> bool {
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = match file {
        "" => path.to_owned(),
        file => path.parent().unwrap().join(file),
    };
    match fs::read_to_string(&target) {
        _ if anchor.is_empty() => target.exists(),
        Ok(page) if target.extension().is_some_and(|end| end == "html") => {
            attributes(&page, "id").iter().any(|id| id == anchor)
        }
        Ok(page) => anchors(&page).iter().any(|own| own == anchor),
        Err(_) => false,
    }
}

/// Fails with the links that lead nowhere, and unless there are at least `least` links.
fn check(links: impl Iterator<Item = (PathBuf, String)>, least: usize) {
    let links: Vec<_> = links.collect();
    assert!(links.len() > least, "found only {} links", links.len());
    let faults = links
        .iter()
        .filter(|(path, link)| !leads_somewhere(path, link))
        .map(|(path, link)| format!("{}: {link}\n", path.display()));
    let faults: String = faults.collect();
    assert!(faults.is_empty(), "lead nowhere:\n{faults}");
}

#[test]
fn links_between_pages_lead_somewhere() {
    let of_page = |path: PathBuf| {
        let links = links(&fs::read_to_string(&path).unwrap());
        links.into_iter().map(move |link| (path.clone(), link))
    };
    check(pages().into_iter().flat_map(of_page), 200);
}

/// A link to a file of tests whose text is a name in code is to the test of that name.
#[test]
fn tests_that_pages_name_are_there() {
    let mut named = 0;
    for path in pages() {
        let page = fs::read_to_string(&path).unwrap();
        for (before, after) in page.split("`](").zip(page.split("`](").skip(1)) {
            let name = before.rsplit('`').next().unwrap_or_default();
            let file = after.split(')').next().unwrap_or_default();
            if file.contains("tests/") && file.ends_with(".rs") && name.contains('_') {
                let tests = fs::read_to_string(path.parent().unwrap().join(file)).unwrap();
                let lines: Vec<&str> = tests.lines().map(str::trim_start).collect();
                let tests = lines.join("\n");
                let head = format!("#[test]\nfn {name}()");
                assert!(
                    tests.contains(&head),
                    "{}: no test {name} in {file}",
                    path.display()
                );
                named += 1;
            }
        }
    }
    assert!(named > 30, "found only {named} names");
}

#[test]
#[ignore = "the book must be built before: `.ci/guide` does both"]
fn links_of_the_built_guide_lead_somewhere() {
    let of_page = |path: PathBuf| {
        let page = fs::read_to_string(&path).unwrap();
        let links = ["href", "src"].map(|name| attributes(&page, name));
        let links = links.into_iter().flatten();
        let own = links.filter(|link| !link.is_empty() && !link.contains(':'));
        own.map(|link| (path.clone(), link)).collect::<Vec<_>>()
    };
    // Its error page has links from the root of a site.
    let pages = files("target/guide", "html").into_iter();
    let pages = pages.filter(|path| !path.ends_with("404.html"));
    check(pages.flat_map(of_page), 500);
}

#[test]
fn the_summary_of_the_guide_has_every_chapter_once() {
    let guide = root().join("docs/guide");
    let listed = links(&fs::read_to_string(guide.join("SUMMARY.md")).unwrap());
    for path in files("docs/guide", "md") {
        let name = path.file_name().unwrap().to_str().unwrap();
        let times = listed.iter().filter(|link| *link == name).count();
        let expected = usize::from(name != "SUMMARY.md");
        assert_eq!(times, expected, "SUMMARY.md lists {name} {times} times");
    }
}

#[test]
fn the_index_of_the_docs_has_every_page() {
    let index = fs::read_to_string(root().join("docs/guide/README.md")).unwrap();
    let listed = links(&index);
    let has = |link: &str| listed.iter().any(|own| own.split('#').next() == Some(link));
    let names = |folder: &str, before: &str| -> Vec<String> {
        let names = files(folder, "md").into_iter();
        let names = names.map(|path| path.file_name().unwrap().to_str().unwrap().to_owned());
        names.map(|name| format!("{before}{name}")).collect()
    };
    let mut pages = names("docs", "../");
    pages.extend(names("docs/guide", ""));
    pages.retain(|page| !["README.md", "SUMMARY.md"].contains(&page.as_str()));
    let missing: Vec<_> = pages.iter().filter(|page| !has(page)).collect();
    assert!(missing.is_empty(), "docs/guide/README.md lacks {missing:?}");
}
