"""Records of objects in a tree of keys: what a key belongs to, and which keys are its state.

    name: web-0 … state: {waiting: {reason: CrashLoopBackOff}}, restartCount: 61
    ->  Record("container", "web-0", 12, {"state": "CrashLoopBackOff", "restarts": "61"})

What a specification asks for is no state: `spec`, `template`, `env` and the like are left alone.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ingest.engines.status.model import Record
from ingest.engines.status.trees import Node
from ingest.engines.status.words import keys_of, kind_of_key, kind_of_keys

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST_DEPTH = 30
_HEADER = re.compile(r"^\s*[●○×*↻]\s+(?P<name>\S+\.(?:service|mount|socket|timer|scope|slice|target|swap))\b")
_PATHED = re.compile(r"^/dev/\S+$")


class Owner(NamedTuple):
    """The object that keys below belong to."""

    kind: str = ""
    name: str = ""


def records(root: Node, lines: Sequence[str]) -> Iterator[Record]:
    """Yield the records of all objects of a text."""
    headers = [
        (at, Owner("unit", found["name"])) for at, line in enumerate(lines) if (found := _HEADER.match(line))
    ]
    for part in _parts(root):
        before = [owner for at, owner in headers if part.children and at < part.children[0].line]
        yield from _walk(part, before[-1] if before else Owner(), 0)


def owners(root: Node) -> Iterator[tuple[int, str, str]]:
    """Yield line, kind and name of what the text names at the margin."""
    for part in _parts(root):
        named = next((one for key in keys_of("name") for one in part.children if one.key == key), None)
        if named is not None:
            yield named.line, *_owner(part, Owner())


def _parts(root: Node) -> Iterator[Node]:
    """Yield the keys of each object that stands at the margin: a name that comes again begins another."""
    part = Node(root.key, root.printed, root.value, root.line)
    for child in root.children:
        if child.key in keys_of("name") and any(one.key == child.key for one in part.children):
            yield part
            part = Node(root.key, root.printed, root.value, root.line)
        part.children.append(child)
    yield part


def _walk(node: Node, owner: Owner, depth: int) -> Iterator[Record]:
    if depth > MOST_DEPTH:
        return
    own = _owner(node, owner)
    found = _record(node, own)
    if found is not None:
        yield found
    for child in node.children:
        if child.key not in keys_of("asked"):
            yield from _walk(child, own, depth + 1)


def _owner(node: Node, outer: Owner) -> Owner:
    """Return what the keys below a node are of: its own name, that of its metadata, or of what is outside."""
    metadata = node.child("metadata")
    name = node.text(*keys_of("name")) or (metadata.text("name") if metadata else "")
    kind = node.text("kind").lower() or kind_of_keys(frozenset(one.key for one in node.children))
    kind = kind or kind_of_key(node.key)
    if _PATHED.match(node.printed):
        return Owner("array", node.printed)
    if not name:
        if kind == "container" and not node.children:
            return outer
        if outer.kind == "containers" and node.key:
            return Owner("container", node.printed)
        return Owner(kind or outer.kind, outer.name) if kind else outer
    named_by = next((one.key for key in keys_of("name") for one in node.children if one.key == key), "")
    kind = kind or kind_of_key(named_by) or (_singular(outer.kind) if outer.kind else "")
    return Owner(kind, name.lstrip("/"))


def _singular(kind: str) -> str:
    return kind[:-1] if kind.endswith("s") and not kind.endswith("ss") else kind


def _record(node: Node, owner: Owner) -> Record | None:
    """Return the record of a node whose own keys state something."""
    if node.text("type") and node.text("status") and node.child("state") is None:
        return _condition(node, owner)
    if node.text("reason") and node.text("message") and (about := node.child("involvedobject", "object")):
        fields = {"state": node.text("type"), "reason": node.text("reason"), "message": node.text("message")}
        fields |= {"count": node.text("count"), "since": node.text("lasttimestamp", "eventtime")}
        name = about.text("name") or about.value
        return Record(about.text("kind").lower(), name, node.line, _filled(fields))
    state = node.child(*keys_of("state"))
    if state is None:
        return None
    fields = {
        field: node.text(*keys_of(field))
        for field in ("substate", "reason", "message", "exit_code", "restarts", "since", "count")
    }
    fields["state"] = state.value
    if fields["since"] in {"true", "false"}:
        fields["since"] = ""
    line = state.line
    for one in state.children:
        if one.key in keys_of("phases") and one.children:
            fields["state"] = fields["state"] or one.printed
            line = one.line
            _fill(fields, one)
    _fill(fields, state)
    fields["state"] = fields["state"] or state.text("status", "phase", "health")
    if fields["reason"].endswith("BackOff"):  # how it waits is its state, why it ended stands below
        fields["state"], fields["reason"] = fields["reason"], ""
    last = node.child("laststate")
    if last is not None:
        for one in (*last.children, last):
            _fill(fields, one, with_message=False)
    if state.notes and not fields["message"]:
        fields["message"] = "; ".join(state.notes)
    if not fields["state"] and not fields["reason"]:
        return None
    kind = _singular(owner.kind) or kind_of_keys(frozenset(one.key for one in state.children))
    return Record(kind, owner.name, line, _filled(fields))


def _fill(fields: dict[str, str], node: Node, *, with_message: bool = True) -> None:
    """Add what stands below a state to what is not there."""
    for field in ("reason", "message", "exit_code", "since"):
        if field != "message" or with_message:
            fields[field] = fields[field] or node.text(*keys_of(field))
    if node.text("oomkilled") == "true":
        fields["reason"] = "OOMKilled"


def _condition(node: Node, owner: Owner) -> Record:
    state = f"{node.text('type')}={node.text('status')}"
    fields = {"state": state, "reason": node.text("reason"), "message": node.text("message")}
    fields["since"] = node.text("lasttransitiontime")
    return Record(_singular(owner.kind) or "object", owner.name, node.line, _filled(fields))


def _filled(fields: dict[str, str]) -> dict[str, str]:
    return {name: text for name, text in fields.items() if text and text != "<none>"}
