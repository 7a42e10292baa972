"""What is known about function names: one spelling, who runs there, what idles, what spins."""

from __future__ import annotations

from ingest.frames.classify import classify, is_kernel_entry, kinds
from ingest.frames.idle import is_idle_leaf, is_spin
from ingest.frames.normalise import normalise

__all__ = ["classify", "is_idle_leaf", "is_kernel_entry", "is_spin", "kinds", "normalise"]
