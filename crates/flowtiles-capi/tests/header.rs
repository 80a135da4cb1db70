//! include/flowtiles.h says what the library has, and the example in C works.

#![cfg(target_os = "linux")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns what follows `start` in each place of a text, up to a letter that ends it.
fn after<'t>(text: &'t str, start: &'t str) -> impl Iterator<Item = &'t str> {
    let rests = text.split(start).skip(1);
    rests.map(|rest| {
        rest.split(['(', ';', '\n'])
            .next()
            .unwrap_or_default()
            .trim()
    })
}

#[test]
fn the_header_has_every_function_and_every_number() {
    let header = fs::read_to_string(root().join("include/flowtiles.h")).unwrap();
    let words: Vec<&str> = header.split_whitespace().collect();
    let spaced = words.join(" ").replace('(', " (");
    let (mut functions, mut faults) = (0, Vec::new());
    for entry in fs::read_dir(root().join("src")).unwrap() {
        let source = fs::read_to_string(entry.unwrap().path()).unwrap();
        for name in after(&source, "extern \"C\" fn ") {
            functions += 1;
            if !spaced.contains(&format!("{name} (")) {
                faults.push(name.to_owned());
            }
        }
        for number in after(&source, "pub const FLOWTILES_") {
            let (name, value) = number.split_once(':').unwrap();
            let value = value.split('=').nth(1).unwrap().trim();
            let value = value.strip_prefix("0x").map_or_else(
                || value.to_owned(),
                |digits| u8::from_str_radix(digits, 16).unwrap().to_string(),
            );
            if !spaced.contains(&format!("#define FLOWTILES_{name} {value}")) {
                faults.push(format!("FLOWTILES_{name} = {value}"));
            }
        }
    }
    assert!(functions > 40, "found only {functions} functions");
    assert!(
        faults.is_empty(),
        "include/flowtiles.h lacks {faults:?}: cbindgen.toml says how it is written"
    );
}

#[test]
fn the_header_is_that_of_cbindgen() {
    let root = root().to_str().unwrap();
    let header = format!("{root}/include/flowtiles.h");
    run(
        "cbindgen",
        &["--quiet", "--verify", "--output", &header, root],
    );
}

/// Runs a program, or says that it is not there.
fn run(program: &str, arguments: &[&str]) -> Option<String> {
    let Ok(out) = Command::new(program).args(arguments).output() else {
        eprintln!("SKIPPED: {program} is not there");
        return None;
    };
    let words = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "{program} {arguments:?}: {words}");
    Some(String::from_utf8_lossy(&out.stdout).into_owned())
}

/// Returns the path of a library beside this test.
fn library(name: &str) -> PathBuf {
    std::env::current_exe().unwrap().with_file_name(name)
}

#[test]
fn the_example_in_c_is_compiled_without_a_warning_and_marches() {
    let include = format!("-I{}", root().join("include").display());
    let example = root().join("examples/march.c");
    let example = example.to_str().unwrap();
    let strict = [&include, "-Wall", "-Wextra", "-Wpedantic", "-Werror"];
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("march");
    let (program, library) = (program.to_str().unwrap(), library("libflowtiles_capi.a"));
    let linked = [
        library.to_str().unwrap(),
        "-lpthread",
        "-ldl",
        "-lm",
        "-lgcc_s",
    ];
    let build = [&strict[..], &["-std=c99", example, "-o", program], &linked].concat();
    if run("gcc", &build).is_some() {
        let said = run(program, &[]).unwrap();
        assert!(said.contains("the unit is at 5"), "{said}");
    }
    run(
        "g++",
        &[
            &strict[..],
            &["-std=c++17", "-fsyntax-only", "-xc++", example],
        ]
        .concat(),
    );
}

#[test]
fn the_example_in_python_marches_as_the_one_in_c() {
    let example = root().join("examples/march.py");
    let library = library("libflowtiles_capi.so");
    let arguments = [example.to_str().unwrap(), library.to_str().unwrap()];
    if let Some(said) = run("python3", &arguments) {
        assert!(said.contains("the unit is at 5"), "{said}");
    }
}
