"""Paths of the library: its signatures, the catalogue of captures, and the JSON Schema of a signature."""

from __future__ import annotations

from pathlib import Path

_ROOT = Path(__file__).parents[1]
LIBRARY = _ROOT / "library"
CAPTURES = _ROOT / "captures.yaml"
SCHEMA = _ROOT / "signature.schema.json"
