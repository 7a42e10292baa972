"""Views of real recordings match a slow reference computation."""

from __future__ import annotations

import numpy as np
import pytest

from ingest.export import columns, functions
from ingest.model.selection import Selection
from ingest.native.views import View
from tests.ingest.export import slow
from tests.ingest.export.profiles import database, memcg, ordered
from tests.ingest.export.test_views import names, summed

LOOKS = [
    (database, Selection(focus=("do_syscall_64",))),
    (database, Selection(merge=("[unknown]", "/_64$/"), collapse_recursion=True)),
    (database, Selection(hide=("/(?i)postgres/",), has_idle=False, weight="samples")),
    (database, Selection(t0=1.0, t1=2.5)),
    (memcg, Selection(focus=("/fault/",), merge=("/exc_page_fault/",))),
    (ordered, Selection(from_sample=2, to_sample=6)),
]


@pytest.fixture(params=LOOKS, ids=lambda look: look[0].__name__)
def look(request, monkeypatch):
    recorded, selection = request.param
    monkeypatch.setattr(slow, "THREADS", list(recorded().threads))
    samples = slow.of(recorded())
    return View(recorded(), selection), slow.selected(samples, selection)


def test_trees_and_inverted_trees_weigh_the_same(look):
    view, samples = look
    assert samples
    _, total = slow.tree(samples)
    assert summed(columns.graph(view, min_share=0)) == names(total)
    assert summed(columns.graph(view, min_share=0, is_inverted=True)) == names(slow.inverted(samples))


def test_functions_and_both_sides_of_the_heaviest_weigh_the_same(look):
    view, samples = look
    own, total = slow.by_name(samples)
    items = functions.table(view, sort="total", limit=1000)["items"]
    assert {item["name"]: item["total"] for item in items} == {
        item["name"]: pytest.approx(total[item["name"]]) for item in items
    }
    assert np.isclose(
        sum(item["self"] for item in functions.table(view, limit=1000)["items"]), sum(own.values())
    )
    sandwich = functions.sandwich(view, items[0]["name"], min_share=0)
    outside, inside = slow.around(samples, items[0]["name"])
    assert len(sandwich["callers"]["node"]) == len(outside)
    assert sandwich["callees"]["total"][0] == pytest.approx(inside[()])


def test_chronological_rows_are_the_stays(look):
    view, samples = look
    rows = columns.graph(view, min_share=0, order="chronological")
    expected = slow.stays(samples)
    assert len(rows["node"]) + rows["pruned_nodes"] == len(expected)
    widest = sorted(expected, key=lambda stay: (-stay[3], stay[0]))[: len(rows["node"])]
    found = sorted(zip(rows["total"], rows["depth"], strict=True))
    assert found == sorted((weight, depth) for depth, _, _, weight, _, _ in widest)
