//! The colours of an animation: 255, chosen from its pictures.

use super::Colour;

/// The number of colours chosen from the common ones of the pictures.
const COMMON: usize = 255;

/// A table of colours, and the nearest of them for any colour.
pub struct Palette {
    colours: Vec<Colour>,
    /// By the upper five bits of each band.
    nearest: Vec<u8>,
}

/// The upper five bits of each band, in one number.
fn key(colour: Colour) -> usize {
    colour
        .iter()
        .fold(0, |key, band| key << 5 | usize::from(band >> 3))
}

impl Palette {
    /// The most common colours of these.
    pub fn of(colours: impl Iterator<Item = Colour>) -> Self {
        let mut seen = vec![(0u32, [0u32; 3]); 1 << 15];
        for colour in colours {
            let (count, sums) = &mut seen[key(colour)];
            *count += 1;
            for (sum, band) in sums.iter_mut().zip(colour) {
                *sum += u32::from(band);
            }
        }
        seen.sort_by(|one, two| two.cmp(one));
        let mean = |&(count, sums): &(u32, [u32; 3])| sums.map(|sum| (sum / count) as u8);
        let common = seen.iter().take(COMMON).take_while(|(count, _)| *count > 0);
        let colours: Vec<Colour> = common.map(mean).collect();
        let nearest = (0..1 << 15).map(|key| nearest(&colours, key)).collect();
        Self { colours, nearest }
    }

    /// Returns the index of the nearest colour.
    pub fn place(&self, colour: Colour) -> u8 {
        self.nearest[key(colour)]
    }

    /// Returns the index that stands for no colour.
    pub const fn clear() -> u8 {
        COMMON as u8
    }

    /// Returns all colours, band by band.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.colours.iter().flatten().copied().collect();
        bytes.resize(3 * 256, 0);
        bytes
    }
}

fn nearest(colours: &[Colour], key: usize) -> u8 {
    let wanted = [key >> 10, key >> 5, key].map(|band| ((band & 31) * 8 + 4) as i32);
    let off = |colour: &Colour| -> i32 {
        let bands = wanted.iter().zip(colour);
        bands
            .map(|(wanted, band)| (wanted - i32::from(*band)).pow(2))
            .sum()
    };
    let best = (0..colours.len()).min_by_key(|&place| off(&colours[place]));
    best.unwrap_or(0) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_colours_are_kept_and_others_find_the_nearest() {
        let shown = [[10, 20, 30]; 5].into_iter().chain([[250, 0, 0]; 3]);
        let palette = Palette::of(shown);
        let bytes = palette.bytes();
        let colour = |place: u8| &bytes[3 * usize::from(place)..][..3];
        assert_eq!(colour(palette.place([10, 20, 30])), [10, 20, 30]);
        assert_eq!(colour(palette.place([200, 40, 40])), [250, 0, 0]);
        assert_eq!(bytes.len(), 768);
    }
}
