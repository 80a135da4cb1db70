//! `flowtiles convert`: writes a map file in another format.

use std::io::Write;
use std::path::{Path, PathBuf};

use flowtiles::CostMap;
use flowtiles_country::whole_file::write_whole;
use flowtiles_formats::{Format, Kinds, MapWriter, Written};
use serde::Serialize;

use crate::support::failure::Failure;
use crate::support::map_file::{self, format_parser, palette};
use crate::support::output::write_json;

/// Write a map file in another format: Moving AI `.map`, text `.txt`, `.flow`,
/// `.png`, or Tiled `.tmx` and `.tmj`. LDtk `.ldtk` is read as well
#[derive(clap::Args)]
pub struct Arguments {
    /// The map to read
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The file to write; its extension names the format
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// The format of IN (also `text`, `movingai`, `json`), whatever its name and first bytes say
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    from: Option<Format>,
    /// The format of OUT (also `text`, `movingai`, `json`), whatever its name says
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    to: Option<Format>,
    #[command(flatten)]
    kinds: map_file::Kinds,
    /// The colours to write each cost in, for a PNG: a text file with lines
    /// `#rrggbb COST`. Without it the PNG is grey
    #[arg(long, value_name = "FILE")]
    out_palette: Option<PathBuf>,
    /// Write costs that the format does not have as the nearest that it has,
    /// instead of refusing them
    #[arg(long)]
    lossy: bool,
    /// Print one JSON object and nothing else
    #[arg(long)]
    json: bool,
}

/// The report as JSON.
#[derive(Serialize)]
struct ConvertObject {
    from: &'static str,
    to: &'static str,
    width: u32,
    height: u32,
    bytes: usize,
    losses: Vec<LossObject>,
    spawns_left_out: usize,
    left_out: Option<&'static str>,
}

#[derive(Serialize)]
struct LossObject {
    cost: u8,
    written: u8,
    cells: u64,
}

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let path = &arguments.output;
    let Some(format) = arguments.to.or_else(|| Format::of_path(path)) else {
        let written = Format::ALL.iter().filter(|format| format.is_written());
        let names: String = written.map(|format| format!(" .{format}")).collect();
        let fault = format_args!("the extension names no format: give one of{names}, or --to");
        return Err(Failure::in_file(path, fault));
    };
    if arguments.out_palette.is_some() && format != Format::Png {
        let fault = format_args!("--out-palette is for .png, and this is .{format}: leave it out");
        return Err(Failure::in_file(path, fault));
    }
    if is_same_file(&arguments.input, path) {
        let fault = "this is the map that is read, and writing it anew may lose what only its \
                     own format says: name another file";
        return Err(Failure::in_file(path, fault));
    }
    let loaded = arguments.kinds.load(&arguments.input, arguments.from)?;
    // Letters are used for the written map, too.
    let kinds = &arguments.kinds;
    kinds.check_input(&arguments.input, loaded.format)?;
    let Written { bytes, losses, .. } = write(arguments, format, &loaded.costs)?;
    write_whole(path, &bytes).map_err(|error| Failure::unwritten(path, &error))?;
    let (width, height) = (loaded.costs.width(), loaded.costs.height());
    let (bytes, spawns_left_out) = (bytes.len(), loaded.spawns.len());
    let left_out = left_out(arguments, loaded.format);
    if arguments.json {
        let losses = losses.iter().map(|loss| LossObject {
            cost: loss.cost.value(),
            written: loss.written.value(),
            cells: loss.cells,
        });
        let object = ConvertObject {
            from: loaded.format.extension(),
            to: format.extension(),
            width,
            height,
            bytes,
            losses: losses.collect(),
            spawns_left_out,
            left_out,
        };
        write_json(&object, out)?;
        return Ok(());
    }
    let from = loaded.format;
    writeln!(
        out,
        "{}: {width}×{height} cells, .{from} to .{format}, {bytes} bytes",
        path.display()
    )?;
    if losses.is_empty() {
        writeln!(out, "no cost was lost")?;
    }
    for loss in losses {
        writeln!(out, "lost: {loss}")?;
    }
    if spawns_left_out > 0 {
        writeln!(out, "lost: {spawns_left_out} spawn points")?;
    }
    if let Some(left_out) = left_out {
        writeln!(out, "left out: {left_out}")?;
    }
    Ok(())
}

/// Returns what a format holds besides costs, which converting loses.
fn left_out(arguments: &Arguments, from: Format) -> Option<&'static str> {
    match from {
        Format::MovingAi => Some("which letter a cell had, where several cost the same"),
        Format::Png if arguments.kinds.has_palette() => {
            Some("which colour a cell had, where several cost the same")
        }
        Format::Png if arguments.kinds.has_heights() => {
            Some("the heights, of which the slopes count")
        }
        Format::Tmx | Format::Tmj | Format::Ldtk => {
            Some("layers, tiles, objects and properties, but for the costs that they come to")
        }
        _ => None,
    }
}

/// Whether two paths lead to the same file, by links or not.
fn is_same_file(one: &Path, other: &Path) -> bool {
    let same = |(one, other): (PathBuf, PathBuf)| one == other;
    let led = one.canonicalize().ok().zip(other.canonicalize().ok());
    led.is_some_and(same) || is_same_on_disk(one, other)
}

/// Whether two names belong to one file on the disk.
#[cfg(unix)]
fn is_same_on_disk(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |path: &Path| path.metadata().ok().map(|file| (file.dev(), file.ino()));
    id(one).is_some_and(|file| Some(file) == id(other))
}

#[cfg(not(unix))]
const fn is_same_on_disk(_: &Path, _: &Path) -> bool {
    false
}

fn write(arguments: &Arguments, format: Format, costs: &CostMap) -> Result<Written, Failure> {
    let mut kinds = Kinds::new().with_terrain(arguments.kinds.terrain());
    if let Some(path) = &arguments.out_palette {
        kinds = kinds.with_palette(palette(path)?);
    }
    let mut writer = MapWriter::new().with_kinds(kinds);
    if arguments.lossy {
        writer = writer.lossy();
    }
    writer.write(format, costs).map_err(|error| {
        let lossy = if arguments.lossy {
            ""
        } else {
            "; --lossy writes the nearest cost that there is"
        };
        let advice = match (error.cost, format) {
            (None, _) => String::new(),
            (_, Format::Png) => format!(" (here: to the file of --out-palette{lossy})"),
            (Some(cost), _) => format!(" (here: --cost LETTER={}{lossy})", cost.value()),
        };
        Failure::in_file(&arguments.output, format_args!("{error}{advice}"))
    })
}
