"""TCP proxy with limited upload rate and periodic disconnects. `python -m tests.e2e.line PORT --rate 3e6`

Prints the port it listens on. A number on standard input sets a new rate. At the end of the input it prints
the transferred bytes and the number of disconnects:

    {"bytes": 25165824, "cuts": 3}
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from contextlib import suppress

CHUNK_BYTES = 64 << 10


class Line:
    """Proxy between clients and the service.

    All connections together upload at most `rate` bytes per second. After every `cut_bytes` all connections
    are aborted and new ones rejected for `cut_seconds`; at most `most_cuts` times.
    """

    def __init__(self, port: int, options: argparse.Namespace) -> None:
        """Forward to `port` on localhost."""
        self._port = port
        self._options = options
        self._open: set[asyncio.StreamWriter] = set()
        self._free_at = self._down_until = 0.0
        self.sent_bytes = self.cuts = 0

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Forward one connection in both directions."""
        if asyncio.get_running_loop().time() < self._down_until:
            writer.transport.abort()
            return
        # Cancelled when the proxy exits.
        with suppress(OSError, asyncio.CancelledError):
            upstream_reader, upstream = await asyncio.open_connection("127.0.0.1", self._port)
            self._open |= {writer, upstream}
            upload = self._forward(reader, upstream, is_paced=True)
            await asyncio.gather(upload, self._forward(upstream_reader, writer))
            self._open -= {writer, upstream}

    async def _forward(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, is_paced: bool = False
    ) -> None:
        with suppress(OSError):
            while chunk := await reader.read(CHUNK_BYTES):
                if is_paced:
                    await self._pace(len(chunk))
                writer.write(chunk)
                await writer.drain()
        with suppress(OSError):
            writer.close()

    async def _pace(self, size_bytes: int) -> None:
        """Wait until `size_bytes` fit the rate; abort all connections when a cut is due."""
        loop = asyncio.get_running_loop()
        self._free_at = max(self._free_at, loop.time()) + size_bytes / self._options.rate
        await asyncio.sleep(self._free_at - loop.time())
        self.sent_bytes += size_bytes
        is_due = self.sent_bytes >= self._options.cut_bytes * (self.cuts + 1)
        if is_due and self.cuts < self._options.most_cuts:
            self.cuts += 1
            self._down_until = loop.time() + self._options.cut_seconds
            for writer in self._open:
                writer.transport.abort()


async def serve(options: argparse.Namespace) -> None:
    """Run the proxy until standard input ends."""
    line = Line(options.port, options)
    server = await asyncio.start_server(line.accept, "127.0.0.1", 0)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await asyncio.to_thread(read_rates, options)
    with suppress(BrokenPipeError):
        sys.stdout.write(json.dumps({"bytes": line.sent_bytes, "cuts": line.cuts}) + "\n")
        sys.stdout.flush()


def read_rates(options: argparse.Namespace) -> None:
    """Apply new rates from standard input until it ends."""
    for text in sys.stdin:
        options.rate = float(text)


def main() -> None:
    """Parse the arguments and run the proxy."""
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("--rate", type=float, required=True, help="upload rate in bytes per second")
    parser.add_argument("--cut-bytes", type=float, default=1e18, help="bytes between disconnects")
    parser.add_argument("--cut-seconds", type=float, default=2.0, help="downtime after a disconnect")
    parser.add_argument("--most-cuts", type=int, default=1 << 30)
    asyncio.run(serve(parser.parse_args()))


if __name__ == "__main__":
    main()
