"""Host and phase of files, from their own statements and, where they state nothing, from their folders.

    x/web-01/dmesg.txt                      ->  web-01, assumed
    x/web-02/dmesg.txt                      ->  web-02, assumed
    x/before/perf.txt  x/after/perf.txt     ->  phases before and after, assumed

A statement always wins, and two machine ids are two hosts whatever their names. A name of a folder counts
only beside another one: `web-01` without `web-02`, or `after` without another phase, separates nothing.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from ingest.folders.names import host_of_name, is_of_health, is_of_machine, phase_of_name

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

Basis = Literal["", "stated", "assumed"]

_Folder: TypeAlias = "tuple[str, ...]"


class File(NamedTuple):
    """A file as it was sent, and the machine that it states; "" where it states none."""

    path: str
    host: str = ""
    machine_id: str = ""


class Guess(NamedTuple):
    """Host and phase of a file; "" where nothing suggests one."""

    host: str
    host_basis: Basis
    phase: str
    phase_basis: Basis


def place(files: Sequence[File]) -> list[Guess]:
    """Return the host and phase of each file."""
    folders = [_folders(file.path) for file in files]
    stated = _stated_hosts(files, folders)
    hosts = _hosts(stated, folders)
    phases = _phases(folders, hosts)
    return [
        Guess(
            host,
            "stated" if name else "assumed" if host else "",
            phase,
            "assumed" if phase else "",
        )
        for name, host, phase in zip(stated, hosts, phases, strict=True)
    ]


def _folders(path: str) -> _Folder:
    """Return the sender's folders above a file, outermost first."""
    parts = [part for part in path.split("/") if part][:-1]
    ends = [at for at, part in enumerate(parts) if is_of_machine(part)]
    return tuple(parts[: ends[0]] if ends else parts)


def _stated_hosts(files: Sequence[File], folders: Sequence[_Folder]) -> list[str]:
    """Return a host name per file, of its statements; files of two machine ids never share one."""
    names = _agreed((file.machine_id, file.host) for file in files if file.machine_id and file.host)
    machines = {file.machine_id for file in files if file.machine_id}
    labels: list[tuple[str, str]] = []
    for file, path in zip(files, folders, strict=True):
        name = file.host or names.get(file.machine_id, "")
        if not name and file.machine_id and len(machines) > 1:
            name = next(filter(None, map(host_of_name, reversed(path))), "machine")
        labels.append((name, file.machine_id))
    ids: dict[str, set[str]] = defaultdict(set)
    for name, machine in labels:
        ids[name].update({machine} - {""})
    within = _agreed(
        (path[:depth], machine)
        for path, (_, machine) in zip(folders, labels, strict=True)
        for depth in range(1, len(path) + 1)
        if machine
    )
    return [
        name if not name or len(ids[name]) < 2 else _labelled(name, machine or _nearest(within, path))
        for (name, machine), path in zip(labels, folders, strict=True)
    ]


def _labelled(name: str, machine_id: str) -> str:
    return f"{name} ({machine_id[:8]})" if machine_id else name


def _hosts(stated: Sequence[str], folders: Sequence[_Folder]) -> list[str]:
    """Return the hosts; a file without a statement has that of its nearest folder that suggests one."""
    within = _agreed(
        (path[:depth], name)
        for path, name in zip(folders, stated, strict=True)
        for depth in range(1, len(path) + 1)
        if name
    )
    by_parent: dict[_Folder, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for path in set(folders):
        for depth, part in enumerate(path):
            if name := host_of_name(part):
                by_parent[path[:depth]][name].add(part)
    known = _agreed(
        (key, name)
        for name in stated
        for key in {name.lower(), name.lower().partition(".")[0]}
        if key[:1].isalpha()
    )
    has_many = len(set(filter(None, stated))) > 1

    def suggested(path: _Folder) -> str:
        for depth in range(len(path), 0, -1):
            part, name = path[depth - 1], host_of_name(path[depth - 1])
            if host := known.get(part.lower()) or known.get(name.lower()):
                return host
            if name and len(by_parent[path[: depth - 1]]) > 1:
                return within.get(path[:depth], name)
            if has_many and path[:depth] in within:
                return within[path[:depth]]
        return ""

    cache = {path: suggested(path) for path in set(folders)}
    return [name or cache[path] for name, path in zip(stated, folders, strict=True)]


def _phases(folders: Sequence[_Folder], hosts: Sequence[str]) -> list[str]:
    """Return the phases; "" for files of drops whose folders name fewer than two."""
    folder_of_phase = [next(filter(phase_of_name, reversed(path)), "") for path in folders]
    roots = ["" if not path or phase_of_name(path[0]) else path[0] for path in folders]
    named = list(map(phase_of_name, folder_of_phase))
    phases_of_host: dict[tuple[str, str], set[str]] = defaultdict(set)
    for root, host, phase in zip(roots, hosts, named, strict=True):
        if phase:
            phases_of_host[root, host].add(phase)
    times = {root for (root, _), phases in phases_of_host.items() if len(phases) > 1}
    named = [
        phase if root in times or not is_of_health(folder) else ""
        for root, folder, phase in zip(roots, folder_of_phase, named, strict=True)
    ]
    of_root: dict[str, set[str]] = defaultdict(set)
    for path, root, phase in zip(folders, roots, named, strict=True):
        if path:
            of_root[root].add(phase or "during")
    # What lies beside `before` and `after` was captured in the time of the first, unless one says `during`.
    stated = {(root, phase) for root, phase in zip(roots, named, strict=True)}
    beside = {
        root
        for root in of_root
        if {(root, "before"), (root, "after")} <= stated and (root, "during") not in stated
    }
    return [
        "" if not path or len(of_root[root]) < 2 else phase or ("before" if root in beside else "")
        for path, root, phase in zip(folders, roots, named, strict=True)
    ]


def _agreed(pairs: Iterable[tuple[Hashable, str]]) -> dict[Hashable, str]:
    """Return the value of every key that has one and no other."""
    values: dict[Hashable, set[str]] = defaultdict(set)
    for key, value in pairs:
        values[key].add(value)
    return {key: next(iter(found)) for key, found in values.items() if len(found) == 1}


def _nearest(within: dict[Hashable, str], path: _Folder) -> str:
    """Return the value of the innermost folder of `path` that has one."""
    return next((within[path[:at]] for at in range(len(path), 0, -1) if path[:at] in within), "")
