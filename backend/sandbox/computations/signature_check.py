"""A signature as it is being written: what is wrong with it, its verdicts on a case and on fixtures.

Look-alikes are fixtures of shipped signatures that look at the same parts of evidence. Reading them is
bounded by CPU time; how many were not read is part of the result.
"""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any

from backend.sandbox.computations.results import item_of, leave, noted_faults
from signatures.authoring.evidence_needs import needs_of
from signatures.authoring.fixture_tests import fixtures_of, problems_of, read_folder
from signatures.authoring.lint import lint_library
from signatures.document.catalog import load_catalog
from signatures.documents.alarm import FIRING
from signatures.documents.codec import to_document
from signatures.judging.judge import judge
from signatures.judging.scope import items_of
from signatures.language.model import Catalog
from signatures.reporting.report import finding_document

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from backend.sandbox.documents import SignatureCheckArguments
    from signatures.authoring.fixture_tests import Fixture
    from signatures.language.model import Signature

ID = re.compile(r"^id:[ \t]*['\"]?([a-z0-9]+(?:-[a-z0-9]+)*/[a-z0-9]+(?:-[a-z0-9]+)*)\b", re.MULTILINE)
PLACE = re.compile(r"^[^\s:]+:(\d+): (.*)$", re.DOTALL)
MOST_PROBLEMS = 50
MOST_BYTES = 2 << 20
"""Larger fixtures are left to `casebook signature test`."""
FIXTURE_SECONDS = 6.0
"""CPU time for fixtures of one check."""
MOST_LOOK_ALIKES = 40


def check_signature(arguments: SignatureCheckArguments, output: Path, _input: int) -> None:
    """Check the text of one signature.

    Leaves `result.json`: id, problems with their line, findings on the items, and with `with_fixtures` the
    own fixtures and look-alikes; faults.
    """
    faults = noted_faults()
    text = arguments["text"]
    named = ID.search(text)
    result: dict[str, Any] = {
        "id": "",
        "problems": [],
        "findings": [],
        "fixtures": [],
        "look_alikes": [],
        "unread": 0,
    }
    if named is None:
        result["problems"] = [{"line": 1, "text": "the signature has no id: write id: <area>/<name>"}]
        leave(result | {"faults": faults}, output)
        return
    root = output / "library"
    path = root / named[1] / "signature.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    own, shipped = load_catalog(root), load_catalog()
    result["id"] = named[1]
    result["problems"] = [_problem(one, named[1]) for one in lint_library(own, shipped)[:MOST_PROBLEMS]]
    signature = own.get(named[1])
    if signature is not None:
        alone = Catalog((signature,), shipped.captures)
        items = [item_of(one) for one in arguments["items"] if not one["is_provisional"]]
        result["findings"] = [to_document(finding_document(one)) for one in judge(items, alone)]
        if arguments["with_fixtures"]:
            result |= _on_fixtures(signature, alone, shipped)
    leave(result | {"faults": faults}, output)


def _problem(message: str, signature_id: str) -> dict[str, Any]:
    placed = PLACE.match(message)
    if placed is not None:
        return {"line": int(placed[1]), "text": placed[2]}
    return {"line": 0, "text": message.removeprefix(f"{signature_id}: ")}


def _on_fixtures(signature: Signature, alone: Catalog, shipped: Catalog) -> dict[str, Any]:
    """Return the verdicts on fixtures, own ones first, until the time for them is over."""
    until = time.process_time() + FIXTURE_SECONDS
    mine: list[dict[str, Any]] = []
    alike: list[dict[str, Any]] = []
    unread = 0
    own = fixtures_of(signature.id) if shipped.get(signature.id) is not None else []
    for fixture in own:
        if time.process_time() > until or _size(fixture) > MOST_BYTES:
            unread += 1
            continue
        mine.append(_row(fixture, _verdict(fixture, alone)) | {"problems": problems_of(fixture, alone)})
    for fixture in _like(signature, shipped):
        if time.process_time() > until or _size(fixture) > MOST_BYTES:
            unread += 1
            continue
        verdict = _verdict(fixture, alone)
        alike.append(_row(fixture, verdict) | {"fires": verdict in FIRING})
    alike.sort(key=lambda one: not one["fires"])
    return {"fixtures": mine, "look_alikes": alike, "unread": unread}


def _row(fixture: Fixture, verdict: str) -> dict[str, Any]:
    return {
        "signature": fixture.signature,
        "fixture": fixture.name,
        "expected": fixture.expected["verdict"],
        "verdict": verdict,
    }


def _verdict(fixture: Fixture, alone: Catalog) -> str:
    found = judge(items_of(read_folder(fixture.folder)), alone)
    return found[0].verdict if found else "unknown"


def _size(fixture: Fixture) -> int:
    return sum(path.stat().st_size for path in fixture.folder.rglob("*") if path.is_file())


def _like(signature: Signature, shipped: Catalog) -> Iterator[Fixture]:
    """Yield fixtures that other signatures match, those first that look at most of the same evidence."""
    asked = _parts(signature)
    if not asked:
        return
    common = [(len(asked & _parts(one)), one.id) for one in shipped.signatures if one.id != signature.id]
    count = 0
    for shared, name in sorted(common, key=lambda row: (-row[0], row[1])):
        if not shared or count >= MOST_LOOK_ALIKES:
            return
        for fixture in fixtures_of(name):
            if fixture.expected["verdict"] in FIRING and "same_as" not in fixture.expected:
                count += 1
                yield fixture


def _parts(signature: Signature) -> set[tuple[str, str]]:
    """Return the facts, log classes, row sets, histograms and functions that required conditions look at."""
    return {(need.part, name) for need in needs_of([signature]) or () for name in (need.names or ("*",))}
