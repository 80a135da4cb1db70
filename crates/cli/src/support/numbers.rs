//! Numbers as people read and write them.

use std::num::NonZeroUsize;

/// Reads the whole number of an option, from `low` to `high`.
pub fn whole<T: TryFrom<u64> + Into<u64> + Copy>(
    low: T,
    high: T,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let (low, high) = (low.into(), high.into());
        let number = text.trim().parse().ok();
        let number = number.filter(|number| (low..=high).contains(number));
        let number = number.and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| match high {
            u64::MAX => format!(
                "write a whole number from {low} on, for example {}",
                low.max(20)
            ),
            _ => format!("write a whole number from {low} to {high}"),
        })
    }
}

/// Reads a count: at least one, at most `high`.
pub fn count(high: u32) -> impl Fn(&str) -> Result<NonZeroUsize, String> + Clone {
    let read = whole(1_u32, high);
    move |text| {
        let number = read(text)? as usize;
        Ok(NonZeroUsize::new(number).unwrap_or(NonZeroUsize::MIN))
    }
}

/// A time in a suitable unit.
pub fn time(micros: f64) -> String {
    match micros {
        ..10.0 => format!("{micros:.1} µs"),
        10.0..1000.0 => format!("{micros:.0} µs"),
        1000.0..1e6 => format!("{:.1} ms", micros / 1e3),
        _ => format!("{:.2} s", micros / 1e6),
    }
}

/// Bytes in a suitable unit.
pub fn size(bytes: usize) -> String {
    match bytes {
        ..1000 => format!("{bytes} B"),
        1000..1_000_000 => format!("{} kB", bytes / 1000),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.2} GB", bytes as f64 / 1e9),
    }
}

/// A whole number with its thousands separated.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The next of 1, 2, 5, 10, 20, 50 …, or of 0.5, 0.2, 0.1 ….
pub fn rounded_up(value: f32) -> f32 {
    let steps = [1.0, 2.0, 5.0];
    let powers = (-3..9).map(|power| 10.0_f32.powi(power));
    let mut round = powers.flat_map(|power| steps.map(|step| step * power));
    round.find(|round| *round >= value).unwrap_or(value)
}

/// Rounded to three digits after the point.
pub fn thousandths(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_read_or_refused_with_what_to_write() {
        assert_eq!(whole(1_u32, 1000)(" 12"), Ok(12));
        for wrong in ["", "x", "-1", "0", "1001", "1.5", "99999999999999999999"] {
            let told = whole(1_u32, 1000)(wrong);
            assert_eq!(
                told,
                Err("write a whole number from 1 to 1000".to_owned()),
                "{wrong}"
            );
        }
        assert_eq!(count(8)("8").map(NonZeroUsize::get), Ok(8));
        assert!(count(8)("0").is_err() && count(8)("9").is_err());
        let told = whole(0, u64::MAX)("many").unwrap_err();
        assert_eq!(told, "write a whole number from 0 on, for example 20");
    }

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(time(1.25), "1.2 µs");
        assert_eq!(time(12.4), "12 µs");
        assert_eq!(time(1_234.0), "1.2 ms");
        assert_eq!(size(1_500_000), "1.5 MB");
        assert_eq!(size(4_290_000_000), "4.29 GB");
    }

    #[test]
    fn the_end_of_a_scale_is_a_round_number() {
        assert_eq!(
            [0.3, 1.0, 1.1, 340.0].map(rounded_up),
            [0.5, 1.0, 2.0, 500.0]
        );
    }
}
