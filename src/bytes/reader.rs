//! Reading bytes, with errors that give the position.

use std::ops::Range;

/// An error in bytes being read: what is wrong, and at which position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) at: usize,
    pub(crate) what: &'static str,
}

#[derive(Clone, Debug)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Makes an error at the present position, just after what was read last.
    pub(crate) const fn fault(&self, what: &'static str) -> Fault {
        Fault { at: self.at, what }
    }

    pub(crate) fn byte(&mut self) -> Result<u8, Fault> {
        Ok(self.raw(1)?[0])
    }

    pub(crate) fn raw(&mut self, length: usize) -> Result<&'a [u8], Fault> {
        let rest = &self.bytes[self.at..];
        if rest.len() < length {
            return Err(self.fault("the bytes end too soon"));
        }
        self.at += length;
        Ok(&rest[..length])
    }

    pub(crate) fn number(&mut self) -> Result<u64, Fault> {
        let mut number = 0;
        for group in 0..10 {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7F);
            if group == 9 && bits > 1 {
                break;
            }
            number |= bits << (7 * group);
            if byte < 0x80 {
                let is_short = group == 0 || bits > 0;
                let long = self.fault("a number is written in more bytes than it needs");
                return is_short.then_some(number).ok_or(long);
            }
        }
        Err(self.fault("a number has more than 64 bits"))
    }

    /// Reads a number that must be lower than `end`.
    pub(crate) fn below(&mut self, end: u64, what: &'static str) -> Result<u64, Fault> {
        let number = self.number()?;
        if number < end {
            Ok(number)
        } else {
            Err(self.fault(what))
        }
    }

    /// Reads the next of several numbers that rise: one of those `left`, which are then those
    /// behind it.
    pub(crate) fn rising(
        &mut self,
        left: &mut Range<u64>,
        what: &'static str,
    ) -> Result<u64, Fault> {
        let number = self.number()?;
        if !left.contains(&number) {
            return Err(self.fault(what));
        }
        left.start = number + 1;
        Ok(number)
    }

    /// Returns the number of bytes read so far.
    pub(crate) const fn at(&self) -> usize {
        self.at
    }

    /// Checks that the bytes read since `from` are exactly what the writer
    /// would write. So each value has only one valid form.
    pub(crate) fn hold_to(&self, from: usize, written: &[u8]) -> Result<(), Fault> {
        let read = &self.bytes[from..self.at];
        if read == written {
            return Ok(());
        }
        let same = read.iter().zip(written).take_while(|(a, b)| a == b);
        let at = from + same.count();
        let what = "the encoding is not the one that `save` writes";
        Err(Fault { at, what })
    }

    /// Checks that no bytes are left.
    pub(crate) const fn end(&self) -> Result<(), Fault> {
        if self.at == self.bytes.len() {
            Ok(())
        } else {
            Err(self.fault("bytes follow the end"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::Writer;

    #[test]
    fn numbers_are_read_back_and_cut_ones_refused() {
        let numbers = [0, 1, 127, 128, 300, 1 << 35, u64::MAX - 1, u64::MAX];
        for number in numbers {
            let mut writer = Writer::default();
            writer.number(number);
            let bytes = writer.into_bytes();
            let mut reader = Reader::new(&bytes);
            assert_eq!(reader.number(), Ok(number));
            assert_eq!(reader.end(), Ok(()));
            let cut = &bytes[..bytes.len() - 1];
            assert!(Reader::new(cut).number().is_err());
        }
        assert!(Reader::new(&[0xFF; 11]).number().is_err());
        assert!(Reader::new(&[0x80, 0]).number().is_err(), "0 in two bytes");
        let over = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 2];
        assert!(Reader::new(&over).number().is_err());
    }
}
