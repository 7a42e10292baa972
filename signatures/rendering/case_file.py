"""A redacted case as `case.html` and `summary.md`: enough for a stranger to take over the case.

The page is self-contained, without network or script: its Content-Security-Policy forbids both, and every
text is escaped, because evidence is untrusted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from signatures.rendering import matrix_text

if TYPE_CHECKING:
    from collections.abc import Sequence

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"


class Cite(NamedTuple):
    """Cited lines of a file: `perf.script:12-40`, and the anchor of the first in the page."""

    place: str
    anchor: str


class Statement(NamedTuple):
    """A statement of the overview; its text is "" where it is the lead."""

    text: str
    cites: tuple[Cite, ...]


class Condition(NamedTuple):
    """A row of a finding; `more` citations are not listed."""

    name: str
    state: str
    measured: str
    cites: tuple[Cite, ...]
    more: int


class Finding(NamedTuple):
    """A finding in words; `verdict` is the value of the machine, which colours the claim."""

    verdict: str
    claim: str
    decides: str
    signature: str
    host: str
    certainty: str
    affected: str
    conditions: tuple[Condition, ...]


class Step(NamedTuple):
    """A fix with its label, risk and command; `run` is "" without a command."""

    label: str
    title: str
    limits: str
    run: str


class Cell(NamedTuple):
    """A mark with its words, and the first line that it rests on; None where that is not handed over."""

    mark: str
    words: str
    cite: Cite | None


class Link(NamedTuple):
    """A node of the chain of causes with the edge to it, its reason and the lines that prove that.

    `cite` is None where its file is not handed over.
    """

    edge: str
    text: str
    cite: Cite | None
    reason: str
    proof: tuple[Cite, ...]


class Matrix(NamedTuple):
    """What else it could be: columns, rows of title and cells, and what to run next, "" without one."""

    columns: Sequence[matrix_text.Column]
    rows: Sequence[tuple[str, Sequence[Cell]]]
    next: str
    run: str


class OomPlace(NamedTuple):
    """A line that decides whether it is just OOM; None where its file is not handed over."""

    cite: Cite | None
    text: str


class Oom(NamedTuple):
    """Whether it is just OOM; `more` places are not listed."""

    title: str
    sentence: str
    places: tuple[OomPlace, ...]
    more: int


class ExcerptLine(NamedTuple):
    """A line of a file; lines before it are left out where `is_after_gap`."""

    number: int
    anchor: str
    text: str
    is_cited: bool
    is_after_gap: bool


class File(NamedTuple):
    """A redacted file with the lines that something rests on."""

    path: str
    sha256: str
    lines: int
    changed: int
    excerpt: tuple[ExcerptLine, ...]


class WaitPicture(NamedTuple):
    """One wait graph: host and phase, sentences about its root blockers, SVG and Mermaid flow chart."""

    title: str
    sentences: tuple[str, ...]
    svg: str
    mermaid: str


@dataclass(frozen=True, slots=True)
class CaseFile:
    """What both documents say, in their order.

    Attributes:
        lead: The headline of the overview.
        tried: Capture runs so far, as sentences.
        notes: Markdown of the notes, oldest first.
        pictures: Flame graphs as title and SVG.
        left_out: Reason and number of files that are not handed over.
        changes: Title and differences of the verdicts that redaction changed.
    """

    number: int
    title: str
    recipient: str
    question: str
    hosts: Sequence[str]
    lead: str
    statements: Sequence[Statement]
    findings: Sequence[Finding]
    fixes: Sequence[Step]
    chain: Sequence[Link]
    matrix: Matrix
    wait_graphs: Sequence[WaitPicture]
    pictures: Sequence[tuple[str, str]]
    oom: Oom
    resolution: str
    tried: Sequence[str]
    notes: Sequence[str]
    files: Sequence[File]
    left_out: Sequence[tuple[str, int]]
    changes: Sequence[tuple[str, str]]


def html(case: CaseFile) -> str:
    """Return the page."""
    from signatures.rendering.templates import FOLDER, html_template  # noqa: PLC0415 - Jinja2, for handoffs only

    style = (FOLDER / "case.css").read_text(encoding="utf-8")
    return html_template("case.html.j2").render(
        case=case, legend=matrix_text.LEGEND, policy=POLICY, style=style
    )


def markdown(case: CaseFile) -> str:
    """Return the summary."""
    from signatures.rendering.templates import markdown_template  # noqa: PLC0415 - same

    return markdown_template("summary.md.j2").render(case=case, legend=matrix_text.LEGEND).rstrip() + "\n"
