"""Lint rules for signatures beyond syntax; every message names signature, location and remedy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from signatures.authoring import unknown_names
from signatures.authoring.bounds import bound_complaints
from signatures.authoring.command_safety import capture_complaints, fix_complaints
from signatures.authoring.fixture_tests import EXPECT
from signatures.authoring.link_rules import link_complaints
from signatures.authoring.own_paths import path_complaints
from signatures.document.files import CAPTURES
from signatures.document.yaml_document import line_of
from signatures.judging.observe import conditions_of
from signatures.language.model import BY_DESIGN, CONDITION, Catalog, conditions_of_fix

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from signatures.language.model import Signature

EVIDENCE_KINDS = ("pos", "neg", "unk")


def lint(catalog: Catalog) -> list[str]:
    """Return all lint messages of a catalog, unreadable files first."""
    complaints = [str(problem) for problem in catalog.problems]
    ids = {signature.id for signature in catalog.signatures}
    for signature in catalog.signatures:
        complaints.extend(f"{signature.id}: {text}" for text in _signature(signature))
        complaints.extend(
            f"{signature.id}: supersedes {other}, which does not exist; write an id of the library"
            for other in signature.supersedes
            if other not in ids
        )
        complaints.extend(
            f"{signature.id}: follows {other}, which does not exist or follows it; write its cause"
            for other in signature.follows
            if (cause := catalog.get(other)) is None or signature.id in cause.follows
        )
    complaints.extend(_captures(catalog))
    return complaints


def lint_library(own: Catalog, shipped: Catalog) -> list[str]:
    """Return the lint messages of a team's library, which may name signatures of Casebook.

    Args:
        own: Signatures of the team.
        shipped: Those of Casebook.
    """
    ids = {one.id for one in own.signatures}
    others = tuple(one for one in shipped.signatures if one.id not in ids)
    broken = {str(problem) for problem in own.problems}
    prefixes = tuple(f"{name}{end}" for name in ids for end in ":/")
    messages = lint(Catalog((*own.signatures, *others), own.captures, own.problems))
    return [one for one in messages if one in broken or one.startswith(prefixes)]


def _captures(catalog: Catalog) -> Iterator[str]:
    """Yield what is wrong with captures, each with its file and line."""
    for capture in catalog.captures:
        yield from _placed(CAPTURES, CAPTURES.name, capture.name, capture_complaints(capture))
    shared = set(catalog.captures)
    for signature in catalog.signatures:
        path = Path(signature.folder) / "signature.yaml"
        for clause, row in signature.next.items():
            for index, capture in enumerate(row):
                if capture not in shared:
                    key = f"next.{clause}[{index}]"
                    yield from _placed(path, f"{signature.id}/{path.name}", key, capture_complaints(capture))


def _placed(path: Path, name: str, key: str, complaints: Iterable[str]) -> Iterator[str]:
    for complaint in complaints:
        line = line_of(path.read_text(encoding="utf-8"), key) if path.is_file() else 0
        yield f"{name}:{line}: {complaint}" if line else f"{name}: {complaint}"


def _signature(signature: Signature) -> Iterator[str]:
    ids = [clause.id for clause in signature.clauses]
    implied = {row.fact for row in signature.implies}
    if not any(clause.role == "core" for clause in signature.clauses):
        yield "has no core clause and can never be more than unknown; give one clause role: core"
    for clause in signature.clauses:
        if not clause.title:
            yield f"clause {clause.id} has no title; state in one line what TRUE means"
        yield from (f"clause {clause.id}: {text}" for text in path_complaints(clause, signature.decide))
        for condition in conditions_of(clause.test):
            complaints = (
                *condition.complaints(),
                *unknown_names.complaints(condition, implied),
                *bound_complaints(condition),
            )
            for complaint in complaints:
                yield f"clause {clause.id}: {complaint}"
        for condition in conditions_of(clause.refuted_by):
            unknown = unknown_names.complaints(condition, implied)
            yield from (f"clause {clause.id}: {text}" for text in unknown)
    for condition in conditions_of(signature.applies):
        yield from (f"applies: {text}" for text in unknown_names.complaints(condition, implied))
    for implication in signature.implies:
        yield from unknown_names.of_implication(implication)
    reachable = sum(clause.weight for clause in signature.clauses if clause.role != "rival")
    if reachable < signature.decide.match_score:
        yield f"can reach {reachable:g}, a match needs {signature.decide.match_score:g}; lower the score"
    if signature.decide.suspect_score > signature.decide.match_score:
        yield "has a higher score for suspect than for match; lower suspect"
    yield from _kind(signature)
    yield from _unjudged(signature)
    for fix in signature.fixes:
        yield from fix_complaints(fix)
        ghosts = [name for name in conditions_of_fix(fix) if name not in ids]
        yield from (f"fix {fix.get('title')}: only_with names no condition: {name}" for name in ghosts)
    if sum("effect" in fix for fix in signature.fixes) > 1:
        yield "several fixes with an effect; the first to apply is one"
    yield from link_complaints(signature)
    for name in signature.next:
        if name not in ids:
            yield f"next.{name} settles no clause; use one of {', '.join(ids)}"


def _unjudged(signature: Signature) -> Iterator[str]:
    """Yield the folders of evidence that no test looks at."""
    evidence = Path(signature.folder) / "evidence" if signature.folder else None
    if evidence is not None and evidence.is_dir():
        for folder in sorted(one for one in evidence.iterdir() if one.is_dir()):
            if not (folder / EXPECT).is_file():
                yield f"evidence/{folder.name} has no {EXPECT}, so no test judges it; write its verdict there"


def _kind(signature: Signature) -> Iterator[str]:
    """Yield contradictions between the kind of a signature and its affected kernels."""
    if signature.kind == CONDITION:
        if signature.affected:
            yield "is a condition, which no release causes or ends; remove affected, or write kind: defect"
        if not signature.reason:
            yield "is a condition without a reason; state in `reason` why no kernel release causes or ends it"
    elif signature.reason:
        yield "is a defect with a reason; state in `basis` of a row of affected what is known"
    elif signature.affected and all(row.verdict in ("not_affected", BY_DESIGN) for row in signature.affected):
        yield "is a defect that no kernel release has; write kind: condition with its reason"
