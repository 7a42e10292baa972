"""The calls that `extract:` of a signature may hold.

`observed(clause)`, `mode(set.column)`, `last(fact)`, `name($variable)` and `field(clause.name)`.
"""

from __future__ import annotations

import re

CALL = re.compile(r"(observed|mode|last|name|field)\((\$?[\w.]+)\)")
