//! What the commands that make pictures have in common: a map, an order on it,
//! the part that is shown, and the file that is written.

use std::path::Path;

use flowtiles::CostMap;

use crate::asked::{Asked, map_title};
use crate::failure::Failure;
use crate::map_file::MapFile;
use crate::viewport::{Shown, Viewport};
use crate::whole_file::{check_place, write_whole};

/// A map, an order on it, and the part that is shown.
#[derive(clap::Args)]
pub struct Pictured {
    #[command(flatten)]
    map: MapFile,
    #[command(flatten)]
    pub asked: Asked,
    #[command(flatten)]
    viewport: Viewport,
}

/// A map that was read, and how it is shown.
pub struct Opened {
    pub costs: CostMap,
    pub shown: Shown,
    /// Its name and size.
    pub title: String,
}

impl Pictured {
    /// Reads the map, and checks the part that is shown and the file that is to
    /// be written; `side` is as for [`Viewport::on`].
    pub fn open(&self, side: u32, output: &Path) -> Result<Opened, Failure> {
        let costs = self.map.read()?;
        let shown = self.viewport.on(&costs, side)?;
        check_place(output).map_err(|error| Failure::unwritten(output, &error))?;
        Ok(Opened {
            shown,
            title: map_title(&self.map.map, &costs),
            costs,
        })
    }
}

/// Writes a file whole.
pub fn write_picture(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    write_whole(path, bytes).map_err(|error| Failure::unwritten(path, &error))
}
