//! Reader thread: reads parts of a text in sequence and reuses its caches.

use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, SyncSender, TryRecvError, TrySendError};
use std::thread::{self, JoinHandle};

use crate::perf::merge::{Found, Numbers};
use crate::perf::perf_script::PerfScript;
use crate::profile::lines::{LineTooLong, Lines};

/// Parts that wait for a reader: enough that it never waits for us.
const WAITING: usize = 2;

/// Bytes owned elsewhere.
pub type Chunk = Box<dyn AsRef<[u8]> + Send>;

/// A part of the text: the remainder of earlier chunks, and a chunk up to a cut, read in place.
pub(crate) struct Part {
    pub(crate) before: Vec<u8>,
    pub(crate) chunk: Option<(Chunk, usize)>,
}

/// What was found in a part, and how many lines it has.
pub(crate) type Read = Result<(Found, u32), LineTooLong>;

/// Reads parts, wherever it runs.
pub(crate) struct Apart {
    parser: PerfScript,
    max_line_bytes: usize,
}

impl Apart {
    pub(crate) fn new(max_line_bytes: usize) -> Self {
        Self { parser: PerfScript::of_parts(max_line_bytes), max_line_bytes }
    }

    pub(crate) fn read(&mut self, part: &Part) -> Read {
        self.parser.lines = Lines::new(1, self.max_line_bytes);
        self.parser.feed(&part.before)?;
        if let Some((chunk, end)) = &part.chunk {
            self.parser.feed(&(**chunk).as_ref()[..*end])?;
        }
        Ok((self.parser.state.hand_over(), self.parser.lines.given(1)))
    }
}

/// Handle of the thread, for the thread that sends the parts.
pub(crate) struct Reader {
    give: Option<SyncSender<Part>>,
    /// Python may look at a parser from any thread, and a receiver is for one: the lock is never waited for.
    take: Mutex<Receiver<Read>>,
    thread: Option<JoinHandle<()>>,
    pub(crate) numbers: Numbers,
}

impl Reader {
    /// Start one; none when the machine has no thread to give.
    pub(crate) fn start(max_line_bytes: usize) -> Option<Self> {
        let (give, parts) = mpsc::sync_channel::<Part>(WAITING);
        let (found, take) = mpsc::channel();
        let body = move || {
            let mut apart = Apart::new(max_line_bytes);
            for part in parts {
                if found.send(apart.read(&part)).is_err() {
                    break;
                }
            }
        };
        let thread = thread::Builder::new().spawn(body).ok()?;
        Some(Self {
            give: Some(give),
            take: Mutex::new(take),
            thread: Some(thread),
            numbers: Numbers::default(),
        })
    }

    /// Give it a part.
    ///
    /// # Errors
    /// The part, when enough of them wait already.
    pub(crate) fn give(&mut self, part: Part) -> Result<(), Part> {
        match self.give.as_ref().map(|give| give.try_send(part)) {
            Some(Ok(())) => Ok(()),
            Some(Err(TrySendError::Full(part))) => Err(part),
            _ => self.end(),
        }
    }

    /// The next result in order of the parts; none if it is not ready.
    pub(crate) fn take_ready(&mut self) -> Option<Read> {
        match self.take.get_mut().map(|found| found.try_recv()) {
            Ok(Ok(read)) => Some(read),
            Ok(Err(TryRecvError::Empty)) => None,
            _ => self.end(),
        }
    }

    /// The next result; blocks until it is ready.
    pub(crate) fn take(&mut self) -> Read {
        match self.take.get_mut().map(|found| found.recv()) {
            Ok(Ok(read)) => read,
            _ => self.end(),
        }
    }

    /// Go on with the panic of a thread that is gone.
    fn end(&mut self) -> ! {
        let panic = self.thread.take().and_then(|thread| thread.join().err());
        std::panic::resume_unwind(panic.unwrap_or_else(|| Box::new("a reader ended before its text")))
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.give = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
