//! Columns to bytes and back, little-endian as numpy reads them.

fn bytes<const WIDTH: usize>(values: impl ExactSizeIterator<Item = [u8; WIDTH]>) -> Vec<u8> {
    let mut bytes = vec![0; values.len() * WIDTH];
    for (place, value) in bytes.as_chunks_mut::<WIDTH>().0.iter_mut().zip(values) {
        *place = value;
    }
    bytes
}

#[must_use]
pub fn i4(column: &[i32]) -> Vec<u8> {
    bytes(column.iter().map(|value| value.to_le_bytes()))
}

/// Numbers of lines, frames and threads; what does not fit is the largest that does.
#[must_use]
pub fn u4(column: &[u32]) -> Vec<u8> {
    bytes(column.iter().map(|&value| i32::try_from(value).unwrap_or(i32::MAX).to_le_bytes()))
}

#[must_use]
pub fn f8(column: &[f64]) -> Vec<u8> {
    bytes(column.iter().map(|value| value.to_le_bytes()))
}

#[must_use]
pub fn from_i4(bytes: &[u8]) -> Vec<i32> {
    bytes.as_chunks::<4>().0.iter().map(|&four| i32::from_le_bytes(four)).collect()
}

#[must_use]
pub fn from_f8(bytes: &[u8]) -> Vec<f64> {
    bytes.as_chunks::<8>().0.iter().map(|&eight| f64::from_le_bytes(eight)).collect()
}

/// An index out of a column that was checked to be inside; -1 is none.
#[must_use]
pub fn index(value: i32) -> Option<usize> {
    usize::try_from(value).ok()
}

/// Why columns cannot be a tree.
#[derive(Debug, PartialEq, Eq)]
pub struct NotATree(pub &'static str);

/// Check that every parent precedes its child and every frame is one of `frames`.
///
/// # Errors
/// When the columns break these rules.
pub fn check(parents: &[i32], node_frames: &[i32], frames: usize) -> Result<(), NotATree> {
    if parents.len() != node_frames.len() {
        return Err(NotATree("node columns of unequal length"));
    }
    let is_below = |(at, &parent): (usize, &i32)| index(parent).is_none_or(|parent| parent < at);
    if !parents.iter().enumerate().all(is_below) {
        return Err(NotATree("a parent does not precede its child"));
    }
    if !node_frames.iter().all(|&frame| index(frame).is_some_and(|frame| frame < frames)) {
        return Err(NotATree("a node names a frame that is not there"));
    }
    Ok(())
}
