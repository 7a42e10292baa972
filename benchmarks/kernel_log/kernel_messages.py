"""Messages that the kernel can print at the level of warnings or worse, made from its format strings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from benchmarks.kernel_log.format_strings import formats

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FOLDERS = (
    "arch/x86",
    "block",
    "crypto",
    "drivers",
    "fs",
    "ipc",
    "kernel",
    "lib",
    "mm",
    "net",
    "security",
    "virt",
)
_WARNING = 4


class Message(NamedTuple):
    """A message as it could be printed, with the file that prints it.

    Attributes:
        text: The message without the prefix of its file or device.
        fixed: What every print of it has, directives left out.
        path: File below the tree.
        is_loud: Printed at the level of warnings or worse.
    """

    text: str
    fixed: str
    path: str
    is_loud: bool

    def as_printed(self) -> tuple[str, ...]:
        """Return the message with the prefixes that `pr_err`, `dev_err` and `netdev_err` may print."""
        name = self.path.rsplit("/", 1)[-1].removesuffix(".c")
        bare: tuple[str, ...] = (self.text, f"{name}: {self.text}")
        if not self.path.startswith("drivers/"):
            return bare
        if self.path.startswith("drivers/scsi/"):
            bare = (*bare, f"sd 0:0:0:0: [sda] tag#1 {self.text}")
        return (*bare, f"{name} 0000:00:01.0: {self.text}", f"{name} 0000:00:01.0 eth0: {self.text}")


def messages(tree: Path) -> Iterator[Message]:
    """Yield a message for each format string of the kernel's source."""
    for folder in FOLDERS:
        for path in sorted((tree / folder).rglob("*.c")):
            inside = path.relative_to(tree).as_posix()
            for one in formats(path.read_text(encoding="utf-8", errors="replace"), inside):
                is_loud = one.level is not None and one.level <= _WARNING
                yield Message(one.example(), one.fixed, inside, is_loud)
