//! Words of a line, separated by blanks and tabs.

/// A word and its position.
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

/// A whole number that fits.
#[must_use]
pub fn integer(text: &[u8]) -> Option<i32> {
    if text.len() <= 9 && is_decimal(text) {
        return Some(text.iter().fold(0, |number, &digit| number * 10 + i32::from(digit - b'0')));
    }
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// A number with or without a decimal point, rounded as the language rounds it.
///
/// Up to 15 digits and the power of ten are exact in 53 bits, so the quotient is correctly rounded.
#[must_use]
#[allow(clippy::cast_precision_loss)]
pub fn decimal(text: &[u8]) -> Option<f64> {
    const MOST_DIGITS: usize = 15;
    let mut number = 0_u64;
    let mut digits = 0;
    let mut point = None;
    for &byte in text {
        if byte.is_ascii_digit() && digits < MOST_DIGITS {
            number = number * 10 + u64::from(byte - b'0');
            digits += 1;
        } else if byte == b'.' && point.is_none() {
            point = Some(digits);
        } else {
            return std::str::from_utf8(text).ok()?.parse().ok();
        }
    }
    let behind = point.map_or(0, |point| digits - point);
    (digits > 0).then(|| number as f64 / POWERS[behind])
}

const POWERS: [f64; 16] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

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

#[cfg(test)]
mod tests {
    use super::{decimal, integer};

    #[test]
    fn numbers_are_what_the_language_reads() {
        for text in [
            "0",
            "1038.279013",
            "1038.279013304",
            "999999999.999999",
            "10101010",
            "123456789012345678",
            "5.",
            ".5",
            "0.1",
        ] {
            assert_eq!(decimal(text.as_bytes()), text.parse().ok(), "{text}");
        }
        for text in ["7", "-1", "2147483647", "2147483648", "999999999", "", "x", "1.5"] {
            assert_eq!(integer(text.as_bytes()), text.parse().ok(), "{text}");
        }
        for text in ["", ".", "1.2.3", "1e", "x"] {
            assert_eq!(decimal(text.as_bytes()), text.parse().ok(), "{text}");
        }
    }
}
