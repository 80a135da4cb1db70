//! The colours of a picture, and what they cost.

use std::collections::BTreeMap;
use std::fmt;

use flowtiles::Cost;

use crate::ReadError;
use crate::lines::{Lines, TextLine};

/// Red, green, blue and opacity, 0 to 255 each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Colour(pub [u8; 4]);

impl Colour {
    /// Returns an opaque colour.
    #[must_use]
    pub const fn opaque(red: u8, green: u8, blue: u8) -> Self {
        Self([red, green, blue, u8::MAX])
    }

    /// Returns the colour of a pixel with 1 to 4 samples: grey; grey and
    /// opacity; three colours; three colours and opacity.
    pub(super) const fn of_samples(pixel: &[u8]) -> Self {
        match *pixel {
            [grey] => Self::opaque(grey, grey, grey),
            [grey, opacity] => Self([grey, grey, grey, opacity]),
            [red, green, blue] => Self::opaque(red, green, blue),
            [red, green, blue, opacity, ..] => Self([red, green, blue, opacity]),
            [] => Self([0; 4]),
        }
    }

    /// Returns the brightness of an opaque grey; `None` for any other colour.
    pub(super) const fn grey(self) -> Option<u8> {
        match self.0 {
            [red, green, blue, u8::MAX] if red == green && green == blue => Some(red),
            _ => None,
        }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue, opacity] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")?;
        if opacity < u8::MAX {
            write!(f, "{opacity:02x}")?;
        }
        Ok(())
    }
}

/// The cost of each colour of a picture.
///
/// ```
/// use flowtiles::Cost;
/// use flowtiles_formats::{Colour, Palette};
///
/// let palette = Palette::read(b"// two kinds\n#c0d080 1 grass\n#304060 255 deep water\n")?;
/// assert_eq!(palette.cost(Colour::opaque(0x30, 0x40, 0x60)), Some(Cost::WALL));
/// assert_eq!(palette.cost(Colour::opaque(0, 0, 0)), None);
/// # Ok::<(), flowtiles_formats::ReadError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Palette {
    costs: BTreeMap<Colour, Cost>,
    /// The colour to write for each cost: the first that was added.
    first: BTreeMap<Cost, Colour>,
}

impl Palette {
    /// Returns a palette without colours.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the palette with one more colour. Of several colours with the
    /// same cost, the writer uses the one that was added first.
    ///
    /// # Panics
    /// If the palette already has the colour with another cost.
    #[must_use]
    pub fn with(mut self, colour: Colour, cost: Cost) -> Self {
        assert!(
            self.insert(colour, cost),
            "the palette has {colour} with another cost"
        );
        self
    }

    /// Adds a colour; returns false if it already has another cost.
    fn insert(&mut self, colour: Colour, cost: Cost) -> bool {
        self.first.entry(cost).or_insert(colour);
        *self.costs.entry(colour).or_insert(cost) == cost
    }

    /// Returns the cost of a colour, if it has one.
    #[must_use]
    pub fn cost(&self, colour: Colour) -> Option<Cost> {
        self.costs.get(&colour).copied()
    }

    /// Returns the colour to write for each cost, by value.
    pub(crate) fn colours(&self) -> [Option<Colour>; 256] {
        let mut colours = [None; 256];
        for (cost, &colour) in &self.first {
            colours[usize::from(cost.value())] = Some(colour);
        }
        colours
    }

    /// Reads a palette from text: one line for each kind of ground, with its
    /// colour as `#rrggbb` or `#rrggbbaa`, its cost, and optionally its name.
    /// Blank lines and lines that begin with `//` are skipped.
    ///
    /// # Errors
    /// For the first line of another form, and for a colour with two costs.
    pub fn read(text: &[u8]) -> Result<Self, ReadError> {
        let mut palette = Self::new();
        for line in Lines::new(text) {
            let Some(first) = line.words().next() else {
                continue;
            };
            if first.text.starts_with(b"//") {
                continue;
            }
            let (colour, cost) = read_line(line)?;
            if !palette.insert(colour, cost) {
                return Err(first
                    .fault("the colour has another cost in a line above: remove one of the two"));
            }
        }
        Ok(palette)
    }
}

fn read_line(line: TextLine<'_>) -> Result<(Colour, Cost), ReadError> {
    let mut words = line.words();
    let colour = words.next().and_then(|word| colour_of(word.text));
    let colour = colour.ok_or_else(|| {
        let what = "a line begins with a colour: write it as #rrggbb or #rrggbbaa";
        line.place(0).fault(what)
    })?;
    let word = words.next();
    let number = word.and_then(|word| word.number());
    let cost = number.and_then(|cost| Cost::new(u8::try_from(cost).ok()?).ok());
    let cost = cost.ok_or_else(|| {
        let what = "the colour needs a cost after it: write a whole number from 1 to 255";
        line.place(word.map_or(line.text.len(), |word| word.start))
            .fault(what)
    })?;
    Ok((colour, cost))
}

fn colour_of(text: &[u8]) -> Option<Colour> {
    let digits = text.strip_prefix(b"#")?;
    let mut colour = [u8::MAX; 4];
    if !matches!(digits.len(), 6 | 8) {
        return None;
    }
    let digit = |byte: u8| char::from(byte).to_digit(16);
    for (to, pair) in colour.iter_mut().zip(digits.as_chunks::<2>().0) {
        *to = (digit(pair[0])? << 4 | digit(pair[1])?) as u8;
    }
    Some(Colour(colour))
}
