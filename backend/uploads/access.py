"""Dependency for the upload in a URL, with its access check."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Depends

from backend.access.dependencies import AdmissionDep
from backend.models.upload import Upload
from backend.uploads import queries


def get_upload(admission: AdmissionDep, upload_id: UUID) -> Upload:
    """Return the upload that the URL names.

    Raises:
        NotFoundError: It does not exist, expired, or its case is not visible to the principal.
    """
    return admission.find(queries.upload_of_id(upload_id), absent=queries.absent(upload_id))


UploadDep = Annotated[Upload, Depends(get_upload)]
