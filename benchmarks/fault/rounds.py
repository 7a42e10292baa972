"""One round: send a file and a paste, kill at a random point, wait until all is settled, compare."""

from __future__ import annotations

import hashlib
import os
import random
import signal
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from benchmarks.fault import processes
from benchmarks.fault.parts import PROCESSES, SETTLE_SECONDS, Outcome, Round
from benchmarks.fault.sender import GaveUpError, Sender

if TYPE_CHECKING:
    from cli.service.instance import Instance

Strike: TypeAlias = Callable[[], None]

SAMPLES = 12_000
ORPHAN_SECONDS = 5.0
PATIENCE_SECONDS = SETTLE_SECONDS * 2
LONGEST_SECONDS = {"read": 1.5, "judge": 0.4}
"""The kill comes at most so late in reading and judging."""


def evidence_of(name: str) -> bytes:
    """Return a perf script that no other round has."""
    stack = "\n".join(
        f"\tffffffff81{at:06x} {frame}+0x10 ([kernel.kallsyms])" for at, frame in enumerate(FRAMES)
    )
    head = name.replace(":", "-")[:15]
    return "".join(
        f"{head} 4711 [{at % 8:03d}] {100 + at / 1000:.6f}:   10101010 cpu-clock: \n{stack}\n\n"
        for at in range(SAMPLES)
    ).encode()


FRAMES = (
    "shrink_folio_list",
    "shrink_lruvec",
    "shrink_node",
    "do_try_to_free_pages",
    "try_to_free_mem_cgroup_pages",
    "try_charge_memcg",
    "filemap_fault",
    "do_fault",
    "handle_mm_fault",
    "exc_page_fault",
)


def kill(instance: Instance, component: str) -> None:
    """Kill the processes of a component and their children with SIGKILL, waiting until it runs."""
    if component == "template":
        os.kill(processes.parent_of(instance.pids()["api"]), signal.SIGKILL)
        return
    for name in PROCESSES[component]:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                os.killpg(instance.pids()[name], signal.SIGKILL)
            except ProcessLookupError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.2)
            else:
                break


def run(instance: Instance, token: str, one: Round, seed: int, strike: Strike) -> Outcome:
    """Run one round; `strike` injects the fault."""
    chance = random.Random(one.seed(seed))  # noqa: S311 - repeatable on purpose
    content = evidence_of(one.seed(seed))
    sender = Sender(instance.url, token, content, patience_seconds=PATIENCE_SECONDS)
    struck = 0.0

    def harm() -> None:
        nonlocal struck
        struck = time.monotonic()
        strike()

    def before_piece(offset: int) -> None:
        if one.moment == "upload" and not struck and offset >= at_byte:
            harm()

    at_byte = chance.randrange(len(content))
    try:
        case = sender.ask("POST", "/cases", json={"title": one.seed(seed)}).json()["id"]
        pasted = f"main;read_file;{one.component}_{one.number} 42\n"
        sender.ask("POST", f"/cases/{case}/paste", json={"text": pasted})
        sender.begin(case, "perf.script")
        sender.send(before_piece)
        if one.moment != "upload":
            if one.moment == "judge":
                _wait(sender, case, lambda rows: all(row["state"] == "read" for row in rows))
            time.sleep(chance.uniform(0, LONGEST_SECONDS[one.moment]))
            harm()
        elif not struck:
            harm()
        settled = _settle(sender, case, struck)
        lost, duplicated, said = _compare(
            sender, case, {sender.sha256, hashlib.sha256(pasted.encode()).hexdigest()}
        )
    except GaveUpError as error:
        return Outcome(one.component, one.number, one.moment, 0, 0, None, str(error))
    finally:
        sender.http.close()
    orphans = processes.orphans_of(instance.data_dir, within_seconds=ORPHAN_SECONDS)
    return Outcome(one.component, one.number, one.moment, lost, duplicated, settled, said, len(orphans))


def _rows(sender: Sender, case: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = sender.ask("GET", f"/cases/{case}/evidence").json()["items"]
    return rows


def _wait(sender: Sender, case: str, holds: Callable[[list[dict[str, Any]]], bool]) -> None:
    """Wait until the file is evidence and `holds`, for as long as a round may take."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        rows = _rows(sender, case)
        if len(rows) > 1 and holds(rows):
            return
        time.sleep(0.05)
    raise GaveUpError("it was never read")


def _settle(sender: Sender, case: str, struck: float) -> float:
    """Return the seconds from the fault until all is read and judged."""
    deadline = struck + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        upload = sender.ask("GET", sender.location).json()
        states = {row["state"] for row in _rows(sender, case)}
        judged = sender.ask("GET", f"/cases/{case}").json()["judged"]
        if upload["state"] == "kept" and states == {"read"} and judged:
            return round(time.monotonic() - struck, 2)
        time.sleep(0.1)
    raise GaveUpError(f"not settled: upload {upload['state']}, evidence {states}, judged {judged}")


def _compare(sender: Sender, case: str, sent: set[str]) -> tuple[int, int, str]:
    """Return the number of lost and duplicated items, and other problems."""
    rows = _rows(sender, case)
    found = [row["sha256"] for row in rows]
    lost = len(sent - set(found)) + (sender.receded > 0)
    duplicated = len(found) - len(set(found)) + len(set(found) - sent)
    profiles = sender.ask("GET", f"/cases/{case}/profiles").json()["items"]
    samples = sorted(profile["samples"] for profile in profiles)
    duplicated += max(0, len(profiles) - len(sent))
    lost += max(0, len(sent) - len(profiles))
    said = "" if SAMPLES in samples else f"samples read: {samples}"
    if sender.receded:
        said = f"an acknowledged offset went back by {sender.receded} bytes; {said}"
    return lost + (SAMPLES not in samples), duplicated, said
