"""The folder of a signature, drafted from evidence that shows the pathology.

mm/my-stall/signature.yaml       drafted from the evidence
mm/my-stall/story.md             headings, for the author to fill in
mm/my-stall/evidence/pos-first/  copies of the evidence
"""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from ingest.evidence import read_paths
from signatures.authoring.draft import draft
from signatures.document.files import SCHEMA
from signatures.judging.scope import items_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

STORY = """# {title}

What was seen first, and by whom.

## Wrong turns

What it looked like and was not.

## The line that gave it away

The exact output.

## What happens

The mechanism, with a diagram.

## How to tell

Which conditions decide, and which only support.

## What helps

The cure and its risk.

## How to know it worked

The check, at the load that was bad, and what would only look like a cure.

## Next time

What to collect.
"""
EXPECT = "verdict: match\n"
PROVENANCE = "Kind: recorded. Where, on which kernel, under what load.\n"


def write_draft(folder: Path, signature_id: str, sources: Sequence[Path]) -> None:
    """Write the folder of `signature_id` (AREA/NAME) from evidence, files and directories.

    Raises:
        ValueError: Nothing can be drafted from the evidence; nothing is written.
    """
    text = draft(signature_id, items_of(read_paths(list(sources))))
    evidence = folder / "evidence" / "pos-first"
    evidence.mkdir(parents=True)
    for source in sources:
        if source.is_dir():
            shutil.copytree(source, evidence, dirs_exist_ok=True)
        else:
            shutil.copy(source, evidence / source.name)
    (folder / "signature.yaml").write_text(_pointed(text, folder), encoding="utf-8")
    title = folder.name.replace("-", " ").capitalize()
    (folder / "story.md").write_text(STORY.format(title=title), encoding="utf-8")
    (evidence / "expect.yaml").write_text(EXPECT, encoding="utf-8")
    (evidence / "PROVENANCE.md").write_text(PROVENANCE, encoding="utf-8")


def _pointed(text: str, folder: Path) -> str:
    """Point the editor at the schema for a signature outside the library."""
    return text.replace("../../../signature.schema.json", os.path.relpath(SCHEMA, folder), 1)
