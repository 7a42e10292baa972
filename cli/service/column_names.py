"""The option that names columns of a list of cases."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from signatures.rendering.case_columns import Column


class Columns(click.ParamType["list[Column]"]):
    """Columns of a list of cases, separated by commas."""

    name = "names"

    def convert(
        self, value: str | list[Column], param: click.Parameter | None, ctx: click.Context | None
    ) -> list[Column]:
        """Return the columns; an unknown one fails with the most similar name."""
        from signatures.rendering.case_columns import ColumnError, named_in  # noqa: PLC0415 - keeps help fast

        try:
            return value if isinstance(value, list) else named_in(value)
        except ColumnError as error:
            self.fail(str(error), param, ctx)

    def shell_complete(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's
        param: click.Parameter,  # noqa: ARG002 - click's
        incomplete: str,
    ) -> list[CompletionItem]:
        """Return the names that continue the last one of a list and are not in it."""
        from signatures.rendering.case_columns import COLUMNS  # noqa: PLC0415 - keeps help fast

        before, comma, begun = incomplete.rpartition(",")
        return [
            CompletionItem(f"{before}{comma}{one.name}", help=one.says)
            for one in COLUMNS.values()
            if one.name.startswith(begun) and one.name not in before.split(",")
        ]
