"""What there is to judge again, and how far a run is, as one line each."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cli.service.reprocess_runs import CountDocument, RunDocument

MEGABYTE = 1_000_000
WORDS = {
    "lost_match": "lost a match",
    "new_match": "have a new match",
    "suspect_to_match": "have a suspect that matches now",
    "suspect": "have other suspects",
    "headline": "have another headline only",
    "none": "unchanged",
    "failed": "failed and keep their verdicts",
}
"""Words for each kind of what changed in a case, in the order they are shown."""


def count_line(counts: CountDocument) -> str:
    """Return what there is to do."""
    megabytes = counts["file_bytes"] / MEGABYTE
    return (
        f"{counts['cases']:,} cases to judge, {counts['files']:,} files ({megabytes:,.1f} MB) to read again, "
        f"{counts['drafts']:,} drafts to judge"
    )


def run_line(run: RunDocument) -> str:
    """Return how far a run is and what changed."""
    changes = [f"{run['changes'][name]:,} {words}" for name, words in WORDS.items() if name in run["changes"]]
    state = "" if run["state"] in {"running", "done"} else f"{run['reason'] or run['state']}: "
    return f"{state}{run['done']:,} of {run['total']:,} done" + (f"; {', '.join(changes)}" if changes else "")
