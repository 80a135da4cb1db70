//! Figures as JSON. They are few and plain, so they need no crate that writes them.

use std::fmt::Write;

/// What can be written as JSON, in one line.
pub trait Json {
    /// Returns the text.
    fn json(&self) -> String;
}

/// Writes a struct as an object; all of its fields must be named.
macro_rules! object {
    ($object:ident: $($field:ident)*) => {
        impl $crate::json::Json for $object {
            fn json(&self) -> String {
                let Self { $($field),* } = self;
                let members = [$((stringify!($field), $crate::json::Json::json($field))),*];
                let members = members.map(|(name, value)| format!("\"{name}\":{value}"));
                format!("{{{}}}", members.join(","))
            }
        }
    };
}
pub(crate) use object;

macro_rules! number {
    ($($number:ty)*) => {
        $(impl Json for $number {
            fn json(&self) -> String {
                self.to_string()
            }
        })*
    };
}
// The floats of the demo are times and shares, so never infinite.
number!(u32 u64 usize f64);

impl<T: Json> Json for Option<T> {
    fn json(&self) -> String {
        self.as_ref().map_or_else(|| "null".to_owned(), Json::json)
    }
}

impl Json for String {
    fn json(&self) -> String {
        let mut quoted = String::from('"');
        for letter in self.chars() {
            match letter {
                '"' | '\\' => quoted.extend(['\\', letter]),
                // Writing to a string cannot fail.
                '\0'..' ' => drop(write!(quoted, "\\u{:04x}", u32::from(letter))),
                _ => quoted.push(letter),
            }
        }
        quoted.push('"');
        quoted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_quoted() {
        let text = "C:\\new \"ä\"\n".to_owned();
        assert_eq!(text.json(), r#""C:\\new \"ä\"\u000a""#);
    }
}
