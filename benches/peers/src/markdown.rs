//! Tables in Markdown, and a page whose words are written by hand, with each table between
//! two markers.

use std::fmt::Write;

/// The second marker.
pub const END: &str = "<!-- end -->\n";

/// Returns the page with a new part of this name.
pub fn renewed(page: &str, name: &str, part: &str) -> Result<String, String> {
    let begin = format!("<!-- begin {name}: written by benches/peers -->\n");
    let split = page.split_once(&begin).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(END)?;
        Some(format!("{before}{begin}\n{}\n\n{END}{after}", part.trim()))
    });
    split.ok_or_else(|| format!("the page lacks these two lines:\n{begin}{END}"))
}

/// Writes a table of numbers: the titles of its columns, and its rows with theirs.
pub fn table(columns: &[String], rows: impl IntoIterator<Item = (String, Vec<String>)>) -> String {
    let rule = " --: |".repeat(columns.len());
    let mut text = format!("|  | {} |\n| --- |{rule}\n", columns.join(" | "));
    for (title, cells) in rows {
        _ = writeln!(text, "| {title} | {} |", cells.join(" | "));
    }
    text
}
