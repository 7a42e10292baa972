"""JSON Schema of `signature.yaml`, for validation and completion in editors.

Built from the keywords of the conditions and the keys of the parser; written by
`python -m signatures.document.schema`.
The first line of a signature refers to it:

    # yaml-language-server: $schema=../../../signature.schema.json
"""

from __future__ import annotations

import json
from typing import Any

from signatures.document import known_names
from signatures.document.decision_rules import CAPTURE_KEYS
from signatures.document.files import SCHEMA
from signatures.document.parse import (
    FIX_KEYS,
    FIX_KINDS,
    FIX_LISTS,
    FIX_SCOPES,
    FIXED_IN,
    IMPLIES_KEYS,
    KINDS,
    REFERENCE_KEYS,
    REPORTED_KEYS,
    ROLES,
    SEVERITIES,
    STATUSES,
    TOP_KEYS,
)
from signatures.document.version_table import AFFECTED_KEYS, ROW_VERDICTS
from signatures.judging.predicates import KEYWORDS, kernel
from signatures.language.kernel_releases import ECOSYSTEMS
from signatures.language.schema_parts import (
    BOUND,
    CAP,
    COUNT,
    FRAMES,
    MINIMA,
    NUMBER,
    PATTERNS,
    SCALAR,
    TEXT,
    TEXTS,
    TRUTH,
    Schema,
    each,
    object_of,
    one_of,
)
from signatures.language.systems import CHOICES

NAME = "https://casebook.invalid/signature.schema.json"


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _tests(beside: Schema) -> list[Schema]:
    """Return the schemas of every form of a test; `beside` are the other keys of the clause."""
    group: Schema = {"type": "array", "items": _ref("test")}
    found = [object_of({op: group, **beside}, [op]) for op in ("any", "all", "none")]
    for name, keyword in KEYWORDS.items():
        found += [object_of({name: form.value, **form.beside, **beside}, [name]) for form in keyword.forms]
    return found


def schema() -> Schema:
    """Return the whole schema."""
    beside = {
        "title": TEXT,
        "role": one_of(*ROLES),
        "weight": NUMBER,
        "veto": TRUTH,
        "refuted_by": _ref("test"),
        "ruled_out_by": TEXTS,
        "answers": TEXT,
        "when": object_of({"kernel": kernel.SCHEMA}, ["kernel"]),
    }
    borrowed = object_of(
        {
            "use": TEXT,
            "title": TEXT,
            "role": one_of(*ROLES),
            "weight": NUMBER,
            "veto": TRUTH,
            "ruled_out_by": TEXTS,
            "answers": TEXT,
        },
        ["use"],
        "The clause area/name.clause of another signature",
    )
    capture = object_of(
        each(CAPTURE_KEYS, TEXT, needs=TEXTS, alternatives=TEXTS, unsafe_if=TEXTS, reads=TEXTS,
            cgroup=one_of("", "v1", "v2"), os=one_of("linux", "windows")),
        ["title", "run", "cost"],
    )  # fmt: skip
    captures: Schema = {"anyOf": [TEXT, capture, {"type": "array", "items": {"anyOf": [TEXT, capture]}}]}
    pairs: Schema = {"type": "array", "items": TEXTS}
    decide = object_of(
        {
            "require": object_of(
                {
                    "all": TEXTS,
                    "any": TEXTS,
                    "not_false": TEXTS,
                    "at_least": object_of({"n": COUNT, "of": TEXTS}, ["n", "of"]),
                }
            ),
            "suspect": object_of({"score": NUMBER, "any": TEXTS}, ["score"]),
            "match": object_of(
                {
                    "score": NUMBER,
                    "all": TEXTS,
                    "any": TEXTS,
                    "any_of_pairs": pairs,
                    "min_coverage": NUMBER,
                    "version": TEXTS,
                    "aspect": TEXT,
                },
                ["score"],
            ),
        },
        ["suspect", "match"],
    )
    affected = each(
        AFFECTED_KEYS,
        {"type": ["string", "null"]},
        ecosystem=one_of(*ECOSYSTEMS),
        verdict=one_of(*ROW_VERDICTS),
        fixes=TEXTS,
    )
    implies = each(IMPLIES_KEYS, TEXTS, fact=TEXT, **{"is": SCALAR})
    words: Schema = {"type": "object", "additionalProperties": SCALAR}
    system: dict[str, Schema] = {name: one_of(*values) for name, values in CHOICES.items()}
    system["kernel"] = {"type": "string", "description": "range of releases: >=5.14,<6.18"}
    properties = each(
        TOP_KEYS,
        TEXT,
        schema=one_of(1),
        version={"type": "integer", "minimum": 1},
        severity=one_of(*SEVERITIES),
        status=one_of(*STATUSES),
        kind=one_of(*KINDS),
        symptoms=TEXTS,
        aliases=TEXTS,
        bind={
            "type": "object",
            "additionalProperties": {"type": "string", "pattern": r"^(process|cgroup|cgroup_of\(\w+\))$"},
        },
        applies={
            "anyOf": [
                object_of(system, []),
                *_tests({"if_missing": one_of("assume"), **system}),
            ]
        },
        affected={"type": "array", "items": object_of(affected, ["ecosystem"])},
        reported={"type": "array", "items": object_of(each(REPORTED_KEYS, TEXT), ["on"])},
        implies={"type": "array", "items": object_of(implies, ["fact", "is"])},
        clauses={"type": "object", "additionalProperties": {"anyOf": [borrowed, *_tests(beside)]}},
        decide=decide,
        extract=words,
        supersedes=TEXTS,
        follows=TEXTS,
        next={"type": "object", "additionalProperties": captures},
        first={"type": "array", "items": object_of({"after": TEXTS, "ask": TEXT}, ["ask"])},
        fixes={
            "type": "array",
            "items": object_of(
                each(
                    FIX_KEYS,
                    TEXT,
                    **dict.fromkeys(sorted(FIX_LISTS | {FIXED_IN}), TEXTS),
                    kind=one_of(*FIX_KINDS),
                    scope=one_of(*FIX_SCOPES),
                ),
                ["title"],
            ),
        },
        references={"type": "array", "items": object_of(each(REFERENCE_KEYS, TEXT))},
    )
    required = ["schema", "id", "version", "title", "severity", "status", "clauses", "decide"]
    named = {
        "bound": BOUND,
        "cap": CAP,
        "texts": TEXTS,
        "frames": FRAMES,
        "fact_min": MINIMA,
        "fact_where": PATTERNS,
    }
    named |= {name: keyword.forms[0].value for name, keyword in KEYWORDS.items()}
    whole = {**object_of(properties, required), "$defs": {"test": {"anyOf": _tests({})}}}
    hoisted: Schema = _hoisted(whole, named)
    hoisted["$defs"] |= {name: _hoisted(inner, named, but=name) for name, inner in named.items()}
    _completed(hoisted)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": NAME,
        "title": "A signature of Casebook",
        **hoisted,
    }


def _completed(whole: Schema) -> None:
    """Offer the known names where a text is expected; other texts stay valid, lint has the last word."""
    log, fact, symbol = (whole["$defs"][name]["properties"] for name in ("log", "fact", "symbol"))
    classes = {"anyOf": [one_of(*known_names.log_classes()), TEXT]}
    log["class"] = {"anyOf": [*classes["anyOf"], {"type": "array", "items": classes}]}
    log["fields"] = {**PATTERNS, "properties": dict.fromkeys(known_names.log_fields(), TEXTS)}
    fact["name"] = {"anyOf": [one_of(*known_names.fact_names()), TEXT]}
    sets = {"anyOf": [one_of(*known_names.frame_sets()), TEXT]}
    whole["$defs"]["frames"] = {
        "description": FRAMES["description"],
        "anyOf": [*sets["anyOf"], {"type": "array", "items": {"anyOf": [*sets["anyOf"], TEXTS]}}],
    }
    symbol["any"] = symbol["beside"] = {"anyOf": [TEXT, {"type": "array", "items": sets}]}


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
    SCHEMA.write_text(text(), encoding="utf-8")
