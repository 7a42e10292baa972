"""Cases of a service: listed, shown with findings and notes, annotated, closed, reopened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.documents.service_case import ServiceCase

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from cli.service.connection import Connection
    from ingest.model.json_value import JsonObject, JsonValue
    from signatures.documents.service_case import ServiceNote

PAGE = 200
"""Cases of one request at most."""


class CaseDocument(ServiceCase):
    """A case with its findings and the notes that were not deleted."""

    findings: list[JsonObject]
    notes: list[ServiceNote]


def cases(
    connection: Connection, limit: int, state: str, filters: Mapping[str, str | datetime | None]
) -> list[ServiceCase]:
    """Return at most `limit` cases, newest first.

    Args:
        connection: To the service.
        limit: At least 1.
        state: `open`, `closed` or `all`.
        filters: Query parameters of the list; times are in UTC, empty ones are left out.
    """
    asked = {name: _parameter(value) for name, value in filters.items() if value}
    if state != "all":
        asked["state"] = state
    return list(connection.items("cases", limit, limit=min(limit, PAGE), **asked))


def case_document(connection: Connection, number: str) -> CaseDocument:
    """Return a case, by number or UUID, with its findings and notes."""
    case: ServiceCase = connection.get(f"cases/{number}")
    findings = list(connection.items(f"cases/{number}/findings"))
    notes = [one for one in connection.items(f"cases/{number}/notes") if not one["is_deleted"]]
    return {**case, "findings": findings, "notes": notes}


def issue_of(connection: Connection, number: str, tracker: str, finding: str | None) -> JsonObject:
    """Return title, body and labels of an issue about a case, for the tracker."""
    chosen = {"finding": finding} if finding else {}
    document: JsonObject = connection.get(f"cases/{number}/issue", **{"for": tracker}, **chosen)
    return document


def page_of(connection: Connection, number: str) -> str:
    """Return the URL of the page of a case."""
    case = connection.get(f"cases/{number}")
    return f"{connection.url}/cases/{case['number']}"


def add_note(connection: Connection, number: str, text: str) -> None:
    """Add a note, in Markdown."""
    connection.change("POST", f"cases/{number}/notes", {"text": text})


def close(connection: Connection, number: str, *, cause: str, signature: str, fix: str) -> str:
    """Close a case, with its resolution unless all of it is ""; return its number."""
    body: dict[str, JsonValue] = {"state": "closed"}
    if cause or signature or fix:
        body["resolution"] = {"cause": cause, "signature": signature, "fix": fix}
    return _changed(connection, number, body)


def reopen(connection: Connection, number: str) -> str:
    """Reopen a closed case, whose resolution stays; return its number."""
    return _changed(connection, number, {"state": "open"})


def _changed(connection: Connection, number: str, body: JsonObject) -> str:
    return str(connection.change("PATCH", f"cases/{number}", body)["number"])


def _parameter(value: str | datetime) -> str:
    """Return the value of an option as a query parameter."""
    return value if isinstance(value, str) else f"{value.isoformat()}Z"
