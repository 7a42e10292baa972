r"""`bpftrace -f json`: one object per line (or spread over several), the type beside the data.

Examples:
    {"type": "attached_probes", "data": {"probes": 4}}
    {"type": "map", "data": {"@": {"\n    do_syscall_64+113\n,chromium": 1}}}
    {"type": "hist", "data": {"@us": [{"max": -1, "count": 1}, {"min": 16, "max": 31, "count": 277}]}}
    {"type": "stats", "data": {"@by": {"a": {"count": 2, "average": 6, "total": 12}}}}

`max` is inclusive; a bucket without `min` or `max` is open there.

Source: JsonOutput in bpftrace src/output.cpp.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, NamedTuple

from ingest.readers.bpf.bpftrace_text.keys import Part, parse
from ingest.readers.bpf.bpftrace_text.values import Bucket, Stats

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.readers.bpf.bpftrace_text.maps import Maps

MAX_LINES = 5_000
"""Lines one object may be spread over."""

MAX_NUMBER = 1e30
"""Values are 64 bits wide; a larger number is not bpftrace's."""


class Message(NamedTuple):
    """One object: its type and data, and how many lines it takes."""

    kind: str
    content: Any
    lines: int


def is_start(line: str) -> bool:
    """Return whether an object starts here; `begins` checks its type too."""
    return line.startswith("{") and (line.strip() == "{" or '"type"' in line)


def message(lines: Sequence[str]) -> Message | None:
    """Read the object that starts at the first line, or None when it is cut or none of ours."""
    depth = 0
    for count, line in enumerate(lines[:MAX_LINES], start=1):
        bare = _without_strings(line)
        depth += bare.count("{") + bare.count("[") - bare.count("}") - bare.count("]")
        if depth > 0:
            continue
        try:
            content = json.loads("\n".join(lines[:count]))
        except (ValueError, RecursionError):
            return None
        if isinstance(content, dict) and isinstance(content.get("type"), str) and "data" in content:
            return Message(content["type"], content["data"], count)
        return None
    return None


def _without_strings(line: str) -> str:
    """Drop quoted parts, so that brackets in keys do not count."""
    outside, quoted, escaped = [], False, False
    for char in line:
        if escaped:
            escaped = False
        elif char == "\\":
            escaped = True
        elif char == '"':
            quoted = not quoted
        elif not quoted and char in "{}[]":
            outside.append(char)
    return "".join(outside)


def _key(text: str, line: int) -> tuple[Part, ...]:
    """Read a key, whose stacks are separated by newlines; all of it is on one line of the evidence."""
    return parse((line, piece) for piece in text.split("\n"))


def _is_number(content: Any) -> bool:
    return isinstance(content, int | float) and not isinstance(content, bool) and abs(content) < MAX_NUMBER


def _is_stats(content: Any) -> bool:
    is_named = isinstance(content, dict) and set(content) == {"count", "average", "total"}
    return is_named and all(_is_number(part) for part in content.values())


def _stats(content: Any) -> Stats:
    return Stats(float(content["count"]), float(content["average"]), float(content["total"]))


def _buckets(content: list[Any], line: int) -> tuple[Bucket, ...]:
    """Read buckets; anything that is not one is left out."""
    return tuple(
        Bucket(
            float(one["min"]) if _is_number(one.get("min")) else -math.inf,
            float(one["max"]) + 1 if _is_number(one.get("max")) else math.inf,
            float(one["count"]),
            line,
        )
        for one in content
        if isinstance(one, dict) and _is_number(one.get("count"))
    )


def _add(maps: Maps, name: str, key: str | None, content: Any, line: int) -> None:
    """Add one value by its shape."""
    parts = () if key is None else _key(key, line)
    printed = key or ""
    if isinstance(content, list):
        buckets = _buckets(content, line)
        if buckets:
            maps.add_histogram(name, parts, buckets)
            return
    if _is_stats(content):
        maps.add(name, parts, _stats(content), line, printed=printed)
    elif _is_number(content):
        maps.add(name, parts, float(content), line, printed=printed)
    else:
        text = content if isinstance(content, str) else json.dumps(content)
        maps.add(name, parts, text, line, printed=printed)


def put(content: Any, maps: Maps, line: int) -> None:
    """Add what a `map`, `hist`, `lhist`, `stats` or `value` object holds."""
    if not isinstance(content, dict):
        return
    for name, value_of in content.items():
        maps.begin_print(name)
        if isinstance(value_of, dict) and not _is_stats(value_of):
            for key, one in value_of.items():
                _add(maps, name, key, one, line)
        else:
            _add(maps, name, None, value_of, line)
