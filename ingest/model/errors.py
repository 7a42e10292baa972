"""Errors in evidence: caused by the sender, explained in one sentence.

    IngestError
    ├── UnknownFormatError      not text and not a container we open
    ├── MalformedInputError     the container or text breaks its own rules
    ├── LimitExceededError      a stated limit was hit
    └── ReaderFaultError        a reader failed: a bug of ours, which costs one section or file

Errors of queries on a reading:

    CannotAnswerError           the profile lacks the requested data, or the query is malformed

Anything else that leaves `ingest` is our bug; of a reader's, `contained` makes a `ReaderFaultError`.
"""

from __future__ import annotations

import traceback
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

PANIC = "PanicException"
"""Name of the exception that a panic of the native core becomes; no subclass of `Exception`."""


class IngestError(Exception):
    """Evidence cannot be read; the message is shown to the sender.

    Attributes:
        line: 1-based line the message speaks of, or None when it speaks of the whole.
    """

    def __init__(self, message: str, *, line: int | None = None) -> None:
        """Say what is wrong, and at which line if it is at one."""
        super().__init__(message if line is None else f"line {line}: {message}")
        self.line = line


class UnknownFormatError(IngestError):
    """The bytes are neither text nor a container that is opened here."""


class MalformedInputError(IngestError):
    """The input breaks the rules of the format it claims to be."""


class LimitExceededError(IngestError):
    """A stated limit was hit; everything read before it is discarded."""


class ReaderFaultError(IngestError):
    """A reader raised what it may not raise; the rest of the evidence is still read."""

    def __init__(self, reader: str, fault: BaseException) -> None:
        """Name the reader, what it raised and the line of code that raised it."""
        *_, last = traceback.extract_tb(fault.__traceback__)
        what = f"{type(fault).__name__}: {str(fault)[:200]}".removesuffix(": ")
        super().__init__(
            f"the reader {reader} failed, which is a bug of Casebook"
            f" ({what}, {Path(last.filename).name}:{last.lineno})"
        )


@contextmanager
def contained(reader: str, *passing: type[Exception]) -> Iterator[None]:
    """Turn a fault of `reader` into a `ReaderFaultError`.

    `IngestError`, what a full memory or disk raises, and the exceptions of `passing` stay what they are.
    """
    try:
        yield
    except (IngestError, MemoryError, OSError):
        raise
    except Exception as fault:
        if isinstance(fault, passing):
            raise
        raise ReaderFaultError(reader, fault) from fault
    except BaseException as fault:
        if type(fault).__name__ != PANIC:
            raise
        raise ReaderFaultError(reader, fault) from fault


class UnsupportedQueryError(Exception):
    """The recording lacks the requested data, or the query is malformed; the message states which."""
