"""Format numbers for people.

Example:
    0.4079 as a share is `40.8 %`, a confidence of 0.93 is `high`
"""

from __future__ import annotations

import math

FINE_SHARE = 0.01
"""Below it a third digit is noise of the sample."""


def cpu_words(cpus: float) -> str:
    """Return `1 CPU`, `4 CPUs`."""
    return f"{cpus:,.0f} {'CPU' if cpus == 1 else 'CPUs'}"


def word_of(share: float) -> str:
    """Return `low`, `medium` or `high`: words until the numbers are calibrated."""
    return "high" if share >= 0.75 else "medium" if share >= 0.45 else "low"


def value_words(value: float | str | None, unit: str = "") -> str:
    """Format a value: `40.8 %`, `0.0029 %`, `153 ms`, `230.8 s`, `6,041,560`, `yes`."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str) or not math.isfinite(value):
        return str(value)
    if unit == "share":
        digits = 3 if abs(value) >= FINE_SHARE else 2
        return f"{value:.3g}" if value >= 5 else f"{_plain(value * 100, digits)} %"
    seconds = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "seconds": 1.0}.get(unit)
    if seconds is not None:
        return _seconds_words(value * seconds)
    if unit == "bytes":
        return _bytes_words(value)
    return _plain(value, 3) if abs(value) < 1000 and value % 1 else f"{value:,.0f}"


def quantity_words(value: float | str, unit: str) -> str:
    """Format a value with its unit, unless the value already includes it.

    >>> quantity_words(0.2685, "share"), quantity_words(12394.0, "per_second"), quantity_words(3.0, "tasks")
    ('26.9 %', '12,394 /s', '3 tasks')
    """
    text = value_words(value, unit)
    shown = _UNITS.get(unit, unit)
    return text if isinstance(value, str) else f"{text} {shown}".rstrip()


_UNITS = dict.fromkeys(("share", "ns", "us", "ms", "seconds", "bytes", "count"), "") | {"per_second": "/s"}


def _bytes_words(value: float) -> str:
    """Format bytes: `204.1 MiB`, from 10 GiB on `45.9 GiB`."""
    is_large = abs(value) >= 10 * 1024**3
    return f"{value / 1024**3:.3g} GiB" if is_large else f"{value / 1024**2:.4g} MiB"


def _seconds_words(seconds: float) -> str:
    for factor, name in ((1.0, "s"), (1e3, "ms"), (1e6, "µs")):
        if abs(seconds) * factor >= 1 or (name == "s" and not seconds):
            return f"{_plain(seconds * factor, 4)} {name}"
    return f"{_plain(seconds * 1e9, 4)} ns"


def _plain(value: float, digits: int) -> str:
    """Format `value` with `digits` significant digits and no exponent."""
    if not value:
        return "0"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    text = f"{value:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
