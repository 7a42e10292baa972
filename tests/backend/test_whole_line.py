"""No input breaks the line from bytes to pages, and a part that fails costs its own row."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from cli.evidence import analysis as local
from ingest.evidence import read_bytes
from signatures import faults, overview
from signatures.documents.codec import to_document
from signatures.judging.condition_bases import ReadingCondition
from signatures.judging.judge import judge
from signatures.judging.scope import items_of
from signatures.language.conditions import ConditionText
from signatures.language.model import Catalog
from signatures.overview.first_screen import overview_of
from signatures.reporting.report import finding_document
from tests.backend.whole_line import catalog
from tests.backend.whole_line_fuzzing import BATCH, CPU_SECONDS, fuzz, known, tried

if TYPE_CHECKING:
    from collections.abc import Iterator

SAMPLE_BATCHES = 3
"""A dozen CPU seconds: the same inputs however fast the machine is."""
OOM = (
    b"[ 100.000001] Memory cgroup out of memory: Killed process 99 (java) total-vm:1kB, anon-rss:1kB, "
    b"file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:1kB oom_score_adj:0\n"
)
LOAD = b"11:00:00 up 1 day, 2 users, load average: 90.10, 80.20, 70.30\n"


@pytest.fixture
def seen() -> Iterator[list[faults.Fault]]:
    """The faults that a guard caught; without raising them."""
    before, caught = list(faults.observers), []
    faults.observers[:] = [lambda fault, _: caught.append(fault)]
    yield caught
    faults.observers[:] = before


@pytest.mark.parametrize("path", known(), ids=lambda path: path.name)
def test_inputs_that_once_broke_the_line_do_so_no_more(path):
    assert tried(path.read_bytes())[0] == ""


def test_a_sample_of_changed_inputs_breaks_nothing():
    outcome = fuzz(SAMPLE_BATCHES * BATCH * CPU_SECONDS, seed=7, batches=SAMPLE_BATCHES)
    assert [broken.why for broken in outcome.broken] == []
    assert outcome.runs == SAMPLE_BATCHES * BATCH


class Failing(ReadingCondition):
    """A condition with a bug."""

    PARTS = ("facts", "log_records")

    def observe(self, *_):
        raise IndexError("index 0 is out of bounds")

    def describe(self):
        return ConditionText("log", "any")


def _items(content):
    return items_of([read_bytes(content, name="evidence.txt")])


def test_a_signature_that_raises_is_one_undecided_row(seen):
    library = catalog()
    broken = next(one for one in library.signatures if one.id == "mm/memcg-stat-show-stall")
    first = replace(broken.clauses[0], test=Failing())
    wrong = replace(broken, clauses=(first, *broken.clauses[1:]))
    signatures = tuple(wrong if one is broken else one for one in library.signatures)
    findings = judge(_items(OOM), Catalog(signatures, library.problems))
    by = {finding.signature.id: finding for finding in findings}
    assert by["mm/memcg-oom"].verdict == "match"
    assert by[wrong.id].verdict == "unknown"
    assert [fault.part for fault in seen] == [wrong.id]
    document = finding_document(by[wrong.id])
    assert seen[0].number in document.headline
    assert by[wrong.id].is_listed
    json.dumps(to_document(document), allow_nan=False)


def test_an_analysis_that_raises_leaves_its_questions_undecided(seen):
    items = _items(LOAD)
    sound = overview_of(overview.run(items), [], [], {item.format for item in items})

    def failing(_):
        raise ValueError("cannot convert float NaN to integer")

    analyses = tuple(
        one._replace(analyze=failing) if one.name == "cpu-time" else one for one in overview.ANALYSES
    )
    panels = overview.run(items, analyses)
    found = overview_of(panels, [], [], {item.format for item in items})
    states = {one.question.name: one for one in found.questions}
    assert [fault.part for fault in seen] == ["cpu-time"]
    assert states["cpu"].state != "no alarm"
    assert found.headline.text == sound.headline.text
    assert any(seen[0].number in panel.summary for panel in panels)


def test_a_question_is_not_calm_when_one_of_its_analyses_failed(seen):
    calm = overview.Panel("load", "Load", "", "during", "calm", "", assesses=("cpu",))
    failed = overview.Panel(
        "cpu-time",
        "CPU time",
        "",
        "during",
        "unknown",
        "",
        about=("cpu",),
        partial=(("cpu", overview.FAILED),),
        fault=faults.Fault("cpu-time", "0" * 8, ""),
    )
    states = {one.question.name: one for one in overview_of([calm, failed], [], [], {"loadavg"}).questions}
    assert states["cpu"].state == "not assessed"
    assert states["cpu"].note == overview.FAILED
    assert not seen


def test_the_report_is_valid_json_whatever_the_numbers_are():
    for path in known():
        evidence = read_bytes(path.read_bytes(), name=path.name)
        items = items_of([evidence])
        found = local.Analysis((evidence,), tuple(judge(items, catalog())), (), tuple(overview.run(items)))
        assert json.loads(json.dumps(local.document(found, with_all=True), allow_nan=False))
