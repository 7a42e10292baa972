"""Forms of evidence: each has an answer for a story, and what is called used is met by a fixture."""

from __future__ import annotations

import pytest

from ingest.format_list import format_rows
from signatures.authoring import evidence_forms
from signatures.authoring.fixture_tests import fixtures
from signatures.judging.observation import State
from signatures.language.patterns import is_any
from tests.signatures.evidence import library, library_findings, read_folder

STORIES = (
    "mm/shrink-lruvec-livelock",
    "mm/mglru-evict-folios-lru-lock",
    "writeback/inode-switch-wbs-storm",
    "mm/memcg-stat-show-stall",
    "mm/percpu-rss-drift",
)
"""Published with many forms of evidence, so that each form has an answer."""


@pytest.mark.parametrize("name", STORIES)
def test_every_form_is_used_by_a_story_or_has_a_reason(name):
    assert [use.form.id for use in evidence_forms.coverage(library().get(name)) if use.state == "open"] == []


def test_reasons_are_of_known_signatures_and_of_forms_that_are_not_used():
    for name, reasons in evidence_forms.reasons().items():
        uses = {use.form.id: use for use in evidence_forms.coverage(library().get(name))}
        assert [form for form in reasons if uses[form].state != "explained"] == []


def test_forms_name_formats_that_there_are():
    formats = {row.name for row in format_rows()}
    named = {name for form in evidence_forms.forms() for name in form.facts}
    assert [name for name in named if not any(is_any(one, (name,)) for one in formats)] == []


@pytest.mark.parametrize(
    ("form", "format_name", "name"),
    [
        ("top-ps", "top", "writeback/inode-switch-wbs-storm"),
        ("top-ps", "ps", "writeback/inode-switch-wbs-storm"),
        ("pidstat", "pidstat", "writeback/inode-switch-wbs-storm"),
        ("perf-lock", "perf-lock", "writeback/inode-switch-wbs-storm"),
        ("funclatency", "bcc-histogram", "writeback/inode-switch-wbs-storm"),
        ("lockup-log", "kernel-log", "writeback/inode-switch-wbs-storm"),
        ("perf-lock", "perf-lock", "mm/mglru-evict-folios-lru-lock"),
        ("lockup-log", "kernel-log", "mm/mglru-evict-folios-lru-lock"),
        ("perf-lock", "perf-lock", "mm/shrink-lruvec-livelock"),
        ("perf-stat", "perf-stat", "mm/shrink-lruvec-livelock"),
        ("funclatency", "bcc-histogram", "mm/shrink-lruvec-livelock"),
        ("perf-report", "perf-table", "mm/shrink-lruvec-livelock"),
        ("perf-trace", "perf-trace", "mm/memcg-stat-show-stall"),
        ("funclatency", "bcc-histogram", "mm/memcg-stat-show-stall"),
        ("top-ps", "ps", "mm/percpu-rss-drift"),
        ("proc-files", "proc-pid-statm", "mm/percpu-rss-drift"),
    ],
)
def test_a_fixture_in_this_format_meets_a_condition_that_is_said_to_use_it(form, format_name, name):
    use = next(one for one in evidence_forms.coverage(library().get(name)) if one.form.id == form)
    met = set()
    for fixture in fixtures():
        if fixture.signature != name or not fixture.name.startswith("pos-"):
            continue
        formats = {part.format for one in read_folder(fixture.folder) for part in one.sections}
        if format_name in formats:
            (finding,) = [one for one in library_findings(fixture.folder) if one.signature.id == name]
            met |= {state.clause.id for state in finding.clauses if state.state is State.TRUE}
    assert met & set(use.conditions)
