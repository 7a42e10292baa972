//! One line of a stack: `ffffffff8158e45a next_uptodate_folio+0x13a ([kernel.kallsyms])`.
//!
//! ```text
//!     7f5c0c875c60 _dl_open+0x0 (/usr/lib64/ld-2.28.so)
//!     7f7241fbe6d8 arrayOopDesc::base(BasicType) const (/home/x/libjvm.so)
//!     5966605dd52f8e00 [unknown] ([unknown])
//!     7f1e2215d058  (/lib/x86_64-linux-gnu/libc-2.15.so (deleted))
//!     55d0a1 core::ops::call (inlined)
//! ```
//! Source: `tools/perf/util/evsel_fprintf.c` (`sample__fprintf_callchain`).

use memchr::memchr;

use crate::profile::tokens;

/// What a symbol without a name is called; perf's own word.
pub const UNKNOWN: &[u8] = b"[unknown]";

/// Who runs there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    Kernel,
    Module,
    User,
    Jit,
    Unknown,
}

impl Kind {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Kernel => "kernel",
            Self::Module => "module",
            Self::User => "user",
            Self::Jit => "jit",
            Self::Unknown => "unknown",
        }
    }

    #[must_use]
    pub fn is_kernel(self) -> bool {
        matches!(self, Self::Kernel | Self::Module)
    }
}

/// Where an address lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Address {
    Kernel,
    User,
    Zero,
    NotPrinted,
}

impl Address {
    /// The upper half belongs to the kernel: `Documentation/arch/x86/x86_64/mm.rst`, `arm64/memory.rst`.
    #[must_use]
    pub fn of(text: &[u8]) -> Self {
        if text.is_empty() {
            Self::NotPrinted
        } else if text.len() == 16 && text.starts_with(b"ffff") && text[4] >= b'8' {
            Self::Kernel
        } else if text.iter().all(|&byte| byte == b'0') {
            Self::Zero
        } else {
            Self::User
        }
    }
}

/// An address and the rest of its line.
#[derive(Debug, PartialEq, Clone, Copy)]
pub struct Line<'a> {
    pub address: &'a [u8],
    pub rest: &'a [u8],
}

/// Split a stack line; `None` when it does not begin with an address.
#[must_use]
pub fn split(line: &[u8]) -> Option<Line<'_>> {
    if let Some(found) = split_regular(line) {
        return Some(found);
    }
    let start = line.iter().position(|&byte| !tokens::is_blank(byte))?;
    let digits = line[start..].iter().take(17).take_while(|&&byte| tokens::is_hex(byte)).count();
    let end = start + digits;
    if digits == 0 || digits > 16 || line.get(end).is_some_and(|&byte| !tokens::is_blank(byte)) {
        return None;
    }
    Some(Line { address: &line[start..end], rest: line.get(end + 1..).unwrap_or(&[]) })
}

/// The line as perf prints it: a tab, the address right-aligned in sixteen columns, a blank.
#[must_use]
pub fn split_regular(line: &[u8]) -> Option<Line<'_>> {
    let (columns, rest) = line.strip_prefix(b"\t")?.split_first_chunk::<16>()?;
    let rest = rest.strip_prefix(b" ")?;
    let start = columns.iter().position(|&byte| byte != b' ')?;
    // Every column is looked at, without leaving early: that is one step for the machine.
    let odd = columns
        .iter()
        .enumerate()
        .fold(0, |odd, (at, &byte)| odd + u8::from(at >= start && !tokens::is_hex(byte)));
    (odd == 0).then_some(Line { address: &columns[start..], rest })
}

/// A frame, offsets and `(inlined)` taken away, otherwise as printed.
#[derive(Debug, PartialEq)]
pub struct Frame<'a> {
    pub name: &'a [u8],
    pub module: &'a [u8],
    pub kind: Kind,
}

/// Parse the text after the address.
#[must_use]
pub fn parse<'a>(rest: &'a [u8], address: &'a [u8]) -> Frame<'a> {
    let (symbol, module) = split_module(tokens::trim(rest));
    let module = if module == b"inlined" { &[] } else { module };
    let name = without_offset(tokens::trim(symbol));
    let name = match (name.is_empty(), module.is_empty()) {
        (false, _) => name,
        (true, true) => address,
        (true, false) => UNKNOWN,
    };
    Frame { name, module, kind: kind_of(name, module, Address::of(address)) }
}

/// `f+0x50 ([k])` without what varies: `f` and ` ([k])`. All of the text and nothing where that is not plain.
#[must_use]
pub fn around_offset(rest: &[u8]) -> (&[u8], &[u8]) {
    let whole = (rest, &rest[..0]);
    let Some(plus) = memchr(b'+', rest) else { return whole };
    let Some(digits) = rest[plus..].strip_prefix(b"+0x") else { return whole };
    let count = digits.iter().take_while(|&&byte| tokens::is_hex(byte)).count();
    let module = &digits[count..];
    let is_plain = count > 0 && plus > 0 && module.starts_with(b" (") && memchr(b'+', module).is_none();
    if is_plain { (&rest[..plus], module) } else { whole }
}

/// Whether a frame's text was cut: an open parenthesis of its module.
#[must_use]
pub fn is_cut(rest: &[u8]) -> bool {
    let text = tokens::trim(rest);
    if split_module(text).1.is_empty() {
        let opening = text.windows(2).rposition(|two| two == b" (" || two == b" [");
        return text.is_empty()
            || opening.is_some_and(|at| !text[at..].contains(&b')')) && !text.ends_with(b"]");
    }
    false
}

/// `name+0x1 (module (deleted))` is the name and what the last balanced parentheses hold.
fn split_module(text: &[u8]) -> (&[u8], &[u8]) {
    if !text.ends_with(b")") {
        return (text, &[]);
    }
    let mut open = 0_usize;
    for (at, &byte) in text.iter().enumerate().rev() {
        match byte {
            b')' => open += 1,
            b'(' => {
                open -= 1;
                if open == 0 {
                    let is_module = at == 0 || tokens::is_blank(text[at - 1]);
                    let inner = &text[at + 1..text.len() - 1];
                    return if is_module && !inner.is_empty() { (&text[..at], inner) } else { (text, &[]) };
                }
            }
            _ => {}
        }
    }
    (text, &[])
}

fn without_offset(name: &[u8]) -> &[u8] {
    let Some(plus) = name.windows(3).rposition(|three| three == b"+0x") else {
        return name;
    };
    let digits = &name[plus + 3..];
    let is_offset = !digits.is_empty() && digits.iter().all(|&byte| tokens::is_hex(byte));
    if is_offset { &name[..plus] } else { name }
}

/// Who runs in `module` at an address.
#[must_use]
pub fn kind_of(name: &[u8], module: &[u8], address: Address) -> Kind {
    let is_kernel = address == Address::Kernel;
    if name.starts_with(b"bpf_prog_") || module.starts_with(b"bpf_prog_") {
        return Kind::Kernel;
    }
    if module.starts_with(b"[") {
        return bracketed(name, module, address);
    }
    let file = module.rsplit(|&byte| byte == b'/').next().unwrap_or(module);
    if is_jit(module, file) {
        return Kind::Jit;
    }
    if file.starts_with(b"vmlinux") || file == b"kallsyms" || file == b"kcore" {
        return Kind::Kernel;
    }
    if file.ends_with(b".ko")
        || [".ko.xz", ".ko.gz", ".ko.zst"].iter().any(|end| file.ends_with(end.as_bytes()))
    {
        return Kind::Module;
    }
    match address {
        _ if is_kernel => Kind::Kernel,
        Address::NotPrinted | Address::Zero if module.is_empty() => Kind::Unknown,
        _ => Kind::User,
    }
}

/// Modules without a file: `[kernel.kallsyms]`, `[ext4]`, `[vdso]`, `[unknown]`.
fn bracketed(name: &[u8], module: &[u8], address: Address) -> Kind {
    let is_kernel = address == Address::Kernel;
    if module.starts_with(b"[kernel") || module.starts_with(b"[guest.kernel") {
        return Kind::Kernel;
    }
    if module.starts_with(b"[JIT") {
        return Kind::Jit;
    }
    if module == UNKNOWN {
        return match address {
            _ if is_kernel => Kind::Kernel,
            Address::Zero | Address::NotPrinted => Kind::Unknown,
            _ if name == UNKNOWN => Kind::Unknown,
            _ => Kind::User,
        };
    }
    let user: [&[u8]; 8] =
        [b"[vdso", b"[vsyscall", b"[heap", b"[stack", b"[anon", b"[uprobes", b"[vvar", b"[vectors"];
    if user.iter().any(|start| module.starts_with(start)) {
        return Kind::User;
    }
    Kind::Module
}

/// Symbol maps of just-in-time compilers: tools/perf/Documentation/jit-interface.txt.
fn is_jit(module: &[u8], file: &[u8]) -> bool {
    let is_map = file.starts_with(b"perf-") && file.ends_with(b".map");
    is_map || (file.starts_with(b"jitted-") && file.ends_with(b".so")) || module.starts_with(b"jit-")
}

#[cfg(test)]
mod tests {
    use super::{Kind, around_offset, is_cut, parse, split};

    fn read(line: &str) -> (String, String, Kind) {
        let line = split(line.as_bytes()).unwrap();
        let frame = parse(line.rest, line.address);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (text(frame.name), text(frame.module), frame.kind)
    }

    #[test]
    fn every_observed_form_is_read() {
        let cases = [
            (
                "\tffffffff8158e45a next_uptodate_folio+0x13a ([kernel.kallsyms])",
                "next_uptodate_folio",
                "[kernel.kallsyms]",
                Kind::Kernel,
            ),
            ("\tffffffffc0012345 ext4_read+0x1 ([ext4])", "ext4_read", "[ext4]", Kind::Module),
            (
                "\t 7d8 ipv4_conntrack_local+0x7f8f80b8 (/lib/modules/5/nf_conntrack_ipv4.ko.xz)",
                "ipv4_conntrack_local",
                "/lib/modules/5/nf_conntrack_ipv4.ko.xz",
                Kind::Module,
            ),
            (
                "7f7241fbe6d8 arrayOopDesc::base(BasicType) const (/x/libjvm.so)",
                "arrayOopDesc::base(BasicType) const",
                "/x/libjvm.so",
                Kind::User,
            ),
            (
                "  7f1e2215d058  (/lib/libc-2.15.so (deleted))",
                "[unknown]",
                "/lib/libc-2.15.so (deleted)",
                Kind::User,
            ),
            ("  7f1e2215d058 ([unknown])", "[unknown]", "[unknown]", Kind::Unknown),
            ("  0 [unknown] ([unknown])", "[unknown]", "[unknown]", Kind::Unknown),
            ("  ffffffff9c2009e7 [unknown] ([unknown])", "[unknown]", "[unknown]", Kind::Kernel),
            (
                "  c6d7895aac9 LazyCompile:~body_0 evalmachine.<anonymous>:1 (/tmp/perf-31912.map)",
                "LazyCompile:~body_0 evalmachine.<anonymous>:1",
                "/tmp/perf-31912.map",
                Kind::Jit,
            ),
            ("  7f00 foo ([JIT] tid 12)", "foo", "[JIT] tid 12", Kind::Jit),
            ("  7f00 Foo ([JIT app cache])", "Foo", "[JIT app cache]", Kind::Jit),
            (
                "  ffffffffc0 bpf_prog_6deef7357e7b4530_sd (bpf_prog_6deef7357e7b4530_sd)",
                "bpf_prog_6deef7357e7b4530_sd",
                "bpf_prog_6deef7357e7b4530_sd",
                Kind::Kernel,
            ),
            ("  55d0a1 core::ops::call (inlined)", "core::ops::call", "", Kind::User),
            (
                "  55d0a1 (anonymous namespace)::run() (/bin/x)",
                "(anonymous namespace)::run()",
                "/bin/x",
                Kind::User,
            ),
            ("  55d0a1 net/http.(*Client).Do (/bin/x)", "net/http.(*Client).Do", "/bin/x", Kind::User),
            ("  ffffffff81000000 do_idle", "do_idle", "", Kind::Kernel),
            ("  ffffffff81000000", "ffffffff81000000", "", Kind::Kernel),
            ("  7ffc12 __vdso_gettimeofday ([vdso])", "__vdso_gettimeofday", "[vdso]", Kind::User),
            (
                "  d70 _start+0xffff018fd5dce000 (/usr/lib/ld-2.24.so)",
                "_start",
                "/usr/lib/ld-2.24.so",
                Kind::User,
            ),
            ("  d70 f(int)", "f(int)", "", Kind::User),
        ];
        for (line, name, module, kind) in cases {
            assert_eq!(read(line), (name.to_owned(), module.to_owned(), kind), "{line:?}");
        }
    }

    #[test]
    fn words_that_are_no_address_are_no_frame() {
        for line in ["", "   ", "java 19983 cycles:", "# x", "\tqed 1"] {
            assert_eq!(split(line.as_bytes()), None, "{line:?}");
        }
    }

    #[test]
    fn lines_that_differ_in_a_plain_offset_are_the_same_frame() {
        let (symbol, module) = around_offset(b"next_uptodate_folio+0x13a ([kernel.kallsyms])");
        assert_eq!((symbol, module), (b"next_uptodate_folio".as_slice(), b" ([kernel.kallsyms])".as_slice()));
        for whole in [
            "f",
            "+0x1 (m)",
            "f+1 (m)",
            "f+0x (m)",
            "f+0x1",
            "f+0x1 b+0x2 (m)",
            "f+0x1 (lib++.so)",
            "f+0xg (m)",
        ] {
            assert_eq!(around_offset(whole.as_bytes()), (whole.as_bytes(), b"".as_slice()), "{whole}");
        }
    }

    #[test]
    fn an_open_module_is_cut() {
        assert!(is_cut(b"next_uptodate_folio+0x13a ([kernel.kall"));
        assert!(is_cut(b""));
        assert!(!is_cut(b"next_uptodate_folio+0x13a ([kernel.kallsyms])"));
        assert!(!is_cut(b"f(int, char)"));
    }
}
