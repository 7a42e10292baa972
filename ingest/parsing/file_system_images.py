"""Read-only images of file systems: snaps, CDs and the like are full from the day they are made."""

from __future__ import annotations

import re

_TYPES = frozenset({"squashfs", "iso9660", "erofs", "cramfs", "udf"})
_DEVICE = re.compile(r"^(?:/dev/)?(?:loop\d|sr\d)")


def is_image(device: str, filesystem: str = "") -> bool:
    """Return whether it is a read-only image: by its type, or a loop device or disc without one.

    >>> is_image("/dev/loop3"), is_image("/dev/loop3", "ext4"), is_image("/dev/sda1")
    (True, False, False)
    """
    return filesystem in _TYPES or (not filesystem and bool(_DEVICE.match(device)))
