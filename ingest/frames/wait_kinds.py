"""Kinds of resources that tasks wait for, and what holds them, as `wait_points.yaml` describes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from ingest.frames.kernel_series import series_of

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of resource.

    Attributes:
        name: Stable name: `jbd2_commit`.
        title: Name for people.
        instance: What tells two resources of the kind apart: `process`, `device`…; "" for one or unknown.
        outside: Who releases it outside the tasks of the host: `storage`, `server`, `network`, `freezer`.
        is_idle: Tasks wait here when they have nothing to do.
        is_asleep: A wait here is normal in interruptible sleep.
        remote: Sites that wait for the resource of another process.
        releasing: Functions that may have released the resource before they wait.
        scopes: The group of functions whose locks no function of another group takes: `directory`, `file`.
        own: Functions that run while the task holds the resource itself.
        source: Kernel sources.
    """

    name: str
    title: str
    instance: str
    outside: str
    is_idle: bool
    is_asleep: bool
    remote: frozenset[str]
    releasing: frozenset[str]
    scopes: Mapping[str, str]
    own: frozenset[str]
    source: str


class Holding(NamedTuple):
    """A kind of resource that a task holds while `function` is on its stack, in kernels `before` a series."""

    kind: str
    mode: str
    function: str
    before: tuple[int, int] | None = None


def old_holdings(name: str, entry: Mapping[str, Any]) -> list[Holding]:
    """Return the holdings of kernels before a release."""
    before = series_of(entry["release"]) if entry else None
    return [Holding(name, mode, frame, before) for mode in ("read", "write") for frame in entry.get(mode, ())]


def kind_of(name: str, entry: Mapping[str, Any]) -> Kind:
    """Return a kind from its entry in the table."""
    return Kind(
        name=name,
        title=entry["title"],
        instance=entry.get("instance", ""),
        outside=entry.get("outside", ""),
        is_idle=entry.get("idle", False),
        is_asleep=entry.get("asleep", False),
        remote=frozenset(entry.get("remote", ())),
        releasing=frozenset(entry.get("releasing", ())),
        scopes={frame: scope for scope, frames in entry.get("scopes", {}).items() for frame in frames},
        own=frozenset(entry.get("own", ())),
        source=entry["source"],
    )
