"""The long form of tests that take a part of their inputs, or always the same, in `make test`."""

from __future__ import annotations

import os

IS_LONG = os.environ.get("CASEBOOK_TESTS") == "long"
