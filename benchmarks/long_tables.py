"""CPU time and memory of `casebook analyze` of tables with 300,000 rows: `python -m benchmarks.long_tables`.

    --against CHECKOUT   another checkout, in turn with this one
    --rows N             rows of each table, 300,000 by default

Goal: 2 CPU seconds and 300 MB each, the start of Python included. A paste of 20 KB of each table shows what
the start costs. Least of the rounds: other work on the machine only adds.
"""

# ruff: noqa: E501 - rows as the tools print them

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from benchmarks.programs import Program, in_turn

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 3
PASTE_BYTES = 20_000
SEED = 41
COMMANDS = (
    "postgres: worker",
    "/usr/bin/python3 app.py",
    "[kworker/0:1]",
    "nginx: worker process",
    "java -jar x",
)
DEVICES = ("vda", "vdb", "dm-0")
ROOT = Path(__file__).parents[1]


def vmstat(rows: int, some: random.Random) -> str:
    """Return `vmstat 1`."""
    head = (
        "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----\n"
        " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st\n"
    )
    return head + "".join(
        f"{some.randrange(9):2d}  0      0 {some.randrange(900_000):6d}  23456 {some.randrange(2_000_000):7d}    0"
        f"    0 {some.randrange(900):5d} {some.randrange(900):5d} {some.randrange(9999):4d} "
        f"{some.randrange(9999):4d} {some.randrange(60):2d} {some.randrange(30):2d} {some.randrange(90):2d}  0  0\n"
        for _ in range(rows)
    )


def dstat(rows: int, some: random.Random) -> str:
    """Return `dstat -tcdngy -m -p -s`: wide, with the time."""
    head = (
        "-----time----- ----total-usage---- -dsk/total- -net/total- ---paging-- ---system-- "
        "------memory-usage----- ---procs--- ----swap---\n"
        "     time     |usr sys idl wai stl| read  writ| recv  send|  in   out | int   csw | used  free  buf   cach"
        "|run blk new| used  free\n"
    )
    return head + "".join(
        f"28-11 {at // 3600 % 24:02d}:{at // 60 % 60:02d}:{at % 60:02d}|{some.randrange(60):3d} "
        f"{some.randrange(30):3d} {some.randrange(90):3d}   0   0|{some.randrange(900):4d}k {some.randrange(900):4d}k|"
        f"{some.randrange(900):4d}B {some.randrange(900):4d}B|   0     0 |{some.randrange(9000):4d}  "
        f"{some.randrange(9000):4d} |{some.randrange(900):4d}M {some.randrange(900):4d}M {some.randrange(90):4d}M "
        f"{some.randrange(900):4d}M|  0   0 {some.randrange(9):3d}|   0  {some.randrange(900):4d}M\n"
        for at in range(rows)
    )


def ps(rows: int, some: random.Random) -> str:
    """Return `ps aux` in which every process has used a CPU."""
    head = "USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND\n"
    return head + "".join(
        f"root     {at + 1:7d} {some.random() * 9:4.1f} {some.random() * 9:4.1f} {some.randrange(900_000):6d} "
        f"{some.randrange(90_000):5d} ?        {'D' if some.random() < 0.01 else 'Ssl'}    Nov27   "
        f"0:{some.randrange(60):02d} {some.choice(COMMANDS)}\n"
        for at in range(rows)
    )


def iostat(rows: int, some: random.Random) -> str:
    """Return `iostat -x 1` of three devices."""
    report = (
        "avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n"
        "           5.01    0.00    2.20    0.50    0.00   92.29\n\n"
        "Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   wrqm/s  %wrqm w_await "
        "wareq-sz     d/s     dkB/s   drqm/s  %drqm d_await dareq-sz     f/s f_await  aqu-sz  %util\n"
    )
    parts = ["Linux 6.1.0 (db1) \t11/28/2026 \t_x86_64_\t(8 CPU)\n\n"]
    for _ in range(rows // len(DEVICES)):
        parts.append(report)
        parts += [
            f"{device:10s} {some.random() * 100:10.2f} {some.random() * 900:9.2f}     0.00   0.00 "
            f"{some.random() * 9:7.2f} {some.random() * 90:8.2f} {some.random() * 90:7.2f} {some.random() * 900:9.2f}"
            "     0.10   1.20    0.50    12.00    0.00      0.00     0.00   0.00    0.00     0.00    0.00    0.00"
            f"    {some.random():4.2f}  {some.random() * 50:5.2f}\n"
            for device in DEVICES
        ]
        parts.append("\n")
    return "".join(parts)


TABLES: tuple[Callable[[int, random.Random], str], ...] = (vmstat, dstat, ps, iostat)


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.long_tables",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--against", type=Path)
    parser.add_argument("--rows", type=int, default=300_000)
    options = parser.parse_args()
    checkouts = [*([options.against] if options.against else []), ROOT]
    # The folder of each checkout is the first of the places where Python looks for its modules.
    programs = [
        Program(str(one), ("env", "-C", str(one), sys.executable, "-m", "cli", "analyze", "{input}"))
        for one in checkouts
    ]
    with TemporaryDirectory() as folder:
        for make in TABLES:
            text = make(options.rows, random.Random(SEED))  # noqa: S311 - no secret
            paste = text[:PASTE_BYTES].rpartition("\n")[0] + "\n"
            for name, content in ((make.__name__, text), (f"{make.__name__}, 20 KB", paste)):
                path = Path(folder) / f"{make.__name__}.txt"
                path.write_text(content, encoding="utf-8")
                for program, runs in in_turn(programs, path, ROUNDS).items():
                    cpu, memory = min(one.cpu for one in runs), max(one.memory for one in runs)
                    sys.stdout.write(f"{name:16} {cpu:6.2f} CPU s {memory:5.0f} MB  {program}\n")


if __name__ == "__main__":
    main()
