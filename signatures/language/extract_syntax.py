"""The calls that `extract:` of a signature may hold: `observed(clause)` and `mode(column)`."""

from __future__ import annotations

import re

CALL = re.compile(r"(observed|mode)\(([\w.]+)\)")
