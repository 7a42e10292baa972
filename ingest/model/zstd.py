"""Zstandard by the module of the standard library (Python 3.14) or its backport, which are the same code."""

from __future__ import annotations

import sys

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

__all__ = ["zstd"]
