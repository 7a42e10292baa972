"""How long a paste waits while sosreports are read: `python -m benchmarks.queues` writes QUEUES.md.

A throw-away instance reads ten archives, each a case of its own, in its heavy queue; every paste makes a case
too. The time of a paste runs from sending it to the answer that its case is judged.
"""

from __future__ import annotations

import os
import platform
import random
import statistics
import tarfile
import tempfile
import time
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from backend.cli.instance import throw_away
from backend.client import Client

if TYPE_CHECKING:
    from collections.abc import Callable

RESULTS = Path(__file__).with_name("QUEUES.md")
REPORTS = 10
LOG_BYTES = 32 << 20
PASTES = 30
GOAL_SECONDS = 2.0
POLL_SECONDS = 0.02
PASTE = "$ cat /proc/loadavg\n0.10 0.20 0.30 1/200 {}\n"
CAPTURED = ("meminfo", "vmstat", "loadavg", "cpuinfo", "interrupts", "softirqs")


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
    once = "".join(lines).encode()
    return once * (LOG_BYTES // len(once))


def paste_seconds(casebook: Client, number: int) -> float:
    """Return how long one paste takes, sent to judged."""
    began = time.monotonic()
    case = casebook.paste(PASTE.format(number)).case
    while not casebook.case(case.id).judged:
        time.sleep(POLL_SECONDS)
    return time.monotonic() - began


def heavy_left(casebook: Client) -> int:
    """Return how many jobs of the heavy queue wait or run."""
    return sum(queue.queued + queue.running for queue in casebook.status().queues if queue.name == "heavy")


def row(what: str, seconds: list[float]) -> str:
    """Return a line of the table."""
    ordered = sorted(seconds)
    p95 = ordered[max(0, round(0.95 * len(ordered)) - 1)]
    return f"| {what} | {len(ordered)} | {statistics.median(ordered):.2f} | {p95:.2f} | {ordered[-1]:.2f} |"


def main(say: Callable[[str], None]) -> None:
    """Measure and write."""
    loads = [os.getloadavg()[0]]
    with tempfile.TemporaryDirectory() as scratch, throw_away(say=say) as instance:
        reports = [Path(scratch, f"sosreport-db{number}.tar.gz") for number in range(REPORTS)]
        for number, report in enumerate(reports):
            sosreport(report, number)
        with Client(instance.url, token=instance.create_token("bench")) as casebook:
            alone = [paste_seconds(casebook, number) for number in range(PASTES)]
            for report in reports:
                casebook.put_file(report)
            began = time.monotonic()
            behind: list[float] = []
            while heavy_left(casebook) and len(behind) < PASTES:
                behind.append(paste_seconds(casebook, len(behind)))
            lasted = time.monotonic() - began
    loads.append(os.getloadavg()[0])
    ordered = sorted(behind)
    p95 = ordered[max(0, round(0.95 * len(ordered)) - 1)]
    verdict = "met" if p95 <= GOAL_SECONDS else "missed"
    size = LOG_BYTES * REPORTS >> 20
    RESULTS.write_text(
        f"""# A paste behind ten sosreports

{datetime.now(UTC):%Y-%m-%d}, {platform.machine()}, {os.cpu_count()} CPUs, Python {platform.python_version()}.
Load {loads[0]:.1f} at the start, {loads[1]:.1f} at the end. Measured by `python -m benchmarks.queues`.

Ten archives with {size:,} MiB of logs wait for the heavy worker; for {lasted:.0f} s one paste
after the other makes a case. Seconds from sending a paste to the answer that its case is judged.

| pastes | number | median | p95 | longest |
| --- | --- | --- | --- | --- |
{row("nothing else to do", alone)}
{row("behind ten sosreports", behind)}

Wanted: p95 of at most {GOAL_SECONDS:.0f} s behind the sosreports: {verdict}. Other programs' load counts in
both rows: what the sosreports add is the difference.
""",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main(print)
