"""The long form of tests that take a part of their inputs in `make test`: `make sweeps`."""

from __future__ import annotations

import os

IS_LONG = os.environ.get("CASEBOOK_TESTS") == "long"
