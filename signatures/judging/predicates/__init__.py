"""The kinds of conditions: one module each, found by discovery.

A module has the frozen dataclass of its condition, a subclass of `ReadingCondition` or `ScopeCondition`
(`signatures.judging.condition_bases`) that observes and describes itself, and

    KEYWORDS    keyword of `signature.yaml` to its parser and JSON Schema (`signatures.language.keyword`)

No kind imports another; what several need stands beside this package.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.language.keyword import Keyword


def _modules() -> Iterator[Any]:
    for found in pkgutil.iter_modules(__path__, f"{__name__}."):
        yield importlib.import_module(found.name)


KEYWORDS: dict[str, Keyword] = {
    name: keyword for module in _modules() for name, keyword in module.KEYWORDS.items()
}
"""Every keyword of a test except the groups `any`, `all` and `none`."""
