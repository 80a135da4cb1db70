//! The page with its studio in one file, which asks nothing of a network.

use crate::page::{ASSETS, Asset};

/// The files of the page that are not served: the script of the Worker.
const WORKER: &str = include_str!("../page/worker.js");

/// Starts it while the page is read.
const START: &str = "const studioWorker = new Worker(URL.createObjectURL(new Blob(\
    [document.getElementById(\"worker\").textContent], { type: \"text/javascript\" }))); \
    const studioReady = new Promise((ready, failed) => {\
    studioWorker.onmessage = () => setTimeout(ready); studioWorker.onerror = failed; });";

/// What the file may do: run what is in it.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; \
    worker-src blob:; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; \
    form-action 'none'";

/// Returns the page as one HTML file, with a studio for it: the wasm of `flowtiles-web`, packed
/// with gzip and written in base64.
#[must_use]
pub fn one_file(studio: &str) -> String {
    let icon = asset("/favicon.ico").body.replace('#', "%23");
    let icon = icon.trim().replace('"', "'");
    let style = asset("/style.css").body;
    let script = joined("main.js");
    asset("/")
        .body
        .replacen(
            "<meta charset=\"utf-8\">",
            &format!(
                "<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">"
            ),
            1,
        )
        .replacen("/favicon.ico", &format!("data:image/svg+xml,{icon}"), 1)
        .replacen(
            "<link rel=\"stylesheet\" href=\"/style.css\">",
            &format!("<style>\n{style}</style>"),
            1,
        )
        .replacen(
            "<script type=\"module\" src=\"/main.js\"></script>",
            &format!(
                "<script id=\"worker\" type=\"text/plain\">\n{WORKER}</script>\n\
                 <script>{START}</script>\n<script type=\"module\">\n{script}</script>"
            ),
            1,
        )
        .replacen(
            "</body>",
            &format!("<script id=\"studio\" type=\"text/plain\">{studio}</script>\n</body>"),
            1,
        )
}

fn asset(path: &str) -> &'static Asset {
    let found = ASSETS.iter().find(|asset| asset.path == path);
    found.expect("a file of the page")
}

/// Returns a module and all that it imports as one script: each is a function that is called
/// where it is defined, after those that it imports, and returns what it exports.
fn joined(main: &str) -> String {
    let mut script = String::new();
    join(main, &mut Vec::new(), &mut script);
    script
}

fn join(name: &str, known: &mut Vec<String>, script: &mut String) {
    if known.iter().any(|one| one == name) {
        return;
    }
    known.push(name.to_owned());
    let mut body = String::new();
    let mut exports = Vec::new();
    for line in asset(&format!("/{name}")).body.lines() {
        let imported = line
            .strip_prefix("import {")
            .map(|rest| rest.split_once("} from \"./"));
        let exported = line.strip_prefix("export ");
        if let Some(Some((names, from))) = imported {
            let from = from.trim_end_matches(['"', ';']);
            join(from, known, script);
            let names = names.replace(" as ", ": ");
            body += &format!("const {{{names}}} = {};\n", variable(from));
        } else if let Some(declared) = exported {
            let named = ["async function ", "function ", "class ", "const "];
            let rest = named.iter().find_map(|kind| declared.strip_prefix(kind));
            let rest = rest.expect("an export has a kind and a name");
            let end = rest
                .find(|letter: char| !letter.is_alphanumeric() && letter != '_' && letter != '$');
            exports.push(&rest[..end.expect("what follows its name")]);
            body = body + declared + "\n";
        } else {
            body = body + line + "\n";
        }
    }
    let exports = exports.join(", ");
    *script += &format!(
        "const {} = (() => {{\n{body}return {{ {exports} }};\n}})();\n",
        variable(name)
    );
}

/// The variable of a module.
fn variable(name: &str) -> String {
    name.replace('.', "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_script_has_no_imports_and_each_module_once() {
        let script = joined("main.js");
        let begins = |word: &str| script.lines().any(|line| line.starts_with(word));
        assert!(!begins("import ") && !begins("export "));
        let scripts = ASSETS.iter().filter(|asset| asset.path.ends_with(".js"));
        for asset in scripts {
            let variable = variable(&asset.path[1..]);
            let defined = script.matches(&format!("const {variable} = (")).count();
            assert_eq!(defined, 1, "{variable}");
        }
        assert!(!script.contains("</script"), "it would end the element");
    }

    #[test]
    fn one_file_holds_every_part_and_names_no_other_file() {
        let page = one_file("U1RVRElP");
        for part in [
            "<style>",
            "U1RVRElP</script>",
            "onmessage",
            "new App()",
            POLICY,
        ] {
            assert!(page.contains(part), "no `{part}`");
        }
        for outside in ["href=\"/", "src=\"", "http://", "https://"] {
            let harmless = page.replace("http://www.w3.org/", "");
            assert!(!harmless.contains(outside), "`{outside}`");
        }
    }
}
