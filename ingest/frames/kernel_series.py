"""Series of a kernel release: what its functions do, as far as kernel.org decides it."""

from __future__ import annotations

import re

_RELEASE = re.compile(r"(\d{1,4})\.(\d{1,4})")


def series_of(release: str) -> tuple[int, int] | None:
    """Return the kernel.org series of a release: (6, 1) of `6.1.0-50-amd64`.

    None where the number does not tell what the kernel contains, such as RHEL 9 with its backports.
    """
    found = _RELEASE.match(release)
    return None if found is None or ".el9" in release else (int(found[1]), int(found[2]))
