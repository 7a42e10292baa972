"""The line above a call trace that a paste leaves out, by the function that prints both.

missing_class(["dump_stack", "___might_sleep", "__kmalloc", …]).name  ->  "sleeping_while_atomic"
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.catalogue.log_classes import classes_by_printer
from ingest.frames.normalise import normalise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.catalogue.log_classes import LogClass

INNERMOST = 3
"""A printer is among so many functions: below it stand `dump_stack` and its helpers only."""


def missing_class(functions: Sequence[str]) -> LogClass | None:
    """Return the class of the line that is missing above a trace, innermost function first; None for none."""
    printers = classes_by_printer()
    return next((printers[name] for name in map(normalise, functions[:INNERMOST]) if name in printers), None)
