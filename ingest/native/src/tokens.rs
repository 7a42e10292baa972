//! Words of a line, separated by blanks and tabs.

/// A word and where it stands.
#[derive(Clone, Copy)]
pub struct Token<'a> {
    pub text: &'a [u8],
    pub start: usize,
    pub end: usize,
}

/// The first word of `line` at or after `from`.
#[must_use]
pub fn next(line: &[u8], from: usize) -> Option<Token<'_>> {
    let start = from + line.get(from..)?.iter().position(|&byte| !is_blank(byte))?;
    let length = line[start..].iter().position(|&byte| is_blank(byte));
    let end = length.map_or(line.len(), |length| start + length);
    Some(Token { text: &line[start..end], start, end })
}

#[must_use]
pub fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// Whether all of a word is decimal digits.
#[must_use]
pub fn is_decimal(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(u8::is_ascii_digit)
}

/// Whether all of a word is an address as perf prints it: lower case hexadecimal, at most 16 digits.
#[must_use]
pub fn is_address(text: &[u8]) -> bool {
    !text.is_empty() && text.len() <= 16 && text.iter().all(|&byte| is_hex(byte))
}

#[must_use]
pub fn is_hex(byte: u8) -> bool {
    byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte)
}

/// A decimal number that fits.
#[must_use]
pub fn number<T: std::str::FromStr>(text: &[u8]) -> Option<T> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// `text` without blanks at its ends.
#[must_use]
pub fn trim(text: &[u8]) -> &[u8] {
    let Some(start) = text.iter().position(|&byte| !is_blank(byte)) else {
        return &[];
    };
    let end = text.iter().rposition(|&byte| !is_blank(byte)).unwrap_or(start);
    &text[start..=end]
}

/// `text` without blanks at its end.
#[must_use]
pub fn trim_end(text: &[u8]) -> &[u8] {
    let end = text.iter().rposition(|&byte| !is_blank(byte)).map_or(0, |last| last + 1);
    &text[..end]
}
