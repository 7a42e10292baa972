"""A package or module that is imported when something of it is first used.

    delay("numpy")      before the modules that name it at their top are imported

`import numpy as np` then costs nothing where no array is made: a short text is read and judged without. A
second thread that uses the package while the first one imports it waits.
"""

from __future__ import annotations

import importlib.util
import sys
from threading import RLock
from types import ModuleType
from typing import Any

_LOCK = RLock()
_OF_IMPORT = frozenset({"__spec__", "__class__", "__dict__", "__name__"})
"""What the statement `import` itself looks at."""


class _Late(ModuleType):
    """Stands for a package, and becomes it."""

    def __getattribute__(self, name: str) -> Any:
        if name not in _OF_IMPORT:
            with _LOCK:
                _import(self)
        return ModuleType.__getattribute__(self, name)


_running: set[str] = set()


def _import(module: ModuleType) -> None:
    """Run the code of a package, once; while it runs it is looked at from inside."""
    name = module.__name__
    if type(module) is not _Late or name in _running:
        return
    _running.add(name)
    try:
        spec = module.__spec__
        if spec is not None and spec.loader is not None:
            spec.loader.exec_module(module)
        module.__class__ = ModuleType  # type: ignore[assignment]  # a package from now on
    finally:
        _running.discard(name)


def delay(name: str) -> None:
    """Have a package imported late, unless it already is or there is none."""
    if name in sys.modules:
        return
    spec = importlib.util.find_spec(name)
    if spec is None or spec.loader is None:
        return
    module = _Late(name)
    module.__spec__ = spec
    module.__loader__ = spec.loader
    module.__file__ = spec.origin
    module.__package__ = spec.parent
    if spec.submodule_search_locations is not None:
        module.__path__ = list(spec.submodule_search_locations)
    sys.modules[name] = module
