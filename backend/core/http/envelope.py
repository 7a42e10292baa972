"""The one shape of every list that the API returns.

    {"items": […], "next_cursor": "WyJj…"}

Source of the cursor: `backend.core.http.pagination`.
"""

from __future__ import annotations

import re
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

ItemT = TypeVar("ItemT")

PLACE = "#/components/schemas/"
_GENERIC = re.compile(r"Listed_(\w+?)(?:Read|Summary)?_")


class Listed(BaseModel, Generic[ItemT]):
    """One page of a list; `next_cursor` is null on the last. Lists with more to say add fields to it."""

    items: list[ItemT]
    next_cursor: str | None


def document(schema: dict[str, Any]) -> None:
    """Name the lists in an OpenAPI `schema` by their items: a `Listed_NoteRead_` is a `NotePage`."""
    shapes: dict[str, Any] = schema["components"]["schemas"]
    names = {name: f"{found[1]}Page" for name in shapes if (found := _GENERIC.fullmatch(name))}
    for name, new in names.items():
        shapes[new] = {**shapes.pop(name), "title": new}
    _rename(schema, {PLACE + name: PLACE + new for name, new in names.items()})
    schema["components"]["schemas"] = dict(sorted(shapes.items()))


def _rename(node: Any, names: dict[str, str]) -> None:
    """Follow new names in every reference below `node`."""
    if isinstance(node, dict):
        if node.get("$ref") in names:
            node["$ref"] = names[node["$ref"]]
        node = list(node.values())
    if isinstance(node, list):
        for one in node:
            _rename(one, names)
