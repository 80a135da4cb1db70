//! Numbers as people read them.

/// A time in a suitable unit.
#[must_use]
pub fn time(micros: f64) -> String {
    match micros {
        ..10.0 => format!("{micros:.1} µs"),
        10.0..1000.0 => format!("{micros:.0} µs"),
        1000.0..1e6 => format!("{:.1} ms", micros / 1e3),
        _ => format!("{:.2} s", micros / 1e6),
    }
}

/// Bytes in a suitable unit.
#[must_use]
pub fn size(bytes: usize) -> String {
    match bytes {
        ..1000 => format!("{bytes} B"),
        1000..1_000_000 => format!("{} kB", bytes / 1000),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.2} GB", bytes as f64 / 1e9),
    }
}

/// A whole number with its thousands separated.
#[must_use]
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The next of 1, 2, 5, 10, 20, 50 …, or of 0.5, 0.2, 0.1 ….
#[must_use]
pub fn rounded_up(value: f32) -> f32 {
    let steps = [1.0, 2.0, 5.0];
    let powers = (-3..9).map(|power| 10.0_f32.powi(power));
    let mut round = powers.flat_map(|power| steps.map(|step| step * power));
    round.find(|round| *round >= value).unwrap_or(value)
}

/// Rounded to three digits after the point.
#[must_use]
pub fn thousandths(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

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
