"""Paste robustness: apply what people do to outputs before they paste them to a sample of every text format.

`python -m tests.ingest.paste_robustness` writes `docs/pastes.md`; `test_paste_robustness.py` tests each cell.
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
    """A committed sample output and its command."""

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
    """Read lines as a file with a neutral name."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "paste")
        path.write_text("\n".join(lines) + "\n")
        return read_file(path)


def sections(evidence: Evidence, format_name: str) -> list[Section]:
    """Return the sections that the format read."""
    return [section for section in evidence.sections if section.format == format_name]


def essence(found: list[Section]) -> Counter[object]:
    """Return all readings without their positions: what a paste must not change."""
    counts: Counter[object] = Counter()
    for section in found:
        reading = section.reading
        for fact in reading.facts:
            counts[fact.name, fact.value, tuple(sorted(fact.labels.items()))] += 1
        for rows in reading.row_sets:
            counts.update((rows.name, *row) for row in rows.rows)
        for one in reading.histograms:
            counts[one.name, one.key, tuple(one.counts)] += 1
        for record in reading.log_records:
            counts[record.kind, record.message] += 1
        for profile in reading.profiles:
            counts["weight", profile.event, round(profile.weight, 6), len(profile.frames)] += 1
        for table in reading.tables:
            counts["table", table.event, len(table.symbols)] += 1
    return counts


def remarks(found: list[Section]) -> set[str]:
    """Return the names of the quality remarks on the sections."""
    return {name for section in found for name in section.reading.quality_names}


Failure = str
"""Why a change alters the reading; "" if it does not."""


def _same(format_name: str, lines: list[str], *, remark: str = "", command: str = "") -> Failure:
    """Check that `lines` read as the sample does, and that `remark` is present."""
    above = [f"$ {command}"] if command else []
    plain = essence(sections(read(above + lines_of(format_name)), format_name))
    found = sections(read(lines), format_name)
    if not plain or not found:
        return "not recognised"
    if remark and remark not in remarks(found):
        return f"not said to be {remark}"
    missing, more = plain - essence(found), essence(found) - plain
    return (
        f"{len(missing)} readings lost, {len(more)} new: {[*missing, *more][:2]}" if missing or more else ""
    )


def prompt(name: str) -> Failure:
    """A prompt with the command above, an empty prompt and `^C` below."""
    lines = [f"sre@node-7 ~ $ {SAMPLES[name].command}", *lines_of(name), "^C", "sre@node-7 ~ $ "]
    return _same(name, lines, command=SAMPLES[name].command)


def filtered(name: str) -> Failure:
    """The command filters lines by content: the section is marked."""
    command = f"{SAMPLES[name].command} | grep -v idle"
    return _same(name, [f"$ {command}", *lines_of(name)], remark="filtered", command=command)


def excerpt(name: str) -> Failure:
    """The command keeps lines by position: the section is marked."""
    command = f"{SAMPLES[name].command} | head -60"
    return _same(name, [f"$ {command}", *lines_of(name)], remark="excerpt", command=command)


def ellipsis(name: str) -> Failure:
    """A line of dots in place of omitted lines: the section is marked."""
    return _same(name, [*_stripped(lines_of(name)), "..."], remark="excerpt")


def residue(name: str) -> Failure:
    """Shell messages below the output: skipped and counted, or text; no readings."""
    noise = ["-bash: perf: command not found", "[1]+  Stopped                 less", "Terminated"]
    return _same(name, [*_stripped(lines_of(name)), *noise])


def quoted(name: str) -> Failure:
    """Quoted mail: `> ` before every line."""
    return _same(name, [f"> {line}" for line in lines_of(name)])


def fenced(name: str) -> Failure:
    """A Markdown code block between sentences."""
    return _same(name, ["It began at ten.", "", "```", *lines_of(name), "```", "Then it stopped."])


def crlf(name: str) -> Failure:
    """Windows line ends and trailing blanks."""
    return _same(name, [f"{line}\r" for line in lines_of(name)])


def annotated(name: str) -> Failure:
    """An annotation at the end of a line, `<-- this one`: the line reads as without it."""
    lines = lines_of(name)
    at = next(at for at in range(len(lines) - 1, -1, -1) if lines[at].strip())
    return _same(name, [*lines[:at], f"{lines[at]}   <-- this one", *lines[at + 1 :]])


def unfinished(name: str) -> Failure:
    """A truncated last line: the lines above it are read; it is read, or counted as skipped."""
    whole = _stripped(lines_of(name))
    above, last = whole[:-1], whole[-1]
    evidence = read([*above, last[: max(len(last) * 2 // 3, 1)]])
    found = sections(evidence, name)
    if not found:
        return "not recognised"
    lost = essence(sections(read(above), name)) - essence(found)
    lost -= Counter({key: count for key, count in lost.items() if isinstance(key, tuple) and _sums(key)})
    return f"{len(lost)} readings lost: {list(lost)[:2]}" if lost else ""


def sentinel(name: str) -> Failure:
    """A value that means "none" (0xffffffff, negative): not a measurement, never a maximum."""
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


def inside(name: str) -> Failure:
    """Run inside a container: PIDs are flagged, since they differ outside."""
    evidence = read([f"# nsenter -a -t 4242 {SAMPLES[name].command}", *lines_of(name)])
    facts = [fact for section in sections(evidence, name) for fact in section.reading.facts]
    named = [fact for fact in facts if "pid" in fact.labels]
    if not named:
        return "no fact of a process"
    return "" if all(fact.labels.get("pid_namespace") == "inner" for fact in named) else "not flagged"


def hang(name: str) -> Failure:
    """Output that stops in a call that never returned: the call is the last row."""
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
    """Return whether a reading summarises all lines, so that one more line changes it."""
    return key[0] in {"weight", "table"} or len(key) == 3


def _stripped(lines: list[str]) -> list[str]:
    return lines[: max(at for at, line in enumerate(lines) if line.strip()) + 1]


CHANGES: dict[str, Callable[[str], Failure]] = {
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
"""Changes that only a few formats can show: others print no such value, no PID, no calls as they happen."""


def can_occur(change: str, name: str) -> bool:
    """Return whether the change applies to the format."""
    return name in OCCURS.get(change, SAMPLES)


def page() -> str:
    """Return the Markdown page: one row per format, one column per change."""
    names = list(CHANGES)
    lines = [HEAD]
    lines += [f"- *{name}*: {(CHANGES[name].__doc__ or '').strip()}\n" for name in names]
    lines.append(f"\n| format | {' | '.join(names)} |\n| --- |{' --- |' * len(names)}\n")
    for one in FORMATS:
        cells = (("yes" if can_occur(name, one.NAME) else "–") for name in names)
        lines.append(f"| `{one.NAME}` | {' | '.join(cells)} |\n")
    return "".join(lines)


HEAD = """\
# Paste robustness

What people do to outputs before they send them, applied to a sample of every text format. *yes*: Casebook
reads the same facts, rows, histograms, records and stacks, and marks the section where due; each cell is
a test (`tests/ingest/test_paste_robustness.py`). *–*: does not apply to the format.
`python -m tests.ingest.paste_robustness` writes this page.

"""

if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
