"""Literals that expressions require: one of them is in all that the expression matches.

Finding them takes a third of the time of compiling the expressions, so `make build` does, and keeps them by
their expressions. One without literals counts as possible in any text.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ingest.native.line_classes import required_literals

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

PACKAGE = Path(__file__).parents[1]
NAME = "literals.json"


def known(expressions: Iterable[str]) -> list[list[str]]:
    """Return the literals of each expression, none where it has none or was not compiled."""
    kept = _kept()
    return [kept.get(one, []) for one in expressions]


def write(package: Path, expressions: Iterable[str]) -> None:
    """Compile the literals of expressions into a copy of `ingest`."""
    found = {one: literals for one in expressions if (literals := required_literals(one))}
    (package / NAME).write_text(json.dumps(found, ensure_ascii=False), encoding="utf-8")


@cache
def _kept() -> Mapping[str, list[str]]:
    try:
        kept: Mapping[str, list[str]] = json.loads((PACKAGE / NAME).read_bytes())
    except (FileNotFoundError, ValueError):
        return {}
    return kept
