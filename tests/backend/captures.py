"""Captures that tests of several features judge."""

from __future__ import annotations

from pathlib import Path

OOM = Path("signatures/library/mm/memcg-oom/evidence/pos-two-victims/dmesg.oom.txt").read_bytes()
UNAME = b"Linux db7 6.1.0-18-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1 (2024-02-01) x86_64 GNU/Linux\n"
