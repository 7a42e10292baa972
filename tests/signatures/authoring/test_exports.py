"""Exports of signatures as detection: every stable one has all three, and a probe measures as the judge."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
from functools import cache

import pytest
import yaml

from ingest.catalogue.log_classes import classes_by_name
from ingest.evidence import read_file
from signatures.authoring.exports import EXPORTS, NotExportableError, exports_of
from signatures.authoring.node_problem_export import messages_of, reason_of
from signatures.authoring.probe_export import detection_in_awk
from signatures.authoring.probe_stacks import program
from signatures.document.catalog import load_catalog
from signatures.document.files import LIBRARY
from signatures.judging.log_selection import LogSelection
from signatures.judging.observation import State
from signatures.judging.observe import conditions_of, observe_reading
from signatures.judging.predicates.log import LogCondition

CATALOG = load_catalog()
STABLE = [one for one in CATALOG.signatures if one.status == "stable"]
BY_SIZE = sorted(LIBRARY.glob("*/*/evidence/pos-*/perf.script*.gz"), key=lambda path: -path.stat().st_size)
SMALLEST = {path.relative_to(LIBRARY).parts[1]: path for path in BY_SIZE}


def in_sh(script, **settings):
    return subprocess.run(
        ["sh", "-c", script],
        env={"PATH": "/usr/bin:/bin", **{key: str(value) for key, value in settings.items()}},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def test_every_stable_signature_has_every_export():
    """One that the kernel log alone shows needs no probe: node-problem-detector reads the log."""
    lacking = {one.id: missing for one in STABLE if (missing := set(EXPORTS) - set(exports_of(one)))}
    assert all(missing == {"probe"} and messages_of(CATALOG.get(id_)) for id_, missing in lacking.items()), (
        lacking
    )


def test_a_rule_of_a_message_counts_what_the_log_monitor_of_node_problem_detector_finds():
    one = CATALOG.get("fs/readonly-after-error")
    (rule,) = yaml.safe_load(EXPORTS["prometheus"].text(one))["groups"][0]["rules"]
    assert rule["expr"] == f'increase(problem_counter{{reason="{reason_of(one)}"}}[15m]) >= 1'
    files = yaml.safe_load(EXPORTS["node-problem-detector"].text(one))["data"]
    (monitor,) = map(json.loads, files.values())
    assert {rule["reason"] for rule in monitor["rules"]} == {reason_of(one)}
    assert any("Shutting down filesystem" in rule["pattern"] for rule in monitor["rules"])


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not installed")
def test_promtool_accepts_every_rule(tmp_path):
    rules = [one for one in CATALOG.signatures if "prometheus" in exports_of(one)]
    for one in rules:
        text = EXPORTS["prometheus"].text(one)
        (tmp_path / f"{one.id.replace('/', '-')}.yaml").write_text(text)
    checked = subprocess.run(
        ["promtool", "check", "rules", "--lint=all", "--lint-fatal", *sorted(tmp_path.glob("*.yaml"))],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stderr
    assert checked.stdout.count("SUCCESS: 1 rules found") == len(rules)


def test_every_probe_is_posix_sh_and_its_files_are_of_both_cgroup_versions():
    wrong: dict[str, object] = {}
    for one in CATALOG.signatures:
        if "probe" not in exports_of(one):
            continue
        text = EXPORTS["probe"].text(one)
        checked = subprocess.run(["dash", "-n"], input=text, capture_output=True, text=True, check=False)
        if checked.returncode or "@" in text.split("export CG")[0].replace("@id@", "@"):
            wrong[one.id] = checked.stderr or "a placeholder is left"
        pairs = (("memory.current", "memory.usage_in_bytes"), ("throttled_usec", "throttled_time"))
        body = text[text.index("look() {") : text.index("capture() {")]
        lacks = [pair for pair in pairs if (pair[0] in body) != (pair[1] in body)]
        wrong |= {one.id: lacks} if lacks else {}
    assert wrong == {}


@pytest.mark.parametrize("path", SMALLEST.values(), ids=SMALLEST)
def test_a_probe_measures_the_shares_that_the_judge_does(path):
    area, name = path.relative_to(LIBRARY).parts[:2]
    _, awk = detection_in_awk(CATALOG.get(f"{area}/{name}"))
    ran = subprocess.run(
        ["awk", program(awk.sampled)],
        input=gzip.decompress(path.read_bytes()),
        capture_output=True,
        check=True,
        timeout=300,
    )
    words = ran.stdout.decode().split()
    measured = dict(zip(words[::2], map(float, words[1::2]), strict=True))
    reading = read_file(path).sections[0].reading
    judged = {}
    for key, condition in awk.sampled:
        for one in observe_reading(condition, reading):
            if one.process in ("", "*") and one.state in (State.TRUE, State.FALSE):
                judged[key] = one.observed
    # Few samples decide nothing, here and there.
    assert measured == pytest.approx(judged, abs=0.02)


def test_a_probe_checks_once_with_the_exit_status_of_a_plugin(tmp_path):
    text = EXPORTS["probe"].text(CATALOG.get("sched/cfs-throttling"))
    text = text.replace("sleep 5", 'cat "$CG/next" > "$CG/cpu.stat"')
    (tmp_path / "cpu.max").write_text("200000 100000\n")

    def check(first, then):
        (tmp_path / "cpu.stat").write_text(first)
        (tmp_path / "next").write_text(then)
        ran = in_sh(f"set -- check\n{text}", CG=tmp_path, OUT=tmp_path / "out")
        return ran.returncode, ran.stdout.strip()

    none = "nr_periods 0\nnr_throttled 0\n"
    v2 = "nr_periods 100\nnr_throttled 90\nthrottled_usec 6000000\n"
    v1 = "nr_periods 100\nnr_throttled 90\nthrottled_time 6000000000\n"
    assert check(f"{none}throttled_usec 0\n", v2) == (1, "sched/cfs-throttling shown")
    assert check(f"{none}throttled_time 0\n", v1) == (1, "sched/cfs-throttling shown")
    healthy = "nr_periods 100\nnr_throttled 1\nthrottled_usec 70000\n"
    assert check(f"{none}throttled_usec 0\n", healthy) == (0, "sched/cfs-throttling not shown")
    code, said = check(f"{none}throttled_usec 0\n", none)
    assert (code, said.startswith("sched/cfs-throttling not known")) == (2, True)


def test_a_waiting_thread_is_counted_by_the_function_it_waits_in():
    _, awk = detection_in_awk(CATALOG.get("mm/mmap-lock-held-in-reclaim"))
    stack = "[<0>] __access_remote_vm+0x4a/0x390\n[<0>] proc_pid_cmdline_read+0x182/0x3b0\n\n"
    other = "[<0>] do_epoll_wait+0x5f2/0x730\n[<0>] do_syscall_64+0x5b/0x80\n\n"
    ran = subprocess.run(
        ["awk", program(awk.asleep)], input=stack * 3 + other, capture_output=True, text=True, check=True
    )
    words = ran.stdout.split()
    found = dict(zip(words[::2], map(int, words[1::2]), strict=True))
    assert max(count for name, count in found.items() if name != "blocked") == 3
    assert found["blocked"] == 4


@pytest.mark.parametrize(
    ("name", "folder", "is_shown"),
    [
        ("fs/frozen-filesystem", "pos-fsfreeze", True),
        ("fs/frozen-filesystem", "unk-one-writer", False),
        ("fs/fuse-server-hang", "pos-loop-device", True),
    ],
)
def test_a_probe_shows_a_chain_of_waits_where_enough_threads_are_blocked(name, folder, is_shown):
    text = EXPORTS["probe"].text(CATALOG.get(name))
    _, awk = detection_in_awk(CATALOG.get(name))
    recorded = (LIBRARY / name / "evidence" / folder / "stacks.txt").read_text()
    kept = [part.partition("stack <==\n")[2] for part in recorded.split("==> ") if "/stack <==" in part]
    ran = subprocess.run(
        ["awk", program(awk.asleep)], input="\n".join(kept), capture_output=True, text=True, check=True
    )
    body = text[text.index("shows() {") : text.index("capture() {")]
    shown = in_sh(f"{body}\nshows 'time 1' '{ran.stdout}'", EVERY=10)
    assert (shown.returncode == 0) is is_shown, shown.stderr


def test_counters_of_sockets_and_packets_are_read_from_proc():
    text = EXPORTS["probe"].text(CATALOG.get("net/softirq-budget-squeeze"))
    body = text[text.index("look() {") : text.index("stacks() {")]
    words = in_sh(f"CG=/sys/fs/cgroup CPUCG=$CG\n{body}\nlook").stdout.split()
    assert float(words[words.index("softnet.processed") + 1]) >= 0
    assert {"softnet.dropped", "softnet.time_squeeze", "time"} <= set(words)


def test_a_rule_without_a_metric_counts_what_node_problem_detector_saw():
    signature = CATALOG.get("locking/futex-hash-contention")
    (rule,) = yaml.safe_load(EXPORTS["prometheus"].text(signature))["groups"][0]["rules"]
    assert rule["expr"] == 'increase(problem_counter{reason="CasebookLockingFutexHashContention"}[15m]) >= 3'
    files = yaml.safe_load(EXPORTS["node-problem-detector"].text(signature))["data"]
    plugin = json.loads(files["casebook-locking-futex-hash-contention.json"])
    (run,) = plugin["rules"]
    assert run["reason"] == "CasebookLockingFutexHashContention"
    assert run["path"].removeprefix("/config/casebook/") in files
    assert run["args"] == ["check"]


def test_a_message_of_the_kernel_log_is_a_rule_of_its_own():
    files = yaml.safe_load(EXPORTS["node-problem-detector"].text(CATALOG.get("mm/memcg-oom")))["data"]
    (rule,) = json.loads(files["casebook-mm-memcg-oom-log.json"])["rules"]
    log = (LIBRARY / "mm/memcg-oom/evidence/pos-two-victims/dmesg.oom.txt").read_text()
    grep = subprocess.run(
        ["grep", "-cP", rule["pattern"]], input=log, capture_output=True, text=True, check=True
    )
    assert int(grep.stdout) == 2


@cache
def logs():
    """The library's logs with their folders: records, and lines of which some are inside one."""
    found = []
    for path in LIBRARY.glob("*/*/evidence/*/*"):
        if path.suffix in (".txt", ".log"):
            records = [one for part in read_file(path).sections for one in part.reading.log_records]
            lines = path.read_text(errors="replace").splitlines()
            found.append((path.parent.relative_to(LIBRARY), records, lines))
    return found


def test_a_rule_of_the_log_monitor_matches_to_the_end_of_a_line_of_positive_evidence():
    """node-problem-detector matches a pattern to the end of the line; a part of it never counts."""
    silent = []
    for one in STABLE:
        patterns = [re.compile(f"(?:{pattern})\\Z") for pattern in messages_of(one)]
        own = [
            text
            for folder, records, lines in logs()
            if folder.match(f"{one.id}/evidence/pos-*")
            for text in (*(record.message for record in records), *lines)
        ]
        if patterns and not any(pattern.search(text) for pattern in patterns for text in own):
            silent.append(one.id)
    # Its message is a report of the thread xfsaild itself; the positive evidence has those of others.
    assert silent == ["fs/xfs-log-stall"]


@pytest.mark.parametrize("name", [one.id for one in CATALOG.signatures if messages_of(one)])
def test_a_rule_of_the_log_monitor_takes_no_message_that_the_signature_does_not(name):
    """Over all logs of the library: a text without its class would take any wake-up for a stall."""
    wanted = [
        LogSelection(condition.kinds, condition.text, condition.fields)
        for clause in CATALOG.get(name).clauses
        for condition in conditions_of(clause.test)
        if clause.role == "core" and isinstance(condition, LogCondition)
    ]
    patterns = [re.compile(f"(?:{pattern})\\Z") for pattern in messages_of(CATALOG.get(name))]
    others = [
        record.message
        for _, records, _ in logs()
        for record in records
        if not any(selection.among([record]) for selection in wanted)
    ]
    kinds = {kind for selection in wanted for kind in selection.kinds}
    others += [one.sample for name, one in classes_by_name().items() if name not in kinds]
    assert [text for text in others if any(pattern.search(text) for pattern in patterns)] == []


def test_an_export_says_where_its_rule_is_broader_than_the_signature():
    text = EXPORTS["node-problem-detector"].text(CATALOG.get("sched/cpu-stuck"))
    assert "takes a message of any class; the signature, only of rcu_stall." in text
    assert "any class" not in EXPORTS["node-problem-detector"].text(CATALOG.get("mm/memcg-oom"))


def test_alternatives_of_a_message_are_one_group():
    patterns = messages_of(CATALOG.get("hw/clocksource-unstable"))
    line = (
        "clocksource: timekeeping watchdog on CPU1: Marking clocksource 'tsc' as unstable because the skew is"
    )
    assert any(re.search(f"(?:{pattern})\\Z", line) for pattern in patterns)


def test_a_group_at_its_limit_of_tasks_is_shown_by_its_files(tmp_path):
    text = EXPORTS["probe"].text(CATALOG.get("cgroup/pids-limit")).replace("sleep 5", ":")
    assert "PIDSCG=/sys/fs/cgroup/pids/${CG#/sys/fs/cgroup/memory/}" in text
    for current, limit, status in (("60", "60", 1), ("10", "60", 0), ("10", "max", 2)):
        (tmp_path / "pids.current").write_text(f"{current}\n")
        (tmp_path / "pids.max").write_text(f"{limit}\n")
        assert in_sh(f"set -- check\n{text}", CG=tmp_path, OUT=tmp_path / "out").returncode == status


def test_what_no_metric_file_or_stack_shows_is_not_exported():
    signature = CATALOG.get("mm/percpu-rss-drift")
    assert exports_of(signature) == []
    with pytest.raises(NotExportableError, match="single recordings only"):
        EXPORTS["prometheus"].text(signature)
