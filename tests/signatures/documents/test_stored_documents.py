"""Documents that cases hold load as wire values and write back equal; `stored.jsonl` is as judged and stored.

They were made of positive fixtures of the library, before wire values had classes.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from signatures.documents.alarm import AlarmDocument, any_finding_from
from signatures.documents.capture import NextCaptureDocument
from signatures.documents.codec import InvalidDocumentError, from_document, to_document
from signatures.documents.finding import ConditionDocument, FindingDocument
from signatures.documents.overview import CaseHeadlineDocument, OverviewDocument
from signatures.documents.panel import FigureDocument, PanelDocument
from signatures.documents.waits import WaitGraphDocument

STORED = [json.loads(line) for line in (Path(__file__).parent / "stored.jsonl").read_text().splitlines()]
CLASSES = {
    "findings": FindingDocument,
    "alarms": AlarmDocument,
    "overviews": OverviewDocument,
    "panels": PanelDocument,
    "waits": WaitGraphDocument,
    "next_captures": NextCaptureDocument,
    "headlines": CaseHeadlineDocument,
}
VERDICTS = {"match", "suspect", "unknown", "no_match", "not_applicable"}


def finding():
    return next(row["document"] for row in STORED if row["kind"] == "findings")


def test_the_stored_documents_are_of_every_kind_and_verdict():
    assert {row["kind"] for row in STORED} == set(CLASSES)
    assert {row["document"]["verdict"] for row in STORED if row["kind"] == "findings"} == VERDICTS


def levelled(statement):
    """Return a stored statement as it is written now: with a level, not with a strength."""
    return {name: value for name, value in statement.items() if name != "strength"} | {"level": "context"}


@pytest.mark.parametrize("row", STORED, ids=lambda row: row["kind"])
def test_a_stored_document_writes_back_equal(row):
    document = row["document"]
    # Cases that are judged have no reason to say why they are not.
    changed: dict[str, object] = {"unjudged": ""} if row["kind"] == "headlines" else {}
    if row["kind"] == "alarms":
        changed |= {"device": ""}
    if row["kind"] == "overviews":
        changed |= {"statements": [levelled(one) for one in document["statements"]]}
        added = {"statement": None, "is_stated": False, "detail": "", "chips": [], "may_be": ""}
        changed |= {"headline": document["headline"] | added, "chain": []}
        changed |= {"matrix": {"hypotheses": [], "observations": [], "captures": []}}
        changed |= {"signatures": {"checked": document["signatures"]["checked"]}}
    assert to_document(from_document(CLASSES[row["kind"]], document)) == document | changed


def test_what_older_documents_lack_has_a_default():
    old = {name: value for name, value in finding().items() if name not in {"kind", "level", "fingerprint"}}
    for name in ("headline", "certainty", "suspected_cause", "is_listed", "extract", "caps"):
        del old[name]
    found = from_document(FindingDocument, old)
    assert (found.level, found.fingerprint) == (finding()["level"], finding()["fingerprint"])
    node = {
        "text": "Reset",
        "edge": "",
        "citation": {"evidence": "x", "section": 0, "first_line": 1, "last_line": 1},
    }
    overview = from_document(
        OverviewDocument, {"headline": {"kind": "fact", "text": "Reset"}, "chain": [node]}
    )
    assert (overview.chain[0].reason, overview.chain[0].proof) == ("", ())
    assert (found.headline, found.suspected_cause, found.is_listed, found.caps) == ("", "", False, ())


def test_what_a_newer_release_added_is_ignored():
    newer = finding() | {"added_later": [1, 2]}
    newer["clauses"] = [{**one, "also_later": {}} for one in newer["clauses"]]
    assert to_document(any_finding_from(newer)) == finding()


@pytest.mark.parametrize("broken", [{}, [], "text", None, {"kind": "alarm"}, {"severity": "high"}])
def test_what_is_no_finding_is_refused(broken):
    with pytest.raises(InvalidDocumentError, match=r"missing|expected an object"):
        from_document(FindingDocument, broken)


@pytest.mark.parametrize(
    ("number", "as_value", "as_distance", "as_strength"),
    [
        (float("inf"), "inf", None, 1.7976931348623157e308),
        (float("-inf"), "-inf", None, -1.7976931348623157e308),
        (float("nan"), "nan", None, 0.0),
        (10**400, 10**400, 10**400, 10**400),
    ],
)
def test_numbers_that_json_lacks_become_what_it_has(number, as_value, as_distance, as_strength):
    condition = ConditionDocument(id="spin", observed=number, distance=number, strength=number)
    written = json.loads(json.dumps(to_document(condition), allow_nan=False))
    assert (written["observed"], written["distance"], written["strength"]) == (
        as_value,
        as_distance,
        as_strength,
    )
    assert from_document(ConditionDocument, written).observed == as_value


def test_a_figure_without_citations_and_an_empty_overview_are_valid():
    assert to_document(FigureDocument(label="load", value="inf", unit=""))["citations"] == []
    overview = from_document(OverviewDocument, {"headline": {"kind": "no evidence", "text": "None"}})
    assert (overview.suspicion, overview.statements, overview.signatures.checked) == (None, (), 0)
