"""Plain data classes made in a third of the time, equal to those of `dataclasses`.

`dataclasses` writes, compiles and calls a text for each method. Of a plain class all methods are one text
here, whose code a start image keeps. Plain is a class without bases, methods that would be written, single
keyword-only fields and other than the usual parameters, by the rules of Python 3.11; any other one is made by
`dataclasses`, which also says what is wrong with a class.
"""

from __future__ import annotations

import dataclasses
import inspect
import sys
from dataclasses import MISSING, Field, FrozenInstanceError
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Maker = Callable[..., type]

MARKS = ("ClassVar", "InitVar", "KW_ONLY")
"""Names in annotations that make something else than a field; our modules have no others for these."""

IS_KNOWN = sys.version_info[:2] == (3, 11)
"""Whether this Python makes data classes as this module does."""

_d: Any = dataclasses
"""What it has without saying so."""

_WRITTEN = ("__init__", "__repr__", "__eq__", "__hash__", "__setattr__", "__delattr__", "__match_args__")
_USUAL = (True, True, True, False, False)
"""init, repr, eq, order, unsafe_hash."""
_ARGUMENTS = ", MISSING, _HAS_DEFAULT_FACTORY, __dataclass_builtins_object__, cls, FrozenInstanceError"


def made(
    cls: type,
    parameters: Sequence[bool],
    execute: Callable[[str, dict[str, Any], dict[str, Any]], None],
) -> type | None:
    """Return a class as `dataclasses` would make it, None for one that is not plain.

    Args:
        cls: The class as its statement made it.
        parameters: init, repr, eq, order, unsafe_hash, frozen, match_args, kw_only, slots, weakref_slot.
        execute: Executes the text of a function with globals and locals.
    """
    *usual, frozen, match_args, kw_only, slots, weakref_slot = parameters
    if tuple(usual) != _USUAL or not match_args or weakref_slot or not _is_plain(cls):
        return None
    fields = _fields(cls, kw_only=kw_only)
    if fields is None:
        return None
    setattr(cls, _d._PARAMS, _d._DataclassParams(*usual, frozen))  # noqa: SLF001
    for name, one in fields.items():
        if isinstance(cls.__dict__.get(name), Field):
            if one.default is MISSING:
                delattr(cls, name)
            else:
                setattr(cls, name, one.default)
    setattr(cls, _d._FIELDS, fields)  # noqa: SLF001
    for function in _methods(cls, list(fields.values()), execute, frozen=frozen, slots=slots):
        function.__qualname__ = f"{cls.__qualname__}.{function.__name__}"
        setattr(cls, function.__name__, function)
    if not frozen:
        cls.__hash__ = None  # type: ignore[assignment]
    if not cls.__doc__:
        cls.__doc__ = cls.__name__ + str(inspect.signature(cls)).replace(" -> None", "")
    cls.__match_args__ = tuple(name for name, one in fields.items() if one.init and not kw_only)  # type: ignore[attr-defined, misc]
    if not slots:
        return cls
    slotted: type = _d._add_slots(cls, frozen, weakref_slot)  # noqa: SLF001
    return slotted


def _is_plain(cls: type) -> bool:
    own = cls.__dict__
    if cls.__bases__ != (object,) or "self" in own.get("__annotations__", ()):
        return False
    return not any(name in own for name in _WRITTEN)


def _fields(cls: type, *, kw_only: bool) -> dict[str, Field[Any]] | None:
    """Return the fields of a class by name, None when one is not plain."""
    own = cls.__dict__
    annotations: dict[str, Any] = own.get("__annotations__", {})
    has_default = False
    for name, kind in annotations.items():
        if type(kind) is not str or any(mark in kind for mark in MARKS):
            return None
        value = own.get(name, MISSING)
        is_field = isinstance(value, Field)
        default = value.default if is_field else value
        is_missing = default is MISSING and not (is_field and value.default_factory is not MISSING)
        if isinstance(default, MemberDescriptorType) or default.__class__.__hash__ is None:
            return None
        if is_field and value.kw_only not in (MISSING, kw_only):
            return None
        if not is_field or value.init:
            if has_default and is_missing and not kw_only:
                return None
            has_default = has_default or not is_missing
    if any(isinstance(value, Field) and name not in annotations for name, value in own.items()):
        return None
    fields = {}
    for name, kind in annotations.items():
        value = own.get(name, MISSING)
        one: Any = value if isinstance(value, Field) else _d.field(default=value)
        one.name = name
        one.type = kind
        one._field_type = _d._FIELD  # noqa: SLF001
        one.kw_only = kw_only
        fields[name] = one
    return fields


def _methods(
    cls: type,
    fields: Sequence[Field[Any]],
    execute: Callable[[str, dict[str, Any], dict[str, Any]], None],
    *,
    frozen: bool,
    slots: bool,
) -> tuple[Any, ...]:
    """Return the methods of a class."""
    variables: dict[str, Any] = {f"_type_{one.name}": one.type for one in fields}
    parameters, body = ["self"], []
    for one in fields:
        line = _d._field_init(one, frozen, variables, "self", slots)  # noqa: SLF001
        if line:
            body.append(f"  {line}\n")
        if one.init:
            parameters.append(_d._init_param(one))  # noqa: SLF001
    if len(parameters) > 1 and fields[0].kw_only:
        parameters.insert(1, "*")
    if hasattr(cls, "__post_init__"):
        body.append("  self.__post_init__()\n")
    shown = ", ".join(f"{one.name}={{self.{one.name}!r}}" for one in fields if one.repr)
    compared = [one for one in fields if one.compare]
    left, right = _d._tuple_str("self", compared), _d._tuple_str("other", compared)  # noqa: SLF001
    start = "".join(body) or "  pass\n"
    text = (
        f"def __create_fn__({', '.join((*variables, '_return_type'))}{_ARGUMENTS}):\n"
        f" def __init__({','.join(parameters)})->_return_type:\n{start}"
        f' def __repr__(self):\n  return self.__class__.__qualname__ + f"({shown})"\n'
        f" def __eq__(self,other):\n  if other.__class__ is self.__class__:\n   return {left}=={right}\n"
        "  return NotImplemented\n"
    )
    names = "__init__, __repr__, __eq__"
    if frozen:
        of_hash = [one for one in fields if (one.compare if one.hash is None else one.hash)]
        hashed = _d._tuple_str("self", of_hash)  # noqa: SLF001
        every = f"({','.join(repr(one.name) for one in fields)},)" if fields else "()"
        text += f" def __hash__(self):\n  return hash({hashed})\n"
        for name, arguments, words in (("set", ",value", "assign to"), ("del", "", "delete")):
            text += (
                f" def __{name}attr__(self,name{arguments}):\n  if type(self) is cls or name in {every}:\n"
                f'   raise FrozenInstanceError(f"cannot {words} field {{name!r}}")\n'
                f"  super(cls, self).__{name}attr__(name{arguments})\n"
            )
        names += ", __hash__, __setattr__, __delattr__"
    space: dict[str, Any] = {}
    execute(f"{text} return {names}", vars(sys.modules[cls.__module__]), space)
    init, represent, *others = space["__create_fn__"](
        **variables,
        _return_type=None,
        MISSING=MISSING,
        _HAS_DEFAULT_FACTORY=_d._HAS_DEFAULT_FACTORY,  # noqa: SLF001
        __dataclass_builtins_object__=object,
        cls=cls,
        FrozenInstanceError=FrozenInstanceError,
    )
    return init, _d._recursive_repr(represent), *others  # noqa: SLF001
