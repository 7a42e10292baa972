"""Reading evidence in a sandboxed process: result, limits, and crashes."""

from __future__ import annotations

import io
import os
import re
import signal
import tarfile
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from backend.core.settings import Settings
from backend.sandbox import fork_server
from backend.sandbox.runner import SandboxCrashError, SandboxLimits, read_in_sandbox
from ingest.evidence import read_bytes
from ingest.model import reading_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from backend.sandbox.report import ReadEvidence

LIMITS = SandboxLimits(cpu_seconds=60, memory_bytes=1 << 30, output_bytes=1 << 28)
MEMINFO = b"MemTotal:       16303428 kB\nMemFree:          271132 kB\nMemAvailable:    1028512 kB\n"
VMSTAT_LINE = b"kernel: [    1.000000] oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),pid=%d\n"


@pytest.fixture(scope="module", autouse=True)
def _no_process_stays() -> Iterator[None]:
    yield
    fork_server._close()


@pytest.fixture
def output(tmp_path: Path) -> Path:
    directory = tmp_path / "output"
    directory.mkdir()
    return directory


def read(tmp_path: Path, output: Path, content: bytes, **given: object) -> ReadEvidence:
    evidence = tmp_path / "evidence"
    evidence.write_bytes(content)
    arguments = {"limits": LIMITS, "name": "evidence", "captured_path": "proc/meminfo", **given}
    return read_in_sandbox(evidence, output=output, **arguments)  # type: ignore[arg-type]


def signal_readings(number: signal.Signals) -> None:
    [forker] = fork_server._forkers.values()
    pid = forker._process.pid
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        os.kill(int(child), number)


def large(lines: int) -> bytes:
    return b"".join(VMSTAT_LINE % number for number in range(lines))


def test_results_equal_those_without_a_sandbox(tmp_path: Path, output: Path):
    result = read(tmp_path, output, MEMINFO)
    [section] = result.sections
    [direct] = read_bytes(MEMINFO, name="evidence", captured_path="proc/meminfo").sections
    assert (result.state, section.format, section.last_line) == ("read", direct.format, 3)
    kept = reading_folder.load(output / section.folder)
    assert kept.facts == direct.reading.facts
    assert reading_folder.digest(output / section.folder) == section.digest


def test_members_of_an_archive_are_returned(tmp_path: Path, output: Path):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        entry = tarfile.TarInfo("host/proc/meminfo")
        entry.size = len(MEMINFO)
        archive.addfile(entry, io.BytesIO(MEMINFO))
    result = read(tmp_path, output, packed.getvalue(), captured_path="")
    [member] = result.members
    assert (member.captured_path, member.size_bytes) == ("host/proc/meminfo", len(MEMINFO))
    assert reading_folder.load(output / member.sections[0].folder).facts


def test_invalid_input_is_rejected_with_a_reason(tmp_path: Path, output: Path):
    result = read(tmp_path, output, bytes(range(256)) * 100, captured_path="")
    assert result.state == "rejected"
    assert result.reason


def test_too_much_cpu_time_is_rejected(tmp_path: Path, output: Path):
    limits = replace(LIMITS, cpu_seconds=1)
    result = read(tmp_path, output, large(3_000_000), captured_path="", limits=limits)
    assert (result.state, result.reason) == ("rejected", "reading took more than 1 s of processor time")


def test_too_much_wall_time_is_rejected(tmp_path: Path, output: Path):
    limits = replace(LIMITS, wall_seconds=0.3)
    result = read(tmp_path, output, large(3_000_000), captured_path="", limits=limits)
    assert (result.state, result.reason) == ("rejected", "reading took longer than 0.3 s by the clock")


def test_a_reading_that_takes_no_processor_time_hangs(tmp_path: Path, output: Path):
    limits = replace(LIMITS, idle_seconds=0.5)
    stop = partial(signal_readings, signal.SIGSTOP)
    result = read(tmp_path, output, large(1_000_000), captured_path="", limits=limits, check=stop)
    assert result.state == "rejected"
    assert re.fullmatch(
        r"reading hung after \d\.\d\d s of processor time: it took none for 0\.5 s", result.reason
    )


def test_too_much_memory_is_rejected(tmp_path: Path, output: Path):
    limits = replace(LIMITS, memory_bytes=48 << 20)
    result = read(tmp_path, output, large(3_000_000), captured_path="", limits=limits)
    assert (result.state, result.reason) == ("rejected", "reading needs more than 48 MiB of memory")


def test_a_too_large_result_is_rejected(tmp_path: Path, output: Path):
    limits = replace(LIMITS, output_bytes=16)
    result = read(tmp_path, output, MEMINFO, limits=limits)
    assert (result.state, result.reason) == ("rejected", "the result of reading takes more than 0 MiB")


def test_progress_is_reported(tmp_path: Path, output: Path):
    shares: list[float] = []
    lines = b"".join(b"[%5d.000000] usb 1-1: new device\n" % number for number in range(300_000))
    read(tmp_path, output, lines, captured_path="", on_progress=shares.append)
    assert len(shares) > 1
    assert shares == sorted(shares)
    assert 0 < shares[0] <= shares[-1] <= 1


def test_parsing_ends_when_it_is_cancelled(tmp_path: Path, output: Path):
    class UnwantedError(Exception):
        pass

    def check() -> None:
        raise UnwantedError

    began = time.monotonic()
    with pytest.raises(UnwantedError):
        read(tmp_path, output, large(1_000_000), captured_path="", check=check)
    assert time.monotonic() - began < 60


def test_a_crash_is_a_failure_and_the_next_run_succeeds(tmp_path: Path, output: Path):
    crash = partial(signal_readings, signal.SIGSEGV)
    with pytest.raises(SandboxCrashError, match="ended with SIGSEGV"):
        read(tmp_path, output, large(1_000_000), captured_path="", check=crash)
    (tmp_path / "again").mkdir()
    assert read(tmp_path, tmp_path / "again", MEMINFO).state == "read"


def test_the_process_that_forks_is_replaced_when_it_dies(tmp_path: Path, output: Path):
    read(tmp_path, output, MEMINFO)
    [forker] = fork_server._forkers.values()
    os.kill(forker._process.pid, signal.SIGKILL)
    forker._process.wait()
    (tmp_path / "again").mkdir()
    assert read(tmp_path, tmp_path / "again", MEMINFO).state == "read"


def test_heavy_evidence_may_use_more(tmp_path: Path):
    settings = Settings(data_dir=tmp_path)
    light, heavy = (SandboxLimits.of(settings, is_heavy=is_heavy) for is_heavy in (False, True))
    assert (light.cpu_seconds, heavy.cpu_seconds) == (60, 900)
    assert light.memory_bytes < heavy.memory_bytes
