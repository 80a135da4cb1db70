//! Writing a file of costs.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};

use flowtiles::build::SectorCosts;
use flowtiles::inspect::Digest;
use flowtiles::{MAX_SIDE, SECTOR_SIDE, Sector};

use crate::{FIRST_BLOCK, MAGIC, VERSION};

/// Writes a file of costs: those that `costs` returns for each sector, row by
/// row.
///
/// First fills another file in the same folder, whose name has the number of the process
/// and `.new` added; waits until it is on the disk, and renames it. So the file is
/// always complete, however many threads and processes write it at once, and a
/// process that has the former file mapped is not disturbed. (Windows refuses to
/// replace a mapped file: there it is an error.) A process that is killed meanwhile leaves
/// the other file.
///
/// # Errors
/// If the size is zero or over [`MAX_SIDE`], if a cell costs 0, or if the file
/// cannot be written; then the former file is unchanged.
pub fn write(
    path: impl AsRef<Path>,
    width: u32,
    height: u32,
    costs: impl FnMut(Sector) -> SectorCosts,
) -> io::Result<()> {
    let path = path.as_ref();
    let unwritten = |error: io::Error| {
        let text = format!("{} was not written: {error}", path.display());
        io::Error::new(error.kind(), text)
    };
    if [width, height]
        .iter()
        .any(|side| !(1..=MAX_SIDE).contains(side))
    {
        let text = format!("a map of {width}×{height} cells must have 1 to {MAX_SIDE} a side");
        return Err(unwritten(io::Error::new(io::ErrorKind::InvalidInput, text)));
    }
    let (aside, file) = aside(path).map_err(&unwritten)?;
    let written = write_all(&file, [width, height], costs).and_then(|()| fs::rename(&aside, path));
    written.map_err(|error| {
        // The first error is the one to report.
        let _ = fs::remove_file(&aside);
        unwritten(error)
    })
}

/// Creates a file beside a file, under a name that no file has: another writer may be on another
/// machine, with the same process number.
fn aside(path: &Path) -> io::Result<(PathBuf, File)> {
    static WRITERS: AtomicUsize = AtomicUsize::new(0);
    loop {
        let number = WRITERS.fetch_add(1, Ordering::Relaxed);
        let mut aside = path.as_os_str().to_owned();
        aside.push(format!(".{}-{number}.new", process::id()));
        match File::create_new(&aside) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            created => return Ok((aside.into(), created?)),
        }
    }
}

fn write_all(
    file: &File,
    [width, height]: [u32; 2],
    mut costs: impl FnMut(Sector) -> SectorCosts,
) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    // The number of blocks is known only at the end.
    out.write_all(&head(width, height, 0))?;
    let mut blocks = 0_u32;
    // A word for each sector: its only cost, or which block has its cells.
    let mut words = Vec::new();
    let mut digest = Digest::new();
    let [columns, rows] = [width, height].map(|side| side.div_ceil(SECTOR_SIDE as u32) as i32);
    for y in 0..rows {
        for x in 0..columns {
            let sector = Sector::new(x, y);
            let word = match costs(sector) {
                SectorCosts::Even(cost) => u32::from(cost.value()),
                SectorCosts::Cells(cells) => {
                    check(&cells, sector, [width, height])?;
                    out.write_all(&cells)?;
                    digest.bytes(&cells);
                    blocks += 1;
                    FIRST_BLOCK + blocks - 1
                }
            };
            words.extend_from_slice(&word.to_le_bytes());
        }
    }
    out.write_all(&words)?;
    digest.bytes(&words);
    let head = head(width, height, blocks);
    digest.bytes(&head);
    out.write_all(&digest.finish().to_le_bytes())?;
    let mut file: &File = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&head)?;
    file.sync_all()
}

fn head(width: u32, height: u32, blocks: u32) -> Vec<u8> {
    let mut head = MAGIC.to_vec();
    for number in [VERSION, width, height, blocks] {
        head.extend_from_slice(&number.to_le_bytes());
    }
    head
}

/// Checks that no cell on the map costs 0.
fn check(cells: &[u8; 100], sector: Sector, [width, height]: [u32; 2]) -> io::Result<()> {
    for (slot, _) in cells.iter().enumerate().filter(|(_, cost)| **cost == 0) {
        let (x, y) = (
            sector.x as u32 * 10 + slot as u32 % 10,
            sector.y as u32 * 10 + slot as u32 / 10,
        );
        if x < width && y < height {
            let text = format!(
                "the cell ({x}, {y}) has cost 0: \
                 give 1 for open ground, 255 for a wall"
            );
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
    }
    Ok(())
}
