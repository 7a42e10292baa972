"""What completes the title of a match: what the kernel report that it cites names, and a worse alarm above.

A check in the kernel failed: kernel warning (WARN); in nvme_setup_rw
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from signatures.rendering.words import inside

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.documents.finding import FindingDocument
    from signatures.overview.model import Place
    from signatures.overview.statement_order import Shown

Part: TypeAlias = Literal["whole", "together", "end", "cause", ""]
"""How much of a headline a statement is: all of it, its end, or the cause that it names; "" of none.

`together`: it reads the report of a match together with what followed, and says it better than the title.
"""

GENERIC = frozenset(
    {"fs/journal-commit-stall", "locking/spin-contention", "net/listen-overflow", "sched/hung-tasks"}
)
"""Pages that serve many causes: what the evidence shows there completes their title."""

SUBJECTS = ("interface", "disk", "server", "pci_address")
"""What a finding is about, where its condition names one thing."""


class Detail(NamedTuple):
    """Words that complete a title, and the statement that they are of.

    Attributes:
        things: Devices and servers that the words name.
    """

    words: str
    of: Shown | None = None
    part: Part = ""
    things: tuple[str, ...] = ()


def detail(finding: FindingDocument, statements: Sequence[Shown]) -> Detail:
    """Return what completes the title: the thing it is about, and what the log that it cites says."""
    found = _read_together(finding, statements) or _of_log(finding, statements)
    values = (finding.extract.get(name, "") for name in SUBJECTS)
    subject = next((value for value in values if value and value not in found.things), "")
    return found._replace(words=f" ({subject}){found.words}") if subject else found


def _read_together(finding: FindingDocument, statements: Sequence[Shown]) -> Detail | None:
    """Return the combined statement of a log whose lines a finding cites; None without one."""
    cited = [place for clause in finding.conditions for place in clause.citations]
    for shown in statements:
        one = shown.statement
        if not (one.is_combined and one.log_classes and shown.host == finding.host):
            continue
        if any(is_cited(where, place) for where in (*one.places, one.extent) if where for place in cited):
            return Detail(f": {inside(one.text)}", shown, "together", one.things)
    return None


def _of_log(finding: FindingDocument, statements: Sequence[Shown]) -> Detail:
    """Return what the first alarm of a log that a finding cites names: function, device, lock or victim."""
    cited = [place for clause in finding.conditions for place in clause.citations]
    is_generic = finding.signature in GENERIC
    for shown in statements:
        one = shown.statement
        gist, first = one.gist or (one.words if is_generic else ""), one.places[0]
        if gist and any(is_cited(one.extent or first, place) for place in cited):
            words = f": {inside(gist)}"
            before = "" if one.names_preceding else _before(first, statements)
            if before:
                things = (*one.things, *statements[0].statement.things)
                return Detail(f"{words}{before}", statements[0], "cause", things)
            return Detail(words, shown, "cause" if one.qualifiers else "end", one.things)
    before = next((before for place in cited if (before := _before(place, statements))), "")
    if not before:
        return Detail("")
    return Detail(before, statements[0], "cause", statements[0].statement.things)


def _before(cited: Place, statements: Sequence[Shown]) -> str:
    """Return the first alarm of the log, if it is a worse one above what a finding cites; else ""."""
    if not statements:
        return ""
    lead = statements[0].statement
    place = lead.places[0]
    is_above = (place.evidence, place.section) == (cited.evidence, cited.section) and (
        place.last_line < cited.first_line
    )
    return f"; before it: {inside(lead.gist)}" if lead.gist and is_above else ""


def is_cited(place: Place, citation: Place) -> bool:
    """Return whether a place shares a line with a citation of a finding."""
    is_same_text = (place.evidence, place.section) == (citation.evidence, citation.section)
    return is_same_text and citation.first_line <= place.last_line and place.first_line <= citation.last_line
