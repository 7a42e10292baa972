"""Indented keys as a tree: YAML, printed JSON, `describe`, `status` and `--detail` of tools.

    Containers:                      Containers
      app:                      ->     app
        State:  Waiting                  State = Waiting
          Reason:  CrashLoopBackOff        Reason = CrashLoopBackOff

Lines count, so that a cut paste is read as far as it goes. JSON on one line is decoded.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST_JSON = 1 << 20
MOST_DEPTH = 24
MOST_NODES = 100_000
MOST_NOTES = 6

_KEY = re.compile(
    r"^(?P<quote>[\"']?)(?P<key>[A-Za-z_/$][\w ./()%#-]{0,60}?)(?P=quote)\s*(?:(?::(?=\s|$))\s*|=(?!=))"
    r"(?P<value>.*)$"
)
_DASH = re.compile(r"^- +(?=\S)")
_CLOSING = re.compile(r"^[\]}]+,?$")
_OPENING = re.compile(r"^[\[{]+$")
_GLUED = re.compile(r"[\[{][\[{ ]*(?=\")")
"""An object that begins on the line of its first key: `[{"State": {`."""

_APART = re.compile(r"[\s_/.-]+")


def plain(key: str) -> str:
    """Return a key in lower case without what separates its words.

    >>> plain("Exit Code"), plain("exit_code"), plain("exitCode")
    ('exitcode', 'exitcode', 'exitcode')
    """
    return _APART.sub("", key).lower()


@dataclass(slots=True)
class Node:
    """A key with its value, the keys below it, and the lines below it that are none.

    Attributes:
        key: As `plain` returns it; "" of an item of a list.
        printed: The key as printed.
    """

    key: str
    printed: str
    value: str
    line: int
    children: list[Node] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def child(self, *keys: str) -> Node | None:
        """Return the first child with one of the keys, in the order of `keys`."""
        return next((one for key in keys for one in self.children if one.key == key), None)

    def text(self, *keys: str) -> str:
        """Return the value of the first child that has one and one of the keys; "" without."""
        found = (one.value for key in keys for one in self.children if one.key == key and one.value)
        return next(found, "")


def tree_of(lines: Sequence[str]) -> Node:
    """Return the root of all keys of a text; its line is -1."""
    root = Node("", "", "", -1)
    stack: list[tuple[int, Node]] = [(-1, root)]
    for at, line in enumerate(lines):
        if at >= MOST_NODES:
            break
        entry = line.strip()
        if not entry or _CLOSING.match(entry):
            continue
        if entry.startswith("{") and entry.rstrip(",").endswith("}") and _decoded(entry, at, stack[-1][1]):
            continue
        _add(line.expandtabs().rstrip(), entry, at, stack)
    return root


def _add(line: str, entry: str, at: int, stack: list[tuple[int, Node]]) -> None:
    indent = 2 * (len(line) - len(line.lstrip()))
    while dash := _DASH.match(entry):
        indent = _push(stack, indent + 1, Node("", "", "", at))
        entry = entry[dash.end() :]
        indent += 2 * dash.end() - 1
    if glued := _GLUED.match(entry):
        indent = _push(stack, indent + 1, Node("", "", "", at)) + 1
        entry = entry[glued.end() :]
    if _OPENING.match(entry):
        if entry.endswith("{"):
            _push(stack, indent + 1, Node("", "", "", at))
        return
    found = _KEY.match(entry)
    if found is None:
        while len(stack) > 1 and stack[-1][0] >= indent:
            stack.pop()
        if len(stack) > 1 and len(stack[-1][1].notes) < MOST_NOTES:
            stack[-1][1].notes.append(entry)
        return
    value = found["value"].strip().rstrip(",").strip()
    value = "" if value in {"{", "[", "{}", "[]", "|", ">", "|-", ">-"} else value.strip("\"'")
    _push(stack, indent, Node(plain(found["key"]), found["key"], value, at))


def _push(stack: list[tuple[int, Node]], indent: int, node: Node) -> int:
    """Put a node below the nearest that is indented less; return its indent."""
    while len(stack) > 1 and stack[-1][0] >= indent:
        stack.pop()
    stack[-1][1].children.append(node)
    stack.append((indent, node))
    return indent


def _decoded(entry: str, at: int, parent: Node) -> bool:
    """Add a document that stands on one line."""
    if len(entry) > MOST_JSON:
        return False
    try:
        document = json.loads(entry.rstrip(","))
    except (ValueError, RecursionError):
        return False
    parent.children += _nodes("", document, at, 0)
    return True


def _nodes(key: str, value: Any, at: int, depth: int) -> Iterator[Node]:
    if depth > MOST_DEPTH:
        return
    if isinstance(value, dict):
        node = Node(plain(key), key, "", at)
        for name, inner in value.items():
            node.children += _nodes(str(name), inner, at, depth + 1)
        yield node
    elif isinstance(value, list):
        node = Node(plain(key), key, "", at)
        for inner in value:
            node.children += _nodes("", inner, at, depth + 1)
        yield node
    elif value is not None:
        text = ("true" if value else "false") if isinstance(value, bool) else str(value)
        yield Node(plain(key), key, text, at)
