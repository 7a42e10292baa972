"""What may be behind a symptom that no signature explains, by the rows of `symptoms.yaml`.

    causes_of("who holds the memory", "cat /proc/meminfo; …")[0].text  ->  "Processes hold the memory"

A row is of what the next capture shows: its causes are those between which the output decides.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NotRequired, TypedDict, cast

from ingest.native.linear import Pattern
from ingest.tables import table
from signatures.documents.hypotheses import CellDocument, HypothesisDocument, ObservationDocument
from signatures.overview.information_gain import gain
from signatures.overview.observation_matrix import SILENT_CELL
from signatures.overview.thresholds import thresholds_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from signatures.overview.model import Statement

_TABLE = Path(__file__).parent / "symptoms.yaml"
OPEN_CELL = CellDocument(state="not looked at")
LIMITS = thresholds_of("hypotheses")


class _Cause(TypedDict):
    cause: str
    sign: str
    seen: NotRequired[str]


class SymptomRow(TypedDict):
    """A row of the table; its head says what each key is."""

    asks: list[str]
    runs: str
    causes: list[_Cause]


class Cause(NamedTuple):
    """A cause with its sign; `seen` finds the statement that shows the sign already."""

    text: str
    sign: str
    seen: Pattern | None

    def shown_by(self, statements: Sequence[Statement]) -> Statement | None:
        """Return the first statement that shows the sign, and is more than what describes the evidence."""
        telling = (one for one in statements if one.level != "context" or one.kind == "alarm")
        return next((one for one in telling if self.seen and self.seen.search(one.text)), None)


def rows() -> tuple[SymptomRow, ...]:
    """Return the rows of the table."""
    return tuple(cast("list[SymptomRow]", table(_TABLE)["rows"]))


@cache
def _by_question() -> Mapping[str, tuple[Pattern, tuple[Cause, ...]]]:
    return {asked: (Pattern(row["runs"]), _causes(row)) for row in rows() for asked in row["asks"]}


def _causes(row: SymptomRow) -> tuple[Cause, ...]:
    return tuple(
        Cause(one["cause"], one["sign"], Pattern(one["seen"]) if "seen" in one else None)
        for one in row["causes"]
    )


def causes_of(asks: str, run: str) -> tuple[Cause, ...]:
    """Return the causes between which the output of a capture decides; none of an unknown one."""
    needed, causes = _by_question().get(asks, (None, ()))
    return causes if needed and needed.search(run) else ()


def compared(
    causes: Sequence[Cause], statements: Sequence[Statement]
) -> tuple[tuple[HypothesisDocument, ...], tuple[ObservationDocument, ...]]:
    """Return causes as hypotheses, and their signs as observations: seen ones first, with their lines."""
    shown = [one.shown_by(statements) for one in causes]
    likely, unlikely = LIMITS["sign"], LIMITS["other_sign"]
    raw = [likely if one else unlikely if any(shown) else LIMITS["statement"] for one in shown]
    weights = [one / sum(raw) for one in raw]
    hypotheses = [
        HypothesisDocument(text=one.text, weight=round(weight, 4))
        for one, weight in zip(causes, weights, strict=True)
    ]
    observations = []
    for at, (cause, statement) in enumerate(zip(causes, shown, strict=True)):
        cell = CellDocument(state="is", citations=statement.places[:1]) if statement else OPEN_CELL
        likelihoods = [likely if at == column else unlikely for column in range(len(causes))]
        observations.append(
            ObservationDocument(
                title=cause.sign,
                cells=tuple(cell if at == column else SILENT_CELL for column in range(len(causes))),
                gain=0.0 if statement else round(gain(weights, likelihoods), 4),
            )
        )
    observations.sort(key=lambda one: bool(one.gain))
    return tuple(hypotheses), tuple(observations)
