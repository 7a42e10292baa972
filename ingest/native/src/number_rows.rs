//! Rows of plain numbers: the cells of many rows as floats, without a text for each of them.
//!
//! Cells stand between blanks, bars and colons. A unit may stand behind a number, a comma for its point. What a row says
//! beside its numbers is one text: its first word, what stands left of some bar, or the last of two words behind them.

use std::collections::HashMap;

/// Powers of ten that a float holds exactly, as it does every number of that many digits.
const POWERS: [f64; 16] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/// A number of at most 15 digits with a point or comma; a quotient of two exact numbers is rounded once, as in any parser.
fn decimal(number: &[u8]) -> Option<f64> {
    let (mut digits, mut decimals, mut mantissa) = (0, 0, 0_u64);
    let mut is_behind_point = false;
    for &byte in number {
        match byte {
            b'0'..=b'9' => {
                mantissa = mantissa * 10 + u64::from(byte - b'0');
                digits += 1;
                decimals += usize::from(is_behind_point);
            }
            b'.' | b',' if !is_behind_point => is_behind_point = true,
            _ => return None,
        }
        if digits >= POWERS.len() {
            return None;
        }
    }
    #[allow(clippy::cast_precision_loss)]
    (digits > 0).then(|| mantissa as f64 / POWERS[decimals])
}

/// By character, whether it stands between cells.
fn separates(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'|' | b':')
}

/// By character, whether it is a unit behind a number.
fn is_unit(byte: u8) -> bool {
    matches!(byte, b'B' | b'k' | b'K' | b'M' | b'G' | b'T' | b'%')
}

/// Where the text of a row stands.
#[derive(Clone, Copy)]
pub enum Place {
    Nowhere,
    FirstWord,
    LastWord,
    LeftOfBar(usize),
}

/// What rows of one table have in common.
pub struct NumberRows {
    width: usize,
    kept: Vec<bool>,
    /// What a number is multiplied with, by the character behind it and column; empty for nothing.
    factors: Vec<f64>,
    place: Place,
    numbers: HashMap<String, i32>,
    names: Vec<String>,
}

/// The cells that are kept of some rows, and the number of the text of each.
#[derive(Default)]
pub struct Cells {
    pub values: Vec<f64>,
    pub texts: Vec<i32>,
}

impl NumberRows {
    /// Prepare rows of `width` cells, of which the columns in `kept` are.
    ///
    /// # Errors
    /// When there are factors, but not 256 times `width` of them.
    pub fn new(width: usize, kept: &[usize], factors: Vec<f64>, place: Place) -> Result<Self, String> {
        if !factors.is_empty() && factors.len() != 256 * width {
            return Err(format!("{} factors for {width} columns", factors.len()));
        }
        let kept = (0..width).map(|column| kept.contains(&column)).collect();
        Ok(Self { width, kept, factors, place, numbers: HashMap::new(), names: Vec::new() })
    }

    /// The number of a text, in the order in which texts first come.
    pub fn number_of(&mut self, text: &str) -> i32 {
        if let Some(&known) = self.numbers.get(text) {
            return known;
        }
        let number = i32::try_from(self.names.len()).unwrap_or(i32::MAX);
        self.numbers.insert(text.to_owned(), number);
        self.names.push(text.to_owned());
        number
    }

    /// The texts by their numbers.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Add a row to `cells`; one without its text where `has_text` is false.
    ///
    /// # Errors
    /// When it has another number of cells, or one that is no number.
    pub fn read(&mut self, row: &str, has_text: bool, cells: &mut Cells) -> Result<(), String> {
        let mut rest = row;
        if has_text && let Some((text, numbers)) = self.split(row) {
            let number = self.number_of(text);
            cells.texts.push(number);
            rest = numbers;
        }
        self.cells(rest, &mut cells.values).map_err(|reason| format!("{reason}: {row:.200}"))
    }

    /// The text of a row and its numbers; none where rows have no text.
    fn split<'row>(&self, row: &'row str) -> Option<(&'row str, &'row str)> {
        match self.place {
            Place::Nowhere => None,
            Place::FirstWord => {
                let row = row.trim_start();
                Some(row.split_at(row.find([' ', '\t']).unwrap_or(row.len())))
            }
            Place::LastWord => {
                let row = row.trim_end();
                let last = row.rfind([' ', '\t']).map_or(0, |at| at + 1);
                let before = row[..last].trim_end();
                let numbers = before.rfind([' ', '\t']).unwrap_or(0);
                Some((&row[last..], &before[..numbers]))
            }
            Place::LeftOfBar(count) => {
                let bar =
                    row.match_indices('|').nth(count.saturating_sub(1)).map_or(row.len(), |found| found.0);
                let first = row[..bar].split('|').next().unwrap_or("");
                Some((first.trim(), row.get(bar + 1..).unwrap_or("")))
            }
        }
    }

    fn cells(&self, row: &str, values: &mut Vec<f64>) -> Result<(), String> {
        let bytes = row.as_bytes();
        let (mut at, mut column) = (0, 0);
        while at < bytes.len() {
            if separates(bytes[at]) {
                at += 1;
                continue;
            }
            let first = at;
            while at < bytes.len() && !separates(bytes[at]) {
                at += 1;
            }
            if column >= self.width {
                return Err(format!("more than {} cells", self.width));
            }
            if self.kept[column] {
                values.push(self.value(&row[first..at], column)?);
            }
            column += 1;
        }
        if column < self.width {
            return Err(format!("{column} of {} cells", self.width));
        }
        Ok(())
    }

    fn value(&self, cell: &str, column: usize) -> Result<f64, String> {
        let last = cell.as_bytes()[cell.len() - 1];
        let (number, unit) = if is_unit(last) { (&cell[..cell.len() - 1], last) } else { (cell, 0) };
        let value = match decimal(number.as_bytes()) {
            Some(value) => value,
            None => number.replace(',', ".").parse().map_err(|_| format!("{cell:.40} is no number"))?,
        };
        if self.factors.is_empty() {
            return Ok(value);
        }
        Ok(value * self.factors[usize::from(unit) * self.width + column])
    }
}

#[cfg(test)]
mod tests {
    use super::{Cells, NumberRows, Place};

    fn read(place: Place, kept: &[usize], row: &str) -> Result<(Vec<f64>, Vec<String>), String> {
        let mut rows = NumberRows::new(3, kept, Vec::new(), place)?;
        let mut cells = Cells::default();
        rows.read(row, true, &mut cells)?;
        Ok((cells.values, rows.names().to_vec()))
    }

    #[test]
    fn cells_are_numbers_and_the_rest_is_a_text() {
        let all = [0, 1, 2];
        assert_eq!(read(Place::Nowhere, &all, " 1 2,5|3k ").unwrap(), (vec![1.0, 2.5, 3.0], vec![]));
        assert_eq!(read(Place::Nowhere, &[0, 2], "1 x 3").unwrap().0, vec![1.0, 3.0]);
        assert_eq!(read(Place::FirstWord, &all, "sda 1 2 3").unwrap().1, vec!["sda"]);
        assert_eq!(read(Place::LastWord, &all, "1 2 3 2026-11-28 19:08:45").unwrap().1, vec!["19:08:45"]);
        let timed = read(Place::LeftOfBar(1), &all, "28-11 00:00:01| 1 2| 3").unwrap();
        assert_eq!(timed, (vec![1.0, 2.0, 3.0], vec!["28-11 00:00:01".to_owned()]));
    }

    #[test]
    fn a_row_of_other_cells_is_an_error() {
        for row in ["1 2", "1 2 3 4", "1 2 x", ""] {
            assert!(read(Place::Nowhere, &[0, 1, 2], row).is_err(), "{row}");
        }
        assert!(NumberRows::new(3, &[0], vec![1.0], Place::Nowhere).is_err());
    }

    #[test]
    fn a_cell_is_the_float_next_to_its_number() {
        for cell in
            ["0.1", "2.675", "999999999999999", "123456789012.345", "5.", ".5", "0000000000000000001", "1e3"]
        {
            assert_eq!(
                read(Place::Nowhere, &[0], &format!("{cell} 0 0")).unwrap().0,
                vec![cell.parse::<f64>().unwrap()]
            );
        }
        for cell in [".", "1.2.3", "1,2.3", "-", "1_0"] {
            assert!(read(Place::Nowhere, &[0], &format!("{cell} 0 0")).is_err(), "{cell}");
        }
    }

    #[test]
    fn units_multiply_by_column() {
        let mut factors = vec![1.0; 256 * 2];
        factors[usize::from(b'k') * 2 + 1] = 1024.0;
        let mut rows = NumberRows::new(2, &[0, 1], factors, Place::Nowhere).unwrap();
        let mut cells = Cells::default();
        rows.read("1k 2k", true, &mut cells).unwrap();
        assert_eq!(cells.values, vec![1.0, 2048.0]);
    }
}
