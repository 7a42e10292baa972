"""Next captures: at most five commands, ranked by how much they would decide.

A signature names in `first` the clause to settle once others are TRUE, as in
`{after: [slow_read], ask: kernel_time}`; the others are ranked by the weight they would decide. A capture is
listed once, and never when it is unsafe under a suspected signature. Where pieces of evidence exclude each
other, the first capture asks which host, boot and time each belongs to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.judging.decide import MATCH, SUSPECT, UNKNOWN
from signatures.judging.finding import NextCapture, Settled
from signatures.judging.observation import State
from signatures.language.model import Capture

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from signatures.judging.finding import Finding
    from signatures.judging.states import ClauseState

MAX_NEXT = 5
WHICH_HOST = Capture(
    name="which_host",
    title="Identify host, boot and time of each file: some files contradict others",
    run=(
        "for f in /proc/sys/kernel/hostname /proc/sys/kernel/random/boot_id /proc/uptime; do "
        'echo "==> $f <=="; timeout -s KILL 2 cat $f; done; timeout -s KILL 2 date +%s'
    ),
    cost="none",
    reads=("/proc/sys/kernel/hostname", "/proc/sys/kernel/random/boot_id", "/proc/uptime"),
)


def next_captures(findings: Sequence[Finding]) -> list[NextCapture]:
    """Return the next captures, most useful first."""
    present = {finding.signature.id for finding in findings if finding.verdict in (MATCH, SUSPECT)}
    findings = [finding for finding in findings if not finding.fault]
    shown = [finding for finding in findings if finding.is_listed or finding.is_near_miss]
    candidates = [finding for finding in shown if finding.verdict in (MATCH, SUSPECT, UNKNOWN)]
    limit = MAX_NEXT
    if not shown:
        candidates, limit = [finding for finding in findings if _is_touched(finding)], 1
    captures: dict[str, Capture] = {}
    settles: dict[str, list[Settled]] = {}
    worth: dict[str, float] = {}
    for finding in candidates:
        for state in finding.clauses:
            gain = _gain(finding, state)
            capture = _capture(finding, state.clause.id, present)
            if capture is None or not gain:
                continue
            captures[capture.run] = capture
            settles.setdefault(capture.run, []).append(
                Settled(finding.signature.id, state.clause.id, state.clause.title)
            )
            worth[capture.run] = worth.get(capture.run, 0.0) + gain
    ranked = list(dict.fromkeys([*_first(candidates, present), *sorted(worth, key=lambda run: -worth[run])]))
    selected = [NextCapture(captures[run], tuple(settles[run])) for run in ranked if run in captures]
    divided = tuple(Settled(finding.signature.id, "", "") for finding in candidates if finding.is_divided)
    if divided:
        selected.insert(0, NextCapture(WHICH_HOST, divided))
    return selected[:limit]


def deciding_capture(finding: Finding) -> str:
    """Return the command that decides a suspicion: a required or an excluding condition; "" without one.

    One that is unsafe under some signature is left out: which others are suspected is not known here.
    """
    if finding.verdict != SUSPECT:
        return ""
    deciding = {
        state.clause.id
        for state in finding.clauses
        if state.clause.role in ("core", "rival") and _gain(finding, state)
    }
    for wanted in next_captures([finding]):
        if not wanted.capture.unsafe_if and any(one.clause in deciding for one in wanted.settles):
            return wanted.capture.run
    return ""


def _is_touched(finding: Finding) -> bool:
    """Return whether an unknown finding has support of its own: a clause TRUE, or half of a core fact."""
    return finding.verdict == UNKNOWN and any(
        (state.state is State.TRUE and state.clause.role != "rival")
        or (state.clause.role == "core" and state.outcome.is_half_there)
        for state in finding.clauses
    )


def _first(findings: Sequence[Finding], present: set[str]) -> Iterator[str]:
    """Yield the captures of `first` rows; matches and suspects exclude unknown findings."""
    has_firing = any(finding.verdict in (MATCH, SUSPECT) for finding in findings)
    for finding in findings:
        if has_firing and finding.verdict not in (MATCH, SUSPECT):
            continue
        states = {state.clause.id: state for state in finding.clauses}
        for row in finding.signature.first:
            if all(states[name].state is State.TRUE for name in row.after) and _gain(
                finding, states[row.ask]
            ):
                capture = _capture(finding, row.ask, present)
                if capture is not None:
                    yield capture.run
                break


def _capture(finding: Finding, clause_id: str, present: set[str]) -> Capture | None:
    """Return the first capture of a clause that is safe here and fits the system."""
    for capture in finding.signature.next.get(clause_id, ()):
        fits = not finding.cgroup_version or capture.cgroup in ("", finding.cgroup_version)
        fits = fits and capture.os == finding.signature.system.os
        if fits and not present.intersection(capture.unsafe_if):
            return capture
    return None


def _gain(finding: Finding, state: ClauseState) -> float:
    """Return the value of deciding the clause; 0 when it is decided.

    A core clause counts double, a clause met only by capped readings half (and 0 in a match), a clause of an
    unknown finding a tenth.
    """
    if state.state is State.UNKNOWN:
        openness = 1.0
    elif state.state is State.TRUE and state.outcome.caps and finding.verdict != MATCH:
        openness = 0.5
    else:
        return 0.0
    role = 2.0 if state.clause.role == "core" else 1.0
    return max(state.clause.weight, 0.5) * role * openness * (0.1 if finding.verdict == UNKNOWN else 1.0)
