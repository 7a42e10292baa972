//! Weighed stacks as text: sorted `comm;outermost;…;innermost weight` lines, equal stacks merged.
//!
//! Names are ranked once, so that stacks are sorted by numbers. Of two lines the first byte that differs decides, and
//! a name ends in `;` or, as the last of its line, in nothing: it has a rank for each.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::io::Write as _;
use std::thread;

/// No thread, or no frame.
pub const NONE: u32 = u32::MAX;

/// What a stack without frames and without a thread is called.
const NO_STACK: &str = "[no stack]";

/// Partitions this short are sorted by comparison.
const FEW: usize = 12;

/// The text is handed over in pieces of so many bytes, and a line more.
const PIECE_BYTES: usize = 1 << 20;

/// Stacks whose names are numbers in `names`; one of several parts.
#[derive(Default)]
pub struct Stacks {
    pub names: Vec<String>,
    /// Callers, outermost first.
    pub callers: Vec<u32>,
    pub rows: Vec<Row>,
}

/// One stack: a thread, a range of `callers`, and the innermost frame, which every stack with frames has.
///
/// A row without a leaf has no callers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    pub thread: u32,
    pub start: usize,
    pub count: u32,
    pub leaf: u32,
    pub weight: f64,
}

impl Stacks {
    /// The name at `depth`, of which the numbers are ranks; `None` behind the last.
    fn at(&self, row: &Row, depth: usize) -> Option<u32> {
        let mut depth = depth;
        if row.thread != NONE {
            if depth == 0 {
                return Some(row.thread);
            }
            depth -= 1;
        }
        match depth.cmp(&(row.count as usize)) {
            Ordering::Less => Some(self.callers[row.start + depth]),
            Ordering::Equal if row.leaf != NONE => Some(row.leaf),
            _ => None,
        }
    }

    fn callers_of(&self, row: &Row) -> &[u32] {
        &self.callers[row.start..row.start + row.count as usize]
    }

    /// Leave out the frames whose name is empty, and name what has no name at all.
    fn complete(&mut self) {
        if self.names.iter().any(String::is_empty) {
            self.leave_out_empty_names();
        }
        if self.rows.iter().any(|row| row.thread == NONE && row.leaf == NONE) {
            let number = u32::try_from(self.names.len()).unwrap_or(NONE);
            self.names.push(NO_STACK.to_owned());
            for row in self.rows.iter_mut().filter(|row| row.thread == NONE && row.leaf == NONE) {
                row.leaf = number;
            }
        }
    }

    fn leave_out_empty_names(&mut self) {
        let mut callers = Vec::new();
        for row in &mut self.rows {
            let old = self.callers[row.start..row.start + row.count as usize].iter().copied();
            let start = callers.len();
            let named = |name: &u32| *name != NONE && !self.names[*name as usize].is_empty();
            callers.extend(old.chain([row.leaf]).filter(named));
            row.leaf = if callers.len() > start { callers.pop().unwrap_or(NONE) } else { NONE };
            row.start = start;
            row.count = u32::try_from(callers.len() - start).unwrap_or(u32::MAX);
        }
        self.callers = callers;
    }

    fn rank(&mut self, ranks: &Ranks, numbers: &[u32]) {
        for name in &mut self.callers {
            *name = ranks.inner[numbers[*name as usize] as usize];
        }
        for row in &mut self.rows {
            if row.thread != NONE {
                let thread = numbers[row.thread as usize] as usize;
                row.thread = if row.leaf == NONE { ranks.last[thread] } else { ranks.inner[thread] };
            }
            if row.leaf != NONE {
                row.leaf = ranks.last[numbers[row.leaf as usize] as usize];
            }
        }
    }

    /// Sort the rows by radix, one name after another, as multikey quicksort does.
    fn sort(&mut self) {
        let mut rows = std::mem::take(&mut self.rows);
        let mut work = vec![(0, rows.len(), 0)];
        while let Some((start, end, depth)) = work.pop() {
            let part = &mut rows[start..end];
            if part.len() <= FEW {
                part.sort_unstable_by(|a, b| self.compare_with(a, self, b, depth));
                continue;
            }
            let middle = [0, part.len() / 2, part.len() - 1].map(|at| self.at(&part[at], depth));
            let [a, b, c] = middle;
            let pivot = a.max(b).min(a.min(b).max(c));
            let (mut less, mut at, mut more) = (0, 0, part.len());
            while at < more {
                match self.at(&part[at], depth).cmp(&pivot) {
                    Ordering::Less => {
                        part.swap(less, at);
                        less += 1;
                        at += 1;
                    }
                    Ordering::Equal => at += 1,
                    Ordering::Greater => {
                        more -= 1;
                        part.swap(at, more);
                    }
                }
            }
            work.push((start, start + less, depth));
            work.push((start + more, end, depth));
            if pivot.is_some() {
                work.push((start + less, start + more, depth + 1));
            }
        }
        self.rows = rows;
    }

    /// Compare rows of two parts that are equal up to `depth`.
    fn compare_with(&self, a: &Row, other: &Self, b: &Row, depth: usize) -> Ordering {
        let mut depth = depth;
        if (a.thread == NONE) == (b.thread == NONE) {
            let threads = usize::from(a.thread != NONE);
            if depth < threads && a.thread != b.thread {
                return a.thread.cmp(&b.thread);
            }
            let skipped = depth.saturating_sub(threads);
            let (mine, theirs) = (self.callers_of(a), other.callers_of(b));
            let both = mine.len().min(theirs.len());
            if skipped < both {
                let by_callers = mine[skipped..both].cmp(&theirs[skipped..both]);
                if by_callers != Ordering::Equal {
                    return by_callers;
                }
            }
            depth = depth.max(threads + both);
        }
        loop {
            let (mine, theirs) = (self.at(a, depth), other.at(b, depth));
            match mine.cmp(&theirs) {
                Ordering::Equal if mine.is_some() => depth += 1,
                decided => return decided,
            }
        }
    }
}

/// Ranks of the distinct names: within a line, and as the last of one.
struct Ranks {
    inner: Vec<u32>,
    last: Vec<u32>,
    /// The name of every rank.
    texts: Vec<u32>,
}

impl Ranks {
    #[allow(clippy::cast_possible_truncation)]
    fn of(names: &[&str]) -> Self {
        let mut order: Vec<(&[u8], u32, bool)> = Vec::with_capacity(names.len() * 2);
        for (number, name) in names.iter().enumerate() {
            order.push((name.as_bytes(), number as u32, false));
            order.push((name.as_bytes(), number as u32, true));
        }
        order.sort_unstable_by(|a, b| ended(a.0, a.2).cmp(ended(b.0, b.2)));
        let mut ranks = Self { inner: vec![0; names.len()], last: vec![0; names.len()], texts: Vec::new() };
        for (rank, &(_, number, is_inner)) in order.iter().enumerate() {
            let column = if is_inner { &mut ranks.inner } else { &mut ranks.last };
            column[number as usize] = rank as u32;
            ranks.texts.push(number);
        }
        ranks
    }
}

/// A name and what ends it.
fn ended(name: &[u8], is_inner: bool) -> impl Iterator<Item = &u8> {
    name.iter().chain(is_inner.then_some(&b';'))
}

/// Write the stacks of all parts; `take` gets the text in pieces, until it wants no more.
pub fn write(mut parts: Vec<Stacks>, mut take: impl FnMut(Vec<u8>) -> bool) {
    for part in &mut parts {
        part.complete();
    }
    let tables: Vec<Vec<String>> = parts.iter_mut().map(|part| std::mem::take(&mut part.names)).collect();
    let (names, numbers) = distinct(&tables);
    let ranks = Ranks::of(&names);
    thread::scope(|scope| {
        for (part, numbers) in parts.iter_mut().zip(&numbers) {
            let ranks = &ranks;
            let work = move || {
                part.rank(ranks, numbers);
                part.sort();
            };
            scope.spawn(work);
        }
    });
    merge(&parts, &names, &ranks, &mut take);
}

/// The distinct names of several tables, and the numbers that the names of each have among them.
#[allow(clippy::cast_possible_truncation)]
fn distinct(tables: &[Vec<String>]) -> (Vec<&str>, Vec<Vec<u32>>) {
    let mut names: Vec<&str> = Vec::new();
    let mut by_name: HashMap<&str, u32> = HashMap::new();
    let numbers = tables.iter().map(|table| {
        let number = |name| {
            *by_name.entry(name).or_insert_with(|| {
                names.push(name);
                (names.len() - 1) as u32
            })
        };
        table.iter().map(String::as_str).map(number).collect()
    });
    let numbers = numbers.collect();
    (names, numbers)
}

fn merge(parts: &[Stacks], names: &[&str], ranks: &Ranks, take: &mut impl FnMut(Vec<u8>) -> bool) {
    let mut next = vec![0; parts.len()];
    let mut text: Vec<u8> = Vec::with_capacity(PIECE_BYTES + PIECE_BYTES / 4);
    let mut line = Line::default();
    loop {
        let mut first: Option<usize> = None;
        for (at, part) in parts.iter().enumerate() {
            let Some(row) = part.rows.get(next[at]) else { continue };
            let is_less = first.is_none_or(|best| {
                part.compare_with(row, &parts[best], &parts[best].rows[next[best]], 0) == Ordering::Less
            });
            if is_less {
                first = Some(at);
            }
        }
        let Some(first) = first else { break };
        let row = parts[first].rows[next[first]];
        next[first] += 1;
        let mut weight = row.weight;
        for (at, part) in parts.iter().enumerate() {
            while let Some(other) = part.rows.get(next[at])
                && part.compare_with(other, &parts[first], &row, 0) == Ordering::Equal
            {
                weight += other.weight;
                next[at] += 1;
            }
        }
        line.write(&parts[first], &row, names, ranks, &mut text);
        // Writing to a vector cannot fail; whole numbers are written without a fraction.
        let _ = writeln!(text, " {weight}");
        if text.len() >= PIECE_BYTES {
            let piece = std::mem::replace(&mut text, Vec::with_capacity(PIECE_BYTES + PIECE_BYTES / 4));
            line = Line::default();
            if !take(piece) {
                return;
            }
        }
    }
    if !text.is_empty() {
        take(text);
    }
}

/// The line before: where it begins in the text, and where each of its names ends.
#[derive(Default)]
struct Line {
    start: usize,
    ranks: Vec<u32>,
    ends: Vec<usize>,
}

impl Line {
    /// Write the names of a stack; those it shares with the line before are copied at once.
    fn write(&mut self, part: &Stacks, row: &Row, names: &[&str], ranks: &Ranks, text: &mut Vec<u8>) {
        let start = text.len();
        let mut shared = 0;
        while let Some(rank) = part.at(row, shared)
            && self.ranks.get(shared) == Some(&rank)
        {
            shared += 1;
        }
        self.ranks.truncate(shared);
        self.ends.truncate(shared);
        if let Some(&end) = self.ends.last() {
            text.extend_from_within(self.start..self.start + end);
        }
        let mut depth = shared;
        while let Some(rank) = part.at(row, depth) {
            if depth > 0 {
                text.push(b';');
            }
            text.extend_from_slice(names[ranks.texts[rank as usize] as usize].as_bytes());
            self.ranks.push(rank);
            self.ends.push(text.len() - start);
            depth += 1;
        }
        self.start = start;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fmt::Write as _;

    use proptest::prelude::*;

    use super::{NONE, Row, Stacks, write};

    fn text(parts: Vec<Stacks>) -> String {
        let mut all = Vec::new();
        write(parts, |piece| {
            all.extend(piece);
            true
        });
        String::from_utf8(all).unwrap()
    }

    /// A part of stacks as people write them: thread, frames, weight.
    fn part(stacks: &[(Option<String>, Vec<String>, u32)]) -> Stacks {
        let mut part = Stacks::default();
        let number = |name: &String, names: &mut Vec<String>| {
            names.push(name.clone());
            u32::try_from(names.len() - 1).unwrap()
        };
        for (thread, frames, weight) in stacks {
            let thread = thread.as_ref().map_or(NONE, |name| number(name, &mut part.names));
            let start = part.callers.len();
            let mut numbers: Vec<u32> = frames.iter().map(|name| number(name, &mut part.names)).collect();
            let leaf = numbers.pop().unwrap_or(NONE);
            part.callers.extend(&numbers);
            let count = u32::try_from(numbers.len()).unwrap();
            part.rows.push(Row { thread, start, count, leaf, weight: f64::from(*weight) });
        }
        part
    }

    fn name() -> impl Strategy<Value = String> {
        prop_oneof![
            Just("a".to_owned()),
            Just("a b".to_owned()),
            Just("a-b".to_owned()),
            Just("a~".to_owned()),
            Just("b".to_owned()),
            Just("é".to_owned()),
            "[a-b!:<~]{0,3}",
        ]
    }

    proptest! {
        #[test]
        fn lines_are_sorted_by_their_bytes_and_merged(
            stacks in prop::collection::vec((prop::option::of("[ab -]{1,2}"), prop::collection::vec(name(), 0..6), 1_u32..9), 0..80),
            parts in 1_usize..4,
        ) {
            let mut expected: BTreeMap<String, u32> = BTreeMap::new();
            for (thread, frames, weight) in &stacks {
                let named = thread.iter().chain(frames.iter().filter(|name| !name.is_empty()));
                let mut line = named.cloned().collect::<Vec<_>>().join(";");
                if line.is_empty() {
                    line = "[no stack]".to_owned();
                }
                *expected.entry(line).or_default() += weight;
            }
            let mut lines = String::new();
            for (line, weight) in &expected {
                writeln!(lines, "{line} {weight}").unwrap();
            }
            let size = stacks.len() / parts + 1;
            let written = text(stacks.chunks(size).map(part).collect());
            prop_assert_eq!(written, lines);
        }
    }
}
