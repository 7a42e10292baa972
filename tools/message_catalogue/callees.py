"""Which functions and macros write to the kernel log, and at what level.

A name tells both for most: `ext4_warning`, `DMERR`, `netdev_err_once`. Of the others the definition does: a
macro that calls one that writes to the log, writes to it. What a call states in its arguments goes before:
`KERN_ERR`, `ql_log_fatal`, `ML_ERROR`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tools.message_catalogue.c_text import Call, Macro

DEBUG = 7
WARNING = 4
CONTINUED = 9
"""Level of a text that goes on in the line before it."""

ROUNDS = 3
"""Macros that call macros that call one that prints."""

_WORDS = {
    "emerg": 0, "panic": 0, "alert": 1, "crit": 2, "critical": 2, "fatal": 2,
    "err": 3, "error": 3, "errors": 3, "bug": 3, "vfs": 3,
    "warn": 4, "warning": 4, "warnings": 4, "oops": 4,
    "notice": 5, "note": 5, "info": 6, "debug": 7, "dbg": 7, "vdbg": 7, "devel": 7, "trace": 7,
}  # fmt: skip
_LEVEL = "emerg|alert|crit(?:ical)?|fatal|errors?|err|warnings?|warn|notice|note|info|debug|v?dbg|devel"
_KERN = re.compile(r"\b(?:KERN|XENLOG|LOGLEVEL)_(?:G_)?([A-Z]+)\b")
_FIRST = re.compile(r"(?:^|,)\s*(emerg|alert|crit|err|warning|warn|notice|info|debug|dbg)\s*,")
"""The level as `ata_dev_printk(err, dev, …)` states it."""

_CONSTANT = re.compile(rf"\b(?!AE_INFO)(?:ql_log_|(?:[A-Z][A-Z0-9]*_)+|)({_LEVEL.upper()}|fatal|warn|info)\b")
"""`ql_log_fatal`, `ML_ERROR`, `CE_WARN`, `LEVEL_ERROR`."""

_LOUD = re.compile(r"(?:^|,)\s*(VFS|ERROR|FATAL)\s*,")
"""What a function for debugging always prints: `cifs_dbg(VFS, …)`."""

_BY_NAME = re.compile(
    rf"(?i)(?:^|_|(?<=[a-z])(?=[A-Z]))(?P<first>{_LEVEL})(?=_|\d|$)|(?P<last>emerg|alert|crit|fatal|error|err|warning|warn|notice|info|debug|dbg)(?:_?f|_?rl|_once\w*|_ratelimited|_probe|_limit)?$"
)
_PRINTS = re.compile(
    r"(?i)printk|(?:^|_)pr_|print(?:f|k)?$|(?:^|_)msg$|(?:^|_)log(?:_|$)|log$|^w(?:arn|arning)|panic|^bug$|^die|(?:^|_)say$|^xenlog"
)
_QUIET = re.compile(r"(?i)dbg|debug|verbose|trace|devel|dprintk|^dp_|dout|print_hex")
_FORMAT = re.compile(r"(?i)fmt|format|args|\.\.\.|msg|str|\bx\b|\ba\b")
_WARN = re.compile(r"^(?:\w+_)?WARN(?:_ON)?(?:_ONCE|_TAINT|_RATELIMIT|_TAINT_ONCE)?$")


@cache
def level_by_name(name: str) -> int | None:
    """Return the level that a name states; None when it states none."""
    if _QUIET.search(name):
        return DEBUG
    if _WARN.match(name):
        return WARNING
    found = list(_BY_NAME.finditer(name))
    if not found:
        return 0 if re.search("panic", name) else None
    return _WORDS[(found[-1]["first"] or found[-1]["last"]).lower()]


@cache
def stated_level(before: str) -> int | None:
    """Return the level that arguments state as the kernel's own; None when they state none."""
    if found := _KERN.search(before):
        others = {"CONT": CONTINUED, "DEFAULT": WARNING, "SOH": WARNING}
        return others.get(found[1], _WORDS.get(found[1].lower(), WARNING))
    first = _FIRST.search(before)
    return _WORDS[first[1]] if first else None


@cache
def constant_level(name: str, before: str) -> int | None:
    """Return the level that a constant states: of functions for debugging, what they always print."""
    found = _LOUD.search(before) if _QUIET.search(name) else _CONSTANT.search(before)
    return _WORDS[found[1].lower()] if found else None


def prints(name: str) -> bool:
    """Return whether a name is of what writes to the log."""
    return level_by_name(name) is not None or bool(_PRINTS.search(name))


class Callees:
    """The macros of one tree that write to the log."""

    def __init__(self, macros: Iterable[tuple[str, Macro]]) -> None:
        """Find them among `macros`, each with the path of its file."""
        self._by_name: dict[str, list[tuple[str, int | None]]] = {}
        self._cache: dict[tuple[str, str], tuple[bool, int | None]] = {}
        others = [(path, one) for path, one in macros if not prints(one.name) and _FORMAT.search(one.body)]
        for _ in range(ROUNDS):
            found = len(self._by_name)
            for path, macro in others:
                inner = [one for one in macro.callees if prints(one) or one in self._by_name]
                known = any(place == path for place, _ in self._by_name.get(macro.name, ()))
                if not inner or known:
                    continue
                level = stated_level(macro.body)
                if level is None:
                    levels = [self.level(one, "", path)[1] for one in inner]
                    level = next((one for one in levels if one is not None), None)
                self._by_name.setdefault(macro.name, []).append((path, level))
            if len(self._by_name) == found:
                break
        self._cache.clear()

    def level(self, name: str, before: str, path: str) -> tuple[bool, int | None]:
        """Return whether a call of `name` in the file `path` writes to the log, and its level."""
        stated = stated_level(before)
        folder = path.rsplit("/", 1)[0]
        key = (name, folder)
        if key not in self._cache:
            self._cache[key] = self._found(name, path, folder)
        is_printed, level = self._cache[key]
        if stated is None and level in {None, DEBUG}:
            stated = constant_level(name, before)
        return is_printed, level if stated is None else stated

    def _found(self, name: str, path: str, folder: str) -> tuple[bool, int | None]:
        if prints(name):
            return True, level_by_name(name)
        places = self._by_name.get(name, ())
        near = [
            (place, level)
            for place, level in places
            if place == path or place.startswith("include/") or folder.startswith(place.rsplit("/", 1)[0])
        ]
        if not near:
            return False, None
        return True, max(near, key=lambda one: len(one[0]))[1]


def level_of(call: Call, path: str, callees: Callees) -> int | None:
    """Return the level of a call's message, `CONTINUED` for the rest of a line, None when it prints none."""
    is_printed, level = callees.level(call.callee, call.before, path)
    if not is_printed:
        return None
    if call.callee.endswith("_cont") or level == CONTINUED:
        return CONTINUED
    return WARNING if level is None else level
