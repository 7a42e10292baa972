"""Read-only images of file systems: snaps, CDs and the like are full from the day they are made."""

from __future__ import annotations

import re

_TYPES = frozenset({"squashfs", "iso9660", "erofs", "cramfs", "udf", "fuse.snapfuse", "fuse.squashfuse"})
_DEVICE = re.compile(r"^(?:/dev/)?(?:loop\d|sr\d|cdrom|dvd|root$)|^(?:snap|squash)fuse$|\.AppImage$")


def is_image(device: str, filesystem: str = "", mount: str = "") -> bool:
    """Return whether it is a read-only image: by its type, else by its device and where it is mounted.

    A loop device without a type may be an image or the disk of a container: that is mounted at the root.
    `/dev/root` elsewhere is the image that an embedded system was made from.

    >>> is_image("/dev/loop3", mount="/snap/core"), is_image("/dev/loop3", "ext4")
    (True, False)
    >>> is_image("/dev/loop0", mount="/")
    False
    """
    if filesystem:
        return filesystem in _TYPES
    return mount != "/" and bool(_DEVICE.search(device))
