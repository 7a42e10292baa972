"""Real version strings: family, linux-stable release and status beside what a person finds by hand."""

from __future__ import annotations

from signatures.judging.applicability import verdict_of
from signatures.kernels.kernel_text import kernel_text
from tests.signatures.evidence import DATA
from tests.signatures.golden import KERNELS, kernels_page

TABLE = DATA / "kernels" / "sentences.tsv"


def rows():
    lines = [line for line in TABLE.read_text().splitlines() if not line.startswith("#")]
    names, *cells = [line.split("\t") for line in lines]
    return [dict(zip(names, row, strict=True)) for row in cells]


def test_the_kernel_of_a_real_string_gets_the_answer_that_a_person_finds(catalog):
    wrong = []
    for row in rows():
        found = kernel_text(row["text"])
        signature = catalog.get(row["signature"])
        status = verdict_of(signature.affected, found.running, signature.decide.match_aspect)
        got = (found.kernel.family.name, ".".join(map(str, found.kernel.base)), status.verdict)
        if got != (row["family"], row["base"], row["by hand"]):
            wrong.append((row["text"], got, row["why"]))
    assert wrong == []


def test_the_table_has_sixty_strings_of_twenty_five_families():
    assert len(rows()) >= 60
    assert len({row["family"] for row in rows()}) >= 25
    assert len({row["text"] for row in rows()}) == len(rows())


def test_the_page_of_kernels_is_current(catalog):
    assert KERNELS.read_text() == kernels_page(catalog)
