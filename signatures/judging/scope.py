"""Scopes: the readings of one host and phase, judged together.

Evidence without a host name has the host and phase that its folder suggests (`ingest.folders`), else host ""
(unknown). When all other evidence is of exactly one host, it is judged with that host, *assumed*; its vetoes
apply only to itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, TypeAlias

from ingest.folders.placing import File, place

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ingest.model.evidence import Placement
    from ingest.model.reading import Reading


class _Referable:
    """What is computed of an item may live as long as it."""

    __slots__ = ("__weakref__",)


@dataclass(frozen=True, slots=True)
class Item(_Referable):
    """One reading with its source.

    Attributes:
        evidence: Id or name of the evidence.
        captured_path: Path of the section, else of the evidence; "" when none.
        host: Host name; "" when unknown.
        boot: Boot id; "" when unknown.
        phase: `before`, `during` or `after`.
        section: Ordinal of the section in its evidence.
        format: Name of the format that read it.
        reading: Parsed content.
        first_line: First line of the section.
        last_line: Last line of the section.
        digest: Digest of the reading, the key of cached observations; "" when not cached.
    """

    evidence: str
    captured_path: str
    host: str
    boot: str
    phase: str
    section: int
    format: str
    reading: Reading
    first_line: int
    last_line: int
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Scope:
    """The items of one verdict."""

    host: str
    phase: str
    items: tuple[Item, ...]


_Placed: TypeAlias = "Sequence[tuple[Item, Placement | None]]"


class SectionLike(Protocol):
    """Interface of a section (`ingest.evidence.Section`)."""

    @property
    def ordinal(self) -> int:
        """Position in the evidence."""

    @property
    def format(self) -> str:
        """Format name."""

    @property
    def first_line(self) -> int:
        """First line."""

    @property
    def last_line(self) -> int:
        """Last line."""

    @property
    def path(self) -> str:
        """Captured path of the section."""

    @property
    def reading(self) -> Reading:
        """Parsed content."""


class EvidenceLike(Protocol):
    """Interface of evidence (`ingest.evidence.Evidence`)."""

    @property
    def name(self) -> str:
        """Name of the file."""

    @property
    def captured_path(self) -> str:
        """Captured path of the whole."""

    @property
    def sections(self) -> Sequence[SectionLike]:
        """Its sections."""

    @property
    def members(self) -> Sequence[EvidenceLike]:
        """Members, when it is an archive."""

    @property
    def placed(self) -> Placement | None:
        """Host, boot and phase assigned by its handoff; None without one."""


def items_of(evidences: Iterable[EvidenceLike], *, phase: str = "during") -> list[Item]:
    """Return the items of evidence; members of one archive share its host and boot unless assigned."""
    read = [(evidence, list(_items(evidence, phase))) for evidence in evidences]
    files = [_file(evidence, own) for evidence, own in read]
    items: list[Item] = []
    for (_, own), guess in zip(read, place(files), strict=True):
        boot = _text(own, "host.boot_id")
        items.extend(
            replace(item, host=guess.host, boot=boot, phase=guess.phase or phase)
            if placement is None
            else replace(item, host=placement.host, boot=placement.boot, phase=placement.phase)
            for item, placement in own
        )
    return items


def _file(evidence: EvidenceLike, own: _Placed) -> File:
    path = evidence.captured_path or evidence.name
    return File(path, _text(own, "host.name"), _text(own, "host.machine_id"))


def _items(evidence: EvidenceLike, phase: str) -> Iterable[tuple[Item, Placement | None]]:
    for section in evidence.sections:
        item = Item(
            evidence=evidence.captured_path or evidence.name,
            captured_path=section.path or evidence.captured_path,
            host="",
            boot="",
            phase=phase,
            section=section.ordinal,
            format=section.format,
            reading=section.reading,
            first_line=section.first_line,
            last_line=section.last_line,
        )
        yield item, evidence.placed
    for member in evidence.members:
        yield from _items(member, phase)


def _text(own: _Placed, name: str) -> str:
    """Return the value that the unassigned items state; "" for none or several."""
    items = [item for item, placement in own if placement is None]
    values = {str(fact.value) for item in items for fact in item.reading.facts if fact.name == name}
    return values.pop() if len(values) == 1 else ""


def scopes_of(items: Sequence[Item]) -> list[Scope]:
    """Group items by phase and host."""
    scopes: list[Scope] = []
    for phase in sorted({item.phase for item in items}):
        of_phase = [item for item in items if item.phase == phase]
        hosts = sorted({item.host for item in of_phase if item.host})
        unknown = [item for item in of_phase if not item.host]
        if len(hosts) == 1:
            scopes.append(Scope(hosts[0], phase, tuple(of_phase)))
            continue
        scopes.extend(
            Scope(host, phase, tuple(item for item in of_phase if item.host == host)) for host in hosts
        )
        if unknown:
            scopes.append(Scope("", phase, tuple(unknown)))
    return scopes
