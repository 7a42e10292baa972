//! Lines of structured loggers: an object of JSON, `key=value` pairs (logfmt), or a struct as Go prints it, with a message of
//! the kernel in one field.
//!
//! ```text
//! {"time":"2026-11-21T05:00:19Z","stream":"stdout","message":"EXT4-fs error (device sda1): …"}
//! ts=2026-11-21T05:00:19Z level=error msg="EXT4-fs error (device sda1): …"
//! … {Severity:warn Timestamp:2026-11-21 05:00:19 … Reason:FilesystemError Message:EXT4-fs error (device sda1): …}] …
//! ```

use super::levels::{is_facility, level_of};
use super::times::{Time, date_time, time_of};
use super::tokens::tokens;

const MESSAGES: [&str; 11] =
    ["message", "msg", "log", "MESSAGE", "text", "line", "event", "body", "_raw", "raw", "content"];
const TIMES: [&str; 9] =
    ["ts", "time", "timestamp", "@timestamp", "date", "datetime", "t", "asctime", "eventTime"];
const LEVELS: [&str; 6] = ["level", "lvl", "severity", "PRIORITY", "loglevel", "pri"];
const PROGRAMS: [&str; 12] = [
    "ident",
    "SYSLOG_IDENTIFIER",
    "program",
    "app",
    "application",
    "process",
    "unit",
    "tag",
    "logger",
    "service",
    "component",
    "_COMM",
];
const HOSTS: [&str; 4] = ["host", "hostname", "_HOSTNAME", "node"];
const MOST_FIELDS: usize = 64;
/// What stands before the message in a struct that Go prints.
pub const STRUCT_MESSAGE: &str = " Message:";

/// One line: its message, and what the other fields say.
#[derive(Debug, PartialEq, Default)]
pub struct Fields {
    pub message: String,
    pub time: Option<Time>,
    pub level: Option<u8>,
    pub host: String,
    /// A program that is not the kernel.
    pub program: String,
    /// Names of the fields, in order: lines with the same are of one form.
    pub names: String,
}

/// The fields of a line, None when it has no structure or no message.
#[must_use]
pub fn fields(line: &str) -> Option<Fields> {
    let line = line.trim();
    if let Some(found) = of_struct(line) {
        return Some(found);
    }
    let pairs = if line.starts_with('{') { json(line) } else { logfmt(line) }?;
    let mut found = Fields::default();
    let mut has_message = false;
    for (name, value) in pairs {
        found.names.push_str(&name);
        found.names.push('\n');
        let name = name.as_str();
        if MESSAGES.contains(&name) && !has_message {
            has_message = true;
            value.trim_end_matches('\n').clone_into(&mut found.message);
        } else if TIMES.contains(&name) {
            found.time = found.time.or_else(|| time(&value));
        } else if LEVELS.contains(&name) {
            let number = value.parse::<u8>().ok().filter(|level| *level < 8);
            found.level = found.level.or(number).or_else(|| level_of(&value));
        } else if HOSTS.contains(&name) {
            found.host = value;
        } else if PROGRAMS.contains(&name) && !is_facility(&value) && found.program.is_empty() {
            found.program = value;
        }
    }
    has_message.then_some(found)
}

/// The fields of an event of the node problem detector, printed with `%+v` of Go.
fn of_struct(line: &str) -> Option<Fields> {
    let (before, message) = line.split_once(STRUCT_MESSAGE)?;
    let (_, event) = before.rsplit_once('{')?;
    let end = message.find("}]").or_else(|| message.rfind('}')).unwrap_or(message.len());
    let stamp = event.split_once("Timestamp:").and_then(|(_, rest)| rest.get(..19));
    Some(Fields {
        message: message[..end].to_owned(),
        time: stamp.and_then(time),
        names: STRUCT_MESSAGE.to_owned(),
        ..Fields::default()
    })
}

/// Whether a line ends where its structure does; lines without one do.
#[must_use]
pub fn is_whole(line: &str) -> bool {
    let line = line.trim_end();
    if line.starts_with("{\"") {
        return line.ends_with('}');
    }
    let name = line.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let is_logfmt = name > 0 && line.as_bytes().get(name) == Some(&b'=') && line.contains(" msg=\"");
    !is_logfmt || line.ends_with('"') && !line.ends_with("=\"") && logfmt(line).is_some()
}

fn time(value: &str) -> Option<Time> {
    if let Ok(number) = value.parse::<f64>() {
        // Seconds, milliseconds, microseconds or nanoseconds of this century.
        let scales = [1.0, 1e3, 1e6, 1e9];
        return scales.iter().map(|scale| number / scale).find(|at| (9e8..5e9).contains(at)).map(Time::At);
    }
    date_time(value).or_else(|| time_of(value, &tokens(value)))
}

/// Names and values of all strings and numbers, of inner objects, too.
fn json(line: &str) -> Option<Vec<(String, String)>> {
    let mut pairs = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find('"') {
        let (name, behind) = string(&rest[at + 1..])?;
        rest = behind;
        let Some(value) = rest.trim_start().strip_prefix(':').map(str::trim_start) else { continue };
        let (value, behind) = if let Some(text) = value.strip_prefix('"') {
            string(text)?
        } else {
            let end = value.find([',', '}', ']']).unwrap_or(value.len());
            if value.starts_with(['{', '[']) {
                rest = &value[1..];
                continue;
            }
            (value[..end].trim().to_owned(), &value[end..])
        };
        pairs.push((name, value));
        rest = behind;
        if pairs.len() > MOST_FIELDS {
            return None;
        }
    }
    Some(pairs)
}

/// The string that ends at the next quote, and what follows.
fn string(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut characters = text.char_indices();
    while let Some((at, one)) = characters.next() {
        match one {
            '"' => return Some((value, &text[at + 1..])),
            '\\' => match characters.next()?.1 {
                'n' => value.push('\n'),
                't' => value.push('\t'),
                'r' => {}
                'u' => {
                    let code = text.get(at + 2..at + 6)?;
                    value.push(
                        u32::from_str_radix(code, 16).ok().and_then(char::from_u32).unwrap_or('\u{fffd}'),
                    );
                    characters.nth(3);
                }
                other => value.push(other),
            },
            other => value.push(other),
        }
    }
    None
}

fn logfmt(line: &str) -> Option<Vec<(String, String)>> {
    let mut pairs = Vec::new();
    let mut rest = line;
    while !rest.is_empty() {
        let (name, behind) = rest.split_once('=')?;
        let is_name = |one: char| one.is_ascii_alphanumeric() || "_.@-".contains(one);
        if name.is_empty() || !name.chars().all(is_name) {
            return None;
        }
        let (value, behind) = if let Some(text) = behind.strip_prefix('"') {
            string(text)?
        } else {
            let end = behind.find(' ').unwrap_or(behind.len());
            (behind[..end].to_owned(), &behind[end..])
        };
        pairs.push((name.to_owned(), value));
        rest = behind.trim_start();
        if pairs.len() > MOST_FIELDS {
            return None;
        }
    }
    (pairs.len() > 1).then_some(pairs)
}

#[cfg(test)]
mod tests {
    use super::fields;
    use crate::log_prefix::times::Time;

    #[test]
    fn the_message_is_unescaped_and_the_other_fields_are_read() {
        let json = r#"{"time":"2026-11-21T00:19:44Z","k":{"host":"n2"},"pri":3,"message":"a \"b\" é"}"#;
        let found = fields(json).unwrap();
        assert_eq!((found.message.as_str(), found.host.as_str(), found.level), ("a \"b\" é", "n2", Some(3)));
        assert_eq!(found.time, Some(Time::At(1_795_220_384.0)));
        let logfmt = fields(r#"ts=1795220384.5 level=error msg="a=\"b\" c" unit=nginx"#).unwrap();
        assert_eq!((logfmt.message.as_str(), logfmt.program.as_str()), ("a=\"b\" c", "nginx"));
        assert_eq!((logfmt.level, logfmt.time), (Some(3), Some(Time::At(1_795_220_384.5))));
    }

    #[test]
    fn the_message_of_a_struct_ends_with_it() {
        let line = "I0311 02:11:10.120211 1 log_monitor.go:160] New status generated: &{Source:kernel-monitor Events:[{Severity:warn \
                    Timestamp:2024-03-11 02:11:10 +0000 UTC Reason:TaskHung Message:task a:4 {x} blocked}] Conditions:[]}";
        let found = fields(line).unwrap();
        assert_eq!(found.message, "task a:4 {x} blocked");
        assert_eq!(found.time, Some(Time::At(1_710_123_070.0)));
    }

    #[test]
    fn other_lines_have_no_fields() {
        for line in ["", "{", "a=b", "x y=z", "{\"a\":1}", "msg=\"open", "a message = b"] {
            assert_eq!(fields(line), None, "{line}");
        }
    }
}
