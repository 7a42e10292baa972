"""Tables of sessions of a database, a row each: what it waits for, for how long, and behind which session.

     blocked_pid | wait_event | blocking_pid |        state
    -------------+------------+--------------+---------------------
           20411 | tuple      |        19877 | idle in transaction
    ->  session 20411 waits for the lock tuple, held by session 19877, which is idle in transaction

The names of the columns are rows of `sessions.yaml`. Vertical records are such rows, too.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ingest.engines.quantities import vertical
from ingest.engines.threads.model import Lock, ThreadLook, thread_name
from ingest.engines.threads.waiting import any_of
from ingest.tables import files, table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ingest.native.linear import Pattern

FORM = "sessions"
LOCKED, IDLE, HOLDING, ACTIVE = "waits for a lock", "idle", "idle in transaction", "active"
"""States of a session, which `waiting.yaml` knows."""

NOTHING = frozenset({"", "null", "-", "{}", "."})
_ID = re.compile(r"^\{?(?P<id>\d{1,12})\b")
_CLOCK = re.compile(r"^(?:(?P<days>\d{1,5}) days? )?(?P<h>\d{1,4}):(?P<m>\d\d):(?P<s>\d\d(?:\.\d+)?)$")
_NUMBER = re.compile(r"^\d{1,9}(?:\.\d+)?$")


class Head(NamedTuple):
    """The columns of a table: the place of each meaning, -1 of those that it does not have."""

    places: Mapping[str, int]
    holder_state: int
    width: int


def head_of(line: str) -> Head | None:
    """Return the head of a table of sessions, None of any other line."""
    return head_of_names(_cells(line)) if "|" in line else None


def head_of_names(printed: Sequence[str]) -> Head | None:
    """Return the head of columns with these names, None where they are not of sessions."""
    names = [one.lower() for one in printed]
    places: dict[str, int] = {}
    for meaning, known in _table()["columns"].items():
        places[meaning] = next((at for name in known for at, one in enumerate(names) if one == name), -1)
    holder_state = -1
    if 0 <= places["holder"] < places["state"]:
        holder_state, places["state"] = places["state"], -1
    is_process = places["seconds"] >= 0 and places["text"] >= 0 and places["state"] >= 0
    if places["id"] < 0 or not (places["holder"] >= 0 or places["wait"] >= 0 or is_process):
        return None
    return Head(places, holder_state, len(names))


def looks_of_row(head: Head, line: str, number: int) -> list[ThreadLook]:
    """Return the session of a row and the one that it waits for; [] of lines that are no row."""
    return _looks(head, _cells(line), number)


def _looks(head: Head, cells: Sequence[str], number: int) -> list[ThreadLook]:
    if len(cells) != head.width or not (own := _ID.match(_cell(head, cells, "id"))):
        return []
    name = _cell(head, cells, "name")
    look = ThreadLook(FORM, name, int(own["id"]), number, last_line=number)
    look.seconds = _seconds(_cell(head, cells, "seconds"))
    wait_class, wait = _cell(head, cells, "wait_class"), _cell(head, cells, "wait")
    state, whole = _cell(head, cells, "state"), ":".join(filter(None, (wait_class, wait)))
    holder = _ID.match(_cell(head, cells, "holder"))
    locks, idle, holding = _shapes()
    stated = next((one for one in (whole, wait, wait_class, state) if one and locks.match(one.lower())), "")
    if stated or holder:
        look.state = LOCKED
        what = wait or stated.removeprefix("Waiting for ").removesuffix(" lock")
        owner = int(holder["id"]) if holder else 0
        # Without a holder the sessions that wait for one kind of lock stand together.
        look.waits = Lock(f"behind {owner}" if holder else stated, what, thread_name(owner) if holder else "")
    elif state and holding.match(state.lower()):
        look.state = HOLDING
    elif any(one and idle.match(one.lower()) for one in (whole, state, _cell(head, cells, "command"))):
        look.state = IDLE
    else:
        look.state = ACTIVE
    found = [look]
    if holder:
        stated = cells[head.holder_state] if head.holder_state >= 0 else ""
        held = ThreadLook(FORM, "", int(holder["id"]), number, last_line=number)
        is_holding = bool(stated) and bool(holding.match(stated.lower()))
        held.state = (
            HOLDING if is_holding else IDLE if idle.match(stated.lower()) else ACTIVE if stated else ""
        )
        held.holds = [Lock(look.waits.address)]
        found.append(held)
    return found


def records(lines: Sequence[str]) -> list[vertical.Record]:
    """Return the vertical records of a text that are of sessions; [] where it has no mark of a record."""
    if not any(map(vertical.MARK.match, lines)):
        return []
    return [one for one in vertical.records(lines) if head_of_names(list(one.cells)) is not None]


def looks_of_records(found: Sequence[vertical.Record], first_line: int) -> list[ThreadLook]:
    """Return the sessions of records, each once."""
    looks: list[ThreadLook] = []
    for record in found:
        if (head := head_of_names(list(record.cells))) is None:
            continue
        cells = [value for value, _ in record.cells.values()]
        for look in _looks(head, cells, first_line + record.mark):
            look.last_line = first_line + max(line for _, line in record.cells.values())
            looks.append(look)
    return joined(looks)


def joined(looks: Sequence[ThreadLook]) -> list[ThreadLook]:
    """Return each session once: one that a row shows as the holder, and another as waiting, is both."""
    found: dict[int, ThreadLook] = {}
    others = []
    for look in looks:
        if look.form != FORM:
            others.append(look)
            continue
        known = found.setdefault(look.tid, look)
        if known is look:
            continue
        known.holds += [one for one in look.holds if one not in known.holds]
        if look.state == LOCKED or not known.state:
            known.state, known.waits = look.state, look.waits
        known.name, known.seconds = known.name or look.name, known.seconds or look.seconds
    return [*others, *found.values()]


def _cells(line: str) -> list[str]:
    return [one.strip() for one in line.strip().strip("|").split("|")]


def _cell(head: Head, cells: Sequence[str], meaning: str) -> str:
    at = head.places[meaning]
    text = cells[at] if at >= 0 else ""
    return "" if text.lower() in NOTHING else text


def _seconds(text: str) -> float | None:
    """Return seconds of a number or of `[days] hours:minutes:seconds`."""
    if _NUMBER.match(text):
        return float(text)
    found = _CLOCK.match(text)
    if not found:
        return None
    hours = 24 * int(found["days"] or 0) + int(found["h"])
    return hours * 3600 + int(found["m"]) * 60 + float(found["s"])


@cache
def _table() -> Mapping[str, Any]:
    document: Mapping[str, Any] = table(files(__package__) / "sessions.yaml")
    return document


@cache
def _shapes() -> tuple[Pattern, Pattern, Pattern]:
    document = _table()
    return any_of(document["locks"]), any_of(document["idle"]), any_of(document["holding"])
