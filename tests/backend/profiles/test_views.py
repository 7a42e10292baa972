"""Profile views over the API: selections, functions, callers and callees, diffs, heat maps."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from ingest.readers.perf import perf_script
from ingest.readers.profilers import folded
from tests.backend.stored_evidence import new_case, store_evidence

RECORDED = gzip.decompress(Path("tests/data/perf-script/healthy-database.fields_full.txt.gz").read_bytes())
STALL = Path("tests/data/published/network-stalls/perf-ordered-folded.txt").read_bytes()


@pytest.fixture
def case(session, store, tmp_path):
    case = new_case(session)
    store_evidence(session, store, tmp_path, case, RECORDED, perf_script, name="perf.script")
    store_evidence(session, store, tmp_path, case, STALL, folded, name="stall.txt")
    session.commit()
    return case


@pytest.fixture
def profiles(case, web):
    return {one["evidence_name"]: one for one in web.get(f"/cases/{case.number}/profiles").json()["items"]}


@pytest.fixture
def recorded(profiles):
    return profiles["perf.script"]


@pytest.fixture
def stall(profiles):
    return profiles["stall.txt"]


@pytest.fixture
def ask(web):
    def asked(profile, what, **query):
        answer = web.get(f"/profiles/{profile['id']}/{what}", params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    return asked


def test_every_response_has_the_summary_of_the_whole_recording(ask, recorded):
    queries = {
        "graph": {},
        "whole": {},
        "top": {},
        "heatmap": {},
        "lanes": {},
        "diff": {"base": recorded["id"]},
    }
    wholes = [ask(recorded, what, **query)["whole"] for what, query in queries.items()]
    assert all(whole == wholes[0] for whole in wholes)
    whole = wholes[0]
    assert whole["samples"] == recorded["samples"]
    assert whole["duration_s"] == pytest.approx(recorded["to_s"] - recorded["from_s"])
    assert 0 <= whole["idle_share"] <= 1
    assert {"skid"} <= {remark["name"] for remark in whole["quality"]}


def test_time_ranges_add_up_to_the_whole(ask, recorded):
    middle = (recorded["to_s"] - recorded["from_s"]) / 2
    before = ask(recorded, "graph", t1=middle)
    after = ask(recorded, "graph", t0=middle)
    assert 0 < before["total_samples"] < recorded["samples"]
    assert before["total_samples"] + after["total_samples"] == recorded["samples"]
    assert before["whole"]["samples"] == recorded["samples"]


def test_threads_and_cpus_are_those_the_overview_names(ask, recorded):
    whole = ask(recorded, "whole")
    for what, name in (("cpus", "cpu"), ("comms", "comm")):
        entry = whole[what][0]
        assert ask(recorded, "graph", **{name: entry[name]})["total_samples"] == entry["samples"]
    thread = whole["threads"][0]
    assert ask(recorded, "graph", tid=thread["tid"])["total_samples"] == thread["samples"]
    assert sum(entry["samples"] for entry in whole["cpus"]) == recorded["samples"]


def test_a_function_is_found_focused_and_hidden_by_one_name(ask, recorded):
    top = ask(recorded, "top", q="/^do_syscall_64$/")
    weight = top["items"][0]["total"]
    assert top["matched"]["weight"] == weight
    assert ask(recorded, "graph", focus="do_syscall_64")["total_weight"] == pytest.approx(weight)
    hidden = ask(recorded, "graph", hide="do_syscall_64")
    assert hidden["total_weight"] == pytest.approx(recorded["weight"] - weight)
    assert "do_syscall_64" not in hidden["names"]
    merged = ask(recorded, "graph", merge="/_64/", min_share=0)
    assert merged["total_weight"] == pytest.approx(recorded["weight"])
    assert not [name for name in merged["names"] if "_64" in name]


def test_a_sandwich_has_the_weight_of_the_table(ask, recorded):
    item = ask(recorded, "top", sort="total", q="do_syscall_64")["items"][0]
    sandwich = ask(recorded, "sandwich", name=item["name"])
    assert sandwich["total"] == item["total"]
    assert sandwich["callers"]["names"][0] == sandwich["callees"]["names"][0] == item["name"]
    assert sandwich["callers"]["total"][0] == sandwich["callees"]["total"][0] == item["total"]


def test_an_inverted_row_is_unfolded_by_where_it_ends(ask, recorded):
    inverted = ask(recorded, "graph", inverted=True, min_share=0.02)
    row = next(at for at, depth in enumerate(inverted["depth"]) if depth == 1)
    below = ask(recorded, "subtree", inverted=True, node=inverted["leaf"][row], depth=1)
    assert below["total"][0] == inverted["total"][row]
    assert below["names"][0] == inverted["names"][inverted["frame"][row]]


def test_a_profile_differs_from_its_half_and_not_from_itself(ask, recorded):
    same = ask(recorded, "diff", base=recorded["id"])
    assert set(same["delta"]) == {0}
    assert (same["only_a_share"], same["only_b_share"]) == (0, 0)
    middle = (recorded["to_s"] - recorded["from_s"]) / 2
    halves = ask(recorded, "diff", base=recorded["id"], base_t1=middle, t0=middle, min_delta=0.01)
    assert halves["samples_a"] + halves["samples_b"] == recorded["samples"]
    assert max(abs(delta) for delta in halves["delta"]) >= 0.01


def test_the_heat_map_holds_every_sample_and_its_brush_selects_them(ask, recorded):
    heat = ask(recorded, "heatmap", rows=10)
    assert len(heat["counts"]) == heat["columns"] * heat["rows"]
    assert heat["samples"] == sum(heat["counts"]) == recorded["samples"]
    brushed = ask(recorded, "graph", t0=0, t1=heat["row_seconds"])
    assert brushed["total_samples"] == heat["counts"][0]


def test_the_reader_then_the_softirq_are_seen_in_order_without_a_clock(ask, stall):
    lanes = ask(stall, "lanes")
    assert (lanes["by"], lanes["axis"]) == ("all", "samples")
    ran = [lanes["threads"][thread]["comm"] for thread in lanes["thread"]]
    assert ran == ["cadvisor", "ksoftirqd/11"]
    assert (lanes["start"], lanes["duration"]) == ([0, 5], [5, 2])
    assert lanes["names"][lanes["frame"][0]] == "memcg_stat_show"
    threads = ask(stall, "lanes", by="thread")
    assert [lane["label"] for lane in threads["lanes"]] == ["cadvisor", "ksoftirqd/11"]
    rows = ask(stall, "graph", order="chronological", min_share=0)
    outermost = [row for row, depth in enumerate(rows["depth"]) if depth == 0]
    assert [rows["start"][row] for row in outermost] == [0, 5]
    assert ask(stall, "graph", from_sample=5)["total_samples"] == 2


def test_spans_on_cpus_hold_every_sample(ask, recorded):
    lanes = ask(recorded, "lanes")
    assert lanes["by"] == "cpu"
    assert sum(lanes["samples"]) == sum(lane["samples"] for lane in lanes["lanes"]) == recorded["samples"]
    assert len(lanes["start"]) == sum(lane["spans"] for lane in lanes["lanes"])


def test_a_compact_graph_is_smaller_and_says_so(web, recorded):
    path = f"/profiles/{recorded['id']}/graph"
    plain = web.get(path, params={"min_share": 0})
    small = web.get(path, params={"min_share": 0, "compact": True})
    assert small.json()["compact"]
    assert len(small.content) < len(plain.content)


@pytest.mark.parametrize(
    ("what", "query", "status", "word"),
    [
        ("heatmap", {}, 422, "clock"),
        ("graph", {"t0": 1}, 422, "clock"),
        ("graph", {"focus": "/lru(/"}, 422, "regular expression"),
        ("graph", {"from_sample": 5, "to_sample": 2}, 422, "before it begins"),
        ("graph", {"focus": ["a"] * 21}, 422, "focus"),
        ("top", {"limit": 100000}, 422, "limit"),
        ("sandwich", {"name": "nobody_calls_this"}, 404, "nobody_calls_this"),
        ("subtree", {"node": 0, "focus": "run_ksoftirqd"}, 404, "node 0"),
        ("diff", {"base": "00000000-0000-0000-0000-000000000000"}, 404, "no profile"),
    ],
)
def test_an_invalid_view_is_refused_with_a_reason(  # noqa: PLR0917 - fixtures and one case
    web, stall, what, query, status, word
):
    answer = web.get(f"/profiles/{stall['id']}/{what}", params=query)
    assert answer.status_code == status, answer.text
    assert word in answer.json()["detail"]


ODD_SELECTIONS = [
    *({"cpu": value} for value in (-2, 2**31, 10**30, "x")),
    *({name: value} for name in ("from_sample", "root") for value in (2**40, 10**30, -1)),
    *({"t0": value} for value in (1e308, "nan", "inf", -1)),
    *({"focus": value} for value in ("", "//", "/.*/", "/(a{999}){999}/", "\x00", b"\xed\xa0\x80")),
    {"min_share": "nan"},
    {"keep": "1,99999999999999999999"},
    {"idle": "perhaps"},
]
ODD_QUESTIONS = [
    ("graph", {"merge": "/./", "inverted": True}),
    ("graph", {"collapse_recursion": True, "order": "chronological", "merge": "/./"}),
    ("graph", {"hide": "/./", "compact": True}),
    ("subtree", {"node": 10**30}),
    ("subtree", {"node": 0, "inverted": True, "depth": 10_000}),
    ("top", {"q": "/(/"}),
    ("top", {"q": "(.*"}),
    ("top", {"offset": 10**30}),
    ("sandwich", {"name": "\x00"}),
    ("diff", {"hide": "/./"}),
    ("heatmap", {"rows": 200, "column_seconds": 0.001}),
    ("heatmap", {"hide": "/./"}),
    ("lanes", {"hide": "/./", "by": "thread"}),
    ("lanes", {"gap": 1e-300, "width": 1}),
    ("folded", {"merge": "/./"}),
]


def test_any_selection_is_answered_or_refused(web, recorded):
    for query in ODD_SELECTIONS:
        answer = web.get(f"/profiles/{recorded['id']}/graph", params=query)
        assert answer.status_code in {200, 400, 404, 422}, (query, answer.text)
        assert "NotComputed" not in answer.text, query


def test_any_view_query_is_answered_or_refused(web, recorded):
    for what, query in ODD_QUESTIONS:
        answer = web.get(f"/profiles/{recorded['id']}/{what}", params={"base": recorded["id"]} | query)
        assert answer.status_code in {200, 400, 404, 422}, (what, query, answer.text)
        assert "NotComputed" not in answer.text, (what, query)


def test_a_response_is_computed_once_and_cached(web, recorded, app_settings):
    path = f"/profiles/{recorded['id']}/graph"
    first = web.get(path)
    kept = list(app_settings.views_dir.rglob("*.gz"))
    assert len(kept) == 1
    assert gzip.decompress(kept[0].read_bytes()) == first.content
    plain = web.get(path, headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.content == first.content
    assert web.get(path, headers={"If-None-Match": first.headers["etag"]}).status_code == 304


def test_an_export_contains_the_selection(web, recorded):
    folded_text = web.get(f"/profiles/{recorded['id']}/folded", params={"focus": "do_syscall_64"})
    weights = [float(line.rpartition(" ")[2]) for line in folded_text.text.splitlines()]
    body = web.get(f"/profiles/{recorded['id']}/graph", params={"focus": "do_syscall_64"}).json()
    assert sum(weights) == body["total_samples"]
    scope = web.get(
        f"/profiles/{recorded['id']}.speedscope.json", params={"focus": "do_syscall_64", "download": True}
    )
    assert sum(scope.json()["profiles"][0]["weights"]) == pytest.approx(body["total_weight"])
    assert scope.headers["content-disposition"] == 'attachment; filename="perf.script.speedscope.json"'


def test_svg_and_firefox_exports_contain_the_selection(web, recorded):
    address = f"/profiles/{recorded['id']}"
    picture = web.get(f"{address}.svg", params={"focus": "do_syscall_64"})
    assert picture.headers["content-type"] == "image/svg+xml"
    body = web.get(f"{address}/graph", params={"focus": "do_syscall_64"}).json()
    assert f"{body['total_samples']} of" in picture.text
    firefox = web.get(f"{address}.firefox.json", params={"focus": "do_syscall_64", "download": True})
    assert firefox.headers["content-disposition"].endswith('"perf.script.firefox.json"')
    threads = firefox.json()["threads"]
    assert sum(thread["samples"]["length"] for thread in threads) == body["total_samples"]
