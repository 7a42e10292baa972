"""CPU time of one paste and of a folder: `python -m benchmarks.paste_cost` writes PASTE.md.

A throw-away instance takes 40 pastes of 20 KB of a recorded perf script, no two alike, then a folder of 123
files from the recorded sample case and the recorded files of a machine, once in one multipart request, as
the browser sends a folder, and once by `casebook upload`, and 500 copies of its small files by the latter.
The CPU time is that of every process of a group, those that ended included; background work of the idle
service within the measured time counts too.

    --folder DIR    another folder
    --json FILE     writes the figures to FILE instead of PASTE.md
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backend.client import Client
from benchmarks.sent_files import MANY_FILES, folder_of, many_files, pastes
from cli.service.instance import throw_away

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from uuid import UUID

    from cli.service.instance import Instance

HERE = Path(__file__).parent
RESULTS = HERE / "PASTE.md"
BEFORE = HERE / "paste_before.json"
WARM_UP = 5
PASTES = 40
GOAL_PASTE_MS = 90
GOAL_FOLDER_SECONDS = 10.0
GOAL_MANY_SECONDS = 15.0
WARM_SECONDS = 5.0
"""Workers read known texts while nobody asks; a service is seldom measured in its first second."""
POLL_SECONDS = 0.25
PASTES_POLL_SECONDS = 2.0
"""Asking counts as CPU time of the API: seldom enough that it does not show in a paste."""
GROUPS = ("API", "workers", "sandbox", "PostgreSQL", "Valkey", "other")
UNCOUNTED = dict.fromkeys(
    (
        "CASEBOOK_REQUESTS_PER_MINUTE",
        "CASEBOOK_SENDS_PER_MINUTE",
        "CASEBOOK_STRANGERS_PER_MINUTE",
        "CASEBOOK_GUEST_SENDS_PER_MINUTE",
    ),
    "0",
)
TICKS = os.sysconf("SC_CLK_TCK")


def cpu_ms(instance: Instance) -> dict[str, float]:
    """Return the CPU milliseconds of each group since the instance started."""
    total = dict.fromkeys(GROUPS, 0.0)
    processes = dict(_processes())
    children: dict[int, list[int]] = {}
    for pid, (parent, _) in processes.items():
        children.setdefault(parent, []).append(pid)

    def add(pid: int, group: str) -> None:
        if pid in processes:
            total[group] += processes[pid][1]
            for child in children.get(pid, []):
                # What a worker starts is the process that forks the sandboxes, which reaps them.
                add(child, "sandbox" if group == "workers" else group)

    for name, pid in instance.pids().items():
        add(pid, _group(name))
    return total


def _processes() -> Iterator[tuple[int, tuple[int, float]]]:
    """Return parent and CPU milliseconds, of ended and reaped children too, of every process."""
    for directory in Path("/proc").iterdir():
        if not directory.name.isdecimal():
            continue
        try:
            fields = (directory / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2]
        except OSError:
            continue
        values = fields.split()
        yield int(directory.name), (int(values[1]), sum(map(int, values[11:15])) * 1000 / TICKS)


def _group(name: str) -> str:
    for start, group in (
        ("api", "API"),
        ("worker", "workers"),
        ("postgres", "PostgreSQL"),
        ("valkey", "Valkey"),
    ):
        if name.startswith(start):
            return group
    return "other"


def used(before: dict[str, float], after: dict[str, float], count: int = 1) -> dict[str, float]:
    """Return the CPU milliseconds between two looks, for each of `count` things."""
    return {group: (after[group] - before[group]) / count for group in GROUPS}


def wait(casebook: Client, cases: list[UUID], poll_seconds: float = POLL_SECONDS) -> None:
    """Return once every case is judged."""
    for case in reversed(cases):
        while not casebook.case(case).judged:
            time.sleep(poll_seconds)


def settle(casebook: Client, poll_seconds: float = POLL_SECONDS) -> None:
    """Return once no job waits or runs."""
    while sum(queue.queued + queue.running for queue in casebook.status().queues):
        time.sleep(poll_seconds)


def measure_pastes(instance: Instance, casebook: Client) -> dict[str, Any]:
    """Return the CPU time of a paste, by group, and the jobs that it takes."""
    texts = pastes()
    wait(casebook, [casebook.paste(next(texts)).case.id for _ in range(WARM_UP)])
    settle(casebook)
    time.sleep(WARM_SECONDS)
    before, began = cpu_ms(instance), time.monotonic()
    cases = [casebook.paste(next(texts)).case.id for _ in range(PASTES)]
    settle(casebook, PASTES_POLL_SECONDS)
    lasted = time.monotonic() - began
    cost = used(before, cpu_ms(instance), PASTES)
    return {"cpu_ms": cost, "wall_s": lasted / PASTES, "jobs": len(casebook.jobs(cases[-1]))}


def measure_folder(instance: Instance, casebook: Client, send: Callable[[], UUID]) -> dict[str, Any]:
    """Return time from the first byte to the judgement, CPU time and number of jobs of one folder."""
    settle(casebook)
    before, began = cpu_ms(instance), time.monotonic()
    case = send()
    wait(casebook, [case])
    judged = time.monotonic() - began
    settle(casebook)
    cost = used(before, cpu_ms(instance))
    return {
        "cpu_ms": cost,
        "judged_s": judged,
        "files": sum(one.parent_id is None for one in casebook.evidence(case)),
        "jobs": len(casebook.jobs(case)),
    }


def upload(instance: Instance, casebook: Client, token: str, folder: Path) -> UUID:
    """Send `folder` by `casebook upload` and return its case."""
    case = casebook.create_case("by casebook upload").id
    words = ["upload", str(folder), "--case", str(case), "--url", instance.url, "--token", token]
    command = [sys.executable, "-m", "cli", *words]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return case


def measure(folder: Path | None, say: Callable[[str], None]) -> dict[str, Any]:
    """Return every figure."""
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as scratch, throw_away(say=say, settings=UNCOUNTED) as instance:
        root, many = Path(scratch, "folder"), Path(scratch, "many")
        folder_of(folder, root)
        many_files(root, many)
        files = [
            (f"{root.name}/{path.relative_to(root).as_posix()}", path) for path in sorted(root.rglob("*"))
        ]
        files = [(name, path) for name, path in files if path.is_file()]
        token = instance.create_token("bench")
        with Client(instance.url, token=token, timeout_seconds=300) as casebook:
            paste = measure_pastes(instance, casebook)
            multipart = measure_folder(instance, casebook, lambda: casebook.post_files(files).case.id)
            pieces = measure_folder(instance, casebook, lambda: upload(instance, casebook, token, root))
            small = measure_folder(instance, casebook, lambda: upload(instance, casebook, token, many))
    return {
        "load": [load, os.getloadavg()[0]],
        "paste": paste,
        "multipart": multipart,
        "upload": pieces,
        "many": small,
    }


def cost_row(what: str, cost: dict[str, float]) -> str:
    """Return a line of the table of CPU times."""
    columns = " | ".join(f"{cost[group]:.0f}" for group in GROUPS)
    return f"| {what} | {columns} | {sum(cost.values()):.0f} |"


def document(before: dict[str, Any], now: dict[str, Any]) -> str:
    """Return PASTE.md."""
    total = sum(now["paste"]["cpu_ms"].values())
    slowest = max(now["multipart"]["judged_s"], now["upload"]["judged_s"])
    head = " | ".join(GROUPS)
    costs = "\n".join(
        cost_row(f"{what}, {when}", figures[key]["cpu_ms"])
        for what, key in (
            ("paste", "paste"),
            ("folder, multipart", "multipart"),
            ("folder, upload", "upload"),
        )
        for when, figures in (("before", before), ("now", now))
    )
    costs += f"\n{cost_row(f'{MANY_FILES} small files, upload, now', now['many']['cpu_ms'])}"
    folders = "\n".join(
        f"| {what}, {when} | {figures[key]['files']} | {figures[key]['judged_s']:.1f} "
        f"| {figures[key]['jobs']} |"
        for what, key in (("multipart", "multipart"), ("`casebook upload`", "upload"))
        for when, figures in (("before", before), ("now", now))
    )
    many = now["many"]
    folders += f"\n| `casebook upload`, now | {many['files']} | {many['judged_s']:.1f} | {many['jobs']} |"
    return f"""# CPU time of a paste and of a folder

{datetime.now(UTC):%Y-%m-%d}, {platform.machine()}, {os.cpu_count()} CPUs, Python {platform.python_version()}.
Load average {now["load"][0]:.1f} at the start, {now["load"][1]:.1f} at the end; before,
{before["load"][0]:.1f} and {before["load"][1]:.1f}. Measured by `make bench-paste`.
"Before" is one job for each file, without what a case shows since: its overview, its index, earlier cases.

CPU milliseconds of one paste of 20 KB (mean of {PASTES}), and of a whole folder:

| | {head} | total |
| --- | {" | ".join("---" for _ in GROUPS)} | --- |
{costs}

Seconds from the first byte to the judgement of the folder; other programs' load counts in them:

| | files | seconds | jobs |
| --- | --- | --- | --- |
{folders}

Jobs of a paste: {before["paste"]["jobs"]} before, {now["paste"]["jobs"]} now.

Goals

A paste, at most {GOAL_PASTE_MS} CPU ms: {"met" if total <= GOAL_PASTE_MS else "missed"}.
A folder, at most {GOAL_FOLDER_SECONDS:.0f} s: {"met" if slowest <= GOAL_FOLDER_SECONDS else "missed"}.
{MANY_FILES} small files, at most {GOAL_MANY_SECONDS:.0f} s: \
{"met" if many["judged_s"] <= GOAL_MANY_SECONDS else "missed"}.

What limits a paste: its two forks, one to read and one to index and judge (ADR 58), a third of the latter for
pages that it copies, and about 80 statements of API and worker, 0.5 CPU ms each in SQLAlchemy. A third of
these write the rows by which cases are found, compared and counted.
A job of more than a quarter of a second also opens the connection that renews its lease, 8 ms of PostgreSQL.
In turn with the version before, of 130 statements, which compressed the dictionary of findings for each
paste, 30 pastes each at a load of 4 to 5: 278 and 273 instead of 298 and 300 CPU ms, of which the sandbox
took 112 and 106, 105 and 111.
"""


def main(arguments: list[str]) -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.paste_cost")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--json", type=Path, dest="figures")
    options = parser.parse_args(arguments)
    now = measure(options.folder, print)
    if options.figures is not None:
        options.figures.write_text(json.dumps(now, indent=1) + "\n", encoding="utf-8")
        return
    RESULTS.write_text(document(json.loads(BEFORE.read_text(encoding="utf-8")), now), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
