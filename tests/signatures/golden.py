"""Every fixture against every signature: written anew by `make golden`, compared by the tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import yaml

from signatures.catalog import load_catalog
from tests.signatures.evidence import DATA, findings_of, fixtures, read_folder

if TYPE_CHECKING:
    from signatures.catalog import Catalog

MATRIX = DATA / "expected" / "matrix.yaml"
HEAD = "# Every fixture of the library against every signature.\n"


def matrix_of(catalog: Catalog) -> dict[str, dict[str, str]]:
    return {
        name: {
            signature: finding.verdict
            for signature, finding in sorted(findings_of(read_folder(folder), catalog).items())
        }
        for name, folder, _, _ in fixtures()
    }


if __name__ == "__main__":
    MATRIX.write_text(HEAD + yaml.safe_dump(matrix_of(load_catalog()), sort_keys=True))
