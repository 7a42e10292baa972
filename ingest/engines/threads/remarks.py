"""Remarks that people write beside a frame: which lock the function takes there, holds or waits for.

Examples:
    dmu_zfetch+0x327/0x1880 [zfs] (tries to acquire zf_rwlock)  ->  ("waits", "zf_rwlock")
    zfs_zget+0xb9/0x690 [zfs] (acquires a z_hold_mtx[] entry)  ->  ("holds", "z_hold_mtx[]")
"""

from __future__ import annotations

from ingest.native.linear import Pattern

WAITS, HOLDS = "waits", "holds"
ROWS = "frame_remarks"

_WAITS = Pattern(
    r"(?i)^.*\S\s+\((?:(?:it |this )?(?:tries|trying|wants|waiting|waits|blocked|blocks|stuck|needs)\b"
    r"[^()]*?)(?: (?:to|for|on|in))+ (?:(?:acquire|take|lock|get|grab|be)\w* )?(?P<lock>[^()]+)\)\s*$"
)
_HOLDS = Pattern(
    r"(?i)^.*\S\s+\((?:(?:it |this )?(?:acquires|acquired|holds|holding|takes|took|has taken|has|locks"
    r"|locked|owns)) (?P<lock>[^()]+)\)\s*$"
)
_ARTICLES = frozenset(
    {"the", "a", "an", "its", "this", "that", "same", "entry", "lock", "mutex", "semaphore"}
)


def remark_of(line: str) -> tuple[str, str] | None:
    """Return what a remark says of a lock, `waits` or `holds`, and the lock's name; None for other lines."""
    if not line.rstrip().endswith(")"):
        return None
    for relation, shape in ((WAITS, _WAITS), (HOLDS, _HOLDS)):
        if found := shape.match(line):
            words = [word for word in found["lock"].split() if word.lower() not in _ARTICLES]
            # A sentence is a comment; a lock is one name.
            return (relation, words[0]) if len(words) == 1 else None
    return None
