"""Kinds of options of `diff`: several values of one option, and percentages."""

from __future__ import annotations

from typing import Any

import click

MULTIPLE = ("--base", "--new")


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
