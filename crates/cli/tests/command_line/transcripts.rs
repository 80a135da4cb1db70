//! The pages of `tests/snapshots`: what is typed, and what the command answers.
//!
//! Each `$` line of a console block is run by `sh`, with the `>` lines below it, in a folder
//! of the page's own. After it come its output, its messages (`2>`), the files that a
//! command wrote, and the exit code unless it is 0. With `SNAPSHOTS=write` the answers of
//! now are written into the pages.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use rayon::prelude::*;

use crate::command::{Folder, ROOT};

/// Returns a page with the answers that the commands for which `is_run` give now.
fn answered(page: &str, folder: &Folder, is_run: impl Fn(&str) -> bool) -> String {
    let (mut text, mut is_console) = (String::new(), false);
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        text += &format!("{line}\n");
        is_console = line == "```console" || is_console && line != "```";
        let Some(command) = line.strip_prefix("$ ").filter(|_| is_console) else {
            continue;
        };
        let mut script = command.to_owned();
        while let Some(more) = lines.next_if(|line| line.starts_with("> ")) {
            text += &format!("{more}\n");
            script += &format!("\n{}", &more[2..]);
        }
        if is_run(command) {
            while lines
                .next_if(|line| !line.starts_with("$ ") && *line != "```")
                .is_some()
            {}
            text += &answer(&script, folder);
        }
    }
    text
}

/// Runs a script and returns what there is to see of it.
fn answer(script: &str, folder: &Folder) -> String {
    let before = files(folder.path());
    let run = folder.shell(script);
    let mut text = run.stdout;
    if !text.is_empty() && !text.ends_with('\n') {
        text += "\n";
    }
    for line in run.stderr.lines() {
        text += format!("2> {line}").trim_end();
        text.push('\n');
    }
    let mut written = files(folder.path());
    written.retain(|name, bytes| before.get(name) != Some(bytes));
    if script.starts_with("flowtiles ") && !written.is_empty() {
        let names: Vec<&str> = written.keys().map(String::as_str).collect();
        _ = writeln!(text, "(wrote {})", names.join(", "));
    }
    match run.code {
        Some(0) => {}
        Some(code) => _ = writeln!(text, "(exit code {code})"),
        None => text += "(killed)\n",
    }
    text
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).expect("the folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let named = paths.filter(|path| path.is_file()).map(|path| {
        let name = path.file_name().expect("a name").to_string_lossy();
        (name.into_owned(), fs::read(&path).expect("a file"))
    });
    named.collect()
}

/// Returns the first line at which the answers of now differ from those of a page.
fn difference(path: &Path, folder: &Folder, is_run: impl Fn(&str) -> bool) -> Option<String> {
    let name = path.file_stem().expect("a name").to_string_lossy();
    let page = fs::read_to_string(path).expect("a page");
    let now = answered(&page, folder, is_run);
    if now == page {
        return None;
    }
    if env::var("SNAPSHOTS").is_ok_and(|what| what == "write") {
        fs::write(path, now).expect("the page is written");
        return None;
    }
    let same = now
        .lines()
        .zip(page.lines())
        .take_while(|(now, then)| now == then);
    let line = same.count();
    let at = |text: &str| text.lines().nth(line).unwrap_or("(the end)").to_owned();
    let (now, then) = (at(&now), at(&page));
    Some(format!(
        "{name}, line {}:\n  {then}\nis now\n  {now}\n",
        line + 1
    ))
}

#[test]
fn answers_are_those_of_the_pages() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
    let pages: Vec<_> = fs::read_dir(folder).expect("the pages").collect();
    let pages = pages
        .into_par_iter()
        .map(|page| page.expect("a page").path());
    let faults = pages.filter_map(|page| {
        let name = page.file_stem().expect("a name").to_string_lossy();
        difference(&page, &Folder::new(&format!("page-{name}")), |_| true)
    });
    let faults: Vec<String> = faults.collect();
    assert!(faults.is_empty(), "{}", faults.concat());
}

/// The guide shows what the command says.
#[test]
fn explanations_of_the_guide_are_those_of_the_command() {
    let page = Path::new(ROOT).join("docs/guide/pictures.md");
    let folder = Folder::new("page-of-the-guide");
    folder
        .shell("mkdir docs; cp \"$ROOT\"/docs/valley.map docs")
        .answer();
    let fault = difference(&page, &folder, |command| {
        command.starts_with("flowtiles explain")
    });
    assert_eq!(fault, None);
}
