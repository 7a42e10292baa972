"""Exit statuses of `upload`, `analyze` and `diff`.

Source: `docs/cli.md`, "Exit statuses"
"""

from __future__ import annotations

INTERRUPTED = 1
"""Interrupted, or the output could not be written."""

REFUSED = 3
"""The service refused the request, or nothing could be read."""

BEYOND = 4
"""The condition of --fail-on is met, or a build costs more than the base."""

REJECTED = 5
"""Some of the evidence could not be read, so the result is incomplete."""

INCONCLUSIVE = 5
"""The runs do not suffice for a verdict of `diff`."""

FAILED = 6
"""The service failed, or did not finish in time."""

UNREACHABLE = 7
"""The service was unreachable; rerun the command to resume."""

NOT_COMPARABLE = 8
"""Recordings differ in more than the build."""
