//! Steps as JSON, for a web page with a time slider.

use std::fmt::{self, Write};

use super::Step;
use crate::grid::Sector;
use crate::world::PricedPortal;

impl Step {
    /// Writes the step as one JSON object, on one line: `stage` (a word),
    /// `cells`, `taken` and `frontier` (pairs of a portal's id as text and a
    /// price), `loaded`, `settled` and `freed` (pairs of column and row),
    /// `waiting` (column, row and cost-to-go).
    ///
    /// # Errors
    /// If `out` fails; writing to a `String` never does.
    pub fn write_json(&self, out: &mut impl Write) -> fmt::Result {
        write!(
            out,
            r#"{{"stage":"{}","cells":{}"#,
            self.stage.name(),
            self.cells
        )?;
        write_list(out, "taken", &self.taken, write_portal)?;
        write_list(out, "frontier", &self.frontier, write_portal)?;
        write_list(out, "loaded", &self.loaded, write_sector)?;
        write_list(out, "settled", &self.settled, write_sector)?;
        write_list(out, "waiting", &self.waiting, |out, (sector, cost)| {
            write!(out, "[{},{},{cost}]", sector.x, sector.y)
        })?;
        write_list(out, "freed", &self.freed, write_sector)?;
        out.write_char('}')
    }
}

fn write_portal<W: Write>(out: &mut W, priced: &PricedPortal) -> fmt::Result {
    write!(out, r#"["{}",{}]"#, priced.portal, priced.cost)
}

fn write_sector<W: Write>(out: &mut W, sector: &Sector) -> fmt::Result {
    write!(out, "[{},{}]", sector.x, sector.y)
}

/// Writes a member of an object that is a list.
fn write_list<W: Write, T>(
    out: &mut W,
    name: &str,
    values: &[T],
    write: impl Fn(&mut W, &T) -> fmt::Result,
) -> fmt::Result {
    write!(out, r#","{name}":["#)?;
    for (at, value) in values.iter().enumerate() {
        if at > 0 {
            out.write_char(',')?;
        }
        write(out, value)?;
    }
    out.write_char(']')
}
