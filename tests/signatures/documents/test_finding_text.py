"""The text of findings is that of their documents, whatever of it was written before."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

from ingest.evidence import read_paths
from signatures.document.catalog import load_catalog
from signatures.documents.codec import to_document
from signatures.documents.finding_text import DERIVED, findings_text, telling
from signatures.judging.judge import judge
from signatures.judging.scope import items_of
from signatures.reporting.report import finding_document
from tests.signatures.documents.build import finding

CAPTURES = (
    "tests/data/recorded/hangs/fuse-server-stops/dmesg.txt",
    "tests/data/published/vanishing-cpu/stack.shrink_lruvec.txt",
)


@dataclass(frozen=True)
class Lone:
    """A value of one field."""

    share: float


def findings():
    items = items_of(read_paths(list(map(Path, CAPTURES))))
    return [finding_document(one) for one in judge(items, load_catalog())]


def test_the_text_of_findings_has_every_field_but_what_reading_derives():
    judged = findings()
    expected = sorted(judged, key=lambda one: (one.signature, one.host, one.phase))
    rows = [to_document(one, without=frozenset(DERIVED)) for one in expected]
    assert any(one.fixes and one.next and one.references for one in judged)
    assert json.loads(findings_text(judged)) == json.loads(json.dumps(rows))
    assert findings_text([]) == "[]"


def test_parts_of_a_signature_differ_where_conditions_do():
    captures = {one.signature: {capture.condition for capture in one.next} for one in findings()}
    (whole,) = (one for one in findings() if one.verdict in {"match", "suspect"} and one.next)
    blank = {one.id for one in whole.conditions if one.state == "UNKNOWN"}
    assert captures[whole.signature] <= blank < {one.id for one in whole.conditions}


def test_telling_findings_are_those_of_signatures_that_say_something_somewhere():
    fires, calm = finding(host="db7"), finding(host="db8", verdict="unknown")
    silent = replace(calm, signature="mm/another")
    assert telling([silent, calm, fires]) == (calm, fires)
    assert telling([silent, replace(silent, host="x", is_listed=True)]) == (
        silent,
        replace(silent, host="x", is_listed=True),
    )


def test_a_number_that_is_not_finite_is_one_that_json_has():
    assert to_document(Lone(float("nan"))) == {"share": 0.0}
    assert to_document(Lone(0.5)) == {"share": 0.5}
