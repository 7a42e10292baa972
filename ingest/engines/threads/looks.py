"""Threads of a reading: rows of a list of threads with their stacks, or the user stacks of a debugger."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.engines.threads import remarks as remarks_of_frames
from ingest.engines.threads.model import NO_LOCK, Lock, ThreadFrame, ThreadLook, thread_name
from ingest.engines.threads.remarks import HOLDS, WAITS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ingest.model.profile import Profile
    from ingest.model.reading import Cell, Reading, RowSet

ROWS = "thread_dump"
SEPARATOR = " | "
"""Between the locks that a thread holds."""

STACKS, REMARKED = "stacks", "remarks"
"""The forms of stacks without a list: as printed, and with remarks of a person about locks."""

OF_PROGRAMS = frozenset({"user", "jit", "unknown"})


def looks_of(reading: Reading) -> list[ThreadLook]:
    """Return the threads of a reading, [] where it has none of a program."""
    stacks = {
        line: (frames, thread, is_kernel)
        for profile in reading.profiles
        if profile.what == "bare" and not profile.has_weights
        for frames, thread, line, is_kernel in _stacks(profile)
    }
    rows = [one for one in reading.row_sets if one.name == ROWS]
    if rows:
        return [_of_row(row, line, stacks) for one in rows for row, line in _rows(one)]
    if reading.log_records:
        return []
    owners = {
        int(float(cells["tid"] or -1)): thread_name(int(float(cells["owner_tid"] or -1)))
        for cells in _cells(reading, "user_lock_owners")
    }
    remarks, locks = _remarks(reading), _user_locks(reading)
    return [
        ThreadLook(
            REMARKED if line in remarks else STACKS,
            comm,
            tid,
            line,
            frames=list(frames),
            waits=next(
                (Lock(name, name) for what, name in remarks.get(line, ()) if what == WAITS),
                locks.get(line, NO_LOCK)._replace(owner=owners.get(tid, "")),
            ),
            holds=[Lock(name, name) for what, name in remarks.get(line, ()) if what == HOLDS],
            last_line=max([line, *(frame.line for frame in frames)]),
        )
        for line, (frames, (comm, tid), is_kernel) in stacks.items()
        if line in remarks or not is_kernel
    ]


def _remarks(reading: Reading) -> dict[int, list[tuple[str, str]]]:
    """Return what remarks say of locks, by the first line of the stack; {} unless one waits."""
    found: dict[int, list[tuple[str, str]]] = {}
    for cells in _cells(reading, remarks_of_frames.ROWS):
        stack = int(float(cells["stack_line"] or 0))
        found.setdefault(stack, []).append((str(cells["relation"]), str(cells["lock"])))
    return found if any(what == WAITS for said in found.values() for what, _ in said) else {}


def _user_locks(reading: Reading) -> dict[int, Lock]:
    """Return the locks whose address or name a debugger prints, by the first line of the stack."""
    return {
        int(float(cells["stack_line"] or 0)): Lock(str(cells["address"] or ""), str(cells["symbol"] or ""))
        for cells in _cells(reading, "user_locks")
    }


def _cells(reading: Reading, name: str) -> list[Mapping[str, Cell]]:
    return [cells for rows in reading.row_sets if rows.name == name for cells, _ in _rows(rows)]


def _rows(rows: RowSet) -> list[tuple[Mapping[str, Cell], int]]:
    return [
        (dict(zip(rows.columns, row, strict=True)), line)
        for row, line in zip(rows.rows, rows.row_lines, strict=True)
    ]


def _of_row(
    cells: Mapping[str, Cell],
    line: int,
    stacks: Mapping[int, tuple[list[ThreadFrame], tuple[str, int], bool]],
) -> ThreadLook:
    function, seconds = cells["function"], cells["state_s"]
    own = [ThreadFrame(str(function), "", line)] if function else []
    lock = Lock(*(str(cells[name] or "") for name in ("lock", "lock_type", "held_by")))
    return ThreadLook(
        str(cells["form"]),
        str(cells["comm"] or ""),
        _tid(cells["tid"]),
        line,
        str(cells["state"] or ""),
        float(seconds) if isinstance(seconds, float) else None,
        int(float(cells["count"] or 1)),
        stacks[line][0] if line in stacks else own,
        lock if any(lock) else NO_LOCK,
        [Lock(one) for one in str(cells["holds"] or "").split(SEPARATOR) if one],
        cells["gives_up"] == "yes",
        int(float(cells["last_line"] or line)),
        int(float(cells.get("queue") or 0)),
    )


def cells_of(look: ThreadLook) -> dict[str, float | str | None]:
    """Return the row of a thread in the set `ROWS`."""
    return {
        "comm": look.name,
        "tid": float(look.tid),
        "state": look.state,
        "waits_for": f"{look.waits.what} {look.waits.address}".strip() or None,
        "function": look.frames[0].name if look.frames else None,
        "form": look.form,
        "count": float(look.count),
        "state_s": look.seconds,
        "lock": look.waits.address or None,
        "lock_type": look.waits.what or None,
        "held_by": look.waits.owner or None,
        "gives_up": "yes" if look.is_given_up else "no",
        "holds": SEPARATOR.join(one.address for one in look.holds if one.address) or None,
        "last_line": float(look.last_line),
        "queue": float(look.queue) or None,
    }


def _tid(cell: Cell) -> int:
    """Return a thread id, -1 where none is printed; 0 is one."""
    return int(cell) if isinstance(cell, float) else -1


def _stacks(profile: Profile) -> list[tuple[list[ThreadFrame], tuple[str, int], int, bool]]:
    """Return the stacks, each with its thread, its first line, and whether a function is the kernel's."""
    found = []
    parents, frames, lines = profile.node_parent, profile.node_frame, profile.node_line
    for node, line, who in zip(
        profile.sample_node.tolist(),
        profile.sample_line.tolist(),
        profile.sample_thread.tolist(),
        strict=True,
    ):
        path, at = [], node
        while at >= 0:
            frame = profile.frames[int(frames[at])]
            path.append((ThreadFrame(frame.name, frame.module, int(lines[at])), frame.kind))
            at = int(parents[at])
        thread = profile.threads[who]
        is_kernel = not path or any(kind not in OF_PROGRAMS for _, kind in path)
        found.append(([one for one, _ in path], (thread.comm, thread.tid), line, is_kernel))
    return found
