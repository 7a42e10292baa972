"""The `casebook` command: one lazily imported module per subcommand.

Each module names its click command `command`. The sentence beside it is what `casebook --help` shows, which
therefore imports none of them.
"""

from __future__ import annotations

from ingest import start_image

start_image.use()

# ruff: noqa: E402 - from the image
import importlib
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.exceptions import NoSuchCommand

from backend.core.version import VERSION
from cli.process import confined, short_program

if TYPE_CHECKING:
    from collections.abc import Mapping


class Entry(NamedTuple):
    """Module and summary of a subcommand."""

    module: str
    summary: str
    is_hidden: bool = False


DISTRIBUTION = "kernel-casebook"
OURS = frozenset({__name__.partition(".")[0], "backend", "ingest", "signatures"})
"""Packages whose absence is a bug, not a missing extra."""

PROGRAM = (sys.executable, "-m", __name__)
"""Arguments that start this command as a process of its own."""

COMMANDS: Mapping[str, Entry] = {
    "analyze": Entry("cli.commands.analyze", "Analyse evidence and print cited findings; no server needed."),
    "api": Entry("cli.commands.api", "Run the web application alone.", is_hidden=True),
    "audit": Entry("cli.commands.audit", "Verify the audit log."),
    "backup": Entry("cli.commands.backup", "Write a backup of database and object store."),
    "baseline": Entry("cli.commands.baseline", "Store runs of the main branch, and show their trend."),
    "bundle": Entry("cli.commands.bundle", "Verify a handoff bundle."),
    "case": Entry("cli.commands.case", "List, show, annotate, close and reopen cases of a service."),
    "collect": Entry("cli.commands.collect", "Collect evidence from this host safely, and send it."),
    "completion": Entry("cli.commands.completion", "Print the completion script of a shell."),
    "convert": Entry("cli.commands.convert", "Write profiles for speedscope, Firefox, or as folded stacks."),
    "diff": Entry("cli.commands.diff", "Compare the CPU time of two builds, function by function."),
    "doctor": Entry("cli.commands.doctor", "Check the installation, and say what to do."),
    "explain-line": Entry(
        "cli.commands.explain_line", "Show which source line of the kernel prints a log line."
    ),
    "facts": Entry("cli.commands.facts", "List the facts of all readers with unit, meaning and example."),
    "flamegraph": Entry("cli.commands.flamegraph", "Draw stacks of any format as a flame graph."),
    "fold": Entry("cli.commands.fold", "Print stacks of any format as folded stacks."),
    "formats": Entry("cli.commands.formats", "List the supported formats with limits and examples."),
    "gate": Entry("cli.commands.gate", "Record two builds in turn until a slowdown is found or excluded."),
    "inspect": Entry("cli.commands.inspect", "Show the recognised sections of evidence."),
    "kernels": Entry("cli.commands.kernels", "List kernels of hosts, and the problems that affect them."),
    "library": Entry("cli.commands.library", "Add, pull, activate and retire libraries of teams."),
    "login": Entry("cli.commands.login", "Store URL and token of a service as a profile."),
    "logout": Entry("cli.commands.logout", "Remove a profile."),
    "man": Entry("cli.commands.man", "Print the manual page of a command."),
    "migrate": Entry("cli.commands.migrate", "Migrate the database to this version."),
    "openapi": Entry("cli.commands.openapi", "Write the schema of the REST API.", is_hidden=True),
    "profile": Entry("cli.commands.profile", "List the profiles and choose the default one."),
    "reap": Entry("cli.commands.reap", "Run the job reaper periodically.", is_hidden=True),
    "redact": Entry("cli.commands.redact", "Replace names of hosts, people and networks, and secrets."),
    "reprocess": Entry("cli.commands.reprocess", "Read and judge stored cases again after an upgrade."),
    "restore": Entry("cli.commands.restore", "Restore a backup into an empty instance."),
    "scrub": Entry("cli.commands.scrub", "Check every stored object against its digest."),
    "serve": Entry("cli.commands.serve", "Run the whole service on this machine."),
    "sign-in": Entry("cli.commands.sign_in", "Print a single-use sign-in URL."),
    "signature": Entry("cli.commands.signature", "List, show, explain and test the signatures."),
    "smoke": Entry("cli.commands.smoke", "Run an end-to-end test of the main job."),
    "status": Entry("cli.commands.status", "Show the service and account in use, and the queues."),
    "story": Entry("cli.commands.story", "Import Markdown stories as drafts."),
    "token": Entry("cli.commands.token", "Create, list and revoke bearer tokens."),
    "upload": Entry("cli.commands.upload", "Upload evidence to a service; resumable."),
    "waits": Entry("cli.commands.waits", "Show which task blocks the others, from kernel stacks."),
    "worker": Entry("cli.commands.worker", "Run queued jobs.", is_hidden=True),
}


class Lazy(click.Group):
    """A click group that imports a subcommand when it is called."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """Run as the program, as the console script does; commands that read evidence confine themselves."""
        confined.note_program()
        short_program.run(lambda: click.Group.__call__(self, *arguments, **options))

    hidden_names = frozenset(name for name, entry in COMMANDS.items() if entry.is_hidden)
    """Commands of the service's own processes, without help and manual page."""

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

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the subcommand of the arguments; an unknown one fails with the most similar names."""
        try:
            return super().resolve_command(ctx, args)
        except NoSuchCommand as error:
            known = COMMANDS.keys() - self.hidden_names
            raise NoSuchCommand(error.command_name, possibilities=known, ctx=ctx) from None

    def invoke(self, ctx: click.Context) -> Any:
        """Run a subcommand; one that needs the server says so where it is not installed."""
        try:
            return super().invoke(ctx)
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] in OURS:
                raise
            raise click.ClickException(
                f"this needs the server, which is not installed ({error.name} is missing): "
                f"install '{DISTRIBUTION}[server]'"
            ) from error
        except ValueError as error:
            from backend.authorities_error import AuthoritiesError  # noqa: PLC0415 - keeps `--help` fast
            from signatures.engines import VARIABLE, EnginesError  # noqa: PLC0415 - same

            if isinstance(error, AuthoritiesError):
                raise click.UsageError(str(error)) from None
            if not isinstance(error, EnginesError):
                raise
            raise click.ClickException(f"{VARIABLE}: {error}") from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """Write names and summaries without imports."""
        with formatter.section("Commands"):
            rows = [
                (name, entry.summary)
                for name, entry in sorted(COMMANDS.items())
                if name not in self.hidden_names
            ]
            formatter.write_dl(rows)


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, "-V", "--version", prog_name="casebook")
def main() -> None:
    """Kernel incidents: from perf, bpftrace, dmesg and sosreport evidence to cited findings."""
