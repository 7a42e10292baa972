//! Replacement of parts of a text.

use std::borrow::Cow;

/// Where the name of a replacement is from: the words, or the matches of rules.
pub(crate) const WORD: usize = 0;
pub(crate) const NAME: usize = 1;

/// A part of the text, what replaces it, and the number of its pseudonym among those of `WORD` or `NAME`.
pub(crate) struct Replacement<'a> {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) kind: usize,
    pub(crate) by: Cow<'a, [u8]>,
    pub(crate) of: (usize, usize),
}

/// A text with its names replaced.
pub(crate) struct Replaced {
    pub(crate) text: Vec<u8>,
    /// Number of replacements by kind.
    pub(crate) counts: Vec<usize>,
    /// What replaced, with its kind.
    pub(crate) used: Vec<((usize, usize), usize)>,
}

/// `text` with `sure` replaced, and those of `rest` that overlap none of them; both are in order.
pub(crate) fn replaced(
    text: &[u8],
    sure: Vec<Replacement<'_>>,
    rest: Vec<Replacement<'_>>,
    kinds: usize,
) -> Replaced {
    let mut counts = vec![0; kinds];
    let mut used = Vec::new();
    let mut redacted = Vec::with_capacity(text.len());
    let mut at = 0;
    let (mut sure, mut rest) = (sure.into_iter().peekable(), rest.into_iter().peekable());
    loop {
        let limit = sure.peek().map_or(usize::MAX, |part| part.start);
        let next = match rest.next_if(|part| part.start < limit) {
            Some(part) if part.start < at || part.end > limit => continue,
            Some(part) => part,
            None => match sure.next() {
                Some(part) => part,
                None => match rest.next() {
                    Some(part) if part.start < at => continue,
                    Some(part) => part,
                    None => break,
                },
            },
        };
        let Replacement { start, end, kind, by, of } = next;
        if start < at {
            continue;
        }
        redacted.extend(&text[at..start]);
        redacted.extend(by.as_ref());
        at = end;
        if let Some(count) = counts.get_mut(kind) {
            *count += 1;
            used.push((of, kind));
        }
    }
    redacted.extend(&text[at..]);
    Replaced { text: redacted, counts, used }
}
