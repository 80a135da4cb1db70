//! "Did you mean …?" for a name that is not in a list.

use strsim::osa_distance;

/// A name is near another if at most one letter in this many is wrong, missing,
/// superfluous or swapped with the next.
const LETTERS_PER_FAULT: usize = 3;

/// Returns the question in parentheses, to follow the wrong name in a message; empty
/// if no name is near. It names all that are equally near, in the order of the list.
pub fn did_you_mean<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let lower = wrong.to_lowercase();
    let allowed = lower.chars().count().div_ceil(LETTERS_PER_FAULT);
    let faults = names.into_iter().filter_map(|name| {
        let faults = osa_distance(&lower, &name.to_lowercase());
        (faults <= allowed && faults < name.chars().count()).then_some((faults, name))
    });
    let faults: Vec<(usize, &str)> = faults.collect();
    let Some(least) = faults.iter().map(|&(faults, _)| faults).min() else {
        return String::new();
    };
    let nearest = faults.iter().filter(|&&(faults, _)| faults == least);
    let quoted: Vec<String> = nearest.map(|(_, name)| format!("`{name}`")).collect();
    format!(" (did you mean {}?)", quoted.join(" or "))
}

#[cfg(test)]
mod tests {
    use super::did_you_mean;

    const NAMES: [&str; 5] = ["bridge", "bridges", "hold", "avoid-small", "avoid-large"];

    #[test]
    fn near_names_are_suggested() {
        for (wrong, answer) in [
            ("brigdes", " (did you mean `bridges`?)"),
            ("Bridgse", " (did you mean `bridge` or `bridges`?)"),
            ("HOLD", " (did you mean `hold`?)"),
            ("avoid-smll", " (did you mean `avoid-small`?)"),
            ("", ""),
            ("ox", ""),
            ("teleport", ""),
        ] {
            assert_eq!(did_you_mean(wrong, NAMES), answer, "{wrong}");
        }
        assert_eq!(did_you_mean("bridge", []), "");
    }
}
