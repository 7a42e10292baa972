"""Paste robustness: apply what people do to outputs before they paste them to a sample of every text format.

`python -m tests.ingest.paste_robustness` writes `docs/pastes.md`; `test_paste_robustness.py` tests each cell.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from ingest.readers import FORMATS
from tests.ingest.paste_samples import COMMANDS, essence, lines_of, read, remarks, sections

if TYPE_CHECKING:
    from collections.abc import Callable

PAGE = Path(__file__).parents[2] / "docs" / "pastes.md"

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
    lines = [f"sre@node-7 ~ $ {COMMANDS[name]}", *lines_of(name), "^C", "sre@node-7 ~ $ "]
    return _same(name, lines, command=COMMANDS[name])


def filtered(name: str) -> Failure:
    """The command filters lines by content: the section is marked."""
    command = f"{COMMANDS[name]} | grep -v idle"
    return _same(name, [f"$ {command}", *lines_of(name)], remark="filtered", command=command)


def excerpt(name: str) -> Failure:
    """The command keeps lines by position: the section is marked."""
    command = f"{COMMANDS[name]} | head -60"
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
    evidence = read([f"# nsenter -a -t 4242 {COMMANDS[name]}", *lines_of(name)])
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
    """Return whether a reading summarises several lines, so that one more line changes it."""
    return key[0] in {"weight", "table", "atop"} or len(key) == 3


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
    return name in OCCURS.get(change, COMMANDS)


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
