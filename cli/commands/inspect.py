"""`casebook inspect`: recognised sections of evidence with lines and skipped content.

$ casebook inspect paste.txt
paste.txt: 4 lines, 2 sections
  lines 1-2  cgroup-memory-value @1  memory.failcnt: 1 fact
  lines 3-4  perf-table @1  $ perf top --stdio | head: 1 table of 1 symbol
             ! excerpt: the command above keeps only some lines (line 3)
"""

from __future__ import annotations

import json
import sys

import click

from cli.process import exits
from cli.process.arguments import evidence_paths
from cli.process.confined import ConfinedCommand, Reach
from cli.process.output import print_lines, print_text


@click.command("inspect", cls=ConfinedCommand, reach=Reach(reads=("paths",)))
@evidence_paths
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(paths: tuple[str, ...], *, as_json: bool) -> None:
    """Show the recognised sections of PATH, without judging it.

    Exit status: 3 nothing could be read.
    """
    from cli.evidence.recognition import recognised, recognised_document  # noqa: PLC0415 - keeps `casebook --help` fast
    from signatures.rendering.recognition import recognition_lines  # noqa: PLC0415 - same

    evidences = recognised(paths)
    if as_json:
        documents = [recognised_document(one) for one in evidences]
        print_text(json.dumps(documents, indent=2, ensure_ascii=False) + "\n")
    else:
        print_lines(line for evidence in evidences for line in recognition_lines(evidence))
    if not any(evidence.state == "read" for evidence in evidences):
        sys.exit(exits.REFUSED)
