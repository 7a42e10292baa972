//! Weights of all nodes of a tree at once.

use crate::columns::index;

/// Every node's weight with that of all nodes below it.
#[must_use]
pub fn totals(parents: &[i32], weights: &[f64]) -> Vec<f64> {
    let mut totals = weights.to_vec();
    for node in (0..parents.len()).rev() {
        if let Some(parent) = index(parents[node]) {
            totals[parent] += totals[node];
        }
    }
    totals
}

#[cfg(test)]
mod tests {
    use super::totals;

    #[test]
    fn totals_hold_everything_below() {
        let parents = [-1, 0, 1, 2, 3, 0];
        assert_eq!(totals(&parents, &[1.0, 0.0, 0.0, 0.0, 2.0, 4.0]), [7.0, 2.0, 2.0, 2.0, 2.0, 4.0]);
    }
}
