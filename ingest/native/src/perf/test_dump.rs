//! For tests and fuzzing, which compare ways to read: a reading as one text.

use crate::perf::perf_script::State;

/// Everything a caller can see of a reading.
#[must_use]
pub fn told(state: State) -> String {
    let events: Vec<_> = state
        .events
        .iter()
        .map(|event| {
            let tree = (&event.tree.nodes.parents, &event.tree.nodes.frames, &event.tree.nodes.lines);
            let of = &event.samples;
            let samples = (&of.nodes, &of.weights, &of.times, &of.cpus, &of.threads, &of.lines);
            let rest = (of.has_weights, of.has_times, of.has_cpus, of.deep);
            format!("{:?} {tree:?} {samples:?} {rest:?}", event.name)
        })
        .collect();
    let rest = (&state.comments, state.lost, state.lost_line, state.cut_line);
    format!(
        "{:?} {:?} {events:?} {rest:?} {:?}",
        state.frames.known,
        state.threads.known,
        state.skips.into_rows()
    )
}
