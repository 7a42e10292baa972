"""Filters of the kernels of the fleet, as query parameters."""

from __future__ import annotations

from pydantic import BaseModel, Field

from backend.kernels.schemas import Sort


class FleetFilter(BaseModel):
    """Filters of kernels, of which all must hold, and their order."""

    q: str = Field(default="", max_length=200, description="Part of a release or of the name of a host")
    problem: str = Field(
        default="", max_length=200, description="Id of a signature that affects them, or was found on them"
    )
    family: str = Field(default="", max_length=100, description="Whose builds they are, by `family`")
    source: str = Field(default="", max_length=100, description="Source of an inventory, without cases")
    cluster: str = Field(default="", max_length=200, description="Cluster of an inventory, without cases")
    sort: Sort = Field(default="-hosts", description="By hosts, by problems that affect them, or by release")
