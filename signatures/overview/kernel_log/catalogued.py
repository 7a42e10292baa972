"""Errors of no class in kernel logs: of which driver, about which device, by score.

Unclassified error of overlay (9 lines): overlayfs: maximum fs stacking depth exceeded; fs/overlayfs/super.c
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.documents.levels import LEVELS
from signatures.overview.decided_steps import UNCLASSIFIED, decided, near_of
from signatures.overview.kernel_log.alarms import SHOWN, WHOLE, assessed
from signatures.overview.kernel_log.score import factors
from signatures.overview.kernel_log.sentences import cause_of, quoted
from signatures.overview.kernel_log.unclassified import errors
from signatures.overview.kernel_log.unclassified_causes import explained_by
from signatures.overview.levels import level_of_classes
from signatures.overview.model import Answer, Figure, Statement, place
from signatures.rendering.places import SHOWN_PLACES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from signatures.documents.levels import Level
    from signatures.overview.decided_steps import Decided, Near
    from signatures.overview.kernel_log.chain import Chain, Placed
    from signatures.overview.kernel_log.unclassified import Error
    from signatures.overview.model import Place
    from signatures.overview.scope_evidence import ScopeEvidence

STATED = 16
"""Errors with a statement."""


def catalogued_messages(evidence: ScopeEvidence) -> Answer:
    """Return the errors of no class, the highest score first, then what may be one."""
    found = errors(evidence)
    if not found:
        return Answer("No kernel message of no class tells of a failure.")
    log = assessed(evidence)
    chains = log.chains if log else []
    near = near_of(evidence)
    statements = tuple(_statement(one, near, explained_by(one, chains)) for one in found[:STATED])
    figures = tuple(map(_figure, found[:SHOWN]))
    return Answer(f"{statements[0].text}.", figures, (WHOLE,), statements)


def _statement(error: Error, near: Near, chain: Chain | None) -> Statement:
    subject = _subject(error)
    text = f"{subject[:1].upper()}{subject[1:]}{_count(error)}: {quoted(_first(error).record.message)}"
    level: Level = "notable"
    if error.is_alarm:
        level = "failure" if error.score >= factors().failure else "degraded"
    if chain:
        level = max(level, level_of_classes([one.log_class.name for one in chain.alarms]), key=LEVELS.index)
    of_lines = _decided(error, near)
    return Statement(
        "kernel-log",
        text,
        _places(error.placed),
        "unclassified" if error.is_alarm else "fact",
        level,
        WHOLE,
        is_notable=not error.is_alarm,
        subject=subject,
        device=error.device,
        first_step=of_lines.step,
        short=of_lines.headline,
        things=(error.device,) if error.device else (),
        names=(_first(error).record.message,),
        qualifiers=tuple(filter(None, (_where(error), _before(error), _then(chain)))),
        is_cause=chain is not None,
        explained=_places(one for alarm in chain.alarms for one in alarm.places) if chain else (),
        engine="catalogue",
    )


def _decided(error: Error, near: Near) -> Decided:
    """Return what the messages decide, else the step of their place in the source."""
    about = f"driver={error.driver}\npath={error.path}"
    return decided(UNCLASSIFIED, error.placed, near, error.device, about=about)


def _subject(error: Error) -> str:
    """Return `unclassified error of nvidia on 0000:b3:00.0`."""
    words = "unclassified error" if error.is_alarm else "may be an error"
    of = f" of {error.driver}" if error.driver else ""
    on = f" on {error.device}" if error.device else ""
    return f"{words}{of}{on}"


def _count(error: Error) -> str:
    """Return the incidents, and the lines where they are more."""
    lines = len(error.placed)
    if error.incidents == 1:
        return f" ({lines:,} lines)" if lines > 1 else ""
    more = f" ({lines:,} lines)" if lines > error.incidents else ""
    return f", {error.incidents:,} times{more}"


def _where(error: Error) -> str:
    """Return the file of a message that is printed in one place."""
    return f"; {error.path}" if error.path else ""


def _then(chain: Chain | None) -> str:
    """Return the alarm that follows from an error; "" without one."""
    return f"; then: {cause_of(chain.lead)}" if chain else ""


def _before(error: Error) -> str:
    """Return what the same device said just before."""
    return f"; just before: {quoted(error.before.message)}" if error.before else ""


def _figure(error: Error) -> Figure:
    note = f"{quoted(_first(error).record.message)}{_where(error)}"
    return Figure(
        _subject(error), float(len(error.placed)), "count", _places(error.placed), is_notable=True, note=note
    )


def _first(error: Error) -> Placed:
    return error.placed[0]


def _places(placed: Iterable[Placed]) -> tuple[Place, ...]:
    lines = ((one.item, lines) for one in placed for lines in one.record.deciding)
    return tuple(place(item, own.first, own.last) for item, own in list(lines)[:SHOWN_PLACES])
