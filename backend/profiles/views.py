"""A profile with the location of its columns; questions about it are answered in a limited fork."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NamedTuple

from backend.sandbox.envelope import answer_of_request, folders_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from uuid import UUID

    from backend.core.storage.object_store import Store
    from backend.profiles.queries import Place
    from backend.sandbox.kept_forks import KeptForks
    from ingest.model.selection import Selection


class ProfileHandle(NamedTuple):
    """One profile of a case with the location of its columns."""

    forks: KeptForks
    store: Store
    place: Place
    profile_id: UUID
    ordinal: int
    case_id: UUID

    def ask(
        self,
        question: str,
        selection: Selection,
        *,
        what: str = "the view",
        base: ProfileHandle | None = None,
        **more: Any,
    ) -> bytes:
        """Return the answer to a question of `backend.sandbox.computations.profile_views`.

        Raises:
            NotComputedError: It failed, needs more than a request may use, or the stored reading is damaged.
            NotFoundError: The profile has no such node, row or function.
            UnsupportedQueryError: The recording lacks the data, or a pattern is invalid.
        """
        handles = [self] if base is None else [self, base]
        folders = folders_of(self.store, [one.place.store_key for one in handles], what=what)
        document = {"ask": question, "selection": asdict(selection), **more}
        document["profile"] = self.place_in(folders)
        if base is not None:
            document["base"] = base.place_in(folders)
        return answer_of_request(
            self.forks,
            tuple(dict.fromkeys((one.case_id, one.place.digest) for one in handles)),
            folders,
            document,
            what=what,
        )

    def place_in(self, folders: Mapping[str, Path]) -> dict[str, Any]:
        """Return the place of its columns as the fork takes it."""
        return {
            "folder": str(folders[self.place.store_key]),
            "ordinal": self.ordinal,
            "id": str(self.profile_id),
            "name": self.place.evidence_name,
        }
