"""Alarms of which a log suppressed messages: their count is the least that it can be.

net_ratelimit: 12 callbacks suppressed  ->  (at least 16 times)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from signatures.overview.kernel_log.chain import Alarm, Chain, Placed

CLASS = "messages_suppressed"
NETWORK = "net_ratelimit"
"""One limit for all messages of `net_warn_ratelimited()` and the like; include/linux/net.h."""

ALL = frozenset({"", "printk"})
"""Limits of no function: of the ring, or of all that is printed."""

CLASSES = {
    "blk_update_request": "block_io_error",
    "buffer_io_error": "buffer_io_error",
    "print_req_error": "block_io_error",
}
"""Functions with a limit of their own and the class of what they print; block/blk-mq.c, fs/buffer.c."""


def mark(chains: Iterable[Chain], placed: Iterable[Placed]) -> None:
    """Note which alarms have suppressed messages. A ring that lost messages may have lost any."""
    limits = {str(one.record.fields.get("function") or "") for one in placed if one.record.kind == CLASS}
    for chain in chains:
        for alarm in chain.alarms:
            alarm.is_least = _is_limited(alarm, limits)


def _is_limited(alarm: Alarm, limits: set[str]) -> bool:
    if not ALL.isdisjoint(limits):
        return True
    is_network = NETWORK in limits and alarm.log_class.area == "network"
    return is_network or any(CLASSES.get(name) == alarm.log_class.name for name in limits)
