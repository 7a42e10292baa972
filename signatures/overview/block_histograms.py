"""Which histograms are of block requests, by their name, key or probe."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ingest.model.histogram import Histogram

_BLOCK = re.compile(r"^(?:@?(?:bio|blk|block|disk|ssd|nvme)|@usecs?$)|biolat|block_rq|blk_account|\bdisk\b")


def is_of_block_device(histogram: Histogram) -> bool:
    """Return whether a histogram is one of block requests, by its name, key or probe."""
    return bool(_BLOCK.search(f"{histogram.name} {histogram.key} {histogram.probe}".lower()))
