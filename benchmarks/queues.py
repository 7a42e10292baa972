"""How long a paste waits behind another sender's files: `python -m benchmarks.queues` writes QUEUES.md.

One account sends 100 files that each keep the reader busy for far longer than the light queue allows, and 20
large archives. Meanwhile another account pastes, then a guest. Every paste makes a case; its time runs from
sending it to the answer that its case is judged.

    python -m benchmarks.queues --rows before.json      measure another version, run from its directory
    python -m benchmarks.queues --before before.json    measure this one, and write both
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import platform
import random
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx

from backend.client import Client
from cli.service.instance import throw_away

if TYPE_CHECKING:
    from collections.abc import Callable

    from cli.service.instance import Instance

RESULTS = Path(__file__).with_name("QUEUES.md")
REPORTS = 20
LOG_BYTES = 32 << 20
SLOW_FILES = 100
SLOW_LINES = 250_000
"""Some 25 s of processor time, in 2 MB."""
PASTES = 30
GUEST_PASTES = 10
GOAL_SECONDS = 2.0
PATIENCE_SECONDS = 120.0
MAX_MISSED = 2
POLL_SECONDS = 0.02
PASTE = "$ cat /proc/loadavg\n0.10 0.20 0.30 1/200 {}\n"
CAPTURED = ("meminfo", "vmstat", "loadavg", "cpuinfo", "interrupts", "softirqs")
VMSTAT_HEAD = (
    "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----\n"
    " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st\n"
)
VMSTAT_ROW = " 1  0      0 {:7} 123456 789012    0    0     5    10  100  200  5  1 94  0  0\n"
SETTINGS = {"CASEBOOK_GUEST_PASTE": "true", "CASEBOOK_GUEST_SENDS_PER_MINUTE": "0"}


def slow_files(directory: Path) -> list[Path]:
    """Write samples of vmstat, none like another, and return their paths."""
    rows = "".join(VMSTAT_ROW.format(number % 9_000_000) for number in range(SLOW_LINES))
    body = gzip.compress(rows.encode(), 1)
    paths = []
    for number in range(SLOW_FILES):
        first = gzip.compress((VMSTAT_HEAD + VMSTAT_ROW.format(number)).encode())
        paths.append(directory / f"vmstat-{number}.txt.gz")
        paths[-1].write_bytes(first + body)
    return paths


def sosreport(path: Path, number: int) -> None:
    """Write an archive laid out as sos does: this machine's /proc, and a kernel log as long as a bad week."""
    root = f"sosreport-db{number}-2026-11-21"
    with tarfile.open(path, "w:gz", compresslevel=1) as archive:
        for name in CAPTURED:
            _add(archive, f"{root}/proc/{name}", Path("/proc", name).read_bytes())
        _add(archive, f"{root}/var/log/kern.log", _kernel_log(random.Random(number)))  # noqa: S311 - a log


def _add(archive: tarfile.TarFile, name: str, content: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size = len(content)
    archive.addfile(member, BytesIO(content))


def _kernel_log(chance: random.Random) -> bytes:
    lines = [
        f"Nov 21 01:{at // 60 % 60:02}:{at % 60:02} db7 kernel: [{at}.{chance.getrandbits(20):07}] "
        f"audit: type=1400 pid={chance.getrandbits(16)} key={chance.getrandbits(160):040x}\n"
        for at in range(200_000)
    ]
    block = "".join(lines).encode()
    return block * (LOG_BYTES // len(block))


def paste_seconds(casebook: Client, number: int) -> float:
    """Return how long one paste takes, sent to judged; `PATIENCE_SECONDS` when it takes longer."""
    began = time.monotonic()
    case = casebook.paste(PASTE.format(number)).case
    while not casebook.case(case.id).judged:
        if time.monotonic() - began > PATIENCE_SECONDS:
            return PATIENCE_SECONDS
        time.sleep(POLL_SECONDS)
    return time.monotonic() - began


def guest_paste_seconds(url: str, number: int) -> float:
    """Return how long one paste of a browser that has not signed in takes."""
    with httpx.Client(base_url=f"{url}/api/v1", timeout=60) as browser:
        began = time.monotonic()
        sent = browser.post("/guest/paste", json={"text": PASTE.format(number)}).raise_for_status().json()
        while not browser.get(f"/cases/{sent['number']}").raise_for_status().json()["judged"]:
            if time.monotonic() - began > PATIENCE_SECONDS:
                return PATIENCE_SECONDS
            time.sleep(POLL_SECONDS)
        return time.monotonic() - began


def measured(paste: Callable[[int], float], count: int) -> list[float]:
    """Return the seconds of `count` pastes, of fewer when they are not judged in time."""
    seconds: list[float] = []
    while len(seconds) < count and sum(one >= PATIENCE_SECONDS for one in seconds) < MAX_MISSED:
        seconds.append(paste(len(seconds)))
    return seconds


def open_jobs(casebook: Client) -> int:
    """Return how many jobs wait or run."""
    return sum(queue.queued + queue.running for queue in casebook.status().queues)


def token_of_another(instance: Instance) -> str:
    """Return a token of an account that is not the one of the files."""
    words = ["token", "create", "--name", "other", "--service", "responder"]
    command = [sys.executable, "-m", "cli", *words, "--data-dir", str(instance.data_dir)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def row(what: str, seconds: list[float]) -> str:
    """Return a line of the table."""
    ordered = sorted(seconds)
    cells = [statistics.median(ordered), p95(ordered), ordered[-1]]
    text = [f"> {cell:.0f}" if cell >= PATIENCE_SECONDS else f"{cell:.2f}" for cell in cells]
    return f"| {what} | {len(ordered)} | {' | '.join(text)} |"


def p95(seconds: list[float]) -> float:
    """Return the 95th percentile."""
    ordered = sorted(seconds)
    return ordered[max(0, round(0.95 * len(ordered)) - 1)]


def measure(say: Callable[[str], None]) -> dict[str, Any]:
    """Return the seconds of all pastes, and what else the machine did."""
    loads = [os.getloadavg()[0]]
    with tempfile.TemporaryDirectory() as scratch, throw_away(say=say, settings=SETTINGS) as instance:
        files = slow_files(Path(scratch))
        for number in range(REPORTS):
            files.append(Path(scratch, f"sosreport-db{number}.tar.gz"))
            sosreport(files[-1], number)
        sender = Client(instance.url, token=instance.create_token("bench"))
        other = Client(instance.url, token=token_of_another(instance))
        with sender, other:
            alone = measured(lambda number: paste_seconds(other, number), PASTES)
            for file in files:
                sender.put_file(file)
            waiting = open_jobs(sender)
            say(f"{waiting} jobs wait")
            began = time.monotonic()
            behind = measured(lambda number: paste_seconds(other, number), PASTES)
            guests = measured(lambda number: guest_paste_seconds(instance.url, number), GUEST_PASTES)
            lasted = time.monotonic() - began
            remaining = open_jobs(sender)
    loads.append(os.getloadavg()[0])
    rows = {"alone": alone, "behind": behind, "guests": guests}
    return rows | {"loads": loads, "lasted": lasted, "waiting": waiting, "remaining": remaining}


def table(after: dict[str, Any], before: dict[str, Any] | None) -> str:
    """Return the lines of the table."""
    names = {
        "alone": "an account, nothing else to do",
        "behind": "an account, behind the files of another",
        "guests": "a guest, behind the files of an account",
    }
    versions = [("", after)] if before is None else [("before: ", before), ("now: ", after)]
    return "\n".join(
        row(version + text, rows[name]) for name, text in names.items() for version, rows in versions
    )


def write(after: dict[str, Any], before: dict[str, Any] | None) -> None:
    """Write the results."""
    loads, jobs = after["loads"], (after["waiting"], after["remaining"])
    verdict = "met" if p95(after["behind"]) <= GOAL_SECONDS else "missed"
    RESULTS.write_text(
        f"""# A paste behind the files of another sender

{datetime.now(UTC):%Y-%m-%d}, {platform.machine()}, {os.cpu_count()} CPUs, Python {platform.python_version()}.
Load {loads[0]:.1f} at the start, {loads[1]:.1f} at the end. Measured by `make bench-queues`.

One account has sent {SLOW_FILES} samples of vmstat with {SLOW_LINES:,} lines, which take some 25 s of
processor time each and are below the limit of the light queue, and {REPORTS} archives with
{LOG_BYTES * REPORTS >> 20:,} MiB of logs. {jobs[0]} jobs were open before the first paste, {jobs[1]} after
the last, {after["lasted"]:.0f} s later. Seconds from sending a paste to the answer that its case is judged;
one is given up after {PATIENCE_SECONDS:.0f} s; after {MAX_MISSED} of them no more are sent.

| pastes of | number | median | p95 | longest |
| --- | --- | --- | --- | --- |
{table(after, before)}

Wanted: p95 of at most {GOAL_SECONDS:.0f} s for an account behind the files: {verdict}. Other programs' load
counts in all rows: what the files add is the difference to the first.
""",
        encoding="utf-8",
    )


def main(say: Callable[[str], None]) -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description="Measure pastes behind the files of another sender.")
    parser.add_argument("--rows", type=Path, help="write what is measured there, and no results")
    parser.add_argument("--before", type=Path, help="rows of another version, to be shown beside")
    chosen = parser.parse_args()
    rows = measure(say)
    if chosen.rows:
        chosen.rows.write_text(json.dumps(rows), encoding="utf-8")
        return
    write(rows, json.loads(chosen.before.read_text(encoding="utf-8")) if chosen.before else None)


if __name__ == "__main__":
    main(print)
