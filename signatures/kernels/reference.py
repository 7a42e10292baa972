"""`docs/kernels.md`: families of kernels, fixes, and ended branches; `make generate-signatures` writes it."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, NamedTuple

from ingest.generated_parts import with_parts
from signatures.kernels.fix_records import ended_branches, fix_records
from signatures.kernels.package_lines import release_words
from signatures.language.kernel_families import families

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from signatures.kernels.fix_records import FixRecord, Version

BASES = {
    "exact": "kernel.org's x.y.z",
    "stable": "linux-stable x.y.z of the release, and the vendor's patches",
    "package": "x.y.z of the package that `uname -v` names",
    "signature": "x.y.z of `/proc/version_signature`",
    "frozen": "x.y.z of the release, and backports that the number does not show",
    "none": "nothing that the release says",
}
LINE_WORDS = {
    "clean": "without the fault up to",
    "faulty": "with it from",
    "lacks": "without the fix up to",
    "fixed": "with the fix from",
}
WIDTH = 140
MAX_EXAMPLE = 70


class Example(NamedTuple):
    """One kernel as it is printed, the status of one signature on it, and what a person finds by hand."""

    text: str
    family: str
    signature: str
    status: str
    basis: str
    by_hand: str
    why: str


def written(page: str, used_by: Mapping[str, Sequence[str]], examples: Sequence[Example]) -> str:
    """Return the page with regenerated parts.

    Args:
        page: Text of the page.
        used_by: Name of a fix to the ids of the signatures that need it.
        examples: Real kernels.
    """
    parts = {
        "families": _families(),
        "fixes": _fixes(used_by),
        "branches": _branches(),
        "examples": _examples(examples),
    }
    return with_parts(page, parts)


def _examples(examples: Sequence[Example]) -> str:
    rows = [
        f"| `{_short(one.text)}` | {one.family} | `{one.signature}` | {_status_words(one.status)}: "
        f"{one.basis} | {_status_words(one.by_hand)}: {one.why} |"
        for one in examples
    ]
    head = ["| kernel | family | signature | answer | by hand |", "| --- | --- | --- | --- | --- |"]
    return "\n".join([*head, *(row.replace(" |  |", " | |") for row in rows), ""])


def _short(text: str) -> str:
    plain = text.replace("|", "/").replace("`", "'").replace("\\n", " ")
    return plain if len(plain) <= MAX_EXAMPLE else f"{plain[:MAX_EXAMPLE]}…"


def _status_words(status: str) -> str:
    return status.replace("_", " ")


def _families() -> str:
    rows = [
        f"| {one.title} | `{one.example}` | {BASES[one.base]}{f'; {one.note}' if one.note else ''} |"
        for one in families()
    ]
    return "\n".join(["| family | example | contains |", "| --- | --- | --- |", *rows, ""])


def _fixes(used_by: Mapping[str, Sequence[str]]) -> str:
    return "\n".join(line for fix in fix_records().values() for line in _fix(fix, used_by.get(fix.name, ())))


def _fix(fix: FixRecord, signatures: Sequence[str]) -> Iterator[str]:
    yield f"### `{fix.name}`"
    yield ""
    yield f"{fix.subject}"
    yield ""
    links = ", ".join(f"[{title}]({url})" for title, url in fix.links)
    yield f"- Commit: {links} ({fix.status})"
    fixed = [_words(fix.mainline), *(_words(one.fixed) for one in fix.branches.values() if one.fixed)]
    yield f"- Fixed in: {', '.join(fixed)}"
    absent = [_words(one.absent) for one in fix.branches.values() if one.absent]
    if absent:
        yield f"- Not in, up to: {', '.join(absent)}"
    if fix.vendors:
        yield f"- Packages: {', '.join(package for package, _, _ in fix.vendors)}"
    since = _words(fix.introduced) or "not on record"
    yield f"- Fault since: {since}{f' ({fix.introduced_by})' if fix.introduced_by else ''}"
    for name, line in fix.lines.items():
        words = ", ".join(
            f"{LINE_WORDS[key]} {release_words(order)}" for key, order in line._asdict().items() if order
        )
        yield f"- In {name}: {words}"
    if fix.probe:
        yield f"- Functions that came with it: {', '.join(f'`{name}`' for name in fix.probe)}"
    yield f"- Signatures: {', '.join(f'`{name}`' for name in signatures)}"
    for source in fix.sources:
        yield from _wrapped(f"- Source: {source}")
    yield from _wrapped(f"- Verified on {fix.verified.day}: {fix.verified.by}")
    if fix.note:
        yield from _wrapped(f"- {fix.note}")
    yield ""


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, subsequent_indent="  ", break_on_hyphens=False)


def _branches() -> str:
    rows = [
        f"| {_words(branch)} | {_words(end.last)} | {end.day} | [announcement]({end.source}) |"
        for branch, end in ended_branches().items()
    ]
    return "\n".join(["| branch | last release | day | source |", "| --- | --- | --- | --- |", *rows, ""])


def _words(version: Version) -> str:
    return ".".join(str(part) for part in version)
