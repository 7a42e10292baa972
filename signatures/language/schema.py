"""JSON Schema of `signature.yaml`, for validation and completion in editors.

Built from the keys of the parser; written by `python -m signatures.language.schema`.
The first line of a signature refers to it:

    # yaml-language-server: $schema=../../../signature.schema.json
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TypeAlias

from signatures.language.condition_parser import FACT_KEYS, KERNEL_KEYS
from signatures.language.decision_rules import CAPTURE_KEYS
from signatures.language.kernel_releases import ECOSYSTEMS
from signatures.language.parse import (
    AFFECTED_KEYS,
    FIX_KEYS,
    IMPLIES_KEYS,
    REFERENCE_KEYS,
    REPORTED_KEYS,
    ROLES,
    SEVERITIES,
    STATUSES,
    TOP_KEYS,
)
from signatures.language.profile_condition_parser import SEEN
from signatures.language.strict_mapping import BOUNDS

Schema: TypeAlias = "dict[str, Any]"

FILE = Path(__file__).parents[1] / "signature.schema.json"
NAME = "https://casebook.invalid/signature.schema.json"

_TEXT: Schema = {"type": "string"}
_SCALAR: Schema = {"type": ["string", "number", "boolean"]}
_TRUTH: Schema = {"type": "boolean"}
_NUMBER: Schema = {"type": "number"}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_TEXTS: Schema = {"anyOf": [_TEXT, {"type": "array", "items": _SCALAR}]}
_QUANTITY: Schema = {
    "type": ["number", "string"],
    "description": "A number, or one with a unit: 500 ms, 16 MiB, 30 %",
}
_FRAMES: Schema = {
    "description": "Frames from leaf to root; a list inside the list is any-of; @name is an alias set",
    "anyOf": [_TEXT, {"type": "array", "items": _TEXTS}],
}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _object(properties: Schema, required: list[str] | None = None, about: str = "") -> Schema:
    found: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    if required:
        found["required"] = required
    if about:
        found["description"] = about
    return found


def _one_of(*values: object) -> Schema:
    return {"enum": list(values)}


def _of(keys: list[str], default: Schema, **own: Schema) -> dict[str, Schema]:
    """Return a schema for each key: from `own`, else `default`."""
    return {key: own.get(key, default) for key in keys}


_BOUND = _object(
    dict.fromkeys(BOUNDS, _QUANTITY), about="Half the weight from at_least, the whole from strong"
)
_POPULATION = _one_of("all", "busy", "kernel_busy")
_PROFILE = {"not": _TEXTS, "of": _POPULATION, "at": _TEXT, "comm": _TEXTS}
_SIBLINGS = {
    "share": _BOUND,
    "seen": _one_of(*SEEN),
    "distinct": _object({"of": _TEXT, **dict.fromkeys(BOUNDS, _QUANTITY)}),
    "min_samples": _NUMBER,
    "cap": _object({"confidence": _NUMBER, "because": _TEXT, "title": _TEXT}, ["because"]),
}
_MINIMA: Schema = {"type": "object", "additionalProperties": _QUANTITY}
_PATTERNS: Schema = {"type": "object", "additionalProperties": _TEXTS}
_STEP = _object({"comm": _TEXTS, "contains": _FRAMES, "run": _QUANTITY})
_KERNEL: Schema = {
    "anyOf": [_TEXT, _object(_of(KERNEL_KEYS, _TEXT, ecosystem=_one_of(*ECOSYSTEMS)))],
    "description": "A range such as '>=5.14,<6.18', or {release, ecosystem, config, parameter}",
}
_SHARE_OF_HISTOGRAM = _object({"p": _QUANTITY, "value": _QUANTITY, **dict.fromkeys(BOUNDS, _QUANTITY)})

_PREDICATES: dict[str, tuple[Schema, Schema]] = {
    "stack": (_object({"contains": _FRAMES, "under": _FRAMES, **_PROFILE}, ["contains"]), _SIBLINGS),
    "leaf": (
        _object({"any": _TEXTS, "called_from": _FRAMES, "within": _COUNT, **_PROFILE}, ["any"]),
        _SIBLINGS,
    ),
    "symbol": (
        _object({"any": _TEXTS, "what": _one_of("self", "total")}, ["any"]),
        {"share": _BOUND, "cap": _SIBLINGS["cap"]},
    ),
    "sequence": (
        _object(
            {
                "rows": _TEXT,
                "column": _TEXT,
                "first": _STEP,
                "then": _STEP,
                "within": _QUANTITY,
                "at_least": _COUNT,
            },
            ["first", "then"],
        ),
        {"cap": _SIBLINGS["cap"]},
    ),
    "histogram": (
        _object(
            {
                "name": _TEXTS,
                "probe": _TEXTS,
                "percentile": _SHARE_OF_HISTOGRAM,
                "max_bucket_at_least": _QUANTITY,
                "share_above": _SHARE_OF_HISTOGRAM,
                "time_share_above": _SHARE_OF_HISTOGRAM,
            }
        ),
        {"cap": _SIBLINGS["cap"]},
    ),
    "rows": (
        _object(
            {
                "set": _TEXT,
                "where": {"type": "object", "additionalProperties": {"anyOf": [_SCALAR, _TEXTS, _BOUND]}},
                "expr": _TEXT,
                "min": _MINIMA,
                "at": _TEXT,
                "by": _TEXTS,
                "min_duration": _QUANTITY,
                **dict.fromkeys(BOUNDS, _QUANTITY),
            },
            ["set"],
        ),
        {"cap": _SIBLINGS["cap"]},
    ),
    "log": (
        _object(
            {
                "class": _TEXTS,
                "fields": _PATTERNS,
                "max": _TEXT,
                "at": _TEXT,
                "by": _TEXT,
                "window": _QUANTITY,
                "needs_coverage": _TRUTH,
                **dict.fromkeys(BOUNDS, _QUANTITY),
            },
            ["class"],
        ),
        {"cap": _SIBLINGS["cap"]},
    ),
    "kernel": (_KERNEL, {"cap": _SIBLINGS["cap"]}),
}
_FACT = _of(
    FACT_KEYS, _QUANTITY,
    name=_TEXT, expr=_TEXT, at=_TEXT, say=_TEXT, **{"is": _SCALAR}, min=_MINIMA, where=_PATTERNS,
    untimed=_TRUTH,
)  # fmt: skip


def _tests(beside: Schema) -> list[Schema]:
    """Return the schemas of every form of a test; `beside` are the other keys of the clause."""
    group: Schema = {"type": "array", "items": _ref("test")}
    found = [_object({op: group, **beside}, [op]) for op in ("any", "all", "none")]
    for name, (inner, own) in _PREDICATES.items():
        found.append(_object({name: inner, **own, **beside}, [name]))
    found.append(_object({"fact": _object(_FACT), "cap": _SIBLINGS["cap"], **beside}, ["fact"]))
    plain = {key: kind for key, kind in _FACT.items() if key not in beside}
    found.append(_object({"fact": _TEXT, **plain, "cap": _SIBLINGS["cap"], **beside}, ["fact"]))
    return found


def schema() -> Schema:
    """Return the whole schema."""
    beside = {
        "title": _TEXT,
        "role": _one_of(*ROLES),
        "weight": _NUMBER,
        "veto": _TRUTH,
        "refuted_by": _ref("test"),
        "when": _object({"kernel": _KERNEL}, ["kernel"]),
    }
    borrowed = _object(
        {"use": _TEXT, "title": _TEXT, "role": _one_of(*ROLES), "weight": _NUMBER, "veto": _TRUTH},
        ["use"],
        "The clause area/name.clause of another signature",
    )
    capture = _object(
        _of(CAPTURE_KEYS, _TEXT, needs=_TEXTS, alternatives=_TEXTS, unsafe_if=_TEXTS, reads=_TEXTS,
            cgroup=_one_of("", "v1", "v2"), os=_one_of("linux", "windows")),
        ["title", "run", "cost"],
    )  # fmt: skip
    captures: Schema = {"anyOf": [_TEXT, capture, {"type": "array", "items": {"anyOf": [_TEXT, capture]}}]}
    pairs: Schema = {"type": "array", "items": _TEXTS}
    decide = _object(
        {
            "require": _object(
                {
                    "all": _TEXTS,
                    "any": _TEXTS,
                    "not_false": _TEXTS,
                    "at_least": _object({"n": _COUNT, "of": _TEXTS}, ["n", "of"]),
                }
            ),
            "suspect": _object({"score": _NUMBER, "any": _TEXTS}, ["score"]),
            "match": _object(
                {
                    "score": _NUMBER,
                    "all": _TEXTS,
                    "any": _TEXTS,
                    "any_of_pairs": pairs,
                    "min_coverage": _NUMBER,
                    "version": _TEXTS,
                    "aspect": _TEXT,
                },
                ["score"],
            ),
        },
        ["suspect", "match"],
    )
    verdict = _one_of("affected", "fixed", "not_affected", "unknown")
    affected = _of(
        AFFECTED_KEYS, {"type": ["string", "null"]}, ecosystem=_one_of(*ECOSYSTEMS), verdict=verdict
    )
    implies = _of(IMPLIES_KEYS, _TEXTS, fact=_TEXT, **{"is": _SCALAR})
    words: Schema = {"type": "object", "additionalProperties": _SCALAR}
    properties = _of(
        TOP_KEYS,
        _TEXT,
        schema=_one_of(1),
        version={"type": "integer", "minimum": 1},
        severity=_one_of(*SEVERITIES),
        status=_one_of(*STATUSES),
        symptoms=_TEXTS,
        aliases=_TEXTS,
        bind={
            "type": "object",
            "additionalProperties": {"type": "string", "pattern": r"^(process|cgroup|cgroup_of\(\w+\))$"},
        },
        applies={"anyOf": _tests({"if_missing": _one_of("assume")})},
        affected={"type": "array", "items": _object(affected, ["ecosystem"])},
        reported={"type": "array", "items": _object(_of(REPORTED_KEYS, _TEXT), ["on"])},
        implies={"type": "array", "items": _object(implies, ["fact", "is"])},
        clauses={"type": "object", "additionalProperties": {"anyOf": [borrowed, *_tests(beside)]}},
        decide=decide,
        extract=words,
        supersedes=_TEXTS,
        next={"type": "object", "additionalProperties": captures},
        first={"type": "array", "items": _object({"after": _TEXTS, "ask": _TEXT}, ["ask"])},
        fixes={
            "type": "array",
            "items": _object(_of(FIX_KEYS, _TEXTS), ["title"]),
        },
        references={"type": "array", "items": _object(_of(REFERENCE_KEYS, _TEXT))},
    )
    required = ["schema", "id", "version", "title", "severity", "status", "clauses", "decide"]
    named = {"bound": _BOUND, "cap": _SIBLINGS["cap"], "texts": _TEXTS, "frames": _FRAMES, "kernel": _KERNEL}
    named |= {name: inner for name, (inner, _) in _PREDICATES.items() if name != "kernel"}
    named |= {f"fact_{name}": kind for name, kind in (("min", _MINIMA), ("where", _PATTERNS))}
    whole = {**_object(properties, required), "$defs": {"test": {"anyOf": _tests({})}}}
    hoisted: Schema = _hoisted(whole, named)
    hoisted["$defs"] |= {name: _hoisted(inner, named, but=name) for name, inner in named.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": NAME,
        "title": "A signature of Casebook",
        **hoisted,
    }


def _hoisted(found: Any, named: dict[str, Schema], but: str = "") -> Any:
    """Return a schema with named parts replaced by references."""
    for name, inner in named.items():
        if found is inner and name != but:
            return _ref(name)
    if isinstance(found, dict):
        return {key: _hoisted(value, named) for key, value in found.items()}
    return [_hoisted(value, named) for value in found] if isinstance(found, list) else found


def text() -> str:
    """Return the text of the committed file."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
