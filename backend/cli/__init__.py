"""The `casebook` command: one lazily imported module per subcommand.

Each module names its click command `command`. The sentence beside it is what `casebook --help` shows, which
therefore imports none of them.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from backend.cli import confined

if TYPE_CHECKING:
    from collections.abc import Mapping


class Entry(NamedTuple):
    """Module and summary of a subcommand."""

    module: str
    summary: str
    is_hidden: bool = False


COMMANDS: Mapping[str, Entry] = {
    "analyze": Entry("backend.cli.analyze", "Analyse evidence and print cited findings; no server needed."),
    "api": Entry("backend.cli.api", "Run the web application alone.", is_hidden=True),
    "audit": Entry("backend.cli.audit", "Verify the audit log."),
    "baseline": Entry("backend.cli.baseline", "Store runs of the main branch, and show their trend."),
    "bundle": Entry("backend.cli.bundle", "Verify a handoff bundle."),
    "collect": Entry("backend.cli.collect", "Collect evidence from this host safely, and send it."),
    "completion": Entry("backend.cli.completion", "Print the completion script of a shell."),
    "convert": Entry("backend.cli.convert", "Write profiles for speedscope, Firefox, or as folded stacks."),
    "diff": Entry("backend.cli.diff", "Compare the CPU time of two builds, function by function."),
    "facts": Entry("backend.cli.facts", "List the facts of all readers with unit, meaning and example."),
    "flamegraph": Entry("backend.cli.flamegraph", "Draw stacks of any format as a flame graph."),
    "fold": Entry("backend.cli.fold", "Print stacks of any format as folded stacks."),
    "formats": Entry("backend.cli.formats", "List the supported formats with limits and examples."),
    "inspect": Entry("backend.cli.inspect", "Show the recognised sections of evidence."),
    "migrate": Entry("backend.cli.migrate", "Migrate the database to this version."),
    "openapi": Entry("backend.cli.openapi", "Write the schema of the REST API.", is_hidden=True),
    "reap": Entry("backend.cli.reap", "Run the job reaper periodically.", is_hidden=True),
    "redact": Entry("backend.cli.redact", "Replace names of hosts, people and networks, and secrets."),
    "serve": Entry("backend.cli.serve", "Run the whole service on this machine."),
    "sign-in": Entry("backend.cli.sign_in", "Print a single-use sign-in URL."),
    "signature": Entry("backend.cli.signature", "List, show, explain and test the signatures."),
    "smoke": Entry("backend.cli.smoke", "Run an end-to-end test of the main job."),
    "story": Entry("backend.cli.story", "Import Markdown stories as drafts."),
    "token": Entry("backend.cli.token", "Create, list and revoke bearer tokens."),
    "upload": Entry("backend.cli.upload", "Upload evidence to a service; resumable."),
    "waits": Entry("backend.cli.waits", "Show which task blocks the others, from kernel stacks."),
    "worker": Entry("backend.cli.worker", "Run queued jobs.", is_hidden=True),
}


class Lazy(click.Group):
    """A click group that imports a subcommand when it is called."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """Run as the program, as the console script does; commands that read evidence confine themselves."""
        confined.note_program()
        return super().__call__(*arguments, **options)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return every name, sorted."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """Import and return one subcommand."""
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        command: click.Command = importlib.import_module(entry.module).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """Write names and summaries without imports."""
        with formatter.section("Commands"):
            rows = [(name, entry.summary) for name, entry in sorted(COMMANDS.items()) if not entry.is_hidden]
            formatter.write_dl(rows)


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="casebook", prog_name="casebook")
def main() -> None:
    """Kernel incidents: from perf, bpftrace, dmesg and sosreport evidence to cited findings."""
