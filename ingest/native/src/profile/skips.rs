//! Lines that were not understood: counted by reason, with the first line of each.

/// Counts in the order of first lines.
#[derive(Default)]
pub struct Skips {
    rows: Vec<(String, u64, u32)>,
}

/// Maximum number of distinct reasons; the input names record types, so hostile input could name many.
const MAX_REASONS: usize = 64;

impl Skips {
    pub fn add(&mut self, reason: &str, line: u32) {
        self.add_many(reason, 1, line);
    }

    /// Count `count` lines, the first of them `line`.
    pub fn add_many(&mut self, reason: &str, count: u64, line: u32) {
        if let Some(row) = self.rows.iter_mut().find(|row| row.0 == reason) {
            row.1 += count;
        } else if self.rows.len() < MAX_REASONS {
            self.rows.push((reason.to_owned(), count, line));
        } else if let Some(row) = self.rows.last_mut() {
            row.1 += count;
        }
    }

    /// Reason, count, first line.
    #[must_use]
    pub fn into_rows(self) -> Vec<(String, u64, u32)> {
        self.rows
    }
}
