"""Requests to every operation about one case, sent to the application without a socket."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import httpx

from backend.access.permission_matrix import Answer, Endpoint, endpoints
from backend.core.http.shared_parts import parameters_of
from tests.backend.applications import api_schema

if TYPE_CHECKING:
    from fastapi import FastAPI

ABSENT_ID = "01900000-0000-7000-8000-00000000dead"
OTHER_ID = "01900000-0000-7000-8000-00000000beef"
NOT_THERE = re.compile(
    r"there is no (capture|case|evidence|incident event|note|profile|upload) [0-9a-f-]{36}"
)
OTHERS = {
    "account_id": OTHER_ID,
    "baseline_id": OTHER_ID,
    "point_id": OTHER_ID,
    "handoff_id": OTHER_ID,
    "delivery_id": OTHER_ID,
    "passkey_id": OTHER_ID,
    "destination_id": OTHER_ID,
    "hunt_id": OTHER_ID,
    "version_id": OTHER_ID,
    "draft_id": OTHER_ID,
    "proposal_id": OTHER_ID,
    "signature": "memcg-oom",
    "label_id": OTHER_ID,
    "link_id": OTHER_ID,
    "token_id": OTHER_ID,
    "session_id": OTHER_ID,
    "team_id": OTHER_ID,
    "member_id": OTHER_ID,
    "invitation_id": OTHER_ID,
    "share_id": OTHER_ID,
    "item": "0",
    "key": "mm/memcg-oom",
    "release": "6.12.20",
    "search_id": OTHER_ID,
    "series_id": "rows:vmstat",
    "source": "cmdb",
    "story_id": OTHER_ID,
    "number": "1",
    "node": "0",
    "other": OTHER_ID,
    "area": "mm",
    "name": "none",
    "filename": "a.txt",
    "proof": "none",
    "export": "probe",
}


class Place(NamedTuple):
    """The ids that URLs about one case are made of."""

    case_id: str
    evidence_id: str
    profile_id: str
    upload_id: str
    note_id: str
    run_id: str
    event_id: str


NOWHERE = Place(*(ABSENT_ID for _ in Place._fields))


@cache
def all_endpoints() -> list[Endpoint]:
    """Return every operation of the API."""
    return list(endpoints(api_schema()))


def url_of(endpoint: Endpoint, place: Place) -> str:
    values = {**OTHERS, **place._asdict()}
    return re.sub(r"\{(\w+)(:path)?\}", lambda found: values[found[1]], endpoint.path)


def query_of(endpoint: Endpoint, place: Place) -> dict[str, str]:
    """Return the query parameters that the operation requires, and may take."""
    operation = api_schema()["paths"][endpoint.path][endpoint.method.lower()]
    taken = {one["name"] for one in parameters_of(api_schema(), operation) if one["in"] == "query"}
    values = {"base": place.profile_id, "name": "f", "case": place.case_id}
    return {name: value for name, value in values.items() if name in taken}


async def response_of(app: FastAPI, method: str, url: str, **details: Any) -> httpx.Response:
    """Ask the application without a socket or a client: thousands of requests take seconds."""
    request = httpx.Request(method, f"http://casebook{url}", **details)
    response = await httpx.ASGITransport(app=app).handle_async_request(request)
    await response.aread()
    return response


def _is_absent(detail: str) -> bool:
    """Return whether an error says that what the URL is about is not there."""
    return NOT_THERE.search(detail) is not None and OTHER_ID not in detail


def outcome_of(answer: httpx.Response, endpoint: Endpoint, place: Place) -> tuple[Answer, str]:
    """Return what was decided, and the whole answer without the ids of the request."""
    text = answer.text
    for name in place:
        text = text.replace(name, "ID")
    if answer.status_code == 401:
        return Answer.UNKNOWN, text
    if answer.status_code == 403:
        return Answer.REFUSED, text
    # The answer to HEAD has no body that could say what is not there. Another case is looked up once this one
    # is found and may be changed.
    if answer.status_code == 404 and (endpoint.method == "HEAD" or _is_absent(answer.json()["detail"])):
        return Answer.NOT_FOUND, text
    return Answer.ALLOWED, text
