//! Columns to bytes and back, little-endian as numpy reads them.

/// What a column is made of.
pub trait Value: Copy {
    /// Bytes of one.
    const WIDTH: usize;

    /// Write one into as many bytes.
    fn write(self, place: &mut [u8]);
}

impl Value for i32 {
    const WIDTH: usize = 4;

    fn write(self, place: &mut [u8]) {
        place.copy_from_slice(&self.to_le_bytes());
    }
}

/// Numbers of lines, frames and threads; what does not fit is the largest that does.
impl Value for u32 {
    const WIDTH: usize = 4;

    fn write(self, place: &mut [u8]) {
        i32::try_from(self).unwrap_or(i32::MAX).write(place);
    }
}

impl Value for f64 {
    const WIDTH: usize = 8;

    fn write(self, place: &mut [u8]) {
        place.copy_from_slice(&self.to_le_bytes());
    }
}

/// Write a column into bytes that are as long as it.
pub fn write<T: Value>(column: &[T], bytes: &mut [u8]) {
    for (place, &value) in bytes.chunks_exact_mut(T::WIDTH).zip(column) {
        value.write(place);
    }
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
