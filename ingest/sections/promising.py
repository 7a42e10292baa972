"""Whether a member of an archive is worth reading from its first line on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.containers import text_decoding
from ingest.sections import captured_files
from ingest.sections.log_prefixes import has_kernel_lines
from ingest.sections.recognise import claim_head

if TYPE_CHECKING:
    from ingest.model.limits import Limits

MACHINE = frozenset(("boot", "dev", "etc", "lib", "lib64", "proc", "sys", "usr"))
"""Directories of a machine: their files are known by path or are no output of a tool."""

_STACK = re.compile(r"(?:^|/)proc/\d{1,10}/(?:task/\d{1,10}/)?stack$")
"""The kernel stack of a task: the reader of stacks, which people print by hand too, knows it by its lines."""

_VALUE = re.compile(rb"-?\d{1,20}\n?")

MEMBER_HEAD_BYTES = 16 << 10
"""A format must begin within this head of a member whose path is not known."""


def is_of_the_system(path: str) -> bool:
    """Return whether the path is one of a machine's own files: what they say is no output of a tool."""
    *directories, name = path.split("/")
    return "." not in name and not MACHINE.isdisjoint(directories[:2]) and _STACK.search(path) is None


def is_unread_value(path: str, content: bytes) -> bool:
    """Return whether a file of the system holds one number, and no reader knows its path."""
    is_value = _VALUE.fullmatch(content) is not None
    return is_value and is_of_the_system(path) and captured_files.reader_of_path(path) is None


def is_promising(path: str, head: bytes, limits: Limits) -> bool:
    """Return whether the path of a member is known, or a format begins in its `head`."""
    if captured_files.reader_of_path(path):
        return True
    if is_of_the_system(path):
        return False
    beginning = head[:MEMBER_HEAD_BYTES]
    is_plain = text_decoding.is_plain(beginning, limits)
    text = beginning if is_plain else b"".join(text_decoding.text_chunks([beginning], beginning, limits))
    lines = text_decoding.lines_of(text)
    return claim_head(lines) is not None or has_kernel_lines(lines)
