//! Days, months, times of the day and zones, as logs write them.

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
/// Seconds of a day.
pub(crate) const DAY: f64 = 86_400.0;

/// The number of a month by its English name, from 1 on.
pub(crate) fn month_of(name: &str) -> Option<usize> {
    MONTHS.iter().position(|&month| month == name).map(|place| place + 1)
}

/// Seconds since the beginning of a year without a leap day, `seconds` into a day; None when there is no such day.
pub(crate) fn of_year(month: usize, day: u32, seconds: f64) -> Option<f64> {
    const DAYS_BEFORE: [u16; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
    let before = DAYS_BEFORE.get(month.checked_sub(1)?)?;
    Some((f64::from(*before) + f64::from(day) - 1.0) * DAY + seconds)
}

/// A number of so many digits.
pub(crate) fn digits(text: &str, lengths: std::ops::RangeInclusive<usize>) -> Option<u32> {
    let is_number = lengths.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

/// Seconds of the day of `18:58:28`.
pub(crate) fn clock(text: &str) -> Option<u32> {
    let bytes = text.as_bytes();
    if bytes.len() != 8 || bytes[2] != b':' || bytes[5] != b':' {
        return None;
    }
    let part = |from: usize| digits(text.get(from..from + 2)?, 2..=2);
    let (hour, minute, second) = (part(0)?, part(3)?, part(6)?);
    (hour < 24 && minute < 60 && second < 60).then_some(hour * 3600 + minute * 60 + second)
}

/// Seconds east of UTC of `Z`, `+02:00` or `+0200`.
pub(crate) fn offset(zone: &str) -> Option<i32> {
    if zone == "Z" {
        return Some(0);
    }
    let sign = if zone.starts_with('+') { 1 } else { -1 };
    let number = zone.strip_prefix(['+', '-'])?;
    let (hours, minutes) = match number.len() {
        4 => (number.get(..2)?, number.get(2..)?),
        5 if number.as_bytes()[2] == b':' => (number.get(..2)?, number.get(3..)?),
        _ => return None,
    };
    let (hours, minutes) = (digits(hours, 2..=2)?, digits(minutes, 2..=2)?);
    if hours > 23 || minutes > 59 {
        return None;
    }
    Some(sign * i32::try_from(hours * 3600 + minutes * 60).ok()?)
}

/// Days since 1970-01-01 of a day of the Gregorian calendar, None when there is no such day.
pub(crate) fn civil(year: u32, month: u32, day: u32) -> Option<i32> {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let longest = match month {
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u32::from(is_leap),
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        _ => return None,
    };
    if year == 0 || day == 0 || day > longest {
        return None;
    }
    // Years begin in March, so that the leap day is their last.
    let years = if month > 2 { year } else { year - 1 };
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = 365 * years + years / 4 - years / 100 + years / 400 + day_of_year;
    Some(i32::try_from(days).ok()? - 719_468)
}
