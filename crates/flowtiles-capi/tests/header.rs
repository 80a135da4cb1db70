//! include/flowtiles.h says what the library has, bindings/csharp/Flowtiles.cs what the header has,
//! and the examples work.

#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
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

/// Returns the functions that a text declares, each with the number of its parameters.
fn declared(text: &str) -> BTreeSet<(&str, usize)> {
    let places = text.match_indices("flowtiles_");
    let functions = places.filter_map(|(at, prefix)| {
        let (name, rest) = text[at + prefix.len()..].split_once('(')?;
        let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
        let count = match rest.split_once(");")?.0 {
            "" | "void" => 0,
            parameters => parameters.split(',').count(),
        };
        is_name.then_some((name, count))
    });
    functions.collect()
}

/// The program in the folder `csharp` writes the file. In `.ci/capi` it checks every byte.
#[test]
fn csharp_file_has_all_functions_and_constants() {
    let [header, file] = ["include/flowtiles.h", "bindings/csharp/Flowtiles.cs"].map(|file| {
        let text = fs::read_to_string(root().join(file)).unwrap();
        let lines = text.lines();
        let code = lines.filter(|line| !line.trim_start().starts_with(['/', '*']));
        code.collect::<Vec<_>>().join("\n")
    });
    let functions = declared(&header);
    assert!(functions.len() > 40, "found only {functions:?}");
    assert_eq!(functions, declared(&file), "the header (left), C# (right)");
    for number in after(&header, "#define FLOWTILES_") {
        // The header's guard has no value.
        if let Some((name, value)) = number.split_once(' ') {
            let line = format!(" FLOWTILES_{name} = {value};");
            assert!(file.contains(&line), "C# lacks{line}");
        }
    }
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

/// Compiles an example without a warning, and returns what it says.
fn said_by(example: &str, compiler: &str, standard: &str) -> Option<String> {
    let include = format!("-I{}", root().join("include").display());
    let source = root().join("examples").join(example);
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{example}.out"));
    let program = program.to_str().unwrap();
    let library = library("libflowtiles_capi.a");
    let strict = [&include, "-Wall", "-Wextra", "-Wpedantic", "-Werror"];
    let built = [
        standard,
        source.to_str().unwrap(),
        "-o",
        program,
        library.to_str().unwrap(),
        "-lpthread",
        "-ldl",
        "-lm",
        "-lgcc_s",
    ];
    run(compiler, &[&strict[..], &built].concat())?;
    run(program, &[])
}

#[test]
fn c_and_cpp_examples_compile_cleanly_and_march() {
    let in_c = said_by("march.c", "gcc", "-std=c99");
    let in_cpp = said_by("march.cpp", "g++", "-std=c++17");
    for said in in_c.iter().chain(&in_cpp) {
        assert!(said.contains("the unit is at 5"), "{said}");
    }
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
