"""Kinds of options of `diff`: several values of one option, and percentages."""

from __future__ import annotations

from glob import glob
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

MULTIPLE = ("--base", "--new")
COUNTERS = ".stat"
"""Suffix of the output of `perf stat` beside a recording."""


def with_counters(paths: Sequence[str]) -> tuple[str, ...]:
    """Return paths of runs with the counters that are beside recordings and not named.

    `runs/base-*.script` names no counters, and a run without them is compared by its samples alone.
    """
    found = dict.fromkeys(paths)
    named = [match for path in paths for match in _matches(path)]
    for path in map(Path, named):
        if path.is_file():
            beside = path.with_name(path.name.partition(".")[0] + COUNTERS)
            if beside.is_file() and str(beside) not in named:
                found[str(beside)] = None
    return tuple(found)


def _matches(path: str) -> list[str]:
    return [path] if Path(path).exists() else glob(path)  # noqa: PTH207 - absolute patterns, which Path.glob refuses


class SeveralValues(click.Command):
    """A command with options that take several values: `--base a b c --new d e`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Repeat the option before each of its values."""
        repeated: list[str] = []
        option = ""
        for arg in args:
            if arg.startswith("-") and arg != "-":
                option = arg if arg in MULTIPLE else ""
                repeated += [] if option else [arg]
            else:
                repeated += [option, arg] if option else [arg]
        return super().parse_args(ctx, repeated)


class Percent(click.ParamType[float]):
    """A percentage: `2%` or `2`, as a share."""

    name = "percent"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return 0..1 of a text; shares stay as they are."""
        if isinstance(value, float):
            return value
        try:
            share = float(str(value).removesuffix("%")) / 100
        except ValueError:
            share = -1.0
        if not 0 <= share <= 10:
            self.fail(f"{value!r} is no percentage; write 2%", param, ctx)
        return share


class PercentOrNone(Percent):
    """A percentage, or `none`, which is below all."""

    name = "percent|none"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return 0..1 of a text, `NO_PERCENT` of `none`."""
        return NO_PERCENT if value in {"none", NO_PERCENT} else super().convert(value, param, ctx)


NO_PERCENT = -1.0
"""Value of `none`."""

PERCENT = Percent()
PERCENT_OR_NONE = PercentOrNone()
