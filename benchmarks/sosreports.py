"""Reading of whole sosreports: `python -m benchmarks.sosreports FILE_COUNT…` writes SOSREPORTS.md.

Archives are made in the proportions of large reports: the files of /proc, /sys and commands that are read,
and thousands that are not: logs of programs, values of one line, settings, JSON of other tools.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import resource
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from ingest.evidence import read_paths

RESULT = Path(__file__).with_name("SOSREPORTS.md")
MACHINE = Path(__file__).parents[1] / "tests/data/files/machine"
WORDS = ("osd", "pool", "mds", "heartbeat", "epoch", "lorem", "ipsum", "dolor", "sit", "amet")
SIZES = (14_864, 79_702)
PREFIX = "sosreport-host"


class Unread(NamedTuple):
    """A kind of file that nobody reads: where it stands, and its lines."""

    folder: str
    stem: str
    content: str


def main() -> None:
    """Make and read an archive of every size, each in a process of its own, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("counts", nargs="*", type=int, default=SIZES, metavar="FILE_COUNT")
    parser.add_argument("--read", type=Path, help="only read this archive, and print what it took")
    options = parser.parse_args()
    if options.read:
        sys.stdout.write(_read(options.read))
        return
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for count in options.counts:
            path = Path(folder) / "sosreport.tar"
            make(path, count)
            command = [sys.executable, "-m", "benchmarks.sosreports", "--read", str(path)]
            printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            rows.append(f"| {count:,} | {path.stat().st_size / 1e6:.0f} | {printed} |")
    page = _page(rows)
    RESULT.write_text(page, encoding="utf-8")
    sys.stdout.write(page)


def make(path: Path, count: int) -> None:
    """Write an archive of `count` files; the same for the same count."""
    chosen = random.Random(1)  # noqa: S311 - the same archive every time
    read = sorted(one for one in MACHINE.rglob("*") if one.is_file())
    with tarfile.open(path, "w") as archive:
        for one in read:
            _add(archive, one.relative_to(MACHINE).as_posix(), one.read_bytes())
        for number in range(count - len(read)):
            kind = _unread(number, chosen)
            _add(archive, f"{kind.folder}/{kind.stem}.{number}", kind.content.encode())


def _unread(number: int, chosen: random.Random) -> Unread:
    """Return the next file that nobody reads."""

    def word() -> str:
        return chosen.choice(WORDS)

    kind = number % 4
    if kind == 0:
        lines = [
            f"2026-11-21 05:{at:02}:00.{number % 1000:03} 7f{number:x} {word()} {word()}" for at in range(40)
        ]
        return Unread("var/log/ceph", "osd", "\n".join(lines))
    if kind == 1:
        return Unread(f"proc/{number}", "fdinfo", f"{number}\n")
    if kind == 2:
        return Unread("etc/conf.d", "conf", "\n".join(f"{word()} = {word()}" for _ in range(30)))
    members = ",\n".join(f'  "{word()}{at}": "{word()}"' for at in range(25))
    return Unread("sos_commands/ceph", "dump", f"{{\n{members}\n}}\n")


def _add(archive: tarfile.TarFile, name: str, content: bytes) -> None:
    member = tarfile.TarInfo(f"{PREFIX}/{name}")
    member.size = len(content)
    archive.addfile(member, io.BytesIO(content))


def _read(path: Path) -> str:
    """Read an archive; return CPU and wall seconds, the peak of memory and how many members were read."""
    started, worked = time.monotonic(), time.process_time()
    [evidence] = read_paths([path])
    worked, took = time.process_time() - worked, time.monotonic() - started
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return f"{worked:.1f} | {took:.1f} | {megabytes:.0f} | {len(evidence.members)}"


def _page(rows: list[str]) -> str:
    return "\n".join(
        (
            "# Whole sosreports",
            "",
            "Written by `python -m benchmarks.sosreports`: generated archives, read by the engine alone on",
            f"{os.cpu_count()} CPUs under a load of {os.getloadavg()[0]:.0f}. Goals: 14,864 files in 8 s,",
            "79,702 in 25 s with 250 MB.",
            "",
            "| files | MB | CPU seconds | wall seconds | MB of memory | members read |",
            "| ---: | ---: | ---: | ---: | ---: | ---: |",
            *rows,
            "",
        )
    )


if __name__ == "__main__":
    main()
