"""Wire values as models of responses: how pydantic reads the classes of `signatures.documents`.

Descriptions are those of the docstrings; names are those of JSON. Objects are open: a later release may add
fields, and a client ignores fields that it does not know.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import pkgutil
import re
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import ConfigDict

from signatures import documents
from signatures.documents.citation import Place
from signatures.documents.codec import EVERY_FIELD, wire_name

if TYPE_CHECKING:
    from collections.abc import Iterator

ClsT = TypeVar("ClsT", bound=type)

_IDS = ("evidence_id", "profile_id")
_ID = {"type": "string", "format": "uuid"}
_ATTRIBUTE = re.compile(r"^    (\w+): (.+(?:\n {8,}.+)*)", re.MULTILINE)


def response(cls: ClsT) -> ClsT:
    """Configure a dataclass for responses; a decorator of those that add fields to a wire value."""
    configuration = ConfigDict(
        alias_generator=wire_name,
        populate_by_name=True,
        json_schema_extra=lambda schema: _describe(schema, cls),
        json_schema_serialization_defaults_required=True,
    )
    setattr(cls, "__pydantic_config__", configuration)  # noqa: B010 - no attribute of the class itself
    return cls


def _describe(schema: dict[str, Any], cls: Any) -> None:
    """Complete the schema of a class: descriptions, ids that responses add, fields that may be absent."""
    schema["description"], attributes = _described(cls)
    fields = schema["properties"]
    fields |= {
        name: dict(_ID) if cls is Place else {"anyOf": [_ID, {"type": "null"}]}
        for name in _IDS
        if name in fields
    }
    for name, one in fields.items():
        one.pop("default", None)
        if name in attributes:
            one["description"] = attributes[name]
    sparse: frozenset[str] = getattr(cls, "SPARSE", frozenset())
    if sparse is EVERY_FIELD:
        sparse = frozenset(field.name for field in dataclasses.fields(cls) if field.default in (None, ()))
    absent = sparse - set(_IDS)
    if absent:
        schema["required"] = [name for name in schema["required"] if name not in absent]


def _described(cls: type) -> tuple[str, dict[str, str]]:
    """Return the docstring of a class without its attributes, and the text of each, also of its bases."""
    attributes: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        _, _, listed = (inspect.cleandoc(base.__doc__ or "")).partition("Attributes:\n")
        found = _ATTRIBUTE.findall(listed)
        attributes |= {wire_name(name): " ".join(text.split()).rstrip(".") for name, text in found}
    text = inspect.cleandoc(cls.__doc__ or "").partition("Attributes:\n")[0]
    return text.strip(), attributes


def _wire_classes() -> Iterator[type]:
    """Yield the dataclasses of all modules of wire values."""
    for module in pkgutil.iter_modules(documents.__path__, f"{documents.__name__}."):
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, type) and dataclasses.is_dataclass(value):
                yield value


for _cls in _wire_classes():
    response(_cls)
