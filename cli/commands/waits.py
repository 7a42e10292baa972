"""`casebook waits`: who waits for whom, from kernel logs, /proc/PID/stack and ps.

$ casebook waits dmesg.txt
4 tasks wait behind mkdir:14954, which waits for reply of a FUSE server
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from cli.process import exits
from cli.process.arguments import evidence_paths
from cli.process.confined import ConfinedCommand, Reach
from signatures.rendering.lines import Line, bare

if TYPE_CHECKING:
    from signatures.waits.text import TextLine


@click.command("waits", cls=ConfinedCommand, reach=Reach(reads=("paths",), writes=("target",)))
@evidence_paths
@click.option(
    "--format",
    "shape",
    type=click.Choice(["text", "mermaid", "svg", "json"]),
    default="text",
    show_default=True,
    help="Text for people, a Mermaid flow chart for Markdown, an SVG picture, or JSON.",
)
@click.option("-o", "--output", "target", metavar="FILE", default="-", help="Output file; - is the default.")
@click.option("--all", "with_all", is_flag=True, help="Show every root blocker and cluster.")
def command(*, paths: tuple[str, ...], shape: str, target: str, with_all: bool) -> None:
    """Show which task blocks the others: the wait graph of kernel stacks.

    PATH holds hung-task reports, sysrq-w or sysrq-t, files below /proc/PID, ps with wchan, or stacks of a
    debugger; `-` is standard input. A holder is named only with evidence: reported by the kernel, listed by
    lockdep, or inferred from the functions of its own stack.

    Exit status: 0 tasks read; 2 usage error; 3 no tasks in the evidence.
    """
    from cli.evidence.paths import read  # noqa: PLC0415 - same
    from cli.process import output  # noqa: PLC0415 - keeps `casebook --help` fast
    from signatures.documents.codec import to_documents  # noqa: PLC0415 - same
    from signatures.judging.scope import items_of, scopes_of  # noqa: PLC0415 - same
    from signatures.waits import graph_of  # noqa: PLC0415 - same
    from signatures.waits.document import graph_document  # noqa: PLC0415 - same
    from signatures.waits.mermaid import mermaid_lines  # noqa: PLC0415 - same
    from signatures.waits.svg import picture  # noqa: PLC0415 - same
    from signatures.waits.text import text_lines  # noqa: PLC0415 - same

    scopes = scopes_of(items_of(list(read(paths))))
    graphs = [(scope, graph_of(scope.items)) for scope in scopes]
    graphs = [(scope, graph) for scope, graph in graphs if graph.tasks]
    if not graphs:
        click.echo(
            "no tasks in the evidence: collect `dmesg` after `echo w > /proc/sysrq-trigger`, or "
            "/proc/PID/task/*/stack",
            err=True,
        )
        sys.exit(exits.REFUSED)
    if shape == "json":
        document = to_documents(graph_document(graph, scope.host, scope.phase) for scope, graph in graphs)
        output.write_text(target, json.dumps({"graphs": document}, indent=2, ensure_ascii=False) + "\n")
    elif shape == "mermaid":
        charts = ("\n".join(mermaid_lines(graph)) for _, graph in graphs)
        output.write_text(target, "\n\n".join(charts) + "\n")
    elif shape == "svg":
        if len(graphs) > 1:
            raise click.UsageError(
                "an SVG holds one graph, and the evidence is of several hosts; name its files"
            )
        output.write_text(target, picture(graphs[0][1], graphs[0][0].host))
    else:
        lines: list[Line] = []
        for scope, graph in graphs:
            if len(graphs) > 1:
                lines.append(Line(f"Host {scope.host or 'unknown'}, {scope.phase}:"))
            lines.extend(map(_line, text_lines(graph, with_all=with_all)))
        if target == "-":
            output.print_lines(lines)
        else:
            output.write_text(target, "".join(f"{bare(line.text)}\n" for line in lines))


def _line(line: TextLine) -> Line:
    return Line(line.text, "yellow" if line.role == "alert" else "", line.role == "command")
