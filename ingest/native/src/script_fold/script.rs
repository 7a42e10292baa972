//! Threads that count the pieces of one text, and what they counted as folded text.

use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use crate::folded::lines::{self, NONE, Row, Stacks};
use crate::folded::names::Style;
use crate::folded::writer::{self, Samples};
use crate::perf::reader::Chunk;
use crate::perf::state::State;
use crate::script_fold::Refusal;
use crate::script_fold::counter::{Counter, Counts};
use crate::script_fold::last_frame::FirstFrames;
use crate::script_fold::source::{Input, Piece, READ_BYTES, Source};

/// More threads would wait for the text.
const MOST_THREADS: usize = 8;

/// Chunks that wait for a thread.
const WAITING: usize = 4;

/// Sums of whole numbers are exact below.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// How a text is read.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// 0 takes as many as there are CPUs for us.
    pub threads: usize,
    pub read_bytes: usize,
    pub max_line_bytes: usize,
}

impl Options {
    #[must_use]
    pub fn new(threads: usize, max_line_bytes: usize) -> Self {
        let here = thread::available_parallelism().map_or(1, usize::from);
        let threads = if threads == 0 { here } else { threads };
        Self { threads: threads.min(MOST_THREADS), read_bytes: READ_BYTES, max_line_bytes }
    }
}

/// What the threads share.
struct Shared {
    source: Mutex<Source>,
    is_stopped: Arc<AtomicBool>,
}

impl Shared {
    /// Count pieces until there are no more; `go_on` hears after each how many bytes were handed out.
    fn count(
        &self,
        me: usize,
        max_line_bytes: usize,
        mut go_on: impl FnMut(u64) -> bool,
    ) -> Result<Counter, Refusal> {
        let mut counter = Counter::new(max_line_bytes);
        let mut piece = Piece::default();
        let mut step = || {
            loop {
                let taken = {
                    let mut source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
                    if self.is_stopped.load(Ordering::Relaxed) {
                        return Err(Refusal::Stopped);
                    }
                    if !source.next(me, &mut piece)? {
                        return Ok(());
                    }
                    source.taken
                };
                counter.read(&piece)?;
                if !go_on(taken) {
                    return Err(Refusal::Stopped);
                }
            }
        };
        let result = step();
        if result.is_err() {
            self.is_stopped.store(true, Ordering::Relaxed);
        }
        result.map(|()| counter)
    }
}

/// Fold a file; `go_on` hears how many bytes are read, and says whether they are still wanted.
///
/// # Errors
/// The text is not one plain script.
pub fn read_file(path: &Path, options: Options, go_on: impl FnMut(u64) -> bool) -> Result<Script, Refusal> {
    let file = File::open(path).map_err(|_| Refusal::Unreadable)?;
    let size = file.metadata().map_or(u64::MAX, |about| about.len());
    let threads = if size <= options.read_bytes as u64 { 1 } else { options.threads };
    let shared = Shared {
        source: Mutex::new(Source::new(Input::File(file), options.read_bytes)),
        is_stopped: Arc::default(),
    };
    let results = thread::scope(|scope| {
        let shared = &shared;
        let others: Vec<_> = (1..threads)
            .map_while(|me| {
                let work = move || shared.count(me, options.max_line_bytes, |_| true);
                thread::Builder::new().spawn_scoped(scope, work).ok()
            })
            .collect();
        let mut results = vec![shared.count(0, options.max_line_bytes, go_on)];
        for other in others {
            results.push(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        results
    });
    Script::of(results)
}

/// Threads that count what they are fed.
pub struct Fed {
    give: SyncSender<Chunk>,
    is_stopped: Arc<AtomicBool>,
    threads: Vec<JoinHandle<Result<Counter, Refusal>>>,
}

impl Fed {
    /// Start the threads.
    ///
    /// # Errors
    /// The machine has none to give.
    pub fn start(options: Options) -> Result<Self, Refusal> {
        let (give, chunks) = mpsc::sync_channel(WAITING);
        let is_stopped = Arc::new(AtomicBool::new(false));
        let shared = Arc::new(Shared {
            source: Mutex::new(Source::new(Input::Fed(chunks), options.read_bytes)),
            is_stopped: is_stopped.clone(),
        });
        let threads: Vec<_> = (0..options.threads)
            .map_while(|me| {
                let shared = shared.clone();
                let work = move || shared.count(me, options.max_line_bytes, |_| true);
                thread::Builder::new().spawn(work).ok()
            })
            .collect();
        if threads.is_empty() { Err(Refusal::Unreadable) } else { Ok(Self { give, is_stopped, threads }) }
    }

    /// Count more text; false when it is refused already.
    #[must_use]
    pub fn feed(&self, chunk: Chunk) -> bool {
        !self.is_stopped.load(Ordering::Relaxed) && self.give.send(chunk).is_ok()
    }

    /// Wait for the threads.
    ///
    /// # Errors
    /// The text is not one plain script.
    pub fn finish(self) -> Result<Script, Refusal> {
        drop(self.give);
        let joined = self.threads.into_iter();
        let results = joined
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect();
        Script::of(results)
    }
}

/// A counted text.
pub struct Script {
    parts: Vec<Counts>,
}

impl Script {
    fn of(results: Vec<Result<Counter, Refusal>>) -> Result<Self, Refusal> {
        if results.iter().any(|result| matches!(result, Err(Refusal::Unreadable))) {
            return Err(Refusal::Unreadable);
        }
        let counters: Vec<Counter> = results.into_iter().collect::<Result<_, _>>()?;
        let first = counters.iter().find_map(|counter| counter.first_frames);
        let first: FirstFrames = first.unwrap_or_default();
        let parts = counters.into_iter().map(|counter| counter.finish(first)).collect::<Result<_, _>>()?;
        let script = Self { parts };
        if script.has_threads_named_like_functions() { Err(Refusal::NotPlain) } else { Ok(script) }
    }

    /// Whether a thread without an id may be the outermost frame of a stack that was folded before.
    fn has_threads_named_like_functions(&self) -> bool {
        let irregular = || self.parts.iter().filter_map(|part| part.irregular.as_ref());
        let threads = irregular().flat_map(|state| &state.threads.entries);
        let names: Vec<&str> =
            threads.filter(|thread| thread.tid < 0).map(|thread| thread.comm.as_str()).collect();
        let is_one = |name: &str| names.contains(&name);
        !names.is_empty()
            && (self.parts.iter().flat_map(|part| &part.frames).any(|frame| is_one(&frame.name))
                || irregular().flat_map(|state| &state.frames.entries).any(|frame| is_one(&frame.name)))
    }

    /// The events, in the order of their first samples.
    #[must_use]
    pub fn events(&self) -> Vec<Vec<u8>> {
        let mut seen: Vec<((u64, usize), &[u8])> = Vec::new();
        for part in &self.parts {
            seen.extend(part.events.iter().map(|event| (event.first, event.name.as_slice())));
            let irregular = part.irregular.iter().flat_map(|state| &state.events);
            seen.extend(irregular.zip(&part.firsts).map(|(event, &first)| (first, event.name.as_slice())));
        }
        // Stable: those of one place stand in their order.
        seen.sort_by_key(|event| event.0);
        let mut events: Vec<Vec<u8>> = Vec::new();
        for (_, name) in seen {
            if !events.iter().any(|event| event == name) {
                events.push(name.to_vec());
            }
        }
        events
    }

    /// Write the stacks of one event, weighed by samples or by their periods where all state one.
    ///
    /// # Errors
    /// The periods are too large to be added up; nothing is written.
    pub fn write(
        self,
        event: &[u8],
        by_period: bool,
        style: Style,
        take: impl FnMut(Vec<u8>) -> bool,
    ) -> Result<(), Refusal> {
        let by_period = by_period && self.has_periods(event);
        let mut stacks = Vec::new();
        for part in self.parts {
            let irregular = part.irregular;
            stacks.push(counted(Counts { irregular: None, ..part }, event, by_period, style));
            stacks.extend(irregular.and_then(|state| sampled(state, event, by_period, style)));
        }
        let total: f64 = stacks.iter().flat_map(|part| &part.rows).map(|row| row.weight).sum();
        if total >= EXACT {
            return Err(Refusal::NotPlain);
        }
        lines::write(stacks, take);
        Ok(())
    }

    fn has_periods(&self, event: &[u8]) -> bool {
        let has_periods = |part: &Counts| {
            let mut irregular = part.irregular.iter().flat_map(|state| &state.events);
            part.events.iter().all(|seen| seen.name != event || seen.has_periods)
                && irregular.all(|seen| seen.name != event || seen.samples.has_weights)
        };
        self.parts.iter().all(has_periods)
    }
}

fn number(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(NONE)
}

/// The stacks of one event that were counted.
#[allow(clippy::cast_precision_loss)]
fn counted(part: Counts, event: &[u8], by_period: bool, style: Style) -> Stacks {
    let mut names: Vec<String> =
        part.frames.iter().map(|frame| style.function(&frame.name, &frame.module)).collect();
    let frames = names.len();
    names.extend(part.whos.iter().map(|who| style.thread(&String::from_utf8_lossy(&who.comm))));
    let is_wanted: Vec<bool> = part.whos.iter().map(|who| part.events[who.event].name == event).collect();
    let wanted = part
        .stacks
        .iter()
        .filter(|stack| is_wanted[stack.who as usize] && (stack.leaf != NONE || style == Style::Plain));
    let rows = wanted.map(|stack| Row {
        thread: number(frames + stack.who as usize),
        start: stack.start,
        count: stack.length,
        leaf: stack.leaf,
        weight: (if by_period { stack.periods } else { stack.count }) as f64,
    });
    let rows = rows.collect();
    Stacks { names, callers: part.callers, rows }
}

/// The stacks of one event out of its samples.
fn sampled(state: State, event: &[u8], by_period: bool, style: Style) -> Option<Stacks> {
    let found = state.events.into_iter().find(|seen| seen.name == event)?;
    let names = state.frames.entries.iter().map(|frame| style.function(&frame.name, &frame.module));
    let threads = state.threads.entries.iter();
    let has_name: Vec<bool> =
        threads.clone().map(|thread| style == Style::Inferno || !thread.comm.is_empty()).collect();
    let comms: Vec<String> = threads.map(|thread| style.thread(&thread.comm)).collect();
    let nodes = found.tree.into_nodes();
    let node_frames: Vec<i32> =
        nodes.frames.iter().map(|&frame| i32::try_from(frame).unwrap_or(-1)).collect();
    let ran = found
        .samples
        .threads
        .iter()
        .map(|&thread| if has_name[thread as usize] { i32::try_from(thread).unwrap_or(-1) } else { -1 });
    let ran: Vec<i32> = ran.collect();
    let ones = vec![1.0; if by_period { 0 } else { ran.len() }];
    let weights = if by_period { &found.samples.weights } else { &ones };
    let samples = Samples { nodes: &found.samples.nodes, comms: &ran, weights };
    let mut stacks = writer::stacks(&nodes.parents, &node_frames, names.collect(), comms, &samples);
    if style == Style::Inferno {
        stacks.rows.retain(|row| row.leaf != NONE);
    }
    Some(stacks)
}
