"""The program of `backend.sandbox.child`, whose imports use the start image.

python -I -m backend.sandbox.engine DESCRIPTOR [cases]
"""

from __future__ import annotations

import socket
import sys

from ingest import start_image


def main() -> None:
    """Answer requests at the socket with the number that is the first argument."""
    start_image.use()
    from backend.sandbox.child import serve  # noqa: PLC0415 - imported with the image in use
    from backend.sandbox.fork_server import FOR_CASES  # noqa: PLC0415 - same

    serve(socket.socket(fileno=int(sys.argv[1])), is_for_cases=sys.argv[2:] == [FOR_CASES])


if __name__ == "__main__":
    main()
