"""Preparation of a handoff: redaction, verdicts before and after it, and the report for the sender."""

from __future__ import annotations

from backend.handoffs.schemas import VerdictCounts


def test_a_prepared_handoff_reports_its_redaction(handoff):
    assert handoff["state"] == "ready", handoff
    redaction = handoff["redaction"]
    assert {"host", "user", "ipv4", "secret"} <= set(redaction["counts"])
    assert redaction["leaks"] == []
    assert set(redaction["kinds"]) == set(redaction["counts"])
    assert all(0 < redaction["kinds"][kind] <= count for kind, count in redaction["counts"].items())
    assert [piece["name"] for piece in redaction["pieces"]] == ["hold.txt", "stacks.txt", "auth.log"]
    assert {piece["name"]: piece["changed"] for piece in redaction["pieces"]}["auth.log"] == 3


def test_redaction_changes_no_verdict(handoff):
    verdicts = handoff["redaction"]["verdicts"]
    assert verdicts["compared"] > 10
    assert 1 <= verdicts["listed"] < verdicts["compared"]
    assert handoff["redaction"]["differences"] == []
    assert "judged again after redaction" in handoff["summary"]


def test_a_report_stored_by_an_earlier_version_is_read():
    counts = VerdictCounts.model_validate({"compared": 40, "told": 3})
    assert counts.model_dump() == {"compared": 40, "listed": 3}


def test_omitted_evidence_is_reported_by_its_effect(maker):
    listed = maker.web.get(f"{maker.url.removesuffix('/handoffs')}/evidence").json()["items"]
    only = [one["id"] for one in listed if one["filename"] == "auth.log"]
    contents = maker.made(evidence_ids=only)
    assert {one["cause"] for one in contents["redaction"]["differences"]} == {"omission"}
    assert "- 2 not handed over: not chosen" in contents["summary"]
