"""Parser of the rows of `affected`: the releases of one ecosystem that have a fault."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from signatures.kernels.fix_records import fix_records
from signatures.language.kernel_releases import ECOSYSTEMS, check_release
from signatures.language.model import BY_DESIGN, Affected
from signatures.language.strict_mapping import Keys

if TYPE_CHECKING:
    from collections.abc import Mapping

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
AFFECTED_KEYS = [
    "ecosystem",
    "aspect",
    "introduced",
    "fixed",
    "branch",
    "flavour",
    "verdict",
    "basis",
    "status",
    "as_of",
    "fixes",
]
ROW_VERDICTS = ("affected", "fixed", "not_affected", "unknown", BY_DESIGN)


def affected_of(file: str, path: str, row: Mapping[str, Any]) -> Affected:
    """Read one row.

    Raises:
        SignatureError: With file, key and remedy.
    """
    keys = Keys(file, path, row, AFFECTED_KEYS)
    ecosystem = keys.one_of("ecosystem", ECOSYSTEMS)
    for key in ("introduced", "fixed"):
        problem = check_release(ecosystem, str(row[key])) if row.get(key) is not None else ""
        if problem:
            raise keys.error(
                key, problem, "write it as this vendor's uname -r does, without the architecture"
            )
    if row.get("as_of") is not None and not _DAY.fullmatch(str(row["as_of"])):
        raise keys.error("as_of", f"{row['as_of']!r} is not a day", "write it as 2026-01-13")
    if keys.text("verdict"):
        keys.one_of("verdict", ROW_VERDICTS)
    fixes = keys.texts("fixes")
    for name in fixes:
        if name not in fix_records():
            known = ", ".join(fix_records())
            raise keys.error("fixes", f"{name}: no such record of a fix", f"records are {known}")
    texts = {key: str(row[key]) for key in row if key not in ("ecosystem", "fixes") and row[key] is not None}
    if fixes:
        records = [fix_records()[name] for name in fixes]
        texts.setdefault("introduced", _text_of(min(record.introduced for record in records)))
        texts.setdefault("fixed", _text_of(max(record.mainline for record in records)))
    return Affected(ecosystem=ecosystem, fixes=fixes, **texts)


def _text_of(version: tuple[int, ...]) -> str:
    return ".".join(str(part) for part in version)
