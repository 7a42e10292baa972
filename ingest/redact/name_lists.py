"""Lists of names in one group of a rule: users and hosts, with commas or blanks between them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ADDRESS = re.compile(r"(?:(?:25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})\.){3}(?:25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})")
_LISTED = re.compile(rb"[A-Za-z0-9_](?:[^,:\s]|:(?![0-9]+(?:[,\s]|\Z)))*")


def names_in(kind: str, value: bytes) -> Iterator[tuple[int, int, str, str]]:
    """Yield start, end (exclusive), kind and text of the names and addresses in a list; numbers are none."""
    for found in _LISTED.finditer(value):
        if found.start() == 0 or value[found.start() - 1 : found.start()] in (b",", b" ", b"\t"):
            name = found.group().decode("utf-8", "surrogateescape")
            is_address = ADDRESS.fullmatch(name) is not None
            if is_address or not name[0].isdigit():
                yield found.start(), found.end(), "ipv4" if is_address else kind, name
