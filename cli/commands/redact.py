"""`casebook redact`: redact evidence locally, without a server.

$ casebook redact perf.script > perf.redacted.script
$ casebook redact sosreport-db7.tar.xz --output sosreport.redacted.tar.zst
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.process import exits, output_files
from cli.process.confined import ConfinedCommand, Reach

if TYPE_CHECKING:
    from collections.abc import Iterable


def _key(_context: click.Context, _parameter: click.Parameter, path: Path | None) -> bytes:
    from cli.evidence.pseudonym_key import KeyFileError, key_of  # noqa: PLC0415 - keeps `casebook --help` fast

    try:
        return key_of(path)
    except KeyFileError as error:
        raise click.UsageError(str(error)) from None


def _replacements(
    _context: click.Context, _parameter: click.Parameter, given: tuple[str, ...] | Path | None
) -> tuple[tuple[str, str], ...]:
    """Return kind and name of each word, or of each line of a file."""
    if not given:
        return ()
    from cli.evidence.replacements import ReplacementError, replacement_of, replacements_in  # noqa: PLC0415 - keeps `casebook --help` fast

    try:
        return tuple(map(replacement_of, given)) if isinstance(given, tuple) else replacements_in(given)
    except ReplacementError as error:
        raise click.UsageError(str(error)) from None


def _classes(_context: click.Context, _parameter: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    if not names:
        return ()
    from cli.evidence.replacements import UnknownClassError, known_class  # noqa: PLC0415 - keeps `casebook --help` fast

    try:
        return tuple(map(known_class, names))
    except UnknownClassError as error:
        raise click.BadParameter(str(error)) from None


@click.command(
    "redact",
    cls=ConfinedCommand,
    reach=Reach(reads=("paths",), writes=("open_tokens",), replaces=("output",), has_scratch=True),
)
@click.argument(
    "paths", metavar="PATH…", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path)
)
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Output file; for an archive, a directory or several files: NAME.tar, .tar.gz or .tar.zst.",
)
@click.option(
    "--key-file",
    "key",
    callback=_key,
    type=click.Path(dir_okay=False, path_type=Path),
    help="Key file for stable pseudonyms across runs. Created if missing.",
)
@click.option(
    "--replace",
    "replaced",
    metavar="CLASS:TOKEN",
    callback=_replacements,
    multiple=True,
    help="Replace an open token too, such as host:swordfish-db3, or a family: host:web* for web01, web02.",
)
@click.option(
    "--replace-file",
    "names",
    callback=_replacements,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="File with a CLASS:TOKEN for --replace on each line; # begins a comment.",
)
@click.option(
    "--open-tokens",
    "open_tokens",
    type=click.Path(dir_okay=False),
    help="Write all open tokens to a file for --replace-file: remove the lines of those that are no names.",
)
@click.option(
    "--reviewed",
    "reviewed",
    metavar="CLASS",
    callback=_classes,
    multiple=True,
    help="Class of open tokens that you reviewed; repeat it for each class.",
)
def command(
    paths: tuple[Path, ...],
    output: Path | None,
    key: bytes,
    *,
    replaced: tuple[tuple[str, str], ...],
    names: tuple[tuple[str, str], ...],
    open_tokens: str | None,
    reviewed: tuple[str, ...],
) -> None:
    """Replace names of hosts, people and networks, keys and passwords in PATH.

    PATH is a text, an archive such as a sosreport, or a folder, compressed or not. Lines and columns stay as
    they are, one name gets one pseudonym, and words that findings rest on are not touched. What is not text
    is left out and counted. A report goes to standard error.

    Tokens that no rule classified and that may be names are listed by class, all of them with --open-tokens.
    Replace names among them with --replace or --replace-file, then confirm each class with --reviewed.

    Exit status: 0 success; 2 usage error; 3 nothing could be redacted; 4 the independent leak scan still
    found a name: review it before you send the result; 10 open tokens of a class that is not reviewed.
    """
    from cli.evidence import redaction, redaction_report  # noqa: PLC0415 - keeps `casebook --help` fast
    from ingest.model.errors import IngestError  # noqa: PLC0415 - same

    redactor = redaction.redactor_of(key, (*replaced, *names))
    try:
        outcome = redaction.redact(redactor, paths, output)
    except redaction.SeveralTextsError as error:
        raise click.UsageError(f"{error}: use --output NAME.tar.zst") from None
    except redaction.NothingToRedactError as nothing:
        _say(redaction_report.report_lines(redactor, nothing.outcome, reviewed))
        sys.exit(exits.REFUSED)
    except (IngestError, OSError) as error:
        raise click.ClickException(f"nothing was written: {error}") from None
    if open_tokens is not None:
        output_files.write(open_tokens, redaction_report.open_token_list(outcome).encode())
    _say(redaction_report.report_lines(redactor, outcome, reviewed))
    if outcome.leaks:
        sys.exit(exits.CHECK_FAILED)
    if outcome.to_review(reviewed):
        sys.exit(exits.NOT_REVIEWED)


def _say(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(line, err=True)
