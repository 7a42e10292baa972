//! When samples happened: how many in every cell of a grid of columns of time, each cut into rows.

/// The grid: column `c`, row `r` begins `c * column_s + r * column_s / rows` after `origin_s`.
pub struct Grid {
    pub origin_s: f64,
    pub column_s: f64,
    pub columns: usize,
    pub rows: usize,
}

impl Grid {
    /// Counts of the cells, column by column; times outside and unknown times are in none. `only` has one flag per time.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, clippy::cast_sign_loss)]
    pub fn counts(&self, times: &[f64], counts: &[f64], only: Option<&[u8]>) -> Vec<f64> {
        let mut cells = vec![0.0; self.columns * self.rows];
        for (at, (&time, &count)) in times.iter().zip(counts).enumerate() {
            let since = time - self.origin_s;
            let column = (since / self.column_s).floor();
            let is_left_out = only.is_some_and(|flags| flags.get(at).is_none_or(|&flag| flag == 0));
            if is_left_out || !(column >= 0.0 && column < self.columns as f64) {
                continue;
            }
            let inside = (since - column * self.column_s) / self.column_s * self.rows as f64;
            let row = (inside.max(0.0) as usize).min(self.rows - 1);
            cells[column as usize * self.rows + row] += count;
        }
        cells
    }
}

#[cfg(test)]
mod tests {
    use super::Grid;

    #[test]
    fn every_time_inside_is_in_one_cell() {
        let grid = Grid { origin_s: 10.0, column_s: 1.0, columns: 2, rows: 4 };
        let times = [10.0, 10.24, 10.25, 10.999, 11.0, 11.99, 12.0, 9.9, f64::NAN];
        assert_eq!(grid.counts(&times, &[1.0; 9], None), [2.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0]);
        let only = [1, 0, 1, 0, 0, 0, 1, 1, 1];
        assert_eq!(grid.counts(&times, &[1.0; 9], Some(&only)), [1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    }
}
