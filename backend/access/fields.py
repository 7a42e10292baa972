"""Fields of API responses, and the least role that receives each.

    python -m backend.access.fields < frontend/openapi.json > docs/fields.md

The list is generated from the OpenAPI schema and committed. A new field, or a response that reaches a
lesser role, changes it, and `tests/backend/access/test_fields.py` fails until the change is reviewed and
committed. Responses whose keys the schema leaves open are named in `OPEN`, each with the reason.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from backend.access.actions import RANK, RULES, Action
from backend.access.permission_matrix import Endpoint, endpoints

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Schema = dict[str, Any]

OWN_CASES = frozenset({Action.CASES_LIST, Action.CASE_OPEN})
"""Actions whose responses describe visible or newly created cases, without concerning one case."""

OF_THE_LIBRARY = "content of the library, the same for every reader"
OF_THE_PRINCIPAL = "input of the request, returned"
OF_A_FIXED_SET = "phases, kinds of similarity or of changes, the same in every case"
OF_A_POINT = "costs and call tree of a point, as it was added"
OF_KINDS = "kinds of names that redaction replaces, with counts; no name"
OF_THE_CASE = "names of values in the evidence of a visible case"
OF_COLUMNS = "columns of the list of cases that the request names"
OF_A_STANDARD = "options of a ceremony of WebAuthn for the account that asks, by its standard"
OPEN = {
    "DifferenceRead.labels": OF_THE_CASE,
    "FactRead.labels": OF_THE_CASE,
    "AlarmRead.entity": "empty: clients of 0.1.0 expect it",
    "AlarmRead.extract": "empty: clients of 0.1.0 expect it",
    "FindingRead.entity": OF_THE_CASE,
    "FindingRead.extract": OF_THE_CASE,
    "FirstViewRead.facts": OF_THE_CASE,
    "GET /api/v1/cases.json": OF_COLUMNS,
    "GET /api/v1/signatures/language/schema": OF_THE_LIBRARY,
    "RedactedFileRead.counts": OF_KINDS,
    "Line.label": OF_THE_CASE,
    "PasskeyOptions.options": OF_A_STANDARD,
    "PhasesRead.counts": OF_A_FIXED_SET,
    "PointDocument.runs": OF_A_POINT,
    "PointDocument.stacks": OF_A_POINT,
    "RedactionRead.counts": OF_KINDS,
    "RedactionRead.kinds": OF_KINDS,
    "ReprocessRunRead.changes": OF_A_FIXED_SET,
    "SearchRead.spellings": OF_THE_PRINCIPAL,
    "SignatureRead.document": OF_THE_LIBRARY,
    "SimilarRead.weights": OF_A_FIXED_SET,
}
"""Objects whose keys the schema does not list, and why that discloses nothing undeclared."""

HEAD = """\
# Fields of API responses

Generated from the OpenAPI schema by `python -m backend.access.fields`; a test compares. A response holds the
fields below and no other. *From*: the least role that receives it. *Of a case*: for visible cases only
([permissions.md](permissions.md)). Files in formats other than JSON are not listed.
"""


@dataclass(slots=True)
class ResponseShape:
    """One shape of responses, and who receives it.

    Attributes:
        fields: Names of its fields, in order.
        actions: Actions of the endpoints whose responses contain it.
    """

    name: str
    fields: list[str]
    actions: set[Action] = field(default_factory=set)

    @property
    def least(self) -> str:
        """The least role that receives it; "nobody" when no sign-in is required."""
        roles = [RULES[action].role for action in self.actions]
        if None in roles:
            return "nobody"
        return min((role for role in roles if role), key=lambda role: RANK[role]).value

    @property
    def is_of_cases(self) -> bool:
        """Whether it is received for visible cases only."""
        return all(RULES[action].on_case or action in OWN_CASES for action in self.actions)


def response_shapes(document: Mapping[str, Any]) -> list[ResponseShape]:
    """Return every response shape of the OpenAPI `document`, by name."""
    found: dict[str, ResponseShape] = {}
    for endpoint, response in _responses(document):
        for name in _reached(document, response):
            shape = _component(document, name)
            if "properties" not in shape and "enum" in shape:
                continue
            one = found.setdefault(name, ResponseShape(name, sorted(shape.get("properties", ()))))
            one.actions.add(endpoint.action)
    return sorted(found.values(), key=lambda one: one.name)


def open_places(document: Mapping[str, Any]) -> Iterator[str]:
    """Yield where a response may hold keys that the schema does not list, as `Shape.field` or endpoint."""
    names: set[str] = set()
    for endpoint, response in _responses(document):
        names.update(_reached(document, response))
        if _is_open(response):
            yield f"{endpoint.method} {endpoint.path}"
    for name in sorted(names):
        shape = _component(document, name)
        yield from (f"{name}.{key}" for key, value in shape.get("properties", {}).items() if _is_open(value))
        if "properties" not in shape and _is_open(shape):
            yield name


def page(document: Mapping[str, Any]) -> str:
    """Return the whole list as Markdown."""
    rows = [
        f"| {one.name} | {one.least}{', of a case' if one.is_of_cases else ''} | {', '.join(one.fields)} |"
        for one in response_shapes(document)
    ]
    opened = [f"| `{place}` | {why} |" for place, why in sorted(OPEN.items())]
    parts = [
        HEAD,
        "| response | from | fields |",
        "| --- | --- | --- |",
        *rows,
        "",
        "## Keys that are values",
        "",
    ]
    return "\n".join([*parts, "| where | why |", "| --- | --- |", *opened, ""])


def _responses(document: Mapping[str, Any]) -> Iterator[tuple[Endpoint, Schema]]:
    """Yield the schema of every successful JSON response."""
    for endpoint in endpoints(document):
        if endpoint.method == "HEAD":
            continue
        operation = document["paths"][endpoint.path][endpoint.method.lower()]
        for status, response in operation["responses"].items():
            for kind, content in response.get("content", {}).items():
                if status.startswith("2") and kind == "application/json":
                    yield endpoint, content.get("schema", {})


def _reached(document: Mapping[str, Any], schema: Schema) -> set[str]:
    """Return the names of all components reachable from `schema`."""
    reached: set[str] = set()
    waiting: list[Any] = [schema]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting.extend(value)
        elif isinstance(value, dict):
            name = str(value.get("$ref", "")).rpartition("/")[2]
            if name and name not in reached:
                reached.add(name)
                waiting.append(_component(document, name))
            waiting.extend(inner for key, inner in value.items() if key not in {"default", "examples"})
    return reached


def _component(document: Mapping[str, Any], name: str) -> Schema:
    shape: Schema = document["components"]["schemas"][name]
    return shape


def _is_open(schema: Schema) -> bool:
    """Return whether a value of `schema` may have keys that the schema does not list."""
    for some in ("anyOf", "oneOf", "allOf"):
        if some in schema:
            return any(_is_open(one) for one in schema[some])
    if "$ref" in schema or "enum" in schema or "const" in schema:
        return False
    if schema.get("type") == "array":
        return any(map(_is_open, schema.get("prefixItems", [schema.get("items", {})])))
    if schema.get("type") == "object":
        return "properties" not in schema or bool(schema.get("additionalProperties"))
    return "type" not in schema


if __name__ == "__main__":
    sys.stdout.write(page(json.load(sys.stdin)))
