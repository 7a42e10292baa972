"""`Location` of what a request created, or began to make: where it can be read.

    POST /api/v1/cases                 201   Location: /api/v1/cases/7
    PUT  /api/v1/evidence/dmesg.txt    202   Location: /api/v1/cases/7

Source: https://www.rfc-editor.org/rfc/rfc9110#name-location
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fastapi import Response

PREFIX = "/api/v1"

LOCATED = frozenset(
    {
        "add_baseline_point",
        "add_library",
        "begin_hunt",
        "begin_reprocess_run",
        "create_case",
        "create_case_story",
        "create_case_upload",
        "create_destination",
        "create_drop_upload",
        "create_handoff",
        "create_signature_draft",
        "create_story",
        "create_upload",
        "import_story",
        "judge_again",
        "merge_problems",
        "paste",
        "paste_into_case",
        "prepare_handoff_again",
        "pull_library",
        "put_case_file",
        "put_file",
        "receive_case_files",
        "receive_files",
        "replace_tokens",
        "retry_evidence",
        "split_problem",
    }
)
"""Operations whose answer has the header."""

HEADER = {"Location": {"description": "Where to read it.", "schema": {"type": "string"}}}
REFERENCE = {"Location": {"$ref": "#/components/headers/Location"}}


def locate(response: Response, *path: object) -> None:
    """Set the header of `response` to the resource of the API below `path`, its segments."""
    response.headers["Location"] = "/".join((PREFIX, *map(str, path)))


def document(schema: dict[str, Any]) -> None:
    """Add the header to the responses of an OpenAPI `schema`, declared once."""
    schema.setdefault("components", {})["headers"] = HEADER
    for operations in schema["paths"].values():
        for operation in operations.values():
            if operation["operationId"] in LOCATED:
                for status in operation["responses"].keys() & {"200", "201", "202"}:
                    operation["responses"][status]["headers"] = REFERENCE
