"""What the requests of a case page take: `python -m benchmarks.case_requests` writes CASE_REQUESTS.md.

A throw-away instance judges a folder of 123 recorded files; then its case is asked for what its page asks
for, each request in turn, many times. Milliseconds from the request to its whole answer, the client in a
process of its own on the same machine.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

import httpx
import numpy as np

from backend.client import Client
from benchmarks.paste_cost import UNCOUNTED, settle, wait
from benchmarks.sent_files import folder_of
from cli.service.instance import throw_away

RESULT = Path(__file__).with_name("CASE_REQUESTS.md")
ROUNDS = 40
OF_PAGE = (
    *("", "/overview", "/analyses", "/findings", "/view", "/evidence", "/timeline", "/facts", "/hosts"),
    *("/waits", "/profiles", "/seen-before", "/similar", "/incident", "/notes", "/labels", "/phases"),
    *("/captures", "/jobs", "/uploads"),
)
HEAD = """\
# Requests of a case page

Written by `python -m benchmarks.case_requests`: {date}, {cpus} CPUs, load {load:.1f}. A case of 123
files; each request {rounds} times after a first one, in turn. Milliseconds.

| request | p50 | p95 | longest | KB |
| --- | ---: | ---: | ---: | ---: |
"""


def main() -> None:
    """Measure and write the page."""
    with tempfile.TemporaryDirectory() as scratch, throw_away(say=print, settings=UNCOUNTED) as instance:
        root = Path(scratch, "folder")
        folder_of(None, root)
        files = [
            (one.relative_to(scratch).as_posix(), one) for one in sorted(root.rglob("*")) if one.is_file()
        ]
        token = instance.create_token("bench")
        with Client(instance.url, token=token, timeout_seconds=300) as casebook:
            case = casebook.post_files(files).case
            wait(casebook, [case.id])
            settle(casebook)
        url = f"{instance.url}/api/v1/cases/{case.number}"
        headers = {"Authorization": f"Bearer {token}"}
        took: dict[str, list[float]] = {path: [] for path in OF_PAGE}
        sizes: dict[str, int] = {}
        with httpx.Client(headers=headers) as client:
            for _ in range(ROUNDS + 1):
                for path, some in took.items():
                    began = time.perf_counter()
                    answer = client.get(f"{url}{path}").raise_for_status()
                    some.append((time.perf_counter() - began) * 1000)
                    sizes[path] = len(answer.content)
    rows = [_row(path, some[1:], sizes[path]) for path, some in took.items()]
    head = HEAD.format(
        date=f"{datetime.now(tz=UTC):%Y-%m-%d}", cpus=os.cpu_count(), load=os.getloadavg()[0], rounds=ROUNDS
    )
    RESULT.write_text(head + "\n".join(rows) + "\n", encoding="utf-8")
    sys.stdout.write(RESULT.read_text(encoding="utf-8"))


def _row(path: str, took: list[float], size_bytes: int) -> str:
    middle, high = np.percentile(took, [50, 95])
    return f"| `/cases/…{path}` | {middle:.0f} | {high:.0f} | {max(took):.0f} | {size_bytes / 1000:.0f} |"


if __name__ == "__main__":
    main()
