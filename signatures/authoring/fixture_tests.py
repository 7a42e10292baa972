"""The evidence a signature brings along, judged: does it get the verdict that is written beside it?

library/mm/shrink-lruvec-livelock/evidence/pos-published/expect.yaml:
    verdict: match
    clauses: {memcg_reclaim: "TRUE", scan_self: "TRUE"}
    also: {mm/mmap-lock-held-in-reclaim: match}

`same_as` names another folder of the library whose evidence is judged; `affected` the version verdict;
`also` the other signatures that match or are suspect. Every other signature must stay silent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import yaml

from ingest.evidence import read_file
from signatures.judging.judge import judge
from signatures.judging.scope import items_of
from signatures.language.catalog import LIBRARY

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ingest.evidence import Evidence
    from signatures.judging.finding import Finding
    from signatures.language.catalog import Catalog

EXPECT = "expect.yaml"
BESIDE = (EXPECT, "PROVENANCE.md")
FIRING = ("match", "suspect")


@dataclass(frozen=True, slots=True)
class Proof:
    """One folder of evidence and what it must be judged as.

    Attributes:
        signature: Whose evidence it is.
        name: Name of the folder: `pos-…`, `neg-…`, `unk-…`, `ver-…`.
        folder: Where the evidence is.
        expected: The document `expect.yaml`.
    """

    signature: str
    name: str
    folder: Path
    expected: dict[str, Any]


def proofs(root: Path = LIBRARY, signature_id: str = "*/*") -> Iterator[Proof]:
    """Yield all evidence of a library, or of one signature, in the order of signatures and names."""
    for path in sorted(root.glob(f"{signature_id}/evidence/*/{EXPECT}")):
        expected = yaml.safe_load(path.read_text(encoding="utf-8"))
        folder = root / expected["same_as"] if "same_as" in expected else path.parent
        yield Proof("/".join(path.relative_to(root).parts[:2]), path.parent.name, folder, expected)


def proofs_of(signature_id: str, root: Path = LIBRARY) -> list[Proof]:
    """Return the evidence of one signature."""
    return list(proofs(root, signature_id))


def proof_document(proof: Proof) -> dict[str, str]:
    """Return one piece of evidence as JSON values; what lives elsewhere has its provenance there."""
    told = proof.folder / "PROVENANCE.md"
    return {
        "name": proof.name,
        "kind": proof.name.partition("-")[0],
        "provenance": told.read_text(encoding="utf-8").strip() if told.exists() else "",
        "verdict": proof.expected["verdict"],
        "same_as": proof.expected.get("same_as", ""),
    }


def read_folder(folder: Path) -> tuple[Evidence, ...]:
    """Read a folder of evidence; files have their path below it as captured path."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and path.name not in BESIDE)
    return tuple(read_file(path, captured_path=path.relative_to(folder).as_posix()) for path in paths)


def problems_of(proof: Proof, catalog: Catalog) -> list[str]:
    """Judge one folder and return what is not as expected, a sentence each."""
    found = {finding.signature.id: finding for finding in judge(items_of(read_folder(proof.folder)), catalog)}
    own = found.get(proof.signature)
    if own is None:
        return [f"{proof.signature} was not judged"]
    return [*_own_problems(own, proof.expected), *_other_problems(found, proof)]


def _own_problems(own: Finding, expected: dict[str, Any]) -> Iterator[str]:
    if own.verdict != expected["verdict"]:
        yield f"the verdict is {own.verdict}, not {expected['verdict']}"
    states = {state.clause.id: state.state.value for state in own.clauses}
    for clause, state in expected.get("clauses", {}).items():
        if states.get(clause) != state:
            yield f"the clause {clause} is {states.get(clause, 'not there')}, not {state}"
    affected = expected.get("affected", own.affected.verdict)
    if own.affected.verdict != affected:
        yield f"the kernel is {own.affected.verdict}, not {affected}"


def _other_problems(found: dict[str, Finding], proof: Proof) -> Iterator[str]:
    also = proof.expected.get("also", {})
    for name, finding in found.items():
        if name == proof.signature or finding.superseded_by:
            continue
        verdict = finding.verdict if finding.verdict in FIRING else None
        if verdict != also.get(name):
            yield f"{name} is {finding.verdict}, not {also.get(name, 'silent')}"
