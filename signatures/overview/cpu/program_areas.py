"""What the functions of programs serve, for lists that no single function explains.

40.5 % of the time is in allocation of memory (_int_malloc, malloc, _int_free), most of it of lact
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from ingest.tables import files, table
from signatures.language.number_format import value_words
from signatures.overview.levels import ratio_of
from signatures.overview.model import Statement
from signatures.overview.thresholds import thresholds_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from signatures.overview.cpu.function_shares import Timed

LIMITS = thresholds_of("program_areas")
LEAST, FEWEST, NAMED, MOST = (
    LIMITS["share"],
    int(LIMITS["functions"]),
    int(LIMITS["named"]),
    LIMITS["most"],
)


@cache
def areas() -> Sequence[tuple[str, tuple[str, ...]]]:
    """Return what functions serve, with the prefixes of their names, of `program_areas.yaml`."""
    rows = table(files("ingest.catalogue") / "program_areas.yaml")
    return tuple((one["name"], tuple(one["prefixes"])) for one in rows)


@cache
def area_of(name: str) -> str:
    """Return what a function of a program serves, "" when it is not known."""
    return next((words for words, prefixes in areas() if name.startswith(prefixes)), "")


def program_area(tops: Iterable[Timed]) -> Statement | None:
    """Return the sentence of what most time of programs serves; None when it is little or of one function."""
    by_area: dict[str, list[Timed]] = {}
    for one in tops:
        if not one.is_kernel and (area := area_of(one.name)):
            by_area.setdefault(area, []).append(one)
    found = max(by_area.items(), key=lambda row: sum(one.share for one in row[1]), default=None)
    if found is None or len(found[1]) < FEWEST:
        return None
    area, functions = found
    share = sum(one.share for one in functions)
    if share < LEAST:
        return None
    functions.sort(key=lambda one: -one.share)
    names = ", ".join(one.name for one in functions[:NAMED])
    text = f"{value_words(share, 'share')} of the time is in {area} ({names})"
    by_comm: dict[str, float] = {}
    for one in functions:
        by_comm[one.comm] = by_comm.get(one.comm, 0.0) + one.share
    comm = max(by_comm, key=lambda name: by_comm[name])
    text += f", most of it of {comm}" if comm and by_comm[comm] >= MOST * share else ""
    places = tuple(where for one in functions[:NAMED] for where in one.places[:1])
    return Statement(
        "cpu",
        text,
        places,
        "fact",
        "notable",
        topic="busy CPUs",
        ratio=ratio_of(share, LEAST),
        subject=area,
        names=(names,),
    )
