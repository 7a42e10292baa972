"""Names of C++ and Rust functions as their source has them, where a tool left them mangled.

demangled("_ZN4core3ptr5write17h26b3fca3b2f0f3a7E")  ->  "core::ptr::write"
"""

from __future__ import annotations

from ingest.native import _core


def demangled(name: str) -> str:
    """Return the name in the words of the source; other names as they are."""
    return _core.demangle(name) or name
