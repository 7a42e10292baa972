"""Quantities of Kubernetes: `500m`, `128Mi`, `14167048988`, `1e3`.

    quantity("500m") -> 0.5        quantity("128Mi") -> 134217728.0

Source: apimachinery pkg/api/resource/quantity.go in kubernetes.
"""

from __future__ import annotations

import re

QUANTITY = r"[0-9]+(?:\.[0-9]+)?(?:[eE][0-9]{1,2}|[numkKMGTPE]i?)?"
"""Matches what is printed of a quantity."""

_PARTS = re.compile(
    r"^(?P<number>\d{1,19}(?:\.\d{1,9})?)(?:[eE](?P<exponent>\d{1,2})|(?P<suffix>[numkMGTPE]|[KMGTPE]i))?$"
)
_DECIMAL = {"n": 1e-9, "u": 1e-6, "m": 1e-3, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18}
_BINARY = {"Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30, "Ti": 2.0**40, "Pi": 2.0**50, "Ei": 2.0**60}


def quantity(printed: str) -> float | None:
    """Return a quantity in its base unit, None for anything else."""
    found = _PARTS.match(printed)
    if found is None:
        return None
    number = float(found["number"])
    if found["exponent"]:
        return number * 10.0 ** int(found["exponent"])
    suffix = found["suffix"] or ""
    return round(number * (_DECIMAL.get(suffix) or _BINARY.get(suffix) or 1.0), 9)
