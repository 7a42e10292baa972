"""Wire values to and from JSON values, by the annotations of their classes.

    to_document(CapDocument(reason="few samples", condition="spin"))
    ->  {"reason": "few samples", "clause": "spin"}

Writing is strict: every field is written, and no number that JSON lacks. Reading is tolerant: unknown keys
are ignored, and a field that older documents lack has its default.
"""

from __future__ import annotations

import dataclasses
import math
import operator
import sys
import types
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, Union, cast, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    from ingest.model.json_value import JsonObject, JsonValue

T = TypeVar("T")
Convert = Callable[[Any], Any]

WIRE_NAMES = {"conditions": "clauses", "condition": "clause"}
"""Names of fields in JSON where they differ from those of the attributes."""


EVERY_FIELD = frozenset({"*"})
"""`SPARSE` of a class of which JSON has only the fields that are stated; others name the fields."""


class InvalidDocumentError(ValueError):
    """A document lacks a field that identifies it, or is no object."""


class _Field(NamedTuple):
    """One field with its conversions; None where the value is JSON already.

    Attributes:
        default: Value of a document without it; `dataclasses.MISSING`: it is required.
        is_sparse: Left out where it has its default.
        is_number: Its value may be a number with a fraction.
    """

    name: str
    key: str
    write: Convert | None
    read: Convert | None
    default: Any
    is_sparse: bool
    is_number: bool


def wire_name(name: str) -> str:
    """Return the key in JSON of an attribute."""
    return WIRE_NAMES.get(name, name)


def to_document(value: Any, *, without: frozenset[str] = frozenset()) -> dict[str, JsonValue]:
    """Return a wire value as JSON values, fields in the order of its class, but those of `without`.

    A number that is not finite becomes a text where the field may be one, null where it may be null, else 0
    or the largest number.
    """
    form = _FORMS.get((type(value), without)) or _form(type(value), without)
    document = dict(zip(form.keys, form.values(value), strict=True))
    for key, default in form.sparse:
        if document[key] == default:
            del document[key]
    for key, write in form.numbers:
        one = document.get(key)
        if isinstance(one, float) and not math.isfinite(one):
            document[key] = write(one)
    for key, write in form.others:
        if key in document:
            document[key] = write(document[key])
    return document


def from_document(cls: type[T], document: JsonObject) -> T:
    """Return the wire value of a document.

    Raises:
        InvalidDocumentError: It lacks a field that has no default, or it is no object.
    """
    if not isinstance(document, Mapping):
        raise InvalidDocumentError(f"{cls.__name__}: expected an object, not {type(document).__name__}")
    complete = getattr(cls, "completed", None)
    if complete is not None:
        document = complete(document)
    values = {}
    for name, key, _, read, default, *_ in _fields(cls):
        if key in document:
            one = document[key]
            values[name] = one if read is None else read(one)
        elif default is dataclasses.MISSING:
            raise InvalidDocumentError(f"{cls.__name__}: {key} is missing")
    return cls(**values)


def to_documents(values: Iterable[Any]) -> list[dict[str, JsonValue]]:
    """Return wire values as JSON values."""
    return [to_document(one) for one in values]


def from_documents(cls: type[T], documents: Iterable[JsonObject]) -> tuple[T, ...]:
    """Return the wire values of documents.

    Raises:
        InvalidDocumentError: One lacks a field that has no default, or is no object.
    """
    return tuple(from_document(cls, one) for one in documents)


def widened(cls: type[T], value: Any, **added: Any) -> T:
    """Return a wire value as one of a subclass, with the fields that it adds."""
    return cls(**{field.name: getattr(value, field.name) for field in dataclasses.fields(value)}, **added)


class _Form(NamedTuple):
    """How a class is written: all values are taken at once, and few of them are converted.

    Attributes:
        values: Returns the values of `keys`.
        sparse: Keys that are left out, with the default that they then have.
        numbers: Keys of numbers, whose conversion matters where one is not finite.
        others: Keys of the other values that are converted.
    """

    keys: tuple[str, ...]
    values: Callable[[Any], tuple[Any, ...]]
    sparse: tuple[tuple[str, Any], ...]
    numbers: tuple[tuple[str, Convert], ...]
    others: tuple[tuple[str, Convert], ...]


_FORMS: dict[tuple[type, frozenset[str]], _Form] = {}


def _form(cls: type, without: frozenset[str]) -> _Form:
    fields = [one for one in _fields(cls) if one.name not in without]
    names = [one.name for one in fields]
    written = [(one.key, one.write, one.is_number) for one in fields if one.write]
    found = _FORMS[cls, without] = _Form(
        tuple(one.key for one in fields),
        operator.attrgetter(*names)
        if len(names) > 1
        else lambda value: tuple(getattr(value, n) for n in names),
        tuple((one.key, one.default) for one in fields if one.is_sparse),
        tuple((key, write) for key, write, is_number in written if is_number),
        tuple((key, write) for key, write, is_number in written if not is_number),
    )
    return found


_FIELDS: dict[type, tuple[_Field, ...]] = {}
"""Fields of the classes that were converted before."""


def _fields(cls: type) -> tuple[_Field, ...]:
    found = _FIELDS.get(cls)
    if found is None:
        hints = get_type_hints(cls)
        sparse: frozenset[str] = getattr(cls, "SPARSE", frozenset())
        found = _FIELDS[cls] = tuple(
            _Field(
                name,
                wire_name(name),
                _writer(hints[name]),
                _reader(hints[name]),
                default,
                sparse is EVERY_FIELD or name in sparse,
                float in _members(hints[name]),
            )
            for name, default in _defaults(cls)
        )
    return found


def _defaults(cls: Any) -> list[tuple[str, Any]]:
    """Return the fields of a dataclass, each with its default."""
    return [
        (one.name, one.default if one.default_factory is dataclasses.MISSING else one.default_factory())
        for one in dataclasses.fields(cls)
    ]


def _members(hint: Any) -> tuple[Any, ...]:
    """Return the types of a union without None; of all others the type itself."""
    is_union = get_origin(hint) in (Union, types.UnionType)
    return tuple(one for one in get_args(hint) if one is not type(None)) if is_union else (hint,)


def _may_be_none(hint: Any) -> bool:
    return type(None) in get_args(hint)


def _item(hint: Any) -> Any:
    """Return the type of the items of a tuple of any length; None for all other types."""
    return get_args(hint)[0] if get_origin(hint) is tuple else None


def _writer(hint: Any) -> Convert | None:
    members = _members(hint)
    if float in members:
        return _number_writer(has_text=str in members, may_be_none=_may_be_none(hint))
    sequence = next((one for one in members if _item(one)), None)
    if sequence is not None:
        inner = _writer(_item(sequence))
        return lambda value: _listed(value, inner) if isinstance(value, tuple | list) else value
    if any(get_origin(one) in (dict, Mapping) for one in members):
        return lambda value: None if value is None else dict(value)
    if any(dataclasses.is_dataclass(one) for one in members):
        return lambda value: None if value is None else to_document(value)
    return None


def _listed(value: Any, inner: Convert | None) -> list[Any]:
    return list(value) if inner is None else [inner(one) for one in value]


def _number_writer(*, has_text: bool, may_be_none: bool) -> Convert:
    def write(value: Any) -> Any:
        if not isinstance(value, float) or math.isfinite(value):
            return value
        if has_text:
            return str(value)
        if may_be_none:
            return None
        return 0.0 if math.isnan(value) else math.copysign(sys.float_info.max, value)

    return write


def _reader(hint: Any) -> Convert | None:
    members = _members(hint)
    sequence = next((one for one in members if _item(one)), None)
    if sequence is not None:
        inner = _reader(_item(sequence))
        return lambda value: _row(value, inner) if isinstance(value, tuple | list) else value
    record = next((one for one in members if dataclasses.is_dataclass(one)), None)
    if record is not None:
        return lambda value: None if value is None else from_document(cast("type", record), value)
    return None


def _row(value: Any, inner: Convert | None) -> tuple[Any, ...]:
    return tuple(value) if inner is None else tuple(inner(one) for one in value)
