"""Samples of the classes against the kernel's source: `python -m benchmarks.kernel_log.sources LINUX`.

A sample is confirmed when a format string of a file that its class names prints a part of it. Samples of
other releases, of modules outside the kernel and of messages that several calls print are listed.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.kernel_log.format_strings import FormatString, formats
from ingest.catalogue.log_classes import CLASSES

if TYPE_CHECKING:
    from ingest.catalogue.log_classes import LogClass

_PATH = re.compile(r"[\w./*-]+\.[ch]\b")


@cache
def _formats_of(path: Path) -> tuple[FormatString, ...]:
    return tuple(formats(path.read_text(encoding="utf-8", errors="replace"), path.as_posix()))


def files_of(one: LogClass, tree: Path) -> list[Path]:
    """Return the files that a class names; one without a folder is in the folder of the one before it."""
    found: list[Path] = []
    folder = ""
    for name in _PATH.findall(one.source):
        if "/" in name and (tree / name.split("/")[0]).is_dir():
            folder = name.rsplit("/", 1)[0]
            found += sorted(tree.glob(name))
        else:
            found += sorted((tree / folder).glob(name)) or sorted((tree / folder).parent.glob(name))
    return found


def is_confirmed(one: LogClass, tree: Path) -> bool:
    """Return whether a format string of the class's files prints a part of its sample."""
    return any(form.pattern.search(one.sample) for path in files_of(one, tree) for form in _formats_of(path))


def main() -> None:
    """Print the confirmed share and the samples that are not."""
    tree = Path(sys.argv[1])
    open_ones = [one for one in CLASSES if not is_confirmed(one, tree)]
    sys.stdout.write(f"{len(CLASSES) - len(open_ones)} of {len(CLASSES)} samples confirmed\n")
    for one in open_ones:
        sys.stdout.write(f"  {one.name}: {one.source}: {one.sample}\n")


if __name__ == "__main__":
    main()
