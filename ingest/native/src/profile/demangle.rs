//! Names of C++ and Rust functions as their source has them, where perf or the collector left them mangled.
//!
//! ```text
//!     _ZN4core3ptr5write17h26b3fca3b2f0f3a7E                                  core::ptr::write
//!     core::cmp::impls::_$LT$impl$u20$PartialOrd$u20$for$u20$usize$GT$::lt::hf4d08bdc2d45569c
//!                                                      core::cmp::impls::<impl PartialOrd for usize>::lt
//!     _RNvCs1234_7mycrate3foo                                                 mycrate::foo
//!     _ZNSt6vectorIiSaIiEE9push_backERKi            std::vector<int, std::allocator<int> >::push_back(int const&)
//! ```
//!
//! perf before 4.12 took legacy names of Rust for names of C++ and undid them by half. The hash at the end of a legacy
//! name says nothing; it would keep instances of one function apart.

use memchr::memmem;

/// Longer names are kept as they are: demangled they can be far longer.
const MOST_BYTES: usize = 2048;

/// The name of a mangled function; `None` for any other name, and where it cannot be read.
#[must_use]
pub fn demangled(name: &[u8]) -> Option<String> {
    if name.len() > MOST_BYTES {
        return None;
    }
    match name {
        [b'_', b'R' | b'Z', ..] | [b'_', b'_', b'R' | b'Z', ..] => whole(std::str::from_utf8(name).ok()?),
        _ if is_half_done(name) => halved(std::str::from_utf8(name).ok()?),
        _ => None,
    }
}

fn whole(name: &str) -> Option<String> {
    if let Ok(found) = rustc_demangle::try_demangle(name) {
        return bounded(format!("{found:#}"));
    }
    let found = cpp_demangle::Symbol::new(name.as_bytes()).ok()?;
    bounded(found.demangle().ok()?)
}

fn bounded(name: String) -> Option<String> {
    (name.len() <= MOST_BYTES && !name.is_empty()).then_some(name)
}

/// Whether a name has the escapes or the hash of a legacy name of Rust.
fn is_half_done(name: &[u8]) -> bool {
    has_hash(name)
        || (memchr::memchr(b'$', name).is_some() && memmem::find(name, b"::").is_some() && has_escape(name))
}

fn has_hash(name: &[u8]) -> bool {
    let Some(at) = name.len().checked_sub(19) else { return false };
    name[at..].starts_with(b"::h") && name[at + 3..].iter().all(u8::is_ascii_hexdigit)
}

fn has_escape(name: &[u8]) -> bool {
    [&b"$LT$"[..], b"$GT$", b"$u20$", b"$RF$", b"$LP$", b"$BP$"]
        .iter()
        .any(|escape| memmem::find(name, escape).is_some())
}

/// Mangle a half-done name again, and read it whole.
fn halved(name: &str) -> Option<String> {
    if !name.is_ascii() || name.contains(char::is_whitespace) {
        return None;
    }
    let mut mangled = String::from("_ZN");
    for part in name.split("::") {
        if part.is_empty() {
            return None;
        }
        mangled.push_str(&part.len().to_string());
        mangled.push_str(part);
    }
    mangled.push('E');
    let found = rustc_demangle::try_demangle(&mangled).ok()?;
    bounded(format!("{found:#}"))
}

#[cfg(test)]
mod tests {
    use super::demangled;

    fn read(name: &str) -> Option<String> {
        demangled(name.as_bytes())
    }

    #[test]
    fn legacy_names_of_rust_lose_their_hash() {
        assert_eq!(read("_ZN4core3ptr5write17h26b3fca3b2f0f3a7E").as_deref(), Some("core::ptr::write"));
    }

    #[test]
    fn names_that_perf_undid_by_half_are_read_whole() {
        let name = "core::cmp::impls::_$LT$impl$u20$core..cmp..PartialOrd$u20$for$u20$usize$GT$::lt::hf4d08bdc2d45569c";
        assert_eq!(
            read(name).as_deref(),
            Some("core::cmp::impls::<impl core::cmp::PartialOrd for usize>::lt")
        );
        let name =
            "_$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$core..ops..deref..Deref$GT$::deref::h0123456789abcdef";
        assert_eq!(read(name).as_deref(), Some("<alloc::vec::Vec<T> as core::ops::deref::Deref>::deref"));
        assert_eq!(read("core::mem::swap::h0123456789abcdef").as_deref(), Some("core::mem::swap"));
    }

    #[test]
    fn names_of_the_new_scheme_of_rust_and_of_cpp_are_read() {
        assert_eq!(read("_RNvC6_123foo3bar").as_deref(), Some("123foo::bar"));
        assert_eq!(read("_ZN3foo3barEi").as_deref(), Some("foo::bar(int)"));
    }

    #[test]
    fn other_names_are_kept() {
        for name in [
            "_raw_spin_lock",
            "main",
            "std::vector<int>::size() const",
            "Lfoo$bar;::run",
            "_Zrubbish",
            "_R",
            "a::h12",
        ] {
            assert_eq!(read(name), None, "{name}");
        }
    }
}
