"""What every operation of the API may answer: an answer as it was recorded, and each problem by its code.

    responses:
      200: {application/json: {example: …}}                                     `answers.json`, by operation
      404: {application/problem+json: {examples: {NotFound: …}}}                a page says what to do
      x-casebook-problems: [NotFound, …]

What an operation may refuse follows from what it takes, which the schema tells; what is its own is in `OWN`.
A test holds both against the schema, and every code against its page (`backend.core.http.problem_pages`).
"""

from __future__ import annotations

import json
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backend.core.http import pagination
from backend.core.http.problem_pages import ProblemType, type_of, types

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ANSWERS = Path(__file__).with_name("responses.json")
KEY = "x-casebook-problems"
JSON, PROBLEM = "application/json", "application/problem+json"

ALWAYS = ("TooManyRequests", "InternalError", "Unavailable")
SIGNED_IN = ("NotSignedIn", "NotAllowed")
ONCE = ("InvalidRequest", "RequestInProgress", "ResponseUnavailable", "KeyReused")
EVIDENCE = ("InvalidName", "UploadInterrupted", "TooLarge", "NoSpace")
BODY = ("BodyTooLarge", "BodyTooSlow")
SHARE = ("Gone", "NotSignedIn")
VIEW = ("UnsupportedQuery",)

OWN: dict[str, tuple[str, ...]] = {
    "accept_share": (*SHARE, "Conflict"),
    "answer_share": (*SHARE, "Conflict"),
    "begin_case_upload": ("Precondition",),
    "begin_code": ("Conflict",),
    "begin_drop": ("Precondition",),
    "begin_story": VIEW,
    "begin_case_story": VIEW,
    "begin_upload": ("Precondition",),
    "change_case_access": ("NotFound",),
    "change_note": ("Conflict",),
    "change_password": ("InvalidRequest", "TooManyAttempts"),
    "close_handoff": ("Conflict",),
    "come_back_from_provider": (
        "LoginExpired",
        "InvalidIdToken",
        "DeniedByProvider",
        "AccountDisabled",
        "NotFound",
    ),
    "confirm_code": ("Conflict", "NotSignedIn", "TooManyAttempts"),
    "contrast_hosts": VIEW,
    "create_case_token": ("Conflict",),
    "create_handoff": ("Conflict", "InvalidRequest"),
    "create_invitation": ("NotFound",),
    "create_service_token": ("Conflict",),
    "create_team": ("Conflict",),
    "create_token": ("Conflict",),
    "delete_team": ("Conflict",),
    "download_handoff_bundle": ("Conflict",),
    "download_handoff_page": ("Conflict",),
    "download_share_bundle": SHARE,
    "download_share_page": SHARE,
    "draft_signature": VIEW,
    "drop_file": ("NotFound",),
    "drop_files": ("NotFound", "MalformedRequest"),
    "end_code": ("Conflict", "NotSignedIn", "TooManyAttempts"),
    "find_outlier": VIEW,
    "give_up_drop": ("Conflict", "Precondition"),
    "give_up_upload": ("Conflict", "Precondition"),
    "import_story": ("InvalidStory", *VIEW),
    "join": ("Conflict", "Gone", "InvalidRequest", "TooManyAttempts"),
    "leave_for_provider": ("NotFound",),
    "note_capture": VIEW,
    "offer_handoff": ("Conflict",),
    "offer_story": ("Conflict", *VIEW),
    "open_case_link": ("Gone", "NotFound", "TooManyAttempts"),
    "open_share": ("Gone", "NotFound", "TooManyAttempts"),
    "place_evidence": VIEW,
    "publish_story": ("Conflict", *VIEW),
    "read_changes": ("Conflict",),
    "read_graph": ("InvalidRequest", *VIEW),
    "read_lines": ("Conflict",),
    "read_offset": ("Precondition",),
    "read_drop_offset": ("Precondition",),
    "read_series": VIEW,
    "read_share": SHARE,
    "read_share_lines": (*SHARE, "Conflict"),
    "read_share_picture": SHARE,
    "receive_case_files": ("MalformedRequest",),
    "receive_files": ("MalformedRequest",),
    "reopen_handoff": ("Conflict",),
    "restore_evidence": ("Conflict",),
    "restore_revision": ("InvalidRequest", "Precondition"),
    "retry_evidence": ("Conflict",),
    "revoke_token": ("NotFound",),
    "save_draft": ("InvalidRequest", "Precondition", *VIEW),
    "say_label": VIEW,
    "send_bytes": ("Checksum", "Conflict", "Gone", "Precondition", "Superseded", "WrongContent"),
    "send_drop_bytes": ("Checksum", "Conflict", "Gone", "Precondition", "Superseded", "WrongContent"),
    "set_draft_team": ("NotFound",),
    "sign_in": ("NotSignedIn", "TooManyAttempts"),
    "sign_in_by_password": ("CodeNeeded", "NotSignedIn", "TooManyAttempts"),
    "unpublish_story": ("Conflict",),
    "update_case": VIEW,
    "update_member": ("Conflict",),
    "write_handoff_message": ("Conflict",),
    "write_share_message": (*SHARE, "Conflict"),
}
"""By operation, what does not follow from what it takes."""


@lru_cache(maxsize=1)
def answers() -> dict[str, Any]:
    """Return an answer of every operation that answers with JSON, as one was recorded."""
    told: dict[str, Any] = json.loads(ANSWERS.read_text(encoding="utf-8"))
    return told


def problems_of(
    method: str, path: str, operation: dict[str, Any], *, is_open: bool, brings_evidence: bool
) -> Iterator[str]:
    """Yield the codes of what an operation of an OpenAPI schema may answer in place of what it is for."""
    taken = {one["name"] for one in operation.get("parameters", ())}
    content = operation.get("requestBody", {}).get("content", {})
    yield from ALWAYS
    if not is_open:
        yield from SIGNED_IN
    if "{" in path and not path.endswith("/drop/{filename}") and not path.endswith("/evidence/{filename}"):
        yield "NotFound"
    if "{case_id}" in path:
        yield "NotFound"
    if taken or JSON in content:
        yield "InvalidRequest"
    if pagination.is_paged(operation):
        yield "InvalidCursor"
    if "If-Match" in taken:
        yield "Precondition"
    if "Idempotency-Key" in taken:
        yield from ONCE
    if content and method != "get":
        yield from BODY
    if brings_evidence:
        yield from EVIDENCE
    if "/profiles/{" in path:
        yield from VIEW
    yield from OWN.get(operation["operationId"], ())


def document(
    schema: dict[str, Any],
    *,
    brings_evidence: Callable[[dict[str, Any]], bool],
    is_open: Callable[[dict[str, Any]], bool],
) -> None:
    """Give every operation of an OpenAPI `schema` an example of its answer, and its problems."""
    known = types()
    schema["components"]["examples"] = {
        code: {"summary": one.says, "value": _problem(one)} for code, one in known.items()
    }
    shared = schema["components"]["responses"]
    for code in shared:
        same = [one for one in known.values() if one.status == known[code].status]
        shared[code] = shared[code] | {"content": _response(same)["content"]}
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            _exemplify(operation)
            asks = {"is_open": is_open(operation), "brings_evidence": brings_evidence(operation)}
            codes = sorted(set(problems_of(method, path, operation, **asks)))
            operation[KEY] = codes
            by_status: dict[int, list[str]] = {}
            for code in codes:
                for status in _statuses(known[code], operation):
                    by_status.setdefault(status, []).append(code)
            for status, together in sorted(by_status.items()):
                told = operation["responses"].get(str(status), {})
                if "$ref" not in told:
                    operation["responses"][str(status)] = told | _response([known[one] for one in together])


def _exemplify(operation: dict[str, Any]) -> None:
    for status, response in operation["responses"].items():
        content = response.get("content", {}).get(JSON)
        if status.startswith("2") and content is not None and operation["operationId"] in answers():
            content["example"] = answers()[operation["operationId"]]


def _statuses(one: ProblemType, operation: dict[str, Any]) -> Iterator[int]:
    """Yield what a problem is answered with: 422 where a shape is wrong, 400 where it makes no sense."""
    yield one.status
    own = OWN.get(operation["operationId"], ())
    takes_key = any(told["name"] == "Idempotency-Key" for told in operation.get("parameters", ()))
    if one.code == "InvalidRequest" and (one.code in own or takes_key):
        yield HTTPStatus.BAD_REQUEST.value


def _response(together: list[ProblemType]) -> dict[str, Any]:
    """Return one status with the problems that have it."""
    says = ", ".join(f"[`{one.code}`]({type_of(one.code)})" for one in together)
    examples = {one.code: {"$ref": f"#/components/examples/{one.code}"} for one in together}
    shape = {"schema": {"$ref": "#/components/schemas/Problem"}, "examples": examples}
    return {"description": says, "content": {PROBLEM: shape}}


def _problem(one: ProblemType) -> dict[str, Any]:
    """Return a problem document; what its sentence says in an answer is of that request."""
    try:
        title = HTTPStatus(one.status).phrase
    except ValueError:
        title = "Error"
    return {
        "type": type_of(one.code),
        "title": title,
        "status": one.status,
        "detail": one.says,
        "code": one.code,
        "instance": "/api/v1/…",
    }
