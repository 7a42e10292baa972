"""Variables of a signature: `bind: {p: process, cg: cgroup_of(p)}`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from signatures.language.strict_mapping import Keys

KINDS = ("process", "cgroup")
_OWN = re.compile(r"cgroup_of\((\w+)\)")


def bind_of(keys: Keys) -> tuple[dict[str, str], dict[str, str]]:
    """Parse `bind`: variable to kind, and variable of a cgroup to the variable of its process.

    Raises:
        SignatureError: Unknown kind, or the cgroup of a variable that is not a process.
    """
    kinds: dict[str, str] = {}
    own_of: dict[str, str] = {}
    for name in keys:
        kind = keys.text(name)
        own = _OWN.fullmatch(kind)
        if own is None:
            kinds[name] = str(keys.one_of(name, KINDS))
            continue
        if keys.text(own[1]) != "process":
            raise keys.error(
                name, f"{own[1]!r} is not bound to a process", f"write {own[1]}: process beside it, or cgroup"
            )
        kinds[name] = "cgroup"
        own_of[name] = own[1]
    return kinds, own_of
