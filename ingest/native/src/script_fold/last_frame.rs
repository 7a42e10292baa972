//! The last frame of a text: whether it was cut off.
//!
//! A frame without a module was cut when the others have one, as the first frames of the text show.

use crate::perf::perf_script::PerfScript;
use crate::perf::state::State;
use crate::profile::interner::KnownFrame;
use crate::script_fold::Refusal;

/// Frames at the beginning of a text that tell whether it prints modules.
const FIRST_FRAMES: usize = 64;

/// How many of the first frames of a text have a module: in which order regular and irregular ones came is unknown.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct FirstFrames {
    least_modules: usize,
    most_modules: usize,
    are_all: bool,
}

impl FirstFrames {
    /// Those of the first piece, which is all of the text or not: frames of regular samples, and of others.
    pub(crate) fn of(regular: &[KnownFrame], irregular: &[KnownFrame], is_all: bool) -> Self {
        let with_module =
            |frames: &[KnownFrame]| frames.iter().filter(|frame| !frame.module.is_empty()).count();
        // The first of one kind come first in all, but for as many as there are of the other kind.
        let least = |mine: &[KnownFrame], others: usize| {
            with_module(&mine[..FIRST_FRAMES.saturating_sub(others).min(mine.len())])
        };
        Self {
            least_modules: least(regular, irregular.len()).max(least(irregular, regular.len())),
            most_modules: with_module(&regular[..regular.len().min(FIRST_FRAMES)])
                + with_module(&irregular[..irregular.len().min(FIRST_FRAMES)]),
            are_all: is_all || regular.len() + irregular.len() >= FIRST_FRAMES,
        }
    }
}

/// Close the last sample; without its last frame where the text was cut in it.
pub(crate) fn finished(mut read: PerfScript, first: FirstFrames) -> Result<State, Refusal> {
    let state = read.end_lines().map_err(|_| Refusal::NotPlain)?;
    if let Some(is_cut) = state.odd_frame_at_end() {
        let is_cut = match first {
            FirstFrames { least_modules: 3.., .. } => true,
            FirstFrames { most_modules: ..=2, are_all: true, .. } => is_cut,
            _ if is_cut => true,
            _ => return Err(Refusal::NotPlain),
        };
        if is_cut {
            state.stack.pop();
        }
    }
    state.close();
    Ok(read.state)
}
