"""A hunt in a folder of cases: what a library would newly find, and lose, without a service."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypedDict

from cli.evidence.kept_readings import case_of, cases_below
from signatures.document.catalog import catalog_with, load_catalog
from signatures.document.team_library import changed_signatures
from signatures.language.model import Catalog
from signatures.reporting.firing import firing
from signatures.reporting.verdict_changes import Judged, Place, differences

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from signatures.judging.scope import Item
    from signatures.reporting.firing import FiringDocument


class LineDocument(TypedDict):
    """A condition that is met, and the line that decides it; `path` is "" where none does."""

    condition: str
    path: str
    first_line: int


class VerdictDocument(TypedDict):
    """A verdict before and after, null where people see none."""

    signature: str
    host: str
    before: str | None
    after: str | None
    lines: list[LineDocument]


class CaseDocument(TypedDict):
    """A case that the library changes, or that could not be read as a whole."""

    case: str
    unread: list[str]
    verdicts: list[VerdictDocument]


@dataclass(slots=True)
class FolderHunt:
    """What a library changes in the cases of a folder.

    Attributes:
        signatures: Ids that were judged: those whose conditions, scores or kernels the library changes.
        problems: Signatures of the library that cannot be judged by, as sentences.
        was_kept: Number of cases of which no evidence was opened.
    """

    signatures: list[str]
    problems: list[str]
    total: int = 0
    was_kept: int = 0
    gained: int = 0
    lost: int = 0
    cases: list[CaseDocument] = field(default_factory=list)

    @property
    def is_whole(self) -> bool:
        """Whether every file of every case was read."""
        return not any(one["unread"] for one in self.cases)


RANKS = {"match": 2, "suspect": 1, None: 0}


def hunt(library: Path, evidence: Path, kept: Path, show: Callable[[int, int], None]) -> FolderHunt:
    """Judge the cases of a folder by the library of Casebook, and as the given one changes it.

    Args:
        library: A folder of signatures.
        evidence: A folder whose entries are cases.
        kept: Where their readings are kept.
        show: Called with the cases done, and their number.

    Raises:
        OSError: A case cannot be opened, or its readings cannot be kept.
    """
    shipped, coming = load_catalog(), catalog_with([library])
    changed = changed_signatures(shipped, coming)
    found = FolderHunt(changed, [str(problem) for problem in coming.problems])
    before, after = _chosen(shipped, changed), _chosen(coming, changed)
    cases = cases_below(evidence)
    found.total = len(cases)
    for number, path in enumerate(cases):
        show(number, len(cases))
        case = case_of(path, kept)
        found.was_kept += case.was_kept
        verdicts = _verdicts(case.items, before, after) if case.items else []
        found.gained += any(RANKS[one["after"]] > RANKS[one["before"]] for one in verdicts)
        found.lost += any(RANKS[one["after"]] < RANKS[one["before"]] for one in verdicts)
        if verdicts or case.unread:
            found.cases.append({"case": path.name, "unread": case.unread, "verdicts": verdicts})
    return found


def _chosen(catalog: Catalog, ids: Sequence[str]) -> Catalog:
    return Catalog(tuple(one for one in catalog.signatures if one.id in set(ids)), catalog.captures)


def _verdicts(items: Sequence[Item], before: Catalog, after: Catalog) -> list[VerdictDocument]:
    was, now = _by_place(firing(items, before)), _by_place(firing(items, after))
    changes = differences(
        {place: Judged(one["verdict"], one["title"]) for place, one in was.items()},
        {place: Judged(one["verdict"], one["title"]) for place, one in now.items()},
    )
    return [
        {
            "signature": one["signature"],
            "host": one["host"],
            "before": one["before"],
            "after": one["after"],
            "lines": _lines(now.get(Place(one["host"], one["phase"], one["signature"]))),
        }
        for one in changes
    ]


def _by_place(found: Sequence[FiringDocument]) -> dict[Place, FiringDocument]:
    return {Place(one["host"], one["phase"], one["signature"]): one for one in found}


def _lines(fires: FiringDocument | None) -> list[LineDocument]:
    return [
        {
            "condition": line["condition"],
            "path": (line["path"] or line["evidence_id"] or "") if line["first_line"] else "",
            "first_line": line["first_line"] or 0,
        }
        for line in (fires["lines"] if fires else ())
    ]
