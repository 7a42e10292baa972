//! Test dump: a reading as one comparable string, for tests and fuzzing.

use crate::perf::state::State;

/// Dump everything that a caller can observe.
#[must_use]
pub fn dump(state: State) -> String {
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
        state.frames.entries,
        state.threads.entries,
        state.skips.into_rows()
    )
}
