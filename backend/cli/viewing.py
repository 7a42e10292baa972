"""Selection of one profile of a file, and of its samples."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from backend.cli import exits
from backend.cli.fold import choose, stacks_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Quality
    from ingest.native.views import View


def viewed(
    path: str, event: str | None, *, comms: tuple[str, ...], focus: tuple[str, ...], has_idle: bool
) -> tuple[View, Sequence[Quality]]:
    """Return the profile of `event` with most samples, and its quality remarks.

    Exits with 3 when there is no stack or no sample in the selection.

    Raises:
        UsageError: An event must be chosen, or a pattern is invalid.
    """
    from ingest.model.errors import UnsupportedQueryError  # noqa: PLC0415 - keeps `casebook --help` fast
    from ingest.model.selection import Selection  # noqa: PLC0415 - same
    from ingest.native.views import View  # noqa: PLC0415 - same

    found = stacks_of(path)
    chosen = choose([profile for profile, _ in found], event, is_inferno=False)
    profile = max(chosen, key=lambda one: one.samples)
    if len(chosen) > 1:
        click.echo(f"{path}: {len(chosen)} profiles; the one with most samples is taken", err=True)
    try:
        view = View(profile, Selection(comms=comms, focus=focus, has_idle=has_idle))
    except UnsupportedQueryError as error:
        raise click.UsageError(str(error)) from error
    if not view.total_samples:
        click.echo(f"{path}: no sample of {profile.samples:,.0f} in the selection", err=True)
        sys.exit(exits.REFUSED)
    return view, next(remarks for one, remarks in found if one is profile)
