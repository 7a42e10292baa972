"""A plain data class made at once is that of `dataclasses`, and what is not plain is left to it."""

from __future__ import annotations

import copy
import dataclasses
from dataclasses import dataclass, field

import pytest

from ingest import plain_dataclasses
from signatures.language.model import Signature

pytestmark = pytest.mark.skipif(not plain_dataclasses.IS_KNOWN, reason="another Python makes them otherwise")


def execute(text, *spaces):
    exec(compile(text, "<string>", "exec", dont_inherit=True), *spaces)  # noqa: S102 - as the image does


class Full:
    """With all that a plain class may have."""

    name: str
    weights: list[int] = field(default_factory=list, repr=False)
    note: str = field(default="", compare=False)
    count: int = field(default=0, init=False)

    def __post_init__(self):
        """Take what is made."""

    @property
    def doubled(self):
        """Return twice."""
        return 2 * self.count


class Bare:
    x: int = 1


class Empty:
    pass


class Mixed:
    a: int = 1
    b: str


class Unhashable:
    a: list[int] = []  # noqa: RUF012 - a fault


class OfItself:
    a: int

    def __repr__(self):
        return "itself"


class Child(Full):
    more: int = 0


def twin(cls):
    """Return a class of the same statement."""
    own = {
        name: copy.copy(value) for name, value in vars(cls).items() if name not in {"__dict__", "__weakref__"}
    }
    return type(cls.__name__, cls.__bases__, own)


def shown(value):
    """Return what makes two methods or attributes equal."""
    function = getattr(value, "__wrapped__", value)
    code = getattr(function, "__code__", None)
    if code is None or isinstance(value, type):
        return repr(value) if not hasattr(value, "__objclass__") else value.__name__
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    return (
        (value.__qualname__, value.__name__, value.__module__, value.__doc__, function.__annotations__),
        (code.co_code, code.co_consts, code.co_names, code.co_varnames, code.co_freevars),
        (function.__defaults__, [one.__qualname__ if isinstance(one, type) else one for one in cells]),
    )


@pytest.mark.parametrize(
    "options", [{}, {"slots": True}, {"frozen": True}, {"frozen": True, "slots": True, "kw_only": True}]
)
@pytest.mark.parametrize("cls", [Full, Bare, Empty])
def test_every_attribute_is_that_of_dataclasses(cls, options):
    usual = dataclass(**options)(twin(cls))
    frozen, kw_only, slots = (options.get(name, False) for name in ("frozen", "kw_only", "slots"))
    parameters = (True, True, True, False, False, frozen, True, kw_only, slots, False)
    made = plain_dataclasses.made(twin(cls), parameters, execute)
    names = vars(usual).keys() - {"__dict__", "__weakref__"}
    assert names == vars(made).keys() - {"__dict__", "__weakref__"}
    for name in names:
        assert shown(vars(made)[name]) == shown(vars(usual)[name]), name
    one = made() if cls is not Full else made(name="a", weights=[1])
    assert repr(one) == repr(copy.copy(one))
    assert one == copy.copy(one)


@pytest.mark.parametrize("cls", [Mixed, Unhashable, OfItself, Child, Signature])
def test_what_is_not_plain_is_left_as_it_is(cls):
    before = dict(vars(cls))
    parameters = (True, True, True, False, False, False, True, False, False, False)
    assert plain_dataclasses.made(cls, parameters, execute) is None
    assert dict(vars(cls)) == before


def test_other_parameters_are_left_to_dataclasses():
    ordered = (True, True, True, True, False, False, True, False, False, False)
    assert plain_dataclasses.made(twin(Bare), ordered, execute) is None
    assert not dataclasses.is_dataclass(Bare)
