"""`casebook flamegraph`: SVG flame graph on standard output."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from cli import main

DATA = Path(__file__).parents[2] / "data"
MEMCG = DATA / "perf-script" / "memcg-reclaim.default.txt"
EVENTS = DATA / "perf-script" / "memcg-reclaim.tracepoints_vmscan.txt"


def run(*arguments):
    return CliRunner().invoke(main, ["flamegraph", *(str(one) for one in arguments)])


def test_it_prints_a_picture_of_all_samples():
    result = run(MEMCG)
    assert result.exit_code == 0
    assert result.stdout.startswith("<svg ")
    assert "40 of 40 samples" in result.stdout
    assert "next_uptodate_folio" in result.stdout


def test_a_focus_prints_the_number_of_selected_samples():
    assert "of 40 samples" in run(MEMCG, "--focus", "next_uptodate_folio").stdout
    nothing = run(MEMCG, "--focus", "nobody_calls_this")
    assert (nothing.exit_code, "no sample of 40 in the selection" in nothing.stderr) == (3, True)
    broken = run(MEMCG, "--focus", "/lru(/")
    assert (broken.exit_code, "no regular expression" in broken.stderr) == (2, True)


def test_of_several_events_one_must_be_named():
    assert run(EVENTS).exit_code == 2
    assert run(EVENTS, "--event", "vmscan:mm_vmscan_memcg_reclaim_begin").exit_code == 0
