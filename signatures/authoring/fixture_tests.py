"""Fixture tests: judge the evidence of a signature and compare the verdict with `expect.yaml`.

library/mm/shrink-lruvec-livelock/evidence/pos-published/expect.yaml:
    verdict: match
    clauses: {memcg_reclaim: "TRUE", scan_self: "TRUE"}
    also: {mm/mmap-lock-held-in-reclaim: match}

`same_as` names another folder of the library with the evidence; `affected` is the version verdict; `also`
lists the other signatures that match or are suspect. All remaining signatures must be silent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import yaml

from ingest.evidence import read_file
from signatures.document.files import LIBRARY
from signatures.judging.decide import UNKNOWN
from signatures.judging.judge import judge
from signatures.judging.observation import Reason, State
from signatures.judging.scope import items_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from ingest.evidence import Evidence
    from signatures.judging.finding import Finding
    from signatures.language.model import Catalog

EXPECT = "expect.yaml"
EXCLUDED_FILES = (EXPECT, "PROVENANCE.md")
FIRING = ("match", "suspect")
MOST_REASONS = 3
ABSENT, NOT_THERE = str(Reason.ABSENT), "not in the evidence"


@dataclass(frozen=True, slots=True)
class Fixture:
    """One folder of evidence with its expected verdict.

    Attributes:
        signature: Id of the signature.
        name: Name of the folder: `pos-…`, `neg-…`, `unk-…`, `ver-…`.
        folder: Path of the evidence.
        expected: Content of `expect.yaml`.
    """

    signature: str
    name: str
    folder: Path
    expected: dict[str, Any]


@dataclass(frozen=True, slots=True)
class FixtureResult:
    """One judged fixture; `problems` has the deviations from its expected verdict, one sentence each."""

    fixture: Fixture
    problems: tuple[str, ...]


def fixtures(root: Path = LIBRARY, signature_id: str = "*/*") -> Iterator[Fixture]:
    """Yield all fixtures of a library, or of one signature, ordered by signature and name."""
    for path in sorted(root.glob(f"{signature_id}/evidence/*/{EXPECT}")):
        expected = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        folder = root / expected["same_as"] if "same_as" in expected else path.parent
        yield Fixture("/".join(path.relative_to(root).parts[:2]), path.parent.name, folder, expected)


def fixtures_of(signature_id: str, root: Path = LIBRARY) -> list[Fixture]:
    """Return the fixtures of one signature."""
    return list(fixtures(root, signature_id))


def fixture_document(fixture: Fixture) -> dict[str, str]:
    """Return one fixture as JSON values; provenance is read from the evidence folder."""
    provenance = fixture.folder / "PROVENANCE.md"
    return {
        "name": fixture.name,
        "kind": fixture.name.partition("-")[0],
        "provenance": provenance.read_text(encoding="utf-8").strip() if provenance.exists() else "",
        "verdict": fixture.expected["verdict"],
        "same_as": fixture.expected.get("same_as", ""),
    }


def read_folder(folder: Path) -> tuple[Evidence, ...]:
    """Read a folder of evidence; files have their path below it as captured path."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and path.name not in EXCLUDED_FILES)
    return tuple(read_file(path, captured_path=path.relative_to(folder).as_posix()) for path in paths)


def problems_of(fixture: Fixture, catalog: Catalog) -> list[str]:
    """Judge one fixture and return the deviations from the expected result, one sentence each."""
    findings = judge(items_of(read_folder(fixture.folder)), catalog)
    found = {finding.signature.id: finding for finding in findings}
    own = found.get(fixture.signature)
    if own is None:
        return [f"{fixture.signature} was not judged"]
    return [*_own_problems(own, fixture.expected), *_other_problems(found, fixture)]


def results(catalog: Catalog, root: Path = LIBRARY, wanted: Collection[str] = ()) -> Iterator[FixtureResult]:
    """Judge the fixtures of a library, or of the signatures `wanted` (ids), and yield each result."""
    for fixture in fixtures(root):
        if not wanted or fixture.signature in wanted:
            yield FixtureResult(fixture, tuple(problems_of(fixture, catalog)))


def _own_problems(own: Finding, expected: dict[str, Any]) -> Iterator[str]:
    if own.verdict != expected["verdict"]:
        yield f"the verdict is {own.verdict}, not {expected['verdict']}{_undecided(own)}"
    states = {state.clause.id: state.state.value for state in own.clauses}
    for clause, state in expected.get("clauses", {}).items():
        if states.get(clause) != state:
            yield f"the clause {clause} is {states.get(clause, 'not there')}, not {state}"
    affected = expected.get("affected", own.affected.verdict)
    if own.affected.verdict != affected:
        yield f"the kernel is {own.affected.verdict}, not {affected}"


def _undecided(own: Finding) -> str:
    """Return why conditions of a verdict `unknown` are not decided, such as a log that is not shown."""
    if own.verdict != UNKNOWN:
        return ""
    open_ones = [one for one in own.clauses if one.state is State.UNKNOWN and one.outcome.reason]
    reasons = [f"{one.clause.id}: {one.outcome.reason.replace(ABSENT, NOT_THERE, 1)}" for one in open_ones]
    more = f" and {len(reasons) - MOST_REASONS} more" if len(reasons) > MOST_REASONS else ""
    return f"; not decided: {'; '.join(reasons[:MOST_REASONS])}{more}" if reasons else ""


def _other_problems(found: dict[str, Finding], fixture: Fixture) -> Iterator[str]:
    also = fixture.expected.get("also", {})
    for name, finding in found.items():
        if name == fixture.signature or finding.superseded_by:
            continue
        verdict = finding.verdict if finding.verdict in FIRING else None
        if verdict != also.get(name):
            yield f"{name} is {finding.verdict}, not {also.get(name, 'silent')}"
