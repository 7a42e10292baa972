r"""Regular expressions that match in time linear in the text, whatever the text.

    _ROW = Pattern(r"^\s*(?P<name>\S.*?)\s*$")
    found = _ROW.match(line)

A `Pattern` and what it finds have the methods of `re` that are used here. The syntax is that of the Rust
crate `regex`: no look-around, no back-references; `$` is the very end of the text. A pattern whose repeats
can accept the same characters belongs here; one that decides at every character what comes next is linear
in `re` too. `tests/test_linear_time.py` measures both kinds.
"""

from __future__ import annotations

from ingest.native._core import Pattern

__all__ = ["VIEW", "Pattern", "view"]

VIEW = 8192
"""Characters of a line that a recogniser sees; readers read whole lines."""

_END = 2048


def view(line: str) -> str:
    """Return what a recogniser sees of `line`: its beginning, and its end with weights and results."""
    return line if len(line) <= VIEW else line[: VIEW - _END] + line[-_END:]
