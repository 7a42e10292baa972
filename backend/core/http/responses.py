"""The problems that every operation of the API may answer, by code.

    responses:
      4XX, 5XX: {$ref: "#/components/responses/Problem"}
      x-casebook-problems: [NotFound, …]

Most follow from what the operation takes, which the schema says; the others are in `OWN`. A test checks both
against the schema, and every code against its page (`backend.core.http.problem_pages`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from backend.core.http import pagination
from backend.core.http.problems import Problem
from backend.core.http.rate_limit_keys import SESSION_COOKIE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

KEY = "x-casebook-problems"
JSON, PROBLEM, CLIENT_ERROR = "application/json", "Problem", 4

ALWAYS = ("TooManyRequests", "InternalError", "Unavailable")
SIGNED_IN = ("NotSignedIn", "NotAllowed")
ONCE = ("InvalidRequest", "RequestInProgress", "ResponseUnavailable", "KeyReused")
EVIDENCE = ("InvalidName", "UploadInterrupted", "TooLarge", "NoSpace")
BODY = ("BodyTooLarge", "BodyTooSlow")
SHARE = ("Gone", "NotSignedIn")
STORED = ("DamagedBytes", "MissingBytes")
VIEW = ("UnsupportedQuery",)

HEADERS = {
    "RateLimit-Policy": "The rate limit of the request: its name, `q` requests in `w` seconds.",
    "RateLimit": "What is left of it: `r` requests, reset in `t` seconds.",
    "Retry-After": "Seconds until the next request is accepted, with 429 and 503.",
}
PROBLEM_RESPONSE: dict[str, Any] = {
    "description": "The request failed: `detail` says why, `code` is one of `x-casebook-problems`.",
    "headers": {name: {"description": text, "schema": {"type": "string"}} for name, text in HEADERS.items()},
    "content": {"application/problem+json": {"schema": {"$ref": f"#/components/schemas/{PROBLEM}"}}},
}
SIGN_IN = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "An API token; `casebook token create --name ci` creates one.",
    },
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": SESSION_COOKIE,
        "description": "The session cookie of a signed-in browser.",
    },
}

OWN: dict[str, tuple[str, ...]] = {
    "accept_invitation": ("Conflict", "Gone", "InvalidRequest"),
    "accept_share": (*SHARE, "Conflict"),
    "answer_share": (*SHARE, "Conflict"),
    "cancel_drop_upload": ("Conflict", "Precondition"),
    "cancel_upload": ("Conflict", "Precondition"),
    "change_case_access": ("NotFound",),
    "change_note": ("Conflict",),
    "change_password": ("InvalidRequest", "ReauthenticationNeeded", "TooManyAttempts"),
    "close_handoff": ("Conflict",),
    "confirm_sign_in": ("Conflict", "TooManyAttempts"),
    "confirm_totp": ("Conflict", "NotSignedIn", "ReauthenticationNeeded", "TooManyAttempts"),
    "contrast_hosts": VIEW,
    "create_capture_run": VIEW,
    "create_case_story": VIEW,
    "create_case_token": ("Conflict",),
    "create_case_upload": ("Precondition",),
    "create_destination": ("Conflict", "InvalidRequest", "NotFound"),
    "create_drop_upload": ("Precondition",),
    "create_handoff": ("Conflict", "InvalidRequest"),
    "create_invitation": ("NotFound", "ReauthenticationNeeded"),
    "create_service_token": ("Conflict", "ReauthenticationNeeded"),
    "create_story": VIEW,
    "create_team": ("Conflict",),
    "create_token": ("Conflict", "ReauthenticationNeeded"),
    "create_upload": ("Precondition",),
    "delete_team": ("Conflict",),
    "disable_totp": ("Conflict", "NotSignedIn", "ReauthenticationNeeded", "TooManyAttempts"),
    "download_handoff_bundle": (*STORED, "Conflict"),
    "download_handoff_page": (*STORED, "Conflict"),
    "download_share_bundle": (*STORED, *SHARE),
    "download_share_page": (*STORED, *SHARE),
    "download_evidence": STORED,
    "download_signature_draft": STORED,
    "draft_signature": VIEW,
    "drop_file": ("NotFound",),
    "drop_files": ("NotFound", "MalformedRequest"),
    "find_outlier": VIEW,
    "finish_oidc_login": (
        "LoginExpired",
        "InvalidIdToken",
        "DeniedByProvider",
        "AccountDisabled",
        "NotFound",
    ),
    "import_story": ("InvalidStory", *VIEW),
    "offer_handoff": ("Conflict",),
    "open_case_link": ("Gone", "NotFound", "TooManyAttempts"),
    "open_share": ("Gone", "NotFound", "TooManyAttempts"),
    "publish_story": ("Conflict", *VIEW),
    "read_changes": (*STORED, "Conflict"),
    "read_drop_offset": ("Precondition",),
    "read_graph": ("InvalidRequest", *VIEW),
    "read_lines": (*STORED, "Conflict"),
    "read_offset": ("Precondition",),
    "read_series": VIEW,
    "read_share": SHARE,
    "read_share_lines": (*STORED, *SHARE, "Conflict"),
    "read_share_picture": (*STORED, *SHARE),
    "receive_case_files": ("MalformedRequest",),
    "receive_files": ("MalformedRequest",),
    "reopen_handoff": ("Conflict",),
    "restore_evidence": ("Conflict",),
    "restore_revision": ("InvalidRequest", "Precondition"),
    "retry_evidence": ("Conflict",),
    "revoke_token": ("NotFound",),
    "rotate_service_token": ("ReauthenticationNeeded",),
    "rotate_token": ("ReauthenticationNeeded",),
    "save_draft": ("InvalidRequest", "Precondition", *VIEW),
    "send_bytes": ("Checksum", "Conflict", "Gone", "Precondition", "Superseded", "WrongContent"),
    "send_drop_bytes": ("Checksum", "Conflict", "Gone", "Precondition", "Superseded", "WrongContent"),
    "set_draft_team": ("NotFound",),
    "set_label": VIEW,
    "sign_in": ("NotSignedIn", "TooManyAttempts"),
    "sign_in_by_password": ("CodeNeeded", "NotSignedIn", "TooManyAttempts"),
    "start_oidc_login": ("NotFound",),
    "start_totp_setup": ("Conflict", "ReauthenticationNeeded"),
    "submit_story": ("Conflict", *VIEW),
    "rotate_destination": ("Conflict",),
    "test_destination": ("Conflict",),
    "unpublish_story": ("Conflict",),
    "update_case": VIEW,
    "update_member": ("Conflict", "ReauthenticationNeeded"),
    "write_handoff_message": ("Conflict",),
    "write_share_message": (*SHARE, "Conflict"),
}
"""By operation, what does not follow from what it takes."""


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
    if JSON in content:
        yield "WrongContent"
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
    """Name the problems of every operation of an OpenAPI `schema`; their response is declared once."""
    components = schema.setdefault("components", {})
    components.setdefault("schemas", {})[PROBLEM] = Problem.model_json_schema()
    components["securitySchemes"] = SIGN_IN
    components["responses"] = {PROBLEM: PROBLEM_RESPONSE}
    schema["security"] = [{name: []} for name in SIGN_IN]
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            given = {"is_open": is_open(operation), "brings_evidence": brings_evidence(operation)}
            operation[KEY] = sorted(set(problems_of(method, path, operation, **given)))
            if is_open(operation):
                operation["security"] = []
            responses = operation.get("responses", {})
            operation["responses"] = {
                status: response for status, response in responses.items() if int(status[0]) < CLIENT_ERROR
            }
            problem = {"$ref": f"#/components/responses/{PROBLEM}"}
            operation["responses"] |= {"4XX": problem, "5XX": problem}
    for name in ("HTTPValidationError", "ValidationError"):
        components["schemas"].pop(name, None)
