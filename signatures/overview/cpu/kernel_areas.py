"""Parts of the kernel by the names of their functions, for tables and profiles that no single function leads.

86.8 % of the time is in futex functions (get_futex_key, futex_wake, futex_wait)
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from ingest.tables import files, table
from signatures.language.number_format import value_words
from signatures.overview.levels import ratio_of
from signatures.overview.model import Statement

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from signatures.overview.first_steps import Topic
    from signatures.overview.model import Place, QuestionName

AREA_SHARE = 0.2
MOST = 0.6
LEAST_FUNCTIONS = 2
NAMED = 3
BESIDE: Mapping[str, tuple[QuestionName, ...]] = {"futex functions": ("locks",)}
CAPTURES = dict.fromkeys(
    ("futex functions", "system-call entry and exit"), "perf trace -s -p PID -- sleep 10"
)
ASKS = "how many of these calls it makes, and how many fail"
"""Further questions that the time in a part of the kernel is about, and does not answer."""

TOPICS: Mapping[str, Topic] = {
    "futex functions": "user lock",
    "memory reclaim": "reclaim",
    "memory compaction": "compaction",
    "transparent huge pages": "compaction",
    "block IO": "slow IO",
    "write-back": "slow IO",
    "KVM": "busy CPUs",
    "tracing": "observers",
    "BPF programs": "observers",
    "audit": "observers",
    "seccomp": "observers",
    "file system notifications": "observers",
}
"""What the first steps about a part of the kernel are about, where they are special."""


class Part(NamedTuple):
    """A function of the kernel with its share of the time, its module ("" in the kernel itself) and lines."""

    name: str
    share: float
    module: str
    places: tuple[Place, ...]


@cache
def areas() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return each part of the kernel with the prefixes of its functions, of `kernel_areas.yaml`."""
    rows = table(files("ingest.catalogue") / "kernel_areas.yaml")
    return tuple((one["name"], tuple(one["prefixes"])) for one in rows)


def area_of(part: Part) -> str:
    """Return the part of the kernel that a function belongs to, "" when it is not known."""
    found = next((words for words, prefixes in areas() if part.name.startswith(prefixes)), "")
    return found or (f"the module {part.module}" if part.module else "")


def topic_of_part(part: Part) -> Topic:
    """Return what the first steps about a function are about, by the part of the kernel it belongs to."""
    return TOPICS.get(area_of(part), "kernel work")


def area_statement(parts: Iterable[Part], source: str, *, named: float = 1.0) -> Statement | None:
    """Return the sentence of the largest area; None when it is small or of one function.

    Args:
        parts: Functions of the kernel, each once.
        source: What is shared out: `time`, `samples`.
        named: Share of it that the rows name; an excerpt names little and is about most of that.
    """
    by_area: dict[str, list[Part]] = defaultdict(list)
    for part in parts:
        if area := area_of(part):
            by_area[area].append(part)
    ranked = sorted(by_area.items(), key=lambda row: -sum(one.share for one in row[1]))
    for area, found in ranked[:1]:
        share = sum(one.share for one in found)
        is_large = share >= AREA_SHARE or (named < AREA_SHARE and share >= MOST * named)
        if not is_large or len(found) < LEAST_FUNCTIONS:
            return None
        found.sort(key=lambda one: -one.share)
        names = ", ".join(one.name for one in found[:NAMED])
        places = tuple(place for one in found[:NAMED] for place in one.places[:1])
        are = "are" if source == "samples" else "is"
        text = f"{value_words(share, 'share')} of the {source} {are} in {area} ({names})"
        also = BESIDE.get(area, ())
        capture = CAPTURES.get(area, "")
        return Statement(
            "cpu",
            text,
            places,
            "fact",
            "notable",
            capture,
            also=also,
            asks=ASKS if capture else "",
            topic=TOPICS.get(area, "kernel work"),
            ratio=ratio_of(share, AREA_SHARE),
            subject=area,
            names=(names,),
        )
    return None
