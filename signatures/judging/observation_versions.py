"""Versions of the kinds of conditions, part of the keys of cached observations.

A version covers the module of the kind, what calls it, what a reading is loaded with, and the data of all of
them, such as the kinds of frames. A change of one kind forgets the observations of that kind only.
"""

from __future__ import annotations

import pkgutil
from functools import cache

from ingest.code_versions import version_of
from signatures.judging import predicates

SHARED = (
    "signatures.judging.observe",
    "signatures.judging.observation_cache",
    "ingest.model.reading_folder",
)
"""Modules that every cached observation is computed with, besides that of its kind."""


@cache
def version_of_kind(module: str) -> str:
    """Return the version of the kind of conditions that a module defines."""
    return version_of(module, *SHARED)


@cache
def current() -> frozenset[str]:
    """Return the versions of all kinds."""
    found = pkgutil.iter_modules(predicates.__path__, f"{predicates.__name__}.")
    return frozenset(version_of_kind(module.name) for module in found)
