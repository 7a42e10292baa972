"""`casebook signature coverage`: which forms of evidence a signature can use, and why not the others.

$ casebook signature coverage mm/percpu-rss-drift
mm/percpu-rss-drift: 4 of 25 forms used, 21 explained
  used       files below /proc and /sys       drift, pair, within_bound, zero_rss
  explained  ping, hping3                     counters of resident pages hold back no packet
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, TypedDict

import click

from cli.process.output import print_lines, print_text
from signatures.rendering.lines import Line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.authoring.evidence_forms import Use
    from signatures.language.model import Signature


class UseDocument(TypedDict):
    """Whether a signature can use a form of evidence: by which conditions, or why not."""

    form: str
    title: str
    state: str
    used_by: list[str]
    why_not: str | None


class CoverageDocument(TypedDict):
    """Every form of evidence for one signature."""

    id: str
    forms: list[UseDocument]


@click.command("coverage")
@click.argument("signature_ids", metavar="[SIGNATURE]...", nargs=-1)
@click.option(
    "--format",
    "shape",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Format of the output.",
)
@click.pass_context
def coverage(context: click.Context, signature_ids: tuple[str, ...], shape: str) -> None:
    """Print which forms of evidence signatures can use: by which conditions, or why not.

    Without SIGNATURE it prints how many forms each signature of the library uses, explains or leaves open.
    """
    from signatures.authoring import evidence_forms  # noqa: PLC0415 - keeps `casebook --help` fast
    from signatures.document.catalog import load_catalog  # noqa: PLC0415 - same

    library = load_catalog(context.obj["library"])
    chosen = [library.get(name) for name in signature_ids] if signature_ids else list(library.signatures)
    for name, signature in zip(signature_ids, chosen, strict=False):
        if signature is None:
            raise click.UsageError(f"unknown signature {name!r}; see `casebook signature list`")
    covered = [(one, evidence_forms.coverage(one)) for one in chosen if one is not None]
    if shape == "json":
        print_text(json.dumps([_shape(*one) for one in covered], indent=2, ensure_ascii=False) + "\n")
        return
    print_lines(line for one in covered for line in _lines(*one, is_whole=bool(signature_ids)))


def _shape(signature: Signature, uses: tuple[Use, ...]) -> CoverageDocument:
    return {
        "id": signature.id,
        "forms": [
            {
                "form": use.form.id,
                "title": use.form.title,
                "state": use.state,
                "used_by": list(use.conditions),
                "why_not": use.why_not or None,
            }
            for use in uses
        ],
    }


def _lines(signature: Signature, uses: tuple[Use, ...], *, is_whole: bool) -> Iterator[Line]:
    counted = Counter(use.state for use in uses)
    rest = ", ".join(f"{counted[state]} {state}" for state in ("explained", "open") if counted[state])
    used = f"{counted['used']} of {len(uses)} forms used"
    yield Line(f"{signature.id}: {used}{f', {rest}' if rest else ''}")
    if not is_whole:
        return
    widest = max(len(use.form.title) for use in uses)
    for use in uses:
        said = ", ".join(use.conditions) or use.why_not
        yield Line(f"  {use.state:<9}  {use.form.title:<{widest}}  {said}".rstrip())
