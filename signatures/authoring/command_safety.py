"""Safety rules for captures and fixes on affected hosts.

Captures are POSIX sh, each command under its own `timeout -s KILL` (plain timeout sends TERM, which a task
that waits for a killable lock ignores), and read nothing that needs the mmap_lock of other processes: `ps
aux`, `pgrep NAME` and plain `perf record -a` hang with the process they should diagnose.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.native.linear import Pattern
from signatures.document.parse import FIX_KINDS, FIX_SCOPES
from signatures.documents.codec import from_document
from signatures.documents.fix import FixDocument
from signatures.fixes.plan import CURE, DANGERS, DATA, command_in, found_danger, is_undo

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.model.json_value import JsonObject
    from signatures.language.model import Capture

_MMAP_LOCK_FILES = Pattern(
    r"/proc/(?:\*|\[0-9\]\*)/(?:\{[^}]*\}|cmdline|environ|maps|smaps|smaps_rollup|numa_maps)"
)
_READS_COMMAND_LINES = re.compile(
    r"\bps (?:aux|-ef|-e?o [a-z,]*(?:comm|cmd|args))|\bpgrep\b|\bpkill\b|\btop -c\b|\blsof\b"
    r"|\bpidstat\b[^|;]* -l\b|\bsystemd-cgls\b|\bsystemctl status\b|\bdocker (?:top|exec)\b|\bkubectl exec\b"
)
_ENDS_ITSELF = re.compile(r"\btypeperf\b.* -sc \d+\b|^ver$")
"""Windows commands that end by themselves; Windows has neither POSIX sh nor `timeout -s KILL`."""

_STOPS_THREADS = re.compile(r"\b(?:gdb|gcore|pystack|jstack -F)\b|\bstrace\b")
_FLOODS = Pattern(r"sysrq|offcputime|funccount|kprobe:\S*(?:lock|resched)|/proc/pagetypeinfo|\bsosreport\b")
_NOT_POSIX = (
    (re.compile(r"\[\["), "[[ ]]", "[ ]"),
    (re.compile(r"\bfunction \w"), "function", "name() {"),
    (re.compile(r"<\(|>\("), "process substitution", "a pipe"),
    (re.compile(r"&>|\|&"), "&> or |&", ">file 2>&1"),
    (re.compile(r"<<<"), "a here-string", "printf … |"),
    (re.compile(r"\bsource "), "source", ". file"),
    (re.compile(r"\becho -[en]"), "echo -e or -n", "printf"),
    (re.compile(r"\$'"), "$'…'", "printf"),
    (Pattern(r"\[ [^]]* == "), "==", "="),
    (re.compile(r"\$\{\w+(?://|\^|,|:\d)"), "${…} of bash", "sed or cut"),
    (re.compile(r"\{\d+\.\.\d+\}|\{[\w/.-]*,[\w/.,-]*\}"), "brace expansion", "every name written out"),
    (Pattern(r"\blocal |\bdeclare |\w+=\("), "local, declare or an array", "plain variables"),
)
_WITHOUT_CACHE = Pattern(r"perf record[^;&|]* -N\b")
_WITH_SIZE = Pattern(r"perf record[^;&|]* --max-size=\d+M\b")
_KEYWORDS = {"for", "do", "done", "while", "in", "if", "then", "else", "fi", "[", "test", ":", "exit"}
_UNTIMED = _KEYWORDS | {"timeout", "true", "read", "echo", "printf", "sleep"}
_UNTIMED |= {"head", "tail", "wc", "sort", "cut", "tr", "grep"}
"""Commands that end by themselves; readers among them follow a pipe."""
_QUOTED = Pattern(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"")
_COMMANDS = re.compile(r"\$\(|&&|\|\||[;|()]|(?<= )(?:do|then|else)(?= )")
_WRITES_STATE = re.compile(r">\s*/(?:proc|sys)/|>\s*\$CG/|sysctl -w")


def capture_complaints(capture: Capture) -> Iterator[str]:
    """Yield the reasons why a capture is unsafe or cannot run on an affected host."""
    where = f"capture {capture.name or capture.title!r}"
    if capture.os == "windows":
        if not _ENDS_ITSELF.search(capture.run):
            yield f"{where}: never ends; add a limit, such as typeperf -sc 60"
        return
    if not capture.reads:
        yield f"{where}: lacks reads; add it"
    for run in (capture.run, *capture.alternatives):
        yield from (f"{where}: {text}" for text in _run_complaints(run))


def _run_complaints(run: str) -> Iterator[str]:
    bare = _QUOTED.sub("''", run)
    for shape, found, remedy in _NOT_POSIX:
        if shape.search(bare):
            yield f"{found} is not POSIX sh; write {remedy}"
    if re.search(r"(?:^|[;&|] *|do |then )time\b", bare):
        yield 'time is not available in every sh; write timeout -s KILL 20 bash -c "time …"'
    if "timeout -s KILL" not in run:
        yield "no time limit; start commands with timeout -s KILL"
    for word in _first_words(bare):
        if word not in _UNTIMED:
            yield f"{word} has no time limit of its own; write timeout -s KILL 5 {word}"
    if re.search(r"\btimeout (?!-s KILL \d)", bare):
        yield "timeout without -s KILL and a number of seconds; TERM does not end a killable wait"
    if _MMAP_LOCK_FILES.search(run):
        yield "reads files of all tasks that need mmap_lock; name one $PID"
    if _READS_COMMAND_LINES.search(bare):
        yield "reads command lines and hangs on mmap_lock; use top -b -H or pidstat -t"
    if _STOPS_THREADS.search(bare):
        yield "stops threads and may leave them stopped; use thread_stacks"
    if _FLOODS.search(run):
        yield "multiplies the load or floods the console; count in the kernel, with one tracepoint"
    if "perf record" in run and not re.search(r"--synth=(?:no|task)\b", run):
        yield "perf record without --synth=task opens /proc/*/maps; add it"
    if "perf record" in run and not _WITHOUT_CACHE.search(run):
        yield "perf record without -N fills ~/.debug with binaries; add it"
    if "perf record" in run and not _WITH_SIZE.search(run):
        yield "perf record without --max-size fills the RAM below /run; add --max-size=64M"
    if re.search(r"-o /(?!run/)", run) or re.search(r">\s*/(?!run/|dev/null)", bare):
        yield "writes outside /run; write below /run"
    if "bpftrace" in run and "exit()" not in run:
        yield "bpftrace without interval:s:N { exit(); } never prints its maps; add it"


def _first_words(bare: str) -> Iterator[str]:
    """Yield the first word of every command, including those inside `$(…)`."""
    for part in _COMMANDS.split(bare):
        words = [word for word in part.split() if not re.fullmatch(r"\w+=\S*", word)]
        if words and not words[0].startswith(("#", "''", "}")):
            yield words[0]


def fix_complaints(fix: JsonObject) -> Iterator[str]:
    """Yield the problems of a fix."""
    title = fix.get("title", "a fix")
    for key in ("kind", "title", "scope"):
        if key not in fix:
            yield f"fix {title!r} lacks {key}; add it"
    for key, known in (("kind", FIX_KINDS), ("scope", FIX_SCOPES)):
        if key in fix and fix[key] not in known:
            yield f"fix {title!r}: {key} {fix[key]!r} is unknown; write one of {', '.join(known)}"
    effect = fix.get("effect")
    is_last_resort = fix.get("kind") == "warning" or str(fix.get("undo", "")).startswith("irreversible")
    if effect is not None and (effect != CURE or is_last_resort or fix.get("endangers")):
        yield f"fix {title!r}: effect may be {CURE}, of a fix that can be undone and endangers nothing"
    if fix.get("kind") == "warning":
        return
    for key in ("risk", "verify", "undo"):
        if key not in fix:
            yield f"fix {title!r} lacks {key}; add it (undo may be the word irreversible)"
    if "undo" in fix and not is_undo(from_document(FixDocument, fix)):
        yield f"fix {title!r}: undo {fix['undo']!r} is neither a command nor the word irreversible"
    yield from _danger_complaints(fix)
    run = str(fix.get("run", ""))
    if _WRITES_STATE.search(run):
        for key in ("first_on", "unsafe_if"):
            if key not in fix:
                yield f"fix {title!r} writes kernel state and lacks {key}; add it"
    if fix.get("kind") == "upgrade" and fix.get("fixed_in") and "as_of" not in fix:
        yield f"fix {title!r} names a release and lacks as_of; add the date of the lookup"


def _danger_complaints(fix: JsonObject) -> Iterator[str]:
    """Yield the problems of a fix that costs data, security or hardware."""
    document = from_document(FixDocument, fix)
    title, declared, found = fix.get("title", "a fix"), fix.get("endangers"), found_danger(document)
    if declared is not None and declared not in DANGERS:
        yield f"fix {title!r}: endangers is one of {', '.join(DANGERS)}"
    if found:
        yield f"fix {title!r} costs {found}; add endangers: {found}, and describe it without a command"
    elif declared == DATA and command_in(document):
        yield f"fix {title!r} endangers data and has a command; describe it without one"
