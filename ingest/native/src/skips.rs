//! Lines that were not understood: counted by reason, with the first line of each.

/// Counts in the order of first lines.
#[derive(Default)]
pub struct Skips {
    rows: Vec<(String, u64, u32)>,
}

/// Distinct reasons that are kept; records are named by the input, so hostile input could name many.
const MAX_REASONS: usize = 64;

impl Skips {
    pub fn add(&mut self, reason: &str, line: u32) {
        if let Some(row) = self.rows.iter_mut().find(|row| row.0 == reason) {
            row.1 += 1;
        } else if self.rows.len() < MAX_REASONS {
            self.rows.push((reason.to_owned(), 1, line));
        } else if let Some(row) = self.rows.last_mut() {
            row.1 += 1;
        }
    }

    /// Reason, count, first line.
    #[must_use]
    pub fn into_rows(self) -> Vec<(String, u64, u32)> {
        self.rows
    }
}
