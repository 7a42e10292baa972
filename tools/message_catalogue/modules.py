"""Names of the modules that Makefiles link C files into: `drivers/net/ethernet/…/main.c` -> `mlx5_core`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_CONTINUED = re.compile(r"\\\n\s*")
_LIST = re.compile(r"^\s*([\w.-]+?)-(?:y|m|objs|\$\([^)]*\)|\$\{[^}]*\})\s*[:+]?=\s*(.*)$", re.MULTILINE)
_OBJECT = re.compile(r"(?<![\w$(])([\w./-]+)\.o\b")
DEPTH = 4
"""Objects that are linked into objects."""


def modules_of(makefiles: Mapping[str, str]) -> dict[str, str]:
    """Return the module of each C file, by its path; files that no rule names are left out.

    Args:
        makefiles: Text by path.
    """
    found: dict[str, str] = {}
    for path, text in makefiles.items():
        folder = path.rsplit("/", 1)[0] + "/" if "/" in path else ""
        inside: dict[str, str] = {}
        roots: set[str] = set()
        for target, objects in _LIST.findall(_CONTINUED.sub(" ", text)):
            for one in _OBJECT.findall(objects):
                if target == "obj":
                    roots.add(one)
                else:
                    inside.setdefault(one, target)
        for one in {*roots, *inside}:
            top = one
            for _ in range(DEPTH):
                if top in roots or top not in inside:
                    break
                top = inside[top]
            name = top.rsplit("/", 1)[-1].replace("-", "_")
            if top in roots:
                found.setdefault(f"{folder}{one}.c", name)
    return found
