"""The `test` part of a clause: groups and the closed set of predicates, read strictly."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from signatures import expression, units
from signatures.keys import Keys
from signatures.patterns import expand
from signatures.questions import (
    Bound,
    Cap,
    Condition,
    FactCondition,
    FrameSet,
    Group,
    HistogramCondition,
    KernelCondition,
    LogCondition,
    RowsCondition,
    SequenceCondition,
    StackCondition,
    Step,
    SymbolCondition,
    Test,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

BOUNDS = ["at_least", "strong", "below", "at_most", "equals"]
DEFAULT_MIN_SAMPLES = 200
"""Below this many samples in the population a share is noise: an idle box has 18 kernel samples."""

_WINDOWS = {"capture": 600.0}
_BESIDE = ["share", "seen", "min_samples", "cap", "distinct"]


def test_of(file: str, path: str, document: Mapping[str, Any]) -> Test:
    """Build the test of one clause.

    Raises:
        SignatureError: With file, key and remedy.
    """
    for op in ("any", "all", "none"):
        if op in document:
            keys = Keys(file, path, document, [op])
            tests = tuple(test_of(file, f"{path}.{op}[{at}]", row) for at, row in enumerate(keys.items(op)))
            return Group(op, _with_siblings(tests))
    found = [name for name in PREDICATES if name in document]
    keys = Keys(file, path, document, None)
    if len(found) != 1:
        raise keys.error(
            "test", f"names {len(found)} predicates", f"name one of any, all, none, {', '.join(PREDICATES)}"
        )
    try:
        return PREDICATES[found[0]](file, path, document)
    except (ValueError, KeyError) as problem:
        raise keys.error(found[0], str(problem), "see docs/signatures.md") from problem


def _with_siblings(tests: tuple[Test, ...]) -> tuple[Test, ...]:
    """Tell `seen` conditions that a share beside them speaks where there are weights."""
    has_share = any(
        isinstance(test, StackCondition) and not test.is_seen and not test.is_distinct for test in tests
    )
    return tuple(
        replace(test, has_share_sibling=has_share)
        if isinstance(test, StackCondition) and test.is_seen
        else test
        for test in tests
    )


def bound_of(keys: Keys) -> Bound:
    """Build the bound out of the keys `at_least strong below at_most equals`."""
    return Bound(**{name: units.parse(keys.value(name)) for name in BOUNDS if name in keys.items_})


def _cap(file: str, path: str, document: Mapping[str, Any]) -> Cap | None:
    if "cap" not in document:
        return None
    keys = Keys(file, f"{path}.cap", document["cap"], ["confidence", "because", "title"])
    return Cap(
        keys.text("because", is_required=True), float(keys.value("confidence", 1.0)), keys.text("title")
    )


def frame_path(names: Any) -> tuple[FrameSet, ...]:
    """Return frame sets of a list in which a list inside is any-of; one text is a list of one."""
    entries = [names] if isinstance(names, str) else list(names)
    return tuple(expand([entry] if isinstance(entry, str) else entry) for entry in entries)


def _stack(file: str, path: str, document: Mapping[str, Any]) -> Condition:
    is_leaf = "leaf" in document
    name = "leaf" if is_leaf else "stack"
    Keys(file, path, document, [name, *_BESIDE])
    allowed = (
        ["any", "called_from", "within", "not", "of", "at"]
        if is_leaf
        else ["contains", "under", "not", "of", "at"]
    )
    keys = Keys(file, f"{path}.{name}", document[name], allowed)
    share = Keys(file, f"{path}.share", document.get("share", {}), BOUNDS)
    distinct = Keys(file, f"{path}.distinct", document.get("distinct", {}), ["of", *BOUNDS])
    seen = Keys(file, path, document, None).one_of("seen", (True, False, "at rest"), default=False)
    is_seen = bool(seen)
    if (not share.items_) + (not distinct.items_) + (not is_seen) != 2:
        raise keys.error(
            name, "asks not exactly one of share, distinct, seen", "add `share: {at_least: 0.30}`"
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
        cap=_cap(file, path, document),
    )


def _symbol(file: str, path: str, document: Mapping[str, Any]) -> Condition:
    Keys(file, path, document, ["symbol", "share", "cap"])
    keys = Keys(file, f"{path}.symbol", document["symbol"], ["any", "what"])
    share = Keys(file, f"{path}.share", document.get("share", {}), BOUNDS)
    what = keys.one_of("what", ("self", "total"), default="self")
    return SymbolCondition(expand(keys.texts("any")), what, bound_of(share), _cap(file, path, document))


def _step(file: str, path: str, document: Mapping[str, Any]) -> Step:
    keys = Keys(file, path, document, ["comm", "contains", "run"])
    return Step(keys.texts("comm"), frame_path(keys.value("contains", [])), int(keys.value("run", 1)))


def _sequence(file: str, path: str, document: Mapping[str, Any]) -> Condition:
    Keys(file, path, document, ["sequence", "cap"])
    keys = Keys(
        file, f"{path}.sequence", document["sequence"], ["rows", "column", "first", "then", "at_least"]
    )
    return SequenceCondition(
        rows=keys.text("rows"),
        column=keys.text("column"),
        first=_step(file, f"{path}.first", keys.mapping("first")),
        then=_step(file, f"{path}.then", keys.mapping("then")),
        at_least=int(keys.value("at_least", 1)),
        cap=_cap(file, path, document),
    )


def _minimum(keys: Keys) -> tuple[tuple[str, units.Quantity], ...]:
    return tuple((str(name), units.parse(value)) for name, value in keys.mapping("min").items())


def _fact(file: str, path: str, document: Mapping[str, Any]) -> Condition:
    fact = document["fact"]
    if isinstance(fact, str):
        fact = {"name": fact} | {key: value for key, value in document.items() if key != "fact"}
    else:
        Keys(file, path, document, ["fact", "cap"])
    keys = Keys(file, f"{path}.fact", fact, ["name", "expr", "at", "is", "min", "say", *BOUNDS])
    text = keys.text("expr") or keys.text("name", is_required=True)
    bound = bound_of(keys)
    unit = expression.unit_of(text)
    for limit in (bound.at_least, bound.below, bound.at_most, bound.equals):
        if limit is not None and limit.unit:
            units.in_unit(limit, unit)
    return FactCondition(
        expression=text,
        bound=bound,
        equals=keys.value("is", None),
        minimum=_minimum(keys),
        at=keys.text("at").lstrip("$"),
        say=keys.text("say"),
        cap=_cap(file, path, document),
    )


def _histogram(file: str, path: str, document: Mapping[str, Any]) -> Condition:
    Keys(file, path, document, ["histogram", "cap"])
    measures = ["percentile", "max_bucket_at_least", "share_above", "time_share_above"]
    keys = Keys(file, f"{path}.histogram", document["histogram"], ["name", "probe", *measures])
    found = [measure for measure in measures if measure in keys.items_]
    if len(found) != 1:
        raise keys.error("measure", f"names {len(found)} measures", f"name one of {', '.join(measures)}")
    measure = found[0]
    if measure == "max_bucket_at_least":
        parameter = units.parse(keys.value(measure))
        bound = Bound(at_least=parameter)
    else:
        inner = Keys(file, f"{path}.{measure}", keys.mapping(measure), ["p", "value", *BOUNDS])
        parameter = units.parse(inner.value("p" if measure == "percentile" else "value"))
        bound = bound_of(inner)
    names, probes = keys.texts("name"), keys.texts("probe")
    return HistogramCondition(names, probes, measure, parameter, bound, _cap(file, path, document))


def _rows(file: str, path: str, document: Mapping[str, Any]) -> Condition:
    Keys(file, path, document, ["rows", "cap"])
    keys = Keys(
        file, f"{path}.rows", document["rows"], ["set", "where", "expr", "min", "at", "min_duration", *BOUNDS]
    )
    where: list[tuple[str, FrameSet | Bound]] = []
    for column, value in keys.mapping("where").items():
        if isinstance(value, dict):
            where.append((column, bound_of(Keys(file, f"{path}.where.{column}", value, BOUNDS))))
        else:
            where.append((column, (str(value),) if not isinstance(value, list) else tuple(map(str, value))))
    return RowsCondition(
        rows=keys.text("set", is_required=True),
        where=tuple(where),
        expression=keys.text("expr") or "count()",
        bound=bound_of(keys),
        minimum=_minimum(keys),
        at=keys.text("at").lstrip("$"),
        min_duration=units.parse(keys.value("min_duration", 0)).value,
        cap=_cap(file, path, document),
    )


def _log(file: str, path: str, document: Mapping[str, Any]) -> Condition:
    Keys(file, path, document, ["log", "cap"])
    keys = Keys(
        file,
        f"{path}.log",
        document["log"],
        ["class", "fields", "max", "at", "window", "needs_coverage", *BOUNDS],
    )
    window = keys.value("window", "capture")
    fields = {
        name: (value,) if isinstance(value, str) else tuple(value)
        for name, value in keys.mapping("fields").items()
    }
    return LogCondition(
        kinds=keys.texts("class"),
        fields=tuple(fields.items()),
        measure=keys.text("max"),
        bound=bound_of(keys),
        at=keys.text("at").lstrip("$"),
        window_seconds=_WINDOWS[window] if window in _WINDOWS else units.parse(window).value,
        needs_coverage=bool(keys.value("needs_coverage", False)),
        cap=_cap(file, path, document),
    )


def _kernel(file: str, path: str, document: Mapping[str, Any]) -> Condition:
    return KernelCondition(
        Keys(file, path, document, ["kernel", "cap"]).text("kernel"), _cap(file, path, document)
    )


PREDICATES: dict[str, Callable[[str, str, Mapping[str, Any]], Condition]] = {
    "stack": _stack,
    "leaf": _stack,
    "symbol": _symbol,
    "sequence": _sequence,
    "fact": _fact,
    "histogram": _histogram,
    "rows": _rows,
    "log": _log,
    "kernel": _kernel,
}
