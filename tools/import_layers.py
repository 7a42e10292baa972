"""An import contract for the layers inside a feature, decided by module name; `lint-imports` loads it.

    router, routes* | tasks*      entry points: HTTP and jobs; neither imports the other
    every other module            services
    queries* | schemas*           what both of them use

Inside a feature a module imports only modules of its own layer or below. Across features, only an entry point
may import an entry point: work of another feature follows from a domain event.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from importlinter import Contract, ContractCheck, fields, output

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grimp import ImportGraph

ENTRY_POINTS = ("route", "tasks")
BASE = ("queries", "schemas")


class FeatureLayersContract(Contract):
    """Entry points import services, services import the base; `package` holds the features."""

    type_name = "feature_layers"
    package = fields.StringField()

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:  # noqa: ARG002, FBT001 - its signature
        """Return whether every import between modules of features is allowed."""
        faults = [
            f"{importer} is not allowed to import {imported}"
            for importer, imported in _imports(graph, str(self.package))
            if not _is_allowed(importer.split(".")[1:], imported.split(".")[1:])
        ]
        return ContractCheck(kept=not faults, metadata={"faults": faults})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print one line per forbidden import."""
        for fault in check.metadata["faults"]:
            output.print_error(fault, bold=False)


def _imports(graph: ImportGraph, package: str) -> Iterator[tuple[str, str]]:
    """Yield (importer, imported) of every import between modules of features below `package`."""
    for importer in sorted(graph.find_descendants(package)):
        for imported in sorted(graph.find_modules_directly_imported_by(importer)):
            if imported.startswith(f"{package}.") and importer.count(".") > 1 and imported.count(".") > 1:
                yield importer, imported


def _is_allowed(importer: list[str], imported: list[str]) -> bool:
    """Decide for two names as lists: feature, module, and what may follow."""
    here, there = _layer(importer[1]), _layer(imported[1])
    if here == there:
        return here != "entry" or _entry_point(importer[1]) == _entry_point(imported[1])
    if importer[0] == imported[0]:
        return here == "entry" or there == "base"
    return there != "entry"


def _layer(module: str) -> str:
    return "entry" if module.startswith(ENTRY_POINTS) else "base" if module.startswith(BASE) else "service"


def _entry_point(module: str) -> str:
    return next(prefix for prefix in ENTRY_POINTS if module.startswith(prefix))
