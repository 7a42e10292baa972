"""Nothing is added in the form that rows, FORMAT objects and documents replace."""

from __future__ import annotations

import pytest

from tests.old_forms import committed, counted

HOW = {
    "readers": "write the format as a FORMAT object",
    "log_classes": "write the class of messages as a row",
    "overview_numbers": "write the threshold or rank as a row",
    "overview_comparisons": "write the threshold as a row of a rule",
    "untyped_mappings": "name the fields in a document, or take JsonValue for what nothing here describes",
}

UNTYPED = """
A = dict[str, Any]
R: TypeAlias = "tuple[str, Mapping[str, object]]"
class C:
    a: list[dict[str, typing.Any]]
    def __init__(self):
        self.b: dict[str, object] = {}
        c: dict[str, Any] = {}
def f(x: dict[str, Any] | None, y: dict[str, int], *, z: Mapping[str, Any]) -> "dict[str, Any]": ...
"""


def test_the_old_forms_only_become_fewer():
    now, before = counted(), committed()
    rose = [
        f"{name}: {before[name]} became {now[name]}: {HOW[name]}" for name in now if now[name] > before[name]
    ]
    assert rose == []
    fell = {name: count for name, count in now.items() if count < before[name]}
    assert fell == {}, "write the lower numbers: python -m tests.old_forms"


@pytest.mark.parametrize(
    ("path", "content", "expected"),
    [
        ("ingest/readers/net/old.py", 'NAME = "old"\n', {"readers": 1}),
        ("ingest/formats/net/new.py", 'NAME = "new"\nFORMAT: object = Lines()\n', {}),
        ("ingest/catalogue/log_classes/x.py", 'A = (LogClass("a"), LogClass("b"))\n', {"log_classes": 2}),
        (
            "signatures/overview/cpu/x.py",
            'A: float = 0.5\nB = -4 << 20\nC = "a"\nD = True\n',
            {"overview_numbers": 2},
        ),
        (
            "signatures/overview/cpu/x.py",
            "a = x > MOST or 5.0 < y\nb = len(x) > 1\nc = x == MOST\nd = x < limits.MOST * y\n",
            {"overview_comparisons": 3},
        ),
        (
            "signatures/rendering/x.py",
            UNTYPED,
            {"untyped_mappings": 7},
        ),
        ("signatures/judging/predicates/x.py", "A = dict[str, Any]\n", {}),
    ],
)
def test_each_form_is_counted_where_it_stands(tmp_path, path, content, expected):
    file = tmp_path / path
    file.parent.mkdir(parents=True)
    file.write_text(content)
    assert {name: count for name, count in counted(tmp_path).items() if count} == expected
