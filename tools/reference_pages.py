"""Repeat the checks of references: `python -m tools.reference_pages DIRECTORY`.

`DIRECTORY/PACKAGE/` is an unpacked package of Debian (`dpkg -x`), such as `linux-doc-7.2` for docs.kernel.org
and `manpages` for man7.org. Each reference whose `copy` names a package of the directory must have its page
there, with all of its `words`. The exit status is 1 when one has not. Others are counted as not checked here.
"""

from __future__ import annotations

import gzip
import html
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from signatures.document.catalog import load_catalog

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_COPY = re.compile(r"Debian (?P<package>\S+) \S+")
_KERNEL = re.compile(r"https://docs\.kernel\.org/(?P<page>.+\.html)")
_MANUAL = re.compile(r"https://man7\.org/linux/man-pages/(?P<page>man\d/.+)\.html")
_BTRFS = re.compile(r"https://btrfs\.readthedocs\.io/en/latest/(?P<page>btrfs-\w+)\.html")
_TAG = re.compile(r"<[^>]*>")
_ROFF_FONT = re.compile(r"\\f[BIRP]")


def complaint(reference: Mapping[str, str], packages: Path) -> str | None:
    """Return what is wrong with a reference, "" when it is right, None when its copy is not in `packages`."""
    copy = _COPY.fullmatch(reference.get("copy", ""))
    if copy is None or not (packages / copy["package"]).is_dir():
        return None
    page = _page(reference["url"], packages / copy["package"])
    if page is None:
        return f"{reference['url']} is not in {copy['package']}"
    text = _text(page)
    missing = [words for words in reference["words"].split("; ") if _spaced(words) not in text]
    return f"{reference['url']} lacks {'; '.join(missing)}" if missing else ""


def _page(url: str, package: Path) -> Path | None:
    if kernel := _KERNEL.fullmatch(url):
        pattern = f"usr/share/doc/*/html/{kernel['page']}"
    elif manual := _MANUAL.fullmatch(url):
        pattern = f"usr/share/man/{manual['page']}.gz"
    elif btrfs := _BTRFS.fullmatch(url):
        pattern = f"usr/share/man/man8/{btrfs['page']}.8.gz"
    else:
        return None
    return next(iter(package.glob(pattern)), None)


def _text(page: Path) -> str:
    if page.suffix == ".gz":
        roff = gzip.decompress(page.read_bytes()).decode(errors="replace")
        return _spaced(_ROFF_FONT.sub("", roff.replace("\\-", "-")))
    return _spaced(html.unescape(_TAG.sub("", page.read_text(errors="replace"))))


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _complaints(packages: Path) -> Iterator[tuple[str, str | None]]:
    for signature in load_catalog().signatures:
        for reference in signature.references:
            yield signature.id, complaint(reference, packages)


def main() -> int:
    """Print what is wrong, and how many references were checked."""
    found = list(_complaints(Path(sys.argv[1])))
    wrong = [f"{name}: {text}\n" for name, text in found if text]
    checked = sum(text is not None for _, text in found)
    sys.stdout.write(
        f"{''.join(wrong)}{checked} references checked, {len(found) - checked} not checked here\n"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
