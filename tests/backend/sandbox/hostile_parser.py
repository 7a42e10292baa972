"""A fork server whose parser runs arbitrary code in place of reading: `python -m … CONTROL_FD`.

The evidence is Python source. It runs where the parser would, with everything in reach that a parser has; its
result is the name that the report states.
"""

from __future__ import annotations

import socket
import sys
import traceback
from typing import IO

from backend.sandbox import child
from ingest import evidence as front_door
from ingest.evidence import Evidence


def read_stream(stream: IO[bytes], **_: object) -> Evidence:
    """Run the evidence."""
    names: dict[str, object] = {}
    try:
        exec(stream.read().decode(), names)  # noqa: S102 - it stands for a parser that was taken over
        result = str(names["result"])
    except BaseException:  # noqa: BLE001 - whatever it does is the result
        result = traceback.format_exc()
    return Evidence(result, "", "0" * 64, 0, 0, "read", "")


if __name__ == "__main__":
    child._warm_up()
    front_door.read_stream = read_stream
    child._warm_up = lambda: None
    child.serve(socket.socket(fileno=int(sys.argv[1])))
