"""The program of `backend.sandbox.child`, whose imports use the start image.

python -I -m backend.sandbox.engine DESCRIPTOR
"""

from __future__ import annotations

import socket
import sys

from ingest import start_image


def main() -> None:
    """Answer requests at the socket with the number that is the argument."""
    start_image.use()
    from backend.sandbox.child import serve  # noqa: PLC0415 - imported with the image in use

    serve(socket.socket(fileno=int(sys.argv[1])))


if __name__ == "__main__":
    main()
