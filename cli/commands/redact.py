"""`casebook redact`: redact evidence locally, without a server.

$ casebook redact perf.script > perf.redacted.script
$ casebook redact sosreport-db7.tar.xz --output sosreport.redacted.tar.zst
"""

from __future__ import annotations

import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.process import exits, output_files
from cli.process.confined import ConfinedCommand, Reach
from signatures.rendering.lines import bare

if TYPE_CHECKING:
    from cli.evidence.redaction import Outcome
    from ingest.redact import Redactor
    from ingest.redact.second_look import OpenToken

KEY_BYTES = 32
SHOWN_LEAKS = 10
SHOWN_TOKENS = 20
KINDS = {
    "domain": "domains",
    "fqdn": "full host names",
    "host": "host names",
    "ipv4": "IPv4 addresses",
    "ipv4hex": "IPv4 addresses of procfs",
    "ipv4net": "IPv4 addresses in hexadecimal digits",
    "ipv6": "IPv6 addresses",
    "ipv6word": "IPv6 addresses of procfs",
    "mac": "hardware addresses",
    "person": "names of people",
    "project": "names of projects, customers and resources",
    "secret": "keys, tokens and passwords",
    "serial": "serial numbers",
    "user": "users",
    "uuid": "ids of machines",
}


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
    callback=lambda _context, _parameter, path: key_of(path),
    type=click.Path(dir_okay=False, path_type=Path),
    help="Key file for stable pseudonyms across runs. Created if missing.",
)
@click.option(
    "--replace",
    "replaced",
    metavar="CLASS:TOKEN",
    callback=lambda _context, _parameter, words: tuple(map(_token_of, words)),
    multiple=True,
    help="Replace an open token too, such as host:swordfish-db3, or a family: host:web* for web01, web02.",
)
@click.option(
    "--replace-file",
    "names",
    callback=lambda _context, _parameter, path: _tokens_in(path),
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
    callback=lambda _context, _parameter, names: tuple(map(_known_class, names)),
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
    from cli.evidence import redaction  # noqa: PLC0415 - keeps `casebook --help` fast
    from ingest.containers import tarball  # noqa: PLC0415 - same
    from ingest.model.errors import IngestError  # noqa: PLC0415 - same
    from ingest.redact import Redactor  # noqa: PLC0415 - same
    from signatures.document.vocabulary import library_words  # noqa: PLC0415 - same

    redactor = Redactor(key, words=library_words())
    for kind, name in (*replaced, *names):
        redactor.learn_name(kind, name, is_chosen=True)
    is_archive = output is not None and output.name.endswith(tarball.SUFFIXES)
    try:
        if not is_archive and (len(paths) > 1 or redaction.is_archive(paths[0])):
            raise click.UsageError("more than one input file: use --output NAME.tar.zst")
        if output is None:
            outcome = redaction.redact_text(redactor, paths[0], sys.stdout.buffer)
            sys.stdout.buffer.flush()
        else:
            with output_files.replacing(output) as stream:
                if is_archive:
                    outcome = redaction.redact_archive(redactor, paths, stream, output.name)
                else:
                    outcome = redaction.redact_text(redactor, paths[0], stream)
    except redaction.NothingToRedactError as nothing:
        _report(redactor, nothing.outcome, reviewed)
        sys.exit(exits.REFUSED)
    except (IngestError, OSError) as error:
        raise click.ClickException(f"nothing was written: {error}") from None
    if open_tokens is not None:
        output_files.write(open_tokens, _list_of(outcome).encode())
    _report(redactor, outcome, reviewed)
    if outcome.leaks:
        sys.exit(exits.CHECK_FAILED)
    if any(one.name not in reviewed for one in outcome.open_classes):
        sys.exit(exits.NOT_REVIEWED)


def _known_class(name: str) -> str:
    """Return the name of a class of open tokens.

    Raises:
        BadParameter: There is no such class.
    """
    from ingest.redact.open_classes import KIND_OF_CLASS  # noqa: PLC0415 - keeps `casebook --help` fast

    if name not in KIND_OF_CLASS:
        raise click.BadParameter(f"{name!r} is not one of {', '.join(KIND_OF_CLASS)}")
    return name


def _token_of(word: str) -> tuple[str, str]:
    """Return kind and name of `CLASS:TOKEN`.

    Raises:
        UsageError: It is not of that form.
    """
    from ingest.redact.open_classes import KIND_OF_CLASS  # noqa: PLC0415 - keeps `casebook --help` fast

    name, _, token = word.partition(":")
    if name not in KIND_OF_CLASS or not token.strip("*"):
        classes = ", ".join(KIND_OF_CLASS)
        raise click.UsageError(f"--replace {word!r}: expected CLASS:TOKEN, CLASS one of {classes}")
    return KIND_OF_CLASS[name], token


def _tokens_in(file: Path | None) -> tuple[tuple[str, str], ...]:
    """Return kind and name of each line of a file of CLASS:TOKEN lines; `#` begins a comment.

    Raises:
        UsageError: A line is not of that form.
    """
    if file is None:
        return ()
    rows = (line.strip() for line in file.read_text(encoding="utf-8").splitlines())
    return tuple(_token_of(row) for row in rows if row and not row.startswith("#"))


def key_of(key_file: Path | None) -> bytes:
    """Return the key in a file, created if missing, or a new one.

    Raises:
        UsageError: It holds no key.
    """
    if key_file is None:
        return secrets.token_bytes(KEY_BYTES)
    if key_file.exists():
        try:
            key = bytes.fromhex(key_file.read_text(encoding="ascii").strip())
        except ValueError:
            key = b""
        if len(key) != KEY_BYTES:
            raise click.UsageError(f"{key_file} is not a key file: expected {2 * KEY_BYTES} hex digits")
        return key
    key = secrets.token_bytes(KEY_BYTES)
    key_file.touch(mode=0o600)
    key_file.write_text(f"{key.hex()}\n", encoding="ascii")
    return key


def _report(redactor: Redactor, outcome: Outcome, reviewed: tuple[str, ...]) -> None:
    def say(text: str) -> None:
        click.echo(bare(text), err=True)

    replaced = sum(redactor.counts.values())
    say(f"{_number(outcome.texts, 'text')} redacted, {_number(replaced, 'place')} replaced")
    different = redactor.different
    for kind, count in sorted(redactor.counts.items()):
        if count:
            say(f"  {count:>8,}  {KINDS.get(kind, kind)} ({different[kind]:,} different)")
    for reason, count in outcome.left_out.most_common():
        say(f"  {count:>8,}  files left out: {reason}")
    if redactor.unreplaced_words:
        words = ", ".join(sorted(redactor.unreplaced_words))
        say(f"ambiguous words, replaced only where they are certainly names: {words}")
    if outcome.leaks:
        say(f"{len(outcome.leaks)} possible leaks remain; review them before you send this:")
        for path, leak in outcome.leaks[:SHOWN_LEAKS]:
            say(f"  {path}:{leak.line}: {leak.what!r} {leak.written}")
    for one in outcome.open_classes:
        if one.name in reviewed:
            continue
        found = _number(one.distinct, "open token")
        say(f"{found}, class {one.name}; review them, then add --reviewed {one.name}:")
        shown = one.tokens[:SHOWN_TOKENS]
        for token in shown:
            if token.names > 1:
                say(f"  {token.text}: {token.names} names in {token.count} places, the first:")
            say(f"  {_place_of(token)}")
        rest = one.distinct - sum(token.names for token in shown)
        if rest:
            say(f"  and {rest:,} more: --open-tokens FILE writes them")


def _list_of(outcome: Outcome) -> str:
    """Return the open tokens as lines for --replace-file, each behind its first place."""
    lines = [
        line
        for one in outcome.open_classes
        for token in one.tokens
        for line in (f"# {_place_of(token)}", f"{one.name}:{token.text}")
    ]
    return "".join(f"{line}\n" for line in lines)


def _place_of(token: OpenToken) -> str:
    return bare(f"{token.where}:{token.line}: {token.before.lstrip()}[{token.text}]{token.behind.rstrip()}")


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
