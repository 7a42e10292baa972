"""What is known about function names: one spelling, who runs there, what idles, what spins."""

from __future__ import annotations

from ingest.frames.idle import is_idle_leaf, is_lock_wait, is_shared, is_spin
from ingest.frames.kernel_entries import is_kernel_entry, kinds
from ingest.frames.normalise import normalise

__all__ = ["is_idle_leaf", "is_kernel_entry", "is_lock_wait", "is_shared", "is_spin", "kinds", "normalise"]
