"""Documents: evidence that is one JSON or protocol buffer; parsed whole, within a size limit."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from ingest.model.errors import LimitExceededError, MalformedInputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

MAX_DEPTH = 4096
"""Frames of one stack; deeper ones are cut at the outermost end and counted."""


def joined(chunks: Iterable[bytes], at_most: int) -> bytes:
    """Return all of `chunks`.

    Raises:
        LimitExceededError: More than `at_most` bytes.
    """
    pieces = []
    size = 0
    for chunk in chunks:
        size += len(chunk)
        if size > at_most:
            raise LimitExceededError(
                f"a document of more than {at_most:,} bytes: export fewer threads or a shorter time"
            )
        pieces.append(chunk)
    return b"".join(pieces)


def json_object(content: bytes, what: str) -> Mapping[str, Any]:
    """Parse `content` as a JSON object.

    Raises:
        MalformedInputError: Not JSON, cut off, nested too deeply, or not an object.
    """
    try:
        document = json.loads(content.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError) as error:
        raise MalformedInputError(f"this is no whole {what}: {error}") from None
    if not isinstance(document, dict):
        raise MalformedInputError(f"this is no {what}: not a JSON object")
    return document


def mapping(value: Any) -> Mapping[str, Any]:
    """Return `value` when it is a JSON object, an empty one otherwise."""
    return value if isinstance(value, dict) else {}


def array(value: Any) -> list[Any]:
    """Return `value` when it is a JSON array, an empty one otherwise."""
    return value if isinstance(value, list) else []


def objects(value: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the objects of a JSON array."""
    return (one for one in array(value) if isinstance(one, dict))


def number(value: Any, default: float = 0.0) -> float:
    """Return a finite JSON number, `default` for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return default
    try:
        finite = float(value)
    except OverflowError:
        return default
    return finite if math.isfinite(finite) else default


LARGEST_ID = 1 << 53
"""Larger ids are rejected: Python hashes integers modulo a prime, so an input could force collisions."""


def identity(value: Any) -> int:
    """Return an id of a JSON document, -1 for anything else."""
    number = index(value, LARGEST_ID)
    return -1 if number is None else number


def index(value: Any, size: int) -> int | None:
    """Return `value` when it is an index into `size` entries, None otherwise."""
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if 0 <= value < size else None
