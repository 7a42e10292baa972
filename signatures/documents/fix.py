"""Fixes, references and reports of a signature, as its author wrote them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from signatures.documents.codec import EVERY_FIELD


@dataclass(frozen=True, slots=True, kw_only=True)
class FixDocument:
    """A fix or workaround with its risk and verification; JSON has the fields that are stated.

    Attributes:
        kind: `fix`, `workaround`, `warning`, …
        title: Instruction in one sentence.
        scope: `runtime`, `reboot`, …; `runtime`: it works on the running system.
        run: Command.
        first_on: Where to try it first.
        risk: What it costs.
        undo: How to take it back.
        unsafe_if: States in which it is not to be done.
        verify: How to see that it works.
        status: How sure it is that it works.
        needs: What it needs.
        effect: `cure`: ends what the finding describes.
        endangers: `data`, `security` or `hardware`: never done at once, whatever its scope.
        only_with: Conditions of which one must be met.
        note: Remark.
        aspect: Variant of the defect that it is about.
        fixed_in: Releases that have it.
        as_of: Day on which that was checked.
        records: Records of fixes in the kernel.
        avoid: What not to do.
    """

    SPARSE: ClassVar[frozenset[str]] = EVERY_FIELD

    kind: str = ""
    title: str = ""
    scope: str | None = None
    run: str | None = None
    first_on: str | None = None
    risk: str | None = None
    undo: str | None = None
    unsafe_if: tuple[str, ...] | None = None
    verify: str | None = None
    status: str | None = None
    needs: str | None = None
    effect: str | None = None
    endangers: str | None = None
    only_with: tuple[str, ...] = ()
    note: str | None = None
    aspect: str | None = None
    fixed_in: str | tuple[str, ...] | None = None
    as_of: str | None = None
    records: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceDocument:
    """A source of a signature; JSON has the fields that are stated.

    Attributes:
        kind: `commit`, `cve`, `mail`, `article`, …
        id: Of a commit or CVE.
        status: How sure it is that it says so.
        checked: Day on which the source was read.
        copy: URL of an archived copy.
        words: Quotation.
    """

    SPARSE: ClassVar[frozenset[str]] = EVERY_FIELD

    kind: str = ""
    title: str = ""
    url: str | None = None
    id: str | None = None
    status: str | None = None
    checked: str | None = None
    copy: str | None = None
    words: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedDocument:
    """A report that a kernel is affected, or is not; JSON has the fields that are stated.

    Attributes:
        on: The kernel.
        verdict: What was seen on it.
        status: How sure that is.
    """

    SPARSE: ClassVar[frozenset[str]] = EVERY_FIELD

    on: str = ""
    verdict: str = ""
    status: str = ""
    note: str | None = None
