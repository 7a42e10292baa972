"""A bad line to a service: slow towards it, cut again and again. `python -m tests.e2e.line PORT --rate 3e6`

Prints the port it listens on. A number on its input is a new rate; when its input ends it says what went over
it and how often it was cut:

    {"bytes": 25165824, "cuts": 3}
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from contextlib import suppress

PIECE_BYTES = 64 << 10


class Line:
    """Carries bytes between whoever connects and the service, until it is cut.

    All connections together send at most `rate` bytes a second. After every `cut_bytes` all break, and for
    `cut_seconds` nobody gets through; at most `most_cuts` times.
    """

    def __init__(self, port: int, told: argparse.Namespace) -> None:
        """Lead to `port` of this machine."""
        self._port = port
        self._told = told
        self._open: set[asyncio.StreamWriter] = set()
        self._free_at = self._down_until = 0.0
        self.sent_bytes = self.cuts = 0

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry what one connection says, both ways."""
        if asyncio.get_running_loop().time() < self._down_until:
            writer.transport.abort()
            return
        # Cancelled when the line itself ends.
        with suppress(OSError, asyncio.CancelledError):
            there_reader, there = await asyncio.open_connection("127.0.0.1", self._port)
            self._open |= {writer, there}
            ways = (self._carry(reader, there, is_paced=True), self._carry(there_reader, writer))
            await asyncio.gather(*ways)
            self._open -= {writer, there}

    async def _carry(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, is_paced: bool = False
    ) -> None:
        with suppress(OSError):
            while piece := await reader.read(PIECE_BYTES):
                if is_paced:
                    await self._pace(len(piece))
                writer.write(piece)
                await writer.drain()
        with suppress(OSError):
            writer.close()

    async def _pace(self, size_bytes: int) -> None:
        """Wait for the turn of so many bytes, and cut the line when it is time to."""
        loop = asyncio.get_running_loop()
        self._free_at = max(self._free_at, loop.time()) + size_bytes / self._told.rate
        await asyncio.sleep(self._free_at - loop.time())
        self.sent_bytes += size_bytes
        is_due = self.sent_bytes >= self._told.cut_bytes * (self.cuts + 1)
        if is_due and self.cuts < self._told.most_cuts:
            self.cuts += 1
            self._down_until = loop.time() + self._told.cut_seconds
            for writer in self._open:
                writer.transport.abort()


async def serve(told: argparse.Namespace) -> None:
    """Lead to the service until standard input ends."""
    line = Line(told.port, told)
    server = await asyncio.start_server(line.accept, "127.0.0.1", 0)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await asyncio.to_thread(obey, told)
    with suppress(BrokenPipeError):
        sys.stdout.write(json.dumps({"bytes": line.sent_bytes, "cuts": line.cuts}) + "\n")
        sys.stdout.flush()


def obey(told: argparse.Namespace) -> None:
    """Take new rates until standard input ends."""
    for words in sys.stdin:
        told.rate = float(words)


def main() -> None:
    """Read what the line is like, and be it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("--rate", type=float, required=True, help="bytes a second towards the service")
    parser.add_argument("--cut-bytes", type=float, default=1e18, help="after so many bytes it breaks")
    parser.add_argument("--cut-seconds", type=float, default=2.0, help="for so long")
    parser.add_argument("--most-cuts", type=int, default=1 << 30)
    asyncio.run(serve(parser.parse_args()))


if __name__ == "__main__":
    main()
