"""Recognises evidence pasted into the search box: read and judged in a limited child, never stored.

Text recognised only as plain text is treated as search words.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from backend.findings.fault_log import log_noted
from backend.sandbox.envelope import result_of_job
from backend.sandbox.runner import LimitHitError, SandboxCrashError, SandboxLimits

if TYPE_CHECKING:
    from backend.core.settings import Settings

logger = logging.getLogger(__name__)

LIMITS = SandboxLimits(cpu_seconds=5, wall_seconds=10.0, memory_bytes=768 << 20, output_bytes=16 << 20)
"""A search is no upload: input that takes longer belongs in a case."""


class Piece(NamedTuple):
    """Lines recognised as the output of a tool."""

    format: str
    title: str
    first_line: int
    last_line: int


class Judged(NamedTuple):
    """The verdict of a signature on the pasted text.

    Attributes:
        strength: Contribution to the rank of the entry, 0..1.
        met: Titles of the conditions that were met.
        affected: What its version table says of the kernel named in the text, on what basis.
    """

    signature: str
    verdict: str
    strength: float
    met: tuple[str, ...]
    affected: str
    basis: str


@dataclass(frozen=True, slots=True)
class Recognised:
    """A recognised pasted text.

    Attributes:
        pieces: Recognised parts, in the order of the lines.
        prose: The lines that are words and nothing else, and the messages of kernel logs; all of it when
            neither a function nor a signature was found in what was recognised.
        frames: Functions and their weight, 0..1.
        judged: Verdicts by signature id, only relevant ones.
        problem: Why it could not be read as evidence, "" when it could.
    """

    pieces: tuple[Piece, ...] = ()
    prose: str = ""
    frames: dict[str, float] = field(default_factory=dict)
    judged: dict[str, Judged] = field(default_factory=dict)
    problem: str = ""


def recognise(settings: Settings, pasted: str) -> Recognised:
    """Parse `pasted` as evidence and judge it."""
    limits = replace(LIMITS, policy=settings.sandbox)
    try:
        result = result_of_job(settings, "recognise", {"text": pasted}, what="reading", limits=limits)
    except LimitHitError as hit:
        return Recognised(prose=pasted, problem=str(hit))
    except SandboxCrashError:
        logger.exception("a pasted text could not be recognised")
        return Recognised(prose=pasted, problem="the reader of evidence failed on this text")
    log_noted(result["faults"])
    found = result["recognised"]
    return Recognised(
        tuple(Piece(**piece) for piece in found.get("pieces", ())),
        found["prose"],
        found.get("frames", {}),
        {name: Judged(**one | {"met": tuple(one["met"])}) for name, one in found.get("judged", {}).items()},
        found.get("problem", ""),
    )
