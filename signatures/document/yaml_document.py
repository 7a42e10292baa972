"""YAML documents with duplicate-key detection, and the line of a dotted key.

YAML lets a later key silently replace an earlier one of the same name; here that is an error.
"""

from __future__ import annotations

import re
from itertools import count
from typing import TYPE_CHECKING, Any

import yaml

from signatures.language.errors import SignatureError

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_NODES = 100_000
"""Nodes of one document with every alias expanded; the longest signature of the library has 1,500."""


class _Loader(yaml.CSafeLoader):
    """YAML in which `on`, `yes` and `no` are texts, as in YAML 1.2; only `true` and `false` are booleans."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, shape) for tag, shape in rows if tag != "tag:yaml.org,2002:bool"]
    for first, rows in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:bool", re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF")
)


def document_of(text: str, file: str) -> dict[str, Any]:
    """Parse one document.

    Raises:
        SignatureError: Not YAML, not a mapping, a duplicate key, nested too deeply, or too large by aliases.
    """
    loader = _Loader(text)
    try:
        node = loader.get_single_node()
        if not isinstance(node, yaml.MappingNode):
            raise SignatureError(file, "the document", "is not a mapping", "write `key: value`", 1)
        _reject_pitfalls(node, file, "", count(1))
        document: dict[str, Any] = loader.construct_document(node)
    except RecursionError:
        problem = "is nested too deeply"
        raise SignatureError(file, "the document", problem, "write fewer levels", 1) from None
    except yaml.YAMLError as problem:
        mark = getattr(problem, "problem_mark", None)
        words = getattr(problem, "problem", None) or str(problem)
        line = mark.line + 1 if mark is not None else 0
        raise SignatureError(
            file, "the document", f"is not YAML: {words}", "fix the syntax", line
        ) from problem
    finally:
        loader.dispose()
    return document


def _reject_pitfalls(node: yaml.Node, file: str, path: str, counter: Iterator[int]) -> None:
    if next(counter) > MAX_NODES:
        problem = f"expands to more than {MAX_NODES:,} nodes"
        raise SignatureError(file, "the document", problem, "use fewer aliases", node.start_mark.line + 1)
    if node.tag == "tag:yaml.org,2002:timestamp":
        line = node.start_mark.line + 1
        raise SignatureError(file, path, f"{node.value} is read as a date", "put it in quotes", line)
    if isinstance(node, yaml.SequenceNode):
        for at, inner in enumerate(node.value):
            _reject_pitfalls(inner, file, f"{path}[{at}]", counter)
    if not isinstance(node, yaml.MappingNode):
        return
    lines: dict[str, int] = {}
    for key, value in node.value:
        name = f"{path}.{key.value}".lstrip(".")
        line = key.start_mark.line + 1
        if key.value in lines:
            problem = f"duplicate key, first in line {lines[key.value]}"
            raise SignatureError(file, name, problem, "keep one of the two", line)
        lines[key.value] = line
        _reject_pitfalls(value, file, name, counter)


def line_of(text: str, key: str) -> int:
    """Return the line of the deepest existing part of a dotted key (`clauses.hot.any[1].share`).

    A missing key has the line of its parent; 0 when unknown.
    """
    try:
        node = yaml.compose(text, Loader=yaml.CSafeLoader)
    except yaml.YAMLError:
        return 0
    line = 0
    while node is not None and key:
        found = _child(node, key)
        if found is None:
            break
        line, node, key = found
    return line


def _child(node: yaml.Node, key: str) -> tuple[int, yaml.Node, str] | None:
    """Return line, node and remaining key of a child; keys may contain dots."""
    if isinstance(node, yaml.SequenceNode) and key.startswith("["):
        number, _, rest = key[1:].partition("]")
        if number.isdecimal() and int(number) < len(node.value):
            entry = node.value[int(number)]
            return entry.start_mark.line + 1, entry, rest.lstrip(".")
    if isinstance(node, yaml.MappingNode):
        for name, value in sorted(node.value, key=lambda pair: -len(str(pair[0].value))):
            own = str(name.value)
            if key == own or key.startswith((f"{own}.", f"{own}[")):
                return name.start_mark.line + 1, value, key[len(own) :].lstrip(".")
    return None
