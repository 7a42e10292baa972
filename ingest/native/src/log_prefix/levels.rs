//! Names of levels, as loggers write them, and the numbers that the kernel gives them.

const NAMES: [(&str, u8); 25] = [
    ("emerg", 0),
    ("emergency", 0),
    ("panic", 0),
    ("alert", 1),
    ("fatal", 1),
    ("f", 1),
    ("crit", 2),
    ("critical", 2),
    ("err", 3),
    ("eror", 3),
    ("error", 3),
    ("severe", 3),
    ("e", 3),
    ("warn", 4),
    ("warning", 4),
    ("w", 4),
    ("notice", 5),
    ("note", 5),
    ("info", 6),
    ("information", 6),
    ("i", 6),
    ("debug", 7),
    ("trace", 7),
    ("d", 7),
    ("v", 7),
];
const LONGEST: usize = 11;
const FACILITIES: [&str; 15] = [
    "kern", "user", "mail", "daemon", "auth", "authpriv", "syslog", "cron", "lpr", "news", "uucp", "ftp",
    "kernel", "kmsg", "dmesg",
];

/// Whether the word is the name of a level; letters are capital.
#[must_use]
pub fn is_level(word: &str) -> bool {
    level_of(word).is_some()
}

/// The number of the level, 0 (emergency) to 7 (debug), None for another word.
#[must_use]
pub fn level_of(word: &str) -> Option<u8> {
    let word = word.strip_prefix('!').unwrap_or(word);
    if let Some((facility, level)) = word.split_once('.') {
        return if is_facility(facility) { level_of(level) } else { None };
    }
    if word.len() > LONGEST || word.len() == 1 && !word.as_bytes()[0].is_ascii_uppercase() {
        return None;
    }
    NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)).map(|&(_, level)| level)
}

/// Whether the word is a facility of a system log, or stands for the kernel's.
#[must_use]
pub fn is_facility(word: &str) -> bool {
    FACILITIES.contains(&word) || word.strip_prefix("local").is_some_and(|number| number.len() == 1)
}
