"""The matrix of competing hypotheses in words, shared by terminal, Markdown, chat and handoff.

Could it be something else?
A  is           Memory cgroup at its limit reclaims its own page cache
B  not decided  Page fault holds mmap_lock in reclaim, and ps hangs
✓ ·  Kernel time goes into reclaim of a memory cgroup: 43.7 %
· ?  mmap_lock was held for a second or more
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from signatures.rendering import words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from signatures.documents.hypotheses import (
        CellState,
        DecidingCaptureDocument,
        HypothesisDocument,
        MatrixDocument,
        ObservationDocument,
    )

TITLE = "Could it be something else?"
LETTERS = "ABC"
MARKS: Mapping[CellState, str] = {
    "is": "✓",
    "is not": "✗",
    "not decided": "?",
    "not looked at": "?",
    "silent": "·",
}
LEGEND = "✓ as the cause needs it, ✗ against it, ? not decided or not looked at, · says nothing of it"


class Column(NamedTuple):
    """A hypothesis: its letter, its verdict in words, what it says, and its signature, "" without one."""

    letter: str
    verdict: str
    text: str
    signature: str


def columns(matrix: MatrixDocument) -> list[Column]:
    """Return the hypotheses with their letters."""
    return [
        Column(letter, _verdict(one), one.text, one.signature)
        for letter, one in zip(LETTERS, matrix.hypotheses, strict=False)
    ]


def _verdict(hypothesis: HypothesisDocument) -> str:
    return words.VERDICTS[hypothesis.verdict] if hypothesis.verdict else words.NOT_DECIDED


def observation_words(observation: ObservationDocument) -> str:
    """Return an observation with its value."""
    return f"{observation.title}: {observation.measured}" if observation.measured else observation.title


def marks(observation: ObservationDocument) -> list[str]:
    """Return the mark of each cell."""
    return [MARKS[cell.state] for cell in observation.cells]


def could_be_words(matrix: MatrixDocument) -> str:
    """Return the hypotheses as a sentence; "" for fewer than two."""
    if len(matrix.hypotheses) <= 1:
        return ""
    named = "; ".join(f"{one.letter} {words.inside(one.text)}" for one in columns(matrix))
    return f"Could be: {named}."


def next_words(matrix: MatrixDocument) -> str:
    """Return what stands before the first command: what it decides, and what it costs."""
    return capture_words(matrix.captures[0]) if matrix.captures else "Next"


def capture_words(capture: DecidingCaptureDocument) -> str:
    """Return `Next (what it shows; decides between A and B; cost: …)`, with when it must not run."""
    shows = capture.title
    decides = f"decides {capture.decides}" if capture.decides else ""
    cost = f"cost: {capture.cost}" if capture.cost else ""
    needs = f"needs {', '.join(capture.needs)}" if capture.needs else ""
    unsafe = f"unsafe if: {', '.join(capture.unsafe_if)}" if capture.unsafe_if else ""
    said = "; ".join(filter(None, (words.inside(shows) if shows else "", decides, cost, needs, unsafe)))
    return f"Next ({said})" if said else "Next"


def matrix_lines(matrix: MatrixDocument) -> Iterator[str]:
    """Yield the matrix without its captures; nothing without a hypothesis."""
    if not matrix.hypotheses:
        return
    yield TITLE
    own = columns(matrix)
    width = max(len(one.verdict) for one in own)
    for one in own:
        signature = f"  [{one.signature}]" if one.signature else ""
        yield f"  {one.letter}  {one.verdict:<{width}}  {one.text}{signature}"
    if not matrix.observations:
        return
    yield f"  {' '.join(one.letter for one in own)}"
    for row in matrix.observations:
        yield f"  {' '.join(marks(row))}  {observation_words(row)}"
    yield f"  {LEGEND}"
