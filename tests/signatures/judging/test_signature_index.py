"""The index of signatures: what it leaves out is what judging one by one would say."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from benchmarks import many_signatures
from ingest.evidence import read_file
from signatures.authoring.fixture_tests import read_folder
from signatures.document.catalog import load_catalog
from signatures.document.files import LIBRARY
from signatures.judging import signature_index
from signatures.judging.condition_plan import Plans
from signatures.judging.judge import candidates_of, judge
from signatures.judging.scope import items_of
from signatures.language.conditions import ANYTHING
from signatures.language.model import Catalog

DATA = Path("tests/data")
_NUMBERS = count()
SAMPLES = (
    "kernel-log/hung-task.guest.txt",
    "kernel-log/dmesg-T.oom.txt",
    "kernel-log/workqueue-hogged.txt",
    "vmstat/vmstat.narrow-end-of-writes.txt",
    "bcc-deadlock",
    "perf-table",
    "bare-stack",
    "folded",
    "perf-script/memcg-reclaim.fields_full.txt",
    "../../signatures/library/mm/memcg-stat-show-stall/evidence/pos-locked-up",
    "../../signatures/library/mm/memcg-limit-reclaim/evidence/pos-cgroup-v1-refaults",
)


def _items(name):
    path = (DATA / name).resolve()
    if path.is_dir() and path.is_relative_to(LIBRARY.resolve()):
        return items_of(read_folder(path))
    if path.is_dir():
        path = min(one for one in path.iterdir() if one.suffix == ".txt")
    return items_of([read_file(path)])


def _by_id(findings):
    return {(one.host, one.phase, one.signature.id): one for one in findings}


class _Alone(Plans):
    """Plans by which each condition is observed by itself, and shares nothing with equal ones."""

    def _made(self, condition):
        plan = replace(super()._made(condition), is_anywhere=True)
        plan._number = next(_NUMBERS)
        return plan


@pytest.mark.parametrize("name", SAMPLES)
def test_findings_are_those_of_judging_every_signature(name, monkeypatch):
    items, library = _items(name), load_catalog()
    # Copies with names that no evidence has share what is said of these with others that have theirs.
    copies = tuple(many_signatures.renamed(one, number) for number, one in enumerate(library.signatures))
    catalog = replace(library, signatures=(*library.signatures, *copies))
    by_index = _by_id(judge(items, catalog))
    everything = replace(catalog)
    monkeypatch.setattr(signature_index, "_traces", lambda _: {ANYTHING})
    monkeypatch.setattr(signature_index, "Plans", _Alone)
    assert len(candidates_of(items, everything)) == len(everything.signatures)
    assert _by_id(judge(items, everything)) == by_index


def test_a_log_of_one_message_makes_few_candidates():
    items = items_of([read_file(DATA / "kernel-log/dmesg-T.oom.txt")])
    found = candidates_of(items, load_catalog())
    assert "mm/memcg-oom" in found or "mm/host-oom" in found
    assert len(found) < len(load_catalog().signatures) / 2


def test_signatures_without_a_trace_observe_nothing(monkeypatch):
    items, library = _items("kernel-log/dmesg-T.oom.txt"), load_catalog()
    few = candidates_of(items, library)
    others = [one for one in library.signatures if one.id not in few]
    copies = (replace(one, id=f"{one.id}-{number}") for one in others for number in range(5))
    observed = []
    judge_boot = judge.__globals__["_judge_boot"]

    def noted(plan, *boot):
        observed.append(plan.signature.id)
        return judge_boot(plan, *boot)

    monkeypatch.setitem(judge.__globals__, "_judge_boot", noted)
    findings = judge(items, Catalog((*library.signatures, *copies), ()))
    assert set(observed) == few
    assert len(findings) == len(library.signatures) + 5 * len(others)


def test_a_signature_whose_traces_cannot_be_told_is_judged(monkeypatch):
    items, library = _items("kernel-log/dmesg-T.oom.txt"), load_catalog()

    def broken(_):
        raise ValueError("no arithmetic")

    monkeypatch.setattr(signature_index, "traces_of", broken)
    assert len(candidates_of(items, replace(library))) == len(library.signatures)
