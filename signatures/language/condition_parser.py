"""Strict parser of the tests of a clause: groups and the closed set of predicates."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from signatures.language import expression, kernel_ranges, units
from signatures.language.conditions import (
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
    StackCondition,
    Test,
)
from signatures.language.kernel_releases import ECOSYSTEMS
from signatures.language.profile_condition_parser import sequence, stack, symbol
from signatures.language.strict_mapping import BOUNDS, Keys, bound_of, cap_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

FACT_KEYS = ["name", "expr", "at", "is", "min", "say", "where", "untimed", *BOUNDS]
KERNEL_KEYS = ["release", "ecosystem", "config", "parameter"]
_WINDOWS = {"capture": 600.0}
_UNTIMED = Cap("no time between the two readings")


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
    """Mark `seen` conditions with a sibling share, which decides where there are weights."""
    has_share = any(
        isinstance(test, StackCondition) and not test.is_seen and not test.is_distinct for test in tests
    )
    return tuple(
        replace(test, has_share_sibling=has_share)
        if isinstance(test, StackCondition) and test.is_seen
        else test
        for test in tests
    )


def _minimum(keys: Keys) -> tuple[tuple[str, units.Quantity], ...]:
    return tuple((str(name), units.parse(value)) for name, value in keys.mapping("min").items())


def _labels(keys: Keys, key: str) -> tuple[tuple[str, FrameSet], ...]:
    """Return name to the patterns of its value; a single text is a list of one."""
    return tuple(
        (str(name), tuple(map(str, value)) if isinstance(value, list) else (str(value),))
        for name, value in keys.mapping(key).items()
    )


def _fact(file: str, path: str, document: Mapping[str, Any]) -> Condition:
    fact = document["fact"]
    if isinstance(fact, str):
        fact = {"name": fact} | {key: value for key, value in document.items() if key != "fact"}
    else:
        Keys(file, path, document, ["fact", "cap"])
    keys = Keys(file, f"{path}.fact", fact, FACT_KEYS)
    text = keys.text("expr") or keys.text("name", is_required=True)
    bound = bound_of(keys)
    unit = expression.unit_of(text)
    for limit in (bound.at_least, bound.below, bound.at_most, bound.equals):
        if limit is not None and limit.unit:
            units.in_unit(limit, unit)
    is_untimed = bool(keys.value("untimed", False))
    cap = cap_of(file, path, document)
    return FactCondition(
        expression=text,
        bound=bound,
        equals=keys.value("is", None),
        minimum=_minimum(keys),
        at=keys.text("at").lstrip("$"),
        say=keys.text("say"),
        where=_labels(keys, "where"),
        is_untimed=is_untimed,
        cap=cap or (_UNTIMED if is_untimed else None),
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
    return HistogramCondition(names, probes, measure, parameter, bound, cap_of(file, path, document))


def _rows(file: str, path: str, document: Mapping[str, Any]) -> Condition:
    Keys(file, path, document, ["rows", "cap"])
    keys = Keys(
        file,
        f"{path}.rows",
        document["rows"],
        ["set", "where", "expr", "min", "at", "by", "min_duration", *BOUNDS],
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
        by=keys.texts("by"),
        cap=cap_of(file, path, document),
    )


def _log(file: str, path: str, document: Mapping[str, Any]) -> Condition:
    Keys(file, path, document, ["log", "cap"])
    keys = Keys(
        file,
        f"{path}.log",
        document["log"],
        ["class", "fields", "max", "at", "by", "window", "needs_coverage", *BOUNDS],
    )
    window = keys.value("window", "capture")
    return LogCondition(
        kinds=keys.texts("class"),
        fields=_labels(keys, "fields"),
        measure=keys.text("max"),
        bound=bound_of(keys),
        at=keys.text("at").lstrip("$"),
        window_seconds=_WINDOWS[window] if window in _WINDOWS else units.parse(window).value,
        needs_coverage=bool(keys.value("needs_coverage", False)),
        group=keys.text("by") or "cgroup",
        cap=cap_of(file, path, document),
    )


def _kernel(file: str, path: str, document: Mapping[str, Any]) -> Test:
    Keys(file, path, document, ["kernel", "cap"])
    cap = cap_of(file, path, document)
    parts = tuple(replace(part, cap=cap) for part in kernel_of(file, path, document))
    return parts[0] if len(parts) == 1 else Group("all", parts)


def kernel_of(file: str, path: str, document: Mapping[str, Any]) -> tuple[KernelCondition, ...]:
    """Build `kernel: ">=5.14"`, or `{release, ecosystem, config, parameter}`, all of which must hold.

    Raises:
        SignatureError: With file, key and remedy.
    """
    keys = Keys(file, path, document, ["kernel", "cap"])
    kernel = keys.value("kernel")
    if not isinstance(kernel, dict):
        kernel = {"release": kernel}
    inner = Keys(file, f"{path}.kernel", kernel, KERNEL_KEYS)
    if not inner.items_:
        raise keys.error("kernel", "is empty", f"write one of {', '.join(KERNEL_KEYS)}")
    release = inner.text("release")
    try:
        kernel_ranges.check_range(release)
    except ValueError as problem:
        raise inner.error("release", str(problem), "write a range such as '>=5.14,<6.18'") from problem
    ecosystem = inner.one_of("ecosystem", ("", *ECOSYSTEMS), default="")
    parts = (
        KernelCondition(release, ecosystem=ecosystem),
        KernelCondition("", config=inner.text("config")),
        KernelCondition("", parameter=inner.text("parameter")),
    )
    return tuple(part for part in parts if part.words)


PREDICATES: dict[str, Callable[[str, str, Mapping[str, Any]], Test]] = {
    "stack": stack,
    "leaf": stack,
    "symbol": symbol,
    "sequence": sequence,
    "fact": _fact,
    "histogram": _histogram,
    "rows": _rows,
    "log": _log,
    "kernel": _kernel,
}
