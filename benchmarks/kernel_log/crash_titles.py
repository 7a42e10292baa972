"""Class and function of published kernel crashes: `python -m benchmarks.kernel_log.crash_titles DIR`.

    DIR           pkg/report/testdata/linux/report of a checkout of google/syzkaller (Apache-2.0)
    --half HALF   `tune` or `held-out`: the halves by SHA-256 of the log; both by default
    --list        prints the reports whose class or function differs

Each file has a title in front of its log: `KASAN: use-after-free Read in sk_psock_put`. The first alarm of
the log is compared: its class with the class that the title states, and the functions that it names with the
function of the title. Titles of no class here, and functions that are stated as `corrupted`, are left out.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ingest.evidence import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.model.reading import LogRecord

CLASSES = (
    (r"KASAN:", {"kasan"}),
    (r"KMSAN:", {"kmsan"}),
    (r"KCSAN:", {"kcsan"}),
    (r"KFENCE:", {"kfence"}),
    (r"UBSAN:", {"ubsan"}),
    (r"memory leak", {"memory_leak"}),
    (r"general protection fault", {"general_protection"}),
    (r"BUG: unable to handle|Unhandled fault|Internal error in", {"bad_access", "null_pointer", "oops"}),
    (
        r"kernel BUG|BUG: corrupted list",
        {"kernel_bug", "list_corruption", "invalid_opcode", "skb_panic", "usercopy"},
    ),
    (r"divide error", {"divide_error"}),
    (r"PANIC: double fault", {"double_fault", "panic"}),
    (r"WARNING: refcount bug", {"refcount_bug"}),
    (r"WARNING: ODEBUG bug", {"odebug"}),
    (r"(?:WARNING|INFO): suspicious RCU", {"suspicious_rcu"}),
    (
        (
            r"possible deadlock|inconsistent lock state|BUG: (?:bad unlock|held lock|still has|nested lock)"
            r"|WARNING: (?:possible (?:circular|recursive)|locking bug|bad unlock|held lock|nested lock)"
            r"|WARNING: still has"
            r"|INFO: trying to reg"
        ),
        {"lockdep_deadlock", "lockdep", "warn"},
    ),
    (r"WARNING", {"warn", "refcount_bug", "odebug", "ref_tracker"}),
    (r"INFO: task hung|INFO: task can't die", {"hung_task"}),
    (r"INFO: rcu detected", {"rcu_stall"}),
    (r"BUG: soft lockup", {"soft_lockup"}),
    (r"BUG: (?:spinlock|rwlock) ", {"spinlock_bug"}),
    (r"BUG: workqueue lockup", {"workqueue_lockup"}),
    (r"BUG: sleeping function", {"sleeping_while_atomic"}),
    (r"BUG: using ", {"percpu_in_preemptible"}),
    (r"BUG: scheduling while", {"scheduling_while_atomic"}),
    (r"BUG: stack guard", {"stack_overflow", "double_fault", "oops"}),
    (r"BUG: [Bb]ad page", {"bad_page"}),
    (r"BUG: bad usercopy", {"usercopy", "kernel_bug"}),
    (r"kernel panic|panic:", {"panic"}),
)
"""How titles begin, and the classes of the first alarm that say the same."""

STALLS = re.compile(r"INFO: rcu detected|BUG: soft lockup")
"""Titles that name a caller far out on the stack, the same wherever its loop was interrupted."""

_FUNCTION = re.compile(r" (?:in|of) (?P<name>[A-Za-z_][\w.]*)(?: \(\d+\))?$")


class Report(NamedTuple):
    """One published report: file name, title, and its log."""

    name: str
    title: str
    log: bytes

    @property
    def half(self) -> str:
        """The half that it is in, by the last digit of its log's digest."""
        return "held-out" if int(hashlib.sha256(self.log).hexdigest()[-1], 16) % 2 else "tune"

    @property
    def kinds(self) -> set[str] | None:
        """The classes that the title states, None for a title of no class here."""
        return next((kinds for prefix, kinds in CLASSES if re.match(prefix, self.title)), None)

    @property
    def function(self) -> str:
        """The function that the title states, "" when it states none."""
        found = _FUNCTION.search(self.title)
        return found["name"] if found and found["name"] != "corrupted" else ""


def reports(directory: Path) -> Iterator[Report]:
    """Yield the reports of a directory that have a title."""
    for path in sorted(directory.iterdir()):
        head, _, log = path.read_bytes().partition(b"\n\n")
        title = next((line[7:] for line in head.split(b"\n") if line.startswith(b"TITLE: ")), b"")
        log = log.partition(b"\nREPORT:\n")[0]
        if title and log.strip():
            yield Report(path.name, title.decode(), log)


def first_alarm(log: bytes) -> LogRecord | None:
    """Return the first record of a report class, None when there is none."""
    sections = read_bytes(log, name="log").sections
    records = (record for section in sections for record in section.reading.log_records)
    kinds = set().union(*(kinds for _, kinds in CLASSES))
    return next((record for record in records if record.kind in kinds), None)


def functions(record: LogRecord) -> list[str]:
    """Return the functions that a record names, in the order in which a headline prefers them."""
    fields = {name: str(value) for name, value in record.fields.items()}
    stack = fields.get("stack", "").split(" ← ")
    names = [
        fields.get("guilty", ""),
        fields.get("place", ""),
        *stack,
        *(fields.get(name, "") for name in ("function", "where", "leaf")),
    ]
    # `where` is `kernel/fork.c:12 dup_mm+0x1/0x2`.
    return [name.split()[-1].split("+0x")[0] for name in names if name.strip()]


def main() -> None:
    """Print the shares, and with `--list` the differences."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("directory", type=Path)
    parser.add_argument("--half", choices=("tune", "held-out"))
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    for report in reports(options.directory):
        if options.half and report.half != options.half:
            continue
        record = first_alarm(report.log)
        if report.kinds is not None:
            counts["titles with a class"] += 1
            is_right = record is not None and record.kind in report.kinds
            counts["class"] += is_right
            if options.list and not is_right:
                sys.stdout.write(
                    f"class     {report.name:>4} {report.title}  <>  {record.kind if record else None}\n"
                )
        if report.function:
            named = functions(record) if record else []
            counts["titles with a function"] += 1
            counts["function"] += named[:1] == [report.function]
            counts["function among those named"] += report.function in named
            if not STALLS.match(report.title):
                counts["titles of no stall"] += 1
                counts["function, without stalls"] += named[:1] == [report.function]
            if options.list and named[:1] != [report.function]:
                sys.stdout.write(f"function  {report.name:>4} {report.title}  <>  {', '.join(named)}\n")
    for name, base in (
        ("class", "titles with a class"),
        ("function", "titles with a function"),
        ("function among those named", "titles with a function"),
        ("function, without stalls", "titles of no stall"),
    ):
        sys.stdout.write(
            f"{name}: {counts[name]} of {counts[base]} ({counts[name] / max(1, counts[base]):.1%})\n"
        )


if __name__ == "__main__":
    main()
