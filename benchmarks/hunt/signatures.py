"""Signatures of one condition each, by the kind of index that tells which cases may hold it."""

from __future__ import annotations

import io
import tarfile

WHOLE = """\
schema: 1
id: bench/{name}
version: 1
title: {title}
severity: high
status: draft
symptoms: [slow]
kind: condition
reason: a benchmark
clauses:
  found:
    title: {title}
    role: core
    {test}
    weight: 4
decide:
  require: {{any: [found]}}
  suspect: {{score: 2}}
  match: {{score: 4, all: [found], min_coverage: 0.5}}
"""

TESTS = {
    "class": (
        "A class of kernel log records",
        "log: {class: hung_task, at_least: 1, strong: 1, window: 1 h}",
    ),
    "text": (
        "A text in kernel log records, which no index knows",
        "log: {text: 'blocked for more than [0-9]+ seconds', at_least: 1, strong: 1, window: 1 h}",
    ),
    "function": (
        "A function in stacks",
        "stack: {contains: [shrink_lruvec]}\n    seen: true",
    ),
    "fact": ("A fact", "fact: {name: loadavg.1m, at_least: 40}"),
}


def archive(name: str) -> bytes:
    """Return a library of one of the signatures as a tar archive."""
    title, test = TESTS[name]
    content = WHOLE.format(name=name, title=title, test=test).encode()
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as packed:
        member = tarfile.TarInfo(f"bench/{name}/signature.yaml")
        member.size = len(content)
        packed.addfile(member, io.BytesIO(content))
    return stream.getvalue()
