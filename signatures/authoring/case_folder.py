"""The folder of a signature, written from a solved case: draft, fixtures, look-alikes and story.

mm/my-stall/signature.yaml                          drafted from the evidence
mm/my-stall/story.md                                cause and fix of the case, gaps for a person
mm/my-stall/evidence/pos-case/…                     the redacted evidence, written before
mm/my-stall/evidence/neg-fuse-server-hang-unk-log/  a look-alike on which it is silent
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypedDict

import yaml

from signatures.authoring.draft import draft
from signatures.authoring.fixture_tests import EXPECT, FIRING
from signatures.authoring.lint import lint
from signatures.authoring.look_alikes import MOST, look_alikes, nearest
from signatures.document.catalog import load_catalog
from signatures.document.files import LIBRARY
from signatures.judging.decide import MATCH, UNKNOWN
from signatures.judging.judge import judge
from signatures.language.model import Catalog

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from pathlib import Path

    from signatures.authoring.look_alikes import LookAlike, Near
    from signatures.judging.scope import Item
    from signatures.language.model import Signature

OWN_FIXTURE = "pos-case"
LEAST_NEGATIVES = 2
LEFT = ("severity and symptoms", "fixes with risk and undo", "the story")
"""What a person writes; no draft can."""

MATCHES = "{name} matches this evidence, too: say how this one differs, or add to that one"

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


class CaseWords(NamedTuple):
    """What is known of a case besides its evidence, redacted."""

    title: str
    cause: str = ""
    fix: str = ""


class LookAlikeDocument(TypedDict):
    """A fixture like the evidence; `fires`: the draft matches it."""

    signature: str
    fixture: str
    similarity: float
    verdict: str
    fires: bool


class CaseFolderDocument(TypedDict):
    """What was written, and what is left for a person."""

    verdict: str
    conditions: list[str]
    problems: list[str]
    look_alikes: list[LookAlikeDocument]
    left: list[str]


@dataclass(frozen=True, slots=True)
class CaseFolder:
    """A written folder.

    Attributes:
        signature: The draft.
        verdict: Its verdict on its own evidence.
        problems: Lint messages.
        look_alikes: The fixtures nearest to the evidence.
        explained: Signatures of the library that match the evidence.
    """

    signature: Signature
    verdict: str
    problems: tuple[str, ...]
    look_alikes: tuple[LookAlike, ...]
    explained: tuple[str, ...] = ()

    def document(self) -> CaseFolderDocument:
        """Return it as JSON values."""
        return {
            "verdict": self.verdict,
            "conditions": [clause.title for clause in self.signature.clauses],
            "problems": list(self.problems),
            "look_alikes": [
                {
                    "signature": one.fixture.signature,
                    "fixture": one.fixture.name,
                    "similarity": round(one.similarity, 2),
                    "verdict": one.verdict,
                    "fires": one.fires,
                }
                for one in self.look_alikes
            ],
            "left": [*(MATCHES.format(name=name) for name in self.explained), *LEFT],
        }


def own_fixture(root: Path, signature_id: str) -> Path:
    """Return the folder for the redacted evidence of the case."""
    return root.joinpath(*signature_id.split("/"), "evidence", OWN_FIXTURE)


def write(
    root: Path,
    signature_id: str,
    words: CaseWords,
    items: Sequence[Item],
    *,
    has_references: bool = False,
    on_progress: Callable[[float], None] | None = None,
) -> CaseFolder:
    """Write the folder below `root`; its own evidence is there already and was read as `items`.

    Args:
        root: An empty library, but for `own_fixture`.
        signature_id: `area/name` of the draft.
        words: What the case says.
        items: The redacted evidence, with paths below the fixture as captured paths.
        has_references: Name look-alikes by `same_as`, for a folder of the library itself; else copy them.
        on_progress: Called with the share of the work done, 0..1.

    Raises:
        ValueError: No condition can be drafted from the evidence.
    """
    own = own_fixture(root, signature_id)
    place = own.parents[1]
    shown = {one.signature.id: one.verdict for one in judge(items, load_catalog()) if one.verdict in FIRING}
    explained = tuple(name for name, verdict in shown.items() if verdict == MATCH)
    near = nearest(items, on_progress=on_progress)
    try:
        text = draft(signature_id, items, title=words.title, fix=words.fix, unlike=_unlike(near, shown))
    except ValueError as problem:
        known = f"the library explains this evidence: {', '.join(explained)}; " if explained else ""
        raise ValueError(f"{known}{problem}") from None
    (place / "signature.yaml").write_text(text, encoding="utf-8")
    (own / "PROVENANCE.md").write_text(PROVENANCE.format(title=words.title), encoding="utf-8")
    catalog = load_catalog(root)
    if not catalog.signatures:
        raise ValueError("; ".join(lint(catalog)))
    signature = catalog.signatures[0]
    found = tuple(look_alikes(signature, near))
    negatives = 0
    for one in found:
        if not one.fires:
            is_negative = one.verdict != UNKNOWN or negatives < LEAST_NEGATIVES
            negatives += is_negative
            _write_silent(place, one, "neg" if is_negative else "unk", has_reference=has_references)
    (place / "story.md").write_text(_story(words, signature, found), encoding="utf-8")
    verdict = write_expectation(own, signature, items)
    return CaseFolder(signature, verdict, tuple(lint(catalog)), found, explained)


def _unlike(near: Sequence[Near], shown: Collection[str]) -> list[Sequence[Item]]:
    """Return the readings of the nearest fixtures of other pathologies than those that the evidence shows."""
    return [
        one.items
        for one in near[:MOST]
        if not (one.fixture.signature in shown and one.fixture.expected["verdict"] in FIRING)
    ]


def write_expectation(own: Path, signature: Signature, items: Sequence[Item]) -> str:
    """Write the expectation of the own fixture, and return the verdict of the draft."""
    whole = Catalog((*load_catalog().signatures, signature), ())
    found = {finding.signature.id: finding for finding in judge(items, whole)}
    verdict: str = found[signature.id].verdict if signature.id in found else "unknown"
    also = {
        name: finding.verdict
        for name, finding in found.items()
        if name != signature.id and finding.verdict in FIRING and not finding.superseded_by
    }
    expected: dict[str, object] = {"verdict": verdict}
    text = yaml.safe_dump(expected | ({"also": also} if also else {}), sort_keys=False)
    (own / EXPECT).write_text(text, encoding="utf-8")
    return verdict


def _write_silent(place: Path, one: LookAlike, kind: str, *, has_reference: bool) -> None:
    proof = one.fixture
    name = f"{kind}-{proof.signature.rpartition('/')[2]}-{proof.name}"
    target = place / "evidence" / name
    expected: dict[str, object] = {"verdict": one.verdict}
    if has_reference:
        target.mkdir()
        expected["same_as"] = proof.folder.relative_to(LIBRARY).as_posix()
    else:
        _copy(proof.folder, target)
    also = dict(proof.expected.get("also", {}))
    if proof.expected["verdict"] in FIRING:
        also[proof.signature] = proof.expected["verdict"]
    text = yaml.safe_dump(expected | ({"also": also} if also else {}), sort_keys=False)
    (target / EXPECT).write_text(text, encoding="utf-8")


def _copy(folder: Path, target: Path) -> None:
    """Copy the files below a folder without modes and times, which a confined process may not set."""
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        copy = target / path.relative_to(folder)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)


def _story(words: CaseWords, signature: Signature, near: Sequence[LookAlike]) -> str:
    captures = dict.fromkeys(capture.title for row in signature.next.values() for capture in row)
    rivals = dict.fromkeys(f"{one.fixture.signature} ({one.fixture.name})" for one in near if not one.fires)
    return STORY.format(
        title=words.title,
        cause=words.cause or "The mechanism, with a diagram.",
        fix=words.fix or "The cure and its risk.",
        conditions="\n".join(f"- {clause.title}." for clause in signature.clauses),
        rivals="\n".join(f"- {name}" for name in rivals) or "- What looks similar.",
        captures="\n".join(f"- {title}." for title in captures) or "What to collect.",
    )
