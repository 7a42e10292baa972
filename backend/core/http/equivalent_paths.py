"""Paths of the OpenAPI schema that differ only in the name of a parameter, made one as OpenAPI 3.1 asks."""

from __future__ import annotations

import re
from typing import Any

PARAMETER = re.compile(r"\{(\w+)\}")


def document(schema: dict[str, Any]) -> None:
    """Give templates that differ only in the name of a parameter one path."""
    paths: dict[str, dict[str, Any]] = {}
    chosen: dict[str, str] = {}
    # The template of the path with most operations names the parameters.
    for template in sorted(schema["paths"], key=lambda path: -len(schema["paths"][path])):
        chosen.setdefault(PARAMETER.sub("{}", template), template)
    for template, item in schema["paths"].items():
        same = chosen[PARAMETER.sub("{}", template)]
        renamed = dict(zip(PARAMETER.findall(template), PARAMETER.findall(same), strict=True))
        for operation in item.values():
            for parameter in operation.get("parameters", ()):
                if parameter["in"] == "path":
                    parameter["name"] = renamed[parameter["name"]]
        paths.setdefault(same, {}).update(item)
    schema["paths"] = paths
