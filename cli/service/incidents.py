"""Incidents of a service: fields of cases, and events."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

import click

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from cli.service.connection import Connection
    from ingest.model.json_value import JsonValue
    from signatures.documents.service_case import ServiceCase

NOBODY = "none"
"""The word for no severity, assignee or team."""


def set_fields(
    connection: Connection, numbers: Sequence[str], changes: dict[str, str | tuple[str, ...]]
) -> Iterator[str]:
    """Change fields of cases; yield a line per case.

    Args:
        connection: To the service.
        numbers: Numbers or UUIDs of cases.
        changes: The options of `casebook case set` that were given.
    """
    team = changes.pop("team", None)
    title = changes.pop("title", None)
    if isinstance(team, str):
        _set_team(connection, numbers, team)
    if title is not None:
        connection.change("PATCH", f"cases/{numbers[0]}", {"title": title})
    body: dict[str, JsonValue] = {name: _value(value) for name, value in changes.items()}
    named = urlencode([("case", number) for number in numbers])
    items: list[ServiceCase] = connection.change("PATCH", f"cases?{named}", body)["items"]
    for one in items:
        severity = f", {one['severity']}" if one["severity"] else ""
        assignee = f", {one['assignee']['name']}" if one["assignee"] else ""
        yield f"{one['number']}  {one['status']}{severity}{assignee}"


def add_event(connection: Connection, number: str, kind: str, at: datetime | None, text: str) -> str:
    """Record an event of the incident, now or at a time in UTC; return its time."""
    body: dict[str, JsonValue] = {"kind": kind, "text": text}
    if at is not None:
        body["at"] = f"{at.isoformat()}Z"
    return str(connection.change("POST", f"cases/{number}/incident/events", body)["at"])


def _value(given: str | tuple[str, ...]) -> JsonValue:
    """Return an option as the service has it: a repeatable one is a list, the word for nobody is null."""
    if isinstance(given, tuple):
        return list(given)
    return None if given == NOBODY else given


def _set_team(connection: Connection, numbers: Sequence[str], name: str) -> None:
    teams = {one["name"]: one["id"] for one in connection.items("teams")}
    if name != NOBODY and name not in teams:
        raise click.UsageError(f"there is no team {name!r}; there are: {', '.join(sorted(teams)) or 'none'}")
    for number in numbers:
        access = connection.get(f"cases/{number}/access")
        body = {"visibility": access["visibility"], "team_id": teams.get(name)}
        connection.change("PUT", f"cases/{number}/access", body)
