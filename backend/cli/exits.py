"""How commands end: one table for `upload`, `analyze` and `diff`, so that a build can tell the cases apart.

Source: `docs/cli.md`, "Exit statuses"
"""

from __future__ import annotations

INTERRUPTED = 1
"""Nothing is decided: stopped by hand, or the output could not be written."""

REFUSED = 3
"""The service said no, or nothing could be read at all."""

BEYOND = 4
"""What the caller asked to fail for is there."""

REJECTED = 5
"""Some of the evidence could not be read, so what was not found may still be."""

FAILED = 6
"""The service could not do its part: a failure of ours, or not judged in time."""

UNREACHABLE = 7
"""Nothing got through for too long; the same command goes on."""
