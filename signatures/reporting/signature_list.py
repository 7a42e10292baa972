"""Documents of the library's signatures, shown without parsing them.

`make build` compiles the documents: `python -m signatures.reporting.signature_list`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ingest.compiled import Compiled

if TYPE_CHECKING:
    from signatures.documents.signature import SignatureDocument

PACKAGE = Path(__file__).parents[1]
CODE = ("document", "judging", "kernels", "language", "reporting", "waits")
COMPILED = Compiled(
    "signatures.json",
    (
        "captures.yaml",
        "kernels/**/*.yaml",
        "language/*.yaml",
        "library/*/*/signature.yaml",
        "library/*/*/story.md",
        *(f"{folder}/**/*.py" for folder in CODE),
    ),
)


def signature_documents() -> list[SignatureDocument] | None:
    """Return the compiled documents of the library, sorted by id; None when they are not current."""
    documents: list[SignatureDocument] | None = COMPILED.load(PACKAGE)
    return documents


def write(package: Path = PACKAGE) -> None:
    """Compile the documents into a copy of this package, unless a signature is invalid."""
    from signatures.document.catalog import load_catalog  # noqa: PLC0415 - parses every signature
    from signatures.reporting.signature_document import signature_document  # noqa: PLC0415 - same

    catalog = load_catalog()
    if not catalog.problems:
        COMPILED.write(package, [signature_document(signature) for signature in catalog.signatures])


if __name__ == "__main__":
    write()
