"""Every test asserts, in its own statements or through a helper named like `assert_same` or `expectText`."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
ROOT = TESTS.parent
RAISING = {"raises", "warns", "fail"}
PAGES = [
    *(TESTS / "e2e").glob("*.spec.ts"),
    *(ROOT / "frontend/src").rglob("*.test.ts"),
    *(ROOT / "frontend/src").rglob("*.test.tsx"),
]
# A test ends where the next one of its depth begins, or with the file.
BEGINS = re.compile(r"^( *)(?:test|it)(?:\.each\(.*\))?\(", re.MULTILINE)
ASSERTS = re.compile(r"\b(?:expect|assert)\w*(?:\.\w+)*[(<]")


def asserts(function: ast.AST) -> bool:
    """Say whether `function` has an assertion or calls a helper that is named for one."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assert):
            return True
        if isinstance(node, ast.Call):
            called = node.func
            name = getattr(called, "attr", "") or getattr(called, "id", "")
            if name in RAISING or name.startswith("assert_"):
                return True
    return False


def claims(source: str) -> dict[str, bool]:
    """Return the tests of a Python file, and its helpers named `assert_…`, with whether they assert."""
    return {
        node.name: asserts(node)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith(("test_", "assert_"))
    }


def silent_tests_of_page(source: str) -> list[str]:
    """Return the first lines of the tests of a TypeScript file that assert nothing."""
    found = []
    begins = list(BEGINS.finditer(source))
    for number, begin in enumerate(begins):
        later = (other.start() for other in begins[number + 1 :] if len(other[1]) <= len(begin[1]))
        body = source[begin.start() : next(later, len(source))]
        if not ASSERTS.search(body):
            found.append(body.splitlines()[0].strip())
    return found


def test_every_python_test_asserts():
    files = [path for path in TESTS.rglob("*.py") if "data" not in path.relative_to(TESTS).parts]
    sources = {path.relative_to(ROOT).as_posix(): path.read_text() for path in files}
    found = {
        f"{file}::{name}": does_assert
        for file, source in sources.items()
        if "def test_" in source or "def assert_" in source
        for name, does_assert in claims(source).items()
    }
    assert [name for name, does_assert in found.items() if not does_assert] == []
    assert len(found) > 2000


def test_every_test_of_the_pages_asserts():
    found = {path.relative_to(ROOT).as_posix(): silent_tests_of_page(path.read_text()) for path in PAGES}
    assert len(found) > 50
    assert {file: names for file, names in found.items() if names} == {}


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("def test_a():\n    run()\n", ["test_a"]),
        ("def test_a():\n    assert run()\n", []),
        ("def test_a():\n    with pytest.raises(ValueError):\n        run()\n", []),
        ("def test_a():\n    assert_same(1, 2)\n", []),
        ("def assert_same(a, b):\n    return a == b\n", ["assert_same"]),
    ],
)
def test_a_python_test_without_an_assertion_is_found(source: str, names: list[str]):
    assert [name for name, does_assert in claims(source).items() if not does_assert] == names


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("test('a', () => {\n  run()\n})\n", ["test('a', () => {"]),
        ("test('a', () => {\n  run()\n})\ntest('b', () => expect(1).toBe(1))\n", ["test('a', () => {"]),
        ("it.each([1])('a', async () => {\n  await expect.poll(run).toBe(1)\n})\n", []),
    ],
)
def test_a_page_test_without_an_assertion_is_found(source: str, names: list[str]):
    assert silent_tests_of_page(source) == names
