"""The collector runs in every shell, and its text is read as captured paths."""

from __future__ import annotations

import gzip
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ingest import collect
from ingest.evidence import read_file
from tests.ingest.collect.conftest import IS_ROOT, PROMISED_SECONDS, SCRIPT, Run, run

if TYPE_CHECKING:
    from collections.abc import Iterator

SHELLS = ("dash", "busybox ash", "bash")
NOBODY = 65534
MAX_BYTES = 50_000_000
CAPPED_BYTES = 115_000
"""What the collector keeps for its own last words, and a little."""


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return run(tmp_path_factory.mktemp("collect") / "full.txt")


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_understands_every_line(shell):
    if shutil.which(shell.split()[0]) is None:
        pytest.skip(f"{shell} is not installed")
    command = [*shell.split(), "-n", str(SCRIPT)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stderr == ""


@pytest.fixture(scope="module")
def capped(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Return a run as a user that may take a thousandth of what others may."""
    folder = tmp_path_factory.mktemp("capped")
    script = folder / collect.NAME
    script.write_text(SCRIPT.read_text().replace("max_bytes=50000000", f"max_bytes={CAPPED_BYTES}"))
    return run(folder / "capped.txt", "--user", "--grab", script=script)


def hidden(program: str) -> tuple[str, ...]:
    """Return the start of a command for which `program` is not there."""
    return (
        "unshare",
        "-m",
        "sh",
        "-c",
        'mount --bind /dev/null "$0" && exec "$@"',
        shutil.which(program) or "",
    )


@pytest.mark.parametrize(("shell", "within"), [("busybox ash", ()), ("bash", hidden("dmesg"))])
def test_every_shell_collects_volatile_state_with_or_without_dmesg(shell, within, tmp_path):
    if shutil.which(shell.split()[0]) is None or (within and not IS_ROOT):
        pytest.skip(f"{shell} is not installed, or dmesg cannot be hidden")
    grabbed = run(tmp_path / "grab.txt", "--grab", shell=shell, within=within)
    commands = {section.command for section in grabbed.evidence.sections}
    log = "cat /dev/kmsg" if within else "dmesg -r"
    assert commands & {log, f"{log} | tail -n 2000"}
    assert any(
        record.level is not None
        for section in grabbed.evidence.sections
        for record in section.reading.log_records
    )
    assert "kernel-log" in grabbed.formats
    assert grabbed.value("collector.mode") == "grab"
    assert {"host-text", "proc-status", "proc-pid-wchan", "collector"} <= grabbed.formats
    assert not grabbed.facts("vmstat.pgfault"), "counters are not perishable"
    assert "restart" in grabbed.stderr


@pytest.mark.skipif(not IS_ROOT or not shutil.which("dmesg"), reason="needs root and dmesg")
def test_a_long_kernel_log_is_its_beginning_its_end_and_the_number_of_lines_between(tmp_path):
    script = tmp_path / collect.NAME
    text = SCRIPT.read_text().replace("log_head=500", "log_head=3").replace("log_tail=2000", "log_tail=5")
    script.write_text(text)
    cut = run(tmp_path / "cut.txt", "--grab", script=script)
    lines = {
        one.command: one.last_line - one.first_line for one in cut.evidence.sections if "dmesg" in one.command
    }
    assert lines == {"dmesg -r | head -n 3": 3, "dmesg -r | tail -n 5": 5}
    (skipped,) = [fact for fact in cut.facts("collector.skipped") if "dmesg" in fact.labels["what"]]
    assert skipped.value == "the first 3 and the last 5 are collected"


def test_it_is_read_as_captured_files_of_this_host_this_boot_and_this_moment(full):
    assert full.value("host.name") == Path("/proc/sys/kernel/hostname").read_text().strip()
    assert full.value("host.boot_id") == Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    assert full.value("kernel.release") == os.uname().release
    assert str(full.value("capture.date_text")).startswith("20")
    paths = {section.path for section in full.evidence.sections}
    assert {"/proc/vmstat", "/proc/loadavg", "/etc/os-release"} <= paths


def test_counters_are_sampled_twice(full):
    assert [fact.snapshot for fact in full.facts("vmstat.pgfault")] == [0, 1]


def test_everything_is_read_except_steps_that_timed_out(full):
    ended = {str(what) for fact in full.facts("collector.timeout") for what in fact.labels.values()}
    unread = [section for section in full.evidence.sections if section.format == "text"]
    names = [section.path or section.command for section in unread]
    assert [
        name
        for name in names
        if name not in ended and name.split()[0] not in ended and not _is_of_one_that_ended(name)
    ] == []


def _is_of_one_that_ended(command: str) -> bool:
    """Whether a command measured a process that has ended: the busiest one may end before it begins."""
    found = re.search(r" -p (\d+)\b", command)
    return found is not None and not Path("/proc", found[1]).exists()


@pytest.mark.skipif(not IS_ROOT or not shutil.which("bpftrace"), reason="needs root and bpftrace")
def test_reclaim_time_of_the_suspect_is_measured_or_reported_as_skipped(full):
    measured = [one for one in full.evidence.sections if one.command.startswith("bpftrace")]
    messages = {
        str(what)
        for name in ("skipped", "timeout")
        for f in full.facts(f"collector.{name}")
        for what in f.labels.values()
    }
    assert [one.format for one in measured] == ["bpftrace-text"] or any(
        "bpftrace" in what for what in messages
    )


def test_a_command_that_prints_nothing_or_fails_halfway_is_reported(tmp_path):
    for name, script in {
        "bpftrace": "exit 0",
        "nproc": "echo 4; echo 'no such CPU' >&2; exit 3",
    }.items():
        command = tmp_path / name
        command.write_text(f"#!/bin/sh\n{script}\n")
        command.chmod(0o755)
    found = run(tmp_path / "silent.txt", within=("env", f"PATH={tmp_path}:{os.environ['PATH']}"))
    reasons = {
        str(fact.labels["what"]).split(" -e")[0]: fact.value for fact in found.facts("collector.skipped")
    }
    if IS_ROOT:
        assert reasons["bpftrace"] == "it printed nothing"
    assert reasons["the rest of nproc"] == "status 3, no such CPU"
    assert found.facts("cpu.online")


def test_output_beyond_the_size_limit_is_omitted_and_reported(capped):
    assert capped.text.stat().st_size <= CAPPED_BYTES
    assert {fact.labels["what"] for fact in capped.facts("collector.skipped")} >= {"the rest"}
    assert capped.facts("collector.ended_uptime_seconds")


def test_it_stays_within_its_time_and_size_limits(full):
    assert full.seconds <= PROMISED_SECONDS
    assert full.text.stat().st_size <= MAX_BYTES


def test_it_lists_the_outputs_and_their_path_before_sending(full):
    assert "outputs of" in full.stderr
    assert f"the text is in {full.text}" in full.stderr
    assert full.text.stat().st_mode & 0o077 == 0


def test_it_leaves_no_file_but_its_output(full):
    (named,) = re.findall(r"collecting for at most \d+ s into (\S+)", full.stderr)
    assert not Path(named).parent.exists()


@pytest.mark.parametrize("share", [0.02, 0.31, 0.5, 0.77, 0.999])
def test_an_interrupted_run_is_read_up_to_its_end(full, share, tmp_path):
    whole = full.text.read_bytes()
    cut = tmp_path / "cut.txt"
    cut.write_bytes(whole[: int(len(whole) * share)])
    read = read_file(cut)
    earlier = [(s.format, s.path, s.first_line) for s in read.sections][:-1]
    assert earlier == [(s.format, s.path, s.first_line) for s in full.evidence.sections][: len(earlier)]
    assert earlier
    names = {fact.name for section in read.sections for fact in section.reading.facts}
    assert "collector.ended_uptime_seconds" not in names


def test_a_compressed_text_reads_the_same(full, tmp_path):
    packed = tmp_path / "full.txt.gz"
    packed.write_bytes(gzip.compress(full.text.read_bytes()))
    assert len(read_file(packed).sections) == len(full.evidence.sections)


@pytest.fixture
def public() -> Iterator[Path]:
    """Return a copy of the script in a folder that everybody may use."""
    folder = Path("/tmp") / f"casebook-test-{os.getpid()}"  # noqa: S108 - pytest's own folders are private
    folder.mkdir()
    folder.chmod(0o777)
    shutil.copy(SCRIPT, folder / collect.NAME)
    yield folder
    shutil.rmtree(folder)


def as_nobody(folder: Path, *options: str) -> Run:
    def drop() -> None:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)

    text = folder / "user.txt"
    command = [
        "dash",
        str(folder / collect.NAME),
        "--no-send",
        "--seconds",
        "1",
        "--out",
        str(text),
        *options,
    ]
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=200,
        check=True,
        preexec_fn=drop if IS_ROOT else None,
    )
    return Run(done, text)


def test_without_root_it_collects_what_it_can_and_reports_the_rest(public):
    done = as_nobody(public)
    assert done.value("collector.is_root") is False
    assert done.facts("host.boot_id")
    skipped = {fact.labels["what"]: fact.value for fact in done.facts("collector.skipped")}
    assert skipped["perf"] == "needs root"
    assert "needs root" in done.stderr


def test_as_a_user_it_takes_nothing_that_needs_root_even_as_root(capped):
    assert capped.value("collector.is_root") is False
    assert not [section for section in capped.evidence.sections if section.path.endswith("/stack")]


@pytest.mark.skipif(not IS_ROOT, reason="needs root")
def test_from_a_container_it_collects_from_the_node_around_it(tmp_path):
    """The node is a separate pid namespace; the test enters its process 1."""
    options = f"--node --grab --seconds 1 --no-send --out {tmp_path}/node.txt"
    pod = f"hostname inside && exec dash {SCRIPT} {options}"
    node = f"hostname node-7 && unshare --mount --uts --net dash -c '{pod}'; exit $?"
    subprocess.run(
        ["unshare", "--pid", "--fork", "--mount-proc", "--uts", "dash", "-c", node],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=200,
        check=True,
    )
    names = {
        fact.value
        for section in read_file(tmp_path / "node.txt").sections
        for fact in section.reading.facts
        if fact.name == "host.name"
    }
    assert names == {"node-7"}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--pid", "x"], "--pid needs a number, not 'x'"),
        (["--pid", "4194305"], "there is no process 4194305"),
        (["--seconds", "11"], "--seconds is 1 to 10"),
        (["--cgroup"], "--cgroup needs a value"),
        (["--all"], "there is no option --all"),
        (["--token-file", "/nowhere"], "cannot read a token from /nowhere"),
    ],
)
def test_impossible_options_are_rejected_before_reading(options, sentence):
    done = subprocess.run(["dash", str(SCRIPT), *options], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert done.stdout == ""


def test_help_names_every_option():
    done = subprocess.run(["dash", str(SCRIPT), "--help"], capture_output=True, text=True, check=True)
    for option in ("--user", "--node", "--grab", "--help", "--pid", "--cgroup", "--to", "--no-send"):
        assert option in done.stdout


def test_an_address_cannot_break_out_of_its_string(tmp_path):
    bound = collect.script(server="https://a'; touch broken #", token="cbk_c_x")
    script = tmp_path / "bound.sh"
    script.write_text(bound.replace('main "$@"', 'printf %s "$server"'))
    done = subprocess.run(["dash", str(script)], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout == "https://a'; touch broken #"
    assert not (tmp_path / "broken").exists()
