"""Drafting of a signature from a closed case: redact, read again, draft, compare with the library, pack.

Redaction is that of handoffs, with the same pseudonyms. Leaves `folder.zip` in the output directory, beside
the result.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import zipfile
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backend.sandbox.computations import leaks
from backend.sandbox.computations.redaction import learnt, redact
from backend.sandbox.computations.results import leave, noted_faults
from ingest.evidence import read_file
from signatures.authoring import case_folder
from signatures.authoring.fixture_tests import EXCLUDED_FILES, read_folder
from signatures.authoring.lint import lint
from signatures.document.catalog import load_catalog
from signatures.judging.scope import items_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from backend.sandbox.documents import DraftArguments, SubjectDocument
    from ingest.redact import Redactor
    from signatures.handoff.contents import BundleFile
    from signatures.judging.scope import Item

STAGES = ("redacting the evidence", "reading it again", "comparing with the library", "packing")
"""Equal parts of the share that is reported as done."""

GZIP = ".gz"
PACKED = (".bz2", ".lz4", ".xz", ".zst")
"""Suffixes that the redacted text loses."""

PACKED_AT = (1980, 1, 1, 0, 0, 0)
"""Equal folders give equal archives."""


def draft_signature(arguments: DraftArguments, output: Path, _input: int) -> None:
    """Draft the signature `arguments["signature_id"]` from `arguments["subject"]`.

    Leaves `result.json`: `report`, or null and the `problem` for which nothing can be drafted; the pseudonym
    map; faults.
    """
    faults = noted_faults()
    subject = arguments["subject"]
    redactor = learnt(arguments)
    files = redact(subject, redactor, output, _share_of(0))
    words = case_folder.CaseWords(
        *(redactor.text(text) for text in (subject["title"], *subject["resolution"]))
    )
    root, signature_id = output / "library", arguments["signature_id"]
    own = case_folder.own_fixture(root, signature_id)
    own.mkdir(parents=True)
    items = _read([_place(file, own) for file in files], own, _share_of(1))
    report, problem = None, ""
    try:
        folder = case_folder.write(root, signature_id, words, items, on_progress=_share_of(2))
    except ValueError as error:
        problem = str(error)
    else:
        _share_of(3)(0.0)
        report = folder.document() | _review(subject, redactor, files, root, words)
        _pack(root, output / "folder.zip")
    leave(
        {
            "report": report,
            "problem": problem,
            "pseudonym_map": redactor.pseudonym_map,
            "faults": faults,
        },
        output,
    )


def judge_draft(arguments: dict[str, Any], output: Path, _input: int) -> None:
    """Judge the folder in `arguments["archive"]` as this version reads it, on its own evidence.

    Leaves `result.json`: the `report` of what changes, or null and the `problem` for which the signature
    cannot be read; faults. With a report it leaves `folder.zip`, with the expectation of this version.
    """
    faults = noted_faults()
    root, signature_id = output / "library", arguments["signature_id"]
    with zipfile.ZipFile(arguments["archive"]) as archive:
        archive.extractall(root)
    catalog = load_catalog(root)
    signature = catalog.get(signature_id)
    report, problem = None, ""
    if signature is None:
        problem = "; ".join(map(str, catalog.problems)) or f"the folder has no signature {signature_id}"
    else:
        own = case_folder.own_fixture(root, signature_id)
        items = items_of(read_folder(own))
        report = {
            "verdict": case_folder.write_expectation(own, signature, items),
            "conditions": [clause.title for clause in signature.clauses],
            "problems": list(lint(catalog)),
        }
        _pack(root, output / "folder.zip")
    leave({"report": report, "problem": problem, "faults": faults}, output)


def _share_of(stage: int) -> Callable[[float], None]:
    """Return a function that reports the share of a stage as a share of all."""

    def report(share: float) -> None:
        # The beginning of the next stage is not the end of this one.
        done = (stage + min(share, 0.999)) / len(STAGES)
        os.write(1, json.dumps({"share": done}).encode() + b"\n")

    return report


def _place(file: BundleFile, folder: Path) -> Path:
    """Move a redacted file below `folder`, at its captured path where this is free."""
    captured = Path(file.path.split("/", 2)[2])
    if captured.suffix in PACKED:
        captured = captured.with_suffix("")
    if captured.name in EXCLUDED_FILES or ".." in captured.parts:
        captured = Path(f"{file.number:02}.txt")
    target = folder / captured
    if target.exists() or any(parent.is_file() for parent in target.parents):
        target = folder / f"{file.number:02}" / captured
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.suffix != GZIP:
        return file.local_path.rename(target)
    # What was redacted is text; under this name it was packed, and large recordings are kept so.
    with file.local_path.open("rb") as text, gzip.GzipFile(target, "wb", mtime=0) as packed:
        shutil.copyfileobj(text, packed)
    file.local_path.unlink()
    return target


def _read(paths: Sequence[Path], folder: Path, on_progress: Callable[[float], None]) -> list[Item]:
    """Return the fixture as the engine reads it."""
    evidences = []
    for number, path in enumerate(paths):
        on_progress(number / len(paths))
        evidences.append(read_file(path, captured_path=path.relative_to(folder).as_posix()))
    return items_of(evidences)


def _review(
    subject: SubjectDocument,
    redactor: Redactor,
    files: Sequence[BundleFile],
    root: Path,
    words: case_folder.CaseWords,
) -> dict[str, Any]:
    """Return what is to be reviewed before the folder is published."""
    paths = sorted(path for path in root.rglob("*") if path.is_file())
    own = [path for path in paths if not path.parent.name.startswith(("neg-", "unk-"))]
    evidence = [path for path in own if _is_evidence(path)]
    drafted = [(path.relative_to(root).as_posix(), path.read_bytes()) for path in own if path not in evidence]
    in_drafted, _ = leaks.of_texts(redactor, drafted)
    found, open_classes = leaks.of_texts(
        redactor,
        chain(
            ((path.relative_to(root).as_posix(), _text_of(path)) for path in evidence),
            ((name, _lines_with(content, words)) for name, content in drafted),
        ),
    )
    found += [leak for leak in in_drafted if leak not in found]
    chosen = {file.evidence_id for file in files}
    return {
        "texts": len(files),
        "left_out": [
            {
                "name": source["captured_path"] or source["name"],
                "reason": source["reason"] or f"it is from {source['phase']}",
            }
            for source in subject["sources"]
            if source["id"] not in chosen
        ],
        "leaks": list(found),
        "leak_count": len(found),
        "open_classes": list(open_classes),
        "open_token_count": sum(one["distinct"] for one in open_classes),
    }


def _is_evidence(path: Path) -> bool:
    return case_folder.OWN_FIXTURE in path.parent.parts and path.name not in EXCLUDED_FILES


def _text_of(path: Path) -> bytes:
    content = path.read_bytes()
    return gzip.decompress(content) if path.suffix == GZIP else content


def _lines_with(content: bytes, words: case_folder.CaseWords) -> bytes:
    """Return the lines of a drafted file that have words of the case, and empty ones in place of the others.

    The rest is made of names of the library and of functions and fields that stand in the evidence.
    """
    said = [line.encode() for text in words for line in text.splitlines() if line.strip()]
    return b"\n".join(line if any(one in line for one in said) else b"" for line in content.split(b"\n"))


def _pack(root: Path, archive: Path) -> None:
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(path for path in root.rglob("*") if path.is_file()):
            member = zipfile.ZipInfo(path.relative_to(root).as_posix(), PACKED_AT)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.external_attr = 0o644 << 16
            with path.open("rb") as content, packed.open(member, "w") as target:
                while block := content.read(1 << 20):
                    target.write(block)
