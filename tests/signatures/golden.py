"""Matrix of every fixture against every signature; `make generate-signatures` regenerates it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.authoring.reference import written
from signatures.document.catalog import load_catalog
from signatures.judging.applicability import kernel_verdict
from signatures.kernels.fix_records import fix_records
from signatures.kernels.kernel_text import kernel_text
from signatures.kernels.reference import Example
from signatures.kernels.reference import written as kernels_written
from tests import old_forms
from tests.signatures.evidence import DATA, fixtures, library_findings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.language.model import Catalog

MATRIX = DATA / "expected" / "matrix.yaml"
HEAD = """# Every fixture of the library against every signature, one paragraph a fixture.
# Signatures that are not named are `unknown`: the evidence of the fixture does not speak of them.
# The first word of a fixture says what it is of its own signature: pos, neg, unk, ver.
"""
SHOWN = ("match", "suspect", "no_match", "not_applicable")


def matrix_of() -> dict[str, dict[str, list[str]]]:
    """Return fixture to verdict to the signatures that got it; `unknown` is omitted."""
    matrix = {}
    for name, folder, _, _ in fixtures():
        found = {finding.signature.id: finding.verdict for finding in library_findings(folder)}
        by_verdict = {
            verdict: sorted(signature for signature, given in found.items() if given == verdict)
            for verdict in SHOWN
        }
        matrix[name] = {verdict: names for verdict, names in by_verdict.items() if names}
    return matrix


def text_of(matrix: dict[str, dict[str, list[str]]]) -> str:
    """Return the matrix as the committed file has it."""
    lines = [HEAD]
    for name, verdicts in matrix.items():
        lines.append(f"\n{name}:{'' if verdicts else ' {}'}\n")
        lines += [f"  {verdict}: [{', '.join(names)}]\n" for verdict, names in verdicts.items()]
    return "".join(lines)


PAGE = DATA.parents[1] / "docs" / "signatures.md"
KERNELS = PAGE.with_name("kernels.md")
SENTENCES = DATA / "kernels" / "sentences.tsv"


def kernels_page(catalog: Catalog) -> str:
    """Return docs/kernels.md with regenerated parts."""
    used_by = {
        name: sorted(one.id for one in catalog.signatures if any(name in row.fixes for row in one.affected))
        for name in fix_records()
    }
    return kernels_written(KERNELS.read_text(), used_by, list(_examples(catalog)))


def sentences() -> list[dict[str, str]]:
    """Return the rows of the table of real kernels."""
    lines = [line for line in SENTENCES.read_text().splitlines() if not line.startswith("#")]
    names, *cells = [line.split("\t") for line in lines]
    return [dict(zip(names, row, strict=True)) for row in cells]


def _examples(catalog: Catalog) -> Iterator[Example]:
    for row in sentences():
        signature = catalog.get(row["signature"])
        found = kernel_text(row["text"])
        assert signature is not None
        status = kernel_verdict(signature, found.running)
        yield Example(
            row["text"],
            row["family"],
            row["signature"],
            status.verdict,
            status.basis,
            row["by hand"],
            row["why"],
        )


if __name__ == "__main__":
    MATRIX.write_text(text_of(matrix_of()))
    PAGE.write_text(written(PAGE.read_text(), load_catalog()))
    KERNELS.write_text(kernels_page(load_catalog()))
    old_forms.lower()
