"""Selection of one profile of a file, and of its samples."""

from __future__ import annotations

import sys
from typing import IO, TYPE_CHECKING

import click

from cli.process import exits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.profile import Profile
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


def stacks_of(path: str, stdin: IO[bytes] | None = None) -> list[tuple[Profile, tuple[Quality, ...]]]:
    """Return every profile of a file with its quality remarks; exits with 3 when there is none.

    `stdin` is what `-` stands for, the standard input when it is None.
    """
    from cli.evidence.paths import read  # noqa: PLC0415 - keeps `casebook --help` fast
    from signatures.rendering.report import flat  # noqa: PLC0415 - same

    evidences = list(flat(list(read([path], is_named=False, stdin=stdin))))
    found = [
        (profile, section.reading.quality)
        for evidence in evidences
        for section in evidence.sections
        for profile in section.reading.profiles
    ]
    if not found:
        reasons = [evidence.reason for evidence in evidences if evidence.reason]
        click.echo(f"{path}: {reasons[0] if reasons else 'there are no stacks in it'}", err=True)
        sys.exit(exits.REFUSED)
    return found


def choose(profiles: Sequence[Profile], event: str | None, *, is_inferno: bool) -> list[Profile]:
    """Return the profiles of one event.

    Raises:
        UsageError: The event is ambiguous or unknown.
    """
    events = list(dict.fromkeys(profile.event for profile in profiles))
    wanted = chosen_event(events, event, is_inferno=is_inferno)
    return [profile for profile in profiles if profile.event == wanted]


def chosen_event(events: Sequence[str], event: str | None, *, is_inferno: bool) -> str:
    """Return the event to fold, out of those in the order of their first samples.

    Raises:
        UsageError: The event is ambiguous or unknown.
    """
    names = ", ".join(name or "(unnamed)" for name in events)
    if event is None and len(events) > 1 and not is_inferno:
        raise click.UsageError(f"{len(events)} events found, choose one with --event: {names}")
    wanted = events[0] if event is None else event
    if wanted not in events:
        raise click.UsageError(f"no event {wanted!r}; available: {names}")
    return wanted
