"""Generated parts of a written page: what is between `<!-- made: NAME -->` and `<!-- end -->`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_PART = re.compile(r"(<!-- made: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def with_parts(page: str, parts: Mapping[str, str]) -> str:
    """Return the page with the text of every part from `parts`."""
    return _PART.sub(lambda found: f"{found[1]}{parts[found[2]]}{found[3]}", page)
