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
import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks.programs import Program, in_turn

ROUNDS = 3
PASTE_BYTES = 20_000
SEED = 41
ROOT = Path(__file__).parents[1]
_RANDOM = re.compile(r"<(\d+):([\d.]*[df])>")
"""A number below the first one, in this format."""


class Table(NamedTuple):
    """What a tool prints.

    Attributes:
        head: Above all.
        row: With `<90:3d>` for a number below 90, `{at}` for its place and `{clock}` for a second of the day.
        report: Above each report.
        rows: Of each report; 0 where there is none.
    """

    head: str
    row: str
    report: str = ""
    rows: int = 0

    def text(self, rows: int) -> str:
        """Return so many rows."""
        some = random.Random(SEED)  # noqa: S311 - no secret

        def number(found: re.Match[str]) -> str:
            return format(
                some.random() * int(found[1]) if found[2][-1] == "f" else some.randrange(int(found[1])),
                found[2],
            )

        parts = [self.head]
        for at in range(rows):
            parts.append("" if not self.rows or at % self.rows else self.report)
            clock = f"{at // 3600 % 24:02d}:{at // 60 % 60:02d}:{at % 60:02d}"
            parts.append(_RANDOM.sub(number, self.row).format(at=at + 1, clock=clock, device=f"vd{at % 3}"))
        return "".join(parts)


TABLES = {
    "vmstat": Table(
        "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----\n"
        " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st\n",
        "<9:2d>  0      0 <900000:6d>  23456 <2000000:7d>    0    0 <900:5d> <900:5d> <9999:4d> <9999:4d> <60:2d> <30:2d>"
        " <90:2d>  0  0\n",
    ),
    "dstat": Table(
        "-----time----- ----total-usage---- -dsk/total- -net/total- ---paging-- ---system-- ------memory-usage----- "
        "---procs--- ----swap---\n"
        "     time     |usr sys idl wai stl| read  writ| recv  send|  in   out | int   csw | used  free  buf   cach"
        "|run blk new| used  free\n",
        "28-11 {clock}|<60:3d> <30:3d> <90:3d>   0   0|<900:4d>k <900:4d>k|<900:4d>B <900:4d>B|   0     0 |<9000:4d>  "
        "<9000:4d> |<900:4d>M <900:4d>M <90:4d>M <900:4d>M|  0   0 <9:3d>|   0  <900:4d>M\n",
    ),
    "ps": Table(
        "USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND\n",
        "root     {at:7d} <9:4.1f> <9:4.1f> <900000:6d> <90000:5d> ?        Ssl    Nov27   0:0<9:1d> kworker/<5:1d>:1\n",
    ),
    "iostat": Table(
        "Linux 6.1.0 (db1) \t11/28/2026 \t_x86_64_\t(8 CPU)\n",
        "{device:10s} <100:10.2f> <900:9.2f>     0.00   0.00 <9:7.2f> <90:8.2f> <90:7.2f> <900:9.2f>     0.10   1.20    0.50"
        "    12.00    0.00      0.00     0.00   0.00    0.00     0.00    0.00    0.00    <1:4.2f>  <50:5.2f>\n",
        "\navg-cpu:  %user   %nice %system %iowait  %steal   %idle\n"
        "           5.01    0.00    2.20    0.50    0.00   92.29\n\n"
        "Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   wrqm/s  %wrqm w_await "
        "wareq-sz     d/s     dkB/s   drqm/s  %drqm d_await dareq-sz     f/s f_await  aqu-sz  %util\n",
        3,
    ),
}


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
        for tool, table in TABLES.items():
            text = table.text(options.rows)
            paste = text[:PASTE_BYTES].rpartition("\n")[0] + "\n"
            path = Path(folder) / f"{tool}.txt"
            for name, content in ((tool, text), (f"{tool}, 20 KB", paste)):
                path.write_text(content, encoding="utf-8")
                for program, runs in in_turn(programs, path, ROUNDS).items():
                    cpu, memory = min(one.cpu for one in runs), max(one.memory for one in runs)
                    sys.stdout.write(f"{name:16} {cpu:6.2f} CPU s {memory:5.0f} MB  {program}\n")


if __name__ == "__main__":
    main()
