"""The process that sends by Apprise: reads one message as JSON, ends with status 0 once it was taken.

Every TCP connection of this process is checked, whoever makes it: the address that is checked is the one that
is connected.
"""

from __future__ import annotations

import json
import logging
import socket
import sys
from typing import Any

import apprise

from backend.core.ssrf_guard import RefusedAddressError, checked_addresses

_connect = socket.socket.connect


def guard(allowed: list[str], refused: list[str]) -> None:
    """Have every socket connect to checked addresses only; why not is appended to `refused`."""

    def connect(self: socket.socket, address: Any) -> None:
        if self.family not in {socket.AF_INET, socket.AF_INET6}:
            raise OSError("only connections to hosts are allowed")
        host, port, *rest = address
        try:
            checked = checked_addresses(host, port, allowed)
        except RefusedAddressError as error:
            refused.append(str(error))
            raise OSError(str(error)) from None
        _connect(self, (checked[0], port, *rest))

    socket.socket.connect = connect  # type: ignore[assignment, method-assign]


def main() -> int:
    """Send the message of standard input; return the status of the process."""
    asked, refused = json.load(sys.stdin), list[str]()
    guard(asked["allowed"], refused)
    logging.basicConfig(stream=sys.stdout, level=logging.WARNING, format="%(message)s")
    service = apprise.Apprise.instantiate(asked["url"], suppress_exceptions=True)
    if service is None:
        sys.stdout.write("the URL is not complete for its service\n")
        return 1
    if service.notify(title=asked["title"], body=asked["body"]):
        return 0
    sys.stdout.writelines(f"{reason}\n" for reason in refused)
    return 1


if __name__ == "__main__":
    raise SystemExit(main())
