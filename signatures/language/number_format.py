"""Format numbers for people.

Example:
    0.4079 as a share is `40.8 %`, a confidence of 0.93 is `high`
"""

from __future__ import annotations

import math

FINE_SHARE = 0.01
"""Below it a third digit is noise of the sample."""

LEAST_SHARE = 1e-6
"""Smaller shares are stated by this bound: further digits say nothing."""

NOTHING = 1e-12
"""Smaller numbers are what a sum of shares leaves of zero in floating point."""

MANY_TIMES = 5.0
"""A quotient from here on is stated as a number of times, not in per cent."""

HUGE = 1e15
"""From here on a number has an exponent: nobody counts digits."""

BYTES_PER_MIB = 1024.0**2


def cpu_words(cpus: float) -> str:
    """Return `1 CPU`, `4 CPUs`."""
    return f"{cpus:,.0f} {'CPU' if cpus == 1 else 'CPUs'}"


def word_of(share: float) -> str:
    """Return `low`, `medium` or `high`: words until the numbers are calibrated."""
    return "high" if share >= 0.75 else "medium" if share >= 0.45 else "low"


TIMES = "times"
"""Unit of a quotient that is far above one."""


def common_unit(unit: str, *values: float | str | None) -> str:
    """Return the unit in which a value and its threshold are shown: a large quotient in times, both of them.

    >>> common_unit("share", 152.0, 10.0), common_unit("share", 0.4, 0.3), common_unit("share", 152.0, None)
    ('times', 'share', 'times')
    """
    numbers = [value for value in values if isinstance(value, float | int)]
    return TIMES if unit == "share" and any(abs(value) >= MANY_TIMES for value in numbers) else unit


def value_words(value: float | str | None, unit: str = "") -> str:
    """Format a value: `40.8 %`, `0.0029 %`, `153 ms`, `230.8 s`, `6,041,560`, `yes`."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str) or not math.isfinite(value):
        return str(value)
    if abs(value) < NOTHING:
        value = 0.0
    if unit == "share" and 0 < abs(value) < LEAST_SHARE:
        return f"less than {_plain(LEAST_SHARE * 100, 1)} %"
    if unit == "share":
        digits = 3 if abs(value) >= FINE_SHARE else 2
        return f"{value:.3g}" if value >= MANY_TIMES else f"{_plain(value * 100, digits)} %"
    seconds = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "seconds": 1.0}.get(unit)
    if seconds is not None:
        return _seconds_words(value * seconds)
    if unit == TIMES:
        return f"{_plain(value, 3) if abs(value) < 1000 else f'{value:,.0f}'} {TIMES}"
    if unit == "bytes":
        return _bytes_words(value)
    if abs(value) >= HUGE:
        return f"{value:.3g}"
    return _plain(value, 3) if abs(value) < 1000 and value % 1 else f"{value:,.0f}"


def quantity_words(value: float | str, unit: str) -> str:
    """Format a value with its unit, unless the value already includes it.

    >>> quantity_words(0.2685, "share"), quantity_words(12394.0, "per_second"), quantity_words(3.0, "tasks")
    ('26.9 %', '12,394 /s', '3 tasks')
    """
    text = value_words(value, unit)
    shown = UNITS.get(unit, unit)
    return text if isinstance(value, str) else f"{text} {shown}".rstrip()


UNITS = dict.fromkeys(("share", TIMES, "ns", "us", "ms", "seconds", "bytes", "count"), "") | {
    "per_second": "/s"
}
"""Unit behind a number, where it is not the word itself; a number of the first ones has its own."""


def _bytes_words(value: float) -> str:
    """Format bytes: `47 bytes`, `204.1 MiB`, from 10 GiB on `45.9 GiB`."""
    if 0 < abs(value) < BYTES_PER_MIB / 1000:
        return f"{value:,.0f} bytes"
    is_large = abs(value) >= 10 * 1024**3
    return f"{value / 1024**3:.3g} GiB" if is_large else f"{value / BYTES_PER_MIB:.4g} MiB"


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
