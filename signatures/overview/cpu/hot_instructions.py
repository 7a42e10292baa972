"""Instructions at which the samples of a function are, as `perf annotate` prints them.

89.2 % of cpu-clock in probe (157 samples) is at `cmp %edx,%ecx`: while (table[h] && table[h] != keys[i])
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import quantity_words, value_words
from signatures.overview.levels import ratio_of
from signatures.overview.model import Answer, Figure, Statement, shortened_words

if TYPE_CHECKING:
    from signatures.documents.levels import Level
    from signatures.overview.scope_evidence import Row, ScopeEvidence

SHOWN = 8
TELLING_SHARE = 0.1
HOT_SHARE = 0.5
"""Of the samples of a function; from here on one instruction is what it does."""

"""Where samples spread over many instructions none is worth a sentence."""

LEAST_SAMPLES = 20
CAPTURE = "perf annotate --stdio"
PRECISE = ":p"
"""Modifier of an event whose samples state the instruction itself, `cycles:pp`: perf-list(1)."""


def hot_instructions(evidence: ScopeEvidence) -> Answer:
    """Return the hottest instructions; that of the function with most samples is a statement."""
    rows = sorted(evidence.rows("annotated_instructions"), key=_share, reverse=True)
    if not rows:
        return Answer("No annotated function.", lacks=(CAPTURE,))
    samples = {
        (entry.label("function"), entry.label("event")): entry.number
        for entry in evidence.facts("annotate.samples")
    }
    first = max(rows, key=lambda row: (samples.get(_key(row), 0.0), _share(row)))
    counted = samples.get(_key(first))
    words = _words(first, counted)
    is_telling = _share(first) >= TELLING_SHARE and (counted is None or counted >= LEAST_SAMPLES)
    share = _share(first)
    level: Level = "notable" if share >= HOT_SHARE else "context"
    statement = Statement("cpu", words, (first.place,), "fact", level, ratio=ratio_of(share, HOT_SHARE))
    return Answer(
        f"{words}.", tuple(map(_figure, rows[:SHOWN])), statements=(statement,) if is_telling else ()
    )


def _words(row: Row, samples: float | None) -> str:
    """Return which share is at an instruction, and of what, without a full stop."""
    function = _text(row, "function")
    within = f" in {function}" if function else ""
    of = _text(row, "event") or "the samples"
    counted = f" ({quantity_words(samples, 'count')} samples)" if samples else ""
    instruction = f"`{_text(row, 'instruction')}`"
    source = _text(row, "source")
    behind = f": {shortened_words(source)}" if source else ""
    if row.cells["share_of"] == "recording":
        return f"{value_words(_share(row), 'share')} of {of} is at {instruction}{within}{behind}"
    return f"{value_words(_share(row), 'share')} of {of}{within}{counted} is at {instruction}{behind}"


def _figure(row: Row) -> Figure:
    """Return an instruction with its share; the note says where it stands and what precedes it."""
    function, previous = _text(row, "function"), _text(row, "previous")
    notes = [shortened_words(_text(row, "source"))]
    if row.cells["address"]:
        notes.append(f"at {_text(row, 'address')}")
    if previous and PRECISE not in _text(row, "event"):
        notes.append(
            f"before it `{previous}`; samples of an imprecise event land behind the instruction they are for"
        )
    label = f"{function}: {_text(row, 'instruction')}" if function else _text(row, "instruction")
    return Figure(label, _share(row), "share", (row.place,), note="; ".join(one for one in notes if one))


def _share(row: Row) -> float:
    return row.number("share") or 0.0


def _text(row: Row, name: str) -> str:
    return str(row.cells[name] or "")


def _key(row: Row) -> tuple[str, str]:
    return (_text(row, "function"), _text(row, "event"))
