//! A check of XML before it is parsed: no document type, and limits for the
//! depth, the elements and the attributes.

use super::error::{TiledError, TiledFault};

/// The deepest nesting of elements.
const DEPTH_MAX: usize = 64;
/// The most attributes of one element: a parser may compare each with each.
const ATTRIBUTES_MAX: usize = 64;
/// The most attributes of all elements together.
const ALL_ATTRIBUTES_MAX: usize = 1 << 19;

/// Refuses text that would take a parser too much time or memory, and text that
/// ends inside a tag or a comment. Other faulty text may pass: the parser
/// reports it.
pub(super) fn screen(text: &str) -> Result<(), TiledError> {
    let bytes = text.as_bytes();
    let cut_off = || Err(TiledFault::CutOff.at(place_of(text, text.len())));
    let (mut at, mut depth, mut attributes) = (0, 0_usize, 0);
    while let Some(next) = find(bytes, at, b"<") {
        let fault = |fault: TiledFault| Err(fault.at(place_of(text, next)));
        let rest = &bytes[next..];
        let skipped = [
            (&b"<!--"[..], &b"-->"[..]),
            (b"<![CDATA[", b"]]>"),
            (b"<?", b"?>"),
        ];
        if let Some((begin, end)) = skipped
            .into_iter()
            .find(|(begin, _)| rest.starts_with(begin))
        {
            match find(bytes, next + begin.len(), end) {
                Some(found) => at = found + end.len(),
                None => return cut_off(),
            }
            continue;
        }
        if rest.starts_with(b"<!") {
            return fault(TiledFault::DocumentType);
        }
        let Some((length, here)) = tag(rest) else {
            return cut_off();
        };
        attributes += here;
        if rest.starts_with(b"</") {
            depth = depth.saturating_sub(1);
        } else if rest[length - 2] != b'/' {
            depth += 1;
        }
        if depth > DEPTH_MAX || here > ATTRIBUTES_MAX || attributes > ALL_ATTRIBUTES_MAX {
            return fault(TiledFault::Nesting);
        }
        at = next + length;
    }
    Ok(())
}

/// Returns the number of bytes of a tag and of its attributes; `None` if the
/// tag does not end.
fn tag(rest: &[u8]) -> Option<(usize, usize)> {
    let (mut quote, mut attributes) = (None, 0);
    for (at, &byte) in rest.iter().enumerate().skip(1) {
        match (quote, byte) {
            (None, b'>') => return Some((at + 1, attributes)),
            (None, b'=') => attributes += 1,
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), byte) if open == byte => quote = None,
            _ => {}
        }
    }
    None
}

fn find(bytes: &[u8], from: usize, what: &[u8]) -> Option<usize> {
    let found = bytes
        .get(from..)?
        .windows(what.len())
        .position(|at| at == what);
    Some(from + found?)
}

/// Returns the place of a byte of a text, as line and column.
pub(super) fn place_of(text: &str, at: usize) -> String {
    let before = &text.as_bytes()[..at];
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let begin = before.iter().rposition(|&byte| byte == b'\n');
    let column = at - begin.map_or(0, |begin| begin + 1) + 1;
    format!("line {line}, column {column}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> Option<(String, TiledFault)> {
        let error = screen(text).err()?;
        Some((error.place, error.fault))
    }

    #[test]
    fn what_a_parser_should_not_be_given_is_refused() {
        let doctype = "<?xml version='1.0'?>\n <!DOCTYPE map [<!ENTITY a 'x'>]><map/>";
        let place = "line 2, column 2".to_owned();
        assert_eq!(fault(doctype), Some((place, TiledFault::DocumentType)));
        let is_nesting =
            |text: &str| fault(text).map(|(_, fault)| fault) == Some(TiledFault::Nesting);
        assert!(is_nesting(&"<a>".repeat(65)));
        assert!(!is_nesting(&"<a></a><a/>".repeat(100)));
        let attributes: String = (0..65).map(|at| format!(" a{at}='>'")).collect();
        assert!(is_nesting(&format!("<a{attributes}/>")));
        assert!(is_nesting(&"<a b=''/>".repeat((1 << 19) + 1)));
    }

    #[test]
    fn comments_and_quotes_hide_nothing_and_count_for_nothing() {
        assert_eq!(
            fault("<!-- <!DOCTYPE a> --><a><![CDATA[<!DOCTYPE]]></a>"),
            None
        );
        assert_eq!(fault("<a b='<!-- > '/>"), None);
        assert!(fault("<a b='<!--'/><!DOCTYPE a><!-- -->").is_some());
        assert_eq!(fault(""), None);
        for cut in ["<", "<!-- a", "<a b='", "<?x", "<![CDATA["] {
            let place = format!("line 2, column {}", cut.len() + 1);
            let expected = Some((place, TiledFault::CutOff));
            assert_eq!(fault(&format!("\n{cut}")), expected, "{cut}");
        }
    }
}
