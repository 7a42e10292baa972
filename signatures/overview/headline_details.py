"""What completes the title of a match: what the kernel report that it cites names, and a worse alarm above.

A check in the kernel failed: kernel warning (WARN); in nvme_setup_rw
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from signatures.overview.kernel_log.preceding import WORDS
from signatures.overview.model import Place

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from signatures.overview.model import Statement


GENERIC = frozenset(
    {"fs/journal-commit-stall", "locking/spin-contention", "net/listen-overflow", "sched/hung-tasks"}
)
"""Pages that serve many causes: what the evidence shows there completes their title."""

SUBJECTS = ("interface", "disk", "server", "pci_address")
"""What a finding is about, where its condition names one thing."""


def detail(finding: Mapping[str, Any], statements: Sequence[Statement]) -> str:
    """Return what completes the title: the thing it is about, and what the log that it cites says."""
    words = _of_log(finding, statements)
    said = f"{finding['headline']}{words}"
    values = (finding.get("extract", {}).get(name, "") for name in SUBJECTS)
    subject = next((value for value in values if value and value not in said), "")
    return f" ({subject}){words}" if subject else words


def _of_log(finding: Mapping[str, Any], statements: Sequence[Statement]) -> str:
    """Return what the first alarm of a log that a finding cites names: function, device, lock or victim."""
    cited = [place for clause in finding["clauses"] for place in clause.get("citations", ())]
    is_generic = finding["signature"] in GENERIC
    for one in statements:
        gist, first = one.gist or (one.text.partition("; ")[0] if is_generic else ""), one.places[0]
        if gist and any(is_cited(one.extent or first, place) for place in cited):
            before = "" if WORDS in gist else _before(first, statements)
            return f": {_inside(gist)}{before}"
    places = (Place(**{name: place[name] for name in Place._fields}) for place in cited)
    return next((before for place in places if (before := _before(place, statements))), "")


def _before(cited: Place, statements: Sequence[Statement]) -> str:
    """Return the first alarm of the log, if it is a worse one above what a finding cites; else ""."""
    if not statements:
        return ""
    lead = statements[0]
    place = lead.places[0]
    is_above = (place.evidence, place.section) == (cited.evidence, cited.section) and (
        place.last_line < cited.first_line
    )
    return f"; before it: {_inside(lead.gist)}" if lead.gist and is_above else ""


def _inside(gist: str) -> str:
    """Return a sentence as it stands inside another; names keep their capitals."""
    return f"{gist[0].lower()}{gist[1:]}" if gist[1:2].islower() else gist


def is_cited(place: Place, citation: Mapping[str, Any]) -> bool:
    """Return whether a place shares a line with a citation of a finding."""
    is_same_text = (place.evidence, place.section) == (citation["evidence"], citation["section"])
    return (
        is_same_text
        and citation["first_line"] <= place.last_line
        and place.first_line <= citation["last_line"]
    )
