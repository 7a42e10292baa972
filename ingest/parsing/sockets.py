"""Sockets of one listing: how many are in each state, what their queues hold, and who listens.

    tcp LISTEN 6 5 10.77.0.1:8080  ->  net.listener.queue = 6, net.listener.queue_limit = 5

States have the names of include/net/tcp_states.h in lower case, whichever tool printed them.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ingest.parsing.fact_reader import FactReader

MOST_LISTENERS = 1000
MOST_SOCKETS = 100
"""Sockets with facts of their own, of those that drop packets, and of those whose program does not read."""

LEAST_UNREAD = 65_536
"""Bytes in the queue of a UDP socket; what a program is about to read is less."""

MOST_PEERS = 1000

_STATES = {
    "estab": "established",
    "unconn": "unconnected",
    "fin_wait1": "fin_wait_1",
    "fin_wait2": "fin_wait_2",
    "listening": "listen",
    "connected": "established",
    "": "unconnected",
}


class Socket(NamedTuple):
    """One row of a listing.

    Attributes:
        protocol: `tcp`, `udp6`…; "" when it is not printed.
        limit: Most connections that may wait for accept, of a listener; None when it is not printed.
        process: Name of the first process that holds it, "" when unknown.
        peer: Address and port of the other end, "" when unknown.
    """

    protocol: str
    state: str
    receive_queue: int
    send_queue: int
    local: str
    limit: int | None
    process: str
    peer: str = ""


class SocketTable:
    """Collects the sockets of one listing and adds their facts."""

    def __init__(self, reader: FactReader) -> None:
        """Add facts to `reader`."""
        self._reader = reader
        self._first: dict[tuple[str, str], int] = {}
        self._counts: Counter[tuple[str, str]] = Counter()
        self._received: Counter[tuple[str, str]] = Counter()
        self._to_send: Counter[tuple[str, str]] = Counter()
        self._dropped: list[tuple[int, int, dict[str, str]]] = []
        self._unread: list[tuple[int, int, dict[str, str]]] = []
        self._unanswered: dict[str, tuple[int, int]] = {}
        self._listeners = 0

    def add(self, line: int, socket: Socket) -> None:
        """Count a socket; a listener has facts of its own."""
        state = state_name(socket.state)
        key = (socket.protocol, state)
        self._first.setdefault(key, line)
        self._counts[key] += 1
        if state == "listen" and not socket.protocol.startswith(("unix", "u_")):
            self._add_listener(line, socket)
        else:
            self._received[key] += socket.receive_queue
            self._to_send[key] += socket.send_queue
        if socket.protocol.startswith("udp") and socket.receive_queue >= LEAST_UNREAD:
            self._unread.append((socket.receive_queue, line, _labels(socket)))
        if state == "syn_sent" and socket.peer and len(self._unanswered) < MOST_PEERS:
            first, count = self._unanswered.get(socket.peer, (line, 0))
            self._unanswered[socket.peer] = (first, count + 1)

    def add_drops(self, line: int, packets: int, socket: Socket) -> None:
        """Note the packets that a socket dropped."""
        self._dropped.append((packets, line, _labels(socket)))

    def finish(self) -> None:
        """Add the facts of all sockets."""
        for key, count in self._counts.items():
            labels = {"state": key[1]} | ({"protocol": key[0]} if key[0] else {})
            line = self._first[key]
            self._reader.add("net.socket.count", float(count), line, "count", labels)
            for name, queues in (("receive", self._received), ("send", self._to_send)):
                if queues[key]:
                    value = float(queues[key])
                    self._reader.add(f"net.socket.{name}_queue_bytes", value, line, "bytes", labels)
        for peer, (line, count) in self._unanswered.items():
            self._reader.add("net.socket.unanswered", float(count), line, "count", {"peer": peer})
        for name, unit, found in (
            ("net.socket.drops", "count", self._dropped),
            ("net.socket.unread_bytes", "bytes", self._unread),
        ):
            for value, line, labels in sorted(found, key=lambda one: -one[0])[:MOST_SOCKETS]:
                self._reader.add(name, float(value), line, unit, labels)

    def _add_listener(self, line: int, socket: Socket) -> None:
        self._listeners += 1
        if self._listeners > MOST_LISTENERS:
            self._reader.skips.add(f"listeners beyond {MOST_LISTENERS}", line)
            return
        labels = {"listener": socket.local, "protocol": socket.protocol, "process": socket.process}
        labels = {key: value for key, value in labels.items() if value}
        self._reader.add("net.listener.queue", float(socket.receive_queue), line, "count", labels)
        if socket.limit is not None:
            self._reader.add("net.listener.queue_limit", float(socket.limit), line, "count", labels)


def _labels(socket: Socket) -> dict[str, str]:
    """Return what names a socket, as far as it is printed."""
    labels = {"socket": socket.local, "protocol": socket.protocol, "process": socket.process}
    return {key: value for key, value in labels.items() if value}


def state_name(printed: str) -> str:
    """Return the name of a printed state: `ESTAB` is `established`, no state is `unconnected`."""
    name = printed.lower().replace("-", "_")
    return _STATES.get(name, name)
