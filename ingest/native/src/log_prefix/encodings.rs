//! What mailers, pages, terminals and netconsole do to a line: entities and tags of HTML, colours, backslashes of Markdown,
//! and records of `/dev/kmsg`.

use std::borrow::Cow;

const ENTITIES: [(&str, &str); 9] = [
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&quot;", "\""),
    ("&#34;", "\""),
    ("&#39;", "'"),
    ("&apos;", "'"),
    ("&nbsp;", " "),
    ("&#x27;", "'"),
    ("&amp;", "&"),
];
const TAGS: [&str; 12] = ["pre", "code", "br", "p", "span", "div", "b", "i", "tt", "font", "td", "li"];

/// The line as it was before.
#[must_use]
pub fn decoded(raw: &str) -> Cow<'_, str> {
    let mut line = without_colours(raw);
    if line.contains("\\[") {
        line = Cow::Owned(line.replace("\\[", "[").replace("\\]", "]"));
    }
    // A name may hold `<b>`: a page closes its tags.
    if line.contains('<')
        && (line.contains("</") || line.contains("<br"))
        && let Cow::Owned(bare) = without_tags(&line)
    {
        line = Cow::Owned(bare);
    }
    if line.contains('&') && ENTITIES.iter().any(|(entity, _)| line.contains(entity)) {
        let mut text = line.into_owned();
        for (entity, character) in ENTITIES {
            if text.contains(entity) {
                text = text.replace(entity, character);
            }
        }
        line = Cow::Owned(text);
    }
    if let Some(stamped) = with_stamp(&line) {
        line = Cow::Owned(stamped);
    }
    if let Some(at) = end_of_prompt(&line) {
        line = Cow::Owned(line[at..].to_owned());
    }
    line
}

/// Where the stamp begins that a console printed behind its prompt, `db-02 login: [   12.345678] BUG: …`: only the line that
/// came while the prompt was waiting has it.
fn end_of_prompt(line: &str) -> Option<usize> {
    let end = line.find(" login: [")?;
    let at = end + " login: ".len();
    let stamp = line[at + 1..].split_once(']')?.0.trim_start_matches(' ');
    let (seconds, part) = stamp.split_once('.')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_name = (1..=64).contains(&end) && !line[..end].contains(char::is_whitespace);
    (is_name && is_number(seconds) && is_number(part)).then_some(at)
}

/// The line with a record of `/dev/kmsg` in it as dmesg prints it: `4,1012,2225621988,-,caller=T7;msg` as
/// `<4>[ 2225.621988] msg`. The receiver of netconsole prints what it likes before the record; a bare one has its reader.
fn with_stamp(line: &str) -> Option<String> {
    let end = line.find(';')?;
    let start = line[..end].rfind(' ')? + 1;
    let mut fields = line[start..end].splitn(4, ',');
    let (priority, number, microseconds, flags) =
        (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
    let is_number = |text: &str, most: usize| {
        (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    if !is_number(priority, 3) || !is_number(number, 19) || !is_number(microseconds, 19) || flags.is_empty() {
        return None;
    }
    let at: u64 = microseconds.parse().ok()?;
    let level = priority.parse::<u16>().ok()? & 7;
    let (seconds, part) = (at / 1_000_000, at % 1_000_000);
    Some(format!("{}<{level}>[{seconds:>5}.{part:06}] {}", &line[..start], &line[end + 1..]))
}

/// The line without colours: `\x1b[32m`, and `[32m` where the escape character is lost.
fn without_colours(raw: &str) -> Cow<'_, str> {
    if !raw.contains('\u{1b}') && !raw.contains("[0m") {
        return Cow::Borrowed(raw);
    }
    let mut bare = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('[') {
        let (before, behind) = rest.split_at(at);
        let end = behind[1..].bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b';').count() + 1;
        if end <= 12 && matches!(behind.as_bytes().get(end), Some(b'm' | b'K')) {
            bare.push_str(before.trim_end_matches('\u{1b}'));
            rest = &behind[end + 1..];
        } else {
            bare.push_str(before);
            bare.push('[');
            rest = &behind[1..];
        }
    }
    bare.push_str(rest);
    Cow::Owned(bare)
}

/// The line without tags of HTML; `<4>` and `<TASK>` are none.
fn without_tags(line: &str) -> Cow<'_, str> {
    let mut bare: Option<String> = None;
    let mut rest = line;
    while let Some(at) = rest.find('<') {
        let (before, behind) = rest.split_at(at);
        let inner = behind[1..].strip_prefix('/').unwrap_or(&behind[1..]);
        let name = inner.bytes().take_while(u8::is_ascii_lowercase).count();
        let is_tag =
            TAGS.contains(&&inner[..name]) && matches!(inner.as_bytes().get(name), Some(b'>' | b' ' | b'/'));
        if let Some(end) = behind.find('>').filter(|_| is_tag) {
            let text = bare.get_or_insert_with(|| line[..line.len() - rest.len()].to_owned());
            text.push_str(before);
            rest = &behind[end + 1..];
        } else {
            if let Some(text) = &mut bare {
                text.push_str(before);
                text.push('<');
            }
            rest = &behind[1..];
        }
    }
    match bare {
        Some(mut text) => {
            text.push_str(rest);
            Cow::Owned(text)
        }
        None => Cow::Borrowed(line),
    }
}

#[cfg(test)]
mod tests {
    use super::decoded;

    #[test]
    fn a_prompt_of_a_console_before_a_stamp_is_taken_off() {
        assert_eq!(decoded("db-02 login: [   35.184476] BUG: a"), "[   35.184476] BUG: a");
        for other in
            ["db 2 login: [ 1.0] a", " login: [ 1.0] a", "db-02 login: [root] a", "db-02 login: [ 1.] a"]
        {
            assert_eq!(decoded(other), other);
        }
    }

    #[test]
    fn a_record_of_netconsole_is_stamped_as_dmesg_stamps() {
        let record = "Jun  3 02:11:19 vmx 28,16702,38904117204,-,caller=C0;BUG: a; b";
        assert_eq!(decoded(record), "Jun  3 02:11:19 vmx <4>[38904.117204] BUG: a; b");
        for other in
            ["a 1,2,3;b", "4,1012,2225621988,-;msg", "at 1,2,x,4;b", "a 1,2,99999999999999999999,-;b"]
        {
            assert_eq!(decoded(other), other);
        }
    }

    #[test]
    fn colours_entities_and_tags_are_undone() {
        assert_eq!(decoded("\u{1b}[32m[May13 07:47] \u{1b}[0mmsg"), "[May13 07:47] msg");
        assert_eq!(decoded("[32m[May13 07:47] [0mmsg"), "[May13 07:47] msg");
        assert_eq!(decoded("&lt;4&gt;[ 1.5] a -&gt; b &amp;lt;"), "<4>[ 1.5] a -> b &lt;");
        assert_eq!(decoded("<pre class=\"x\"><4>[ 1.5]  <TASK></pre>"), "<4>[ 1.5]  <TASK>");
        assert_eq!(decoded("a\\[0\\] < b"), "a[0] < b");
        assert_eq!(decoded("plain <TASK> & text"), "plain <TASK> & text");
    }
}
