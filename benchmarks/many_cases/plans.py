"""Statements that PostgreSQL runs for a request, and their plans."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import event, text

from backend.models import Base

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from sqlalchemy import Engine

SMALL = frozenset(
    {
        "account",
        "audit_head",
        "frame_count_change",
        "idempotency_key",
        "invitation",
        "library_entry",
        "oidc_flow",
        "redaction",
        "share",
        "share_pass",
        "sign_in_attempts",
        "story",
        "story_revision",
        "team",
        "team_member",
        "token",
    }
)
"""Tables that do not grow with the number of cases, or are emptied all the time."""

GROWING = frozenset(table.name for table in Base.metadata.sorted_tables) - SMALL


LEAST = 1000


class Statement(NamedTuple):
    """A statement as it was sent, and the setting of the planner."""

    text: str
    parameters: Any
    setting: str = ""


class Plan(NamedTuple):
    """What one statement took.

    Attributes:
        milliseconds: Planned and executed.
        buffers: Pages of 8 kB read, from memory or disk.
        nodes: Kinds of plan nodes and the tables they read.
    """

    milliseconds: float
    buffers: int
    nodes: tuple[str, ...]


@contextmanager
def record_statements(engine: Engine) -> Iterator[list[Statement]]:
    """Context manager: record every query."""
    statements: list[Statement] = []
    settings: list[str] = [""]

    def note(_connection: Any, _cursor: Any, sent: str, parameters: Any, *_: Any) -> None:
        if sent.startswith("set local enable_seqscan"):
            settings[0] = sent
        if sent.lstrip().lower().startswith(("select", "with")) and "for update" not in sent.lower():
            statements.append(Statement(sent, parameters, settings[0]))

    event.listen(engine, "before_cursor_execute", note)
    try:
        yield statements
    finally:
        event.remove(engine, "before_cursor_execute", note)


def plan_of(engine: Engine, statement: Statement, *, run: bool) -> Plan:
    """Return the plan of a statement, and what it took when it is `run`."""
    options = "analyze, buffers, format json" if run else "format json"
    with engine.connect() as connection:
        if statement.setting:
            connection.exec_driver_sql(statement.setting)
        explained = connection.exec_driver_sql(f"explain ({options}) {statement.text}", statement.parameters)
        (plan,) = explained.scalar_one()
        connection.rollback()
    root = plan["Plan"]
    took = plan.get("Execution Time", 0.0) + plan.get("Planning Time", 0.0)
    buffers = root.get("Shared Hit Blocks", 0) + root.get("Shared Read Blocks", 0)
    return Plan(took, buffers, tuple(_nodes(root)))


def grown(engine: Engine) -> set[str]:
    """Return the growing tables that have grown: of a short one the planner rightly reads all."""
    with engine.connect() as connection:
        rows = connection.execute(
            text("select relname from pg_class where reltuples >= :least"), {"least": LEAST}
        )
        return set(rows.scalars()) & GROWING


def scanned_whole(plan: Plan, tables: Collection[str] = GROWING) -> set[str]:
    """Return those of `tables` that a plan reads from end to end."""
    return {node.split(" on ")[1] for node in plan.nodes if node.startswith("Seq Scan on ")} & set(tables)


def _nodes(node: dict[str, Any]) -> Iterator[str]:
    table = node.get("Relation Name")
    index = node.get("Index Name")
    yield node["Node Type"] + (f" on {table}" if table else "") + (f" by {index}" if index else "")
    for inner in node.get("Plans", ()):
        yield from _nodes(inner)
