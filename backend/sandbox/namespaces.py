"""Namespaces: an empty network, and, where Landlock is missing, a root with nothing but the allowed files.

The new root is a tmpfs: every allowed file or directory is bound at its own path, read-only unless writable,
and the old root is detached. Only a process with one thread can enter a user namespace.

Source: https://man7.org/linux/man-pages/man2/pivot_root.2.html
"""

from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

CLONE_NEWNS, CLONE_NEWUSER, CLONE_NEWNET = 0x00020000, 0x10000000, 0x40000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 32, 4096, 16384, 1 << 18
MS_NOATIME, MS_NODIRATIME, MS_RELATIME = 1024, 2048, 1 << 21
MNT_DETACH = 2
LOCKED = {
    os.ST_NOSUID: MS_NOSUID,
    os.ST_NODEV: MS_NODEV,
    os.ST_NOEXEC: MS_NOEXEC,
    os.ST_NOATIME: MS_NOATIME,
    os.ST_NODIRATIME: MS_NODIRATIME,
    os.ST_RELATIME: MS_RELATIME,
}
"""Mount flags that a less privileged namespace must keep when it remounts."""

MOUNT_POINT = Path("/proc")
"""Where the new root is built: a directory that every machine has, and below which no allowed file is."""

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


def enter(*, with_mounts: bool) -> bool:
    """Move into an empty network namespace, and a mount namespace if asked; False if not allowed."""
    wanted = CLONE_NEWNET | (CLONE_NEWNS if with_mounts else 0)
    user, group = os.geteuid(), os.getegid()
    if int(_libc.unshare(CLONE_NEWUSER | wanted)) == 0:
        if with_mounts:
            # Files made in the new root need an owner that the namespace knows.
            Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
            Path("/proc/self/uid_map").write_text(f"{user} {user} 1", encoding="ascii")
            Path("/proc/self/gid_map").write_text(f"{group} {group} 1", encoding="ascii")
        return True
    # Root may be able to without a user namespace.
    return int(_libc.unshare(wanted)) == 0


def change_root(*, readable: Iterable[Path], writable: Iterable[Path]) -> None:
    """Replace the root by a tmpfs with the given paths only.

    Raises:
        OSError: The kernel does not allow it.
    """
    here, at = Path.cwd(), MOUNT_POINT
    _mount("none", Path("/"), "", MS_REC | MS_PRIVATE)
    _mount("tmpfs", at, "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,mode=755")
    allowed = [(path, False) for path in readable if path.exists()]
    allowed += [(path, True) for path in writable if path.exists()]
    # Parents first: a path below another one is bound over it, writable inside read-only.
    for path, is_writable in sorted((path.resolve(), is_writable) for path, is_writable in allowed):
        inside = at / path.relative_to("/")
        if path.is_dir():
            inside.mkdir(parents=True, exist_ok=True)
        elif not inside.exists():
            inside.parent.mkdir(parents=True, exist_ok=True)
            inside.touch()
        _mount(str(path), inside, "", MS_BIND | MS_REC)
        if not is_writable:
            flags = sum(flag for bit, flag in LOCKED.items() if os.statvfs(inside).f_flag & bit)
            _mount("none", inside, "", MS_REMOUNT | MS_BIND | MS_RDONLY | flags)
    # Relative paths keep their meaning, those that lead upwards too.
    (at / here.relative_to("/")).mkdir(parents=True, exist_ok=True)
    _link_aliases([path.absolute() for path, _ in allowed], at)
    os.chdir(at)
    if _libc.syscall(_PIVOT_ROOT[os.uname().machine], b".", b".") != 0:
        raise OSError(ctypes.get_errno(), "the root cannot be changed")
    _check(_libc.umount2(b".", MNT_DETACH), "the old root cannot be left")
    os.chdir(here)


_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}


def _link_aliases(paths: list[Path], at: Path) -> None:
    """Link paths that lead over a symbolic link, such as /lib on most distributions."""
    for path in paths:
        alias = at / path.relative_to("/")
        if path != path.resolve() and not alias.exists():
            alias.parent.mkdir(parents=True, exist_ok=True)
            alias.symlink_to(path.resolve())


def _mount(source: str, target: Path, kind: str, flags: int, options: str = "") -> None:
    _check(
        _libc.mount(
            source.encode(), os.fsencode(target), kind.encode() or None, flags, options.encode() or None
        ),
        f"{target} cannot be mounted",
    )


def _check(status: int, what: str) -> None:
    if status != 0:
        raise OSError(ctypes.get_errno(), what)
