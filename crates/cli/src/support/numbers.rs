//! Numbers of options, and ranks of measured ones.

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

/// Sorts values and returns the smallest that at least `percent` percent do not exceed.
pub fn rank(values: &mut [f64], percent: usize) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let place = (values.len() * percent).div_ceil(100).saturating_sub(1);
    values.get(place).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_values_of_the_list() {
        let mut values: Vec<f64> = (1..=20).rev().map(f64::from).collect();
        for (percent, value) in [(50, 10.0), (95, 19.0), (100, 20.0)] {
            assert_eq!(rank(&mut values, percent), Some(value));
        }
        assert_eq!(rank(&mut values[..1], 50), Some(1.0));
        assert_eq!(rank(&mut [], 50), None);
    }

    #[test]
    fn whole_numbers_are_read_or_refused_with_a_remedy() {
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
}
