//! Names of threads and functions in folded text.

use crate::perf::frame::UNKNOWN;

/// How folded text names threads and functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// As printed.
    Plain,
    /// As inferno-collapse-perf 0.12 does by default.
    Inferno,
}

impl Style {
    /// The name of a thread.
    #[must_use]
    pub fn thread(self, comm: &str) -> String {
        match self {
            Self::Plain => unbroken(comm),
            Self::Inferno => comm.replace(' ', "_"),
        }
    }

    /// The name of a function, empty where its frame is left out.
    #[must_use]
    pub fn function(self, name: &str, module: &str) -> String {
        match self {
            Self::Plain => unbroken(name),
            Self::Inferno => inferno(name, module),
        }
    }
}

/// A name that cannot break a line or a stack.
fn unbroken(name: &str) -> String {
    name.replace(';', ":").replace('\n', " ")
}

/// `[libc.so.6]` for a function without a name; no argument list.
fn inferno(name: &str, module: &str) -> String {
    if name.as_bytes() == UNKNOWN && !module.is_empty() && module.as_bytes() != UNKNOWN {
        let file = module.rsplit('/').next().unwrap_or(module);
        return without_arguments(&format!("[{file}]").replace(';', ":")).to_owned();
    }
    without_arguments(&name.replace(';', ":")).to_owned()
}

/// Cut off an argument list; Go's `.(*T).m` and C++'s `(anonymous namespace)` are none.
fn without_arguments(name: &str) -> &str {
    let bytes = name.as_bytes();
    let mut depth = 0_i64;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'<' | b'{' | b'[' => depth += 1,
            b'>' | b'}' | b']' | b')' => depth -= 1,
            b'(' => {
                let is_receiver = at > 0 && bytes[at - 1] == b'.';
                if depth == 0 && !is_receiver && !bytes[at..].starts_with(b"(anonymous namespace)") {
                    return &name[..at];
                }
                depth += 1;
            }
            _ => {}
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::Style;

    #[test]
    fn inferno_has_no_argument_lists() {
        let cases = [
            ("f(int, char)", "", "f"),
            ("main.(*T).run", "", "main.(*T).run"),
            ("(anonymous namespace)::f(int)", "", "(anonymous namespace)::f"),
            ("std::function<void (int)>::call(int)", "", "std::function<void (int)>::call"),
            ("(x)", "", ""),
            ("[unknown]", "/usr/lib/libc.so.6", "[libc.so.6]"),
            ("[unknown]", "[unknown]", "[unknown]"),
            ("a;b", "", "a:b"),
        ];
        for (name, module, expected) in cases {
            assert_eq!(Style::Inferno.function(name, module), expected, "{name}");
        }
        assert_eq!(Style::Inferno.thread("Web Content"), "Web_Content");
    }

    #[test]
    fn a_name_breaks_no_line() {
        assert_eq!(Style::Plain.function("a;b\nc", "m"), "a:b c");
    }
}
