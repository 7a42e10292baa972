"""When a fix is done: at once, or after somebody has decided. All outlets ask here.

fixes_now([FixDocument(title="drbdadm connect --discard-my-data r0", scope="runtime")])  ->  []

What costs data, security or hardware is never done at once: by the word of its author (`endangers`), by a
command that is known to (`dangerous_fixes.yaml`), or because nobody knows how to undo it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ingest.native.linear import Pattern
from ingest.tables import table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from signatures.documents.fix import FixDocument

DATA, SECURITY, HARDWARE = "data", "security", "hardware"
DANGERS = (DATA, SECURITY, HARDWARE)
CURE = "cure"
"""Effect of the fix that ends the trouble in the state the finding describes; pages show it first."""

WARNING = "warning"
IRREVERSIBLE = "irreversible"
NOTHING_CHANGED = ("nothing was changed", "nothing stays changed")
"""`undo` of what only reads, and of what leaves nothing to take back."""

VERBS = frozenset(
    ("allow", "boot", "choose", "deploy", "disable", "enable", "install", "load", "move", "put", "redeploy",
     "remove", "restart", "restore", "set", "start", "stop", "write")
)  # fmt: skip
"""First words of an instruction; the undo of a fix without a command is one."""

_TABLE = Path(__file__).parent / "dangerous_fixes.yaml"
_COMMAND = re.compile(r"[(]? ?[a-z][\w.-]* .*(?:[$=>\"]|-\w)|ip link set ")
_TITLE_COMMAND = re.compile(r"(?:^|[\s(:;])(?:--[a-z]|\$[A-Z{(]|/dev/|[a-z][\w.]+ -{1,2}[a-zA-Z])")


def danger_of(fix: FixDocument) -> str:
    """Return what a fix costs: `data`, `security` or `hardware`; "" for none of them.

    A fix whose undo is not known may cost data.
    """
    if fix.kind == WARNING:
        return ""
    declared = fix.endangers or ""
    return declared or found_danger(fix) or ("" if is_undo(fix) else DATA)


def with_dangers(fixes: Iterable[FixDocument]) -> tuple[FixDocument, ...]:
    """Return fixes that state what they endanger, also where their author does not say so."""
    return tuple(replace(fix, endangers=danger_of(fix) or None) for fix in fixes)


def found_danger(fix: FixDocument) -> str:
    """Return what a command in the title or the run is known to cost; "" for none."""
    text = f"{fix.title}\n{fix.run or ''}"
    return next((kind for kind, shapes in _shapes().items() if any(one.search(text) for one in shapes)), "")


def is_undo(fix: FixDocument) -> bool:
    """Return whether the undo of a fix is a command, `irreversible`, or that nothing was changed.

    A fix without a command may be undone by an instruction: `boot the old kernel`.
    """
    undo = (fix.undo or "").strip()
    first = undo.partition(" ")[0].rstrip(".,;:")
    if undo in NOTHING_CHANGED or first == IRREVERSIBLE or _COMMAND.match(undo):
        return True
    return not fix.run and undo.partition(" ")[0] in VERBS


def command_in(fix: FixDocument) -> str:
    """Return the command of a fix: its run, or its title where that holds one; "" for neither."""
    return fix.run or (fix.title if _TITLE_COMMAND.search(fix.title) else "")


def fixes_now(fixes: Iterable[FixDocument]) -> list[FixDocument]:
    """Return the fixes that are safe to apply on the running system at once."""
    return [
        fix
        for fix in fixes
        if fix.scope == "runtime" and fix.kind != WARNING and not fix.unsafe_if and not danger_of(fix)
    ]


def cures(fixes: Iterable[FixDocument]) -> list[FixDocument]:
    """Return the fix that ends the trouble, safe in the state that the finding describes: none or one."""
    return [fix for fix in fixes if fix.effect == CURE and not danger_of(fix)]


@cache
def _shapes() -> dict[str, list[Pattern]]:
    return {kind: [Pattern(shape) for shape in shapes] for kind, shapes in table(_TABLE).items()}
