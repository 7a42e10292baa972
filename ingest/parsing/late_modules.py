"""Modules that are imported when something of them is used that is not known without it.

    reader = late_module(package, "free", {"NAME": "free"}, frozenset({"NAME", "read"}), is_package=False)
    reader.NAME         known
    has(reader, "read") true, and not imported by the question
    reader.read         imports the module

The module is the one that an `import` returns, before and after.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.abc import Loader


class LateModule(ModuleType):
    """A module that is not imported yet; its class becomes that of any module when it is."""

    def __getattr__(self, name: str) -> Any:
        """Return what is not known without importing the module.

        A module inside a package is imported alone: a sibling that the package imports may ask for it.
        """
        spec = object.__getattribute__(self, "__spec__")
        if name not in spec.loader_state:
            raise AttributeError(f"module {spec.name!r} has no attribute {name!r}")
        inside = f"{spec.name}.{name}"
        if spec.submodule_search_locations and PathFinder.find_spec(inside, spec.submodule_search_locations):
            return import_module(inside)
        import_now(self)
        return getattr(self, name)


def late_module(
    package: ModuleType,
    name: str,
    known: Mapping[str, Any],
    names: frozenset[str],
    *,
    is_package: bool = False,
    loader: Loader | None = None,
) -> ModuleType:
    """Return the module `name` of a package, not imported unless it was.

    Args:
        package: The package that holds it.
        name: Last component of the module's name.
        known: Attributes that do not import it.
        names: All of its attributes.
        is_package: Whether it is a package itself.
        loader: What fills it, where that is no file of Python.
    """
    full_name = f"{package.__name__}.{name}"
    if full_name in sys.modules:
        return sys.modules[full_name]
    folder = package.__path__[0]
    location = f"{folder}/{name}/__init__.py" if is_package else f"{folder}/{name}.py"
    # What `spec_from_file_location` and `module_from_spec` make of it, in a fifth of their time.
    spec = ModuleSpec(
        full_name,
        loader or SourceFileLoader(full_name, location),
        origin=None if loader else location,
        loader_state=names,
        is_package=is_package,
    )
    spec.has_location = loader is None
    module = LateModule(full_name)
    of_import: dict[str, Any] = {
        "__spec__": spec,
        "__loader__": spec.loader,
        "__package__": spec.parent,
    }
    if loader is None:
        of_import["__file__"] = location
    if is_package:
        spec.submodule_search_locations = [f"{folder}/{name}"]
        of_import["__path__"] = spec.submodule_search_locations
    vars(module).update(of_import)
    vars(module).update(known)
    sys.modules[full_name] = module
    setattr(package, name, module)
    return module


def has(module: ModuleType, name: str) -> bool:
    """Return whether a module has an attribute, without importing it."""
    if isinstance(module, LateModule):
        return name in vars(module) or name in vars(module)["__spec__"].loader_state
    return hasattr(module, name)


def import_now(module: ModuleType) -> None:
    """Import a late module, if that was not done."""
    if not isinstance(module, LateModule):
        return
    spec = module.__spec__
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError(f"no module named {module.__name__!r}", name=module.__name__)
    # From here on a name that the module asks of itself is one that it has not defined yet.
    object.__setattr__(module, "__class__", ModuleType)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        module.__class__ = LateModule
        raise
