"""Every view of a selection matches a slow reference computation, on any profile."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.export import columns, difference, functions, selected, times
from ingest.frames.normalise import normalise
from ingest.model.errors import UnsupportedQueryError
from ingest.model.selection import Selection
from ingest.native.views import View
from tests.ingest.export import slow

PATTERNS = st.lists(st.sampled_from(["a", "b", "/^c/", "/[ab]/", "/un/"]), max_size=2).map(tuple)

SELECTIONS = st.builds(
    Selection,
    t0=st.sampled_from([None, 0.0, 1.5]),
    t1=st.sampled_from([None, 6.0, 20.0]),
    from_sample=st.sampled_from([None, 0, 3]),
    to_sample=st.sampled_from([None, 3, 12, 99]),
    cpus=st.sampled_from([(), (0,), (0, 2)]),
    pids=st.sampled_from([(), (7,)]),
    tids=st.sampled_from([(), (8, 2)]),
    comms=st.sampled_from([(), ("db",)]),
    focus=PATTERNS,
    hide=PATTERNS,
    merge=PATTERNS,
    collapse_recursion=st.booleans(),
    has_idle=st.booleans(),
    weight=st.sampled_from(["own", "samples"]),
)
SHAPES = st.builds(
    Selection,
    focus=PATTERNS,
    merge=PATTERNS,
    collapse_recursion=st.booleans(),
    cpus=st.sampled_from([(), (0, 2)]),
)
quick = settings(max_examples=60, deadline=None)


def paths(table):
    """Return the path of every row, as names."""
    way, found = [], []
    for depth, frame in zip(table["depth"], table["frame"], strict=True):
        del way[depth:]
        way.append(table["names"][frame])
        found.append(tuple(way))
    return found


def names(weights):
    """Return weights by path of names, whatever the modules."""
    table = Counter()
    for path, weight in weights.items():
        table[tuple(name for name, _ in path)] += weight
    return table


def summed(table, column="total"):
    weights = Counter()
    for path, weight in zip(paths(table), table[column], strict=True):
        weights[path] += weight
    return weights


@given(slow.samples(), SELECTIONS)
@quick
def test_a_view_is_the_tree_of_the_samples_it_takes(samples, selection):
    matching = slow.selected(samples, selection)
    graph = columns.graph(View(slow.profile(samples), selection), min_share=0)
    own, total = slow.tree(matching)
    assert graph["total_weight"] == sum(one.weight for one in matching)
    assert graph["total_samples"] == len(matching)
    assert len(graph["node"]) == len(total)
    assert summed(graph) == names(total)
    assert summed(graph, "self") == names(Counter({path: own[path] for path in total}))


@given(slow.samples(), SHAPES)
@quick
def test_a_row_of_a_shaped_tree_is_found_again_by_its_node(samples, selection):
    view = View(slow.profile(samples), selection)
    graph = columns.graph(view, min_share=0)
    for at, node in enumerate(graph["node"]):
        below = columns.graph(view, min_share=0, root=node)
        assert (below["node"][0], below["total"][0]) == (node, graph["total"][at])


@given(slow.samples(), SHAPES)
@quick
def test_an_inverted_tree_begins_where_stacks_end_and_its_rows_are_found_again(samples, selection):
    view = View(slow.profile(samples), selection)
    graph = columns.graph(view, min_share=0, is_inverted=True)
    assert summed(graph) == names(slow.inverted(slow.selected(samples, selection)))
    for at, (leaf, depth) in enumerate(zip(graph["leaf"], graph["depth"], strict=True)):
        below = columns.graph(view, min_share=0, is_inverted=True, row=(leaf, depth))
        assert below["total"][0] == graph["total"][at]
        assert below["names"][0] == paths(graph)[at][-1]


@given(slow.samples(), SHAPES)
@quick
def test_a_compact_tree_has_the_same_content(samples, selection):
    view = View(slow.profile(samples), selection)
    plain = columns.graph(view, min_share=0.2)
    small = columns.compact(plain)
    node, own = 0, []
    nodes = [node := node + step for step in small["node"]]
    assert nodes == plain["node"]
    own = [one * small["step"] for one in small["self"]]
    assert own == plain["self"]
    total = [own[row] + small["rest"][row] * small["step"] for row in range(len(own))]
    for row in reversed(range(len(own))):
        for above in reversed(range(row)):
            if small["depth"][above] == small["depth"][row] - 1:
                total[above] += total[row]
                break
    assert total == plain["total"]


@given(slow.samples(), SHAPES)
@quick
def test_functions_count_every_sample_once(samples, selection):
    matching = slow.selected(samples, selection)
    own, total = slow.by_name(matching)
    table = functions.table(View(slow.profile(samples), selection), sort="total", limit=1000)
    assert {item["name"]: item["total"] for item in table["items"]} == dict(total)
    assert {item["name"]: item["self"] for item in table["items"]} == {name: own[name] for name in total}
    assert [item["total"] for item in table["items"]] == sorted(total.values(), reverse=True)


@given(slow.samples(), SHAPES, st.sampled_from(["c", "/^c$|b/", "UNK"]))
@quick
def test_a_search_weighs_the_samples_that_pass_through_what_it_finds(samples, selection, query):
    matching = slow.selected(samples, selection)
    pattern = query if query.startswith("/") else f"/(?i){query}/"
    table = functions.table(View(slow.profile(samples), selection), query=query)
    passing = [one for one in matching if any(slow.is_found(pattern, name) for name in one.names)]
    assert table["matched"]["weight"] == sum(one.weight for one in passing)
    assert table["count"] == len(
        {name for one in matching for name in one.names if slow.is_found(pattern, name)}
    )


@given(slow.samples(), SHAPES, st.sampled_from(["a", "b", "c"]))
@quick
def test_both_sides_of_a_sandwich_weigh_what_passes_through(samples, selection, name):
    outside, inside = slow.around(slow.selected(samples, selection), name)
    sandwich = functions.sandwich(View(slow.profile(samples), selection), name, min_share=0)
    if not outside:
        assert sandwich is None
        return
    assert summed(sandwich["callers"]) == Counter({(name, *path): w for path, w in names(outside).items()})
    assert summed(sandwich["callees"]) == Counter({(name, *path): w for path, w in names(inside).items()})
    assert sandwich["total"] == sandwich["callers"]["total"][0] == sandwich["callees"]["total"][0]


@given(slow.samples(), slow.samples(), SHAPES)
@quick
def test_a_difference_holds_both_sides_by_normalised_name(before, after, selection):
    rows = difference.difference(
        View(slow.profile(before), selection), View(slow.profile(after), selection), min_share=0
    )
    for side, samples in (("a", before), ("b", after)):
        matching = slow.selected(samples, selection)
        total = Counter()
        for path, weight in slow.tree(matching)[1].items():
            key = tuple((normalise(n), m if n == "[unknown]" else "") for n, m in path)
            total[tuple(n for n, _ in key)] += weight
        assert summed(rows, f"weight_{side}") == Counter({path: total[path] for path in set(paths(rows))})
        assert rows[f"total_{side}"] == sum(one.weight for one in matching)
    shares = [
        b / (rows["total_b"] or 1) - a / (rows["total_a"] or 1)
        for a, b in zip(rows["weight_a"], rows["weight_b"], strict=True)
    ]
    assert rows["delta"] == pytest.approx(shares, abs=1e-6)


@given(slow.samples(), SELECTIONS)
@quick
def test_rows_in_chronological_order_are_uninterrupted_stays(samples, selection):
    matching = slow.selected(samples, selection)
    view = View(slow.profile(samples), selection)
    graph = columns.graph(view, min_share=0, order="chronological")
    names_of = [graph["names"][frame] for frame in graph["frame"]]
    rows = zip(
        graph["depth"],
        names_of,
        graph["start"],
        graph["total"],
        graph["first_sample"],
        graph["last_sample"],
        strict=True,
    )
    expected = [(depth, frame[0], *rest) for depth, frame, *rest in slow.stays(matching)]
    assert sorted(rows) == sorted(expected)


@given(slow.samples(), SELECTIONS, st.sampled_from([1, 4, 50]))
@quick
def test_every_sample_is_in_one_cell_of_the_heat_map(samples, selection, rows):
    matching = slow.selected(samples, selection)
    heat = times.heat(View(slow.profile(samples), selection), rows=rows)
    cells = Counter()
    origin = min(one.time for one in samples)
    for one in matching:
        since = one.time - origin
        cells[int(since), min(int((since - int(since)) * rows), rows - 1)] += 1
    found = {divmod(at, rows): count for at, count in enumerate(heat["counts"]) if count}
    assert found == dict(cells)
    assert heat["samples"] == len(matching)


@given(slow.samples(), SHAPES, st.sampled_from(["cpu", "thread", "all"]), st.booleans())
@quick
def test_spans_are_runs_of_one_thread(samples, selection, by, has_clock):
    matching = slow.selected(samples, selection)
    origin = min(one.time for one in samples)
    lanes = times.lanes(View(slow.profile(samples, has_clock=has_clock), selection), by=by, gap=2.0)
    key = {"cpu": lambda one: one.cpu, "thread": lambda one: one.thread, "all": lambda _: -1}[by]
    at = (lambda one: round(one.time - origin, 9)) if has_clock else (lambda one: one.position)
    expected = [
        (start, count, slow.THREADS[thread].comm, slow.THREADS[thread].tid, common[-1][0] if common else "")
        for _, start, count, thread, common in slow.runs(matching, key, at, 2.0)
    ]
    found = [
        (
            start,
            count,
            lanes["threads"][thread]["comm"],
            lanes["threads"][thread]["tid"],
            lanes["names"][frame] if frame >= 0 else "",
        )
        for start, count, thread, frame in zip(
            lanes["start"], lanes["samples"], lanes["thread"], lanes["frame"], strict=True
        )
    ]
    assert sorted(found) == sorted(expected)
    assert sum(lane["spans"] for lane in lanes["lanes"]) == len(found)


@given(slow.samples(), SELECTIONS)
@quick
def test_what_is_selected_is_a_profile_of_its_own(samples, selection):
    view = View(slow.profile(samples), selection)
    own = selected.profile(view)
    assert columns.graph(View(own), min_share=0)["total"] == columns.graph(view, min_share=0)["total"]
    assert own.weight == view.total_weight
    assert len(own.sample_line) == view.total_samples


def test_a_query_beyond_the_recording_is_rejected_with_a_reason():
    samples = [slow.Sample((("a", ""),), 1.0, 1.0, 0, 0, 0)]
    profile = slow.profile(samples, has_clock=False)
    with pytest.raises(UnsupportedQueryError, match="has no clock"):
        View(profile, Selection(t0=1.0))
    nowhere = replace(profile, sample_cpu=None)
    with pytest.raises(UnsupportedQueryError, match="on which CPU"):
        View(nowhere, Selection(cpus=(0,)))
    with pytest.raises(UnsupportedQueryError, match="on which CPU"):
        times.lanes(View(nowhere), by="cpu")
    unordered = replace(profile, is_ordered=False)
    with pytest.raises(UnsupportedQueryError, match="no order"):
        View(unordered, Selection(from_sample=1))
    with pytest.raises(UnsupportedQueryError, match="no order"):
        times.lanes(View(unordered))
    with pytest.raises(UnsupportedQueryError, match="no order"):
        columns.graph(View(unordered), order="chronological")
    with pytest.raises(UnsupportedQueryError, match="has no clock"):
        times.heat(View(profile))
    with pytest.raises(UnsupportedQueryError, match="no regular expression"):
        View(profile, Selection(focus=("/lru(/",)))
    with pytest.raises(UnsupportedQueryError, match="ends before it begins"):
        Selection(t0=2.0, t1=1.0)
    with pytest.raises(UnsupportedQueryError, match="at most 20"):
        Selection(hide=("a",) * 21)
