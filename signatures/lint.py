"""What a signature must keep beyond its syntax; every complaint names file, place and remedy."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from signatures.observe import conditions_of
from signatures.questions import StackCondition

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.catalog import Catalog
    from signatures.model import Capture, Signature

_SPINNING = ("queued_spin_lock", "_raw_spin_")
_MMAP_LOCK_FILES = re.compile(
    r"/proc/(?:\*|\[0-9\]\*)/(?:\{[^}]*\}|cmdline|environ|maps|smaps|smaps_rollup|numa_maps)"
)
_READS_COMMAND_LINES = re.compile(
    r"\bps (?:aux|-ef|-e?o [a-z,]*(?:comm|cmd|args))|\bpgrep\b|\btop -c\b|\blsof\b|\bpidstat -l\b"
)
_WRITES_STATE = re.compile(r">\s*/(?:proc|sys)/|>\s*\$CG/|sysctl -w")
EVIDENCE_KINDS = ("pos", "neg", "unk")


def lint(catalog: Catalog) -> list[str]:
    """Return every complaint about a catalog, broken files first."""
    complaints = [str(problem) for problem in catalog.problems]
    known = {signature.id for signature in catalog.signatures}
    for signature in catalog.signatures:
        complaints.extend(f"{signature.id}: {text}" for text in _signature(signature))
        complaints.extend(
            f"{signature.id}: supersedes {other}, which does not exist; write an id of the library"
            for other in signature.supersedes
            if other not in known
        )
    captures = [*catalog.captures, *(c for s in catalog.signatures for row in s.next.values() for c in row)]
    complaints.extend(dict.fromkeys(text for capture in captures for text in capture_complaints(capture)))
    return complaints


def _signature(signature: Signature) -> Iterator[str]:
    ids = [clause.id for clause in signature.clauses]
    if not any(clause.role == "core" for clause in signature.clauses):
        yield "has no core clause and can never be more than unknown; give one clause role: core"
    for clause in signature.clauses:
        if not clause.title:
            yield f"clause {clause.id} has no title; say in one line what it means when TRUE"
        for condition in conditions_of(clause.test):
            if (
                isinstance(condition, StackCondition)
                and not condition.is_seen
                and _is_spin_without_caller(condition)
            ):
                yield f"clause {clause.id}: a spin share without caller; add called_from (pgbench shows 13 %)"
    reachable = sum(clause.weight for clause in signature.clauses if clause.role != "rival")
    if reachable < signature.decide.match_score:
        yield f"can reach {reachable:g}, a match needs {signature.decide.match_score:g}; lower the score"
    if signature.decide.suspect_score > signature.decide.match_score:
        yield "asks more for suspect than for match; lower suspect"
    for fix in signature.fixes:
        yield from _fix(dict(fix))
    for name in signature.next:
        if name not in ids:
            yield f"next.{name} settles no clause; use one of {', '.join(ids)}"


def _is_spin_without_caller(condition: StackCondition) -> bool:
    return any(name.lstrip("*").startswith(_SPINNING) for name in condition.leaf) and not condition.path


def _fix(fix: dict[str, object]) -> Iterator[str]:
    title = fix.get("title", "a fix")
    for key in ("kind", "title", "scope"):
        if key not in fix:
            yield f"fix {title!r} lacks {key}; add it"
    if fix.get("kind") == "warning":
        return
    for key in ("risk", "verify", "undo"):
        if key not in fix:
            yield f"fix {title!r} lacks {key}; add it (undo may be the word irreversible)"
    if _WRITES_STATE.search(str(fix.get("run", ""))):
        for key in ("first_on", "unsafe_if"):
            if key not in fix:
                yield f"fix {title!r} writes kernel state and lacks {key}; add it"


def capture_complaints(capture: Capture) -> Iterator[str]:
    """Yield what makes a capture unsafe on a sick host."""
    for run in (capture.run, *capture.alternatives):
        where = f"capture {capture.name or run[:30]!r}"
        if "timeout -s KILL" not in run:
            yield f"{where}: no time limit; start commands with timeout -s KILL"
        if _MMAP_LOCK_FILES.search(run):
            yield f"{where}: reads files of all tasks that need mmap_lock; name one $PID"
        if _READS_COMMAND_LINES.search(run):
            yield f"{where}: reads command lines and hangs on mmap_lock; use top -b -H or pidstat -t"
        if "perf record" in run and "--synth=no" not in run:
            yield f"{where}: perf record without --synth=no opens /proc/*/maps; add it"
        if re.search(r"-o /(?!run/)", run):
            yield f"{where}: writes outside /run; write below /run"
        if "{" in run and re.search(r"\{[a-z]+,[a-z]+\}", re.sub(r"'[^']*'", "", run)):
            yield f"{where}: brace expansion is not POSIX sh; name every file"
