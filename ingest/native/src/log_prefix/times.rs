//! Times that the tokens of a prefix state.

use super::tokens::{Kind, Token};
use crate::calendar::{self, DAY, civil, clock, digits, month_of, offset};

/// When a line was logged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Time {
    /// Epoch seconds.
    At(f64),
    /// Seconds since the beginning of a year that is not stated.
    OfYear(f64),
    /// Seconds of a month and a year that are not known by their names, from its first day on.
    OfMonth(f64),
    /// Seconds of a day that is not stated.
    OfDay(f64),
}

/// The time in a prefix; the one that says most, of equal ones the last.
#[must_use]
pub fn time_of(text: &str, tokens: &[Token]) -> Option<Time> {
    let mut best: Option<Time> = None;
    for at in 0..tokens.len() {
        let found = match tokens[at].kind {
            Kind::DateTime => date_time(of(text, tokens[at])),
            Kind::Time => beside_date(text, tokens, at),
            Kind::Num => epoch(of(text, tokens[at])),
            _ => None,
        };
        if let Some(found) = found
            && best.is_none_or(|known| rank(found) <= rank(known))
        {
            best = Some(found);
        }
    }
    best
}

fn rank(time: Time) -> u8 {
    match time {
        Time::At(_) => 0,
        Time::OfYear(_) => 1,
        Time::OfMonth(_) => 2,
        Time::OfDay(_) => 3,
    }
}

fn of(text: &str, token: Token) -> &str {
    &text[token.start..token.end]
}

/// `1763683187.006452`; a whole number is too often something else.
fn epoch(word: &str) -> Option<Time> {
    let (seconds, part) = word.split_once('.')?;
    let is_epoch = matches!(seconds.len(), 9 | 10) && (3..=9).contains(&part.len());
    if is_epoch { word.parse().ok().map(Time::At) } else { None }
}

/// `2026-11-21T05:00:19.621988Z`; without a zone it is taken as UTC.
#[must_use]
pub fn date_time(word: &str) -> Option<Time> {
    let mark = word.find(['T', 't', '_'])?;
    let days = days_of(&word[..mark])?;
    let rest = &word[mark + 1..];
    let end = rest.find(['Z', '+', '-']).unwrap_or(rest.len());
    let zone = if end == rest.len() { 0 } else { offset(&rest[end..])? };
    Some(Time::At(f64::from(days) * DAY + of_day(&rest[..end])? - f64::from(zone)))
}

fn days_of(date: &str) -> Option<i32> {
    let mut parts = date.split(['-', '/', '.']);
    let (first, second, third) = (parts.next()?, parts.next()?, parts.next()?);
    let number = |part: &str| digits(part, 1..=4);
    match (first.len(), third.len()) {
        (4, _) => civil(number(first)?, number(second)?, number(third)?),
        // Days and months of other orders: the dot is that of days first, as in most of Europe.
        (_, 4) if date.contains('.') => civil(number(third)?, number(second)?, number(first)?),
        _ => None,
    }
}

/// Seconds of `18:58:28.621`, `18:58`.
fn of_day(time: &str) -> Option<f64> {
    let time = time.strip_suffix('Z').unwrap_or(time);
    let (whole, part) = time.split_once(['.', ',']).unwrap_or((time, "0"));
    let whole = match whole.len() {
        5 => format!("{whole}:00"),
        4 => format!("0{whole}:00"),
        7 => format!("0{whole}"),
        _ => whole.to_owned(),
    };
    let part = if part.len() <= 12 { format!("0.{part}").parse::<f64>().ok()? } else { 0.0 };
    Some(f64::from(clock(&whole)?) + part)
}

/// A time of the day, with the date around it.
fn beside_date(text: &str, tokens: &[Token], at: usize) -> Option<Time> {
    let word = of(text, tokens[at]);
    let seconds = of_day(word)?;
    let before = |back: usize| at.checked_sub(back).map(|place| tokens[place]);
    let behind = tokens.get(at + 1).copied();
    let is = |token: Option<Token>, kind: Kind| token.is_some_and(|token| token.kind == kind);
    if is(before(1), Kind::Date) {
        let date = of(text, before(1)?);
        if let Some(days) = days_of(date) {
            let local = f64::from(days) * DAY + seconds;
            return match behind {
                Some(zone) if zone.kind == Kind::Zone => {
                    Some(Time::At(local - f64::from(offset(&padded(of(text, zone)))?)))
                }
                // Other names of zones are ambiguous: IST is of India, Israel and Ireland.
                Some(zone) if is_zone_name(of(text, zone)) => None,
                _ => Some(Time::At(local)),
            };
        }
        let (month, day) = date.split_once(['-', '/'])?;
        let (month, day) = (digits(month, 2..=2)?, digits(day, 2..=2)?);
        return of_year(month as usize, day, seconds);
    }
    let day =
        before(1).filter(|token| token.kind == Kind::Num).and_then(|token| digits(of(text, token), 1..=2));
    if let (Some(day), Some(month)) = (day, before(2).filter(|token| token.kind == Kind::Word)) {
        let month = month_of(of(text, month));
        let year =
            behind.filter(|token| token.kind == Kind::Num).and_then(|token| digits(of(text, token), 4..=4));
        return match (month, year) {
            (Some(month), Some(year)) => civil(year, u32::try_from(month).ok()?, day)
                .map(|days| Time::At(f64::from(days) * DAY + seconds)),
            (Some(month), None) => of_year(month, day, seconds),
            (None, _) => (1..=31).contains(&day).then(|| Time::OfMonth(f64::from(day - 1) * DAY + seconds)),
        };
    }
    if let Some(month) = before(1).filter(|token| token.kind == Kind::Word) {
        // `[May13 07:47]`
        let word = of(text, month);
        let cut = word.find(|one: char| one.is_ascii_digit()).unwrap_or(0);
        if let (Some(month), Some(day)) = (month_of(&word[..cut]), digits(&word[cut..], 1..=2)) {
            return of_year(month, day, seconds);
        }
    }
    Some(Time::OfDay(seconds))
}

fn of_year(month: usize, day: u32, seconds: f64) -> Option<Time> {
    if !(1..=31).contains(&day) {
        return None;
    }
    calendar::of_year(month, day, seconds).map(Time::OfYear)
}

fn padded(zone: &str) -> String {
    if zone.len() == 3 { format!("{zone}00") } else { zone.to_owned() }
}

fn is_zone_name(word: &str) -> bool {
    (3..=5).contains(&word.len())
        && word.bytes().all(|byte| byte.is_ascii_uppercase())
        && word != "UTC"
        && word != "GMT"
        && super::levels::level_of(word).is_none()
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::{Time, time_of};

    fn time(text: &str) -> Option<Time> {
        time_of(text, &tokens(text))
    }

    #[test]
    fn the_date_around_a_time_is_read() {
        let at = 1_795_220_384.0;
        for text in [
            "2026-11-21 00:19:44 x",
            "2026-11-21T00:19:44Z x",
            "2026-11-21 02:19:44 +0200 | messages | Nov 21 02:19:44 n2",
            "[Sat Nov 21 00:19:44 2026] x",
            "21.11.2026 00:19:44 x",
        ] {
            assert_eq!(time(text), Some(Time::At(at)), "{text}");
        }
        assert_eq!(time("2026-11-21 00:19:44 IST x"), None);
        assert_eq!(time("Feb 11 18:58:28 x"), Some(Time::OfYear(41.0 * 86_400.0 + 68_308.0)));
        assert_eq!(time("[Feb11 18:58] x"), Some(Time::OfYear(41.0 * 86_400.0 + 68_280.0)));
        assert_eq!(time("мар 11 18:58:28 x"), Some(Time::OfMonth(10.0 * 86_400.0 + 68_308.0)));
        assert_eq!(time("18:58:28 x"), Some(Time::OfDay(68_308.0)));
        assert_eq!(time("1763683187.006452 x"), Some(Time::At(1_763_683_187.006_452)));
        assert_eq!(time("x 12 y"), None);
    }
}
