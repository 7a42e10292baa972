//! Chunks of text to lines, whole again where a chunk ends in the middle of one.

use memchr::{memchr, memchr_iter};

/// A line is longer than allowed; `line` is its 1-based number.
#[derive(Debug, PartialEq, Eq)]
pub struct LineTooLong {
    pub line: u32,
}

/// How many lines end in `text`.
#[must_use]
pub fn ends(text: &[u8]) -> usize {
    memchr_iter(b'\n', text).count()
}

/// Cuts chunks into lines without their line ends (LF or CRLF) and counts them.
pub struct Lines {
    carry: Vec<u8>,
    next_line: u32,
    max_bytes: usize,
}

impl Lines {
    #[must_use]
    pub fn new(first_line: u32, max_bytes: usize) -> Self {
        Self { carry: Vec::new(), next_line: first_line, max_bytes }
    }

    /// Give every whole line of `chunk` and its number to `take`; keep the unfinished last one.
    ///
    /// # Errors
    /// When a line is longer than allowed.
    pub fn feed(&mut self, chunk: &[u8], mut take: impl FnMut(&[u8], u32)) -> Result<(), LineTooLong> {
        let mut rest = chunk;
        if !self.carry.is_empty() {
            let Some(end) = memchr(b'\n', rest) else {
                return self.keep(rest);
            };
            self.keep(&rest[..end])?;
            let whole = std::mem::take(&mut self.carry);
            self.give(&whole, &mut take)?;
            self.carry = whole;
            self.carry.clear();
            rest = &rest[end + 1..];
        }
        while let Some(end) = memchr(b'\n', rest) {
            self.give(&rest[..end], &mut take)?;
            rest = &rest[end + 1..];
        }
        self.keep(rest)
    }

    /// Give the last line when it has no line end; say whether there was one.
    ///
    /// # Errors
    /// When it is longer than allowed.
    pub fn finish(&mut self, mut take: impl FnMut(&[u8], u32)) -> Result<bool, LineTooLong> {
        let whole = std::mem::take(&mut self.carry);
        if whole.is_empty() {
            return Ok(false);
        }
        self.give(&whole, &mut take)?;
        Ok(true)
    }

    /// Whether the next byte begins a line.
    #[must_use]
    pub fn is_between(&self) -> bool {
        self.carry.is_empty()
    }

    /// The number of the next line.
    #[must_use]
    pub fn next_line(&self) -> u32 {
        self.next_line
    }

    /// Number of lines so far.
    #[must_use]
    pub fn given(&self, first_line: u32) -> u32 {
        self.next_line - first_line
    }

    /// Count lines read elsewhere.
    pub fn skip(&mut self, count: u32) {
        self.next_line = self.next_line.saturating_add(count);
    }

    fn give(&mut self, line: &[u8], take: &mut impl FnMut(&[u8], u32)) -> Result<(), LineTooLong> {
        if line.len() > self.max_bytes {
            return Err(LineTooLong { line: self.next_line });
        }
        take(line.strip_suffix(b"\r").unwrap_or(line), self.next_line);
        self.next_line = self.next_line.saturating_add(1);
        Ok(())
    }

    fn keep(&mut self, part: &[u8]) -> Result<(), LineTooLong> {
        if self.carry.len() + part.len() > self.max_bytes {
            return Err(LineTooLong { line: self.next_line });
        }
        self.carry.extend_from_slice(part);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{LineTooLong, Lines};

    fn lines_of(chunks: &[&str]) -> Vec<(String, u32)> {
        let mut lines = Lines::new(5, 8);
        let mut found = Vec::new();
        let mut take = |line: &[u8], number| found.push((String::from_utf8_lossy(line).into_owned(), number));
        for chunk in chunks {
            lines.feed(chunk.as_bytes(), &mut take).unwrap();
        }
        lines.finish(&mut take).unwrap();
        found
    }

    #[test]
    fn chunks_may_end_anywhere() {
        let whole = lines_of(&["one\r\n\ntwo\nlast"]);
        assert_eq!(whole.iter().map(|(_, number)| *number).collect::<Vec<_>>(), [5, 6, 7, 8]);
        assert_eq!(lines_of(&["o", "ne\r", "\n", "\n", "two\nla", "st"]), whole);
    }

    #[test]
    fn a_line_without_end_is_refused() {
        let mut lines = Lines::new(1, 8);
        lines.feed(b"a\n1234", |_, _| ()).unwrap();
        assert_eq!(lines.feed(b"56789", |_, _| ()), Err(LineTooLong { line: 2 }));
    }
}
