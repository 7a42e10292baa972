"""`casebook fold`: stacks of any format, one event at a time."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from cli import main

DATA = Path(__file__).parents[2] / "data"
MEMCG = DATA / "perf-script" / "memcg-reclaim.default.txt"
EVENTS = DATA / "perf-script" / "memcg-reclaim.tracepoints_vmscan.txt"


def run(*arguments, stdin=None):
    return CliRunner().invoke(main, ["fold", *(str(one) for one in arguments)], input=stdin)


def weight_of(output):
    return sum(int(line.rsplit(" ", 1)[1]) for line in output.splitlines())


def test_it_prints_the_committed_fold():
    result = run(MEMCG)
    assert result.exit_code == 0
    assert result.stdout == (DATA / "folded" / "memcg-reclaim.folded.txt").read_text()


def test_weights_are_samples_or_periods():
    assert weight_of(run(MEMCG).stdout) == 40
    assert weight_of(run(MEMCG, "--weight", "period").stdout) == 404040400


def test_of_several_events_one_must_be_named():
    result = run(EVENTS)
    assert result.exit_code == 2
    assert "2 events found, choose one with --event: vmscan:mm_vmscan_memcg_reclaim_begin, " in result.stderr
    assert weight_of(run(EVENTS, "--event", "vmscan:mm_vmscan_memcg_reclaim_begin").stdout) == 8
    wrong = run(EVENTS, "--event", "cycles")
    assert wrong.exit_code == 2
    assert "no event 'cycles'" in wrong.stderr


def test_inferno_takes_the_first_event_and_weighs_by_period():
    assert weight_of(run(EVENTS, "--compat", "inferno").stdout) == 8
    assert weight_of(run(MEMCG, "--compat", "inferno").stdout) == 404040400


def test_stack_maps_of_bpftrace_fold_too():
    result = run(DATA / "bpftrace-text" / "profile-kstack-comm.txt")
    assert result.exit_code == 0
    assert weight_of(result.stdout) > 0


def test_folding_is_idempotent():
    folded = run(MEMCG).stdout
    assert run("-", stdin=folded).stdout == folded


def test_without_stacks_it_says_so_and_ends_with_3():
    result = run(DATA / "published" / "vanishing-cpu" / "pidstat.txt")
    assert result.exit_code == 3
    assert "there are no stacks in it" in result.stderr
    assert "binary data" in run(DATA / "bad" / "junk.bin").stderr
