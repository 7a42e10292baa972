"""Parts of the JSON Schema that several keywords share.

A part that is used by reference is one object: the whole schema replaces it by its name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from signatures.language.strict_mapping import BOUNDS, CAP_KEYS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Schema: TypeAlias = "dict[str, Any]"


def object_of(properties: Mapping[str, Schema], required: list[str] | None = None, about: str = "") -> Schema:
    """Return the schema of a mapping with these keys and no others."""
    found: Schema = {"type": "object", "properties": dict(properties), "additionalProperties": False}
    if required:
        found["required"] = required
    if about:
        found["description"] = about
    return found


def one_of(*values: object) -> Schema:
    """Return the schema of one of `values`."""
    return {"enum": list(values)}


def each(keys: Iterable[str], default: Schema, **own: Schema) -> dict[str, Schema]:
    """Return a schema for each key: from `own`, else `default`."""
    return {key: own.get(key, default) for key in keys}


TEXT: Schema = {"type": "string"}
SCALAR: Schema = {"type": ["string", "number", "boolean"]}
TRUTH: Schema = {"type": "boolean"}
NUMBER: Schema = {"type": "number"}
COUNT: Schema = {"type": "integer", "minimum": 0}
TEXTS: Schema = {"anyOf": [TEXT, {"type": "array", "items": SCALAR}]}
QUANTITY: Schema = {
    "type": ["number", "string"],
    "description": "A number, or one with a unit: 500 ms, 16 MiB, 30 %",
}
FRAMES: Schema = {
    "description": "Frames from leaf to root; a list inside the list is any-of; @name is an alias set",
    "anyOf": [TEXT, {"type": "array", "items": TEXTS}],
}
MINIMA: Schema = {"type": "object", "additionalProperties": QUANTITY}
PATTERNS: Schema = {"type": "object", "additionalProperties": TEXTS}
BOUND_KEYS = each(BOUNDS, QUANTITY)
BOUND = object_of(BOUND_KEYS, about="Half the weight from at_least, the whole from strong")
CAP = object_of(each(CAP_KEYS, TEXT, confidence=NUMBER), ["because"])
