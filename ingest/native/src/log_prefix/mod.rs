//! Prefixes of log lines in forms that nobody has listed: learned from the lines, and taken off.
//!
//! ```text
//! 2022-11-12 10:10:59 +0800 | messages | Nov 12 10:10:59 n2 kernel: NMI watchdog: BUG: soft lockup - CPU#5 stuck for 23s!
//! [Чт мар 23 19:11:18 2023] cgroup: fork rejected by pids controller in /x
//! ```
//!
//! `tokens` are dates, times, numbers, words, brackets and bars. Where the kinds of the tokens left of a message of the kernel
//! are those of another such line, they are a form, and all lines that begin so are lines of the log. A message is known by
//! `kernel:` or `[ s.us]` before it, or by its words (`messages`). A single line of a class is a line of the log when no other
//! program names itself in it. What the tokens say of time, level and host is kept (`times`, `levels`); encodings and colours
//! around a line are undone first (`encodings`, `structured`).

pub mod encodings;
pub mod form;
pub mod learner;
pub mod levels;
pub mod messages;
pub mod scan;
pub mod structured;
pub mod times;
pub mod tokens;
