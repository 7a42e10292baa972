"""Findings of a case are one small document, compressed with what the signatures determine."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import func, select, text

from backend.cases import stored_findings
from backend.cases.stored_findings import text_of
from backend.findings import library, report
from backend.findings.case_analysis import child_item, load_inputs
from backend.models import Finding, FindingDictionary
from backend.sandbox.computations.results import item_of
from ingest.evidence import read_bytes
from ingest.model.zstd import zstd
from ingest.readers.bpf import bpftrace_text
from ingest.readers.traces import bare_stack
from signatures.documents.codec import InvalidDocumentError
from signatures.judging.judge import judge
from signatures.judging.scope import items_of
from signatures.reporting.report import finding_document
from tests.backend.stored_evidence import judge_case, new_case, store_evidence
from tests.signatures.documents.build import finding

PUBLISHED = Path("tests/data/published/vanishing-cpu")
CAPTURES = (("bpftrace-mmap_lock-hold.txt", bpftrace_text), ("stack.shrink_lruvec.txt", bare_stack))
SIZE = text("""
    select (select sum(pg_column_size(row.*)) from case_findings as row where case_id = :case_id)
        + (select coalesce(sum(pg_column_size(row.*)), 0) from finding as row where case_id = :case_id)
""")
MOST_BYTES = 4096
"""Of a case in the database, beside the dictionary that all cases share."""


@pytest.fixture
def case(session, store, tmp_path):
    case = new_case(session)
    for name, reader in CAPTURES:
        content = (PUBLISHED / name).read_bytes()
        store_evidence(session, store, tmp_path, case, content, reader, name=name)
    return case


def test_the_findings_of_a_case_take_four_kilobytes_and_load_equal(session, store, case):
    judged = judge_case(session, store, case.id).judgement.findings
    session.flush()
    items = [item_of(child_item(store, one)) for one in load_inputs(session, case.id).readings]
    whole = [finding_document(one) for one in judge(items, library.catalog())]
    assert {one.signature: one for one in stored_findings.load(session, case.id)} == {
        one.signature: one for one in whole
    }
    assert judged == tuple(one for one in whole if one.signature in {one.signature for one in judged})
    size = session.scalar(SIZE, {"case_id": case.id})
    assert size <= MOST_BYTES
    verdicts = set(session.scalars(select(Finding.verdict).where(Finding.case_id == case.id)))
    assert verdicts == {one.verdict for one in judged if one.verdict in {"match", "suspect"}}


def test_undecided_findings_of_a_log_take_a_quarter_of_that():
    log = read_bytes(b"[    1.000000] input: AT keyboard as /devices/i8042\n", name="dmesg.txt")
    findings = [finding_document(one) for one in judge(items_of([log]), library.catalog())]
    assert {one.verdict for one in findings} <= {"unknown", "not_applicable"}
    assert len(stored_findings.compressed(text_of(findings), library.dictionary())) <= MOST_BYTES / 4


def test_ids_of_findings_stay_and_rows_of_older_releases_keep_theirs(session, store, case):
    judge_case(session, store, case.id)
    before = {one.document.signature: one.id for one in report.in_rank(session, case)}
    row = session.scalars(select(Finding).where(Finding.case_id == case.id)).first()
    row.id = new_case(session).id
    session.flush()
    judge_case(session, store, case.id)
    after = {one.document.signature: one.id for one in report.in_rank(session, case)}
    assert after == before | {row.signature: row.id}


def test_a_dictionary_that_no_case_needs_is_deleted_with_the_next_release(session, store, case):
    judge_case(session, store, case.id)
    other = new_case(session)
    old = text_of([finding(signature="mm/of-an-older-release")])
    stored_findings.save(session, other.id, 1, text_of([finding()]), old)
    assert session.scalar(select(func.count()).select_from(FindingDictionary)) == 2
    stored_findings.save(session, other.id, 2, text_of([finding(host="db7")]), library.dictionary())
    newest = text_of([finding(signature="mm/of-a-newer-release")])
    stored_findings.save(session, case.id, 2, text_of([finding()]), newest)
    assert session.scalar(select(func.count()).select_from(FindingDictionary)) == 2
    assert stored_findings.load(session, other.id)[0].host == "db7"


@pytest.mark.parametrize("reason", ["\0", "\ud800", "é" * 3000, "😀"])
def test_text_that_postgresql_refuses_is_stored_as_the_replacement_character(reason):
    judged = finding(because=reason)
    (loaded,) = stored_findings.decompressed(stored_findings.compressed(text_of([judged]), b""), b"")
    kept = reason if reason.isprintable() else "\ufffd"
    assert loaded == replace(judged, because=kept)


WHOLE = b'[{"signature": "a", "title": "a", "severity": "high", "host": "", "phase": "", "verdict": "match"'


@pytest.mark.parametrize(
    "left",
    [
        b"",
        b"[",
        b"{}",
        b"[1]",
        b'[{"signature": "mm/x"}]',
        b"\xff[]",
        WHOLE.replace(b'"a"', b"[1]", 1) + b"}]",
        WHOLE + b', "score": NaN}]',
        WHOLE + b', "score": ' + b"9" * 5000 + b"}]",
        b'["\\ud800",' + b"[" * 200_000,
    ],
    ids=["empty", "open", "object", "number", "no title", "bytes", "list", "nan", "5,000 digits", "deep"],
)
def test_what_a_child_left_is_stored_only_as_findings(left):
    with pytest.raises(InvalidDocumentError):
        stored_findings.checked(left)
    assert stored_findings.checked(WHOLE + b"}]") == WHOLE + b"}]"


@pytest.mark.parametrize("is_older", [False, True], ids=["new", "of an older release"])
def test_chosen_findings_load_as_among_all(is_older):
    said = 'It says "is_listed": true,\nand "verdict": "match"'
    judged = [
        finding(signature="a/a", because=said, is_listed=False, verdict="unknown"),
        finding(signature="b/b", host="db7", is_listed=False, verdict="unknown", is_near_miss=True),
        finding(signature="b/b", host="db8", is_listed=True, verdict="suspect"),
        finding(signature="b/c", is_listed=False, verdict="no_match"),
    ]
    text = stored_findings.text_of(judged)
    text = json.dumps(json.loads(text)).encode() if is_older else text
    document = zstd.compress(text)
    for choice, chosen in ((stored_findings.SHOWN, [1, 2]), (stored_findings.FIRED, [2])):
        loaded = stored_findings.decompressed(document, b"", choice)
        assert loaded == tuple(judged[at] for at in chosen)
        everywhere = stored_findings.decompressed(document, b"", choice._replace(with_places=True))
        assert everywhere == tuple(judged[1:3])
