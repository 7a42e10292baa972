"""JSON that no class here describes: it is passed on, or parsed by who knows its form.

Such are a fix as the author of a signature wrote it, the JSON Schema of signatures, answers of a service that
are printed as they come, and the documents that `signatures.documents.codec` converts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    JsonValue: TypeAlias = "bool | int | float | str | Sequence[JsonValue] | Mapping[str, JsonValue] | None"
    JsonObject: TypeAlias = Mapping[str, JsonValue]
else:
    # pydantic, SQLAlchemy and `get_type_hints` follow no alias that names itself.
    JsonValue = Any
