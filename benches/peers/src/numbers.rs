//! Means and percentiles.

/// Returns the number below which this percentage of the numbers lie.
pub fn percentile(numbers: &[f64], percent: usize) -> Option<f64> {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    Some(sorted[(last * percent + 50) / 100])
}

/// Returns the mean; `None` for no numbers.
pub fn mean(numbers: &[f64]) -> Option<f64> {
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles() {
        let numbers = [3.0, 1.0, 2.0, 5.0, 4.0];
        assert_eq!(percentile(&numbers, 50), Some(3.0));
        assert_eq!(percentile(&numbers, 100), Some(5.0));
        assert_eq!(percentile(&[], 50), None);
    }
}
