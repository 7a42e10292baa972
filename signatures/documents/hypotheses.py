"""Competing hypotheses: what may explain a case, and the observations that decide between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from signatures.documents.capture import CaptureDocument
from signatures.documents.citation import Place
from signatures.documents.finding import Verdict

CellState: TypeAlias = Literal["is", "is not", "not decided", "not looked at", "silent"]
"""Whether an observation is as a hypothesis needs it; `silent`: the hypothesis says nothing about it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HypothesisDocument:
    """A column of the matrix.

    Attributes:
        text: What it says, in the grammar of headlines.
        signature: Its signature; "" of a statement.
        verdict: Of its finding; null of a statement.
        fingerprint: Of its finding; "" of a statement.
        weight: How likely it is beside the others, 0..1; the rest to 1 is something else.
    """

    text: str
    signature: str = ""
    verdict: Verdict | None = None
    fingerprint: str = ""
    weight: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CellDocument:
    """What an observation says of a hypothesis.

    Attributes:
        condition: The condition of its signature; "" of a statement, or where it is silent.
        reason: Why it is not decided; "" otherwise.
        citations: The first lines that it rests on; none where it is not decided.
    """

    state: CellState
    condition: str = ""
    reason: str = ""
    citations: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservationDocument:
    """A row of the matrix: an observation whose truth differs among the hypotheses.

    Attributes:
        title: What is observed; `Not: …` where each hypothesis that speaks of it excludes it.
        measured: The value with its unit; "" without one.
        cells: One of each hypothesis, in their order.
        capture: Name of the capture that would show it; "" where it is decided, or nothing safe shows it.
        gain: Information gain of knowing it, in bits; 0 where it is decided.
    """

    title: str
    measured: str = ""
    cells: tuple[CellDocument, ...] = ()
    capture: str = ""
    gain: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class DecidingCaptureDocument(CaptureDocument):
    """A capture with what its output decides.

    Attributes:
        name: Name in the catalogue; "" of a command that is not of it.
        decides: What it decides: `between A and B`, or what its output shows.
        gain: Information gain of its observations together, in bits; 0 where none is of the matrix.
    """

    decides: str = ""
    gain: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixDocument:
    """Could it be something else? Hypotheses, observations and captures.

    Attributes:
        hypotheses: At most three, that of the headline first.
        observations: At most nine: decided ones that separate the hypotheses most, then open ones by gain.
        captures: What to run next, that of the author of a signature first.
    """

    hypotheses: tuple[HypothesisDocument, ...] = ()
    observations: tuple[ObservationDocument, ...] = ()
    captures: tuple[DecidingCaptureDocument, ...] = ()
