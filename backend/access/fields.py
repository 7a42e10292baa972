"""Which fields the API tells, and to whom: nothing is told that this list does not declare.

    python -m backend.access.fields > docs/fields.md

The list is made from the schema of the API and committed. A new field, or an answer that begins to reach a
lesser role, changes it, and `tests/backend/access/test_fields.py` fails until somebody looked and committed
that. An answer whose shape the schema leaves open could tell anything, so each of those is named in `OPEN`.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from backend.access.actions import RANK, RULES, Action
from backend.access.permission_matrix import Endpoint, endpoints

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Schema = dict[str, Any]

OWN_CASES = frozenset({Action.CASES_LIST, Action.CASE_OPEN})
"""Actions that tell of cases one sees or just opened, without being about one."""

OF_THE_LIBRARY = "the library's own words, the same for everybody who may read it"
OF_THE_ASKER = "the principal's own words, given back"
OF_A_FIXED_SET = "phases or kinds of likeness, which are the same in every case"
OF_KINDS = "kinds of names that redaction replaces, and how many: no name"
OF_A_COUNT = "how many verdicts were compared and told"
OF_THE_CASE = "names that evidence of a case one sees gives its own values"
OPEN = {
    "AffectedRead.reported": OF_THE_LIBRARY,
    "DifferenceRead.labels": OF_THE_CASE,
    "FactRead.labels": OF_THE_CASE,
    "FindingRead.entity": OF_THE_CASE,
    "FindingRead.extract": OF_THE_CASE,
    "FindingRead.references": OF_THE_LIBRARY,
    "GET /api/v1/signatures/language/schema": OF_THE_LIBRARY,
    "HandedRead.counts": OF_KINDS,
    "Line.label": OF_THE_CASE,
    "PhasesRead.counts": OF_A_FIXED_SET,
    "RedactionRead.counts": OF_KINDS,
    "RedactionRead.kinds": OF_KINDS,
    "RedactionRead.verdicts": OF_A_COUNT,
    "SearchRead.spellings": OF_THE_ASKER,
    "SignatureRead.document": OF_THE_LIBRARY,
    "SimilarRead.weights": OF_A_FIXED_SET,
}
"""Places whose keys are not those of a model, and why that tells nothing that was not declared."""

HEAD = """\
# Which fields are told to whom

Printed from the schema of the API by `python -m backend.access.fields`; a test compares. An answer holds the
fields below and no other. *From* is the least role that gets one; *of a case* means: of cases one sees
([permissions.md](permissions.md)). What is a file in its own format, and not JSON, is not in the list.
"""


@dataclass(slots=True)
class Told:
    """One shape of answers, and who gets it.

    Attributes:
        fields: Names of its fields, in order.
        actions: Of the endpoints that answer with it, or with something that holds it.
    """

    name: str
    fields: list[str]
    actions: set[Action] = field(default_factory=set)

    @property
    def least(self) -> str:
        """The least role that gets it; "nobody" when one need not be signed in."""
        roles = [RULES[action].role for action in self.actions]
        if None in roles:
            return "nobody"
        return min((role for role in roles if role), key=lambda role: RANK[role]).value

    @property
    def is_of_cases(self) -> bool:
        """Whether nobody gets it but for a case they see."""
        return all(RULES[action].on_case or action in OWN_CASES for action in self.actions)


def told(document: Mapping[str, Any]) -> list[Told]:
    """Return every shape that an answer of the OpenAPI `document` may have, by name."""
    found: dict[str, Told] = {}
    for endpoint, answer in _answers(document):
        for name in _reached(document, answer):
            shape = _component(document, name)
            if "properties" not in shape and "enum" in shape:
                continue
            one = found.setdefault(name, Told(name, list(shape.get("properties", ()))))
            one.actions.add(endpoint.action)
    return sorted(found.values(), key=lambda one: one.name)


def open_places(document: Mapping[str, Any]) -> Iterator[str]:
    """Yield where an answer may hold what the schema does not say, as `Shape.field` or the endpoint."""
    names: set[str] = set()
    for endpoint, answer in _answers(document):
        names.update(_reached(document, answer))
        if _is_open(answer):
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
        for one in told(document)
    ]
    opened = [f"| `{place}` | {why} |" for place, why in sorted(OPEN.items())]
    parts = [
        HEAD,
        "| answer | from | fields |",
        "| --- | --- | --- |",
        *rows,
        "",
        "## Keys that are values",
        "",
    ]
    return "\n".join([*parts, "| where | why |", "| --- | --- |", *opened, ""])


def _answers(document: Mapping[str, Any]) -> Iterator[tuple[Endpoint, Schema]]:
    """Yield the schema of every JSON that an endpoint answers with when it does what was asked."""
    for endpoint in endpoints(document):
        if endpoint.method == "HEAD":
            continue
        operation = document["paths"][endpoint.path][endpoint.method.lower()]
        for status, answer in operation["responses"].items():
            for kind, content in answer.get("content", {}).items():
                if status.startswith("2") and kind == "application/json":
                    yield endpoint, content.get("schema", {})


def _reached(document: Mapping[str, Any], schema: Schema) -> set[str]:
    """Return the names of all components that `schema` leads to."""
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
    """Say whether a value of `schema` may have keys that it does not name."""
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
    import importlib

    # The application stands above this floor, so it is not imported but asked for by name.
    sys.stdout.write(page(importlib.import_module("backend.app").describe_api().openapi()))
