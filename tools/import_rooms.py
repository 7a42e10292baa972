"""An import contract for the rooms of a feature, told by their names; `lint-imports` loads it.

    routes* | tasks*      the doors: HTTP and Celery; neither knows the other
    every other module    the service rooms
    queries* | schemas*   what all of them stand on

Inside a feature a room imports only rooms of its own layer or below. Across features, nothing but a door may
import a door: work of another feature is enqueued by name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from importlinter import Contract, ContractCheck, fields, output

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grimp import ImportGraph

DOORS = ("routes", "tasks")
GROUND = ("queries", "schemas")


class RoomsContract(Contract):
    """Rooms look down: doors, service rooms, ground. `house` is the package whose packages are features."""

    type_name = "rooms"
    house = fields.StringField()

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:  # noqa: ARG002, FBT001 - its signature
        """Return whether every import between rooms is allowed."""
        faults = [
            f"{importer} is not allowed to import {imported}"
            for importer, imported in _links(graph, str(self.house))
            if not _is_allowed(importer.split(".")[1:], imported.split(".")[1:])
        ]
        return ContractCheck(kept=not faults, metadata={"faults": faults})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print one line per forbidden import."""
        for fault in check.metadata["faults"]:
            output.print_error(fault, bold=False)


def _links(graph: ImportGraph, house: str) -> Iterator[tuple[str, str]]:
    """Yield (importer, imported) of every import between modules that are two floors below `house`."""
    for importer in sorted(graph.find_descendants(house)):
        for imported in sorted(graph.find_modules_directly_imported_by(importer)):
            if imported.startswith(f"{house}.") and importer.count(".") > 1 and imported.count(".") > 1:
                yield importer, imported


def _is_allowed(importer: list[str], imported: list[str]) -> bool:
    """Decide for two names as lists: feature, room, and what may follow."""
    here, there = _layer(importer[1]), _layer(imported[1])
    if here == there:
        return here != "door" or _door(importer[1]) == _door(imported[1])
    if importer[0] == imported[0]:
        return here == "door" or there == "ground"
    return there != "door"


def _layer(room: str) -> str:
    return "door" if room.startswith(DOORS) else "ground" if room.startswith(GROUND) else "service"


def _door(room: str) -> str:
    return next(door for door in DOORS if room.startswith(door))
