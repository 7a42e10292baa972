from __future__ import annotations

import pytest
import yaml

from signatures.document.catalog import load_catalog
from signatures.document.parse import signature_of
from signatures.language.model import Catalog

_HEAD = {
    "schema": 1,
    "id": "mm/test",
    "version": 1,
    "title": "A test",
    "severity": "high",
    "status": "stable",
}


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    return load_catalog()


@pytest.fixture
def catalog_of():
    """Build a catalog of one signature out of its clauses and rules."""

    def build(text: str) -> Catalog:
        document = _HEAD | yaml.safe_load(text)
        return Catalog((signature_of(document, "mm/test"),), ())

    return build
