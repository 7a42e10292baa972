"""What people do to outputs before they paste them, done to a sample of every text format.

`python -m tests.ingest.duties` writes `docs/pastes.md`; `test_duties.py` holds every cell of it.
"""

from __future__ import annotations

import gzip
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ingest.evidence import read_file
from ingest.paste.prompt import prompt_at
from ingest.readers import FORMATS
from tests.ingest.samples import DATA

if TYPE_CHECKING:
    from collections.abc import Callable

    from ingest.evidence import Evidence, Section

PAGE = Path(__file__).parents[2] / "docs" / "pastes.md"


class Sample(NamedTuple):
    """A committed output, and the command that prints such."""

    name: str
    command: str


SAMPLES = {
    "perf-script": Sample("memcg-reclaim.default.txt", "perf script -i perf.data"),
    "perf-diff": Sample("perf-diff.txt", "perf diff"),
    "perf-table": Sample("perf-report.g-callee.txt", "perf report --stdio"),
    "perf-stat": Sample("perf-stat.repeated.txt", "perf stat -p 1"),
    "perf-lock": Sample("contention.callers.txt", "perf lock contention -a"),
    "perf-sched": Sample("latency.txt", "perf sched latency"),
    "perf-trace": Sample("summary.txt", "perf trace -s -p 1"),
    "pidstat": Sample("pidstat.processes.txt", "pidstat 1"),
    "mpstat": Sample("mpstat.all-cpus.txt", "mpstat -P ALL 1"),
    "iostat": Sample("iostat.extended.txt", "iostat -x 1"),
    "sar": Sample("sar.u-q-n.txt", "sar -u -q 1"),
    "vmstat": Sample("vmstat.wide.txt", "vmstat -w 1"),
    "top": Sample("top-b.txt", "top -b -n 1"),
    "ltrace": Sample("ltrace-f-T.txt", "ltrace -f -T -p 1"),
    "strace-calls": Sample("strace-T-slow-reads.txt", "strace -T -f -p 1"),
    "time-command": Sample("time.bash.txt", "time cat /proc/stat"),
    "round-trips": Sample("hping3-icmp-rtt.txt", "hping3 --icmp 10.0.0.1"),
    "packet-rows": Sample("bcc-icmp-trace.txt", "sudo ./icmp-trace.py"),
    "tracepoint-format": Sample("tracepoint-format.inode_switch_wbs.txt", "cat ./events/format"),
    "systemd-cgls": Sample("systemd-cgls.txt", "systemd-cgls"),
    "perfmon-csv": Sample("typeperf.csv", "cat ./typeperf.csv"),
    "etw-stacks": Sample("dumper.sampled.csv", "cat ./dumper.csv"),
    "fio-json": Sample("fio.randrw.json", "cat ./fio.json"),
    "wrk": Sample("wrk.txt", "sh ./wrk.sh"),
    "thread-dump": Sample("py-spy-dump.txt", "sudo ./py-spy dump --pid 1"),
    "bcc-histogram": Sample("runqlat.txt", "sudo ./runqlat"),
    "bcc-stacks": Sample("offcputime.txt", "offcputime -p 1"),
    "bcc-rows": Sample("runqslower.txt", "sudo ./runqslower"),
    "bpftrace-text": Sample("mincore-latency.txt", "bpftrace ./mincore.bt"),
    "kernel-log": Sample("dmesg-oom.txt", "dmesg -T"),
    "bare-stack": Sample("stack.shrink_lruvec.txt", "crash --bt"),
    "folded": Sample("memcg-reclaim.folded.txt", "cat ./stacks.folded"),
}
MAX_LINES = 120


def lines_of(format_name: str) -> list[str]:
    """Return the first lines of the sample, without those a previous hand left at its ends."""
    path = DATA / format_name / SAMPLES[format_name].name
    content = path.read_bytes()
    text = gzip.decompress(content) if path.suffix == ".gz" else content
    lines = text.decode().splitlines()
    first = 0
    while prompt_at(lines, first):
        first += 1
    return lines[first:] if format_name in WHOLE else lines[first:MAX_LINES]


WHOLE = frozenset({"fio-json", "perf-table", "perf-lock"})


def read(lines: list[str]) -> Evidence:
    """Read lines as a file without a telling name."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "paste")
        path.write_text("\n".join(lines) + "\n")
        return read_file(path)


def sections(evidence: Evidence, format_name: str) -> list[Section]:
    """Return the sections that the format read."""
    return [section for section in evidence.sections if section.format == format_name]


def essence(found: list[Section]) -> Counter[object]:
    """Return everything that was read out, wherever it stands: what a paste must not change."""
    told: Counter[object] = Counter()
    for section in found:
        reading = section.reading
        for fact in reading.facts:
            told[fact.name, fact.value, tuple(sorted(fact.labels.items()))] += 1
        for rows in reading.row_sets:
            told.update((rows.name, *row) for row in rows.rows)
        for one in reading.histograms:
            told[one.name, one.key, tuple(one.counts)] += 1
        for record in reading.log_records:
            told[record.kind, record.message] += 1
        for profile in reading.profiles:
            told["weight", profile.event, round(profile.weight, 6), len(profile.frames)] += 1
        for table in reading.tables:
            told["table", table.event, len(table.symbols)] += 1
    return told


def remarks(found: list[Section]) -> set[str]:
    """Return the names of all that weakens the sections."""
    return {name for section in found for name in section.reading.quality_names}


Answer = str
"""Why a duty does not hold, "" when it does."""


def _same(format_name: str, lines: list[str], *, remark: str = "", command: str = "") -> Answer:
    """Say whether `lines` read as the sample does, and whether `remark` is made."""
    above = [f"$ {command}"] if command else []
    plain = essence(sections(read(above + lines_of(format_name)), format_name))
    found = sections(read(lines), format_name)
    if not plain or not found:
        return "not recognised"
    if remark and remark not in remarks(found):
        return f"not said to be {remark}"
    left, more = plain - essence(found), essence(found) - plain
    return f"{len(left)} readings lost, {len(more)} new: {[*left, *more][:2]}" if left or more else ""


def prompt(name: str) -> Answer:
    """A prompt with the command above, an empty one below, and the key that ended it."""
    lines = [f"sre@node-7 ~ $ {SAMPLES[name].command}", *lines_of(name), "^C", "sre@node-7 ~ $ "]
    return _same(name, lines, command=SAMPLES[name].command)


def filtered(name: str) -> Answer:
    """The command drops lines by what they say: the section is marked."""
    command = f"{SAMPLES[name].command} | grep -v idle"
    return _same(name, [f"$ {command}", *lines_of(name)], remark="filtered", command=command)


def excerpt(name: str) -> Answer:
    """The command drops lines by position: the section is marked."""
    command = f"{SAMPLES[name].command} | head -60"
    return _same(name, [f"$ {command}", *lines_of(name)], remark="excerpt", command=command)


def ellipsis(name: str) -> Answer:
    """A line of dots where somebody cut: the section is marked."""
    return _same(name, [*_stripped(lines_of(name)), "..."], remark="excerpt")


def residue(name: str) -> Answer:
    """What the shell says below the output: skipped and counted, or text; nothing is read out of it."""
    said = ["-bash: perf: command not found", "[1]+  Stopped                 less", "Terminated"]
    return _same(name, [*_stripped(lines_of(name)), *said])


def quoted(name: str) -> Answer:
    """A mail's quote: `> ` before every line."""
    return _same(name, [f"> {line}" for line in lines_of(name)])


def fenced(name: str) -> Answer:
    """A code block of Markdown between sentences."""
    return _same(name, ["It began at ten.", "", "```", *lines_of(name), "```", "Then it stopped."])


def crlf(name: str) -> Answer:
    """Line ends of Windows, and blanks behind the lines."""
    return _same(name, [f"{line}\r" for line in lines_of(name)])


def annotated(name: str) -> Answer:
    """A note behind a line, `<- this one`: what stands before it is read as without."""
    lines = lines_of(name)
    at = next(at for at in range(len(lines) - 1, -1, -1) if lines[at].strip())
    return _same(name, [*lines[:at], f"{lines[at]}   <-- this one", *lines[at + 1 :]])


def unfinished(name: str) -> Answer:
    """The last line ends in the middle: the lines above it are read, and it is read, counted or said."""
    whole = _stripped(lines_of(name))
    above, last = whole[:-1], whole[-1]
    evidence = read([*above, last[: max(len(last) * 2 // 3, 1)]])
    found = sections(evidence, name)
    if not found:
        return "not recognised"
    lost = essence(sections(read(above), name)) - essence(found)
    lost -= Counter({key: count for key, count in lost.items() if isinstance(key, tuple) and _sums(key)})
    return f"{len(lost)} readings lost: {list(lost)[:2]}" if lost else ""


def sentinel(name: str) -> Answer:
    """A value that stands for "none" (0xffffffff, below zero): no measurement, and nobody's longest."""
    lines, value = SENTINELS[name]
    found = sections(read(lines), name)
    if not found:
        return "not recognised"
    facts = [fact.value for section in found for fact in section.reading.facts]
    cells = [
        cell
        for section in found
        for rows in section.reading.row_sets
        if rows.name == "memcg_reclaim_end"
        for row in rows.rows
        for cell in row
    ]
    return "taken for a measurement" if value in facts or value in cells else ""


def inside(name: str) -> Answer:
    """Run inside a container: PIDs are flagged, since the same process has another number outside."""
    evidence = read([f"# nsenter -a -t 4242 {SAMPLES[name].command}", *lines_of(name)])
    facts = [fact for section in sections(evidence, name) for fact in section.reading.facts]
    named = [fact for fact in facts if "pid" in fact.labels]
    if not named:
        return "no fact of a process"
    return "" if all(fact.labels.get("pid_namespace") == "inner" for fact in named) else "not flagged"


def hang(name: str) -> Answer:
    """It stops in the middle of a call, which never returned: that call is read, and is the last one."""
    found = sections(read([*_stripped(lines_of(name)), *HANGS[name]]), name)
    rows = [rows for section in found for rows in section.reading.row_sets if "is_unfinished" in rows.columns]
    if not rows:
        return "not recognised"
    cells = dict(zip(rows[-1].columns, rows[-1].rows[-1], strict=True))
    if (cells["call"], cells["is_unfinished"]) != (HUNG_CALL, 1.0):
        return f"the last call is {cells['call']}"
    return "" if "cut_off" in remarks(found) else "not said to be cut_off"


HUNG_CALL = "openat"
HANGS = {
    "strace-calls": ['[pid 10417] openat(AT_FDCWD, "/proc/123/cmdline"'],
    "ltrace": ['10893 openat(-100, "/proc/123/cmdline"'],
    "perf-trace": [
        "     0.333 ( 0.004 ms): ps/4242 openat(dfd: CWD, filename: 0x1234)      = 3",
        '     0.345 (         ): ps/4242 openat(dfd: CWD, filename: "/proc/123/cmdline"',
    ],
}
SENTINELS = {
    "bpftrace-text": (
        [
            "346   874011 874761 Fetch mm_vmscan_memcg_reclaim_end    nr_reclaimed=28  elapsed_ns=4294967295",
            "346   874011 874761 Fetch mm_vmscan_memcg_reclaim_end    nr_reclaimed=28  elapsed_ns=421",
        ],
        4294967295.0,
    ),
    "bcc-rows": (
        [
            "TIME     COMM             TID           LAT(us)",
            "08:20:56 tokio-rt-worker  75               4208",
            "08:20:57 tokio-rt-worker  75               -1",
        ],
        -1.0,
    ),
    "perf-trace": (
        [
            "18446744073709.551 ( 0.000 ms): ps/4242 majfault [main+0x35] => 0x7ffae1a56000",
            "     0.345 ( 0.001 ms): ps/4242 majfault [main+0x35] => 0x7ffae1a56000",
        ],
        18446744073.709551,
    ),
}
INSIDE = frozenset({"pidstat", "top"})


def _sums(key: tuple[object, ...]) -> bool:
    """Say whether a reading speaks of all lines together, so that one line more changes it."""
    return key[0] in {"weight", "table"} or len(key) == 3


def _stripped(lines: list[str]) -> list[str]:
    return lines[: max(at for at, line in enumerate(lines) if line.strip()) + 1]


DUTIES: dict[str, Callable[[str], Answer]] = {
    one.__name__: one
    for one in (
        prompt,
        filtered,
        excerpt,
        ellipsis,
        residue,
        quoted,
        fenced,
        crlf,
        annotated,
        unfinished,
        sentinel,
        inside,
        hang,
    )
}
OCCURS = {"sentinel": frozenset(SENTINELS), "inside": INSIDE, "hang": frozenset(HANGS)}
"""Duties of a few formats: others print no such value, no process as a fact, no call as it happens."""


def can_occur(duty: str, name: str) -> bool:
    """Say whether people can do this to an output of the format."""
    return name in OCCURS.get(duty, SAMPLES)


def page() -> str:
    """Return the table of what every format stands."""
    names = list(DUTIES)
    told = [HEAD]
    told += [f"- *{name}*: {(DUTIES[name].__doc__ or '').strip()}\n" for name in names]
    told.append(f"\n| format | {' | '.join(names)} |\n| --- |{' --- |' * len(names)}\n")
    for one in FORMATS:
        cells = (("yes" if can_occur(name, one.NAME) else "–") for name in names)
        told.append(f"| `{one.NAME}` | {' | '.join(cells)} |\n")
    return "".join(told)


HEAD = """\
# What a paste stands

What people do to outputs before they send them, done to a sample of every format that is split out of
text. *yes*: the same facts, rows, histograms, records and stacks are read as without it, and what is to be
said of the section is said; each is a test (`tests/ingest/test_duties.py`). *–*: it has no such thing.
`python -m tests.ingest.duties` writes this page.

"""

if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
