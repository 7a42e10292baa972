"""Look-alikes: no verdict and no headline says more than the evidence."""

from __future__ import annotations

import pytest
import yaml

from ingest.evidence import read_bytes
from signatures.judging.decide import MATCH, SUSPECT
from signatures.judging.judge import judge
from signatures.judging.scope import items_of
from signatures.overview import run
from signatures.overview.first_screen import overview_of
from signatures.reporting.report import finding_document
from tests.signatures.evidence import DATA

LOOK_ALIKES = {
    row["name"]: row for row in yaml.safe_load((DATA / "expected" / "look_alikes.yaml").read_text())
}


@pytest.mark.parametrize("name", LOOK_ALIKES)
def test_a_look_alike_gets_no_more_than_its_evidence_supports(name, catalog):
    row = LOOK_ALIKES[name]
    items = items_of([read_bytes(row["text"].encode(), name="paste.txt")])
    found = judge(items, catalog)
    firing = {one.signature.id: one.verdict for one in found if one.verdict in (MATCH, SUSPECT)}
    assert firing == row["firing"]
    documents = [finding_document(one) for one in found]
    shown = overview_of(run(items), documents, [], {item.format for item in items})
    leading = shown.suspicion or shown.headline
    assert leading.text.startswith(row["says"])
    assert (leading.signature != "") is bool(row["says"])
    assert shown.headline.kind != SUSPECT


def test_there_are_more_than_a_hundred_look_alikes():
    assert len(LOOK_ALIKES) >= 120
