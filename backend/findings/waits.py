"""Wait graphs of a case, kept with its screen; an export is drawn on request in a limited child."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from backend.core.errors import NotFoundError
from backend.evidence import readings
from backend.findings import screens
from backend.findings.case_analysis import child_item, folders_of
from backend.findings.schemas_waits import WaitsRead
from backend.sandbox.envelope import result_of_request

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from sqlalchemy.orm import Session

    from backend.core.settings import Settings
    from backend.core.storage.object_store import Store
    from backend.models.case import Case
    from backend.sandbox.documents import WaitGraphArguments

Shape: TypeAlias = Literal["svg", "mermaid", "text"]
MEDIA_TYPES = {
    "svg": ("image/svg+xml", "svg"),
    "mermaid": ("text/plain; charset=utf-8", "mmd"),
    "text": ("text/plain; charset=utf-8", "txt"),
}


class Export(NamedTuple):
    """One wait graph as a file."""

    content: str
    media_type: str
    suffix: str


def of_case(session: Session, case: Case) -> WaitsRead:
    """Return the wait graph of every host and phase whose evidence shows tasks."""
    screen = screens.of_case(session, case)
    graphs = screens.named(screen.waits, screens.names_of(session, case)) if screen else ()
    return WaitsRead(
        evidence_rev=screen.evidence_rev if screen else case.evidence_rev,
        graphs=graphs,
    )


def export(
    settings: Settings, session: Session, store: Store, case: Case, shape: Shape, *, host: str, phase: str
) -> Callable[[], Export]:
    """Return what draws one wait graph as a file; it uses no database.

    That raises:
        NotComputedError: It could not be drawn within the limits.
        NotFoundError: The evidence of this host and phase shows no tasks.
    """
    names = screens.names_of(session, case)
    placed = readings.of_case(session, case.id)
    items = [child_item(store, one) for one in placed]
    for one in items:
        one["item"]["evidence"] = names.get(one["item"]["evidence"], one["item"]["evidence"])
    arguments: WaitGraphArguments = {"items": items, "host": host, "phase": phase, "shape": shape}
    return partial(_drawn, settings, arguments, folders_of(store, placed))


def _drawn(settings: Settings, arguments: WaitGraphArguments, folders: Sequence[Path]) -> Export:
    content = result_of_request(
        settings, "draw wait graph", arguments, what="the wait graph", readable=folders
    )
    if content is None:
        host = arguments["host"] or "the unknown host"
        raise NotFoundError(f"no wait graph of {host}, {arguments['phase']}: its evidence shows no tasks")
    return Export(content, *MEDIA_TYPES[arguments["shape"]])
