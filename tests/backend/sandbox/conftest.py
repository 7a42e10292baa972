from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from backend.sandbox import fork_server

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module", autouse=True)
def _fork_server_of_one_file() -> Iterator[None]:
    """These tests look at its processes, alter it and kill it."""
    fork_server.close()
    yield
    fork_server.close()
