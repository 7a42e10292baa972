"""Exit statuses of all commands; each has one meaning.

Source: `docs/cli.md`, "Exit statuses"
"""

from __future__ import annotations

import click

FAILED = 1
"""The command failed or was interrupted, or its output could not be written."""

USAGE = 2
"""Usage error."""

REFUSED = 3
"""The service refused the request, or nothing in the input could be used."""

CHECK_FAILED = 4
"""A check found what it looks for."""

INCOMPLETE = 5
"""Some of the evidence could not be read, or is missing, so the result is incomplete."""

SERVICE_FAILED = 6
"""The service failed, or did not finish in time."""

UNREACHABLE = 7
"""The service was unreachable; rerun the command to resume."""

NOT_COMPARABLE = 8
"""Recordings differ in more than the build."""

INCONCLUSIVE = 9
"""The runs do not suffice for a verdict of `diff`."""

NOT_REVIEWED = 10
"""Written, but a person has not yet reviewed a class of open tokens."""


class CheckFailedError(click.ClickException):
    """A check found what it looks for."""

    exit_code = CHECK_FAILED
