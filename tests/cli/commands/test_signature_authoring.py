"""Authoring a signature on the command line: draft, lint, test, export."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from cli import main
from signatures.document.files import LIBRARY, SCHEMA

PERF = LIBRARY / "writeback/inode-switch-wbs-storm/evidence/pos-constructed-storm/perf.script.gz"
OOM = LIBRARY / "mm/memcg-oom/evidence/pos-two-victims/dmesg.oom.txt"
HEALTHY = LIBRARY / "mm/memcg-limit-reclaim/evidence/neg-healthy-database"
EVERY = "7"


@pytest.fixture
def run():
    def call(*words, code=0):
        done = CliRunner().invoke(main, ["signature", *map(str, words)])
        assert done.exit_code == code, done.output
        return done.output if code else done.stdout

    return call


@pytest.mark.parametrize(
    ("source", "clause"), [(PERF, "hot_inode_switch_wbs_work_fn"), (OOM, "logged_oom_kill")]
)
def test_a_draft_is_valid_clean_and_fires_on_its_own_evidence(run, tmp_path, source, clause):
    assert "wrote" in run("--library", tmp_path, "new", "fs/my-stall", "--from", source)
    assert run("--library", tmp_path, "lint") == "signatures: 1, problems: 0\n"
    assert "1 judged, 0 not as expected" in run("--library", tmp_path, "test")
    document = yaml.safe_load((tmp_path / "fs/my-stall/signature.yaml").read_text())
    assert clause in document["clauses"]
    assert document["status"] == "draft"


def test_the_next_command_of_a_draft_can_be_pasted_and_its_editor_finds_the_schema(run, tmp_path):
    root = tmp_path / "my own"
    result = run("--library", root, "new", "fs/my-stall", "--from", PERF)
    words = shlex.split(result.splitlines()[-1].partition(": ")[2])
    assert words[:2] == ["casebook", "signature"]
    assert "fs/my-stall" in run(*words[2:])
    first = (root / "fs/my-stall/signature.yaml").read_text().splitlines()[0]
    assert (root / "fs/my-stall" / first.partition("$schema=")[2]).resolve() == SCHEMA


def test_a_draft_is_silent_about_a_healthy_machine(run, tmp_path):
    run("--library", tmp_path, "new", "fs/my-stall", "--from", PERF)
    result = run("--library", tmp_path, "explain", "fs/my-stall", HEALTHY)
    assert not any(line.startswith(("IS  ", "MAY BE  ")) for line in result.splitlines())


@pytest.mark.parametrize(
    ("words", "code", "result"),
    [
        (["new", "my-stall", "--from", OOM], 2, "is not AREA/NAME"),
        (["new", "mm/x", "--from", HEALTHY / "expect.yaml"], 1, "no feature that a condition could test"),
        (["export", "mm/none", "--to", "probe"], 2, "unknown signature"),
        (["coverage", "mm/none"], 2, "unknown signature"),
        (["export", "mm/percpu-rss-drift", "--to", "prometheus"], 1, "can be tested on metrics"),
    ],
)
def test_errors_are_reported(run, tmp_path, words, code, result):
    library = ["--library", tmp_path] if words[0] == "new" else []
    assert result in run(*library, *words, code=code)
    assert not list(tmp_path.iterdir())


def test_a_mistake_ends_lint_with_1_and_names_its_line(run, tmp_path):
    run("--library", tmp_path, "new", "fs/my-stall", "--from", OOM)
    path = tmp_path / "fs/my-stall/signature.yaml"
    path.write_text(path.read_text().replace("severity: medium", "severity: huge"))
    assert "fs/my-stall/signature.yaml:6: severity: 'huge' is not allowed" in run(
        "--library", tmp_path, "lint", code=4
    )


def test_the_captures_are_listed_with_their_cost(run):
    result = run("catalog")
    assert "kernel_stacks: Kernel stacks of all CPUs for 10 seconds" in result
    assert "  cost: about 1 % CPU" in result
    assert len(yaml.safe_load(run("catalog", "--format", "json"))) > 20


def test_alerts_have_hysteresis_and_a_capture(run):
    rules = yaml.safe_load(run("export", "sched/cfs-throttling", "--to", "prometheus"))
    (rule,) = rules["groups"][0]["rules"]
    assert "increase(container_cpu_cfs_throttled_periods_total[5m])" in rule["expr"]
    assert rule["for"] == "5m"
    assert rule["keep_firing_for"] == "15m"
    assert "cpu.stat" in rule["annotations"]["capture_first"]


def test_an_alert_names_conditions_it_cannot_test(run):
    result = run("export", "mm/zone-reclaim-mode", "--to", "prometheus")
    assert "# not tested here: vm.zone_reclaim_mode is not 0" in result


def test_a_label_of_a_fact_is_one_of_the_metric(run, tmp_path):
    text = (LIBRARY / "mm/tlb-shootdown-storm/signature.yaml").read_text()
    own = tmp_path / "mm/tlb-shootdown-storm/signature.yaml"
    own.parent.mkdir(parents=True)
    own.write_text(text.replace("  counters:\n", "  counters:\n    role: core\n", 1))
    result = run("--library", tmp_path, "export", "mm/tlb-shootdown-storm", "--to", "prometheus")
    (rule,) = yaml.safe_load(result)["groups"][0]["rules"]
    assert rule["expr"] == '(rate(node_interrupts_total{type=~"TLB"}[5m]) >= 10000)'


@pytest.mark.parametrize(("every", "is_shown"), [(1, True), (100, False)])
def test_a_probe_computes_rates_between_its_samples(run, every, is_shown):
    script = run("export", "mm/thp-compaction-direct-stall", "--to", "probe")
    body = script[script.index("shows() {") : script.index("capture() {")]
    asked = f"EVERY={every}\n{body}\nshows 'vmstat.compact_stall 100 ' 'vmstat.compact_stall 200 '\n"
    shown = subprocess.run(["sh"], input=asked, text=True, check=False)
    assert (shown.returncode == 0) is is_shown


def cpu_stat(periods, throttled):
    return f"nr_periods {periods}\nnr_throttled {throttled}\nthrottled_usec {throttled * 70000}\n"


def _clock(folder: Path, group: Path) -> Path:
    """Return a directory whose `sleep` waits for nothing, and brings the next counters between two checks."""
    (folder / "bin").mkdir()
    shutil.copy(folder / "cpu.stat.0", group / "cpu.stat")
    sleep = folder / "bin/sleep"
    sleep.write_text(
        f'#!/bin/sh\n[ "$1" = {EVERY} ] || exit 0\n'
        f"look=$(($(cat {folder}/look 2>/dev/null || echo 0) + 1))\n"
        f"echo $look > {folder}/look\n"
        f"cp {folder}/cpu.stat.$look {group}/cpu.stat\n"
    )
    sleep.chmod(0o755)
    return folder / "bin"


@pytest.mark.parametrize(
    ("series", "rings"),
    [
        ([(100 * n, 90 * n) for n in range(8)], 1),  # stopped in nine of ten periods, all the time
        ([(100 * n, n) for n in range(8)], 0),  # once in a hundred: healthy
        ([(100 * n, 90 * ((n + 1) // 2)) for n in range(8)], 0),  # comes and goes
        ([(0, 0)] * 8, 0),  # no quota
    ],
)
def test_a_probe_alerts_after_its_duration_and_captures_first(run, tmp_path, series, rings):
    script = run("export", "sched/cfs-throttling", "--to", "probe")
    assert subprocess.run(["sh", "-n"], input=script, text=True, check=False).returncode == 0
    group, out, log = tmp_path / "group", tmp_path / "out", tmp_path / "log"
    group.mkdir()
    (group / "cpu.max").write_text("200000 100000\n")
    for look, values in enumerate(series):
        (tmp_path / f"cpu.stat.{look}").write_text(cpu_stat(*values))
    settings = {"CG": group, "OUT": out, "EVERY": EVERY, "HOLD": "3", "LOOKS": len(series) - 1}
    result = subprocess.run(
        ["sh", "-c", script],
        env={"PATH": f"{_clock(tmp_path, group)}:/usr/bin:/bin", "ACTION": f"ls {out} > {log}"}
        | {key: str(value) for key, value in settings.items()},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=300,
    ).stdout
    assert result.count("3 positive checks in a row") == rings
    assert log.exists() == bool(rings)
    if rings:
        (captured,) = Path(out).iterdir()
        assert captured.name in log.read_text()  # the capture was there before the action ran
        assert "nr_throttled" in captured.read_text()


def test_coverage_prints_what_uses_each_form_of_evidence_and_why_not(run):
    text = run("coverage", "writeback/inode-switch-wbs-storm")
    assert "used       top, htop, ps" in text
    assert "named_workers" in text
    (found,) = json.loads(run("coverage", "writeback/inode-switch-wbs-storm", "--format", "json"))
    forms = {one["form"]: one for one in found["forms"]}
    assert forms["perf-lock"]["used_by"] == ["slow_work"]
    assert forms["strace"]["state"] == "explained"
    assert "workers make none" in forms["strace"]["why_not"]


def test_coverage_of_the_library_has_a_line_for_each_signature(run):
    lines = run("coverage").splitlines()
    assert len(lines) == len(json.loads(run("list", "--format", "json")))
