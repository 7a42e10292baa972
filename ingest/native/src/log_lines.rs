//! Lines of a system log without their usual prefixes, and which of their messages need no further look.
//!
//! The commonest forms are read here, byte for byte as the reader of kernel logs reads them:
//!
//! ```text
//! [ 2225.621988] msg                                        <4>[ 2225.621988][ T3699] msg
//! [Sat Nov 21 00:19:44 2026] msg                            2026-11-21T00:19:44,621988+00:00 msg
//! Feb 11 18:58:28 host kernel: [    0.000000] msg           2024-05-02T10:11:12.123456+00:00 host app[12]: msg
//! ```
//!
//! Everything else is left to the reader. A message is quiet when it is of no class and nothing that the reader looks for in
//! lines of no class is in it: most lines of a boot are.

use crate::calendar::{civil, clock, digits, month_of, of_year, offset};
use crate::line_classes::LineClasses;
use regex::bytes::{RegexSet, RegexSetBuilder};

const SIZE_LIMIT: usize = 64 << 20;
const WEEKDAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const FACILITIES: [&str; 12] =
    ["kern", "user", "mail", "daemon", "auth", "authpriv", "syslog", "cron", "lpr", "news", "uucp", "ftp"];
/// What makes an inner prefix of a message possible; the reader decides.
const KERNEL_MARK: &str = "kernel:";

/// A line without its prefix.
#[derive(Debug, PartialEq)]
pub struct Line<'t> {
    pub text: &'t str,
    /// Seconds since boot.
    pub uptime: Option<f64>,
    /// Epoch seconds.
    pub at: Option<f64>,
    pub host: &'t str,
    pub is_kernel: bool,
    pub level: Option<u8>,
    /// Seconds since the beginning of the year, of a date without one.
    pub clock: Option<f64>,
}

/// Finds the messages that need no further look.
pub struct QuietMessages {
    notable: RegexSet,
}

/// What is known of a message.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
pub enum Known {
    /// It is of this class.
    Class(usize),
    /// It is of no class.
    NoClass,
    /// It is of no class, and nothing in it needs a further look.
    Quiet,
}

impl QuietMessages {
    /// Prepare the expressions of what makes a message of no class notable.
    ///
    /// # Errors
    /// When one of them is no regular expression.
    pub fn new(notable: &[String]) -> Result<Self, String> {
        let built = RegexSetBuilder::new(notable)
            .unicode(false)
            .size_limit(SIZE_LIMIT)
            .dfa_size_limit(SIZE_LIMIT)
            .build();
        Ok(Self { notable: built.map_err(|error| error.to_string())? })
    }

    /// What is known of a line.
    ///
    /// # Errors
    /// When an expression of a class takes too much memory.
    pub fn known(&self, line: &Line<'_>, classes: &LineClasses) -> Result<Known, String> {
        if !line.is_kernel {
            return Ok(Known::Quiet);
        }
        if let Some(number) = classes.first(line.text)? {
            return Ok(Known::Class(number));
        }
        let begins_with_text = line.text.bytes().next().is_some_and(|byte| byte > b' ');
        let is_quiet = begins_with_text && !self.notable.is_match(line.text.as_bytes());
        Ok(if is_quiet { Known::Quiet } else { Known::NoClass })
    }
}

/// The line without its prefix, None for a form that is not read here.
#[must_use]
pub fn parsed(raw: &str) -> Option<Line<'_>> {
    if let Some(line) = learned(raw) {
        return Some(line);
    }
    if !raw.bytes().all(|byte| byte < 0x80 && !(0x1c..=0x1f).contains(&byte)) {
        return None;
    }
    match raw.as_bytes().first()? {
        b'[' if raw.as_bytes().get(1).is_some_and(u8::is_ascii_uppercase) => local(raw),
        b'[' => own_stamp(raw, None),
        b'<' => {
            let (priority, rest) = raw[1..].split_once('>')?;
            own_stamp(rest, Some(digits(priority, 1..=3)?))
        }
        b'0'..=b'9' => iso(raw),
        b'A'..=b'Z' => syslog(raw),
        _ => None,
    }
}

/// `<3>1 @1668219059 n2 kernel - 97 - msg`, as `log_prefix` writes lines of other forms.
fn learned(raw: &str) -> Option<Line<'_>> {
    let (priority, rest) = raw.strip_prefix('<')?.split_once(">1 ")?;
    let level = if priority == "-" { None } else { Some(u8::try_from(digits(priority, 1..=1)?).ok()?) };
    let (time, rest) = rest.split_once(' ')?;
    let (at, clock) = match time.as_bytes().first()? {
        b'@' => (Some(time[1..].parse().ok()?), None),
        b'~' => (None, Some(time[1..].parse().ok()?)),
        b'-' if time.len() == 1 => (None, None),
        _ => return None,
    };
    let (host, rest) = rest.split_once(' ')?;
    let (owner, rest) = rest.split_once(" - ")?;
    let (width, text) = rest.split_once(" - ")?;
    digits(width, 1..=6)?;
    let host = if host == "-" { "" } else { host };
    let is_kernel = owner == "kernel";
    let (uptime, text) = match stamped(text) {
        Some((uptime, inner)) if is_kernel => (Some(uptime), inner),
        // A stamp of another form, or something else in brackets: the reader looks at it.
        None if is_kernel && text.starts_with(['[', '<']) => return None,
        _ => (None, text),
    };
    Some(Line { text, uptime, at, host, is_kernel, level, clock })
}

/// `[ 2225.621988] msg`, with the caller of the message or without.
fn stamped(raw: &str) -> Option<(f64, &str)> {
    let rest = raw.strip_prefix('[')?.trim_start_matches(' ');
    let (stamp, rest) = rest.split_once(']')?;
    let (seconds, part) = stamp.split_once('.')?;
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if seconds.is_empty() || !all_digits(seconds) || !(3..=9).contains(&part.len()) || !all_digits(part) {
        return None;
    }
    Some((stamp.parse().ok()?, without_caller(rest)?.strip_prefix(' ')?))
}

/// What follows `[ T3699]`, the text itself without a caller; dmesg since util-linux 2.39 puts a blank before it.
fn without_caller(rest: &str) -> Option<&str> {
    match rest.strip_prefix(' ').and_then(after_caller) {
        Some(after) => Some(after),
        None if rest.starts_with('[') => after_caller(rest),
        None => Some(rest),
    }
}

fn after_caller(rest: &str) -> Option<&str> {
    let inner = rest.strip_prefix('[')?.trim_start_matches(' ').strip_prefix(['T', 'C'])?;
    let (number, rest) = inner.split_once(']')?;
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(rest)
}

fn own_stamp(raw: &str, priority: Option<u32>) -> Option<Line<'_>> {
    let (uptime, text) = stamped(raw)?;
    if text.contains(KERNEL_MARK) {
        return None;
    }
    let level = priority.map(|value| u8::try_from(value & 7).unwrap_or(0));
    Some(Line { text, uptime: Some(uptime), at: None, host: "", is_kernel: true, level, clock: None })
}

/// `[Sat Nov 21 00:19:44 2026] msg`.
fn local(raw: &str) -> Option<Line<'_>> {
    let date = raw.get(1..25)?;
    let rest = raw.get(25..)?.strip_prefix(']')?;
    let (weekday, month) = (date.get(..3)?, date.get(4..7)?);
    let blanks = [3, 7, 10, 19].iter().all(|&at| date.as_bytes()[at] == b' ');
    if !blanks || !WEEKDAYS.contains(&weekday) {
        return None;
    }
    let month = month_of(month)?;
    let day = digits(date.get(8..10)?.trim_start_matches(' '), 1..=2)?;
    let days = civil(digits(date.get(20..)?, 4..=4)?, u32::try_from(month).ok()?, day)?;
    let at = f64::from(days) * 86400.0 + f64::from(clock(date.get(11..19)?)?);
    let text = without_caller(rest)?.strip_prefix(' ')?;
    // An application prints its level in brackets here.
    if text.starts_with('[') {
        return None;
    }
    Some(Line { text, uptime: None, at: Some(at), host: "", is_kernel: true, level: None, clock: None })
}

/// `2026-11-21T00:19:44.621988+00:00 host kernel: msg`, and with a comma what dmesg prints.
fn iso(raw: &str) -> Option<Line<'_>> {
    let (stamp, rest) = raw.split_once(' ')?;
    let day = stamp.get(..10)?;
    let bytes = stamp.as_bytes();
    if bytes[4] != b'-' || bytes[7] != b'-' || *bytes.get(10)? != b'T' {
        return None;
    }
    let days =
        civil(digits(day.get(..4)?, 4..=4)?, digits(day.get(5..7)?, 2..=2)?, digits(day.get(8..)?, 2..=2)?)?;
    let seconds = clock(stamp.get(11..19)?)?;
    let behind = stamp.get(19..)?;
    let (mark, part, zone) = if let Some(fraction) = behind.strip_prefix(['.', ',']) {
        let length = fraction.bytes().take_while(u8::is_ascii_digit).count();
        if !(1..=9).contains(&length) {
            return None;
        }
        (behind.as_bytes()[0], &fraction[..length], &fraction[length..])
    } else {
        (b' ', "0", behind)
    };
    let whole = f64::from(days) * 86400.0 + f64::from(seconds) - f64::from(offset(zone)?);
    let at = Some(whole + format!("0.{part}").parse::<f64>().ok()?);
    if mark == b',' {
        let is_dmesg = part.len() == 6;
        return is_dmesg.then_some(Line {
            text: rest,
            uptime: None,
            at,
            host: "",
            is_kernel: true,
            level: None,
            clock: None,
        });
    }
    owned(rest, at)
}

/// `Feb 11 18:58:28 host kernel: msg`.
fn syslog(raw: &str) -> Option<Line<'_>> {
    let month = raw.as_bytes().get(..3)?;
    if !(month[1].is_ascii_lowercase() && month[2].is_ascii_lowercase()) {
        return None;
    }
    let rest = raw.get(3..)?.strip_prefix(' ')?;
    let (day, rest) = rest.strip_prefix(' ').unwrap_or(rest).split_once(' ')?;
    let (day, time) = (digits(day, 1..=2)?, rest.get(..8)?);
    let is_like = |(byte, form): (u8, u8)| byte == form || form == b'0' && byte.is_ascii_digit();
    if !time.bytes().zip(*b"00:00:00").all(is_like) {
        return None;
    }
    let clock = month_of(raw.get(..3)?).and_then(|month| of_year(month, day, f64::from(clock(time)?)));
    owned(rest.get(8..)?.strip_prefix(' ')?, None).map(|line| Line { clock, ..line })
}

/// `host kernel: [uptime] msg`, or the line of another program.
fn owned(rest: &str, at: Option<f64>) -> Option<Line<'_>> {
    let (host, rest) = rest.split_once(' ')?;
    let (owner, text) = rest.split_once(' ').unwrap_or((rest, ""));
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte > b' ');
    if !is_word(host) || !is_word(owner) || host == KERNEL_MARK || is_facility(host) {
        return None;
    }
    let owner = owner.strip_suffix(':')?;
    let name = match owner.split_once('[') {
        None => owner,
        Some((name, number)) => {
            let number = number.strip_suffix(']')?;
            if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            name
        }
    };
    if name.is_empty() || name.contains([':', ';']) {
        return None;
    }
    if owner == "kernel" && is_severity(host) {
        return None;
    }
    let host = host.strip_prefix('-').unwrap_or(host);
    if owner != "kernel" {
        return Some(Line { text, uptime: None, at, host, is_kernel: false, level: None, clock: None });
    }
    let (uptime, text) = match text.as_bytes().first() {
        Some(b'[') => stamped(text).map(|(uptime, text)| (Some(uptime), text))?,
        Some(b'<') => return None,
        _ if is_facility(text) => return None,
        _ => (None, text),
    };
    Some(Line { text, uptime, at, host, is_kernel: true, level: None, clock: None })
}

/// Whether a word stands for a severity where a system log has its host: `WARNING kernel: msg`.
fn is_severity(word: &str) -> bool {
    let word = word.strip_prefix('!').unwrap_or(word);
    matches!(
        word,
        "EMERG"
            | "EMERGENCY"
            | "ALERT"
            | "CRIT"
            | "CRITICAL"
            | "ERR"
            | "ERROR"
            | "WARN"
            | "WARNING"
            | "NOTICE"
            | "INFO"
            | "DEBUG"
    )
}

/// Whether the text begins with the name of a facility.
fn is_facility(text: &str) -> bool {
    let word = text.split([' ', ':', '.']).next().unwrap_or("");
    FACILITIES.contains(&word) || word.strip_prefix("local").is_some_and(|number| number.len() == 1)
}

#[cfg(test)]
mod tests {
    use super::{Known, Line, QuietMessages, parsed};
    use crate::line_classes::LineClasses;

    fn kernel(text: &str) -> Line<'_> {
        Line { text, uptime: None, at: None, host: "", is_kernel: true, level: None, clock: None }
    }

    #[test]
    fn stamps_levels_and_callers_are_taken_off() {
        let plain = Line { uptime: Some(2_225.621_988), ..kernel("usb 1-1: new") };
        assert_eq!(parsed("[ 2225.621988] usb 1-1: new"), Some(plain));
        for raw in ["<12>[    3.805449][ T3699]  dump", "<12>[    3.805449] [  T3699]  dump"] {
            let line = Line { uptime: Some(3.805_449), level: Some(4), ..kernel(" dump") };
            assert_eq!(parsed(raw), Some(line), "{raw}");
        }
        assert_eq!(parsed("[    3.805449][ T3699]x"), None);
        assert_eq!(parsed("[    3.80] x"), None);
    }

    #[test]
    fn dates_become_seconds_of_the_epoch() {
        let local = Line { at: Some(1_795_220_384.0), ..kernel("msg") };
        assert_eq!(parsed("[Sat Nov 21 00:19:44 2026] msg"), Some(local));
        assert_eq!(parsed("[Sat Feb 30 00:19:44 2026] msg"), None);
        assert_eq!(parsed("[Sat Nov 21 00:19:44 2026] [error] of an application"), None);
        let dmesg = Line { at: Some(1_795_220_384.621_988), ..kernel("msg") };
        assert_eq!(parsed("2026-11-21T02:19:44,621988+02:00 msg"), Some(dmesg));
    }

    #[test]
    fn lines_of_a_system_log_have_a_host_and_an_owner() {
        let at = |days: u32| Some(f64::from(days * 86_400 + 18 * 3_600 + 58 * 60 + 28));
        let own = Line { uptime: Some(1.5), host: "db-1", clock: at(41), ..kernel("x") };
        assert_eq!(parsed("Feb 11 18:58:28 db-1 kernel: [    1.500] x"), Some(own));
        let other = Line { is_kernel: false, host: "db-1", clock: at(31), ..kernel("started") };
        assert_eq!(parsed("Feb  1 18:58:28 db-1 systemd[1]: started"), Some(other));
        assert_eq!(parsed("Feb  1 18:58:28 kern.warn kernel: x"), None);
        assert_eq!(parsed("Feb  1 18:58:28 db-1 kern.warn kernel: x"), None);
        assert_eq!(parsed("Feb  1 18:58:28 kernel: x: y"), None);
        assert_eq!(parsed("Feb  1 18:58:28 WARNING kernel: x"), None);
    }

    #[test]
    fn a_message_is_quiet_without_a_class_and_without_what_is_notable() {
        let classes = LineClasses::new(&["disk .* failed".to_owned()]).unwrap();
        let quiet = QuietMessages::new(&[r"\+0x".to_owned()]).unwrap();
        let known = |text| quiet.known(&kernel(text), &classes).unwrap();
        assert_eq!(known("usb 1-1: new"), Known::Quiet);
        assert_eq!(known("disk sda failed"), Known::Class(0));
        for text in ["f+0x1/0x2", " indented", ""] {
            assert_eq!(known(text), Known::NoClass);
        }
    }
}
