"""Wait graphs of a case, computed from its current readings on request.

They take a fraction of a second and depend on the readings only, so they are not stored.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias
from uuid import UUID

from sqlalchemy import select

from backend.core.errors import NotFoundError
from backend.evidence import readings
from backend.findings.items import item_of
from backend.findings.schemas_waits import WaitGraphRead, WaitsRead
from backend.models.evidence import Evidence
from signatures.judging.scope import scopes_of
from signatures.waits import graph_of
from signatures.waits.document import graph_document
from signatures.waits.mermaid import mermaid_lines
from signatures.waits.svg import picture
from signatures.waits.text import text_lines

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.core.storage.object_store import Store
    from backend.models.case import Case
    from signatures.judging.scope import Scope
    from signatures.waits import WaitGraph

Shape: TypeAlias = Literal["svg", "mermaid", "text"]


class Export(NamedTuple):
    """One wait graph as a file."""

    content: str
    media_type: str
    suffix: str


def of_case(session: Session, store: Store, case: Case) -> WaitsRead:
    """Return the wait graph of every host and phase whose evidence shows tasks."""
    names = _names(session, case)
    graphs = [(scope, graph_of(scope.items)) for scope in _scopes(session, store, case)]
    documents = [graph_document(graph, scope.host, scope.phase) for scope, graph in graphs if graph.tasks]
    return WaitsRead(
        evidence_rev=case.evidence_rev,
        graphs=[WaitGraphRead.model_validate(_named(document, names)) for document in documents],
    )


def export(session: Session, store: Store, case: Case, shape: Shape, *, host: str, phase: str) -> Export:
    """Return one wait graph as a file.

    Raises:
        NotFoundError: The evidence of this host and phase shows no tasks.
    """
    names = _names(session, case)
    for scope in _scopes(session, store, case):
        if (scope.host, scope.phase) != (host, phase):
            continue
        items = [replace(item, evidence=names.get(item.evidence, item.evidence)) for item in scope.items]
        graph = graph_of(items)
        if graph.tasks:
            return _export(graph, scope, shape)
    raise NotFoundError(
        f"no wait graph of {host or 'the unknown host'}, {phase}: its evidence shows no tasks"
    )


def _export(graph: WaitGraph, scope: Scope, shape: Shape) -> Export:
    if shape == "svg":
        return Export(picture(graph, scope.host), "image/svg+xml", "svg")
    if shape == "mermaid":
        return Export("\n".join(mermaid_lines(graph)) + "\n", "text/plain; charset=utf-8", "mmd")
    lines = [line.text for line in text_lines(graph, with_all=True)]
    return Export("\n".join(lines) + "\n", "text/plain; charset=utf-8", "txt")


def _scopes(session: Session, store: Store, case: Case) -> list[Scope]:
    return scopes_of([item_of(store, one) for one in readings.of_case(session, case.id)])


def _names(session: Session, case: Case) -> dict[str, str]:
    rows = session.execute(
        select(Evidence.id, Evidence.captured_path, Evidence.filename).where(Evidence.case_id == case.id)
    )
    return {str(evidence_id): path or name for evidence_id, path, name in rows}


def _named(value: Any, names: dict[str, str]) -> Any:
    """Return a document with evidence ids beside the display names."""
    if isinstance(value, list):
        return [_named(one, names) for one in value]
    if not isinstance(value, dict):
        return value
    named = {key: _named(one, names) for key, one in value.items()}
    if "evidence" in named:
        named |= {"evidence_id": UUID(named["evidence"]), "evidence": names.get(named["evidence"], "")}
    return named
