//! `flowtiles page`: the studio as one HTML file, without a server.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use flowtiles_country::numbers::grouped;
use flowtiles_country::whole_file::{check_place, write_whole};
use flowtiles_inspector::one_file;
use serde_json::Value;

use crate::support::failure::Failure;
use crate::support::map_file::read_bytes;

const TARGET: &str = "wasm32-unknown-unknown";
/// The sources that this command was built from.
const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Write the page with its studio into one HTML file
///
/// The file opens from a disk or any web server, asks nothing of the network, and does
/// what `flowtiles inspect` does. The studio is built by cargo from the sources of this
/// command, for wasm32-unknown-unknown
#[derive(clap::Args)]
pub struct Arguments {
    /// Where to write it
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// A studio that is built already: the file `flowtiles_web.wasm`
    #[arg(long, value_name = "FILE")]
    studio: Option<PathBuf>,
}

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let unwritten = |error| Failure::unwritten(&arguments.output, &error);
    check_place(&arguments.output).map_err(unwritten)?;
    let wasm = match &arguments.studio {
        Some(path) => read_bytes(path)?,
        None => read_bytes(&built()?)?,
    };
    if !wasm.starts_with(b"\0asm") {
        let path = arguments.studio.as_deref().unwrap_or(Path::new(SOURCES));
        let fault = "not a WebAssembly file: give `flowtiles_web.wasm`, or leave it out";
        return Err(Failure::in_file(path, fault));
    }
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(&wasm)?;
    let packed = packed.finish()?;
    let page = one_file(&STANDARD.encode(&packed));
    write_whole(&arguments.output, page.as_bytes()).map_err(unwritten)?;
    writeln!(
        out,
        "{}: {} kB, with a studio of {} kB, packed {}",
        arguments.output.display(),
        grouped(page.len() / 1000),
        grouped(wasm.len() / 1000),
        grouped(packed.len() / 1000),
    )?;
    Ok(())
}

/// Builds the studio.
fn built() -> Result<PathBuf, Failure> {
    let sources = Path::new(SOURCES);
    if !sources.join("crates/web/Cargo.toml").is_file() {
        let fault = "the sources of this command are no longer there, and the studio is built \
                     from them: run `cargo flowtiles page -o FILE` in them, or name a \
                     studio with --studio";
        return Err(Failure::Input(fault.to_owned()));
    }
    let cargo = Command::new("cargo")
        .current_dir(sources)
        .args(["build", "--profile", "web", "--package", "flowtiles-web"])
        .args(["--target", TARGET, "--config"])
        .arg(format!(
            "target.{TARGET}.rustflags=['-Ctarget-feature=+simd128']"
        ))
        .args(["--message-format", "json-render-diagnostics"])
        .env_remove("RUSTFLAGS")
        .stderr(Stdio::inherit())
        .output();
    let cargo = cargo.map_err(|error| {
        let fault = format!("cargo, which builds the studio, does not run: {error}");
        Failure::Input(fault)
    })?;
    if !cargo.status.success() {
        let fault = format!(
            "cargo did not build the studio; if the target is missing: `rustup target add {TARGET}`"
        );
        return Err(Failure::Input(fault));
    }
    wasm_named_in(&cargo.stdout).ok_or_else(|| {
        let fault = "cargo built the studio, and did not say where: name the file \
                     `flowtiles_web.wasm` with --studio";
        Failure::Input(fault.to_owned())
    })
}

/// Returns the studio among the files that cargo says it has built, a line for each package:
/// the folder for them may be set in the environment or in a file of cargo's.
fn wasm_named_in(messages: &[u8]) -> Option<PathBuf> {
    let files = messages
        .split(|&byte| byte == b'\n')
        .filter_map(|line| serde_json::from_slice::<Value>(line).ok())
        .flat_map(|message| message["filenames"].as_array().cloned().unwrap_or_default());
    let mut files = files.filter_map(|file| Some(PathBuf::from(file.as_str()?)));
    files.find(|file| file.ends_with("flowtiles_web.wasm"))
}
