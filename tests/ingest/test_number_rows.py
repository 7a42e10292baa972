"""Rows of numbers become floats in the native core, with one text each at most."""

from __future__ import annotations

import numpy as np
import pytest

from ingest.parsing.number_rows import FIRST_WORD, LAST_WORD, NO_TEXT, NumberTable


@pytest.mark.parametrize(
    ("row", "text", "said"),
    [
        (" 1   2,5 3\t", NO_TEXT, None),
        ("vda  1 2.5 3", FIRST_WORD, "vda"),
        ("1 2.5 3 2026-11-28 19:08:45", LAST_WORD, "19:08:45"),
        ("28-11 00:00:01| 1|2.5 3|", 1, "28-11 00:00:01"),
        ("a|b|1|2.5|3", 2, "a"),
    ],
)
def test_a_row_is_its_numbers_and_its_text(row, text, said):
    table = NumberTable(3, [0, 2], text=text)
    table.take([row] * 2, [7, 9])
    table.take_odd("4 nan 6", 11, None if said is None else "z")
    assert table.values().tolist() == [[1.0, 3.0], [1.0, 3.0], [4.0, 6.0]]
    assert list(table.lines) == [7, 9, 11]
    assert said is None or list(table.texts()) == [said, said, "z"]


def test_units_multiply_the_columns_that_have_them():
    factors = np.ones((256, 2))
    factors[ord("k"), 1] = 1024.0
    table = NumberTable(2, factors=factors)
    table.take(["3k 2k", "3% 2"], [1, 2])
    assert table.values().tolist() == [[3.0, 2048.0], [3.0, 2.0]]


@pytest.mark.parametrize("row", ["1 2", "1 2 3 4", "1 x 3", "", "\ud800 1 2"])
def test_a_row_of_other_cells_is_an_error(row):
    with pytest.raises(ValueError, match=r".+"):
        NumberTable(3).take([row], [1])


def test_a_number_may_have_400_digits():
    table = NumberTable(1)
    table.take(["9" * 400, "1e400", "nan"], [1, 2, 3])
    assert not np.isfinite(table.values()).any()
