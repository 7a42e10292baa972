"""Real version strings: family, linux-stable release and status beside what a person finds by hand."""

from __future__ import annotations

from signatures.judging.applicability import kernel_verdict
from signatures.kernels.kernel_text import kernel_text
from tests.signatures.golden import KERNELS, kernels_page, sentences


def test_the_kernel_of_a_real_string_gets_the_answer_that_a_person_finds(catalog):
    wrong = []
    for row in sentences():
        found = kernel_text(row["text"])
        signature = catalog.get(row["signature"])
        status = kernel_verdict(signature, found.running)
        got = (found.kernel.family.name, ".".join(map(str, found.kernel.base)), status.verdict)
        if got != (row["family"], row["base"], row["by hand"]):
            wrong.append((row["text"], got, row["why"]))
    assert wrong == []


def test_the_table_has_sixty_strings_of_twenty_five_families():
    assert len(sentences()) >= 60
    assert len({row["family"] for row in sentences()}) >= 25
    assert len({row["text"] for row in sentences()}) == len(sentences())


def test_the_page_of_kernels_is_current(catalog):
    assert KERNELS.read_text() == kernels_page(catalog)
