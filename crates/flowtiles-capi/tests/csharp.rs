//! bindings/csharp/Flowtiles.cs is what csbindgen makes of the source. Written anew by
//!
//! ```sh
//! CSHARP=write cargo test -p flowtiles-capi --test csharp
//! ```

use std::fs;
use std::path::{Path, PathBuf};

/// What is said at the head of the file.
const HEADER: &str = "\
// flowtiles for C#: the functions, structs and numbers of its C interface. The head of
// include/flowtiles.h says how handles, arrays and errors work.
//
// Written by csbindgen from the crate flowtiles-capi: tests/csharp.rs says how.";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the file for C#, as it should be.
fn generated() -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let sources = fs::read_dir(root().join("src")).expect("the sources");
    let mut sources: Vec<PathBuf> = sources
        .map(|entry| entry.expect("a source").path())
        .collect();
    // Types are known in files that are read later.
    sources.sort_by_key(|path| {
        let name = path.file_name().expect("a name").to_owned();
        (name != "types.rs" && name != "status.rs", name)
    });
    let mut builder = csbindgen::Builder::default();
    for source in sources {
        // csbindgen leaves out functions that have pointers to arrays, which C# has not.
        let text = fs::read_to_string(&source).expect("a source");
        let copy = folder.join(source.file_name().expect("a name"));
        fs::write(&copy, text.replace("*mut [f32; 2]", "*mut f32")).expect("a copy");
        builder = builder.input_extern_file(copy);
    }
    let file = folder.join("Flowtiles.cs");
    builder
        .csharp_file_header(HEADER)
        .csharp_namespace("Flowtiles")
        .csharp_class_name("Native")
        .csharp_class_accessibility("public")
        .csharp_dll_name("flowtiles_capi")
        .csharp_dll_name_if("(UNITY_IOS || UNITY_WEBGL) && !UNITY_EDITOR", "__Internal")
        .csharp_use_nint_types(false)
        .csharp_use_function_pointer(false)
        .csharp_generate_const_filter(|name| name.starts_with("FLOWTILES_"))
        .generate_csharp_file(&file)
        .expect("csbindgen");
    fs::read_to_string(file).expect("the file that csbindgen wrote")
}

#[test]
fn the_file_for_csharp_is_that_of_csbindgen() {
    let path = root().join("bindings/csharp/Flowtiles.cs");
    let generated = generated();
    if std::env::var_os("CSHARP").is_some_and(|value| value == "write") {
        fs::write(&path, &generated).expect("bindings/csharp can be written");
    }
    let committed = fs::read_to_string(&path).expect("bindings/csharp/Flowtiles.cs");
    assert!(
        committed == generated,
        "bindings/csharp/Flowtiles.cs is not of this source: CSHARP=write writes it anew"
    );
}

#[test]
fn the_file_for_csharp_has_every_function_and_number_of_the_header() {
    let header = fs::read_to_string(root().join("include/flowtiles.h")).expect("the header");
    let names = header
        .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .filter(|word| word.starts_with("flowtiles_") || word.starts_with("FLOWTILES_"))
        .filter(|word| word.len() > "FLOWTILES_H".len() && !word.ends_with('_'));
    let file = fs::read_to_string(root().join("bindings/csharp/Flowtiles.cs")).expect("the file");
    // In C# a handle is a ulong, and a status an int.
    let aliases = ["status", "world", "order", "army", "group", "layer"];
    let aliases = aliases.map(|name| format!("flowtiles_{name}"));
    let lacking: Vec<&str> = names
        .filter(|name| !aliases.iter().any(|alias| alias == name))
        .filter(|name| {
            !file.contains(&format!(" {name}("))
                && !file.contains(&format!("* {name}("))
                && !file.contains(&format!(" {name} = "))
                && !file.contains(&format!("struct {name}\n"))
        })
        .collect();
    assert!(
        lacking.is_empty(),
        "bindings/csharp/Flowtiles.cs lacks {lacking:?}"
    );
}
