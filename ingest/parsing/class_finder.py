"""The native search for the class of a kernel message, shared by all who look for one."""

from __future__ import annotations

from functools import cache

from ingest.catalogue.log_classes import CLASSES
from ingest.native.line_classes import LineClasses
from ingest.parsing import required_literals

PATTERNS = tuple(one.pattern for one in CLASSES)


@cache
def finder() -> LineClasses:
    """Return the native search for the first class of a message."""
    return LineClasses(PATTERNS, required_literals.known(PATTERNS))
