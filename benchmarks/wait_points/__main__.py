"""Resource kinds of public stacks of blocked tasks: run `python -m benchmarks.wait_points`.

    --part PART  prints one part with its wrong stacks and writes nothing

`stacks/PART.tsv` has one stack a line: the kind read from the functions and the kernel's sources, the address
of the report, and the functions, the innermost first. A lock or completion without a kind of its own is right
as its primitive (`mutex`), since the answer names its function too.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from ingest.frames.wait_points import GENERIC, wait_point

if TYPE_CHECKING:
    from collections.abc import Iterable

STACKS = Path(__file__).with_name("stacks")
RESULTS = Path(__file__).parents[1] / "WAIT_POINTS.md"


class Part(NamedTuple):
    """One part of the corpus, and the result of the first run of the table on it.

    Attributes:
        name: Name of its file.
        origin: Where its stacks are from, and when they were read.
        first_right: Stacks that got their kind.
        first_generic: Stacks that got the primitive instead: correct, less specific.
    """

    name: str
    origin: str
    first_right: int
    first_generic: int


PARTS = (
    Part("tune", "half of the first corpus by SHA-256; the table was written with it", 223, 105),
    Part("held-out", "the other half; the table ran on it after `tune`", 304, 23),
    Part("second", "more of the same lists, dm-devel and io-uring; after `held-out` was read", 161, 25),
    Part("third", "linux-xfs; after `second` was read", 48, 6),
    Part("fourth", "linux-scsi and linux-f2fs-devel; after `third` was read", 41, 8),
    Part(
        "fifth-tune",
        "half by SHA-256 of linux-usb, linux-rdma, linux-pm, linux-raid, linux-nfs, linux-cifs, ceph-devel "
        "and cgroups; its kinds are those of the table, corrected by eye",
        117,
        11,
    ),
    Part("fifth", "the other half; after `fifth-tune` was read", 139, 3),
)
READ_FIRST = frozenset({"tune", "fifth-tune"})
"""Parts with which the table was written."""


class Stack(NamedTuple):
    """One stack: its expected kind, the address of its report, its functions, the innermost first."""

    kind: str
    url: str
    frames: tuple[str, ...]

    @property
    def found(self) -> str:
        """The kind of its wait point, "" when the table names none."""
        point = wait_point(self.frames)
        return point.kind if point else ""


def stacks_of(part: str) -> list[Stack]:
    """Return the stacks of a part."""
    text = (STACKS / f"{part}.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines())
    return [Stack(kind, url, tuple(frames.split())) for kind, url, frames in rows]


def publisher(url: str) -> str:
    """Return who published a report: the host, and the project on a code host."""
    parts = urlsplit(url)
    if "linux-cve-announce" in url:
        return "linux-cve-announce"
    return f"{parts.netloc}{'/'.join(parts.path.split('/')[:3]) if parts.netloc == 'github.com' else ''}"


def share(right: int, total: int) -> str:
    """Return `323 of 333 (97.0 %)`."""
    return f"{right} of {total} ({100 * right / total:.1f} %)"


def right(stacks: Iterable[Stack]) -> int:
    """Return how many stacks get their kind."""
    return sum(stack.found == stack.kind for stack in stacks)


def page() -> str:
    """Return the results page."""
    parts = {part.name: stacks_of(part.name) for part in PARTS}
    stacks = [stack for rows in parts.values() for stack in rows]
    lines = [
        "# Wait points: public stacks of blocked tasks with the right resource kind",
        "",
        "Written by `python -m benchmarks.wait_points`.",
        "",
        "| part | first run | right or less specific | now |",
        "| --- | ---: | ---: | ---: |",
    ]
    for part in PARTS:
        rows = parts[part.name]
        total = len(rows)
        not_wrong = share(part.first_right + part.first_generic, total)
        first = share(part.first_right, total)
        lines.append(f"| {part.name} | {first} | {not_wrong} | {share(right(rows), total)} |")
    unseen = [part for part in PARTS if part.name not in READ_FIRST]
    total = sum(len(parts[part.name]) for part in unseen)
    all_right = sum(part.first_right for part in unseen)
    all_not_wrong = all_right + sum(part.first_generic for part in unseen)
    lines.append(f"| all unseen | {share(all_right, total)} | {share(all_not_wrong, total)} | |")
    reports, generic = len({stack.url for stack in stacks}), sum(stack.kind in GENERIC for stack in stacks)
    lines += [
        f"| all | | | {share(right(stacks), len(stacks))} |",
        "",
        *(f"- `{part.name}`: {part.origin}" for part in PARTS),
        "",
        f"{len(stacks)} distinct stacks of {reports} reports: hung-task reports and sysrq-w dumps on",
        "kernel mailing lists, in announcements of kernel CVEs and in the tests of syzkaller. The kind of",
        "a stack was written from its functions and the kernel's sources before the table ran on its part;",
        "where the table later got a kind for what had none (a lock of io_uring), the expectation followed.",
        "The first run on an unseen part is the figure for stacks that nobody looked at; those of `tune` and",
        "`fifth-tune` are of the table before it was written with them. *Less specific* is the lock or wait",
        "primitive with its function, such as a mutex taken in `nd_device_notify` for the lock of a device.",
        "The last column is after the table learned what each part lacked.",
        "",
        f"{generic} stacks expect a primitive: locks of one driver without a kind of their own.",
        "",
        "| published by | stacks | right |",
        "| --- | ---: | ---: |",
    ]
    by_host = Counter(publisher(stack.url) for stack in stacks)
    well = Counter(publisher(stack.url) for stack in stacks if stack.found == stack.kind)
    lines += [f"| {host} | {count} | {well[host]} |" for host, count in by_host.most_common()]
    lines += ["", "| wrong: found | expected | functions | report |", "| --- | --- | --- | --- |"]
    for stack in stacks:
        if stack.found == stack.kind:
            continue
        point = wait_point(stack.frames)
        start = point.depth if point else 0
        functions = " ← ".join(f"`{name}`" for name in stack.frames[start : start + 3])
        lines.append(f"| {stack.found or 'none'} | {stack.kind} | {functions} | [report]({stack.url}) |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the results page, or print one part."""
    arguments = argparse.ArgumentParser(description="Resource kinds of public stacks of blocked tasks.")
    arguments.add_argument("--part", choices=[part.name for part in PARTS])
    name = arguments.parse_args().part
    if name is None:
        RESULTS.write_text(page(), encoding="utf-8")
        return
    stacks = stacks_of(name)
    for stack in stacks:
        if stack.found != stack.kind:
            sys.stdout.write(f"{stack.found or '-'} for {stack.kind}: {' '.join(stack.frames[:8])}\n")
    sys.stdout.write(f"{share(right(stacks), len(stacks))}\n")


if __name__ == "__main__":
    main()
