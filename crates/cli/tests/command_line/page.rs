//! `flowtiles page`: the page with its studio in one file.

use std::fs;

use crate::command::Folder;

#[test]
fn one_file_is_written_with_the_studio_that_is_named() {
    let folder = Folder::new("page");
    folder.write("studio.wasm", "\0asm and so on");
    let line = ["page", "-o", "demo.html", "--studio", "studio.wasm"];
    let answer = folder.run(&line).answer();
    assert!(answer.starts_with("demo.html: "), "{answer}");
    let page = fs::read_to_string(folder.path().join("demo.html")).expect("a page");
    // What gzip packs begins with these letters in base64.
    assert!(page.contains("<script id=\"studio\" type=\"text/plain\">H4sI"));
}

/// A `cargo` that builds nothing, and says that a file elsewhere is what it has built.
#[cfg(unix)]
#[test]
fn studio_is_found_wherever_cargo_built_it() {
    let folder = Folder::new("page-elsewhere");
    folder.write("flowtiles_web.wasm", "\0asm elsewhere");
    let said = r#"{"reason":"compiler-artifact","filenames":["'$TARGET'/flowtiles_web.wasm"]}"#;
    folder.write("cargo", format!("#!/bin/sh\necho '{said}'\n"));
    let commands = "chmod +x cargo; export TARGET=$PWD PATH=$PWD:$PATH";
    let answer = folder.run_after(commands, "page -o demo.html").answer();
    assert!(answer.contains("with a studio of 0 kB"), "{answer}");
}

#[test]
fn page_refuses_a_bad_studio_and_a_missing_folder() {
    let folder = Folder::new("page-refused");
    folder.write("studio.wasm", "text");
    for (output, part) in [
        ("demo.html", "studio.wasm: not a WebAssembly file"),
        ("missing/demo.html", "missing/demo.html: cannot be written"),
    ] {
        let line = ["page", "-o", output, "--studio", "studio.wasm"];
        let run = folder.run(&line);
        assert_eq!(run.code, Some(2));
        assert!(run.stderr.contains(part), "{}", run.stderr);
        assert!(!folder.path().join(output).exists());
    }
}
