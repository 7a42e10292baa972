"""`casebook facts`: list the facts of all readers with unit, labels and example.

$ casebook facts memcg
memcg.failcnt  count  {cgroup}  charges that hit the limit
"""

from __future__ import annotations

import json
import sys

import click

from cli.process import exits
from cli.process.output import print_lines, print_text
from signatures.rendering.lines import Line


@click.command("facts")
@click.argument("words", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(words: tuple[str, ...], *, as_json: bool) -> None:
    """List facts whose name, description or format contains all WORDS; default: all.

    Exit status: 3 no match.
    """
    from ingest import fact_catalogue  # noqa: PLC0415 - keeps `casebook --help` fast

    found = [
        entry
        for entry in fact_catalogue.entries()
        if all(
            word.lower() in f"{entry.name} {entry.meaning} {' '.join(entry.formats)}".lower()
            for word in words
        )
    ]
    if as_json:
        print_text(json.dumps([entry._asdict() for entry in found], indent=2, ensure_ascii=False) + "\n")
    else:
        lines: list[Line] = []
        for entry in found:
            value = " or ".join(entry.units) or " or ".join(entry.types)
            labels = f"  {{{', '.join(entry.labels)}}}" if entry.labels else ""
            lines.append(Line(f"{entry.name}  {value}{labels}  {entry.meaning}", "cyan"))
            if entry.example:
                lines.append(Line(f"    for example {entry.example}"))
            lines.append(Line(f"    read by {', '.join(entry.formats)}"))
        print_lines(lines)
    if not found:
        click.echo(f"no fact speaks of {' '.join(words)!r}; `casebook facts` lists all", err=True)
        sys.exit(exits.REFUSED)
