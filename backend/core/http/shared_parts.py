"""What several operations of the OpenAPI schema take or answer alike, declared once: a fifth of its size.

    parameters: [{$ref: "#/components/parameters/case_id"}]
    responses: {"304": {$ref: "#/components/responses/NotModified"}}
    headers: {"Link": {$ref: "#/components/headers/Link"}}

A parameter that only one operation takes stays where it is.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

PLACE = "#/components"
SHARED = 2
"""Operations from which on a parameter is declared once."""
NOT_MODIFIED = "304"


def document(schema: dict[str, Any]) -> None:
    """Replace what repeats in an OpenAPI `schema` by references; the last step, for no other follows them."""
    components = schema["components"]
    components["parameters"] = _share_parameters(schema)
    for operation in _operations(schema):
        responses = operation["responses"]
        if NOT_MODIFIED in responses:
            components["responses"]["NotModified"] = responses[NOT_MODIFIED]
            responses[NOT_MODIFIED] = {"$ref": f"{PLACE}/responses/NotModified"}
        for response in responses.values():
            if "headers" in response:
                response["headers"] = {
                    name: {"$ref": f"{PLACE}/headers/{name}"}
                    if components["headers"].setdefault(name, header) == header
                    else header
                    for name, header in response["headers"].items()
                }


def parameters_of(schema: dict[str, Any], operation: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the parameters of an operation of a documented schema, those declared once included."""
    declared = schema["components"]["parameters"]
    return [
        declared[one["$ref"].rpartition("/")[2]] if "$ref" in one else one
        for one in operation.get("parameters", ())
    ]


def _share_parameters(schema: dict[str, Any]) -> dict[str, Any]:
    """Put references in place of equal parameters; return these by name, the most frequent without number."""
    counts: Counter[str] = Counter()
    for operation in _operations(schema):
        for parameter in operation.get("parameters", ()):
            # FastAPI writes it twice.
            if parameter["schema"].get("description") == parameter.get("description"):
                parameter["schema"].pop("description", None)
            counts[json.dumps(parameter, sort_keys=True)] += 1
    names: dict[str, str] = {}
    same: dict[str, int] = defaultdict(int)
    for text, count in counts.most_common():
        if count >= SHARED:
            name = json.loads(text)["name"]
            same[name] += 1
            names[text] = name if same[name] == 1 else f"{name}-{same[name]}"
    for operation in _operations(schema):
        for at, parameter in enumerate(operation.get("parameters", ())):
            name = names.get(json.dumps(parameter, sort_keys=True))
            if name is not None:
                operation["parameters"][at] = {"$ref": f"{PLACE}/parameters/{name}"}
    return {name: json.loads(text) for text, name in sorted(names.items(), key=lambda one: one[1])}


def _operations(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for operations in schema["paths"].values():
        yield from operations.values()
