//! The results as tables of the page.

use std::fs;
use std::path::Path;

use flowtiles_peers::{machine, markdown};

use super::engine::KINDS;
use super::figures::Figures;
use super::options::Options;
use super::orca::Parameters;
use super::picture;
use super::scenes::Scene;

/// A whole run.
pub struct Report {
    machine: String,
    parameters: Parameters,
    seeds: u64,
    titles: Vec<&'static str>,
    /// Of each scene, by engine.
    pub figures: Vec<[Figures; 3]>,
    pictures: Vec<(Scene, Vec<Vec<[f32; 2]>>)>,
}

impl Report {
    pub fn begin(options: &Options) -> Self {
        Self {
            machine: machine::line(),
            parameters: options.parameters,
            seeds: options.seeds,
            titles: Vec::new(),
            figures: Vec::new(),
            pictures: Vec::new(),
        }
    }

    /// Adds a scene with the picture of each engine.
    pub fn add(&mut self, scene: Scene, pictures: Vec<Vec<[f32; 2]>>) {
        self.titles.push(scene.title);
        if scene.picture.is_some() {
            self.pictures.push((scene, pictures));
        }
    }

    /// Returns the parts of the page.
    pub fn parts(&self) -> [(&'static str, String); 4] {
        [
            ("crowds-run", self.run()),
            ("crowds-times", self.times()),
            ("crowds-bodies", self.bodies()),
            ("crowds-work", self.work()),
        ]
    }

    /// Writes the tables into a page, and the pictures beside it.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        let page = fs::read_to_string(path).map_err(|error| error.to_string())?;
        let mut parts = self.parts().into_iter();
        let page = parts.try_fold(page, |page, (name, part)| {
            markdown::renewed(&page, name, &part)
        })?;
        let written = fs::write(path, page);
        let drawn = picture::draw(&self.pictures);
        let written = written.and_then(|()| fs::write(path.with_file_name("crowds.svg"), drawn));
        written.map_err(|error| error.to_string())
    }

    fn run(&self) -> String {
        let Parameters {
            horizon,
            wall_horizon,
            neighbours,
        } = self.parameters;
        let [own, other] = ["flowtiles", "dodgy_2d"].map(machine::version);
        format!(
            "{}; flowtiles {own}, dodgy_2d {other}; runs of each scene: {}; ORCA looks {horizon} s \
             ahead for bodies and {wall_horizon} s for walls, and takes the {neighbours} nearest \
             neighbours into account.\n",
            self.machine, self.seeds
        )
    }

    /// Writes a table with a row for each scene.
    fn table(
        &self,
        columns: impl IntoIterator<Item = String>,
        cells: impl Fn(&[Figures; 3]) -> Vec<String>,
    ) -> String {
        let rows = self.titles.iter().zip(&self.figures);
        let rows = rows.map(|(title, figures)| ((*title).to_owned(), cells(figures)));
        markdown::table(&columns.into_iter().collect::<Vec<_>>(), rows)
    }

    fn times(&self) -> String {
        let columns = KINDS.map(|kind| format!("{}: nine of ten · all", kind.title()));
        self.table(columns, |figures| {
            let cells = figures.iter().map(|one| {
                let all = match one.never {
                    0 => format!("{:.1}", one.all),
                    never => format!("{never} never"),
                };
                format!("{} · {all}", second(one.most))
            });
            cells.collect()
        })
    }

    fn bodies(&self) -> String {
        let columns = KINDS.map(|kind| format!("{}: on the way · at the end", kind.title()));
        self.table(columns, |figures| {
            let cells = figures.iter().map(|one| {
                let [deepest, rest] = one.overlap;
                format!("{deepest:.2} · {rest:.2}")
            });
            cells.collect()
        })
    }

    fn work(&self) -> String {
        let off = KINDS.map(|kind| format!("off: {}", kind.title()));
        let work = KINDS.map(|kind| format!("time: {}", kind.title()));
        self.table(off.into_iter().chain(work), |figures| {
            let off = figures.iter().map(|one| {
                let off = one.off.map(|off| format!("{off:.2}"));
                off.unwrap_or("–".into())
            });
            let army = figures[1].micros;
            let work = figures.iter().zip(KINDS).map(|(one, kind)| match kind {
                engine if engine == KINDS[1] => format!("{army:.2} µs"),
                _ => format!("{:.1}×", one.micros / army),
            });
            off.chain(work).collect()
        })
    }
}

fn second(second: f32) -> String {
    if second.is_finite() {
        format!("{second:.1}")
    } else {
        "–".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_a_place_for_each_part() {
        let page = include_str!("../../../../docs/benchmarks.md");
        let report = Report::begin(&Options::parse(&[]).unwrap());
        for (name, part) in report.parts() {
            assert!(markdown::renewed(page, name, &part).is_ok(), "{name}");
        }
    }
}
