//! bindings/csharp/Flowtiles.cs is what csbindgen makes of the source of the C ABI:
//!
//! ```sh
//! cargo run --manifest-path crates/flowtiles-capi/csharp/Cargo.toml            # checks it
//! cargo run --manifest-path crates/flowtiles-capi/csharp/Cargo.toml -- write   # writes it anew
//! ```

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

/// What is said at the head of the file.
const HEADER: &str = "\
// flowtiles for C#: the functions, structs and numbers of its C interface. The head of
// include/flowtiles.h says how handles, arrays and errors work.
//
// Written by csbindgen from the crate flowtiles-capi: csharp/main.rs says how.";

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let folder = env::temp_dir().join(format!("flowtiles-csharp-{}", std::process::id()));
    fs::create_dir(&folder)?;
    let generated = generated(root, &folder);
    fs::remove_dir_all(&folder)?;
    let generated = generated?;
    let path = root.join("bindings/csharp/Flowtiles.cs");
    match env::args().nth(1).as_deref() {
        None if fs::read_to_string(&path)? == generated => {}
        None => {
            eprintln!("bindings/csharp/Flowtiles.cs is not of this source: `write` writes it anew");
            return Ok(ExitCode::FAILURE);
        }
        Some("write") => fs::write(&path, generated)?,
        Some(other) => {
            eprintln!("{other}: give `write` or nothing");
            return Ok(ExitCode::from(2));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the file for C#, as it should be. Uses an empty folder.
fn generated(root: &Path, folder: &Path) -> Result<String, Box<dyn Error>> {
    let sources = fs::read_dir(root.join("src"))?.map(|entry| entry.map(|entry| entry.path()));
    let mut sources: Vec<PathBuf> = sources.collect::<Result<_, _>>()?;
    // Types are known in files that are read later.
    sources.sort_by_key(|path| {
        let name = path.file_name().unwrap_or_default().to_owned();
        (name != "types.rs" && name != "status.rs", name)
    });
    let mut builder = csbindgen::Builder::default();
    for source in sources {
        // csbindgen leaves out functions that have pointers to arrays, which C# has not.
        let text = fs::read_to_string(&source)?;
        let copy = folder.join(source.file_name().unwrap_or_default());
        fs::write(&copy, text.replace("*mut [f32; 2]", "*mut f32"))?;
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
        .generate_csharp_file(&file)?;
    Ok(fs::read_to_string(file)?)
}
