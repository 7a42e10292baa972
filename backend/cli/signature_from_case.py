"""`casebook signature from-case`: a signature folder from a solved case, in one action.

$ casebook signature from-case fs/my-stall --case 12
wrote signatures/library/fs/my-stall: 2 files redacted, 5 look-alikes, 0 problems
"""

from __future__ import annotations

import secrets
import shutil
import tarfile
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
import yaml

from backend.cli.output import printing
from backend.cli.service_options import service_of, service_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from backend.handoffs.files import Outcome
    from ingest.evidence import Evidence
    from ingest.redact import Redactor
    from signatures.authoring.look_alikes import LookAlike
    from signatures.language.model import Signature

KEY_BYTES = 32
PROVENANCE = "Kind: recorded. {title}, redacted. On which kernel, under what load: to be written.\n"
STORY = """# {title}

{title}.

## Wrong turns

What it looked like and was not.

## What happens

{cause}

## How to tell

{conditions}

Not this:

{rivals}

## What helps

{fix}

## How to know it worked

The conditions above are no longer met, at the load that was bad.

## Next time

{captures}
"""
Parts = str | None


class CaseWords(NamedTuple):
    """What is known of a case besides its evidence."""

    title: str
    cause: str = ""
    fix: str = ""


@click.command("from-case")
@click.argument("signature_id", metavar="AREA/NAME")
@click.argument("paths", metavar="[PATH…]", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--case", "number", metavar="N", help="A case of a service, in place of PATH.")
@click.option("--title", help="Title of the story; default: the title of the case.")
@service_options
@click.pass_context
def from_case(
    context: click.Context,
    signature_id: str,
    paths: tuple[Path, ...],
    *,
    number: Parts,
    title: Parts,
    url: Parts,
    token: Parts,
    profile: Parts,
) -> None:
    """Write a signature folder from the evidence of a solved case.

    The evidence is redacted, conditions are drafted from it, the most similar fixtures of the library become
    look-alikes, and everything is checked. What is left for a person is listed.
    """
    area, _, name = signature_id.partition("/")
    if not area or not name or "/" in name:
        raise click.UsageError(f"{signature_id!r} is not AREA/NAME, such as mm/my-stall")
    if bool(paths) == (number is not None):
        raise click.UsageError("give PATH or --case N, one of them")
    folder = Path(context.obj["library"]) / area / name
    if folder.exists():
        raise click.UsageError(f"{folder} exists already; choose another name or edit it")
    with tempfile.TemporaryDirectory(prefix="casebook-case-") as scratch:
        case = CaseWords(name.replace("-", " ").capitalize())
        if number is not None:
            case, paths = fetched(number, Path(scratch), url, token, profile)
        case = case._replace(title=title or case.title)
        written = _Folder(folder, signature_id, Path(scratch) / "folder")
        written.write(case, paths)
        folder.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(written.place, folder)
    with printing():
        for line in written.report():
            click.echo(line)


def fetched(
    number: str, scratch: Path, url: Parts, token: Parts, profile: Parts
) -> tuple[CaseWords, tuple[Path, ...]]:
    """Download the evidence of a case that was read."""
    from backend.cli.connection import Connection  # noqa: PLC0415 - keeps `casebook --help` fast

    with Connection(service_of(url, token, profile)) as connection:
        document = connection.get(f"cases/{number}")
        paths = []
        for one in connection.items(f"cases/{number}/evidence"):
            if one["parent_id"] is None and one["state"] == "read":
                target = scratch / "case" / Path(one["captured_path"] or one["filename"]).name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(connection.content(f"evidence/{one['id']}/content"))
                paths.append(target)
    if not paths:
        raise click.ClickException(f"case {number} has no evidence that was read")
    resolution: dict[str, Any] = document["resolution"] or {}
    return CaseWords(document["title"], resolution.get("cause", ""), resolution.get("fix", "")), tuple(paths)


class _Folder:
    """The folder while it is written, and what there is to say of it."""

    def __init__(self, target: Path, signature_id: str, place: Path) -> None:
        self._target = target
        self._id = signature_id
        self.place = place
        self._near: list[LookAlike] = []
        self._problems: list[str] = []
        self._verdict = ""
        self._texts = 0
        self._leaks = 0
        self._open = 0

    def write(self, case: CaseWords, paths: Sequence[Path]) -> None:
        """Write redacted evidence, draft, look-alikes and story."""
        from ingest.redact import Redactor  # noqa: PLC0415 - keeps `casebook --help` fast
        from signatures.authoring.draft import draft  # noqa: PLC0415 - same
        from signatures.authoring.fixture_tests import read_folder  # noqa: PLC0415 - same
        from signatures.document.vocabulary import library_words  # noqa: PLC0415 - same

        own = self.place / "evidence" / "pos-case"
        own.mkdir(parents=True)
        redactor = Redactor(secrets.token_bytes(KEY_BYTES), words=library_words())
        outcome = _redacted(redactor, paths, own)
        self._texts, self._leaks = outcome.texts, len(outcome.leaks)
        self._open = sum(one.distinct for one in outcome.open_classes)
        evidences = read_folder(own)
        try:
            text = draft(self._id, evidences)
        except ValueError as problem:
            raise click.ClickException(str(problem)) from problem
        (self.place / "signature.yaml").write_text(text, encoding="utf-8")
        safe = CaseWords(*(redactor.text(part) for part in case))
        (own / "PROVENANCE.md").write_text(PROVENANCE.format(title=safe.title), encoding="utf-8")
        signature = self._signature()
        self._expect(own, signature, evidences)
        self._look_alikes(signature, evidences)
        (self.place / "story.md").write_text(_story(safe, signature, self._near), encoding="utf-8")

    def _signature(self) -> Signature:
        from signatures.authoring.lint import lint  # noqa: PLC0415 - keeps `casebook --help` fast
        from signatures.document.catalog import load_catalog  # noqa: PLC0415 - same

        area, _, name = self._id.partition("/")
        with tempfile.TemporaryDirectory() as root:
            shutil.copytree(self.place, Path(root, area, name))
            catalog = load_catalog(Path(root))
        self._problems = lint(catalog)
        if not catalog.signatures:
            raise click.ClickException("; ".join(self._problems))
        return catalog.signatures[0]

    def _expect(self, own: Path, signature: Signature, evidences: Sequence[Evidence]) -> None:
        from signatures.authoring.fixture_tests import FIRING  # noqa: PLC0415 - keeps `casebook --help` fast
        from signatures.document.catalog import load_catalog  # noqa: PLC0415 - same
        from signatures.judging.judge import judge  # noqa: PLC0415 - same
        from signatures.judging.scope import items_of  # noqa: PLC0415 - same
        from signatures.language.model import Catalog  # noqa: PLC0415 - same

        whole = Catalog((*load_catalog().signatures, signature), ())
        found = {finding.signature.id: finding for finding in judge(items_of(evidences), whole)}
        self._verdict = found[signature.id].verdict if signature.id in found else "unknown"
        also = {
            name: finding.verdict
            for name, finding in found.items()
            if name != signature.id and finding.verdict in FIRING and not finding.superseded_by
        }
        expected: dict[str, object] = {"verdict": self._verdict}
        (own / "expect.yaml").write_text(
            yaml.safe_dump(expected | ({"also": also} if also else {}), sort_keys=False), encoding="utf-8"
        )

    def _look_alikes(self, signature: Signature, evidences: Sequence[Evidence]) -> None:
        from signatures.authoring.look_alikes import look_alikes  # noqa: PLC0415 - keeps help fast
        from signatures.document.files import LIBRARY  # noqa: PLC0415 - same

        self._near = look_alikes(signature, evidences)
        is_library = self._target.is_relative_to(LIBRARY)
        for one in self._near:
            if one.fires:
                continue
            proof = one.fixture
            name = f"neg-{proof.signature.rpartition('/')[2]}-{proof.name.partition('-')[2]}"
            target = self.place / "evidence" / name
            if is_library:
                target.mkdir()
                lines = [f"same_as: {proof.folder.relative_to(LIBRARY).as_posix()}\n"]
            else:
                shutil.copytree(proof.folder, target)
                lines = []
            text = f"verdict: {one.verdict}\n{''.join(lines)}"
            (target / "expect.yaml").write_text(text, encoding="utf-8")

    def report(self) -> list[str]:
        """Return what was written, and what is left for a person."""
        silent = sum(not one.fires for one in self._near)
        rows = [
            (
                f"wrote {self._target}: {self._texts} files redacted, verdict {self._verdict} on its own "
                f"evidence, {silent} look-alikes, {len(self._problems)} problems"
            ),
            *(f"problem: {text}" for text in self._problems),
            *(
                f"fires on {one.fixture.signature} {one.fixture.name} too (similarity {one.similarity:.2f}): "
                "the same pathology, or add an excluding condition"
                for one in self._near
                if one.fires
            ),
        ]
        if self._leaks or self._open:
            rows.append(
                f"review: {self._leaks} possible leaks, {self._open} open tokens in evidence/pos-case"
            )
        rows.append("left for you: title, severity, symptoms; fixes with risk and undo; the story")
        return rows


def _redacted(redactor: Redactor, paths: Sequence[Path], own: Path) -> Outcome:
    """Write the redacted texts of `paths` below `own`."""
    from backend.handoffs import files  # noqa: PLC0415 - keeps `casebook --help` fast
    from ingest.model.errors import IngestError  # noqa: PLC0415 - same

    with tempfile.TemporaryFile() as archive:
        try:
            outcome = files.redact_archive(redactor, paths, archive, "case.tar")
        except files.NothingToRedactError as nothing:
            reasons = ", ".join(nothing.outcome.left_out)
            raise click.ClickException(f"no text that could be redacted: {reasons}") from None
        except (IngestError, OSError) as problem:
            raise click.ClickException(f"nothing was written: {problem}") from None
        archive.seek(0)
        with tarfile.open(fileobj=archive) as members:
            members.extractall(own, filter="data")
    return outcome


def _story(case: CaseWords, signature: Signature, near: Sequence[LookAlike]) -> str:
    captures = dict.fromkeys(capture.title for row in signature.next.values() for capture in row)
    rivals = dict.fromkeys(f"{one.fixture.signature} ({one.fixture.name})" for one in near if not one.fires)
    return STORY.format(
        title=case.title,
        cause=case.cause or "The mechanism, with a diagram.",
        fix=case.fix or "The cure and its risk.",
        conditions="\n".join(f"- {clause.title}." for clause in signature.clauses),
        rivals="\n".join(f"- {name}" for name in rivals) or "- What looks similar.",
        captures="\n".join(f"- {title}." for title in captures) or "What to collect.",
    )
