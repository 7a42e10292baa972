"""Domain events: a feature publishes what happened, and higher features subscribe without being named by it.

    @dataclass(frozen=True, slots=True)             # backend/evidence/domain_events.py
    class CaseEvidenceChanged: ...

    publish(session, CaseEvidenceChanged(case_id))  # backend/evidence/service.py

    @subscribes(CaseEvidenceChanged)                # backend/findings/tasks.py
    def judge_changed_case(session, event): ...

Subscribers run at once, in the transaction of the publisher. Why not a library: docs/adr/0023.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, TypeVar

from backend.core.jobs.task_modules import load_task_modules

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.orm import Session

DomainEvent = TypeVar("DomainEvent")

_subscribers: dict[type, list[Callable[[Session, Any], None]]] = defaultdict(list)


def subscribes(
    kind: type[DomainEvent],
) -> Callable[[Callable[[Session, DomainEvent], None]], Callable[[Session, DomainEvent], None]]:
    """Call the decorated function for every event of `kind`, in order of registration."""

    def register(function: Callable[[Session, DomainEvent], None]) -> Callable[[Session, DomainEvent], None]:
        _subscribers[kind].append(function)
        return function

    return register


def publish(session: Session, event: object) -> None:
    """Call the subscribers of `event` in the transaction of `session`.

    Raises:
        LookupError: There is none, and work would be lost.
    """
    load_task_modules()
    if type(event) not in _subscribers:
        raise LookupError(f"nothing subscribes to {type(event).__name__}")
    for subscriber in _subscribers[type(event)]:
        subscriber(session, event)
