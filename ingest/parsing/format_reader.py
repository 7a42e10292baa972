"""A module that ends in a `FORMAT` as a reader: with the attributes of `ingest.parsing.protocols`.

    reader = FormatReader(module, {"NAME": "proc-loadavg"}, frozenset({"read"}))
    reader.NAME         known
    reader.read         imports the module

Readers of the older form are modules with these attributes themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType

    from ingest.parsing.shapes import Meaning

FORMAT = "FORMAT"
FACTS = "FACTS"


class FormatReader:
    """The format of a module that may not be imported yet.

    Attributes:
        module: The module.
        attributes: What is known without importing it.
        methods: Names of the functions that its shape has.
        facts: By name, the facts that no other format has.
    """

    def __init__(
        self,
        module: ModuleType,
        attributes: Mapping[str, Any],
        methods: frozenset[str],
        facts: Mapping[str, Meaning],
    ) -> None:
        """Have `attributes`."""
        self.__name__ = module.__name__
        self.module = module
        self.attributes = attributes
        self.methods = methods
        self.facts = facts
        vars(self).update(attributes)

    def __getattr__(self, name: str) -> Any:
        """Return a function of the format; the module is imported for the first of them."""
        if name.startswith("_") or name not in self.methods:
            raise AttributeError(f"format of {self.__name__!r} has no attribute {name!r}")
        found = getattr(self.module.FORMAT, name)
        setattr(self, name, found)
        return found

    def has(self, name: str) -> bool:
        """Return whether the format has an attribute, without importing its module."""
        return name in self.attributes or name in self.methods


def imported_format(module: Any) -> FormatReader:
    """Return the format of an imported module."""
    shape = module.FORMAT
    return FormatReader(module, shape.attributes(), shape.methods(), getattr(module, FACTS, {}))
