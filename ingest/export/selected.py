"""The selection of a view as a separate profile, for exports of samples.

Nodes are numbered anew where the selection leaves some out; each keeps the line where it was first printed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ingest.model.selection import EVERYTHING

if TYPE_CHECKING:
    from ingest.model.profile import Profile
    from ingest.native.views import View


def profile(view: View) -> Profile:
    """Return the selected samples with their stacks in the requested shape."""
    whole = view.profile
    if view.selection == EVERYTHING:
        return whole
    raw = view.core.columns()
    at = np.frombuffer(raw["position"], dtype="<i4")
    is_samples = view.selection.weight == "samples"
    return replace(
        whole,
        unit=view.unit,
        node_parent=np.frombuffer(raw["node_parent"], dtype="<i4"),
        node_frame=np.frombuffer(raw["node_frame"], dtype="<i4"),
        node_line=whole.node_line[np.frombuffer(raw["first"], dtype="<i4")],
        sample_node=np.frombuffer(raw["sample_node"], dtype="<i4"),
        sample_weight=(whole.sample_count if is_samples else whole.sample_weight)[at],
        sample_count=whole.sample_count[at],
        sample_time=None if whole.sample_time is None else whole.sample_time[at],
        sample_cpu=None if whole.sample_cpu is None else whole.sample_cpu[at],
        sample_thread=whole.sample_thread[at],
        sample_line=whole.sample_line[at],
    )
