//! Numbers of options.

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

#[cfg(test)]
mod tests {
    use super::*;

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
