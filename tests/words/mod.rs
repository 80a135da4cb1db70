//! Source text as words, for tests that read the source.

/// Drops comments, strings and characters, and divides the rest into words and
/// signs, with `::` as one sign.
pub fn words_of(source: &str) -> Vec<String> {
    let text: Vec<char> = source.chars().collect();
    let mut words: Vec<String> = Vec::new();
    let mut at = 0;
    let ahead = |at: usize, what: &str| {
        what.chars()
            .enumerate()
            .all(|(i, c)| text.get(at + i) == Some(&c))
    };
    while at < text.len() {
        let here = text[at];
        if ahead(at, "//") {
            at += text[at..].iter().take_while(|&&c| c != '\n').count();
        } else if ahead(at, "/*") {
            at += 2;
            while at < text.len() && !ahead(at, "*/") {
                at += 1;
            }
            at += 2;
        } else if here == '"' {
            at += 1;
            while at < text.len() && text[at] != '"' {
                at += if text[at] == '\\' { 2 } else { 1 };
            }
            at += 1;
        } else if here == '\'' {
            // A character, or a lifetime: 'x' and '\n' end in a quote.
            let escaped = text.get(at + 1) == Some(&'\\');
            let length = if escaped {
                3 + text[at + 3..].iter().take_while(|&&c| c != '\'').count()
            } else if text.get(at + 2) == Some(&'\'') {
                2
            } else {
                0
            };
            at += length + 1;
        } else if here.is_alphanumeric() || here == '_' {
            let length = text[at..]
                .iter()
                .take_while(|c| c.is_alphanumeric() || **c == '_')
                .count();
            words.push(text[at..at + length].iter().collect());
            at += length;
        } else if ahead(at, "::") {
            words.push("::".into());
            at += 2;
        } else {
            if !here.is_whitespace() {
                words.push(here.into());
            }
            at += 1;
        }
    }
    words
}
