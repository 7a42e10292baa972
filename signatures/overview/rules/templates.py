"""Sentences of rules: templates with fields, and parts that are left out where a field is not there.

    filled("{disk} is degraded[, a rebuild is at {progress:share}]", {"disk": "md0"})  ->  "md0 is degraded"
    filled("{number:OOM kill/OOM kills}", {"number": 1.0})                             ->  "1 OOM kill"

A field is one name, or several of which the first that is there counts: `{comm|pid}`. Behind a colon is the
unit of a number; `count` where none is, `number` for a plain one.
"""

from __future__ import annotations

import re
from string import Formatter
from typing import TYPE_CHECKING, TypeAlias

from signatures.language.number_format import quantity_words, value_words
from signatures.overview.model import shortened_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Fields: TypeAlias = "dict[str, float | str]"
"""Numbers and texts by name; what is unknown has none."""

MIB, GIB = 1024.0**2, 1024.0**3
QUOTED = 100
_PART = re.compile(r"\[([^\[\]]*)\]")


def filled(template: str, fields: Mapping[str, float | str]) -> str:
    """Return a template with its fields; an unknown one outside of brackets is empty."""
    if "[" in template:
        template = _PART.sub(lambda part: part[1] if has_all(part[1], fields) else "", template)
    return "".join(
        f"{text}{'' if name is None else _words(_value(name, fields), unit or 'count')}"
        for text, name, unit, _ in Formatter().parse(template)
    )


def first_filled(templates: Iterable[str], fields: Mapping[str, float | str]) -> str:
    """Return the first template whose fields are all there, with them; else ""."""
    return next((filled(one, fields) for one in templates if has_all(one, fields)), "")


def has_all(template: str, fields: Mapping[str, float | str]) -> bool:
    """Return whether all fields of a template are there; those in brackets need not be."""
    names = (name for _, name, _, _ in Formatter().parse(_PART.sub("", template)) if name)
    return all(_value(name, fields) != "" for name in names)


def _value(names: str, fields: Mapping[str, float | str]) -> float | str:
    return next((found for name in names.split("|") if (found := fields.get(name, "")) != ""), "")


def _words(value: float | str, unit: str) -> str:
    if isinstance(value, str):
        return shortened_words(value, QUOTED) if unit == "quote" else value
    if "/" in unit:
        one, many = unit.split("/")
        return f"{value:,.0f} {one if value == 1 else many}"
    if unit == "small bytes":
        return value_words(value, "bytes") if value >= MIB else f"{value / 1024.0:,.0f} KiB"
    if unit == "GiB":
        return value_words(round(value / GIB, 1))
    if unit == "count":
        return f"{value:,.0f}"
    return value_words(value) if unit == "number" else quantity_words(value, unit)
