"""Errors in evidence: caused by the sender, explained in one sentence.

    IngestError
    ├── UnknownFormatError      not text and not a container we open
    ├── MalformedInputError     the container or text breaks its own rules
    └── LimitExceededError      a stated limit was hit

Errors of queries on a reading:

    CannotAnswerError           the profile lacks the requested data, or the query is malformed

Anything else that leaves `ingest` is our bug.
"""

from __future__ import annotations


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


class UnsupportedQueryError(Exception):
    """The recording lacks the requested data, or the query is malformed; the message states which."""
