use std::fmt::{self, Write};

use flowtiles::{Cell, Cost, Digest, Goal, Quality, Rect, Template, Turn};

const TITLE: &str = "flowtiles replay ";
const VERSION: u32 = 1;
/// Bytes of the world on one line.
const LINE: usize = 64;

/// What is told to a battle.
#[derive(Clone, Debug)]
pub enum Input {
    /// The ground of an area changes.
    Edit(Rect, Cost),
    /// A template is stamped.
    Stamp(Template, Cell, Turn),
    /// The stamp with this number is taken away.
    Unstamp(u64),
    /// A blocker is put on a cell.
    Block(Cell),
    /// A blocker is taken from a cell.
    Unblock(Cell),
    /// Units are ordered to a goal.
    Order(Asked, Vec<Cell>),
    /// The claim on the order with this number is dropped; its units go home.
    Drop(u64),
    /// A unit of the order with this number is put elsewhere.
    Shove(u64, usize, Cell),
    /// The engine may work so many cells.
    Tick(u64),
    /// Every unit takes a step, or asks for a way.
    Walk,
    /// The world is saved once nothing waits, and goes on as it is loaded.
    Save,
    /// The state must be this.
    Check(Parts),
}

/// A goal, in parts.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    pub cell: Cell,
    pub start_cost: u64,
    pub nearest: bool,
    pub quality: Quality,
}

impl Asked {
    /// The goal that it makes.
    pub fn goal(self) -> Goal {
        let goal = Goal::at(self.cell)
            .with_start_cost(self.start_cost)
            .with_quality(self.quality);
        if self.nearest {
            goal.or_nearest()
        } else {
            goal
        }
    }
}

/// Hashes of a battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    pub costs: u64,
    pub stamps: u64,
    pub orders: u64,
    pub units: u64,
}

impl Parts {
    /// Which of them are others than in `other`.
    pub fn differing(&self, other: &Self) -> String {
        let pairs = [
            ("costs", self.costs == other.costs),
            ("stamps and blockers", self.stamps == other.stamps),
            ("orders and fields", self.orders == other.orders),
            ("units", self.units == other.units),
        ];
        let differ = pairs.iter().filter(|(_, same)| !same);
        differ.map(|&(name, _)| name).collect::<Vec<_>>().join(", ")
    }
}

/// An input, and the line of the file that it stands on.
pub struct Line {
    pub number: usize,
    pub input: Input,
}

/// A replay.
pub struct Log {
    /// The world at the start, as it is saved.
    pub start: Vec<u8>,
    pub lines: Vec<Line>,
}

const TURNS: [&str; 4] = ["none", "quarter", "half", "three-quarters"];
const QUALITIES: [(&str, Quality); 4] = [
    ("corridor", Quality::Corridor),
    ("wide", Quality::Wide),
    ("exact", Quality::Exact),
    ("everywhere", Quality::Everywhere),
];

impl Log {
    /// The replay as text.
    pub fn write(start: &[u8], inputs: &[Input]) -> String {
        let mut text = format!("{TITLE}{VERSION}\n");
        for bytes in start.chunks(LINE) {
            let _ = writeln!(text, "start {}", Hex(bytes));
        }
        for input in inputs {
            let _ = writeln!(text, "{input}");
        }
        let digest = digest_of(&text);
        let _ = writeln!(text, "digest {digest:016x}");
        text
    }

    /// Reads the text of a replay.
    ///
    /// # Errors
    /// With the line and what is wrong with it.
    pub fn read(text: &str) -> Result<Self, String> {
        let title = text.lines().next().unwrap_or_default();
        match title.strip_prefix(TITLE).map(str::parse::<u32>) {
            Some(Ok(VERSION)) => {}
            Some(Ok(version)) => {
                return Err(format!(
                    "line 1: version {version} of the format, and only {VERSION} is known: \
                     use the flowtiles that wrote it"
                ));
            }
            _ => return Err(format!("line 1: a replay begins with `{TITLE}{VERSION}`")),
        }
        let told = text
            .trim_end_matches('\n')
            .rfind('\n')
            .map_or(0, |at| at + 1);
        let (told, last) = text.split_at(told);
        let digest = last.trim_end().strip_prefix("digest ");
        if digest != Some(&format!("{:016x}", digest_of(told))) {
            return Err("the last line is not the digest of those before it: \
                 the replay was cut off or changed, so take another copy"
                .to_owned());
        }
        let mut log = Self {
            start: Vec::new(),
            lines: Vec::new(),
        };
        for (number, line) in (1..).zip(told.lines()).skip(1) {
            let read = match line.strip_prefix("start ") {
                Some(hex) => unhex(hex).map(|bytes| log.start.extend(bytes)),
                None => input_of(line).map(|input| log.lines.push(Line { number, input })),
            };
            read.ok_or_else(|| format!("line {number}: `{line}` is no input"))?;
        }
        Ok(log)
    }
}

fn digest_of(text: &str) -> u64 {
    let mut digest = Digest::new();
    digest.bytes(text.as_bytes());
    digest.finish()
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Edit(area, cost) => {
                let Rect {
                    x,
                    y,
                    width,
                    height,
                } = area;
                write!(f, "edit {x} {y} {width} {height} {}", cost.value())
            }
            Self::Stamp(template, at, turn) => {
                let (width, height) = (template.width(), template.height());
                let cells = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
                let costs = cells.map(|(x, y)| template.get(x, y).map_or(0, Cost::value));
                let costs: Vec<u8> = costs.collect();
                let turn = TURNS[*turn as usize];
                let Cell { x, y } = at;
                write!(f, "stamp {x} {y} {turn} {width} {height} {}", Hex(&costs))
            }
            Self::Unstamp(number) => write!(f, "unstamp {number}"),
            Self::Block(Cell { x, y }) => write!(f, "block {x} {y}"),
            Self::Unblock(Cell { x, y }) => write!(f, "unblock {x} {y}"),
            Self::Order(asked, units) => {
                let policy = if asked.nearest { "nearest" } else { "strict" };
                let mut qualities = QUALITIES.iter();
                let quality = qualities.find(|(_, quality)| *quality == asked.quality);
                let quality = quality.map_or("corridor", |(name, _)| name);
                let (Cell { x, y }, start) = (asked.cell, asked.start_cost);
                write!(f, "order {x} {y} {policy} {quality} {start}")?;
                units
                    .iter()
                    .try_for_each(|unit| write!(f, " {} {}", unit.x, unit.y))
            }
            Self::Drop(number) => write!(f, "drop {number}"),
            Self::Shove(order, unit, Cell { x, y }) => write!(f, "shove {order} {unit} {x} {y}"),
            Self::Tick(cells) => write!(f, "tick {cells}"),
            Self::Walk => f.write_str("walk"),
            Self::Save => f.write_str("save"),
            Self::Check(parts) => {
                let [a, b, c, d] = [parts.costs, parts.stamps, parts.orders, parts.units];
                write!(f, "check {a:016x} {b:016x} {c:016x} {d:016x}")
            }
        }
    }
}

/// Reads a line; `None` if it is not an input.
fn input_of(line: &str) -> Option<Input> {
    let mut words = line.split(' ');
    let name = words.next()?;
    let input = match name {
        "edit" => {
            let at = cell(&mut words)?;
            let (width, height) = (number(&mut words)?, number(&mut words)?);
            let cost = Cost::new(number(&mut words)?).ok()?;
            Input::Edit(Rect::new(at.x, at.y, width, height), cost)
        }
        "stamp" => {
            let (at, turn) = (cell(&mut words)?, words.next()?);
            let turn = Turn::ALL[TURNS.iter().position(|&name| name == turn)?];
            let (width, height) = (number(&mut words)?, number(&mut words)?);
            let costs = unhex(words.next()?)?;
            let costs: Vec<_> = costs.into_iter().map(|cost| Cost::new(cost).ok()).collect();
            Input::Stamp(Template::new(width, height, &costs).ok()?, at, turn)
        }
        "unstamp" => Input::Unstamp(number(&mut words)?),
        "block" => Input::Block(cell(&mut words)?),
        "unblock" => Input::Unblock(cell(&mut words)?),
        "order" => order_of(&mut words)?,
        "drop" => Input::Drop(number(&mut words)?),
        "shove" => Input::Shove(number(&mut words)?, number(&mut words)?, cell(&mut words)?),
        "tick" => Input::Tick(number(&mut words)?),
        "walk" => Input::Walk,
        "save" => Input::Save,
        "check" => Input::Check(Parts {
            costs: hash(&mut words)?,
            stamps: hash(&mut words)?,
            orders: hash(&mut words)?,
            units: hash(&mut words)?,
        }),
        _ => return None,
    };
    words.next().is_none().then_some(input)
}

fn order_of<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<Input> {
    let at = cell(words)?;
    let nearest = match words.next()? {
        "nearest" => true,
        "strict" => false,
        _ => return None,
    };
    let quality = words.next()?;
    let (_, quality) = *QUALITIES.iter().find(|(name, _)| *name == quality)?;
    let start_cost = number(words)?;
    let mut units = Vec::new();
    while let Some(x) = words.next() {
        units.push(Cell::new(x.parse().ok()?, number(words)?));
    }
    let asked = Asked {
        cell: at,
        start_cost,
        nearest,
        quality,
    };
    Some(Input::Order(asked, units))
}

fn number<'a, T: std::str::FromStr>(words: &mut impl Iterator<Item = &'a str>) -> Option<T> {
    words.next()?.parse().ok()
}

fn cell<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<Cell> {
    Some(Cell::new(number(words)?, number(words)?))
}

fn hash<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<u64> {
    u64::from_str_radix(words.next()?, 16).ok()
}

/// Bytes as two letters each.
struct Hex<'a>(&'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digit = |letter: u8| char::from(letter).to_digit(16).map(|digit| digit as u8);
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let byte = |&[high, low]: &[u8; 2]| Some(digit(high)? << 4 | digit(low)?);
    rest.is_empty().then(|| pairs.iter().map(byte).collect())?
}
