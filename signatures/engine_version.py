"""Version of the engine: code, data, signatures and switches that judgements are computed with."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from ingest.code_versions import DIGITS, version_of
from signatures.engines import configured

_PACKAGE = Path(__file__).parent
_LIBRARY = _PACKAGE / "library"
_OTHERS = frozenset({"authoring", "handoff", "library"})
"""Folders that no judgement uses, or whose files are data."""


@cache
def engine_version() -> str:
    """Return it: 16 hex digits."""
    digest = hashlib.sha256(version_of(*_modules()).encode())
    for path in [*sorted(_PACKAGE.glob("kernels/**/*.yaml")), *sorted(_LIBRARY.glob("*/*/signature.yaml"))]:
        digest.update(path.relative_to(_PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    digest.update(repr(configured()).encode())
    return digest.hexdigest()[:DIGITS]


def _modules() -> list[str]:
    """Return the modules of this package; most of them are found by discovery, not by imports."""
    paths = (path.relative_to(_PACKAGE) for path in _PACKAGE.rglob("*.py"))
    return [
        ".".join((_PACKAGE.name, *path.with_suffix("").parts)).removesuffix(".__init__")
        for path in paths
        if path.parts[0] not in _OTHERS
    ]
