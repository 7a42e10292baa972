"""Strict parser of the conditions on profiles and tables: `stack`, `leaf`, `symbol`, `sequence`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from signatures.language import units
from signatures.language.conditions import (
    Condition,
    FrameSet,
    SequenceCondition,
    StackCondition,
    Step,
    SymbolCondition,
)
from signatures.language.patterns import expand
from signatures.language.strict_mapping import BOUNDS, Keys, bound_of, cap_of

if TYPE_CHECKING:
    from collections.abc import Mapping

DEFAULT_MIN_SAMPLES = 200
"""Minimum samples of the population for a share: an idle machine has 18 kernel samples."""

SEEN = (True, False, "at rest", "asleep")
_SIBLING_KEYS = ["share", "seen", "min_samples", "cap", "distinct"]


def frame_path(names: Any) -> tuple[FrameSet, ...]:
    """Return frame sets; an inner list holds alternatives, a single text is a list of one."""
    entries = [names] if isinstance(names, str) else list(names)
    return tuple(expand([entry] if isinstance(entry, str) else entry) for entry in entries)


def stack(file: str, path: str, document: Mapping[str, Any]) -> Condition:
    """Build `stack` or `leaf`."""
    is_leaf = "leaf" in document
    name = "leaf" if is_leaf else "stack"
    Keys(file, path, document, [name, *_SIBLING_KEYS])
    allowed = (
        ["any", "called_from", "within", "not", "of", "at", "comm"]
        if is_leaf
        else ["contains", "under", "not", "of", "at", "comm"]
    )
    keys = Keys(file, f"{path}.{name}", document[name], allowed)
    share = Keys(file, f"{path}.share", document.get("share", {}), BOUNDS)
    distinct = Keys(file, f"{path}.distinct", document.get("distinct", {}), ["of", *BOUNDS])
    seen = Keys(file, path, document, None).one_of("seen", SEEN, default=False)
    is_seen = bool(seen)
    is_one = (not share.items_) + (not distinct.items_) + (not is_seen) == 2
    if not is_one and not (is_seen and distinct.items_ and not share.items_):
        raise keys.error(
            name,
            "needs exactly one of share, distinct, seen (seen may be combined with distinct)",
            "add `share: {at_least: 0.30}`",
        )
    lower = frame_path(keys.value("called_from", [])) if is_leaf else frame_path(keys.value("contains"))
    upper = () if is_leaf else frame_path(keys.value("under", []))
    return StackCondition(
        path=lower + upper,
        leaf=expand(keys.texts("any")) if is_leaf else (),
        within=int(keys.value("within", 0)),
        without=expand(keys.texts("not")),
        of=keys.one_of("of", ("all", "busy", "kernel_busy"), default="kernel_busy"),
        at=keys.text("at").lstrip("$"),
        bound=bound_of(distinct if distinct.items_ else share),
        is_seen=is_seen,
        is_at_rest=seen == "at rest",
        has_share_sibling=False,
        is_distinct=bool(distinct.items_),
        min_samples=float(document.get("min_samples", DEFAULT_MIN_SAMPLES)),
        comm=keys.texts("comm"),
        is_asleep=seen == "asleep",
        cap=cap_of(file, path, document),
    )


def symbol(file: str, path: str, document: Mapping[str, Any]) -> Condition:
    """Build `symbol`."""
    Keys(file, path, document, ["symbol", "share", "cap"])
    keys = Keys(file, f"{path}.symbol", document["symbol"], ["any", "what"])
    share = Keys(file, f"{path}.share", document.get("share", {}), BOUNDS)
    what = keys.one_of("what", ("self", "total"), default="self")
    return SymbolCondition(expand(keys.texts("any")), what, bound_of(share), cap_of(file, path, document))


def _step(file: str, path: str, document: Mapping[str, Any]) -> Step:
    keys = Keys(file, path, document, ["comm", "contains", "run"])
    run = units.parse(keys.value("run", 1))
    is_time = run.unit == "seconds"
    return Step(
        comm=keys.texts("comm"),
        path=frame_path(keys.value("contains", [])),
        run=1 if is_time else int(run.value),
        run_seconds=run.value if is_time else 0.0,
    )


def sequence(file: str, path: str, document: Mapping[str, Any]) -> Condition:
    """Build `sequence`."""
    Keys(file, path, document, ["sequence", "cap"])
    keys = Keys(
        file,
        f"{path}.sequence",
        document["sequence"],
        ["rows", "column", "first", "then", "within", "at_least"],
    )
    within = units.parse(keys.value("within", 1))
    is_time = within.unit == "seconds"
    return SequenceCondition(
        rows=keys.text("rows"),
        column=keys.text("column"),
        first=_step(file, f"{path}.sequence.first", keys.mapping("first")),
        then=_step(file, f"{path}.sequence.then", keys.mapping("then")),
        within=0 if is_time else int(within.value),
        within_seconds=within.value if is_time else 0.0,
        at_least=int(keys.value("at_least", 1)),
        cap=cap_of(file, path, document),
    )
